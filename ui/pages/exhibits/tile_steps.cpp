#include "ui/pages/exhibits/tile_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {

TileSteps::TileSteps(ComputedPtr computed, const TileWalk& walk, int batch, int head)
    : computed_(std::move(computed)), walk_(walk) {
    const Trace& trace = computed_->trace;
    const Stage* weights = trace.find("weights");
    max_ = trace.find("tile_row_max");
    sum_ = trace.find("tile_row_sum");
    if (!weights || !max_ || !sum_ || weights->value.rank() != 4)
        return;
    const auto& shape = weights->value.shape();
    const Shape rows{walk.key_tiles, shape[0], shape[1], shape[2]};
    if (max_->value.shape() != rows || sum_->value.shape() != rows || batch >= shape[0] || head >= shape[1] ||
        walk.block_q < 1 || walk.block_k < 1 || (walk.query_tiles - 1) * walk.block_q >= shape[2] ||
        (walk.key_tiles - 1) * walk.block_k >= shape[3])
        return;
    queries_ = shape[2];
    keys_ = shape[3];
    matrices_ = shape[0] * shape[1];
    matrix_ = batch * shape[1] + std::max(head, 0);
    output_ = trace.find("tile_output");
    if (output_ && output_->value.rank() == 5 && std::equal(rows.begin(), rows.end(), output_->value.shape().begin()))
        features_ = output_->value.dim(4);
    for (std::int64_t query = 0; query < walk.query_tiles; ++query)
        for (std::int64_t key = 0; key < walk.key_tiles; ++key)
            if (!isSkipped({query, key}))
                read_.push_back({query, key});
}

bool TileSteps::isSkipped(TileIndex tile) const {
    const auto at = (matrix_ * walk_.query_tiles + tile.query) * walk_.key_tiles + tile.key;
    return at < static_cast<std::int64_t>(walk_.skipped.size()) && walk_.skipped[static_cast<std::size_t>(at)];
}

std::optional<int> TileSteps::stepOf(TileIndex tile) const {
    const auto found = std::find(read_.begin(), read_.end(), tile);
    return found == read_.end() ? std::nullopt : std::optional(static_cast<int>(found - read_.begin()));
}

int TileSteps::skippedBefore(int step) const {
    const auto order = [this](TileIndex tile) { return tile.query * walk_.key_tiles + tile.key; };
    const auto before = step > 0 ? order(tile(step - 1)) : -1;
    return static_cast<int>(order(tile(step)) - before - 1);
}

int TileSteps::skippedCount() const {
    return static_cast<int>(walk_.query_tiles * walk_.key_tiles) - static_cast<int>(read_.size());
}

TokenSpan TileSteps::querySpan(std::int64_t query_tile) const {
    const auto first = query_tile * walk_.block_q;
    return {first, std::min(first + walk_.block_q, queries_) - 1};
}

TokenSpan TileSteps::keySpan(std::int64_t key_tile) const {
    const auto first = key_tile * walk_.block_k;
    return {first, std::min(first + walk_.block_k, keys_) - 1};
}

TileState TileSteps::state(TileIndex asked, int step) const {
    if (isSkipped(asked))
        return TileState::Skipped;
    const TileIndex now = tile(step);
    if (asked == now)
        return TileState::Reading;
    const bool done = asked.query < now.query || (asked.query == now.query && asked.key < now.key);
    return done ? TileState::Done : TileState::ToCome;
}

std::int64_t TileSteps::rowsReached(int step) const { return querySpan(tile(step).query).last + 1; }

std::int64_t TileSteps::keyTileOf(std::int64_t row, int step) const {
    const auto query_tile = row / walk_.block_q;
    const TileIndex now = tile(step);
    if (query_tile != now.query)
        return query_tile < now.query ? walk_.key_tiles - 1 : -1;
    return now.key;
}

std::size_t TileSteps::indexOf(std::int64_t key_tile, std::int64_t row) const {
    return static_cast<std::size_t>((key_tile * matrices_ + matrix_) * queries_ + row);
}

double TileSteps::rowMax(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    return key_tile < 0 ? -std::numeric_limits<double>::infinity() : max_->value.values()[indexOf(key_tile, row)];
}

double TileSteps::rowSum(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    return key_tile < 0 ? 0.0 : sum_->value.values()[indexOf(key_tile, row)];
}

double TileSteps::rowMaxBefore(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    // A skipped tile does not change m.
    return key_tile < 1 ? -std::numeric_limits<double>::infinity() : max_->value.values()[indexOf(key_tile - 1, row)];
}

double TileSteps::rescale(std::int64_t row, int step) const {
    const double before = rowMaxBefore(row, step), after = rowMax(row, step);
    return before == after ? 1.0 : std::exp(before - after);
}

std::span<const double> TileSteps::output(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    if (key_tile < 0 || features_ == 0)
        return {};
    const auto width = static_cast<std::size_t>(features_);
    return output_->value.values().subspan(indexOf(key_tile, row) * width, width);
}

} // namespace attnlab::ui
