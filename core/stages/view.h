// Views of the weights: what they contribute, without sinks, or by words. A view changes no other stage.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/resolved_problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// One row of the table. A is a pass's `weights` (B,H,L,S), v its values.
struct WeightsView {
    std::string_view id;
    const char* title;        ///< what is shown instead of the weights (translated); %1: the keys left out
    std::string_view formula; ///< plain text
    const char* help;         ///< one or two sentences (translated)
    std::string_view source;
    std::span<const Input> inputs = {};
};

std::span<const WeightsView> weights_views();
/// The view of AttentionSpec::view, "no_sink:0,2". Throws Error that names the known ids.
const WeightsView& view_of(std::string_view chosen);

/// Checks "value_norm", "no_sink", "no_sink:0,2" and returns it; no_sink alone leaves out key 0. Throws Error.
std::string parse_view(std::string_view text);
/// The keys that "no_sink:0,2" leaves out, in order; empty for other views.
std::vector<std::int64_t> keys_left_out(std::string_view chosen);

/// Throws Error where the view lacks an array, or a number in its argument or its arrays does not fit.
void check_view(const ResolvedProblem& problem);

/// Adds the stage `view` after the weights of each pass. Throws Error where the weights have no such view, Cancelled.
void add_view(Trace& trace, const ResolvedProblem& problem, const RunControl& control);

/// The view of one pass's weights, which have the axes (B,H,query,key). `values` (B,Hkv,S,Ev) and `output_weight`
/// (H Ev, D) are for the views that use them, and may be empty for the others; the words of queries and keys are theirs
/// by number: equal neighbours are one word, a negative number is a word of its own.
struct ViewInputs {
    Tensor values, output_weight;
    std::vector<std::int64_t> query_words, key_words;
    TokenLabels tokens = {};
};
Stage view_of_weights(const Stage& weights, std::string_view chosen, const ViewInputs& inputs,
                      const RunControl& control);

/// Numbers of words from the texts of tokens: "▁" and "Ġ" and a blank begin a word, "##" continues one. Without any of
/// these each token is a word.
std::vector<std::int64_t> words_of(std::span<const std::string> tokens);

/// Adds the numbers of words that the view `words` lacks: those of the labels, or each token by itself.
void add_word_ids(AttentionProblem& problem);

/// Why the weights of a computed problem have no such view; nullopt where they have.
std::optional<Message> refusal_of_view(std::string_view id, const AttentionProblem& problem, const Trace& trace,
                                       const Stage& weights);

} // namespace attnlab
