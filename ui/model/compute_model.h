// Runs a model on what the user asks, in a worker thread.
#pragma once

#include "ui/model/model_result.h"

#include <filesystem>

namespace attnlab::ui {

/// Runs the model. Where `before` began with the same tokens, their numbers are taken from it. Throws Error and
/// Cancelled.
ModelResultPtr computeModel(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                            const ModelResultPtr& before, const RunControl& control);

} // namespace attnlab::ui
