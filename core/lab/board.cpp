#include "core/lab/board.h"

namespace attnlab::lab {

std::vector<Card> cards_of(const BoardView& view, const Scene& scene) {
    auto cards = view.cards;
    if (cards.empty())
        for (const auto& setting : scene.settings)
            cards.push_back({setting.id, setting.id, {}});
    for (auto& card : cards)
        if (card.stage.empty())
            card.stage = view.stage;
    return cards;
}

} // namespace attnlab::lab
