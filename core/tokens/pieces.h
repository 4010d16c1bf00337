// A text on its way through a tokenizer: parts of it, some of which are tokens already.
#pragma once

#include "core/tokens/aligned_text.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace attnlab::tokens {

struct Piece {
    AlignedText text;
    std::optional<std::int64_t> added; ///< the id of the added token that this is
};
using Pieces = std::vector<Piece>;

/// Replaces each piece that is no token by the texts that `split(text)` makes of it; empty ones go.
template <class Split>
void split_pieces(Pieces& pieces, Split split) {
    Pieces parts;
    parts.reserve(pieces.size());
    for (auto& piece : pieces) {
        if (piece.added) {
            parts.push_back(std::move(piece));
            continue;
        }
        for (auto& part : split(piece.text))
            if (!part.empty())
                parts.push_back({std::move(part), {}});
    }
    pieces = std::move(parts);
}

} // namespace attnlab::tokens
