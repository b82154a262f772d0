#include <charconv>

#include "app/command.h"
#include "app/option.h"
#include "app/output.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/train/verify.h"

namespace attnscope {
namespace {

struct VerifyCommand {
  std::vector<std::string> cases;
  std::optional<double> tolerance;
  bool json = false;
};

struct Outcome {
  CaseResult result;
  std::string error;  // why the case could not be run
};

Outcome runCase(const std::string& file, double tolerance) {
  try {
    return {verifyCase(file, tolerance), ""};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput && error.kind() != ErrorKind::Usage) throw;
    return {{file, false, {}}, error.what()};
  }
}

std::string numberText(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 2).ptr;
  return std::string(buffer, end);
}

void printCase(const CaseResult& result) {
  std::string text;
  for (const TensorCheck& check : result.tensors) {
    text += result.file + " " + check.name + " " + numberText(check.error) + " " + formatNumber(check.tolerance) +
            (check.ok ? " ok\n" : " FAIL\n");
  }
  printText(text);
}

Json jsonOf(const Outcome& outcome) {
  Json tensors = Json::array();
  for (const TensorCheck& check : outcome.result.tensors) {
    Json one = {{"name", check.name}, {"error", check.error}, {"tolerance", check.tolerance}, {"ok", check.ok}};
    if (!check.ok) one["detail"] = check.detail;
    tensors.push_back(std::move(one));
  }
  Json json = {{"case", outcome.result.file}, {"ok", outcome.result.ok}, {"tensors", std::move(tensors)}};
  if (!outcome.error.empty()) json["error"] = outcome.error;
  return json;
}

void printFailures(const Outcome& outcome) {
  if (!outcome.error.empty()) printError(outcome.error);
  for (const TensorCheck& check : outcome.result.tensors) {
    if (!check.ok) printError(outcome.result.file + ": " + check.name + ": " + check.detail);
  }
}

int runVerify(const VerifyCommand& command) {
  int failed = 0, unreadable = 0;
  Json list = Json::array();
  for (const std::string& file : command.cases) {
    const Outcome outcome = runCase(file, command.tolerance.value_or(1e-5));
    if (!outcome.result.ok) ++failed;
    if (!outcome.error.empty()) ++unreadable;
    if (command.json) {
      list.push_back(jsonOf(outcome));
    } else {
      printCase(outcome.result);
    }
    printFailures(outcome);
  }
  if (command.json) {
    printJson(list);
  } else {
    printText(std::to_string(command.cases.size()) + " cases, " + std::to_string(failed) + " failed\n");
  }
  if (failed == 0) return 0;
  return failed > unreadable ? 1 : exitCode(ErrorKind::BadInput);
}

}  // namespace

void addVerifyCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command = addCommand(
      app, chosen, "verify", "Compare the engine with results that another framework computed",
      "A line per tensor: case, tensor, error, tolerance, ok or FAIL; what is wrong goes to standard error.\n"
      "Cases that cannot be run count as failed.\n\n"
      "Example:\n  attnscope verify cases/*.safetensors");
  const auto options = std::make_shared<VerifyCommand>();
  command->add_option("CASE", options->cases, "Case files (.safetensors)")->type_name("")->required();
  addNumber(*command, "--tolerance", options->tolerance, 0, 1e300,
            "Largest error relative to the largest expected value (1e-5); ten times that for gradients");
  command->add_flag("--json", options->json, "The results as JSON");
  command->callback([options, &chosen] { chosen.run = [options] { return runVerify(*options); }; });
}

}  // namespace attnscope
