#include "core/flash/work_division.h"

#include "core/flash/panel_mask.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {
namespace {

constexpr std::int64_t blocks_for_a_thread = 12; // enough for threads to finish at about the same time
constexpr std::int64_t panels_that_share = 64;   // with fewer panels, threads also split the keys of a panel
constexpr std::int64_t least_keys_of_a_part = 4 * keys_of_a_tile;

/// Keys and values are read once for each block of rows, whose state should fit into a cache of 1 MB.
std::int64_t most_rows_of_a_block(const Shape& shape) {
    return shape.E + shape.Ev <= 128 ? 512 : shape.E + shape.Ev <= 256 ? 256 : 128;
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

} // namespace

PanelRows panel_rows(const Block& block, std::int64_t row, int width) {
    return {block.batch, block.head, block.first_row + row,
            static_cast<int>(std::min<std::int64_t>(width, block.rows - row))};
}

Plan plan_of(const Problem& problem, int width, int few, int threads) {
    const auto& shape = problem.shape;
    Plan plan;
    // Query heads that share a key head fill a panel together where a single one would leave much of it empty.
    const auto group = shape.L < 2 * width ? shape.H / shape.Hkv : 1;
    const auto rows = group * shape.L;
    const auto groups = shape.B * shape.H / group;
    // An lse without output is for maps, whose weights come from panels and need an lse with the same rounding.
    plan.few_rows = rows <= few && shape.Ev > 0;
    const auto panels = divided_up(rows, width);
    const auto wanted = threads == 1 ? 1 : blocks_for_a_thread * threads;
    plan.rows_of_a_block =
        width * std::clamp<std::int64_t>(groups * panels / wanted, 1, most_rows_of_a_block(shape) / width);
    plan.parts = std::clamp<std::int64_t>(panels_that_share / std::max<std::int64_t>(1, groups * panels), 1,
                                          std::max<std::int64_t>(1, shape.S / least_keys_of_a_part));
    const auto keys_of_a_part = divided_up(divided_up(shape.S, plan.parts), keys_of_a_tile) * keys_of_a_tile;
    const auto add = [&](Block block) {
        if (group == 1 && !problem.rows.meets(block.first_row, block.first_row + block.rows))
            return;
        for (std::int64_t row = 0; row < block.rows; row += width) {
            const auto reach = PanelMask(problem.masks, shape, panel_rows(block, row, width), width).reach();
            block.cells += static_cast<double>(std::max<std::int64_t>(0, std::min(reach.last, block.keys.last) -
                                                                             std::max(reach.first, block.keys.first)));
        }
        plan.blocks.push_back(block);
    };
    // Neighbouring blocks share a head's keys and values, which are then in the cache.
    for (std::int64_t b = 0; b < shape.B; ++b)
        for (std::int64_t h = 0; h < shape.H; h += group)
            for (std::int64_t part = 0; part < plan.parts; ++part)
                for (std::int64_t first = 0; first < rows; first += plan.rows_of_a_block)
                    add({b,
                         h,
                         first,
                         std::min(plan.rows_of_a_block, rows - first),
                         part,
                         {part * keys_of_a_part, std::min((part + 1) * keys_of_a_part, shape.S)}});
    std::stable_sort(plan.blocks.begin(), plan.blocks.end(),
                     [](const Block& a, const Block& b) { return a.cells > b.cells; });
    return plan;
}

float lse_of(float max, double sum) { return static_cast<float>((max + std::log2(sum)) / log2_e); }

PartialResults::PartialResults(std::int64_t rows, std::int64_t parts, std::int64_t Ev)
    : rows_(rows), parts_(parts), Ev_(Ev), states_(static_cast<std::size_t>(rows * parts)),
      outputs_(static_cast<std::size_t>(rows * parts * Ev)) {}

void PartialResults::merge(double output_scale, const Result& result) const {
    std::vector<double> output(static_cast<std::size_t>(Ev_));
    for (std::int64_t row = 0; row < rows_; ++row) {
        float max = -std::numeric_limits<float>::infinity();
        for (std::int64_t part = 0; part < parts_; ++part)
            max = std::max(max, states_[index(part, row)].max);
        double sum = 0.0;
        std::fill(output.begin(), output.end(), 0.0);
        for (std::int64_t part = 0; part < parts_; ++part) {
            const auto& state = states_[index(part, row)];
            // Equal maxima may be infinite. A part that read nothing adds 0, one with NaN adds NaN.
            const double factor = state.max == max ? 1.0 : std::exp2(static_cast<double>(state.max) - max);
            sum += factor * state.sum;
            const float* numbers = outputs_.data() + index(part, row) * output.size();
            for (std::size_t c = 0; c < output.size(); ++c)
                output[c] += factor * numbers[c];
        }
        const double scale = sum == 0.0 ? 0.0 : output_scale / sum;
        for (std::size_t c = 0; c < output.size(); ++c)
            result.output[static_cast<std::size_t>(row) * output.size() + c] = static_cast<float>(output[c] * scale);
        result.lse[row] = lse_of(max, sum);
        if (result.row_max) {
            result.row_max[row] = max;
            result.row_sum[row] = static_cast<float>(sum);
        }
    }
}

} // namespace attnlab::flash
