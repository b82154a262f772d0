// Options with the checks every command wants: numbers are read alike in every locale, and what is wrong is said in
// one line. The objects that options write to must live until the line is parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace attnscope {

// A whole number from `low` to `high`; a number from `low` to `high`. Anything else is a CLI::ValidationError.
CLI::Option* addInteger(CLI::App& command, const std::string& name, std::optional<long>& target, long low, long high,
                        const std::string& description);
CLI::Option* addNumber(CLI::App& command, const std::string& name, std::optional<double>& target, double low,
                       double high, const std::string& description);
CLI::Option* addSeed(CLI::App& command, std::optional<std::uint64_t>& target, const std::string& description);

}  // namespace attnscope
