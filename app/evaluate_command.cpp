#include <cmath>
#include <optional>

#include "app/command.h"
#include "app/example_choice.h"
#include "app/output.h"
#include "app/report_text.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/file.h"
#include "core/train/bleu.h"

namespace attnscope {
namespace {

struct EvaluateCommand {
  std::string model, predictions;
  ExampleChoice choice;
  bool json = false, rows = false;
};

using Tokens = std::vector<std::string>;

Tokens spelled(const std::vector<int>& ids, const Lexicon& lexicon, bool sequence) {
  Tokens tokens;
  for (int id : ids)
    tokens.push_back(sequence ? lexicon.target.token(id) : lexicon.labels.at(static_cast<std::size_t>(id)));
  return tokens;
}

// As spelled in the data, so that a word the model does not know never counts as matched; without </s>.
Tokens referenceOf(const Example& example, const Lexicon& lexicon, bool sequence) {
  if (!sequence) return spelled(example.labels, lexicon, false);
  Tokens tokens = example.targetTokens.empty() ? spelled(example.target, lexicon, true) : example.targetTokens;
  if (!tokens.empty()) tokens.pop_back();
  return tokens;
}

Tokens sourceOf(const Example& example, const ModelConfig& config) {
  Tokens tokens = example.sourceTokens;
  if (config.family == "seq2seq" && !tokens.empty()) tokens.pop_back();
  const auto size = static_cast<std::size_t>(config.recurrent.vectorSize);
  for (std::size_t i = 0; i < example.vectors.size(); ++i) {
    const std::string number = formatNumber(example.vectors[i]);
    if (i % size == 0) {
      tokens.push_back(number);
    } else {
      tokens.back() += "," + number;
    }
  }
  return tokens;
}

std::string tsvField(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    for (char c : token) {
      if (c == '\t' || c == '\n' || c == '\r' || c == '\\') text += '\\';
      text += c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c;
    }
  }
  return text;
}

std::string predictionsTable(const ChosenExamples& chosen, const Evaluation& evaluation, const Predictor& predictor) {
  const bool sequence = predictor.config().family == "seq2seq";
  std::string table = "source\tprediction\treference\n";
  for (std::size_t i = 0; i < chosen.examples.size(); ++i) {
    const Example& example = chosen.examples[i];
    table += tsvField(sourceOf(example, predictor.config())) + "\t" +
             tsvField(spelled(evaluation.predictions[i], predictor.lexicon(), sequence)) + "\t" +
             tsvField(referenceOf(example, predictor.lexicon(), sequence)) + "\n";
  }
  return table;
}

double bleuOf(const ChosenExamples& chosen, const Evaluation& evaluation, const Lexicon& lexicon) {
  Bleu bleu;
  for (std::size_t i = 0; i < chosen.examples.size(); ++i) {
    bleu.add(spelled(evaluation.predictions[i], lexicon, true), referenceOf(chosen.examples[i], lexicon, true));
  }
  return bleu.score();
}

Json jsonOf(const EvaluateCommand& command, const ChosenExamples& chosen, const Evaluation& evaluation,
            const std::optional<double>& bleu, const std::string& site) {
  const ValidationReport& report = evaluation.report;
  Json json = {{"model", command.model}, {"data", chosen.data}, {"examples", chosen.examples.size()}};
  json["skipped"] = Json::object();
  for (const auto& [reason, count] : chosen.report.skipped) json["skipped"][reason] = count;
  addAccuracies(json, report);
  if (report.freeTokenAccuracy || report.accuracy) json["forced"]["perplexity"] = std::exp(report.forcedLoss);
  if (bleu) json["free"]["bleu"] = *bleu;
  if (report.site) {
    Json numbers = siteJson(*report.site);
    // A task such as dates has parts that are aligned to a different degree: year, month and day.
    if (command.rows) numbers["rows"] = rowsJson(evaluation.rows);
    json["sites"] = Json{{site, std::move(numbers)}};
  }
  return json;
}

void printReport(const ChosenExamples& chosen, const ValidationReport& report, const std::optional<double>& bleu,
                 const std::string& site) {
  std::string text = std::to_string(chosen.examples.size()) +
                     (chosen.examples.size() == 1 ? " example: " : " examples: ") + accuracyText(report) + "\n";
  if (bleu) text += "BLEU " + fixedText(*bleu, 2) + "\n";
  if (report.site) text += "attention " + site + ": " + siteText(*report.site) + "\n";
  printText(text);
}

int runEvaluate(const EvaluateCommand& command, bool quiet) {
  if (!command.predictions.empty()) checkWritable(command.predictions);
  const ModelFile model = readModelFile(command.model);
  const Predictor predictor(model);
  const ChosenExamples chosen = chooseExamples(command.choice, model, predictor, command.model, 1000, 0);
  std::vector<const Example*> examples;
  for (const Example& example : chosen.examples) examples.push_back(&example);
  ThreadPool pool(0);
  const Evaluation evaluation = predictor.evaluate(examples, pool);
  const bool sequence = predictor.config().family == "seq2seq";
  if (!command.predictions.empty()) {
    if (!sequence && !evaluation.report.accuracy) {
      throw Error(ErrorKind::Usage, "--predictions",
                  "this model predicts numbers, not tokens or classes; leave it out");
    }
    writeFile(command.predictions, predictionsTable(chosen, evaluation, predictor));
  }
  std::optional<double> bleu;
  if (sequence) bleu = bleuOf(chosen, evaluation, predictor.lexicon());
  const std::string site = sequence ? "decoder" : "memory";
  if (command.json) {
    printJson(jsonOf(command, chosen, evaluation, bleu, site));
    return 0;
  }
  if (const std::string skipped = skippedText(chosen.report); !quiet && !skipped.empty()) printRemark(skipped);
  if (command.predictions != "-") printReport(chosen, evaluation.report, bleu, site);
  return 0;
}

}  // namespace

void addEvaluateCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      addCommand(app, chosen, "evaluate", "Measure a model on a task's held-out examples or on the pairs of a file",
                 "Example:\n  attnscope evaluate --model reverse.safetensors --task --lengths 13-20 --json");
  const auto options = std::make_shared<EvaluateCommand>();
  command->add_option("--model", options->model, "The model (.safetensors)")->type_name("FILE")->required();
  addExampleOptions(*command, options->choice, "How many examples (a task: 1000; a file: all)");
  command->add_option("--predictions", options->predictions, "Write source, prediction and reference of each example")
      ->type_name("FILE.tsv");
  CLI::Option* json = command->add_flag("--json", options->json, "The results as JSON");
  command->add_flag("--rows", options->rows, "Also the agreement with gold of each output row")->needs(json);
  command->callback(
      [options, &chosen] { chosen.run = [options, &chosen] { return runEvaluate(*options, chosen.quiet); }; });
}

}  // namespace attnscope
