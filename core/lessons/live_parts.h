// What a web page shows of a board beside its matrices, as JSON: numbers and rows of cards, exhibits, a row operation
// by operation, the leak test, and costs of a cache. LiveLesson puts them together.
#pragma once

#include "core/lab/board.h"
#include "core/lab/scene.h"

#include <nlohmann/json_fwd.hpp>
#include <span>

namespace attnlab::lessons {

/// "inf", "-inf" or "nan" where it is not finite.
nlohmann::json live_number(double value);
/// "literal", or ["literal %1", argument, ...] where an argument is a text or again a message in a list.
nlohmann::json live_message(const Message& message);

/// [{"name", "title", "unit", "value", "exact"}]; what is covered is "nan".
nlohmann::json live_measures(const Trace& trace);

/// [{"kind": "tiles" | "page_table" | "page_reads" | "buckets" | "curve", ...}] with the members of the exhibit.
nlohmann::json live_exhibits(const Trace& trace);

/// "numbers": the measures of its matrix; "rows": [{"entropy", "effective_keys"} or a reason: "empty", "no_shares"];
/// "mask": {"values", "added"}. A part is missing where the view does not show it or a question covers it.
nlohmann::json live_card(const lab::Card& card, const lab::SceneSetting& setting, const Trace& trace,
                         const lab::BoardSpec& view);

/// {"moved", "own", "by_reading", "blocked": for each row whether every mask keeps the token from it} or {"error"};
/// null where the output is covered.
nlohmann::json live_leak(const lab::Scene& scene, const lab::SceneSetting& setting, const Trace& trace,
                         const TensorMap& drawn, const lab::BoardSpec& view);

/// {"lines": [{"operation", "values", "title", "follows"}], "terms", "blocked", "mixed", "value", "output", ...}; an
/// empty object where the trace has no such row.
nlohmann::json live_row(const Trace& trace, std::int64_t batch, std::int64_t head, std::int64_t query);

/// The id of an operation in `live_row`: "products", "score", "scale", ...
std::string_view live_operation(std::size_t operation);

/// [{"name", "title", "unit", "high", "values"}], or with "sizes" and a list of values for each setting where the view
/// has curves. What is covered is "nan".
nlohmann::json live_costs(const lab::Scene& scene, const lab::BoardSpec& view);

/// {"groups", "context", "readers", "choices": {"groups": [...], ...}}
nlohmann::json live_cache(const lab::CacheModel& cache);

} // namespace attnlab::lessons
