#include "core/flash/forward.h"

#include "core/flash/panel_mask.h"
#include "core/flash/parallel.h"
#include "core/flash/tile_kernel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>
#include <thread>

namespace attnlab::flash {
namespace {

constexpr std::int64_t keys_of_a_tile = 128;
constexpr std::int64_t blocks_for_a_thread = 12; // enough for the threads to finish together

/// Keys and values are read once for each block of rows, whose own state should stay in a cache of 1 MB.
std::int64_t most_rows_of_a_block(const Shape& shape) { return shape.E + shape.Ev <= 256 ? 256 : 128; }

struct AlignedDelete {
    void operator()(float* memory) const { ::operator delete[](memory, std::align_val_t(64)); }
};
using Buffer = std::unique_ptr<float[], AlignedDelete>;

Buffer buffer_of(std::int64_t count) {
    return Buffer(new (std::align_val_t(64)) float[static_cast<std::size_t>(std::max<std::int64_t>(1, count))]);
}

/// Some rows of one head: what a thread takes at a time.
struct Block {
    std::int64_t batch, head, first_row, rows;
    double cells; ///< how many are read, at most: longest first lets the threads finish together
};

/// What a thread needs for the block that it works on.
struct Workspace {
    Workspace(const Shape& shape, std::int64_t rows, int width)
        : panels(static_cast<std::size_t>((rows + width - 1) / width)), scores(buffer_of(keys_of_a_tile * width)),
          cells(buffer_of(keys_of_a_tile * width)) {
        for (auto& panel : panels) {
            panel.queries = buffer_of(shape.E * width);
            panel.row_max = buffer_of(width);
            panel.row_sum = buffer_of(width);
            panel.output = buffer_of(shape.Ev * width);
        }
    }

    struct Panel {
        Buffer queries, row_max, row_sum, output;
    };
    std::vector<Panel> panels;
    Buffer scores, cells;
};

class Forward {
public:
    Forward(const Problem& problem, const Result& result, const RunControl& control)
        : problem_(problem), shape_(problem.shape), result_(result), control_(control), kernel_(tile_kernel()),
          layout_(layout_kernel()) {}

    void run(int threads) {
        plan(threads);
        std::vector<std::unique_ptr<Workspace>> workspaces(static_cast<std::size_t>(threads));
        std::atomic<std::int64_t> done{0};
        parallel_for(threads, static_cast<std::int64_t>(blocks_.size()), [&](int worker, std::int64_t task) {
            auto& workspace = workspaces[static_cast<std::size_t>(worker)];
            if (!workspace)
                workspace = std::make_unique<Workspace>(shape_, rows_of_a_block_, kernel_.width);
            attend_block(blocks_[static_cast<std::size_t>(task)], *workspace);
            ++done;
            if (worker == 0)
                control_.report(static_cast<double>(done) / static_cast<double>(blocks_.size()));
        });
        control_.report(1.0);
    }

private:
    void plan(int threads) {
        const auto heads = shape_.B * shape_.H;
        const auto wanted = std::max<std::int64_t>(1, threads == 1 ? 1 : blocks_for_a_thread * threads);
        const auto panels = most_rows_of_a_block(shape_) / kernel_.width;
        const auto panels_of_a_head = (shape_.L + kernel_.width - 1) / kernel_.width;
        rows_of_a_block_ = kernel_.width * std::clamp<std::int64_t>(heads * panels_of_a_head / wanted, 1, panels);
        // Neighbours share a head's keys and values, which the first one leaves in the cache.
        for (std::int64_t b = 0; b < shape_.B; ++b)
            for (std::int64_t h = 0; h < shape_.H; ++h)
                for (std::int64_t first = 0; first < shape_.L; first += rows_of_a_block_)
                    add_block({b, h, first, std::min(rows_of_a_block_, shape_.L - first), 0.0});
        std::stable_sort(blocks_.begin(), blocks_.end(),
                         [](const Block& a, const Block& b) { return a.cells > b.cells; });
    }

    void add_block(Block block) {
        for (std::int64_t row = 0; row < block.rows; row += kernel_.width)
            block.cells += static_cast<double>(std::max<std::int64_t>(0, mask_of(block, row).reach().count()));
        blocks_.push_back(block);
    }

    PanelMask mask_of(const Block& block, std::int64_t row) const {
        const auto rows = std::min<std::int64_t>(kernel_.width, block.rows - row);
        return {problem_.masks,         shape_,       block.batch, block.head, block.first_row + row,
                static_cast<int>(rows), kernel_.width};
    }

