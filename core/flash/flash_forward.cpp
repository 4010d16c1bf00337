#include "core/flash/flash_forward.h"

#include "core/flash/far_rows.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/parallel.h"
#include "core/flash/row_kernel.h"
#include "core/flash/score_bounds.h"
#include "core/flash/tile_kernel.h"
#include "core/flash/work_division.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace attnlab::flash {

std::string_view name_of(Precision precision) {
    switch (precision) {
    case Precision::BFloat16:
        return "bfloat16";
    case Precision::Split:
        return "split";
    default:
        return "float32";
    }
}

void round_to_bfloat16(std::span<float> numbers) {
    for (float& number : numbers) {
        if (!std::isfinite(number))
            continue;
        const auto bits = std::bit_cast<std::uint32_t>(number);
        number = std::bit_cast<float>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
    }
}

namespace {

/// The buffers of a thread for its current block.
struct Workspace {
    Workspace(const Shape& shape, std::int64_t rows, int width, const MatrixPath* matrices)
        : panels(static_cast<std::size_t>((rows + width - 1) / width)), scores(aligned_floats(keys_of_a_tile * width)),
          cells(aligned_floats(keys_of_a_tile * width)) {
        for (auto& panel : panels) {
            panel.queries = aligned_floats((shape.E + width) * width);
            panel.row_max = aligned_floats(width);
            panel.row_sum = aligned_floats(width);
            panel.output = aligned_floats(MatrixPath::rows_of_output(shape.Ev) * width);
            if (matrices)
                panel.packed.emplace(*matrices);
        }
        if (matrices)
            scratch.emplace(*matrices);
    }

    struct Panel {
        AlignedFloats queries, row_max, row_sum, output;
        std::optional<MatrixPath::Panel> packed;
        float bound = 0.0f;      ///< of its scores; see ScoreBounds
        bool has_begun = false;  ///< true after its first tile
        bool is_bounded = false; ///< true while every tile so far was bounded
    };
    std::vector<Panel> panels;
    AlignedFloats scores, cells;
    std::optional<MatrixPath::Scratch> scratch;
};

class Forward {
public:
    Forward(const Problem& problem, const Result& result, const RunControl& control, int threads)
        : problem_(problem), shape_(problem.shape), result_(result), control_(control), threads_(threads),
          kernel_(tile_kernel()), row_kernel_(flash::row_kernel()), layout_(layout_kernel()),
          plan_(plan_of(problem, kernel_.width, row_kernel_.most_rows, threads)), bounds_(problem),
          rows_a_panel_(plan_.few_rows ? row_kernel_.most_rows : kernel_.width),
          scale_(static_cast<float>(problem.scale * log2_e)) {
        if (plan_.parts > 1)
            partial_.emplace(shape_.B * shape_.H * shape_.L, plan_.parts, shape_.Ev);
        if (plan_.few_rows)
            return;
        if (!problem.matrices)
            own_matrices_ = MatrixPath::of(problem, control, threads);
        matrices_ = problem.matrices.value_or(own_matrices_.get());
    }

    void run() {
        const auto blocks = std::ssize(plan_.blocks);
        std::vector<std::unique_ptr<Workspace>> workspaces(static_cast<std::size_t>(threads_));
        std::atomic<std::int64_t> done{0};
        parallel_for(threads_, blocks, [&](int worker, std::int64_t task) {
            auto& workspace = workspaces[static_cast<std::size_t>(worker)];
            if (!workspace)
                workspace = std::make_unique<Workspace>(shape_, plan_.rows_of_a_block, kernel_.width, matrices_);
            const MatrixUnitScope uses(matrices_ ? &matrices_->kernel() : nullptr);
            attend_block(plan_.blocks[static_cast<std::size_t>(task)], *workspace);
            ++done;
            if (worker == 0)
                control_.report(static_cast<double>(done) / static_cast<double>(blocks));
        });
        if (partial_)
            partial_->merge(problem_.output_scale, result_);
        control_.report(1.0);
    }

private:
    void attend_block(const Block& block, Workspace& workspace) {
        std::vector<PanelMask> masks;
        Keys reach{shape_.S, 0};
        for (std::int64_t row = 0; row < block.rows; row += rows_a_panel_) {
            const auto rows = panel_rows(block, row, rows_a_panel_);
            masks.emplace_back(problem_.masks, shape_, rows,
                               plan_.few_rows ? static_cast<int>(keys_of_a_tile) : kernel_.width,
                               plan_.few_rows ? CellOrder::ByRow : CellOrder::ByKey,
                               problem_.is_finite ? Counted::InReach : Counted::NotBlocked);
            start(rows, workspace.panels[masks.size() - 1]);
            if (const auto keys = masks.back().reach(); !keys.empty())
                reach = {std::min(reach.first, keys.first), std::max(reach.last, keys.last)};
        }
        reach = {std::max(reach.first, block.keys.first), std::min(reach.last, block.keys.last)};
        // Tile boundaries must not depend on how rows are cut into blocks.
        for (auto first = reach.first / keys_of_a_tile * keys_of_a_tile; first < reach.last; first += keys_of_a_tile) {
            control_.checkpoint();
            const Keys tile{std::max(first, reach.first), std::min(first + keys_of_a_tile, reach.last)};
            // After the last tile the next block probably starts at the same key as this one.
            const auto next = tile.last < reach.last ? tile.last : reach.first;
            for (std::size_t p = 0; p < masks.size(); ++p)
                attend_tile(block, masks[p], tile, next, workspace, workspace.panels[p]);
        }
        for (std::size_t p = 0; p < masks.size(); ++p)
            finish(block, static_cast<std::int64_t>(p) * rows_a_panel_, workspace.panels[p]);
    }

