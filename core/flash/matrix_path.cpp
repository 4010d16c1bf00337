#include "core/flash/matrix_path.h"

#include "core/flash/matrix_unit.h"
#include "core/flash/panel_mask.h"
#include "core/flash/parallel.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {
namespace {

int parts_of(Precision precision) {
    return precision == Precision::BFloat16 ? 1 : precision == Precision::Split ? 2 : 3;
}

PackedNumbers packed_numbers(std::int64_t count) {
    return PackedNumbers(new (std::align_val_t(64))
                             std::uint16_t[static_cast<std::size_t>(std::max<std::int64_t>(1, count))]);
}

/// Panels of a map begin elsewhere than those of its lse, and a row needs the same rounding in both: so either every
/// panel fits or none is tried. Half of the limit leaves room for the rounding of scaled queries.
bool every_panel_fits(const Problem& problem) {
    const auto& s = problem.shape;
    const auto largest = layout_kernel().magnitudes(problem.query, s.B * s.H * s.L * s.E).largest;
    const double factor = std::max(1.0, std::abs(problem.scale * log2_e));
    return static_cast<double>(largest) * factor <= 0.5 * static_cast<double>(largest_packed); // false for NaN
}

} // namespace

std::unique_ptr<const MatrixPath> MatrixPath::of(const Problem& problem, const RunControl& control, int threads) {
    const auto* kernel = matrix_kernel();
    if (!kernel || kernel->width != tile_kernel().width || problem.shape.S == 0 || problem.shape.L == 0)
        return nullptr;
    if (!chooses_matrices(*kernel, problem))
        return nullptr;
    if (problem.shape.Ev == 0 && !every_panel_fits(problem))
        return nullptr;
    return std::make_unique<const MatrixPath>(problem, *kernel, control, threads);
}

MatrixPath::MatrixPath(const Problem& problem, const MatrixKernel& kernel, const RunControl& control, int threads)
    : kernel_(kernel), shape_(problem.shape), layout_(layout_kernel()), parts_(parts_of(problem.precision)),
      score_factor_(parts_ == 1 ? static_cast<float>(problem.scale * log2_e) : 1.0f),
      blocks_((shape_.S + keys_of_a_block - 1) / keys_of_a_block) {
    const auto all = shape_.B * shape_.Hkv * blocks_;
    keys_ = packed_numbers(all * parts_ * PackedSizes::keys(shape_.E));
    values_ = packed_numbers(all * parts_ * PackedSizes::values(shape_.Ev));
    fits_ = std::make_unique<char[]>(static_cast<std::size_t>(all));
    parallel_for(threads, all, [&](int, std::int64_t block) {
        control.checkpoint();
        pack(problem, block);
    });
}

/// `block` is counted across all key heads.
void MatrixPath::pack(const Problem& problem, std::int64_t block) {
    const auto first = block % blocks_ * keys_of_a_block, count = std::min(keys_of_a_block, shape_.S - first),
               row = block / blocks_ * shape_.S + first;
    const float* keys = problem.key + row * shape_.E;
    bool fits = layout_.magnitudes(keys, count * shape_.E).largest <= largest_packed; // false for NaN
    if (fits && shape_.Ev > 0) {
        const auto values = layout_.magnitudes(problem.value + row * shape_.Ev, count * shape_.Ev);
        fits = values.largest <= largest_packed && values.smallest >= smallest_packed_value;
    }
    fits_[static_cast<std::size_t>(block)] = fits;
    if (!fits)
        return;
    kernel_.pack_keys(keys, count, shape_.E, parts_, keys_.get() + block * parts_ * PackedSizes::keys(shape_.E));
    if (shape_.Ev > 0)
        kernel_.pack_values(problem.value + row * shape_.Ev, count, shape_.Ev, parts_,
                            values_.get() + block * parts_ * PackedSizes::values(shape_.Ev));
}

MatrixPath::Panel::Panel(const MatrixPath& path)
    : queries_(packed_numbers(path.parts_ * PackedSizes::queries(path.shape_.E, path.kernel_.width))) {
    if (path.parts_ == 1)
        plain_ = aligned_floats(path.shape_.E * path.kernel_.width);
}

MatrixPath::Scratch::Scratch(const MatrixPath& path)
    : weights(packed_numbers(path.parts_ * PackedSizes::weights(path.kernel_.width))),
      scores(aligned_floats(keys_of_a_block * path.kernel_.width)),
      sums(aligned_floats(path.parts_ > 1 ? rows_of_output(path.shape_.Ev) * path.kernel_.width : 0)) {}

void MatrixPath::start(const float* rows, int count, const float* panel, Panel& packed) const {
    const auto size = shape_.E * kernel_.width;
    packed.fits_ = layout_.magnitudes(panel, size).largest <= largest_packed; // false for NaN
    if (packed.fits_ && parts_ == 1) {
        layout_.pack(rows, count, shape_.E, 1.0f, kernel_.width, packed.plain_.get());
        panel = packed.plain_.get();
        packed.fits_ = layout_.magnitudes(panel, size).largest <= largest_packed;
    }
    if (packed.fits_)
        kernel_.pack_queries(panel, shape_.E, parts_, packed.queries_.get());
}

MatrixTile MatrixPath::whole(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                             std::int64_t first) const {
    const auto block = head * blocks_ + first / keys_of_a_block;
    MatrixTile matrices;
    static_cast<Tile&>(matrices) = tile;
    matrices.parts = parts_;
    matrices.offset = first % keys_of_a_block;
    matrices.score_factor = score_factor_;
    matrices.packed_queries = panel.queries_.get();
    matrices.packed_keys = keys_.get() + block * parts_ * PackedSizes::keys(shape_.E);
    matrices.packed_values = values_.get() + block * parts_ * PackedSizes::values(shape_.Ev);
    matrices.packed_weights = scratch.weights.get();
    matrices.scores = scratch.scores.get();
    matrices.sums = scratch.sums.get();
    return matrices;
}

void MatrixPath::attend(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                        std::int64_t first) const {
    kernel_.attend(whole(tile, panel, scratch, head, first));
}

const float* MatrixPath::score(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                               std::int64_t first) const {
    const auto matrices = whole(tile, panel, scratch, head, first);
    kernel_.score(matrices);
    return matrices.scores + matrices.offset * kernel_.width;
}

} // namespace attnlab::flash
