#include "core/code/latex_text.h"

#include "core/message.h"

#include <cmath>
#include <cstdlib>

namespace attnlab::code {

std::string frac(const std::string& top, const std::string& bottom) { return "\\frac{" + top + "}{" + bottom + "}"; }

std::string number(double value) {
    if (std::isinf(value))
        return value < 0 ? "-\\infty" : "\\infty";
    auto text = to_text(value);
    const auto e = text.find('e');
    if (e == text.npos)
        return text;
    const auto exponent = std::to_string(std::stoi(text.substr(e + 1)));
    const auto digits = text.substr(0, e);
    return (digits == "1" ? "" : digits == "-1" ? "-" : digits + " \\cdot ") + "10^{" + exponent + "}";
}

std::string shifted(const std::string& index, std::int64_t by) {
    return by == 0 ? index : index + (by > 0 ? " + " : " - ") + std::to_string(std::abs(by));
}

std::string all_true(const std::vector<std::string>& conditions) {
    const bool below = conditions.size() > 2;
    std::string text;
    for (const auto& each : conditions)
        text += (text.empty() ? "" : below ? " \\\\ & \\text{and } " : " \\text{ and } ") + each;
    return below ? "\\begin{aligned}[t] & " + text + " \\end{aligned}" : text;
}

} // namespace attnlab::code
