#include "core/lab/board.h"

#include <array>

namespace attnlab::lab {
namespace {

constexpr std::array<std::string_view, 11> boards = {"matrices", "scale_lab",  "mask_lab",   "step_through",
                                                     "tiles",    "page_table", "page_reads", "buckets",
                                                     "curve",    "arrows",     "costs"};
constexpr std::array<std::string_view, 9> parts = {"histogram", "numbers", "curve",    "scores", "additive",
                                                   "rows",      "leak",    "measures", "output"};
constexpr std::array<std::string_view, 17> controls = {"E",    "S",         "draw",   "distribution", "scale",  "masks",
                                                       "fill", "precision", "cells",  "token",        "query",  "stage",
                                                       "head", "steps",     "groups", "context",      "readers"};
constexpr std::array<std::string_view, 2> sizes = {"E", "S"};

} // namespace

template <>
std::span<const std::string_view> ids_of<BoardKind>() {
    return boards;
}
template <>
std::span<const std::string_view> ids_of<BoardPart>() {
    return parts;
}
template <>
std::span<const std::string_view> ids_of<BoardControl>() {
    return controls;
}
template <>
std::span<const std::string_view> ids_of<DrawSize>() {
    return sizes;
}
template <>
std::span<const std::string_view> ids_of<CurveMeasure>() {
    return measure_ids();
}

std::vector<Card> cards_of(const BoardSpec& view, const Scene& scene) {
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
