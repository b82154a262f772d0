#include <algorithm>
#include <map>

#include "app/command.h"
#include "app/drawing.h"
#include "app/model_trace.h"
#include "app/option.h"
#include "app/output.h"
#include "core/base/error.h"
#include "core/io/file.h"
#include "core/trace/trace_json.h"

namespace attnscope {
namespace {

struct PlotCommand {
  std::string file, out, view = "alignment", theme = "light", colorMap = "viridis", site;
  ExampleChoice choice;
  bool free = false, scores = false, transpose = false;
  std::optional<long> width, height, example, head, step;
  std::optional<double> scale;
};

const std::map<std::string, ColorMap>& colorMaps() {
  static const std::map<std::string, ColorMap> maps = {{"viridis", ColorMap::Viridis},
                                                       {"cividis", ColorMap::Cividis},
                                                       {"magma", ColorMap::Magma},
                                                       {"greys", ColorMap::Greys}};
  return maps;
}

std::string viewNames() {
  std::string names;
  for (const PictureInfo& info : pictureTable()) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

// A trace file begins with a brace; a model file begins with a length.
bool isTraceText(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && bytes[first] == '{';
}

bool choosesExamples(const ExampleChoice& choice) {
  return choice.input || choice.task || !choice.data.empty() || choice.count || choice.seed;
}

Trace loadTrace(const PlotCommand& command, bool quiet) {
  const std::string extension = std::filesystem::path(command.file).extension().string();
  if (extension == ".safetensors") return traceModel(command.file, command.choice, command.free, quiet);
  const std::string bytes = readFile(command.file);
  const bool isText = extension == ".json" || isTraceText(bytes);
  if (!isText && command.file != "-") return traceModel(command.file, command.choice, command.free, quiet);
  if (choosesExamples(command.choice) || command.free) {
    throw Error(ErrorKind::Usage, "",
                "--input, --task, --data, --count, --seed and --free are for a model, not for a trace");
  }
  return traceFromJson(bytes, command.file == "-" ? "standard input" : command.file);
}

// `number` counts from 1 as the pictures do; the result from 0.
int indexOf(const char* option, long number, std::size_t count, const char* what) {
  if (number <= static_cast<long>(count)) return static_cast<int>(number) - 1;
  throw Error(ErrorKind::Usage, option,
              "there is no " + std::string(what) + " " + std::to_string(number) + ", only " + std::to_string(count));
}

void checkPicture(const PlotCommand& command) {
  if (!findPicture(command.view)) {
    throw Error(ErrorKind::Usage, "--view", "no view is called \"" + command.view + "\"; the views are " + viewNames());
  }
  if (!colorMaps().contains(command.colorMap)) {
    throw Error(ErrorKind::Usage, "--colormap",
                "no colour map is called \"" + command.colorMap + "\"; choose viridis, cividis, magma or greys");
  }
  if (command.theme != "light" && command.theme != "dark") {
    throw Error(ErrorKind::Usage, "--theme", "\"" + command.theme + "\" is no theme; choose light or dark");
  }
  if (!command.out.empty()) {
    const std::string extension =
        QString::fromStdString(std::filesystem::path(command.out).extension().string()).mid(1).toLower().toStdString();
    if (!exportExtensions().contains(QString::fromStdString(extension))) {
      throw Error(ErrorKind::Usage, command.out,
                  "the extension chooses the format; use one of ." +
                      exportExtensions().join(QStringLiteral(", .")).toStdString());
    }
  }
}

PictureState stateOf(const PlotCommand& command, const TraceExample& example) {
  PictureState state;
  state.scores = command.scores;
  state.transpose = command.transpose;
  state.site = command.site;
  const Site* site = command.site.empty() ? (example.sites.empty() ? nullptr : &example.sites.front())
                                          : example.findSite(command.site);
  if (!command.site.empty() && !site) {
    std::string names;
    for (const Site& one : example.sites) names += (names.empty() ? "" : ", ") + one.name;
    throw Error(
        ErrorKind::Usage, "--site",
        "no attention site is called \"" + command.site + "\"; the sites are " + (names.empty() ? "none" : names));
  }
  const auto heads = static_cast<std::size_t>(site ? site->heads : 1);
  const auto steps = site ? static_cast<std::size_t>(site->rows) : example.outputs.size();
  if (command.head) state.head = indexOf("--head", *command.head, heads, "head");
  if (command.step) state.step = indexOf("--step", *command.step, steps, "step");
  return state;
}

int runPlot(const PlotCommand& command, bool quiet) {
  checkPicture(command);
  checkWritable(command.out);
  const Trace trace = loadTrace(command, quiet);
  if (trace.examples.empty()) throw Error(ErrorKind::BadInput, command.file, "holds no example to draw");
  DrawingSession session;
  Picture picture;
  picture.trace = &trace;
  picture.example = indexOf("--example", command.example.value_or(1), trace.examples.size(), "example");
  picture.state = stateOf(command, trace.examples[static_cast<std::size_t>(picture.example)]);
  const std::string name = std::filesystem::path(command.file).stem().string();
  picture.style = exportStyle(command.theme == "dark", colorMaps().at(command.colorMap), captionOf(trace, name));
  ExportOptions options;
  options.path = command.out;
  options.width = static_cast<int>(command.width.value_or(0));
  options.height = static_cast<int>(command.height.value_or(0));
  options.scale = command.scale.value_or(1);
  options.title = picture.style.caption;
  exportPicture(*findPicture(command.view), picture, options);
  if (!quiet) printRemark(absolutePath(command.out));
  return 0;
}

void addPictureOptions(CLI::App& command, PlotCommand& options) {
  const std::string group = "Picture";
  const auto text = [&](const char* name, std::string& value, const char* type, const std::string& help) {
    command.add_option(name, value, help)->type_name(type)->group(group);
  };
  text("--view", options.view, "VIEW", viewNames() + " (alignment)");
  command.add_option("--out", options.out, "The file; its extension chooses png, jpg, svg, pdf or csv (the numbers)")
      ->type_name("FILE")
      ->required()
      ->group(group);
  addInteger(command, "--width", options.width, 16, 20000, "Width in pixels")->group(group);
  addInteger(command, "--height", options.height, 16, 20000, "Height in pixels")->group(group);
  addNumber(command, "--scale", options.scale, 0.25, 8, "Pixels of an image per pixel of width (1)")->group(group);
  text("--theme", options.theme, "THEME", "light or dark (light)");
  text("--colormap", options.colorMap, "MAP", "viridis, cividis, magma or greys (viridis)");
  addInteger(command, "--example", options.example, 1, 1'000'000'000, "Which example, from 1 (1)")->group(group);
  text("--site", options.site, "SITE", "Which attention (the first)");
  addInteger(command, "--head", options.head, 1, 1'000'000, "Which head, from 1 (1)")->group(group);
  addInteger(command, "--step", options.step, 1, 1'000'000'000, "Mark an output step, from 1; the inspector shows it")
      ->group(group);
  command.add_flag("--scores", options.scores, "Scores instead of weights")->group(group);
  command.add_flag("--transpose", options.transpose, "Sources down, targets across")->group(group);
}

}  // namespace

void addPlotCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      addCommand(app, chosen, "plot", "Draw a trace file, or what a model looks at; needs no display",
                 "Example:\n  attnscope plot reverse.safetensors --input \"a b c d\" --view alignment --out a.svg");
  const auto options = std::make_shared<PlotCommand>();
  command->add_option("FILE", options->file, "A trace (.json) or a model (.safetensors)")->type_name("")->required();
  addPictureOptions(*command, *options);
  addTypedOptions(*command, options->choice);
  addExampleOptions(*command, options->choice, "How many examples (1)");
  command->add_flag("--free", options->free, "Run freely although the target is known");
  command->callback(
      [options, &chosen] { chosen.run = [options, &chosen] { return runPlot(*options, chosen.quiet); }; });
}

}  // namespace attnscope
