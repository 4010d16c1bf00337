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

/// The part of a picture that a model reads, as parts of its height and width.
struct PictureRegion {
    double top = 0.0, left = 0.0, height = 1.0, width = 1.0;
};
struct PreparedPicture {
    Pixels pixels = {};
    PictureRegion region = {};
};

/// Gives a model that reads images of any size, as DINOv2, that of preprocessor_config.json in its folder. Throws
/// Error.
void fit_to_preprocessor(Description& description, const std::filesystem::path& folder);

/// Resizes, cuts, rescales and normalizes as preprocessor_config.json of the model's folder says, or the
/// image_processor of processor_config.json; as ViT does without one. Throws Error for settings that are not known.
PreparedPicture prepare(const Picture& picture, const Patches& patches, const std::filesystem::path& folder);
/// The same for an image among tokens. Throws Error without preprocessor_config.json or processor_config.json, too.
PreparedPicture prepare(const Picture& picture, const ImageTokens& tokens, const std::filesystem::path& folder);

} // namespace attnlab::model
