// Small pieces of formulas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attnlab::code {

std::string frac(const std::string& top, const std::string& bottom);
/// "0.5", "-\infty", "3 \cdot 10^{-9}".
std::string number(double value);
/// "i", "i + 3", "i - 3".
std::string shifted(const std::string& index, std::int64_t by);

/// The conditions joined by "and", below each other where they are many.
std::string all_true(const std::vector<std::string>& conditions);

} // namespace attnlab::code
