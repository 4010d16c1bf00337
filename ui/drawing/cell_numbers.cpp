#include "ui/drawing/cell_numbers.h"

#include "ui/drawing/scaled_font.h"
#include "ui/widgets/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnlab::ui {
namespace {

/// The part of a cell that enlarged numbers may take.
constexpr double enlarged_width = 0.8, enlarged_height = 0.5;
constexpr int most_fraction_digits = 3; ///< with so few, the zero before the point gives way to a digit

/// With `digits` significant digits and an exponent: "1.2e9", "3e−4".
QString scientific(double value, int digits) {
    QString text = QString::number(value, 'e', std::max(0, digits - 1));
    text.replace(QLatin1String("e+0"), QLatin1String("e")).replace(QLatin1String("e+"), QLatin1String("e"));
    text.replace(QLatin1String("e-0"), QLatin1String("e-"));
    return text.replace(QLatin1Char('-'), QStringLiteral("−"));
}

/// Fixed with a constant number of decimals ("0.05"), and "0.00" only for zero: smaller numbers are "3e−4", and very
/// large ones "1.2e9".
QString cellText(double value, int digits) {
    const double magnitude = std::abs(value);
    if (!std::isfinite(value))
        return numberText(value, digits);
    if (magnitude >= 1e5)
        return scientific(value, digits - 2);
    const QString text = QString::number(magnitude, 'f', digits - 1);
    if (magnitude > 0.0 && text.toDouble() == 0.0)
        return scientific(value, 1);
    return magnitude > 0.0 ? numberText(value, digits) : text;
}

/// ".05" in the room of "0.1": a zero is "0", and smaller numbers are "3e−4".
QString fractionText(double value, int digits) {
    const double magnitude = std::abs(value);
    if (magnitude == 0.0)
        return QStringLiteral("0");
    const QString text = QString::number(magnitude, 'f', digits);
    if (text.toDouble() == 0.0)
        return scientific(value, 1);
    const QString sign = value < 0.0 ? QStringLiteral("−") : QString();
    return sign + (text.startsWith(QLatin1Char('0')) ? text.mid(1) : QString::number(magnitude, 'f', digits - 1));
}

/// True when no cell that has a number is beyond −1 and 1.
bool areFractions(const QRect& cells, const NumberAt& numbers_at) {
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column)
            if (const auto number = numbers_at({row, column}); number && std::abs(*number) > 1.0)
                return false;
    return true;
}

double linearOf(int channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

QString CellNumbers::text(std::optional<double> value) const {
    if (digits == 0 || !value)
        return {};
    const bool is_short = fractions && digits <= most_fraction_digits && std::isfinite(*value);
    return is_short ? fractionText(*value, digits) : cellText(*value, digits);
}

NumberAt numbersOf(const MatrixData& matrix) {
    return [&matrix](Cell cell) { return matrix.numberAt(cell.row, cell.column); };
}

CellNumbers numbersFitting(const HeatmapFrame& frame, const NumberAt& numbers_at, const QFont& font) {
    const double width = frame.cellWidth() - 6.0;
    const double height = frame.cellHeight() - 2.0;
    const QRect cells = frame.visibleCells();
    const auto longest = [&](const CellNumbers& numbers) {
        double length = 0;
        for (int row = cells.top(); row <= cells.bottom(); ++row)
            for (int column = cells.left(); column <= cells.right(); ++column)
                if (const QString text = numbers.text(numbers_at({row, column})); !text.isEmpty())
                    length = std::max(length, static_cast<double>(text.size()) *
                                                  (text.contains(QLatin1Char('e')) ? narrow_share : 1.0));
        return length;
    };
    std::optional<bool> fractions; // asked of cells with room for numbers alone: others may be any number
    struct Attempt {
        int digits;
        double size;
    };
    for (const auto [digits, size] : {Attempt{4, 1.7}, Attempt{4, 1.35}, Attempt{4, 1.15}, Attempt{4, 1.0},
                                      Attempt{3, 1.0}, Attempt{3, 0.88}, Attempt{2, 0.88}, Attempt{2, 0.75}}) {
        CellNumbers numbers{digits, scaledFont(font, size)};
        const QFontMetricsF metrics(numbers.font);
        // Digits are the widest characters of a number and equally wide. Two digits and a point are the minimum.
        const double digit = metrics.horizontalAdvance(QLatin1Char('0'));
        const bool enlarged = size > 1.0;
        const double across = enlarged ? enlarged_width * width : width;
        if (metrics.height() > (enlarged ? enlarged_height * height : height) || digit * (digits - 0.5) > across)
            continue;
        if (!fractions)
            fractions = areFractions(cells, numbers_at);
        numbers.fractions = *fractions;
        // A sign and a point are narrower than a digit.
        if (digit * (longest(numbers) - 0.4) <= across)
            return numbers;
    }
    return {};
}

QColor textColorOn(QRgb background) {
    static const auto linear = [] {
        std::array<double, 256> table{};
        for (int i = 0; i < 256; ++i)
            table[static_cast<std::size_t>(i)] = linearOf(i);
        return table;
    }();
    const auto channel = [](int value) { return linear[static_cast<std::size_t>(value)]; };
    const double luminance =
        0.2126 * channel(qRed(background)) + 0.7152 * channel(qGreen(background)) + 0.0722 * channel(qBlue(background));
    // The luminance at which contrast with white, 1.05 / (Y + 0.05), equals contrast with black, (Y + 0.05) / 0.05.
    return luminance > 0.179 ? QColor(0x10, 0x12, 0x15) : QColor(Qt::white);
}

} // namespace attnlab::ui
