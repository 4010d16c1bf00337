#include "ui/lab/free_labs.h"

#include "core/stages/mask.h"

namespace attnlab::ui {
namespace {

lab::SceneSetting setting(const char* id) {
    lab::SceneSetting result;
    result.id = id;
    return result;
}

lab::Scene scaleScene() {
    lab::Scene scene;
    scene.draw = lab::RandomInputs{.L = 10, .S = 10, .E = 64, .Ev = 4, .seed = 7};
    for (const char* scale : {"none", "sqrt_dk", "cbrt_dk", "dk"}) {
        scene.settings.push_back(setting(scale));
        scene.settings.back().spec.scale.id = scale;
    }
    return scene;
}

lab::Scene maskScene() {
    lab::Scene scene;
    scene.draw = lab::RandomInputs{.L = 8, .S = 8, .E = 16, .Ev = 4, .seed = 3};
    scene.query_tokens = {"the", "cat", "drank", "milk", "because", "it", "was", "sweet"};
    scene.settings.push_back(setting("none"));
    scene.settings.push_back(setting("causal"));
    scene.settings.back().spec.masks = {parse_mask("causal")};
    // The first token is padding: its own row has no key left, and a finite fill makes it read everything.
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

lab::Scene freeLabScene(FreeLab lab) { return lab == FreeLab::Scale ? scaleScene() : maskScene(); }

lab::BoardView freeLabView(FreeLab lab) {
    lab::BoardView view;
    view.live = {"E", "S", "draw", "distribution", "stage", "head", "cells"};
    if (lab == FreeLab::Scale) {
        view.board = "scale_lab";
        view.show = {"histogram", "numbers", "curve"};
        view.live.insert("scale");
    } else {
        view.board = "mask_lab";
        view.show = {"scores", "additive", "rows", "leak"};
        view.live.insert({"masks", "fill", "precision", "token"});
    }
    return view;
}

} // namespace attnlab::ui
