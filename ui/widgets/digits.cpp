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

namespace {

double shownNumber(QString text) { return text.replace(QStringLiteral("−"), QStringLiteral("-")).toDouble(); }

/// A share that is shown as 1, though it is less.
bool isFalselyWhole(double value, const QString& text) {
    constexpr double noise = 1e-12;
    const double magnitude = std::abs(value);
    return magnitude < 1.0 - noise && std::abs(shownNumber(text)) >= 1.0;
}

/// With up to four more digits until `good`; else as it is usually.
template <class Good>
QString withMoreDigits(double value, int digits, Good good) {
    constexpr int more = 4;
    for (int i = 0; i <= more && std::isfinite(value); ++i)
        if (QString text = numberText(value, digits + i); good(text))
            return text;
    return numberText(value, digits);
}

} // namespace

QString shareText(double value, int digits) {
    return withMoreDigits(value, digits, [value](const QString& text) { return !isFalselyWhole(value, text); });
}

QString percentText(double share, int digits) {
    return std::isfinite(share) ? numberText(100.0 * share, digits) + QLatin1Char('%') : numberText(share);
}

QString progressText(double fraction) { return QString::number(static_cast<int>(100.0 * fraction)) + QLatin1Char('%'); }

QString tellingText(double value, int digits) {
    constexpr double least_error = 5e-4, noise = 1e-12;
    if (std::abs(value - std::round(value)) < noise)
        return numberText(value, digits);
    return withMoreDigits(value, digits, [value](const QString& text) {
        return !isFalselyWhole(value, text) && std::abs(shownNumber(text) - value) <= least_error * std::abs(value);
    });
}

} // namespace attnlab::ui
