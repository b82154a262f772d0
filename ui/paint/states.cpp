#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/paint/panels.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

constexpr float kFlat = 0.95f, kClosed = 0.05f, kOpen = 0.95f;  // where tanh and σ hardly move any more

enum class Part { Encoder, Decoder, Other, Memory };

bool followsMemory(Part part) { return part == Part::Encoder || part == Part::Memory; }  // else the decoding steps

struct Strip {
  QString label, name;
  const Matrix* matrix;
  Scale scale;
  double weight;  // share of the height
  QRectF box{}, labelBox{};
};

struct Track {
  QString title, note;
  std::vector<Strip> strips;
  QRectF titleBox{};
};

struct Group {
  QString title;
  Part part;
  std::vector<std::string> tokens;
  QStringList labels;
  std::vector<Track> tracks;
  QRectF titleBox{}, tokenBox{};
};

struct StatesLayout {
  std::vector<Group> groups;
  bool signedBar = true, gateBar = false;
  QRectF signedBox, gateBox, legendBox, footBox;
};

bool isSignedGate(const std::string& name) { return name == "n" || name == "g"; }

QString gateLabel(const std::string& name) {
  if (name == "r") return QCoreApplication::translate("paint", "r (reset)");
  if (name == "z") return QCoreApplication::translate("paint", "z (keep)");
  if (name == "n") return QCoreApplication::translate("paint", "n (new)");
  if (name == "i") return QCoreApplication::translate("paint", "i (input)");
  if (name == "f") return QCoreApplication::translate("paint", "f (forget)");
  if (name == "o") return QCoreApplication::translate("paint", "o (output)");
  if (name == "g") return QCoreApplication::translate("paint", "g (new)");
  return QString::fromStdString(name);
}

template <class Saturated>
void countInto(const Matrix& matrix, long& hits, long& all, Saturated saturated) {
  for (const float value : matrix.values) {
    if (!std::isfinite(value)) continue;
    ++all;
    hits += saturated(value);
  }
}

QString saturation(const StateTrack& track) {
  long stateHits = 0, states = 0, gateHits = 0, gates = 0;
  countInto(track.h, stateHits, states, [](float v) { return std::abs(v) > kFlat; });
  for (const NamedMatrix& gate : track.gates) {
    if (isSignedGate(gate.name)) continue;
    countInto(gate.matrix, gateHits, gates, [](float v) { return v < kClosed || v > kOpen; });
  }
  QString text;
  if (states > 0) {
    text =
        QCoreApplication::translate("paint", "saturated: h %1").arg(percent(static_cast<double>(stateHits) / states));
  }
  if (gates > 0) {
    text += QCoreApplication::translate("paint", ", gates %1").arg(percent(static_cast<double>(gateHits) / gates));
  }
  return text;
}

QString trackTitle(const std::string& name) {
  QString text = QString::fromStdString(name);
  const QString reverse = QStringLiteral(".reverse");
  const bool backward = text.endsWith(reverse);
  if (backward) text.chop(reverse.size());
  const QStringList parts = text.split(QLatin1Char('.'));
  bool isNumber = false;
  const int layer = parts.last().toInt(&isNumber);
  if (parts.size() < 2 || !isNumber) return QString::fromStdString(name);
  text = QCoreApplication::translate("paint", "%1, layer %2").arg(parts.first()).arg(layer + 1);
  return backward ? text + QCoreApplication::translate("paint", ", backward") : text;
}

Track trackOf(const StateTrack& track, ColorMap map) {
  const Scale unit{-1, 1, true, false, map}, gate{0, 1, false, false, map};
  Track out{trackTitle(track.name), saturation(track), {}};
  if (!track.h.empty()) out.strips.push_back({QStringLiteral("h"), QStringLiteral("h"), &track.h, unit, 1.6});
  if (!track.c.empty()) {
    const Scale scale = signedScale(track.c);
    out.strips.push_back(
        {QStringLiteral("c (±%1)").arg(scaleNumber(scale.high)), QStringLiteral("c"), &track.c, scale, 1.0});
  }
  for (const NamedMatrix& named : track.gates) {
    if (named.matrix.empty()) continue;
    out.strips.push_back({gateLabel(named.name), QString::fromStdString(named.name), &named.matrix,
                          isSignedGate(named.name) ? unit : gate, 1.0});
  }
  return out;
}

