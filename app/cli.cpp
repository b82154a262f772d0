#include "app/cli.h"

#include <filesystem>
#include <new>
#include <vector>

#include "app/command.h"
#include "app/output.h"
#include "app/window_start.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr int kInternalError = 70;  // EX_SOFTWARE of sysexits.h

constexpr const char* kAbout =
    "Trains small recurrent networks with attention and shows what attention does.\n"
    "Without arguments, or with a model, trace or data file, the window opens.";

constexpr const char* kFooter =
    "Examples:\n"
    "  attnscope demo\n"
    "  attnscope train --task reverse --until-accuracy 0.99 --out reverse.safetensors\n"
    "  attnscope plot reverse.safetensors --task --out alignment.png\n"
    "\n"
    "Exit codes: 0 done, 1 the answer is no (verification failed, accuracy not reached), 2 usage,\n"
    "3 bad input file, 4 could not write, 5 training diverged, 130 interrupted.\n"
    "`attnscope COMMAND --help` explains a command.";

// Which option needs which is said where it is missed; the help stays readable.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(30); }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    return (option->get_type_name().empty() ? "" : " " + option->get_type_name()) +
           (option->get_required() ? " (required)" : "");
  }
};

void addCommands(CLI::App& app, Chosen& chosen) {
  addTasksCommand(app, chosen);
  addTrainCommand(app, chosen);
  addTraceCommand(app, chosen);
  addPlotCommand(app, chosen);
  addEvaluateCommand(app, chosen);
  addVerifyCommand(app, chosen);
  addDemoCommand(app, chosen);
}

// The files to open when the arguments are no command. A mistyped command must not be taken for a file.
std::vector<std::string> filesToOpen(int argc, char** argv) {
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    std::error_code code;
    if (fs::exists(argument, code)) {
      files.push_back(argument);
    } else if (argument.find_first_of("./") != std::string::npos) {
      throw Error(ErrorKind::BadInput, argument, "there is no such file");
    } else {
      throw Error(ErrorKind::Usage, "", "there is no command \"" + argument + "\"; see attnscope --help");
    }
  }
  return files;
}

bool wantsWindow(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return true;
  const std::string first = argv[1];
  if (first.empty() || first[0] == '-') return false;
  const auto commands = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == first; });
  return commands.empty();
}

int usageError(const CLI::App& app, const CLI::ParseError& error) {
  std::string command = "attnscope";
  for (const CLI::App* chosen : app.get_subcommands()) command += " " + chosen->get_name();
  std::string message = error.what();
  if (const std::size_t excess = message.find(": At Most 1 required"); excess != std::string::npos) {
    message = message.substr(0, excess) + ": is given more than once";
  }
  printError(message + "; see " + command + " --help");
  return exitCode(ErrorKind::Usage);
}

// An empty value is mostly a variable that was never set; a run must not find out at its end that it has no file to
// write to. Only a text (--input, --target) can be empty.
void checkValues(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_type_name() == "TEXT" || option->get_expected_min() == 0) continue;
      for (const std::string& value : option->results()) {
        if (value.empty()) throw CLI::ValidationError(option->get_name(), "is empty; give a value or leave it out");
      }
    }
  }
}

int parseAndRun(CLI::App& app, Chosen& chosen, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    checkValues(app);
  } catch (const CLI::CallForHelp&) {
    printText(app.help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    printText("attnscope " ATTNSCOPE_VERSION "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    return usageError(app, error);
  }
  return chosen.run();
}

int dispatch(int argc, char** argv) {
  Chosen chosen;
  CLI::App app(kAbout, "attnscope");
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Explain and stop");
  app.set_version_flag("--version", "attnscope " ATTNSCOPE_VERSION, "Print the version and stop");
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  addCommands(app, chosen);
  if (wantsWindow(app, argc, argv)) {
    const std::vector<std::string> files = filesToOpen(argc, argv);
    return startWindow(argc, argv, files);
  }
  return parseAndRun(app, chosen, argc, argv);
}

}  // namespace

CLI::App* addCommand(CLI::App& app, Chosen& chosen, const std::string& name, const std::string& description,
                     const std::string& notes) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(notes);
  command->add_flag("-q,--quiet", chosen.quiet, "No progress and no remarks");
  command->set_version_flag("--version", "attnscope " ATTNSCOPE_VERSION, "Print the version and stop");
  return command;
}

int runCommandLine(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const Error& error) {
    printError(error.what());
    return exitCode(error.kind());
  } catch (const std::bad_alloc&) {
    printError("there is not enough memory; try a smaller model, batch or input");
  } catch (const std::exception& error) {
    printError(std::string("internal error, please report it: ") + error.what());
  }
  return kInternalError;
}

}  // namespace attnscope
