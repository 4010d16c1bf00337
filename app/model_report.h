// What `attnlab model` prints, and `attnlab info` of a model.
#pragma once

#include "app/effects_report.h"
#include "app/model_options.h"
#include "core/model/generation.h"

namespace attnlab::app {

/// --continue: how the input was written on.
struct WrittenReport {
    double temperature = 0.0; ///< 0: the likeliest token each time
    std::uint64_t seed = 0;
    model::Written written = {};
    std::string text = {}; ///< what was written
};
/// Adds "written".
void addWritten(const WrittenReport& report, const model::Model& model, QJsonObject& all);
void printWritten(const WrittenReport& report, const model::Model& model);

/// Tokens, the likeliest next ones, and the figures of every head; with what was written, the effects of heads and the
/// logit lens, if given.
void printModelJson(const model::Model& model, const ModelInput& input, const model::Result& result,
                    const WrittenReport* written, const EffectsReport* effects, const LensReport* lens);
/// Architecture, sizes, tokens, the likeliest next ones, and the heads with the highest figure of each kind.
void printModelSummary(const model::Model& model, const ModelInput& input, const model::Result& result);
/// Architecture, sizes, and every setting and tensor that is not read, with the reason where it is known.
void printModelInfo(const model::Model& model, bool as_json);

} // namespace attnlab::app