    void attend_block(const Block& block, Workspace& workspace) const {
        std::vector<PanelMask> masks;
        Keys reach{shape_.S, 0};
        for (std::int64_t row = 0; row < block.rows; row += kernel_.width) {
            masks.push_back(mask_of(block, row));
            start(block, row, workspace.panels[masks.size() - 1]);
            if (const auto keys = masks.back().reach(); !keys.empty())
                reach = {std::min(reach.first, keys.first), std::max(reach.last, keys.last)};
        }
        for (auto first = reach.first; first < reach.last; first += keys_of_a_tile) {
            control_.checkpoint();
            const Keys tile{first, std::min(first + keys_of_a_tile, reach.last)};
            // After the last tile the next block is likely to begin where this one did.
            const auto next = tile.last < reach.last ? tile.last : reach.first;
            for (std::size_t p = 0; p < masks.size(); ++p)
                attend_tile(block, masks[p], tile, next, workspace, workspace.panels[p]);
        }
        for (std::size_t p = 0; p < masks.size(); ++p)
            finish(block, static_cast<std::int64_t>(p) * kernel_.width, workspace.panels[p]);
    }

    void start(const Block& block, std::int64_t row, Workspace::Panel& panel) const {
        const auto rows = static_cast<int>(std::min<std::int64_t>(kernel_.width, block.rows - row));
        layout_.pack(problem_.query + row_index(block, row) * shape_.E, rows, shape_.E,
                     static_cast<float>(problem_.scale * log2_e), kernel_.width, panel.queries.get());
        std::fill_n(panel.row_max.get(), kernel_.width, -std::numeric_limits<float>::infinity());
        std::fill_n(panel.row_sum.get(), kernel_.width, 0.0f);
        std::fill_n(panel.output.get(), shape_.Ev * kernel_.width, 0.0f);
    }

    void attend_tile(const Block& block, const PanelMask& mask, Keys keys, std::int64_t next_key,
                     const Workspace& workspace, Workspace::Panel& panel) const {
        keys = {std::max(keys.first, mask.reach().first), std::min(keys.last, mask.reach().last)};
        if (keys.empty())
            return;
        const auto cover = mask.cover(keys, workspace.cells.get());
        if (cover.skip)
            return;
        const auto first_key_row = (block.batch * shape_.Hkv + block.head / (shape_.H / shape_.Hkv)) * shape_.S;
        const auto key_row = first_key_row + keys.first;
        // What the next tile needs, a share for each panel.
        const auto ahead = [&](const float* rows, std::int64_t width) -> Ahead {
            const auto panels = static_cast<std::int64_t>(workspace.panels.size());
            const auto share = (keys_of_a_tile + panels - 1) / panels;
            const auto p = &panel - workspace.panels.data();
            const auto first = std::min(next_key + p * share, shape_.S);
            const auto last = std::min(first + share, shape_.S);
            return {reinterpret_cast<const char*>(rows + (first_key_row + first) * width),
                    (last - first) * width * static_cast<std::int64_t>(sizeof(float))};
        };
        kernel_.attend({.queries = panel.queries.get(),
                        .keys = problem_.key + key_row * shape_.E,
                        .values = problem_.value + key_row * shape_.Ev,
                        .count = keys.count(),
                        .E = shape_.E,
                        .Ev = shape_.Ev,
                        .cells = workspace.cells.get(),
                        .special_first = cover.special.empty() ? 0 : cover.special.first - keys.first,
                        .special_last = cover.special.empty() ? 0 : cover.special.last - keys.first,
                        .fill = static_cast<float>(problem_.masks.fill * log2_e),
                        .next_keys = ahead(problem_.key, shape_.E),
                        .next_values = ahead(problem_.value, shape_.Ev),
                        .scores = workspace.scores.get(),
                        .row_max = panel.row_max.get(),
                        .row_sum = panel.row_sum.get(),
                        .output = panel.output.get()});
    }

    void finish(const Block& block, std::int64_t row, const Workspace::Panel& panel) const {
        const auto rows = static_cast<int>(std::min<std::int64_t>(kernel_.width, block.rows - row));
        const auto first = row_index(block, row);
        std::array<float, widest_panel> factors{};
        for (std::int64_t q = 0; q < rows; ++q) {
            const auto at = static_cast<std::size_t>(q);
            const double sum = panel.row_sum[at];
            factors[at] = static_cast<float>(sum == 0.0 ? 0.0 : problem_.output_scale / sum);
            result_.lse[first + q] = static_cast<float>((panel.row_max[at] + std::log2(sum)) / log2_e);
            if (result_.row_max) {
                result_.row_max[first + q] = panel.row_max[at];
                result_.row_sum[first + q] = panel.row_sum[at];
            }
        }
        layout_.unpack(panel.output.get(), kernel_.width, rows, shape_.Ev, factors.data(),
                       result_.output + first * shape_.Ev);
    }

    std::int64_t row_index(const Block& block, std::int64_t row) const {
        return (block.batch * shape_.H + block.head) * shape_.L + block.first_row + row;
    }

    const Problem& problem_;
    const Shape shape_;
    const Result result_;
    const RunControl& control_;
    const TileKernel kernel_;
    const LayoutKernel layout_;
    std::int64_t rows_of_a_block_ = 0;
    std::vector<Block> blocks_;
};

} // namespace

int thread_count() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

std::string instruction_set() { return tile_kernel().instruction_set; }

void forward(const Problem& problem, const Result& result, const RunControl& control, int threads) {
    control.checkpoint();
    Forward(problem, result, control).run(threads > 0 ? threads : thread_count());
}

} // namespace attnlab::flash
