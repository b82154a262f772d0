#include "core/data/tasks/tasks.h"

namespace attnscope::tasks {

std::vector<std::string> alphabet(int count) {
  std::vector<std::string> letters;
  for (int i = 0; i < count; ++i) letters.emplace_back(1, static_cast<char>('a' + i));
  return letters;
}

void closeWithEnd(Example& example) {
  example.source.push_back(kEnd);
  example.sourceTokens.emplace_back("</s>");
  example.target.push_back(kEnd);
  example.targetTokens.emplace_back("</s>");
}

Json seq2seqConfig(int sourceVocabulary, int targetVocabulary) {
  // The look-up with the current state points at the symbol about to be written; with the previous one a perfect
  // model often points beside it.
  return Json{{"family", "seq2seq"},
              {"source_vocabulary", sourceVocabulary},
              {"target_vocabulary", targetVocabulary},
              {"embedding", 32},
              {"encoder", {{"cell", "gru"}, {"hidden", 64}, {"layers", 1}, {"bidirectional", true}}},
              {"decoder", {{"cell", "gru"}, {"hidden", 64}, {"layers", 1}}},
              {"bridge", "tanh"},
              {"context", "attention"},
              {"query", "current"},
              {"input_feeding", false},
              {"attention", {{"score", "general"}, {"normalizer", "softmax"}, {"scope", {{"kind", "global"}}}}}};
}

Json recurrentConfig(const Json& input, const std::string& cell, int hidden, const Json& output) {
  return Json{{"family", "recurrent"},
              {"input", input},
              {"cell", cell},
              {"hidden", hidden},
              {"layers", 1},
              {"attention",
               {{"score", "general"},
                {"memory", "states"},
                {"joins", "output"},
                {"normalizer", "softmax"},
                {"scope", {{"kind", "global"}}}}},
              {"output", output}};
}

}  // namespace attnscope::tasks
