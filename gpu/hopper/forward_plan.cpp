#include "gpu/hopper/forward_plan.h"

#include <algorithm>
#include <cstdint>

namespace attnlab::gpu::hopper {
namespace {

/// A part of an L2 cache of 50 MB, which also holds the output.
constexpr std::int64_t section_bytes = std::int64_t{32} << 20;

int clamped(std::int64_t value) {
    constexpr std::int64_t limit = Band::unlimited - 1;
    return static_cast<int>(std::clamp(value, -limit, limit));
}

int heads_of_section(const ForwardArguments& arguments, int group) {
    const std::int64_t keys_and_values = std::int64_t{4} * arguments.S * arguments.E;
    const auto key_heads = std::max(std::int64_t{1}, section_bytes / std::max(std::int64_t{1}, keys_and_values));
    return static_cast<int>(std::min(key_heads * group, std::int64_t{arguments.B} * arguments.H));
}

TileSource source_of(const Rows& rows, const ForwardArguments& arguments, int count, int heads, int box_rows) {
    TileSource source;
    source.numbers = rows.data;
    source.bfloat16 = arguments.precision == Precision::BFloat16;
    source.columns = arguments.E;
    source.rows = count;
    source.heads = heads;
    source.batches = arguments.B;
    source.row_stride = rows.row_stride;
    source.head_stride = rows.head_stride;
    source.batch_stride = rows.batch_stride;
    source.box_rows = box_rows;
    return source;
}

bool copyable(const Rows& rows) { return (rows.row_stride | rows.head_stride | rows.batch_stride) % 8 == 0; }

bool can_be_planned(const ForwardArguments& arguments, int width) {
    if (arguments.E != width || arguments.Ev != width)
        return false;
    if (arguments.L < 1 || arguments.S < 1 || arguments.B < 1 || arguments.H < 1 || arguments.Hkv < 1)
        return false;
    return std::int64_t{arguments.B} * arguments.H * (arguments.L / 64 + 1) < Band::unlimited;
}

bool has_even_work(const ForwardArguments& arguments) {
    const Band band = band_of_launch(arguments.band, arguments.first_row, arguments.first_key);
    return arguments.blocked != Blocked::Skipped ||
           (is_even(band, arguments.L, arguments.S) && !arguments.valid_lengths.lengths);
}

} // namespace

Band band_of_launch(const Band& band, int first_row, int first_key) {
    const std::int64_t shift = std::int64_t{first_row} - first_key;
    Band shifted;
    // An unlimited side remains so: the clamp keeps it beyond every position of the launch.
    shifted.before = band.before >= Band::unlimited ? clamped(band.before) : clamped(band.before - shift);
    shifted.after = band.after >= Band::unlimited ? clamped(band.after) : clamped(band.after + shift);
    shifted.prefix = clamped(std::int64_t{band.prefix} - first_key);
    return shifted;
}

bool needs_cells(const ForwardArguments& arguments) {
    return arguments.blocked != Blocked::Skipped || arguments.key_padding.words || arguments.kept.words ||
           arguments.bias.values || arguments.softcap > 0.0f ||
           (arguments.valid_lengths.lengths && arguments.valid_lengths.row_stride != 0) || !(arguments.scale > 0.0f);
}

bool takes_wide_tiles(const ForwardArguments& arguments, int keys, int wide_keys) {
    const auto rounded_up = [&](int tile) { return (std::int64_t{arguments.S} + tile - 1) / tile * tile; };
    return !needs_cells(arguments) && has_even_work(arguments) && 50 * rounded_up(wide_keys) <= 51 * rounded_up(keys);
}

bool supports(const ForwardArguments& arguments, int width) {
    return arguments.precision != Precision::Float32 && can_be_planned(arguments, width) && copyable(arguments.query) &&
           copyable(arguments.key) && copyable(arguments.value);
}

bool supports_in_parts(const ForwardArguments& arguments, int width) {
    const std::int64_t rows = std::int64_t{arguments.B} * arguments.H * std::max(arguments.L, arguments.S);
    return arguments.precision == Precision::Float32 && arguments.output_is_float32 &&
           can_be_planned(arguments, width) && rows < Band::unlimited;
}

ForwardPlan plan_forward(const ForwardArguments& arguments, const Tiling& tiling) {
    ForwardPlan plan;
    plan.B = arguments.B;
    plan.H = arguments.H;
    plan.group = arguments.H / arguments.Hkv;
    plan.L = arguments.L;
    plan.S = arguments.S;
    plan.blocks = (arguments.L + tiling.rows - 1) / tiling.rows;
    plan.works = plan.blocks * arguments.B * arguments.H;
    plan.heads_of_section = heads_of_section(arguments, plan.group);
    plan.first_key = arguments.first_key;
    plan.band = band_of_launch(arguments.band, arguments.first_row, arguments.first_key);
    plan.valid_lengths = arguments.valid_lengths;
    plan.even =
        arguments.blocked != Blocked::Skipped || (is_even(plan.band, plan.L, plan.S) && !plan.valid_lengths.lengths);
    plan.key_padding = arguments.key_padding;
    plan.kept = arguments.kept;
    plan.bias = arguments.bias;
    plan.blocked = arguments.blocked;
    plan.fill = arguments.fill * log2_e;
    plan.scale = arguments.softcap > 0.0f ? arguments.scale : arguments.scale * log2_e;
    plan.softcap = arguments.softcap;
    plan.to_log2 = needs_cells(arguments) ? 1.0f : arguments.scale * log2_e;
    plan.output_scale = arguments.output_scale;
    plan.output = arguments.output;
    plan.output_is_float32 = arguments.output_is_float32;
    plan.lse = arguments.lse;
    return plan;
}

bool is_even(const Band& band, int L, int S) {
    return band.before >= L - 1 && (band.after >= S - 1 || band.prefix >= S);
}

TileSource query_source(const ForwardArguments& arguments, const Tiling& tiling) {
    return source_of(arguments.query, arguments, arguments.L, arguments.H, tiling.rows);
}

TileSource key_source(const ForwardArguments& arguments, const Rows& rows, const Tiling& tiling) {
    return source_of(rows, arguments, arguments.S, arguments.Hkv, tiling.keys);
}

} // namespace attnlab::gpu::hopper
