// A folder of files to load pairs from.
#pragma once

#include <QTemporaryDir>
#include <algorithm>

#include "core/data/text_data.h"
#include "core/io/file.h"
#include "tests/support/error_text.h"

namespace attnscope {

class TextFiles {
 public:
  std::filesystem::path put(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path file = path() / name;
    writeFile(file, bytes);
    return file;
  }
  TextDataOptions optionsFor(const std::string& name, const std::string& bytes) const {
    TextDataOptions options;
    options.files = {put(name, bytes)};
    return options;
  }
  // What loading throws, without the folder.
  QString error(const TextDataOptions& options, ErrorKind kind = ErrorKind::BadInput) const {
    return errorText(kind, [&] { loadTextData(options); }).remove(m_folder.path() + "/");
  }
  std::filesystem::path path() const { return m_folder.path().toStdString(); }

 private:
  QTemporaryDir m_folder;
};

inline std::string joined(const std::vector<std::string>& tokens) {
  return joinTokens(TokenizerKind::Whitespace, tokens);
}

// "source=target" of every example of both parts, sorted, without </s>.
inline QStringList pairsOf(const TrainingData& data) {
  QStringList pairs;
  for (const auto* part : {&data.train, &data.validation}) {
    for (const Example& example : *part) {
      const auto side = [](std::vector<std::string> tokens) {
        tokens.pop_back();
        return QString::fromStdString(joined(tokens));
      };
      pairs += side(example.sourceTokens) + "=" + side(example.targetTokens);
    }
  }
  pairs.sort();
  return pairs;
}

// `count` pairs s0=t0, s1=t1, …
inline std::string numbered(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "s" + std::to_string(i) + "\tt" + std::to_string(i) + "\n";
  return text;
}

}  // namespace attnscope
