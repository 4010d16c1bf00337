// From the pixels of an image to what a model takes.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace attnlab::model {

/// Red, green and blue of each pixel, row by row.
struct Picture {
    std::int64_t height = 0, width = 0;
    std::vector<std::uint8_t> values;
};

/// Resizes, rescales and normalizes as preprocessor_config.json of the model's folder says; as ViT does without one.
/// Throws Error for settings that are not known.
Pixels prepare(const Picture& picture, const Patches& patches, const std::filesystem::path& folder);

} // namespace attnlab::model