    void start(const PanelRows& rows, Workspace::Panel& panel) const {
        const float* queries = problem_.query + row_index(rows) * shape_.E;
        if (plan_.few_rows)
            row_kernel_.pack(queries, rows.count, shape_.E, scale_, panel.queries.get());
        else
            layout_.pack(queries, rows.count, shape_.E, scale_, kernel_.width, panel.queries.get());
        if (panel.packed)
            matrices_->start(queries, rows.count, panel.queries.get(), *panel.packed);
        panel.has_begun = panel.is_bounded = false;
        if (bounds_.possible() && !plan_.few_rows)
            panel.bound = bounds_.of_queries(row_index(rows), rows.count);
        std::fill_n(panel.row_max.get(), kernel_.width, -std::numeric_limits<float>::infinity());
        std::fill_n(panel.row_sum.get(), kernel_.width, 0.0f);
        std::fill_n(panel.output.get(), MatrixPath::rows_of_output(shape_.Ev) * kernel_.width, 0.0f);
    }

    std::int64_t key_head(const Block& block) const {
        return block.batch * shape_.Hkv + block.head / (shape_.H / shape_.Hkv);
    }

    std::int64_t first_key_row(const Block& block) const { return key_head(block) * shape_.S; }

    /// True when the panel can continue, or begin, with weights of bounded scores; after an unbounded tile it cannot.
    bool goes_on_bounded(const Block& block, std::int64_t tile, Workspace::Panel& panel) const {
        const bool may_be = panel.is_bounded || !panel.has_begun;
        const bool is = may_be && bounds_.hold(panel.bound, key_head(block), tile);
        if (is && !panel.has_begun)
            std::fill_n(panel.row_max.get(), kernel_.width, 0.0f);
        if (panel.is_bounded && !is)
            normalize_bounded_state(panel);
        panel.is_bounded = is;
        panel.has_begun = true;
        return is;
    }

    /// Converts the state of bounded rows to that of others.
    void normalize_bounded_state(Workspace::Panel& panel) const {
        const auto width = static_cast<std::size_t>(kernel_.width);
        for (std::size_t at = 0; at < width; ++at) {
            const auto [state, unit] = state_of(panel, at);
            panel.row_max[at] = state.max;
            panel.row_sum[at] = state.sum;
            for (std::size_t c = 0; c < static_cast<std::size_t>(shape_.Ev); ++c)
                panel.output[c * width + at] *= unit;
        }
    }

