// Converts the masks of a problem to those of kernels, piece by piece: merges bands, packs booleans into bits.
#pragma once

#include "core/flash/far_rows.h"
#include "core/flash/flash_forward.h"
#include "gpu/forward_kernels.h"
#include "gpu/host/plan.h"

#include <optional>

namespace attnlab::gpu {

/// The refusal where kernels do not know the masks: windows at a place of their own in each sequence. nullopt where
/// they do.
std::optional<Message> refused_bands(const flash::Masks& masks);

/// Views of a problem's masks, which must outlive it and not be refused.
class PackedMasks {
public:
    PackedMasks(const flash::Masks& masks, const flash::Shape& shape);

    const Band& band() const { return band_; }
    Blocked blocked() const;
    float fill() const {
        return blocked() == Blocked::Skipped ? 0.0f : static_cast<float>(flash::in_reach(masks_.fill));
    }

    bool has_lengths() const { return !masks_.valid_lengths.empty() || uneven_bands_ || padding_is_lengths_; }
    /// Otherwise a batch has one length, for which kernels have no need to look at each cell.
    bool lengths_by_row() const;
    /// The number of lengths of a batch of a piece of `rows` rows.
    std::int64_t length_rows(std::int64_t rows) const { return lengths_by_row() ? rows : 1; }
    /// Padding after the last key that is kept is given as a length.
    bool has_padding() const { return masks_.key_padding && !padding_is_lengths_; }
    /// Boolean masks and key intervals.
    bool has_booleans() const { return !masks_.booleans.empty() || !masks_.intervals.empty(); }
    bool has_bias() const { return masks_.bias.values != nullptr; }
    /// True when heads or batches differ in their boolean masks or bias.
    bool cells_by_head() const;
    bool cells_by_batch() const;
    /// The number of mask rows of a piece of `rows` rows: one if it is the same for every row.
    std::int64_t cell_rows(std::int64_t rows) const;
    /// For Footprint.
    std::size_t cell_bytes_of_32_keys() const { return (has_booleans() ? 4u : 0u) + (has_bias() ? 128u : 0u); }

    /// Each fills its array for a piece, row-major: (batches, length_rows()), (batches, words), and with or without the
    /// leading axes by cells_by_batch() and cells_by_head(), (batches, heads, cell_rows(), words) and (batches, heads,
    /// cell_rows(), keys).
    std::vector<std::int32_t> lengths(const Piece& piece) const;
    std::vector<std::uint32_t> padding(const Piece& piece) const;
    void pack_booleans(const Piece& piece, std::uint32_t* words) const;
    void pack_bias(const Piece& piece, float* values) const;

    static std::int64_t words_of(std::int64_t keys) { return (keys + 31) / 32; }

private:
    template <class Fill>
    void for_each_row(const Piece& piece, Fill fill) const;
    void take_padding();

    const flash::Masks& masks_;
    flash::Shape shape_;
    Band band_;
    bool uneven_bands_ = false; ///< their upper ends cross, or differ by batch, and are converted to lengths
    bool padding_is_lengths_ = false;
    std::vector<std::int64_t> unpadded_; ///< then: the keys before the padding of each batch, or of all
};

} // namespace attnlab::gpu
