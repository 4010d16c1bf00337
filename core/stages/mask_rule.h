// The forms that the rule of a mask can have. Arrays are read in place: pointers do not own, strides are in elements.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

namespace attnlab {

/// Row i of sequence b keeps key j when p - before <= j and (j <= p + after or j < prefix), with p = i, or i +
/// offsets[b] where positions differ between sequences.
struct Band {
    static constexpr std::int64_t unlimited = std::int64_t{1} << 60;
    std::int64_t before = unlimited;
    std::int64_t after = unlimited;
    std::int64_t prefix = 0;
    const double* offsets = nullptr; ///< (B), integers

    /// The same with p = i, for rows whose positions are all larger by `offset`.
    Band shifted(std::int64_t offset) const {
        const auto moved = [](std::int64_t reach, std::int64_t by) { return reach == unlimited ? reach : reach + by; };
        return {moved(before, -offset), moved(after, offset), prefix};
    }
    Band of_batch(std::int64_t b) const { return offsets ? shifted(static_cast<std::int64_t>(offsets[b])) : *this; }
    /// For a row at position p, regardless of `offsets`.
    bool keeps(std::int64_t p, std::int64_t j) const { return p - before <= j && (j <= p + after || j < prefix); }
};

/// A value for each cell (b, h, i, j); a stride is 0 where values repeat. The keys of a row are contiguous, or share
/// one value.
struct CellArray {
    const double* values = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
    std::int64_t key_stride = 1; ///< 1 or 0

    const double* row(std::int64_t b, std::int64_t h, std::int64_t i) const {
        return values + b * batch_stride + h * head_stride + i * row_stride;
    }
    double at(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        return row(b, h, i)[j * key_stride];
    }
};

/// A boolean for each cell: a cell is kept where the array equals `kept`.
struct BooleanCells {
    CellArray cells;
    double kept = 0.0;
};

/// Row i of sequence b keeps the first lengths[b * batch_stride + i * row_stride] keys.
struct ValidLengths {
    const double* lengths = nullptr;
    std::int64_t batch_stride = 0, row_stride = 0;

    double of(std::int64_t b, std::int64_t i) const { return lengths[b * batch_stride + i * row_stride]; }
};

/// 0 where a key is kept: key j of sequence b at padded[b * batch_stride + j].
struct KeyPadding {
    const double* padded = nullptr;
    std::int64_t batch_stride = 0; ///< 0: the same for every sequence

    explicit operator bool() const { return padded != nullptr; }
    const double* of(std::int64_t b) const { return padded + b * batch_stride; }
};

/// Each query has a place and each key an interval of places: row i of sequence b keeps key j when, on every axis, the
/// place of the row lies in the interval of the key. Documents, chunks, trees and neighbourhoods of an image have this
/// form. The numbers take O(B (L + S)), and it owns them.
struct KeyIntervals {
    /// Row-major; a stride between sequences is 0 where all of them have the same numbers.
    struct Axis {
        std::vector<double> places;      ///< (B or 1, L); NaN lies in no interval
        std::vector<double> first, last; ///< (B or 1, S), both inclusive
        std::int64_t place_stride = 0, key_stride = 0;

        bool operator==(const Axis&) const = default;
    };
    std::shared_ptr<const std::vector<Axis>> axes;
    std::int64_t first_batch = 0; ///< the sequence with index 0

    /// One axis of row i, whose keys are contiguous.
    struct Row {
        double place = 0.0;
        const double *first = nullptr, *last = nullptr;

        bool keeps(std::int64_t j) const { return first[j] <= place && place <= last[j]; }
    };
    Row row(const Axis& axis, std::int64_t b, std::int64_t i) const {
        const auto batch = first_batch + b;
        return {axis.places[static_cast<std::size_t>(batch * axis.place_stride + i)],
                axis.first.data() + batch * axis.key_stride, axis.last.data() + batch * axis.key_stride};
    }
    bool keeps(std::int64_t b, std::int64_t i, std::int64_t j) const {
        for (const auto& axis : *axes)
            if (!row(axis, b, i).keeps(j))
                return false;
        return true;
    }
    KeyIntervals of_batch(std::int64_t b) const { return {axes, first_batch + b}; }
    /// True when sequences differ.
    bool by_batch() const {
        for (const auto& axis : *axes)
            if (axis.place_stride != 0 || axis.key_stride != 0)
                return true;
        return false;
    }
};

/// A rule that is computed for each cell (b, h, i, j). It may throw Error.
struct ComputedCells {
    std::function<bool(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)> keeps;
};

/// The cells that a mask keeps, or, as a CellArray, the numbers that it adds to the scaled scores. Every visitor of it
/// is a place that a new form has to be added to; the compiler names them.
using MaskRule = std::variant<Band, ValidLengths, KeyPadding, KeyIntervals, BooleanCells, ComputedCells, CellArray>;

/// A visitor made of one lambda for each form.
template <class... Forms>
struct ByForm : Forms... {
    using Forms::operator()...;
};
template <class... Forms>
ByForm(Forms...) -> ByForm<Forms...>;

} // namespace attnlab
