// Case files (formats.md 2): a model with inputs and the results another framework computed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attnscope {

struct TensorCheck {
  std::string name;        // "loss", "attention.decoder", "grad.output.weight"
  double error = 0;        // ‖ours − expected‖∞ / max(1e-3, ‖expected‖∞); NaN where not comparable
  double tolerance = 0;
  bool ok = false;
  std::string detail;      // why not, or the worst element when it fails
};

struct CaseResult {
  std::string file;
  bool ok = false;
  std::vector<TensorCheck> tensors;
};

// Runs the case forward and backward in float32, as training does. Gradients may be ten times `tolerance` off.
// Throws Error(BadInput) on a case that cannot be read or run.
CaseResult verifyCase(const std::filesystem::path& file, double tolerance);

}  // namespace attnscope
