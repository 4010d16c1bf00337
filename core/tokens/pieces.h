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

inline std::size_t bytes_of(const Pieces& pieces) {
    std::size_t bytes = 0;
    for (const auto& piece : pieces)
        bytes += piece.text.text().size();
    return bytes;
}

/// Replaces each piece that is no token by the texts that `split(text)` makes of it; empty ones go. `split` sees the
/// budget without what the other pieces hold.
template <class Split>
void split_pieces(Pieces& pieces, Budget& budget, Split split) {
    Pieces parts;
    parts.reserve(pieces.size());
    auto bytes = bytes_of(pieces);
    for (auto& piece : pieces) {
        budget.spend(1);
        if (piece.added) {
            parts.push_back(std::move(piece));
            continue;
        }
        auto text = std::move(piece.text); // whose memory is freed once it is split
        bytes -= text.text().size();
        budget.set_beside(bytes, parts.size());
        for (auto& part : split(text))
            if (!part.empty()) {
                bytes += part.text().size();
                parts.push_back({std::move(part), {}});
            }
    }
    budget.set_beside(0, 0);
    pieces = std::move(parts);
}

/// Calls `change(text)` for each piece that is no token.
template <class Change>
void change_pieces(Pieces& pieces, Budget& budget, Change change) {
    auto bytes = bytes_of(pieces);
    for (auto& piece : pieces) {
        budget.spend(1);
        if (piece.added)
            continue;
        bytes -= piece.text.text().size();
        budget.set_beside(bytes, 0);
        change(piece.text);
        bytes += piece.text.text().size();
    }
    budget.set_beside(0, 0);
}

} // namespace attnlab::tokens
