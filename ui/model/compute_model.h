// Runs a model, or reads a capture, in a worker thread, and makes the pictures of its heads.
#pragma once

#include "ui/model/model_result.h"

#include <filesystem>

namespace attnlab::ui {

/// Runs the model. Where `before` began with the same tokens, their numbers are taken from it. Throws Error and
/// Cancelled.
ModelResultPtr computeModel(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                            const ModelResultPtr& before, const RunControl& control);

// The heads of a capture, in a worker thread.

/// More are a file that nobody looks at head by head.
inline constexpr std::int64_t most_captured_heads = std::int64_t{1} << 14;

/// The result for one sequence of the batch. Reads one pass at a time. Throws Error and Cancelled.
ModelResultPtr computeCapture(const CapturePtr& capture, int sequence, const RunControl& control);

/// The sequences that all passes have.
int sequencesOf(const Capture& capture);

} // namespace attnlab::ui
