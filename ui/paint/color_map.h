// Colours for numbers: perceptual maps for weights (0–1) and a diverging one about zero for signed values.
#pragma once

#include <QColor>

#include "ui/paint/picture.h"

namespace attnscope {

QRgb mapColor(ColorMap map, double t);  // t in 0–1, clamped; lightness rises with t
QRgb divergingColor(double t);          // t in −1…1, clamped: blue below zero, white at zero, orange above

double lightness(QRgb color);   // CIE L*, 0 (black) to 100 (white)
QColor inkOn(QRgb background);  // near-black or white, whichever reads better on it

const char* colorMapName(ColorMap map);  // "viridis", as on the command line and in the settings

}  // namespace attnscope