    void attend_tile(const Block& block, const PanelMask& mask, const Keys whole, std::int64_t next_key,
                     Workspace& workspace, Workspace::Panel& panel) const {
        const Keys keys{std::max(whole.first, mask.reach().first), std::min(whole.last, mask.reach().last)};
        if (keys.empty())
            return;
        const auto cover = mask.cover(keys, workspace.cells.get());
        if (cover.skip)
            return;
        const auto key_row = first_key_row(block) + keys.first;
        // Prefetches the next tile, a share for each panel.
        const auto ahead = [&](const float* rows, std::int64_t width) -> PrefetchRange {
            const auto panels = static_cast<std::int64_t>(workspace.panels.size());
            const auto share = (keys_of_a_tile + panels - 1) / panels;
            const auto p = &panel - workspace.panels.data();
            const auto first = std::min(next_key + p * share, shape_.S);
            const auto last = std::min(first + share, shape_.S);
            return {reinterpret_cast<const char*>(rows + (first_key_row(block) + first) * width),
                    (last - first) * width * static_cast<std::int64_t>(sizeof(float))};
        };
        const auto filled = [&](auto tile) {
            tile.queries = panel.queries.get();
            tile.keys = problem_.key + key_row * shape_.E;
            tile.values = problem_.value + key_row * shape_.Ev;
            tile.count = keys.count();
            tile.E = shape_.E;
            tile.Ev = shape_.Ev;
            tile.cells = workspace.cells.get();
            tile.special_first = cover.special.empty() ? 0 : cover.special.first - keys.first;
            tile.special_last = cover.special.empty() ? 0 : cover.special.last - keys.first;
            tile.fill = static_cast<float>(in_reach(problem_.masks.fill) * log2_e);
            tile.next_keys = ahead(problem_.key, shape_.E);
            tile.next_values = ahead(problem_.value, shape_.Ev);
            tile.scores = workspace.scores.get();
            tile.row_max = panel.row_max.get();
            tile.row_sum = panel.row_sum.get();
            tile.output = panel.output.get();
            return tile;
        };
        if (plan_.few_rows) {
            auto tile = filled(RowTile());
            tile.rows = static_cast<int>(block.rows);
            tile.stride = keys_of_a_tile;
            row_kernel_.attend(tile);
        } else {
            auto tile = filled(Tile());
            tile.bounded = goes_on_bounded(block, whole.first / keys_of_a_tile, panel);
            if (matrices_ && matrices_->takes(*panel.packed, key_head(block), keys.first / keys_of_a_block))
                matrices_->attend(tile, *panel.packed, *workspace.scratch, key_head(block), keys.first);
            else
                kernel_.attend(tile);
        }
    }

    /// The state of a row, and the factor for its output that matches it. Bounded weights are scaled down as if a
    /// maximum had been subtracted.
    static std::pair<RowState, float> state_of(const Workspace::Panel& panel, std::size_t at) {
        const float sum = panel.row_sum[at];
        if (!panel.is_bounded)
            return {{panel.row_max[at], sum}, 1.0f};
        if (sum == 0.0f)
            return {{-std::numeric_limits<float>::infinity(), 0.0f}, 1.0f};
        const int exponent = std::ilogb(sum) + 1;
        const float unit = std::ldexp(1.0f, -exponent);
        return {{static_cast<float>(exponent), sum * unit}, unit};
    }

    void finish(const Block& block, std::int64_t row, const Workspace::Panel& panel) {
        const auto rows = panel_rows(block, row, rows_a_panel_);
        const auto first = row_index(rows);
        std::array<float, widest_panel> factors{};
        for (std::int64_t q = 0; q < rows.count; ++q) {
            const auto at = static_cast<std::size_t>(q);
            const auto [state, unit] = state_of(panel, at);
            if (partial_) {
                partial_->state(block.part, first + q) = state;
                factors[at] = unit;
                continue;
            }
            factors[at] = static_cast<float>(state.sum == 0.0f ? 0.0 : problem_.output_scale / state.sum * unit);
            result_.lse[first + q] = lse_of(state.max, state.sum);
            if (result_.row_max) {
                result_.row_max[first + q] = state.max;
                result_.row_sum[first + q] = state.sum;
            }
        }
        float* output = partial_ ? partial_->output(block.part, first) : result_.output + first * shape_.Ev;
        if (!plan_.few_rows)
            layout_.unpack(panel.output.get(), kernel_.width, rows.count, shape_.Ev, factors.data(), output);
        for (std::int64_t k = 0; plan_.few_rows && k < rows.count * shape_.Ev; ++k)
            output[k] = panel.output[static_cast<std::size_t>(k)] * factors[static_cast<std::size_t>(k / shape_.Ev)];
    }

    std::int64_t row_index(const PanelRows& rows) const {
        return (rows.batch * shape_.H + rows.head) * shape_.L + rows.first;
    }

    const Problem& problem_;
    const Shape shape_;
    const Result result_;
    const RunControl& control_;
    const int threads_;
    const TileKernel kernel_;
    const RowKernel row_kernel_;
    const LayoutKernel layout_;
    const Plan plan_;
    const ScoreBounds bounds_;
    const int rows_a_panel_;
    const float scale_;
    std::unique_ptr<const MatrixPath> own_matrices_;
    const MatrixPath* matrices_ = nullptr;  ///< null: vectors alone
    std::optional<PartialResults> partial_; ///< where the keys are split into parts
};

} // namespace

int thread_count() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

std::string instruction_set() {
    const auto* matrices = matrix_kernel();
    return std::string(tile_kernel().instruction_set) + (matrices ? std::string(", ") + matrices->name : "");
}

void forward(const Problem& problem, const Result& result, const RunControl& control, int threads) {
    control.checkpoint();
    Forward(problem, result, control, threads > 0 ? threads : thread_count()).run();
}

} // namespace attnlab::flash
