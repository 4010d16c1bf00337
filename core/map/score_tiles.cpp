#include "core/map/score_tiles.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr std::int64_t keys_of_a_tile = flash::keys_of_a_block;

using flash::Keys;

Keys intersection(Keys a, Keys b) { return {std::max(a.first, b.first), std::min(a.last, b.last)}; }

} // namespace

ScoreTiles::ScoreTiles(const flash::Problem& head, const RowScales& scales)
    : head_(head), scales_(scales), masks_(head.masks), kernel_(flash::tile_kernel()),
      panels_(static_cast<std::size_t>(most_rows / kernel_.width)),
      scores_(flash::aligned_floats(keys_of_a_tile * kernel_.width)),
      cells_(flash::aligned_floats(keys_of_a_tile * kernel_.width)), matrices_(head.matrices.value_or(nullptr)) {
    if (matrices_)
        scratch_.emplace(*matrices_);
    // A fill of -inf marks blocked cells and lets empty tiles be skipped.
    masks_.fill = -std::numeric_limits<double>::infinity();
    masks_.fill_is_added = false;
    for (auto& panel : panels_) {
        panel.queries = flash::aligned_floats(head.shape.E * kernel_.width);
        for (auto* buffer : {&panel.base, &panel.log2_sum, &panel.factor})
            *buffer = flash::aligned_floats(kernel_.width);
        if (matrices_)
            panel.packed.emplace(*matrices_);
    }
}

void ScoreTiles::walk(std::int64_t first_row, std::int64_t rows, Keys keys, const RunControl& control,
                      const std::function<void(const PanelTile&)>& visit) {
    const flash::MatrixUnitScope uses(matrices_ ? &matrices_->kernel() : nullptr);
    std::vector<flash::PanelMask> masks;
    Keys reach{keys.last, keys.first};
    for (std::int64_t row = 0; row < rows; row += kernel_.width) {
        const auto count = static_cast<int>(std::min<std::int64_t>(kernel_.width, rows - row));
        start(panels_[masks.size()], first_row + row, count);
        masks.emplace_back(masks_, head_.shape, flash::PanelRows{0, 0, first_row + row, count}, kernel_.width);
        if (const auto kept = intersection(masks.back().reach(), keys); !kept.empty())
            reach = {std::min(reach.first, kept.first), std::max(reach.last, kept.last)};
    }
    control.checkpoint();
    for (auto first = reach.first / keys_of_a_tile * keys_of_a_tile; first < reach.last; first += keys_of_a_tile) {
        control.checkpoint();
        for (std::size_t p = 0; p < masks.size(); ++p)
            visit_tile(p, masks[p], intersection({first, first + keys_of_a_tile}, keys), visit);
    }
}

void ScoreTiles::start(Panel& panel, std::int64_t first_row, int rows) const {
    panel.first_row = first_row;
    panel.rows = rows;
    flash::layout_kernel().pack(head_.query + first_row * head_.shape.E, rows, head_.shape.E,
                                static_cast<float>(head_.scale * flash::log2_e), kernel_.width, panel.queries.get());
    if (panel.packed)
        matrices_->start(head_.query + first_row * head_.shape.E, rows, panel.queries.get(), *panel.packed);
    if (!scales_.base)
        return;
    // Rows missing in the panel get weight 0.
    const auto fill = [&](float* out, const float* values, float missing) {
        std::copy_n(values + first_row, rows, out);
        std::fill(out + rows, out + kernel_.width, missing);
    };
    fill(panel.base.get(), scales_.base, 0.0f);
    fill(panel.log2_sum.get(), scales_.log2_sum, std::numeric_limits<float>::infinity());
    fill(panel.factor.get(), scales_.factor, 0.0f);
    panel.has_nan = std::any_of(panel.factor.get(), panel.factor.get() + rows, [](float f) { return std::isnan(f); });
}

const float* ScoreTiles::scores_of(const Panel& panel, Keys keys, flash::PrefetchRange ahead) {
    const flash::Tile tile{.queries = panel.queries.get(),
                           .keys = head_.key + keys.first * head_.shape.E,
                           .count = keys.count(),
                           .E = head_.shape.E,
                           .next_keys = ahead,
                           .next_values = {},
                           .scores = scores_.get()};
    if (matrices_ && matrices_->takes(*panel.packed, 0, keys.first / flash::keys_of_a_block))
        return matrices_->score(tile, *panel.packed, *scratch_, 0, keys.first);
    kernel_.score(tile);
    return scores_.get();
}

void ScoreTiles::visit_tile(std::size_t p, const flash::PanelMask& mask, Keys keys,
                            const std::function<void(const PanelTile&)>& visit) {
    keys = intersection(keys, mask.reach());
    if (keys.empty())
        return;
    const auto cover = mask.cover(keys, cells_.get());
    if (cover.skip)
        return;
    const auto& panel = panels_[p];
    const auto E = head_.shape.E;
    // Prefetches the next keys, a share for each panel.
    const auto share = keys_of_a_tile / static_cast<std::int64_t>(panels_.size());
    const auto next = intersection({keys.last + static_cast<std::int64_t>(p) * share, keys.last + keys_of_a_tile},
                                   {0, head_.shape.S});
    const auto ahead = std::max<std::int64_t>(0, std::min(share, next.count()));
    const auto* scores = scores_of(panel, keys,
                                   {reinterpret_cast<const char*>(head_.key + std::min(next.first, head_.shape.S) * E),
                                    ahead * E * static_cast<std::int64_t>(sizeof(float))});
    const auto special = cover.special.empty() ? Keys{keys.first, keys.first} : cover.special;
    visit({panel.first_row,
           panel.rows,
           keys,
           {.scores = scores,
            .count = keys.count(),
            .cells = cells_.get(),
            .special_first = special.first - keys.first,
            .special_last = special.last - keys.first,
            .base = panel.base.get(),
            .log2_sum = panel.log2_sum.get(),
            .factor = panel.factor.get()},
           panel.has_nan});
}

} // namespace attnlab
