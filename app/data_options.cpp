#include "app/data_options.h"

#include "app/option.h"
#include "core/train/data_spec.h"

namespace attnscope {
namespace {

constexpr const char* kGroup = "Data";

}  // namespace

void addTaskFlags(CLI::App& command, TaskFlags& flags) {
  command.add_option("--lengths", flags.lengths, "Lengths of a task's sequences, as in 4-12")
      ->type_name("A-B")
      ->group(kGroup);
  addInteger(command, "--symbols", flags.symbols, 1, 26, "Size of a task's alphabet")->group(kGroup);
}

TaskOptions taskOptions(TaskOptions base, const TaskFlags& flags) {
  if (!flags.lengths.empty()) parseLengths(flags.lengths, base);
  if (flags.symbols) base.symbols = static_cast<int>(*flags.symbols);
  return base;
}

CLI::Option* addDataOption(CLI::App& command, std::vector<std::string>& files) {
  return command
      .add_option("--data", files, "Pairs of texts: one .tsv, .csv or .jsonl (- is standard input), or two plain files")
      ->type_name("FILE")
      ->expected(1, 2)
      ->group(kGroup);
}

void addTextFlags(CLI::App& command, TextFlags& flags, CLI::Option* data) {
  const auto text = [&](const std::string& name, std::string& value, const std::string& type,
                        const std::string& description) {
    command.add_option(name, value, description)->type_name(type)->needs(data)->group(kGroup);
  };
  text("--source-column", flags.sourceColumn, "C", "Column of the source: its name, or its number from 1");
  text("--target-column", flags.targetColumn, "C", "Column of the target");
  text("--tokenizer", flags.tokenizer, "KIND", "whitespace, characters or words");
  command.add_flag("--lowercase", flags.lowercase, "Lower-case all words")->needs(data)->group(kGroup);
  addInteger(command, "--max-length", flags.maxLength, 1, 1'000'000, "Skip rows with a longer side (tokens; 200)")
      ->needs(data)
      ->group(kGroup);
  command
      .add_flag("--skip-bad-rows", flags.skipBadRows, "Count and list malformed rows instead of stopping at the first")
      ->needs(data)
      ->group(kGroup);
}

void applyTextFlags(const TextFlags& flags, TextDataOptions& options) {
  if (!flags.sourceColumn.empty()) options.sourceColumn = flags.sourceColumn;
  if (!flags.targetColumn.empty()) options.targetColumn = flags.targetColumn;
  if (!flags.tokenizer.empty()) options.tokenizer = tokenizerKind(flags.tokenizer);
  if (flags.lowercase) options.lowercase = true;
  if (flags.skipBadRows) options.skipBadRows = true;
  if (flags.maxLength) options.maxLength = static_cast<int>(*flags.maxLength);
}

}  // namespace attnscope
