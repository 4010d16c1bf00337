// One attention of one block, as the model computed it.
#pragma once

#include "core/attention.h"
#include "core/model/matrix.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attnlab::model {

/// Numbers for the cells of the heads of one sequence, which stay where they are.
struct PassCells {
    Tensor tensor = {}; ///< (B|1, H|1, L|1, S); without numbers: none
    std::int64_t batch = 0, first_head = 0;

    bool empty() const { return tensor.size() == 0; }
    /// The weights of a row, S numbers. Throws Error where the tensor's file cannot be read any more.
    void read(std::int64_t head, std::int64_t row, std::span<float> out) const;
};

/// Queries, keys and values after norms and rotary positions; the weights follow from them and are computed when they
/// are asked for. Query head h reads key and value head h / (heads / key_value_heads).
struct Pass {
    std::string name = {}; ///< "decoder.3.self"
    std::int64_t heads = 1, key_value_heads = 1, width = 1;
    std::int64_t value_width = 0; ///< of the values, where it is another; 0: width
    std::int64_t queries = 0, keys = 0;
    Floats query = {};           ///< (heads, queries, width)
    Floats key = {}, value = {}; ///< (key_value_heads, keys, width), values (.., width_of_values()); not repeated
    std::vector<float> lse = {}; ///< (heads, queries): the logarithm of the softmax's denominator

    double scale = 1.0;
    double soft_cap = 0.0; ///< cap * tanh(score / cap) of the scaled scores; 0: none
    bool causal = false;
    std::int64_t window = 0; ///< i - j < window; 0: none
    struct Range {
        std::int64_t first = 0, last = 0; ///< up to last - 1
        bool operator==(const Range&) const = default;
    };
    Range both_ways = {};             ///< positions that read one another in both directions though `causal`
    bool both_ways_in_window = false; ///< a window ends this, too, towards earlier keys
    std::vector<float> sinks = {};    ///< (heads): a logit in the denominator alone
    std::shared_ptr<const std::vector<float>> by_distance = {}; ///< (heads, queries + keys - 1), added at j - i

    // Of attention that another program has recorded (a capture).
    std::int64_t offset = 0; ///< query i stands at position i + offset among the keys
    PassCells kept = {};     ///< 0 where a query may not read a key
    PassCells added = {};    ///< added to the scores
    PassCells given = {};    ///< the weights themselves, instead of query and key

    std::int64_t width_of_values() const { return value_width > 0 ? value_width : width; }
    bool is_cross() const { return name.ends_with(".cross"); }
    bool keys_are_queries() const { return !is_cross() && queries == keys && offset == 0; }
    const float* query_row(std::int64_t head, std::int64_t row) const {
        return query.data() + (head * queries + row) * width;
    }
    std::int64_t key_head(std::int64_t head) const { return head / (heads / key_value_heads); }
    /// The keys that query `row` reads.
    Range readable(std::int64_t row) const;
    /// The keys that any of the queries from `first` to `last` - 1 reads, and those between.
    Range readable(std::int64_t first, std::int64_t last) const;
    bool reads_both_ways() const { return causal && both_ways.first < both_ways.last; }
    bool blocks_anything() const { return causal || window > 0 || !kept.empty(); }
    /// 1 for each key that query `row` may not read, else 0.
    void blocked(std::int64_t head, std::int64_t row, std::span<double> out) const;
    /// Rows first .. first + count - 1 of a head: (count, keys), 0 where a key cannot be read. `lse`, if not empty,
    /// receives that of the rows.
    void weights(std::int64_t head, std::int64_t first, std::int64_t count, std::span<float> out,
                 std::span<float> lse = {}) const;
    /// The whole head: (queries, keys).
    std::vector<float> weights(std::int64_t head) const;

private:
    /// Adds `added` to the scores of a row and takes away what `kept` blocks; `cells` is room for a row.
    void change_by_cells(std::int64_t head, std::int64_t row, std::span<float> scores, std::span<float> cells) const;
};

/// Computes lse and the mix of values for the queries from `first` on: (queries - first, heads * width). Memory grows
/// with queries and keys, never with their product. Throws Cancelled.
Matrix attend(Pass& pass, std::int64_t first, const RunControl& control);

} // namespace attnlab::model