Part partOf(const std::string& track) {
  if (track.starts_with("encoder")) return Part::Encoder;
  return track.starts_with("decoder") ? Part::Decoder : Part::Other;
}

QString partTitle(Part part) {
  switch (part) {
    case Part::Encoder:
      return QCoreApplication::translate("paint", "Encoder");
    case Part::Decoder:
      return QCoreApplication::translate("paint", "Decoder");
    case Part::Other:
      return QCoreApplication::translate("paint", "States");
    case Part::Memory:
      return QCoreApplication::translate("paint", "Memory");
  }
  return QString();
}

// The axis that the steps of a part lie on; without a name where they are only numbered.
Axis axisOf(const Picture& picture, Part part, int count) {
  const TraceExample& example = *picture.current();
  const Site* site = shownSite(picture);
  if (part == Part::Memory) return site->columnAxis;
  if (part == Part::Encoder) return Axis{"source", example.source};
  if (site && site->rows == count) return site->rowAxis;
  return Axis{"target", example.target};
}

void addTrack(std::vector<Group>& groups, const Picture& picture, Part part, Track track) {
  if (track.strips.empty()) return;
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.part == part; });
  if (group == groups.end()) {
    const TraceExample& example = *picture.current();
    const int count = track.strips.front().matrix->rows;
    const Axis axis = axisOf(picture, part, count);
    const auto tokens = axisTokens(example, axis, count);
    groups.push_back({partTitle(part), part, tokens, axisLabels(example, axis, tokens), {}});
    group = groups.end() - 1;
  }
  group->tracks.push_back(std::move(track));
}

std::vector<Group> groupsOf(const Picture& picture) {
  std::vector<Group> groups;
  const TraceExample* example = picture.current();
  if (!example) return groups;
  for (const StateTrack& track : example->states) {
    addTrack(groups, picture, partOf(track.name), trackOf(track, picture.style.colorMap));
  }
  const Site* site = shownSite(picture);
  const Matrix* memory = site ? findMatrix(example->memory, site->name) : nullptr;
  if (!memory || memory->empty()) return groups;
  const Scale scale = signedScale(*memory);
  Track track{QCoreApplication::translate("paint", "what attention mixes"), QString(), {}};
  track.strips.push_back(
      {QStringLiteral("vᵢ (±%1)").arg(scaleNumber(scale.high)), QStringLiteral("v"), memory, scale, 1.6});
  addTrack(groups, picture, Part::Memory, std::move(track));
  return groups;
}

double fixedHeight(const Group& group, double em) {
  return em * 3.2 + static_cast<double>(group.tracks.size()) * em * 1.9;
}

double stripShares(const Group& group) {
  double sum = 0;
  for (const Track& track : group.tracks) {
    for (const Strip& strip : track.strips) sum += strip.weight;
  }
  return sum;
}

double gaps(const Group& group, double em) {
  double count = 0;
  for (const Track& track : group.tracks) count += static_cast<double>(track.strips.size());
  return count * em * 0.25;
}

void placeGroup(Group& group, const QRectF& column, double& y, double share, double em) {
  const double labels = em * 5.6;
  const QRectF lane(column.left() + labels, 0, column.width() - labels, 0);
  group.titleBox = QRectF(column.left(), y, labels, em * 1.6);
  group.tokenBox = QRectF(lane.left(), y, lane.width(), em * 1.6);
  y += em * 1.7;
  for (Track& track : group.tracks) {
    track.titleBox = QRectF(column.left(), y, column.width(), em * 1.5);
    y += em * 1.6;
    for (Strip& strip : track.strips) {
      const double height = std::max(1.0, std::floor(share * strip.weight));
      strip.box = QRectF(lane.left(), std::round(y), lane.width(), height);
      strip.labelBox = QRectF(column.left(), strip.box.top(), labels - em * 0.6, height);
      y += height + em * 0.25;
    }
    y += em * 0.3;
  }
  y += em * 1.5;
}

