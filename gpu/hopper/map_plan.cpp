#include "gpu/hopper/map_plan.h"

namespace attnlab::gpu::hopper {
namespace {

using Tile = MapTile<64>; // the properties used here depend neither on the width nor on the parts

bool can_be_planned(const MapArguments& arguments, int width) {
    const auto& a = arguments.scores;
    const int columns = arguments.bin_columns;
    const bool fits = columns % 128 == 0 || columns == 16 || columns == 32 || columns == 64;
    return a.E == width && !arguments.cells && a.L >= 1 && a.S >= 1 && !needs_cells(a) && !a.valid_lengths.lengths &&
           fits;
}

} // namespace

bool supports_map(const MapArguments& arguments, int width) {
    const auto& a = arguments.scores;
    return a.precision == Precision::BFloat16 && can_be_planned(arguments, width) &&
           (a.query.row_stride | a.key.row_stride) % 8 == 0;
}

bool supports_map_in_parts(const MapArguments& arguments, int width) {
    const auto& a = arguments.scores;
    return a.precision == Precision::Float32 && can_be_planned(arguments, width) &&
           (a.query.row_stride | a.key.row_stride) % 4 == 0;
}

MapPlan plan_map(const MapArguments& arguments, int rows) {
    const auto& a = arguments.scores;
    MapPlan plan;
    plan.L = a.L;
    plan.S = a.S;
    plan.works = (a.L + rows - 1) / rows;
    plan.band = band_of_launch(a.band, a.first_row, a.first_key);
    plan.to_log2 = a.scale * log2_e;
    plan.base = arguments.base;
    plan.log2_sum = arguments.log2_sum;
    plan.factor = arguments.factor;
    plan.bin_rows = arguments.bin_rows;
    plan.bin_columns = arguments.bin_columns;
    plan.row = arguments.row;
    plan.columns = bin_columns_of(arguments);
    plan.bins_of_block = (Tile::group_rows + arguments.bin_rows - 2) / arguments.bin_rows + 1;
    plan.largest = arguments.largest;
    plan.sum = arguments.sum;
    plan.kept = arguments.kept;
    return plan;
}

int blocks_of_launch(const MapPlan& plan, int multiprocessors) {
    return is_even(plan.band, plan.L, plan.S) ? smaller_of(plan.works, multiprocessors) : plan.works;
}

TileSource map_source(const MapArguments& arguments, const Rows& rows, int count, int box_rows) {
    TileSource source;
    source.numbers = rows.data;
    source.columns = arguments.scores.E;
    source.rows = count;
    source.heads = source.batches = 1;
    source.row_stride = rows.row_stride;
    source.box_rows = box_rows;
    return source;
}

} // namespace attnlab::gpu::hopper
