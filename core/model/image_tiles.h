// Images that a model reads in several tiles beside the whole: the grid of tiles, and the order of their rows.
#pragma once

#include "core/model/matrix.h"
#include "core/model/model.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {

/// Height and width, or rows and columns.
using Extent = std::pair<std::int64_t, std::int64_t>;

/// The one of `sizes` that loses least of a picture, then wastes least.
Extent best_canvas(const std::vector<Extent>& sizes, const Extent& picture);
/// The size of a picture that keeps its shape within a canvas.
Extent within_canvas(const Extent& canvas, const Extent& picture);
/// The rows and columns of tiles whose shape is closest to that of the picture, `fewest` to `most` of them.
Extent closest_grid(const Extent& picture, const Extent& tile, std::int64_t fewest, std::int64_t most);
/// The size of a picture whose longer side becomes `longest`, as Idefics3 rounds it.
Extent with_longer_side(const Extent& picture, std::int64_t longest);
/// The size in whole tiles of `side`.
Extent in_whole_tiles(const Extent& picture, std::int64_t side);

/// The same with the tiles of `image`. Throws Error where it has other ones than such a model reads.
ImageTiles fitted(const ImageTiles& tiles, const ImageTokens& tokens, const Pixels& image);
/// The tiles of an image, with the whole.
std::int64_t count_of(const ImageTiles& tiles);

/// The rows and columns of the picture: those of the whole where it is alone.
Extent grid_of(const ImageTiles& tiles, const ImageTokens& tokens);
/// For each token of an image the patch of the picture, row by row; -1 for ends of rows and for the whole beside tiles.
std::vector<std::int64_t> patches_of_tokens(const ImageTiles& tiles, const ImageTokens& tokens);
/// The rows of the tokens from those of all tiles: (tokens, width).
Matrix in_order_of_tokens(const ImageTiles& tiles, const ImageTokens& tokens, Matrix rows);
/// The text of an image: `token` for each of its rows, between the texts of its tiles.
std::string written(const ImageTiles& tiles, const ImageTokens& tokens, const std::string& token);

} // namespace attnlab::model
