#include "app/command.h"
#include "app/model_trace.h"
#include "app/output.h"
#include "core/trace/trace_json.h"

namespace attnscope {
namespace {

struct TraceCommand {
  std::string model, out = "-";
  ExampleChoice choice;
  bool free = false;
};

int runTrace(const TraceCommand& command, bool quiet) {
  checkWritable(command.out);
  writeTrace(traceModel(command.model, command.choice, command.free, quiet), command.out);
  return 0;
}

}  // namespace

void addTraceCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      addCommand(app, chosen, "trace", "Write what a model looked at, as a trace file (JSON)",
                 "Example:\n  attnscope trace --model reverse.safetensors --input \"a b c d\" --out trace.json");
  const auto options = std::make_shared<TraceCommand>();
  command->add_option("--model", options->model, "The model (.safetensors)")->type_name("FILE")->required();
  addTypedOptions(*command, options->choice);
  addExampleOptions(*command, options->choice, "How many examples (1)");
  command->add_flag("--free", options->free, "Run freely although the target is known");
  command->add_option("--out", options->out, "The trace file; - is standard output (the default)")
      ->type_name("FILE.json");
  command->callback(
      [options, &chosen] { chosen.run = [options, &chosen] { return runTrace(*options, chosen.quiet); }; });
}

}  // namespace attnscope
