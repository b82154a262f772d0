// Any bytes are rows, and the text of good rows is valid UTF-8 that every tokeniser takes. Build with
// clang++ -fsanitize=fuzzer,address,undefined and link the core's sources.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/base/text.h"
#include "core/data/tokenizer.h"
#include "core/io/delimited.h"

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = decodeText(std::string(reinterpret_cast<const char*>(data), size));
  for (const Quotes quotes : {Quotes::Text, Quotes::Interpreted}) {
    DelimitedReader reader(text, findDelimiter(text), quotes);
    long line = 0;
    for (DelimitedRow row; reader.next(row);) {
      if (row.line <= line || row.fields.empty()) std::abort();
      line = row.line;
      if (!row.fault.empty()) continue;
      for (const std::string& field : row.fields) {
        if (textFault(field)) std::abort();
        for (const TokenizerKind kind : {TokenizerKind::Whitespace, TokenizerKind::Characters, TokenizerKind::Words}) {
          joinTokens(kind, tokenize(kind, lowerCase(trimmed(field))));
        }
      }
    }
  }
  return 0;
}
