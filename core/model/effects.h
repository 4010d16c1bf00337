// What each head does to the answer of a model: its output is replaced, and everything behind it computed again. And
// the logit lens: the answer between its blocks.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {

/// Two outcomes whose logits are compared: a - b.
struct OutcomePair {
    std::int64_t a = 0, b = 0;
    bool operator==(const OutcomePair&) const = default;
};

/// logit(a) - logit(b) in a row of logits.
double logit_difference(const Result& result, std::int64_t row, const OutcomePair& pair);

/// The share of probability that moves from p to q: half of the sum of |p - q|, or the largest |p - q| of outcomes that
/// do not exclude one another. They are equally many.
double moved_between(std::span<const double> p, std::span<const double> q, bool is_independent);

/// The answer while one head is replaced.
struct HeadEffect {
    std::string pass = {};
    std::int64_t head = 0;
    std::int64_t answer = 0;                   ///< the likeliest outcome
    double answer_probability = 0.0;           ///< its probability
    double probability = 0.0;                  ///< of what is the answer with all heads
    double moved = 0.0;                        ///< moved_between() the probabilities with all heads and these
    std::optional<double> difference_change{}; ///< of logit_difference(), where there is a pair
};

struct EffectOptions {
    Ablation::By by = Ablation::By::Zero;
    /// For By::Other: a run of another text with as many tokens.
    const Result* other = nullptr;
    std::int64_t row = 0; ///< of the logits of `result`
    std::optional<OutcomePair> pair = {};
    std::function<bool(const std::string& pass, std::int64_t head)> skips = nullptr; ///< empty: no head is left out
};

/// Replaces every head of `result`, one at a time, and calls `found` after each. Each run begins at the head's own
/// block. The heads of the last block come first: they cost least. `result` has logits, and whatever it replaces itself
/// stays replaced. Throws Error as Model::run, and Cancelled.
void effects_of(const Model& model, const Result& result, const EffectOptions& options, const RunControl& control,
                const std::function<void(const HeadEffect&)>& found);

/// What a head adds to logit(a) - logit(b), or to logit(a), by itself, not through the blocks behind it; Elhage et al.
/// 2021. The last norm divides by what it divides the whole by.
struct DirectEffect {
    std::string pass = {};
    std::int64_t head = 0;
    double difference = 0.0;
};

/// Of the heads of the stack that has the logits, in the order of passes; without `b` of logit(a) alone. nullopt where
/// more than a norm stands between a head and the logits: a norm after the attention, or a layer in the head of the
/// model. Throws Error where there is no such row or outcome, and Cancelled.
std::optional<std::vector<DirectEffect>> direct_effects(const Model& model, const Result& result, std::int64_t row,
                                                        std::int64_t a, std::optional<std::int64_t> b,
                                                        const RunControl& control = {});

/// How many blocks are computed when a head of this pass is replaced.
std::int64_t blocks_from(const Model& model, const std::string& pass);

/// The logit lens (nostalgebraist 2020): logits of one position by the hidden state that enters each block, and by the
/// one that leaves the last: a row each, (blocks + 1, outcomes). The last norm of the stack is applied to each; the
/// last row is what the model gives. `row` is one of result.logit_positions. Throws Error where the model has no head
/// for tokens or classes of one position or there is no such row, and Cancelled.
Matrix lens(const Model& model, const Result& result, std::int64_t row, const RunControl& control = {});

} // namespace attnlab::model
