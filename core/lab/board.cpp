#include "core/lab/board.h"

#include "core/stages/mask.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace attnlab::lab {
namespace {

constexpr auto boards = [] {
    constexpr std::array<std::string_view, static_cast<std::size_t>(BoardKind::FirstExhibit)> first = {
        "matrices", "scale_lab", "mask_lab", "step_through", "arrows", "costs"};
    std::array<std::string_view, first.size() + exhibits::ids.size()> all;
    std::ranges::copy(exhibits::ids, std::ranges::copy(first, all.begin()).out);
    return all;
}();
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

namespace {

SceneSetting setting(const char* id) {
    SceneSetting result;
    result.id = id;
    return result;
}

Scene scale_scene() {
    Scene scene;
    scene.draw = RandomInputs{.L = 10, .S = 10, .E = 64, .Ev = 4, .seed = 7};
    for (const char* scale : {"none", "sqrt_dk", "cbrt_dk", "dk"}) {
        scene.settings.push_back(setting(scale));
        scene.settings.back().spec.scale.id = scale;
    }
    return scene;
}

Scene mask_scene() {
    Scene scene;
    scene.draw = RandomInputs{.L = 8, .S = 8, .E = 16, .Ev = 4, .seed = 3};
    scene.query_tokens = {"the", "cat", "drank", "milk", "because", "it", "was", "sweet"};
    scene.settings.push_back(setting("none"));
    scene.settings.push_back(setting("causal"));
    scene.settings.back().spec.masks = {parse_mask("causal")};
    // The first token is padding: its own row has no key left, and a finite fill makes it attend to everything.
    scene.settings.push_back(setting("padded"));
    auto& padded = scene.settings.back();
    padded.spec.masks = {parse_mask("causal"), parse_mask("key_padding")};
    padded.spec.mask_fill.value = -1e9;
    Tensor padding({1, 8}, 0.0, DType::Bool);
    padding.set({0, 0}, 1.0);
    padded.tensors["key_padding_mask"] = padding;
    return scene;
}

} // namespace

Scene free_lab_scene(BoardKind board) { return board == BoardKind::MaskLab ? mask_scene() : scale_scene(); }

BoardSpec free_lab_view(BoardKind board) {
    BoardSpec view;
    view.board = board;
    view.live = {BoardControl::E,     BoardControl::S,    BoardControl::Draw, BoardControl::Distribution,
                 BoardControl::Stage, BoardControl::Head, BoardControl::Cells};
    if (board == BoardKind::MaskLab) {
        view.show = {BoardPart::Scores, BoardPart::Additive, BoardPart::Rows, BoardPart::Leak};
        view.live.insert({BoardControl::Masks, BoardControl::Fill, BoardControl::Precision, BoardControl::Token});
    } else {
        view.show = {BoardPart::Histogram, BoardPart::Numbers, BoardPart::Curve};
        view.live.insert(BoardControl::Scale);
        view.axis =
            HistogramAxis{-30.0, 30.0}; // stays while d moves: an axis as wide as the scores would hide the growth
    }
    return view;
}

} // namespace attnlab::lab
