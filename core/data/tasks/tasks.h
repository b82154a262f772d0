// The rows of the table of built-in tasks, and what several of them share.
#pragma once

#include <string>
#include <vector>

#include "core/data/task.h"

namespace attnscope::tasks {

Task reverse();
Task copy();
Task sort();
Task dates();
Task difference();
Task recall();

inline constexpr int kFirstWord = kUnknown + 1;  // id of a vocabulary's first word

// "a", "b", …: the first `count` letters.
std::vector<std::string> alphabet(int count);

// Closes both sides of a seq2seq example with </s>.
void closeWithEnd(Example& example);

// The configuration that suits the seq2seq tasks, for vocabularies of these sizes (special tokens included).
Json seq2seqConfig(int sourceVocabulary, int targetVocabulary);

// The configuration that suits the recurrent tasks: attention over the network's own past states, whose context the
// output layer reads. `input` and `output` are the configuration's objects of these names.
Json recurrentConfig(const Json& input, const std::string& cell, int hidden, const Json& output);

}  // namespace attnscope::tasks
