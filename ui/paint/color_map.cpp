#include "ui/paint/color_map.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attnscope {
namespace {

// Evenly spaced anchors; between them colours are mixed linearly.
constexpr QRgb kViridis[] = {0xff440154, 0xff481a6c, 0xff472f7d, 0xff414487, 0xff39568c, 0xff31688e,
                             0xff2a788e, 0xff23888e, 0xff1f988b, 0xff22a884, 0xff35b779, 0xff54c568,
                             0xff7ad151, 0xffa5db36, 0xffd2e21b, 0xfffde725};
constexpr QRgb kMagma[] = {0xff000004, 0xff0b0724, 0xff20114b, 0xff3b0f70, 0xff57157e, 0xff721f81,
                           0xff8c2981, 0xffa8327d, 0xffc43c75, 0xffde4968, 0xfff1605d, 0xfffa7f5e,
                           0xfffe9f6d, 0xfffebf84, 0xfffdde9f, 0xfffcfdbf};
constexpr QRgb kCividis[] = {0xff00204d, 0xff00336f, 0xff39486b, 0xff575c6d, 0xff707173,
                             0xff8a8779, 0xffa69d75, 0xffc4b56c, 0xffe4cf5b, 0xffffea46};
// Even steps of lightness rather than of grey value.
constexpr QRgb kGreys[] = {0xff111111, 0xff2f2f2f, 0xff4d4d4d, 0xff6c6c6c,
                           0xff8d8d8d, 0xffafafaf, 0xffd2d2d2, 0xfff7f7f7};
constexpr QRgb kDiverging[] = {0xff2a63cc, 0xff4b84e6, 0xff7fadf3, 0xffb9d2fa, 0xffffffff,
                               0xfffcd6b3, 0xfff4b074, 0xffe38836, 0xffc4600c};

int mix(int a, int b, double share) { return static_cast<int>(std::lround(a + (b - a) * share)); }

QRgb interpolate(std::span<const QRgb> anchors, double t) {
  const double position = std::clamp(std::isfinite(t) ? t : 0.0, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(position), anchors.size() - 2);
  const double share = position - static_cast<double>(low);
  const QRgb a = anchors[low], b = anchors[low + 1];
  return qRgb(mix(qRed(a), qRed(b), share), mix(qGreen(a), qGreen(b), share), mix(qBlue(a), qBlue(b), share));
}

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(QRgb c) { return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c)); }

}  // namespace

QRgb mapColor(ColorMap map, double t) {
  switch (map) {
    case ColorMap::Viridis:
      return interpolate(kViridis, t);
    case ColorMap::Cividis:
      return interpolate(kCividis, t);
    case ColorMap::Magma:
      return interpolate(kMagma, t);
    case ColorMap::Greys:
      return interpolate(kGreys, t);
  }
  return interpolate(kViridis, t);
}

QRgb divergingColor(double t) { return interpolate(kDiverging, ((std::isfinite(t) ? t : 0.0) + 1.0) / 2.0); }

double lightness(QRgb color) {
  const double y = luminance(color);
  return y > 216.0 / 24389.0 ? 116.0 * std::cbrt(y) - 16.0 : y * 24389.0 / 27.0;
}

QColor inkOn(QRgb background) {
  return lightness(background) > 55.0 ? QColor(0x20, 0x24, 0x2c) : QColor(0xff, 0xff, 0xff);
}

const char* colorMapName(ColorMap map) {
  switch (map) {
    case ColorMap::Viridis:
      return "viridis";
    case ColorMap::Cividis:
      return "cividis";
    case ColorMap::Magma:
      return "magma";
    case ColorMap::Greys:
      return "greys";
  }
  return "viridis";
}

}  // namespace attnscope
