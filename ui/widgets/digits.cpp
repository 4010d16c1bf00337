#include "ui/widgets/digits.h"

#include "ui/widgets/text.h"

#include <cmath>

namespace attnlab::ui {

QString significantText(double value, int digits) {
    if (value == 0.0)
        return QStringLiteral("0");
    if (!std::isfinite(value) || std::abs(value) >= 1.0)
        return numberText(value, digits);
    // numberText counts the 0 before the point as a digit, and the zeros after it.
    const int zeros = static_cast<int>(-std::floor(std::log10(std::abs(value))));
    return numberText(value, std::abs(value) < 1e-4 ? digits + 1 : digits + zeros);
}

} // namespace attnlab::ui
