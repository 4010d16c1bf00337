#include "gpu/host/piece_arrays.h"

namespace attnlab::gpu {
namespace {

/// Contiguous arrays that begin at multiples of 256.
class Layout {
public:
    std::size_t add(std::size_t bytes) {
        const auto at = bytes_;
        bytes_ += (bytes + 255) / 256 * 256;
        return at;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

} // namespace

PieceArrays::PieceArrays(const flash::Shape& shape, const PackedMasks& masks, const ForwardKernel& kernel,
                         Precision precision, std::size_t staging_bytes)
    : shape_(shape), masks_(masks), kernel_(kernel), precision_(precision), staging_bytes_(staging_bytes),
      width_(padded_width(kernel, shape.E)), value_width_(padded_width(kernel, shape.Ev)) {}

PieceArrays::Offsets PieceArrays::offsets_of(const Piece& piece) const {
    const auto rows = static_cast<std::size_t>(piece.batches * piece.kv_heads * group() * piece.rows);
    const auto keys = static_cast<std::size_t>(piece.batches * piece.kv_heads * piece.keys);
    const auto matrices = static_cast<std::size_t>((masks_.cells_by_batch() ? piece.batches : 1) *
                                                   (masks_.cells_by_head() ? piece.kv_heads * group() : 1));
    const auto cell_rows = matrices * static_cast<std::size_t>(masks_.cell_rows(piece.rows));
    const auto words = static_cast<std::size_t>(PackedMasks::words_of(piece.keys));
    const auto width = static_cast<std::size_t>(width_), value_width = static_cast<std::size_t>(value_width_);
    Layout layout;
    Offsets at;
    at.query = layout.add(rows * width * element_bytes());
    at.key = layout.add(keys * width * element_bytes());
    at.value = layout.add(keys * value_width * element_bytes());
    at.lengths = layout.add(
        masks_.has_lengths() ? static_cast<std::size_t>(piece.batches * masks_.length_rows(piece.rows)) * 4 : 0);
    at.padding = layout.add(masks_.has_padding() ? static_cast<std::size_t>(piece.batches) * words * 4 : 0);
    at.kept = layout.add(masks_.has_booleans() ? cell_rows * words * 4 : 0);
    at.bias = layout.add(masks_.has_bias() ? cell_rows * static_cast<std::size_t>(piece.keys) * 4 : 0);
    at.inputs = layout.bytes();
    at.lse = layout.add(rows * sizeof(float));
    at.output = layout.add(rows * value_width * sizeof(float));
    at.scratch = layout.add((rows * width + keys * (width + value_width)) *
                            static_cast<std::size_t>(kernel_.scratch_bytes_of_a_number));
    at.staging = layout.add(staging_bytes_);
    at.all = layout.bytes();
    return at;
}

ForwardArguments PieceArrays::arguments_of(const Piece& piece, const Offsets& at, unsigned char* memory,
                                           const DeviceProblem& problem) const {
    ForwardArguments a;
    a.precision = precision_;
    a.B = static_cast<int>(piece.batches);
    a.Hkv = static_cast<int>(piece.kv_heads);
    a.H = static_cast<int>(piece.kv_heads * group());
    a.L = static_cast<int>(piece.rows);
    a.S = static_cast<int>(piece.keys);
    a.E = static_cast<int>(kernel_.width > 0 ? width_ : shape_.E);
    a.Ev = static_cast<int>(kernel_.width > 0 ? value_width_ : shape_.Ev);
    const auto rows = [&](std::size_t first, std::int64_t heads, std::int64_t count, std::int64_t width) {
        return Rows{memory + first, heads * count * width, count * width, width};
    };
    a.query = rows(at.query, a.H, a.L, width_);
    a.key = rows(at.key, a.Hkv, a.S, width_);
    a.value = rows(at.value, a.Hkv, a.S, value_width_);
    a.scale = static_cast<float>(problem.scale);
    a.softcap = static_cast<float>(problem.softcap);
    a.output_scale = static_cast<float>(problem.output_scale);
    a.output = rows(at.output, a.H, a.L, value_width_);
    a.lse = reinterpret_cast<float*>(memory + at.lse);
    a.scratch = kernel_.scratch_bytes_of_a_number > 0 ? memory + at.scratch : nullptr;
    set_masks(piece, at, memory, a);
    return a;
}

void PieceArrays::set_masks(const Piece& piece, const Offsets& at, const unsigned char* memory,
                            ForwardArguments& a) const {
    const auto words = PackedMasks::words_of(piece.keys);
    const auto heads = masks_.cells_by_head() ? piece.kv_heads * group() : 1;
    const auto rows = masks_.cell_rows(piece.rows);
    const bool by_row = rows == piece.rows;
    a.first_row = static_cast<int>(piece.first_row);
    a.first_key = static_cast<int>(piece.first_key);
    a.band = masks_.band();
    a.blocked = masks_.blocked();
    a.fill = masks_.fill();
    if (masks_.has_lengths())
        a.valid_lengths = {reinterpret_cast<const std::int32_t*>(memory + at.lengths), masks_.length_rows(piece.rows),
                           masks_.lengths_by_row() ? 1 : 0};
    if (masks_.has_padding())
        a.key_padding = {reinterpret_cast<const std::uint32_t*>(memory + at.padding), words, 0, 0};
    if (masks_.has_booleans())
        a.kept = {reinterpret_cast<const std::uint32_t*>(memory + at.kept),
                  masks_.cells_by_batch() ? heads * rows * words : 0, masks_.cells_by_head() ? rows * words : 0,
                  by_row ? words : 0};
    if (masks_.has_bias())
        a.bias = {reinterpret_cast<const float*>(memory + at.bias),
                  masks_.cells_by_batch() ? heads * rows * piece.keys : 0,
                  masks_.cells_by_head() ? rows * piece.keys : 0, by_row ? piece.keys : 0};
}

} // namespace attnlab::gpu
