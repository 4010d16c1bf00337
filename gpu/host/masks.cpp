#include "gpu/host/masks.h"

#include <algorithm>
#include <limits>

namespace attnlab::gpu {
namespace {

int bounded(std::int64_t distance) {
    return static_cast<int>(std::clamp<std::int64_t>(distance, -Band::unlimited, Band::unlimited));
}

} // namespace

std::optional<Message> refused_bands(const flash::Masks& masks) {
    const auto starts_apart = [](const flash::Band& band) {
        return band.offsets && band.before != flash::Band::unlimited;
    };
    if (std::any_of(masks.bands.begin(), masks.bands.end(), starts_apart))
        return Message(ATTNLAB_TEXT("A device takes a window with one query offset for all sequences; query_offset has "
                                    "several"));
    return std::nullopt;
}

PackedMasks::PackedMasks(const flash::Masks& masks, const flash::Shape& shape) : masks_(masks), shape_(shape) {
    bool first = true;
    for (const auto& band : masks.bands) {
        band_.before = std::min(band_.before, bounded(band.before));
        const int after = bounded(band.after), prefix = bounded(band.prefix);
        uneven_bands_ = uneven_bands_ || band.offsets;
        if (first || (after <= band_.after && prefix <= band_.prefix)) {
            band_.after = after;
            band_.prefix = prefix;
        } else if (after < band_.after || prefix < band_.prefix) {
            uneven_bands_ = true;
        }
        first = false;
    }
    if (uneven_bands_) {
        band_.after = Band::unlimited;
        band_.prefix = 0;
    }
    if (masks.key_padding)
        take_padding();
}

/// Most padding is after the keys of a sequence.
void PackedMasks::take_padding() {
    const auto batches = masks_.key_padding.batch_stride == 0 ? 1 : shape_.B;
    for (std::int64_t b = 0; b < batches; ++b) {
        const double* first = masks_.key_padding.of(b);
        const double* end = first + shape_.S;
        const double* padding = std::find_if(first, end, [](double padded) { return padded != 0.0; });
        if (std::find(padding, end, 0.0) != end) {
            unpadded_.clear();
            return;
        }
        unpadded_.push_back(padding - first);
    }
    padding_is_lengths_ = batches > 0;
}

bool PackedMasks::lengths_by_row() const {
    return uneven_bands_ || std::any_of(masks_.valid_lengths.begin(), masks_.valid_lengths.end(),
                                        [](const auto& valid) { return valid.row_stride != 0; });
}

Blocked PackedMasks::blocked() const {
    if (masks_.fill == -std::numeric_limits<double>::infinity())
        return Blocked::Skipped;
    return masks_.fill_is_added ? Blocked::Added : Blocked::Replaced;
}

bool PackedMasks::cells_by_head() const {
    return masks_.bias.head_stride != 0 || std::any_of(masks_.booleans.begin(), masks_.booleans.end(),
                                                       [](const auto& mask) { return mask.cells.head_stride != 0; });
}

bool PackedMasks::cells_by_batch() const {
    if (std::any_of(masks_.intervals.begin(), masks_.intervals.end(), [](const auto& one) { return one.by_batch(); }))
        return true;
    return masks_.bias.batch_stride != 0 || std::any_of(masks_.booleans.begin(), masks_.booleans.end(),
                                                        [](const auto& mask) { return mask.cells.batch_stride != 0; });
}

std::int64_t PackedMasks::cell_rows(std::int64_t rows) const {
    const bool by_row = !masks_.intervals.empty() || masks_.bias.row_stride != 0 ||
                        std::any_of(masks_.booleans.begin(), masks_.booleans.end(),
                                    [](const auto& mask) { return mask.cells.row_stride != 0; });
    return by_row ? rows : std::min<std::int64_t>(rows, 1);
}

std::vector<std::int32_t> PackedMasks::lengths(const Piece& piece) const {
    std::vector<std::int32_t> lengths;
    for (auto b = piece.first_batch; b < piece.first_batch + piece.batches; ++b)
        for (auto i = piece.first_row; i < piece.first_row + length_rows(piece.rows); ++i) {
            std::int64_t length = shape_.S;
            if (padding_is_lengths_)
                length = unpadded_[masks_.key_padding.batch_stride == 0 ? 0 : static_cast<std::size_t>(b)];
            for (const auto& valid : masks_.valid_lengths)
                length = std::min(
                    length, static_cast<std::int64_t>(valid.lengths[b * valid.batch_stride + i * valid.row_stride]));
            if (uneven_bands_)
                for (const auto& each : masks_.bands) {
                    const auto band = each.of_batch(b);
                    length = std::min(length, std::max(i + band.after + 1, band.prefix));
                }
            lengths.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, length)));
        }
    return lengths;
}

std::vector<std::uint32_t> PackedMasks::padding(const Piece& piece) const {
    const auto words = words_of(piece.keys);
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(piece.batches * words), 0u);
    for (std::int64_t b = 0; b < piece.batches; ++b) {
        const double* padded = masks_.key_padding.of(piece.first_batch + b) + piece.first_key;
        for (std::int64_t j = 0; j < piece.keys; ++j)
            bits[static_cast<std::size_t>(b * words + j / 32)] |= (padded[j] == 0.0 ? 1u : 0u) << (j % 32);
    }
    return bits;
}

/// Calls fill(b, h, i, row) with the index of the row in the packed array.
template <class Fill>
void PackedMasks::for_each_row(const Piece& piece, Fill fill) const {
    const auto group = shape_.H / shape_.Hkv;
    const auto batches = cells_by_batch() ? piece.batches : 1;
    const auto heads = cells_by_head() ? piece.kv_heads * group : 1;
    const auto rows = cell_rows(piece.rows);
    for (std::int64_t b = 0, row = 0; b < batches; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t i = 0; i < rows; ++i, ++row)
                fill(piece.first_batch + b, piece.first_kv_head * group + h, piece.first_row + i, row);
}

void PackedMasks::pack_booleans(const Piece& piece, std::uint32_t* words) const {
    const auto words_of_a_row = words_of(piece.keys);
    for_each_row(piece, [&](std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t row) {
        std::uint32_t* bits = words + row * words_of_a_row;
        std::fill_n(bits, words_of_a_row, 0xffffffffu);
        if (piece.keys % 32 != 0)
            bits[words_of_a_row - 1] = (1u << (piece.keys % 32)) - 1u;
        for (const auto& intervals : masks_.intervals)
            for (const auto& axis : *intervals.axes) {
                const auto own = intervals.row(axis, b, i);
                for (std::int64_t j = 0; j < piece.keys; ++j)
                    bits[j / 32] &= ~((own.keeps(piece.first_key + j) ? 0u : 1u) << (j % 32));
            }
        for (const auto& mask : masks_.booleans) {
            const auto key_stride = mask.cells.key_stride;
            const double* cells = mask.cells.row(b, h, i) + piece.first_key * key_stride;
            for (std::int64_t j = 0; j < piece.keys; ++j)
                bits[j / 32] &= ~((cells[j * key_stride] == mask.kept ? 0u : 1u) << (j % 32));
        }
    });
}

void PackedMasks::pack_bias(const Piece& piece, float* values) const {
    for_each_row(piece, [&](std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t row) {
        const auto key_stride = masks_.bias.key_stride;
        const double* cells = masks_.bias.row(b, h, i) + piece.first_key * key_stride;
        for (std::int64_t j = 0; j < piece.keys; ++j)
            values[row * piece.keys + j] = static_cast<float>(flash::in_reach(cells[j * key_stride]));
    });
}

} // namespace attnlab::gpu
