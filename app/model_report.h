// What `attnlab model` prints.
#pragma once

#include "app/model_input.h"

namespace attnlab::app {

/// Tokens, the likeliest next ones, and the figures of every head.
void printModelJson(const model::Model& model, const ModelInput& input, const model::Result& result);
/// Architecture, sizes, tokens, the likeliest next ones, and the heads with the highest figure of each kind.
void printModelSummary(const model::Model& model, const ModelInput& input, const model::Result& result);

} // namespace attnlab::app
