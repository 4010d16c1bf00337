#include "ui/drawing/figures/figure_margins.h"

#include "core/statistics.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QCoreApplication>

namespace attnlab::ui {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

struct MarginWords {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::FigureMargins)
};

/// The smallest number of two digits that is at least `number`; 0 for 0.
double upToTwoDigits(double number) {
    if (!(number > 0.0))
        return 0.0;
    const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1.0);
    constexpr double rounding = 1e-9; // 1.4 is not to become 1.5
    return std::ceil(number / unit - rounding) * unit;
}

std::optional<MarginEnds> endsOf(const MarginSet& set, std::vector<double> FigureMargins::*member) {
    double low = 0.0, high = 0.0;
    bool has_numbers = false;
    for (const auto& margins : set.of)
        if (margins)
            for (const double number : *margins.*member)
                if (std::isfinite(number)) {
                    has_numbers = true;
                    low = std::min(low, number);
                    high = std::max(high, number);
                }
    if (!has_numbers)
        return std::nullopt;
    MarginEnds ends{-upToTwoDigits(-low), upToTwoDigits(high)};
    if (ends.low == ends.high)
        ends.high = 1.0;
    return ends;
}

} // namespace

FigureMargins marginsOfWeights(const MatrixData& weights) {
    const auto view = weights.view();
    FigureMargins margins{std::vector<double>(static_cast<std::size_t>(view.rows), no_number),
                          std::vector<double>(static_cast<std::size_t>(view.columns), 0.0),
                          MarginWords::tr("entropy of each query, nats"), MarginWords::tr("mean weight of each key")};
    std::vector<double> row_weights;
    std::vector<std::int64_t> readers(margins.columns.size());
    for (std::int64_t row = 0; row < view.rows; ++row) {
        row_weights.clear();
        for (std::int64_t column = 0; column < view.columns; ++column) {
            const auto key = static_cast<std::size_t>(column);
            if (weights.isHidden(row, column))
                margins.columns[key] = row_weights.emplace_back(no_number);
            else if (const auto number = weights.numberAt(row, column)) {
                margins.columns[key] += row_weights.emplace_back(*number);
                ++readers[key];
            }
        }
        if (are_shares(row_weights))
            margins.rows[static_cast<std::size_t>(row)] = row_statistics(row_weights).entropy;
    }
    for (std::size_t key = 0; key < readers.size(); ++key)
        margins.columns[key] = readers[key] > 0 ? margins.columns[key] / static_cast<double>(readers[key]) : no_number;
    return margins;
}

QString MarginEnds::lowText() const { return low == 0.0 ? QStringLiteral("0") : significantText(low, 2); }
QString MarginEnds::highText() const { return high == 0.0 ? QStringLiteral("0") : significantText(high, 2); }

MarginSet marginsOf(const FigurePanels& panels, const FigureOptions& options) {
    MarginSet set;
    if (!options.profiles)
        return set;
    for (const auto& panel : panels) {
        set.of.push_back(panel.margins ? std::optional(panel.margins()) : std::nullopt);
        if (set.of.back() && set.row_name.isEmpty()) {
            set.row_name = set.of.back()->row_name;
            set.column_name = set.of.back()->column_name;
        }
    }
    set.rows = endsOf(set, &FigureMargins::rows);
    set.columns = endsOf(set, &FigureMargins::columns);
    return set;
}

std::vector<QPolygonF> marginAreas(const std::vector<double>& numbers, const MarginEnds& ends, const QRectF& strip,
                                   Qt::Orientation outwards) {
    const bool to_right = outwards == Qt::Horizontal;
    const double depth = to_right ? strip.width() : strip.height(), span = ends.high - ends.low;
    const double step = (to_right ? strip.height() : strip.width()) / static_cast<double>(numbers.size());
    const auto point = [&](double along, double number) {
        const double out = depth * (number - ends.low) / span;
        return to_right ? QPointF(strip.left() + out, strip.top() + along * step)
                        : QPointF(strip.left() + along * step, strip.top() + out);
    };
    std::vector<QPolygonF> areas;
    for (std::size_t i = 0; i < numbers.size();) {
        if (!std::isfinite(numbers[i])) {
            ++i;
            continue;
        }
        QPolygonF area{point(static_cast<double>(i), 0.0)};
        for (; i < numbers.size() && std::isfinite(numbers[i]); ++i) {
            area << point(static_cast<double>(i), numbers[i]) << point(static_cast<double>(i + 1), numbers[i]);
        }
        area << point(static_cast<double>(i), 0.0);
        areas.push_back(std::move(area));
    }
    return areas;
}

QLineF marginZero(const MarginEnds& ends, const QRectF& strip, Qt::Orientation outwards) {
    const double share = -ends.low / (ends.high - ends.low);
    if (outwards == Qt::Horizontal) {
        const double x = strip.left() + share * strip.width();
        return {x, strip.top(), x, strip.bottom()};
    }
    const double y = strip.top() + share * strip.height();
    return {strip.left(), y, strip.right(), y};
}

} // namespace attnlab::ui
