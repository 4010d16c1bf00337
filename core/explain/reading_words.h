// Says in words what a query reads.
#pragma once

#include "core/explain/reading.h"
#include "core/message.h"

#include <functional>
#include <string>
#include <vector>

namespace attnlab::explain {

/// What a text calls the tokens of a row.
struct ReadingNames {
    std::string query;                            ///< begins a sentence: “fox”, or Query 3
    std::function<std::string(std::int64_t)> key; ///< within one: “brown”, or key 2
    /// With its weight in a list: “brown” 69%, or key 2: 69%.
    std::function<std::string(std::int64_t, const std::string& weight)> item;
    std::string query_within = {}; ///< within a sentence: query 3; empty: as where it begins one

    const std::string& within() const { return query_within.empty() ? query : query_within; }
};

struct ReadingWords {
    Message claim;                ///< one sentence without a full stop; empty without a row
    std::vector<Message> details; ///< in order of importance
};

/// “fox” reads mostly “brown”: 69% / then “quick” 10%, “fox” 10%, “over” 4% / sharp (3.1 keys). States only what
/// the numbers say: "mostly" is more than half, and weights that are no shares are given as numbers.
ReadingWords words_of(const Reading& reading, const ReadingNames& names);

/// "69%", "0.4%"; "> 99%" and "< 0.1%" rather than a rounded 100 or 0.
std::string share_text(double share);

} // namespace attnlab::explain
