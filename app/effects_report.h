// `attnlab model --effects`, `--lens` and `--words`: what each head, layer and word does to the answer.
#pragma once

#include "app/model_options.h"
#include "core/model/effects.h"
#include "core/model/hidden_words.h"

#include <vector>

namespace attnlab::app {

/// --effects, --between and --patch.
void addEffectOptions(CommandParser& parser);

/// The effect of every head, computed before anything is printed.
struct EffectsReport {
    std::int64_t row = 0; ///< of the logits
    std::optional<model::OutcomePair> pair = {};
    std::vector<model::HeadEffect> effects = {}; ///< in the order of passes
    std::optional<std::vector<model::DirectEffect>> direct = {};
};

/// Computes the effects if --effects is given, else returns nullopt. `by` is what --ablate-with says. Throws UsageError
/// for a token that the model does not have, for a --patch text of another length, and for a model without an answer;
/// Error as model::effects_of.
std::optional<EffectsReport> readEffects(const QCommandLineParser& parser, const model::Model& model,
                                         const model::Result& result, model::Ablation::By by);

/// --lens: logits of the answer's position by the hidden state before each block, and behind the last; see model::lens.
struct LensReport {
    std::int64_t row = 0;
    std::optional<model::OutcomePair> pair = {};
    model::Matrix logits = {};
};
std::optional<LensReport> readLens(const QCommandLineParser& parser, const model::Model& model,
                                   const model::Result& result);
/// Adds "lens": for each block the likeliest outcomes and the probability of the answer.
void addLens(const LensReport& report, const model::Model& model, const model::Result& result, QJsonObject& all);
void printLens(const LensReport& report, const model::Model& model, const model::Result& result);

/// --words: logits of the answer while each word is hidden, and at last with none; see model::logits_without.
struct WordsReport {
    std::int64_t row = 0;
    std::optional<model::OutcomePair> pair = {};
    std::vector<model::Word> words = {};
    model::Matrix logits = {};
};
std::optional<WordsReport> readWords(const QCommandLineParser& parser, const model::Model& model,
                                     const model::Result& result);
/// Adds "words": for each what becomes of the probability of the answer, and the likeliest outcomes.
void addWords(const WordsReport& report, const model::Model& model, const model::Result& result, QJsonObject& all);
/// A line for each word, the largest effect first.
void printWords(const WordsReport& report, const model::Model& model, const model::Result& result);

/// Throws UsageError where an option is given without --effects.
void checkEffectOptions(const QCommandLineParser& parser);

/// Adds "effects" and what they are compared with.
void addEffects(const EffectsReport& report, const model::Model& model, const model::Result& result, QJsonObject& all);
/// A line for each head, the largest effect first.
void printEffects(const EffectsReport& report, const model::Model& model, const model::Result& result);

} // namespace attnlab::app
