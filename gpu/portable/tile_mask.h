// The keys that a block of query rows reads, tile by tile, and the effect of masks on the scores of a tile.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/portable/device_code.h"

namespace attnlab::gpu {

/// Keys first <= j < last of this launch.
struct KeyRange {
    int first, last;
};

/// By the band only. Row i is relative to this launch.
ATTNLAB_DEVICE KeyRange band_of(const ForwardArguments& a, int i) {
    const int position = a.first_row + i;
    return {most(0, position - a.band.before - a.first_key),
            least(a.S, most(position + a.band.after + 1, a.band.prefix) - a.first_key)};
}

ATTNLAB_DEVICE int length_of(const ForwardArguments& a, int b, int i) {
    const auto& valid = a.valid_lengths;
    return valid.lengths ? valid.lengths[b * valid.batch_stride + i * valid.row_stride] - a.first_key : a.S;
}

/// The word of the 32 keys from `key` on, a multiple of 32; keys beyond the last one are not kept.
ATTNLAB_DEVICE unsigned word_of(const std::uint32_t* words, int key, int key_count) {
    return key < key_count ? words[key / 32] : 0u;
}

/// A word whose lowest `count` bits are set, or all of them.
ATTNLAB_DEVICE unsigned ones_below(int count) {
    return count >= 32 ? 0xffffffffu : count <= 0 ? 0u : (1u << count) - 1u;
}

/// For the rows first_row .. first_row + rows - 1 of head h of batch b, and tiles of `keys` keys.
template <int rows, int keys>
class TileMask {
public:
    ATTNLAB_DEVICE TileMask(const ForwardArguments& arguments, int b, int h, int first_row)
        : a_(arguments), b_(b), h_(h) {
        const int last_row = least(first_row + rows, a_.L) - 1;
        const KeyRange top = band_of(a_, first_row), bottom = band_of(a_, last_row);
        reach_ = {top.first, bottom.last};
        by_all_ = {bottom.first, top.last};
        if (a_.valid_lengths.lengths)
            take_lengths(first_row, last_row);
        if (a_.blocked != Blocked::Skipped)
            reach_ = {0, a_.S};
        reach_.first = reach_.first / keys * keys;
    }

    /// The first key of the first tile to read, and of the next one after `key`; end() or more: there is none.
    ATTNLAB_DEVICE int first() const { return skip_padded(reach_.first); }
    ATTNLAB_DEVICE int next(int key) const { return skip_padded(key + keys); }
    ATTNLAB_DEVICE int end() const { return reach_.last; }

    /// True when the scaled products of the tile are the arguments of the softmax.
    ATTNLAB_DEVICE bool leaves_alone(int key) const {
        if (reads_cells() || key < by_all_.first || key + keys > by_all_.last)
            return false;
        return !a_.key_padding.words || padding_bits(key, true) == 0xffffffffu;
    }

    /// Converts products q.k to scores in base 2: scaled, capped, masked. s[m][n] is the accumulator of mma for the
    /// rows row + 16 m and keys key + 8 n; `row` and `column` are this lane's first within them.
    template <class Machine, int row_tiles, int key_tiles>
    ATTNLAB_DEVICE void apply(int key, int row, int column, float (&s)[row_tiles][key_tiles][4]) const {
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half) {
            // Rows beyond the last are computed and discarded.
            const Row cells = row_of(least(row + 16 * m + 8 * half, a_.L - 1));
            scale<Machine>(half, s[m]);
            if (cells.bias)
                add_bias<Machine>(cells, key + column, half, s[m]);
            block(cells, key, column, half, s[m]);
        }
    }

    /// The same for one cell of any row and key.
    template <class Machine>
    ATTNLAB_DEVICE float score(int i, int j, float product) const {
        const Row cells = row_of(i);
        float s[1][4] = {{product, 0.0f, 0.0f, 0.0f}};
        scale<Machine>(0, s);
        if (cells.bias)
            s[0][0] += Machine::read(cells.bias + j, j < a_.S) * log2_of_e;
        if (kept_bits(cells, j) >> (j % 32) & 1u)
            return s[0][0];
        return j < a_.S ? filled(s[0][0]) : minus_infinity();
    }

private:
    struct Row {
        KeyRange kept;
        const std::uint32_t* words;
        const float* bias;
    };

    /// Kernels have no register to spare for it, and the arguments are read quickly.
    ATTNLAB_DEVICE bool reads_cells() const {
        return a_.kept.words || a_.bias.values || a_.softcap > 0.0f || !(a_.scale > 0.0f);
    }
    ATTNLAB_DEVICE void take_lengths(int first_row, int last_row) {
        int longest = 0, shortest = a_.S;
        const int last = a_.valid_lengths.row_stride == 0 ? first_row : last_row;
        for (int i = first_row; i <= last; ++i) {
            const int length = length_of(a_, b_, i);
            longest = most(longest, length);
            shortest = least(shortest, length);
        }
        reach_.last = least(reach_.last, longest);
        by_all_.last = least(by_all_.last, shortest);
    }

