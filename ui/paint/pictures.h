// The rows of pictureTable(), one per source of this folder.
#pragma once

#include "ui/paint/picture.h"

namespace attnscope {

extern const PictureInfo kAlignmentPicture;

// The site the state names: the named one, else the first; nullptr without sites.
const Site* shownSite(const Picture& picture);
int shownHead(const Picture& picture, const Site& site);  // the state's head, brought into range

// The labels along a side, one per position: the axis' own tokens, else the example's, else numbers from 1.
std::vector<std::string> axisTokens(const TraceExample& example, const Axis& axis, int count);
// "Source (input)", "Target (generated)", "Memory", …
QString axisTitle(const TraceExample& example, const Axis& axis);

// "step 4 “b”": 1-based position with its token where it has one.
QString stepText(int step, const std::vector<std::string>& tokens);

}  // namespace attnscope
