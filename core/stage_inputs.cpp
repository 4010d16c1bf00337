#include "core/stage_inputs.h"

#include <algorithm>
#include <array>

namespace attnlab {
namespace {

/// Where an input enters the one way from queries and keys to an output.
enum class Entry { Anywhere, Query, Key, Scores, Value, Output };

struct EntryOfInput {
    std::string_view input;
    Entry entry;
};

constexpr std::array entries = {
    EntryOfInput{"query", Entry::Query},
    EntryOfInput{"w_q", Entry::Query},
    EntryOfInput{"b_q", Entry::Query},
    EntryOfInput{"key", Entry::Key},
    EntryOfInput{"key_pages", Entry::Key},
    EntryOfInput{"w_k", Entry::Key},
    EntryOfInput{"b_k", Entry::Key},
    EntryOfInput{"bias_k", Entry::Key},
    EntryOfInput{"bilinear_w", Entry::Scores},
    EntryOfInput{"additive_w_q", Entry::Scores},
    EntryOfInput{"additive_w_k", Entry::Scores},
    EntryOfInput{"additive_v", Entry::Scores},
    EntryOfInput{"additive_b", Entry::Scores},
    EntryOfInput{"concat_w", Entry::Scores},
    EntryOfInput{"concat_v", Entry::Scores},
    EntryOfInput{"sum_w", Entry::Scores},
    EntryOfInput{"linformer_e", Entry::Scores},
    EntryOfInput{"performer_omega", Entry::Scores},
    EntryOfInput{"value", Entry::Value},
    EntryOfInput{"value_pages", Entry::Value},
    EntryOfInput{"value_context", Entry::Value},
    EntryOfInput{"w_v", Entry::Value},
    EntryOfInput{"b_v", Entry::Value},
    EntryOfInput{"bias_v", Entry::Value},
    EntryOfInput{"linformer_f", Entry::Value},
    EntryOfInput{"w_o", Entry::Output},
    EntryOfInput{"b_o", Entry::Output},
    EntryOfInput{"grad_output", Entry::Output},
};

/// Everything up to the weights, and what is counted of them.
constexpr std::array<std::string_view, 24> before_values = {
    "rotated_query",  "rotated_key", "projected_key",   "query_features",
    "key_features",   "scores",      "scaled",          "position_bias",
    "blocked",        "masked",      "local_weights",   "global_weights",
    "weights",        "lse",         "weights_mean",    "entropy",
    "effective_keys", "max_weight",  "jacobian_norm",   "implied_weights",
    "exact_weights",  "difference",  "weights_dropped", "page_lse",
};

Entry entry_of(std::string_view input) {
    const auto* found = std::ranges::find(entries, input, &EntryOfInput::input);
    return found == entries.end() ? Entry::Anywhere : found->entry;
}

/// Values take part in weights where what is read first decides what is read next, and in models of several layers.
bool is_one_way(const AttentionSpec& spec) {
    return spec.variant != "dynamic_context" && spec.variant != "transformer" && spec.variant != "given_weights";
}

} // namespace

bool may_reach(const AttentionSpec& spec, std::string_view input, std::string_view stage) {
    const Entry entry = entry_of(input);
    if (entry == Entry::Anywhere || !is_one_way(spec))
        return true;
    if (stage == "query")
        return entry == Entry::Query;
    if (stage == "key") // those of reformer are its queries
        return entry == Entry::Key || (entry == Entry::Query && spec.variant == "reformer");
    if (stage == "value" || stage == "projected_value")
        return entry == Entry::Value;
    const bool before = std::ranges::find(before_values, stage) != before_values.end();
    return !before || (entry != Entry::Value && entry != Entry::Output);
}

} // namespace attnlab