// Groups below each other in one column, all strips in proportion to what is left for them.
void placeColumn(std::vector<Group*> groups, const QRectF& column, double em) {
  double fixed = 0, shares = 0;
  for (const Group* group : groups) {
    fixed += fixedHeight(*group, em) + gaps(*group, em);
    shares += stripShares(*group);
  }
  if (shares <= 0) return;
  const double share = std::clamp((column.height() - fixed) / shares, 2.0, em * 4.5);
  double y = column.top();
  for (Group* group : groups) placeGroup(*group, column, y, share, em);
}

bool inTwoColumns(const std::vector<Group>& groups, double width, double em) {
  const auto has = [&](Part part) {
    return std::any_of(groups.begin(), groups.end(), [part](const Group& group) { return group.part == part; });
  };
  return has(Part::Encoder) && has(Part::Decoder) && width > em * 44;
}

QString footText() {
  return QCoreApplication::translate(
      "paint", "Dimensions from top to bottom. Saturated: |h| > 0.95, a gate below 0.05 or above 0.95.");
}

StatesLayout layOut(const QRectF& content, const Picture& picture) {
  const double em = fontEm(picture);
  StatesLayout out;
  out.groups = groupsOf(picture);
  for (const Group& group : out.groups) {
    for (const Track& track : group.tracks) {
      for (const Strip& strip : track.strips) out.gateBar |= !strip.scale.isSigned;
    }
  }
  const double foot = paragraphHeight(Fonts(picture.style.font).small, footText(), content.width());
  out.footBox = QRectF(content.left(), content.bottom() - foot, content.width(), foot);
  const double bars = em * 6.4, barHeight = std::min(em * 10, (content.height() - em * 8) / 2);
  const double barLeft = content.right() - bars + em * 1.4;
  out.signedBox = QRectF(barLeft, content.top() + em * 3.4, em, barHeight);
  out.gateBox = out.signedBox.translated(0, barHeight + em * 3.2);
  const double below = (out.gateBar ? out.gateBox : out.signedBox).bottom() + em;
  out.legendBox = QRectF(barLeft, below, bars, em * 4);
  const QRectF area = content.adjusted(0, 0, -bars, -foot - em * 0.4);
  if (!inTwoColumns(out.groups, content.width(), em)) {
    std::vector<Group*> all;
    for (Group& group : out.groups) all.push_back(&group);
    placeColumn(all, area, em);
    return out;
  }
  const double half = (area.width() - em * 1.6) / 2;
  std::vector<Group*> left, right;
  for (Group& group : out.groups) (followsMemory(group.part) ? left : right).push_back(&group);
  placeColumn(left, QRectF(area.left(), area.top(), half, area.height()), em);
  placeColumn(right, QRectF(area.right() - half, area.top(), half, area.height()), em);
  return out;
}

int selectedIn(const Group& group, const PictureState& state) {
  return followsMemory(group.part) ? state.column : state.step;
}

LooksSeen drawGroup(Canvas& canvas, const Group& group) {
  const PictureState& state = canvas.picture.state;
  const int selected = selectedIn(group, state);
  const int hovered = followsMemory(group.part) ? state.hoverColumn : state.hoverStep;
  canvas.text(group.titleBox, Qt::AlignLeft, group.title, canvas.theme.text, Weight::SmallBold);
  drawStepLabels(canvas, group.tokenBox, group.labels, selected);
  LooksSeen looks;
  const double line = canvas.lineHeight(Weight::Small);
  for (const Track& track : group.tracks) {
    const QString title = track.note.isEmpty() ? track.title : track.title + QStringLiteral(" · ") + track.note;
    canvas.text(track.titleBox, Qt::AlignLeft, title, canvas.theme.mutedText, Weight::Small);
    for (const Strip& strip : track.strips) {
      looks.nonFinite |= drawSteps(canvas, strip.box, *strip.matrix, strip.scale).nonFinite;
      if (strip.box.height() >= line * 0.8) {
        canvas.text(strip.labelBox, Qt::AlignRight, strip.label, canvas.theme.text, Weight::Small);
      }
      if (hovered != selected) drawStepFrame(canvas, strip.box, strip.matrix->rows, hovered, false);
      drawStepFrame(canvas, strip.box, strip.matrix->rows, selected, true);
    }
  }
  return looks;
}

