// Images among the tokens of a text: which tokens stand for an image, and the rows that take their place.
#pragma once

#include "core/model/model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// The same with the grid of `image`, for towers that read images of any size, and with its tiles. Throws Error for an
/// image of another shape than the tower reads.
ImageTokens fitted(const ImageTokens& tokens, const Pixels& image);

/// The rows that take the places of the tokens, then those of ImageTokens::deep: (count, width of the decoder). Throws
/// as fitted(); Cancelled.
std::vector<Matrix> image_rows(const ImageTokens& tokens, const Pixels& image, const RunControl& control);

/// Takes the tokens that end rows of an image from the tokenizer, by the names that Pixtral has for them.
void fit_to_tokenizer(ImageTokens& tokens, const tokens::Tokenizer& tokenizer);

/// Where the tokens of an image stand among those of a text.
struct ImagePlace {
    std::int64_t first = 0, last = 0; ///< with those of row ends between: up to last - 1
    std::int64_t rows = 0, columns = 0;
    std::vector<std::int64_t> positions = {}; ///< of each patch, row by row

    std::int64_t position(std::int64_t row, std::int64_t column) const {
        return positions[static_cast<std::size_t>(row * columns + column)];
    }
};
/// `tokens` are fitted() to the image. Throws Error unless the ids have all tokens of one image, in one piece where
/// there are no texts between tiles.
ImagePlace place_of_image(const ImageTokens& tokens, const std::vector<std::int64_t>& ids);
/// The images of `input`, in the order of the text.
std::vector<const Pixels*> images_of(const Input& input);
/// For each of them. `tokens` are those of the description. Throws as place_of_image(), and for several images where
/// the model reads one.
std::vector<ImagePlace> places_of_images(const ImageTokens& tokens, const Input& input);

/// The place of each token in time, row and column: those of an image share the place in time of its first one, and
/// count rows and columns from there; the text goes on behind the largest of all. Wang et al. 2024, Qwen2-VL.
std::vector<std::array<std::int64_t, 3>> places_of(const std::vector<ImagePlace>& images, std::int64_t count);

/// A text with images as the model's processor in Transformers makes tokens of it: each token that stands for an
/// image is replaced by as many as the image has; where the text has none, the images stand in front. Tokens of
/// images count as special. Throws Error for a text with another number of places, for several images where the model
/// reads one, for a model without a tokenizer, and as the tokenizer; Cancelled.
std::vector<tokens::Token> tokens_with_images(const Model& model, std::string_view text,
                                              const std::vector<const Pixels*>& images, const RunControl& control = {});
std::vector<tokens::Token> tokens_with_image(const Model& model, std::string_view text, const Pixels& image,
                                             const RunControl& control = {});

/// Replaces the labels of the tokens of images in `input` by their rows and columns, "[0,3]"; of the second of several
/// images "[2:0,3]". Nothing without an image.
void label_image(const Model& model, const Input& input, std::vector<std::string>& labels);

} // namespace attnlab::model
