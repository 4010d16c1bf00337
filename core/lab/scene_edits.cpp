#include "core/lab/scene_edits.h"

#include "core/edit/painted_mask.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab::lab {
namespace {

std::string free_id(const Scene& scene) {
    for (int number = 1;; ++number) {
        std::string id = "setting_" + std::to_string(number);
        if (std::ranges::find(scene.settings, id, &SceneSetting::id) == scene.settings.end())
            return id;
    }
}

std::string scale_name_of(const AttentionSpec& spec) {
    try {
        return effective_scale(spec).id;
    } catch (const Error&) {
        return spec.scale.id;
    }
}

/// Resizes rows to `columns` numbers, padded with 0.
Tensor with_columns(const Tensor& tensor, std::int64_t columns) {
    auto shape = tensor.shape();
    const auto before = shape.back();
    shape.back() = columns;
    Tensor result(shape, 0.0, tensor.dtype());
    const auto rows = before == 0 ? 0 : tensor.size() / before;
    const auto values = result.mutable_values();
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t j = 0; j < std::min(before, columns); ++j)
            values[static_cast<std::size_t>(row * columns + j)] = tensor.value(row * before + j);
    return result;
}

} // namespace

Scene with_keys(Scene scene, std::int64_t keys, bool queries_too) {
    if (!scene.draw)
        return scene;
    if (queries_too && scene.draw->L == scene.draw->S)
        scene.draw->L = keys;
    scene.draw->S = keys;
    for (auto& setting : scene.settings) {
        if (auto padding = setting.tensors.find("key_padding_mask"); padding != setting.tensors.end())
            padding->second = with_columns(padding->second, keys);
        if (auto lens = setting.tensors.find("valid_lens"); lens != setting.tensors.end())
            for (double& length : lens->second.mutable_values())
                length = std::min(length, static_cast<double>(keys));
        if (auto painted = setting.tensors.find(painted_mask::array_name); painted != setting.tensors.end())
            painted->second = painted_mask::fitted(painted->second, 1, 1, scene.draw->L, keys);
    }
    return scene;
}

SceneSetting new_setting(const Scene& scene, bool another_scale) {
    SceneSetting setting = scene.settings.back();
    setting.id = free_id(scene);
    const auto taken = [&](const auto& is_same) { return std::ranges::any_of(scene.settings, is_same); };
    if (another_scale) {
        for (const auto& mode : scale_modes())
            if (!taken([&](const SceneSetting& one) { return scale_name_of(one.spec) == mode.id; })) {
                setting.spec.scale = {std::string(mode.id), {}};
                return setting;
            }
        return setting;
    }
    for (const char* text : {"", "causal", "window:3", "prefix:2", "causal:bottom_right"}) {
        const auto masks = *text ? std::vector{parse_mask(text)} : std::vector<Selection>();
        if (!taken([&](const SceneSetting& one) { return one.spec.masks == masks; })) {
            setting.spec.masks = masks;
            return setting;
        }
    }
    return setting;
}

} // namespace attnlab::lab