QString lackSentence(const Picture& picture) {
  if (!picture.current()) return noTraceSentence();
  return QCoreApplication::translate(
      "paint", "This trace has no states: trace the model itself, or put “states” into the trace file.");
}

void paint(QPainter& painter, const QRectF& rect, const Picture& picture) {
  Canvas canvas(painter, picture);
  const QRectF content = beginPicture(canvas, rect);
  const StatesLayout layout = layOut(content, picture);
  if (layout.groups.empty()) return drawSentence(canvas, content, lackSentence(picture));
  LooksSeen looks;
  for (const Group& group : layout.groups) looks.nonFinite |= drawGroup(canvas, group).nonFinite;
  drawColorBar(canvas, layout.signedBox, Scale{-1, 1, true, false, picture.style.colorMap},
               QCoreApplication::translate("paint", "h, n, g"));
  if (layout.gateBar) {
    drawColorBar(canvas, layout.gateBox, Scale{0, 1, false, false, picture.style.colorMap},
                 QCoreApplication::translate("paint", "gates"));
  }
  drawLegend(canvas, layout.legendBox, lookEntries(looks), false);
  canvas.paragraph(layout.footBox, footText(), canvas.theme.mutedText, Weight::Small);
}

std::optional<PictureHit> hit(const QRectF& rect, const Picture& picture, const QPointF& point) {
  const StatesLayout layout = layOut(contentRect(rect, picture), picture);
  for (const Group& group : layout.groups) {
    for (const Track& track : group.tracks) {
      for (const Strip& strip : track.strips) {
        if (!strip.box.contains(point)) continue;
        const int step = partAt(strip.box, strip.matrix->rows, point.x());
        const double down = (point.y() - strip.box.top()) / strip.box.height();
        const int size = strip.matrix->columns;
        const int dimension = std::clamp(static_cast<int>(down * size), 0, size - 1);
        PictureHit found;
        (followsMemory(group.part) ? found.column : found.step) = step;
        const QString place =
            followsMemory(group.part) ? positionText(step, group.tokens) : stepText(step, group.tokens);
        found.readout = QStringLiteral("%1 · %2\n%3[%4] = %5")
                            .arg(track.title, place, strip.name)
                            .arg(dimension + 1)
                            .arg(fixedNumber(strip.matrix->at(step, dimension), 3));
        return found;
      }
    }
  }
  return std::nullopt;
}

QSize preferredSize(const Picture& picture) {
  const double em = fontEm(picture);
  const std::vector<Group> groups = groupsOf(picture);
  const double width = em * 74, unit = em * 2.4;
  double left = 0, right = 0;
  for (const Group& group : groups) {
    const double height = fixedHeight(group, em) + gaps(group, em) + stripShares(group) * unit;
    (inTwoColumns(groups, width, em) && followsMemory(group.part) ? left : right) += height;
  }
  return QSize(qRound(width), qRound(std::max({left, right, em * 28}) + em * 4));
}

std::string csv(const Picture& picture) {
  std::string out = "track,part,step,token,dimension,value\n";
  for (const Group& group : groupsOf(picture)) {
    for (const Track& track : group.tracks) {
      for (const Strip& strip : track.strips) {
        for (int t = 0; t < strip.matrix->rows; ++t) {
          const std::string start = csvField(track.title.toStdString()) + ',' + strip.name.toStdString() + ',' +
                                    std::to_string(t + 1) + ',' + csvField(group.tokens[static_cast<std::size_t>(t)]);
          for (int d = 0; d < strip.matrix->columns; ++d) {
            out += start + ',' + std::to_string(d + 1) + ',' + csvNumber(strip.matrix->at(t, d)) + '\n';
          }
        }
      }
    }
  }
  return out;
}

}  // namespace

const PictureInfo kStatesPicture{
    "states",
    QT_TRANSLATE_NOOP("views", "States"),
    QT_TRANSLATE_NOOP("views", "What do the recurrent cells hold at each step, and which gates are open?"),
    preferredSize,
    paint,
    hit,
    csv};

}  // namespace attnscope