    /// The bits of a tile combined by AND (`every`) or by OR: only all 1 or all 0 matter.
    ATTNLAB_DEVICE unsigned padding_bits(int key, bool every) const {
        const std::uint32_t* words = a_.key_padding.words + b_ * a_.key_padding.batch_stride;
        if constexpr (keys < 32) { // a part of one word
            constexpr unsigned part = (1u << (keys % 32)) - 1u;
            const unsigned bits = word_of(words, key, a_.S) >> (key % 32) & part;
            return every ? bits | ~part : bits;
        }
        unsigned all = 0xffffffffu, any = 0u;
        for (int w = 0; w < keys; w += 32) {
            const unsigned word = word_of(words, key + w, a_.S);
            all &= word;
            any |= word;
        }
        return every ? all : any;
    }

    ATTNLAB_DEVICE int skip_padded(int key) const {
        if (a_.key_padding.words && a_.blocked == Blocked::Skipped)
            while (key < reach_.last && padding_bits(key, false) == 0u)
                key += keys;
        return key;
    }

    ATTNLAB_DEVICE Row row_of(int i) const {
        Row row{band_of(a_, i), nullptr, nullptr};
        row.kept.last = least(row.kept.last, length_of(a_, b_, i));
        if (a_.kept.words)
            row.words = a_.kept.words + b_ * a_.kept.batch_stride + h_ * a_.kept.head_stride + i * a_.kept.row_stride;
        if (a_.bias.values)
            row.bias = a_.bias.values + b_ * a_.bias.batch_stride + h_ * a_.bias.head_stride + i * a_.bias.row_stride;
        return row;
    }

    /// The keys from `key` to the end of its word that are kept.
    ATTNLAB_DEVICE unsigned kept_bits(const Row& row, int key) const {
        const int word = key / 32 * 32;
        unsigned bits = ones_below(row.kept.last - word) & ~ones_below(row.kept.first - word);
        if (row.words)
            bits &= word_of(row.words, key, a_.S);
        if (a_.key_padding.words)
            bits &= word_of(a_.key_padding.words + b_ * a_.key_padding.batch_stride, key, a_.S);
        return bits;
    }

    template <class Machine, int key_tiles>
    ATTNLAB_DEVICE void scale(int half, float (&s)[key_tiles][4]) const {
        ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int c = 2 * half; c < 2 * half + 2; ++c)
            s[n][c] *= a_.softcap > 0.0f ? a_.scale : a_.scale * log2_of_e;
        if (a_.softcap > 0.0f)
            ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int c = 2 * half; c < 2 * half + 2; ++c)
            s[n][c] = a_.softcap * Machine::tanh(s[n][c] / a_.softcap) * log2_of_e;
    }

    template <class Machine, int key_tiles>
    ATTNLAB_DEVICE void add_bias(const Row& row, int first, int half, float (&s)[key_tiles][4]) const {
        const float* bias = row.bias + first;
        const int left = a_.S - first;
        ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int c = 0; c < 2; ++c)
            s[n][2 * half + c] += Machine::read(bias + 8 * n + c, 8 * n + c < left) * log2_of_e;
    }

    template <int key_tiles>
    ATTNLAB_DEVICE void block(const Row& row, int key, int column, int half, float (&s)[key_tiles][4]) const {
        ATTNLAB_UNROLL
        for (int first = 0; first < key_tiles; first += 4) { // word by word
            const int shift = key % 32 + column;
            const unsigned kept = kept_bits(row, key + 8 * first) >> shift;
            const unsigned there = ones_below(a_.S - (key + 8 * first) / 32 * 32) >> shift;
            ATTNLAB_UNROLL
            for (int n = first; n < least(first + 4, key_tiles); ++n)
                ATTNLAB_UNROLL
            for (int c = 0; c < 2; ++c) {
                const unsigned bit = 1u << (8 * (n - first) + c);
                if (!(kept & bit))
                    s[n][2 * half + c] = (there & bit) ? filled(s[n][2 * half + c]) : minus_infinity();
            }
        }
    }

    ATTNLAB_DEVICE float filled(float score) const {
        return a_.blocked == Blocked::Skipped    ? minus_infinity()
               : a_.blocked == Blocked::Replaced ? a_.fill * log2_of_e
                                                 : score + a_.fill * log2_of_e;
    }

    const ForwardArguments& a_;
    int b_, h_;
    KeyRange reach_, by_all_;
};

} // namespace attnlab::gpu
