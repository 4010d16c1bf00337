#include "ui/learn/lab_scenes.h"

#include <limits>

namespace attnlab::ui {
namespace {

lab::SceneSetting scaled(const char* id, const char* mode) {
    lab::SceneSetting setting;
    setting.id = id;
    setting.spec.scale.id = mode;
    return setting;
}

/// Four scales on one draw.
LabScene scaleLab() {
    LabScene lab;
    lab.scene.draw = lab::Draw();
    lab.scene.settings = {scaled("none", "none"), scaled("sqrt_dk", "sqrt_dk"), scaled("cbrt_dk", "cbrt_dk"),
                          scaled("dk", "dk")};
    lab.view.board = "scale_lab";
    lab.view.show = {"histogram", "numbers", "curve"};
    lab.view.live = {"E", "S", "draw", "distribution", "scale"};
    return lab;
}

lab::SceneSetting masked(const char* id, double fill, lab::Precision precision) {
    lab::SceneSetting setting;
    setting.id = id;
    setting.spec.masks = {{"causal", {}}};
    setting.spec.mask_fill.value = fill;
    setting.precision = precision;
    return setting;
}

/// One sequence, two fills.
LabScene maskLab() {
    constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
    LabScene lab;
    lab.scene.draw = lab::Draw{6, 6, 8, 4, lab::Distribution::Normal, 3};
    lab.scene.settings = {masked("infinite", minus_infinity, lab::Precision::Float64),
                          masked("finite", -1e9, lab::Precision::Float32)};
    lab.view.board = "mask_lab";
    lab.view.show = {"scores", "additive", "rows", "leak"};
    lab.view.live = {"draw", "masks", "fill", "precision", "cells", "token"};
    return lab;
}

} // namespace

LabScene labScene(const QString& board) { return board == QLatin1String("mask_lab") ? maskLab() : scaleLab(); }

} // namespace attnlab::ui
