// Accuracies as JSON (the keys of `train --log` and `evaluate --json`) and in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/train/report.h"

namespace attnscope {

// Adds `forced`, `free` (sequences), `accuracy` (classes), `rmse`, `mae`, `naive_rmse` (numbers) as they apply.
void addAccuracies(Json& json, const ValidationReport& report);
Json agreementJson(const SiteMetrics& site);  // {"-1","0","1"}; null without gold
Json siteJson(const SiteMetrics& site);       // entropy, max_weight; with gold: agreement, mass_on_gold, aer
Json rowsJson(const std::vector<SiteMetrics>& rows);  // {"row" from 1, "agreement"} of each output row that has gold

// Free-running whole sequences, or classes; what a run aims at.
std::optional<double> mainAccuracy(const ValidationReport& report);
std::string accuracyText(const ValidationReport& report);
std::string siteText(const SiteMetrics& site);

}  // namespace attnscope
