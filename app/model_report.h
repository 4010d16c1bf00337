// What `attnlab model` prints, and `attnlab info` of a model.
#pragma once

#include "app/effects_report.h"
#include "app/model_options.h"

namespace attnlab::app {

/// Tokens, the likeliest next ones, and the figures of every head; with the effects of heads and the
/// logit lens, if given.
void printModelJson(const model::Model& model, const ModelInput& input, const model::Result& result,
                    const EffectsReport* effects, const LensReport* lens);
/// Architecture, sizes, tokens, the likeliest next ones, and the heads with the highest figure of each kind.
void printModelSummary(const model::Model& model, const ModelInput& input, const model::Result& result);
/// Architecture, sizes, and every setting and tensor that is not read, with the reason where it is known.
void printModelInfo(const model::Model& model, bool as_json);

} // namespace attnlab::app
