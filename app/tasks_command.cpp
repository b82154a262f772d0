#include <algorithm>

#include "app/command.h"
#include "app/output.h"
#include "core/data/task.h"

namespace attnscope {
namespace {

Json optionsOf(const Task& task) {
  Json options = Json::object();
  for (const std::string& name : task.options) {
    if (name == "lengths") {
      options[name] = std::to_string(task.defaults.minLength) + "-" + std::to_string(task.defaults.maxLength);
    } else if (name == "symbols") {
      options[name] = task.defaults.symbols;
    }
  }
  return options;
}

Json describe(const Task& task) {
  return Json{{"name", task.name},        {"title", task.title},
              {"family", task.family},    {"options", optionsOf(task)},
              {"gold", task.gold},        {"for", task.purpose},
              {"look_for", task.lookFor}, {"config", task.config(task.defaults)},
              {"training", task.training}};
}

void printLines() {
  std::size_t width = 0;
  for (const Task& task : taskTable()) width = std::max(width, task.name.size());
  std::string text;
  for (const Task& task : taskTable()) {
    text +=
        task.name + std::string(width - task.name.size() + 2, ' ') + task.purpose + " Look for: " + task.lookFor + "\n";
  }
  printText(text);
}

int runTasks(bool asJson) {
  if (!asJson) {
    printLines();
    return 0;
  }
  Json list = Json::array();
  for (const Task& task : taskTable()) list.push_back(describe(task));
  printJson(list);
  return 0;
}

}  // namespace

void addTasksCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command = addCommand(app, chosen, "tasks", "List the built-in tasks: what each is for, what to look for",
                                 "Example:\n  attnscope tasks --json");
  const auto asJson = std::make_shared<bool>(false);
  command->add_flag("--json", *asJson, "Also options, gold alignment and default configuration, as JSON");
  command->callback([asJson, &chosen] { chosen.run = [asJson] { return runTasks(*asJson); }; });
}

}  // namespace attnscope
