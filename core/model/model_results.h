// Results of a model: named arrays, and the likeliest next tokens.
#pragma once

#include "core/inputs.h"
#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// Names of what can be kept: "query", "key", "value", "weights", "hidden", "logits".
std::span<const std::string_view> kinds_of_arrays();

/// `decoder.3.self.weights` and so on, and the ids of the input. Weights are computed where they are read, a block of
/// rows at a time.
TensorMap arrays_of(const Result& result, const std::set<std::string, std::less<>>& kinds);

// The likeliest outcomes by the logits of a model.

/// A token of the vocabulary, or a class.
struct Outcome {
    std::int64_t id = 0;
    std::string name;         ///< as the vocabulary spells it; empty: unknown
    std::string label;        ///< as a reader sees it: "ĠMary" is " Mary"; empty: as the name
    double probability = 0.0; ///< exp(logit) / sum of exp(logit)
};

/// What softmax makes of a row of logits, or the sigmoid of each, where outcomes do not exclude one another.
std::vector<double> probabilities(const Result& result, std::int64_t row);
/// The name of an outcome of `result`: as the vocabulary spells a token, a class, or the token at a position. Empty:
/// unknown.
std::string name_of_outcome(const Model& model, const Result& result, std::int64_t id);
/// The same as a reader sees it: "ĠMary" is " Mary"; empty: as the name.
std::string label_of_outcome(const Model& model, const Result& result, std::int64_t id, const RunControl& control = {});

/// The likeliest `count` by a row of logits, the first the likeliest; fewer where there are fewer. Empty without
/// logits. All that follow throw as the tokenizer, also Cancelled.
std::vector<Outcome> likeliest(const Model& model, const Result& result, std::size_t count, std::int64_t row,
                               const RunControl& control = {});
/// The outcomes by the last row of logits.
std::vector<Outcome> likeliest(const Model& model, const Result& result, std::size_t count,
                               const RunControl& control = {});

/// How many tokens stand for letters that the vocabulary does not have: "[UNK]" or "<unk>", unless `text` spells them.
std::int64_t unknown_tokens(const std::vector<tokens::Token>& tokens, std::string_view text);

/// True where the model guesses tokens that are masked: an encoder with a head for each position.
bool fills_masks(const Model& model);
/// True where the model gives classes for each token, or an answer within the text (two rows: its begin and its end).
bool classifies_tokens(const Model& model);
bool finds_spans(const Model& model);
/// "[MASK]" or "<mask>", whichever the vocabulary has; nullopt: none of them, or no tokenizer.
std::optional<std::string> mask_spelling(const Model& model, const RunControl& control = {});
/// The positions of the mask token in `ids`.
std::vector<std::int64_t> masked_positions(const Model& model, const std::vector<std::int64_t>& ids,
                                           const RunControl& control = {});

} // namespace attnlab::model
