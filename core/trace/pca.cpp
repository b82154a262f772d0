#include "core/trace/pca.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"

namespace attnscope {
namespace {

using Vector = std::vector<double>;

constexpr int kRounds = 400;
constexpr double kTolerance = 1e-12;  // of the largest eigenvalue, between two rounds

std::span<const float> rowOf(const Matrix& matrix, int row) {
  return {matrix.values.data() + static_cast<std::size_t>(row) * matrix.columns,
          static_cast<std::size_t>(matrix.columns)};
}

bool isFinite(std::span<const float> row) {
  return std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); });
}

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// Removes what lies along `axis` (a unit vector or empty) and scales to length 1; false where nothing is left.
bool orthonormalise(Vector& vector, const Vector& axis) {
  if (!axis.empty()) {
    const double along = dot(vector, axis);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= along * axis[i];
  }
  const double length = std::sqrt(dot(vector, vector));
  if (!(length > 1e-150)) return false;
  for (double& value : vector) value /= length;
  return true;
}

Vector coordinateAxis(std::size_t size, std::size_t index) {
  Vector axis(size);
  if (index < size) axis[index] = 1;
  return axis;
}

// The covariance of centred rows (not divided by their number) times a vector: by the rows, or by the matrix
// itself where that is smaller.
class Covariance {
 public:
  explicit Covariance(std::vector<Vector> rows) : m_rows(std::move(rows)) {
    const std::size_t size = m_rows.front().size();
    if (size >= m_rows.size()) return;
    std::vector<Vector> square(size, Vector(size));
    for (const Vector& row : m_rows) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) square[i][j] += row[i] * row[j];
      }
    }
    m_rows = std::move(square);
    m_isSquare = true;
  }

  Vector times(const Vector& direction) const {
    Vector out(direction.size());
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
      const double along = dot(m_rows[r], direction);
      if (m_isSquare) out[r] = along;
      for (std::size_t i = 0; !m_isSquare && i < out.size(); ++i) out[i] += along * m_rows[r][i];
    }
    return out;
  }

 private:
  std::vector<Vector> m_rows;
  bool m_isSquare = false;
};

void makeSignDefinite(Vector& direction) {
  const auto largest = std::max_element(direction.begin(), direction.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b) - 1e-9; });
  if (largest != direction.end() && *largest < 0) {
    for (double& value : direction) value = -value;
  }
}

// Two eigenvectors at once, rotated into each other's order every round (Rayleigh–Ritz), so that nearly equal
// eigenvalues converge too.
struct Plane {
  Vector first, second;
  double firstValue = 0, secondValue = 0;
};

Plane startPlane(std::size_t size) {
  Plane plane{Vector(size), Vector(size), 0, 0};
  for (std::size_t i = 0; i < size; ++i) {
    plane.first[i] = std::cos(1.0 + 1.7 * static_cast<double>(i));
    plane.second[i] = std::sin(0.3 + 2.9 * static_cast<double>(i));
  }
  orthonormalise(plane.first, {});
  orthonormalise(plane.second, plane.first);
  return plane;
}

bool improve(Plane& plane, const Covariance& covariance) {
  Vector first = covariance.times(plane.first), second = covariance.times(plane.second);
  const double a = dot(plane.first, first), b = dot(plane.first, second), d = dot(plane.second, second);
  const double angle = 0.5 * std::atan2(2 * b, a - d);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double x = first[i], y = second[i];
    first[i] = cosine * x + sine * y;
    second[i] = cosine * y - sine * x;
  }
  const double firstValue = std::sqrt(dot(first, first)), before = plane.firstValue + plane.secondValue;
  if (!orthonormalise(first, {})) return false;
  plane.first = first;
  plane.firstValue = firstValue;
  const double secondValue = std::sqrt(std::max(0.0, dot(second, second)));
  if (orthonormalise(second, plane.first)) plane.second = second;
  plane.secondValue = secondValue;
  return std::abs(plane.firstValue + plane.secondValue - before) > kTolerance * firstValue;
}

}  // namespace

std::array<double, 2> Pca::project(std::span<const float> row) const {
  if (row.size() != mean.size() || !isFinite(row)) {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  std::array<double, 2> out{};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) out[k] += (row[i] - mean[i]) * direction[k][i];
  }
  return out;
}

Pca fitPca(std::span<const Matrix* const> parts) {
  std::vector<Vector> rows;
  std::size_t size = 0;
  for (const Matrix* part : parts) {
    ATTNSCOPE_CHECK(size == 0 || part->columns == static_cast<int>(size), "parts of different sizes");
    size = static_cast<std::size_t>(part->columns);
    for (int r = 0; r < part->rows; ++r) {
      if (const auto row = rowOf(*part, r); isFinite(row)) rows.emplace_back(row.begin(), row.end());
    }
  }
  Pca out;
  out.mean.assign(size, 0);
  out.direction = {coordinateAxis(size, 0), coordinateAxis(size, 1)};
  if (rows.size() < 2) return out;
  for (const Vector& row : rows) {
    for (std::size_t i = 0; i < size; ++i) out.mean[i] += row[i] / static_cast<double>(rows.size());
  }
  double total = 0;
  for (Vector& row : rows) {
    for (std::size_t i = 0; i < size; ++i) row[i] -= out.mean[i];
    total += dot(row, row);
  }
  if (!(total > 1e-20) || size < 2) return out;
  const Covariance covariance(std::move(rows));
  Plane plane = startPlane(size);
  for (int round = 0; round < kRounds && improve(plane, covariance); ++round) {
  }
  makeSignDefinite(plane.first);
  makeSignDefinite(plane.second);
  out.direction = {plane.first, plane.second};
  for (std::size_t k = 0; k < 2; ++k) {
    const Vector image = covariance.times(out.direction[k]);
    out.share[k] = dot(out.direction[k], image) / total;
  }
  return out;
}

}  // namespace attnscope
