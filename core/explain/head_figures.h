// Figures of a head: how sharply it reads and which keys, and what it does in two words.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnlab::explain {

/// The weights of one head and its known tokens.
struct HeadWeights {
    MatrixView weights;                       ///< L x S
    MatrixView blocked = {};                  ///< L x S, not 0 where a mask blocks; empty: nothing is blocked
    bool keys_are_queries = false;            ///< key j is the token of query j; keys from L on are appended ones
    std::span<const std::string> tokens = {}; ///< labels of the L tokens, or fewer: unknown; "" equals no other
    bool has_sink = false;                    ///< rows may sum to less than 1; the rest went to a sink
};

/// The part of the weight that goes to the keys of one kind, such as the previous token.
struct KeyShare {
    double mean = 0.0; ///< over all counted rows; rows without such a key add 0
    // A row is informative if it can read keys of this kind and other keys.
    double informative = 0.0; ///< the mean over informative rows
    double uniform = 0.0;     ///< the same mean under uniform attention
    std::int64_t rows = 0;    ///< the number of informative rows
};

/// A key is readable for a query unless the mask blocks it; a blocked key that has weight nevertheless (a finite fill)
/// is readable. Only rows with two readable keys or more are counted, and all figures are means over these.
struct HeadFigures {
    std::int64_t rows = 0;     ///< counted rows; all figures are 0 or absent where there are none
    double entropy = 0.0;      ///< -sum a log a in nats, 0 log 0 = 0
    double even_entropy = 0.0; ///< log of the number of readable keys
    double max_weight = 0.0;
    // Only where the keys are the queries.
    std::optional<KeyShare> previous = {};   ///< key i-1
    std::optional<KeyShare> next = {};       ///< key i+1
    std::optional<KeyShare> first = {};      ///< key 0
    std::optional<KeyShare> diagonal = {};   ///< key i
    std::optional<KeyShare> neighbours = {}; ///< |i-j| <= 2
    // Only where the tokens are known too.
    std::optional<KeyShare> same_token = {}; ///< earlier keys with the label of token i
    std::optional<KeyShare> induction = {};  ///< keys j <= i whose previous token has the label of token i
    /// The key with the largest share over the rows that can read it, among those that half of the rows can read.
    std::optional<KeyShare> key = {};
    std::optional<std::int64_t> key_index = {};
    std::optional<double> sink = {}; ///< weight that goes nowhere; absent without a sink
    /// The counted rows are shares of keys: no weight is negative or NaN, and each row sums to 1 (with its sink) within
    /// the rounding of 8 bits.
    bool are_shares = false;
};

/// The shape of a head that is read in parts.
struct HeadForm {
    std::int64_t rows = 0, columns = 0;
    bool keys_are_queries = false; ///< this and the rest as in HeadWeights
    std::span<const std::string> tokens = {};
    bool has_sink = false;
};

/// Reads a head in blocks of consecutive rows, so that not all of them are in memory at once.
class HeadReader {
public:
    explicit HeadReader(const HeadForm& form);
    ~HeadReader();
    HeadReader(const HeadReader&) = delete;
    HeadReader& operator=(const HeadReader&) = delete;

    /// The next rows. Throws std::invalid_argument when they do not fit, or `blocked` has another shape.
    void add(const MatrixView& weights, const MatrixView& blocked = {});
    HeadFigures figures() const;

private:
    class Rows;
    std::unique_ptr<Rows> rows_;
};

/// Takes linear time in the number of cells. Throws std::invalid_argument when `blocked` has another shape.
HeadFigures head_figures(const HeadWeights& head);
/// The figures of a head of a stage (B,H,L,S). Where its columns are no keys, are_shares is false and no position is
/// known.
HeadFigures head_figures(const Trace& trace, const Stage& weights, std::int64_t batch, std::int64_t head);

/// "previous token", "next token", "itself", "first token", "sink", "nearby tokens", "one key", "same token",
/// "induction", "everywhere" or "mixed": the first that applies. A kind of key applies if it gets at least half of the
/// weight in its informative rows, and exceeds its uniform share by at least a quarter of the rest. At least three
/// rows, and at least a quarter of all rows, must be informative. "everywhere" applies if the entropy is at least 0.95
/// times the entropy of uniform attention. Empty for fewer than three rows, and for rows that do not sum to 1.
Message what_it_does(const HeadFigures& figures);
/// All that it may say, in that order.
std::vector<Message> words_of_heads();

} // namespace attnlab::explain
