// The rows of pictureTable(), one per source of this folder.
#pragma once

#include <QStringList>

#include "ui/paint/picture.h"

namespace attnscope {

extern const PictureInfo kAlignmentPicture;
extern const PictureInfo kContextPicture;
extern const PictureInfo kStatesPicture;
extern const PictureInfo kInspectorPicture;

// The site the state names: the named one, else the first; nullptr without sites.
const Site* shownSite(const Picture& picture);
int shownHead(const Picture& picture, const Site& site);  // the state's head, brought into range

// The labels along a side, one per position: the axis' own tokens, else the example's, else numbers from 1.
std::vector<std::string> axisTokens(const TraceExample& example, const Axis& axis, int count);
// The same as labels: tokens made visible, names of vectors ("h0") as in the equations ("h₀").
QStringList axisLabels(const TraceExample& example, const Axis& axis, const std::vector<std::string>& tokens);
// "Source (input)", "Target (generated)", "Memory", …
QString axisTitle(const TraceExample& example, const Axis& axis);

// "step 4 “b”": 1-based position with its token where it has one.
QString stepText(int step, const std::vector<std::string>& tokens);
QString positionText(int position, const std::vector<std::string>& tokens);  // "position 6 “b”"

// The readout of a cell: tokens, weight, rank in its row, score, gold; of a whole step or position where the other
// is −1.
QString cellReadout(const TraceExample& example, const Site& site, int head, int step, int column);

}  // namespace attnscope
