#include "ui/panels/inspector/row_bars.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr std::size_t longest_row_with_blocked = 12;

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
        result.bars.push_back({weights.columnLabel(key), values[static_cast<std::size_t>(key)], is_blocked(key)});
    }
    return result;
}

} // namespace attnlab::ui
