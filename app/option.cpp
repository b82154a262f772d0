#include "app/option.h"

#include <limits>

#include "core/base/text.h"

namespace attnscope {
namespace {

constexpr long kMost = std::numeric_limits<long>::max();

[[noreturn]] void refuse(const std::string& name, const std::string& text, const std::string& wanted) {
  throw CLI::ValidationError(name, "\"" + excerpt(text) + "\" is not " + wanted);
}

std::string rangeText(const std::string& low, const std::string& high, bool bounded) {
  return bounded ? " from " + low + " to " + high : " of at least " + low;
}

}  // namespace

CLI::Option* addInteger(CLI::App& command, const std::string& name, std::optional<long>& target, long low, long high,
                        const std::string& description) {
  const auto read = [name, &target, low, high](const std::string& text) {
    const std::optional<long long> value = parseInteger(text);
    if (!value || *value < low || *value > high) {
      refuse(name, text, "a whole number" + rangeText(std::to_string(low), std::to_string(high), high < kMost));
    }
    target = static_cast<long>(*value);
  };
  return command.add_option_function<std::string>(name, read, description)->type_name("N");
}

CLI::Option* addNumber(CLI::App& command, const std::string& name, std::optional<double>& target, double low,
                       double high, const std::string& description) {
  const auto read = [name, &target, low, high](const std::string& text) {
    const std::optional<double> value = parseNumber(text);
    if (!value || *value < low || *value > high) {
      refuse(name, text, "a number" + rangeText(formatNumber(low), formatNumber(high), high < 1e300));
    }
    target = *value;
  };
  return command.add_option_function<std::string>(name, read, description)->type_name("X");
}

CLI::Option* addSeed(CLI::App& command, std::optional<std::uint64_t>& target, const std::string& description) {
  const auto read = [&target](const std::string& text) {
    const std::optional<long long> value = parseInteger(text);
    if (!value || *value < 0) refuse("--seed", text, "a whole number of at least 0");
    target = static_cast<std::uint64_t>(*value);
  };
  return command.add_option_function<std::string>("--seed", read, description)->type_name("N");
}

}  // namespace attnscope
