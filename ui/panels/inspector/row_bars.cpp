#include "ui/panels/inspector/row_bars.h"

#include <QHash>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr std::size_t longest_row_with_blocked = 12;

Bar barOf(const MatrixData& weights, std::int64_t row, int key) {
    return {weights.columnLabel(key), weights.view()(row, key), weights.isBlocked(row, key)};
}

} // namespace

RowBars rowBars(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, int most) {
    const auto values = weights.view().row(row);
    const auto is_blocked = [&](int key) { return weights.isBlocked(row, key); };
    const bool all = values.size() <= longest_row_with_blocked;
    RowBars result;
    auto& keys = result.keys;
    for (int key = 0; key < static_cast<int>(values.size()); ++key) {
        if (all || key == chosen_key || !is_blocked(key))
            keys.push_back(key);
        else
            ++result.blocked;
    }
    const auto limit = static_cast<std::size_t>(most);
    if (keys.size() > limit) {
        const auto size_of = [&](int key) {
            const double value = values[static_cast<std::size_t>(key)];
            return is_blocked(key) || std::isnan(value) ? -1.0 : std::abs(value);
        };
        std::partial_sort(keys.begin(), keys.begin() + most, keys.end(), [&](int a, int b) {
            const double size_a = size_of(a), size_b = size_of(b);
            return size_a > size_b || (size_a == size_b && a < b);
        });
        result.smaller = static_cast<int>(keys.size() - limit);
        keys.resize(limit);
        std::sort(keys.begin(), keys.end());
    }
    for (const int key : keys) {
        if (key == chosen_key)
            result.highlighted = static_cast<int>(result.bars.size());
        result.bars.push_back(barOf(weights, row, key));
    }
    return result;
}

RowBars withChosen(RowBars bars, const MatrixData& weights, std::int64_t row, int chosen_key) {
    if (bars.highlighted >= 0 || bars.smaller == 0 || chosen_key < 0 || chosen_key >= weights.view().columns)
        return bars;
    const auto place = std::lower_bound(bars.keys.begin(), bars.keys.end(), chosen_key) - bars.keys.begin();
    bars.keys.insert(bars.keys.begin() + place, chosen_key);
    bars.bars.insert(bars.bars.begin() + place, barOf(weights, row, chosen_key));
    bars.highlighted = static_cast<int>(place);
    --bars.smaller;
    return bars;
}

void numberEqualLabels(RowBars& of) {
    QHash<QString, int> times;
    for (const auto& bar : of.bars)
        ++times[bar.label];
    for (std::size_t i = 0; i < of.bars.size(); ++i)
        if (const QString label = of.bars[i].label; times[label] > 1)
            of.bars[i].label = QStringLiteral("%1 (%2)").arg(label).arg(of.keys[i]);
}

} // namespace attnlab::ui
