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

QString tellingText(double value, int digits) {
    constexpr int more = 4;
    constexpr double least_error = 5e-4, whole = 0.9, noise = 1e-12;
    const QString usual = numberText(value, digits);
    if (!std::isfinite(value) || value == 0.0 || std::abs(value - std::round(value)) < noise)
        return usual;
    for (int i = 0; i <= more; ++i) {
        QString text = numberText(value, digits + i);
        const double shown = QString(text).replace(QStringLiteral("−"), QStringLiteral("-")).toDouble();
        const bool falsely_whole = std::abs(value) > whole && std::abs(value) < 1.0 && shown == std::round(shown);
        if (!falsely_whole && std::abs(shown - value) <= least_error * std::abs(value))
            return text;
    }
    return usual;
}

} // namespace attnlab::ui
