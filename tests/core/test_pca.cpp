// The plane of largest variance.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/trace/pca.h"

using namespace attnscope;

namespace {

// Points on an ellipse with half-axes 3 and 1 along two orthogonal directions of a space of six dimensions.
Matrix ellipse(int points) {
  const double s = std::sqrt(0.5);
  Matrix out{points, 6, {}};
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * 3.14159265358979 * i / points, a = 3 * std::cos(angle), b = std::sin(angle);
    for (const double value : {1 + s * a, 2 - s * a, 0.0, 5 + b, 0.0, -1.0})
      out.values.push_back(static_cast<float>(value));
  }
  return out;
}

}  // namespace

class TestPca : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void findsThePlane() {
    const Matrix points = ellipse(16);
    const Matrix* parts[] = {&points};
    const Pca pca = fitPca(parts);
    const double s = std::sqrt(0.5);
    QVERIFY(std::abs(std::abs(pca.direction[0][0]) - s) < 1e-6);
    QVERIFY(std::abs(pca.direction[0][0] + pca.direction[0][1]) < 1e-6);
    QVERIFY(std::abs(pca.direction[1][3] - 1) < 1e-6);
    QVERIFY(std::abs(pca.share[0] - 0.9) < 1e-6);
    QVERIFY(std::abs(pca.share[1] - 0.1) < 1e-6);
    const auto first = pca.project({points.values.data(), 6});
    QVERIFY(std::abs(std::abs(first[0]) - 3) < 1e-5);
    QVERIFY(std::abs(first[1]) < 1e-5);
  }

  void signAndResultAreTheSameEveryTime() {
    const Matrix points = ellipse(9);
    Matrix mirrored = points;
    std::reverse(mirrored.values.begin(), mirrored.values.end());
    const Matrix* parts[] = {&points, &mirrored};
    const Pca a = fitPca(parts), b = fitPca(parts);
    for (int k = 0; k < 2; ++k) {
      QVERIFY(a.direction[k] == b.direction[k]);
      double largest = 0;
      for (const double value : a.direction[k]) {
        if (std::abs(value) > std::abs(largest) + 1e-7) largest = value;
      }
      QVERIFY(largest > 0);
    }
  }

  void holesAreLeftOut() {
    Matrix points = ellipse(16);
    const Matrix* parts[] = {&points};
    points.values[6 * 3 + 2] = std::numeric_limits<float>::quiet_NaN();
    const Pca pca = fitPca(parts);
    QVERIFY(std::isfinite(pca.direction[0][0]));
    QVERIFY(std::abs(pca.direction[0][2]) < 1e-9);
    QVERIFY(std::isnan(pca.project({points.values.data() + 18, 6})[0]));
    QVERIFY(std::isfinite(pca.project({points.values.data(), 6})[0]));
  }

  void degenerateInputsGiveFinitePlanes() {
    const Matrix none{0, 4, {}}, one{1, 4, {1, 2, 3, 4}}, same{3, 2, {1, 2, 1, 2, 1, 2}}, flat{3, 1, {1, 2, 3}};
    const Matrix line{3, 3, {0, 0, 0, 1, 1, 1, 2, 2, 2}};
    for (const Matrix* matrix : {&none, &one, &same, &flat, &line}) {
      const Matrix* parts[] = {matrix};
      const Pca pca = fitPca(parts);
      for (const auto& direction : pca.direction) {
        for (const double value : direction) QVERIFY(std::isfinite(value));
      }
      if (matrix->rows > 0)
        QVERIFY(std::isfinite(pca.project({matrix->values.data(), static_cast<std::size_t>(matrix->columns)})[0]));
    }
    const Matrix* parts[] = {&line};
    QVERIFY(std::abs(fitPca(parts).share[0] - 1) < 1e-9);
  }
};

QTEST_GUILESS_MAIN(TestPca)
#include "test_pca.moc"
