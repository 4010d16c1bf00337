// What a query attends to: its row of weights sorted by key, the effective number of keys, and the sentence about them.
#pragma once

#include "core/explain/row.h"
#include "core/message.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attnlab::explain {

struct KeyWeight {
    std::int64_t key = 0;
    double weight = 0.0;
    bool operator==(const KeyWeight&) const = default;
};

/// A row of weights, sorted. Weights that differ by less than 1e-9 of the largest magnitude count as alike, and a
/// number below 0 by less than that as 0.
struct Reading {
    enum class Kind {
        None,         ///< no such row, or no keys
        Blocked,      ///< every key is blocked, and the weights are 0
        Zero,         ///< all weights are 0 although some keys may be read
        NotNumbers,   ///< a weight is NaN or infinite
        Signed,       ///< a weight is negative: weights are not shares
        Unnormalised, ///< no weight is negative, but the sum is not 1
        Shares,       ///< a distribution: shares of 1
    };
    /// By the effective number of keys n = exp(entropy), among the N keys that may be read.
    enum class Focus {
        None,        ///< not a distribution
        OneKey,      ///< n < 1.5
        Sharp,       ///< ln n <= 0.55 ln N: 3.3 of 9 keys, 9.5 of 60
        Several,     ///< ln n <= 0.80 ln N: 5.8 of 9 keys, 26 of 60
        Broad,       ///< more than that
        NearlyEqual, ///< n >= 0.95 N
        Equal,       ///< all N weights are alike, and N > 1
    };

    Kind kind = Kind::None;
    Focus focus = Focus::None;
    std::vector<KeyWeight> keys;          ///< those that may be read or are: largest weight first, then by key
    std::int64_t all_keys = 0;            ///< blocked ones included
    std::int64_t alike = 0;               ///< the first keys, whose weights are alike
    std::int64_t negative = 0;            ///< the number of negative weights
    std::int64_t read_though_blocked = 0; ///< blocked keys with weight: a finite fill
    double sum = 0.0;
    double effective_keys = 0.0; ///< of Shares; 0 for others

    /// The weight of the largest key; 0 without keys.
    double largest() const { return keys.empty() ? 0.0 : keys.front().weight; }
};

/// Reads the weights before dropout. Takes n log n time in the number of keys.
Reading reading_of(const Row& row);

/// Reads a row of any stage (B,H,query,key), or with head < 0 of the mean over its heads. Keys are blocked where the
/// pass of the stage blocks them in every one of these heads, if the stage is its `weights`; otherwise none is.
Reading reading_of(const Trace& trace, const Stage& weights, int batch, int head, std::int64_t query);

// Says in words what a query reads.

/// What a text calls the tokens of a row.
struct TokenNaming {
    std::string query;                            ///< begins a sentence: “fox”, or Query 3
    std::function<std::string(std::int64_t)> key; ///< within one: “brown”, or key 2
    /// With its weight in a list: “brown” 69%, or key 2: 69%.
    std::function<std::string(std::int64_t, const std::string& weight)> item;
    std::string query_within = {}; ///< within a sentence: query 3; empty: as where it begins one
    bool are_words = true;         ///< keys are counted as words, else as keys

    const std::string& within() const { return query_within.empty() ? query : query_within; }
};

struct ReadingText {
    Message claim;                ///< one sentence without a full stop; empty without a row
    std::vector<Message> details; ///< in order of importance
};

/// “fox” reads mostly “brown”: 69% / then “quick” 10%, “fox” 10%, “over” 4% / spread over about 3 words. States only
/// what the numbers say: "mostly" is more than half, and weights that are not shares are given as numbers.
ReadingText words_of(const Reading& reading, const TokenNaming& names);

/// The same of one row under two settings, A and B: “fox” reads “brown” the most: 69% in A, 24% in B / most changed:
/// “brown”, from 69% to 24% / about 3.1 words in A, 6.0 in B. Empty where A has no row; the words of A where B has
/// none.
ReadingText words_of_both(const Reading& a, const Reading& b, const TokenNaming& names);

/// "69%", "0.4%"; "> 99%" and "< 0.1%" rather than a rounded 100 or 0.
std::string share_text(double share);

} // namespace attnlab::explain
