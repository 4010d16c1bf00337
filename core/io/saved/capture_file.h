// The metadata by which a .safetensors file is a capture (core/capture/capture.h).
#pragma once

#include "core/capture/capture.h"

#include <string_view>

namespace attnlab::io {

/// The key of the metadata whose text describes the passes, as JSON.
inline constexpr const char* capture_metadata = "attnlab.capture";
inline constexpr std::int64_t capture_schema = 1;

/// `text` describes `tensors`; all shapes are compared with it. Throws Error naming the file, the array and what was
/// expected; Cancelled where `control`, if not null, is.
Capture read_capture(std::string_view text, const std::string& file, TensorMap tensors,
                     const RunControl* control = nullptr);

} // namespace attnlab::io
