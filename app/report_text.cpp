#include "app/report_text.h"

#include "app/output.h"

namespace attnscope {

void addAccuracies(Json& json, const ValidationReport& report) {
  json["forced"] = Json{{"loss", report.forcedLoss}};
  const auto add = [](Json& object, const char* key, const std::optional<double>& value) {
    if (value) object[key] = *value;
  };
  add(json["forced"], "token_accuracy", report.forcedTokenAccuracy);
  add(json["forced"], "sequence_accuracy", report.forcedSequenceAccuracy);
  if (report.freeTokenAccuracy) {
    json["free"] = Json{{"token_accuracy", *report.freeTokenAccuracy}};
    add(json["free"], "sequence_accuracy", report.freeSequenceAccuracy);
  }
  add(json, "accuracy", report.accuracy);
  add(json, "rmse", report.rmse);
  add(json, "mae", report.mae);
  add(json, "naive_rmse", report.naiveRmse);
}

Json agreementJson(const SiteMetrics& site) {
  if (!site.agreement(0)) return nullptr;
  Json json = Json::object();
  for (int offset = -1; offset <= 1; ++offset) json[std::to_string(offset)] = site.agreement(offset).value_or(0);
  return json;
}

Json siteJson(const SiteMetrics& site) {
  Json json = {{"entropy", site.entropy()}, {"max_weight", site.maxWeight()}};
  if (Json agreement = agreementJson(site); !agreement.is_null()) json["agreement"] = std::move(agreement);
  if (const auto mass = site.massOnGold()) json["mass_on_gold"] = *mass;
  if (const auto aer = site.aer()) json["aer"] = *aer;
  return json;
}

Json rowsJson(const std::vector<SiteMetrics>& rows) {
  Json json = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (Json agreement = agreementJson(rows[row]); !agreement.is_null())
      json.push_back({{"row", row + 1}, {"agreement", std::move(agreement)}});
  return json;
}

std::optional<double> mainAccuracy(const ValidationReport& report) {
  return report.freeSequenceAccuracy ? report.freeSequenceAccuracy : report.accuracy;
}

std::string accuracyText(const ValidationReport& report) {
  const std::string loss = "loss " + fixedText(report.forcedLoss, 4);
  if (report.freeSequenceAccuracy) {
    std::string text = "free-running " + percentText(*report.freeSequenceAccuracy) + " of sequences, " +
                       percentText(report.freeTokenAccuracy.value_or(0)) + " of tokens right; teacher-forced ";
    if (report.forcedSequenceAccuracy) text += percentText(*report.forcedSequenceAccuracy) + " of sequences, ";
    return text + percentText(report.forcedTokenAccuracy.value_or(0)) + " of tokens, " + loss;
  }
  if (report.accuracy) return "accuracy " + percentText(*report.accuracy) + ", " + loss;
  std::string text = loss;
  if (report.rmse) text += ", RMSE " + fixedText(*report.rmse, 4);
  if (report.mae) text += ", MAE " + fixedText(*report.mae, 4);
  if (report.naiveRmse) text += " (last value as prediction: RMSE " + fixedText(*report.naiveRmse, 4) + ")";
  return text;
}

std::string siteText(const SiteMetrics& site) {
  std::string text = "entropy " + fixedText(site.entropy(), 3) + ", largest weight " + fixedText(site.maxWeight(), 3);
  if (const auto right = site.agreement(0)) {
    text += ", on the gold position " + percentText(*right) + " (before " +
            percentText(site.agreement(-1).value_or(0)) + ", after " + percentText(site.agreement(1).value_or(0)) + ")";
  }
  if (const auto mass = site.massOnGold()) text += ", mass on gold " + percentText(*mass);
  if (const auto aer = site.aer()) text += ", AER " + fixedText(*aer, 3);
  return text;
}

}  // namespace attnscope
