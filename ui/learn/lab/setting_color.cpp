#include "ui/learn/lab/setting_color.h"

#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <iterator>

namespace attnlab::ui {
namespace {

struct ScaleColor {
    std::string_view scale;
    int color; ///< of seriesColor()
};

/// Scales that are not here have the first free colour.
constexpr ScaleColor scale_colors[] = {{"none", 0},        {"sqrt_dk", 1},  {"dk", 2},         {"cbrt_dk", 3},
                                       {"temperature", 4}, {"pre_norm", 5}, {"score_norm", 6}, {"long_sequence", 7}};

std::string scaleOf(const AttentionSpec& spec) {
    try {
        return effective_scale(spec).id;
    } catch (const Error&) {
        return spec.scale.id;
    }
}

} // namespace

std::vector<int> settingColors(const lab::Scene& scene) {
    std::vector<int> colors(scene.settings.size(), -1);
    const auto is_free = [&](int color) { return std::ranges::find(colors, color) == colors.end(); };
    for (std::size_t k = 0; k < colors.size(); ++k) {
        const auto own = std::ranges::find(scale_colors, scaleOf(scene.settings[k].spec), &ScaleColor::scale);
        if (own != std::end(scale_colors) && is_free(own->color))
            colors[k] = own->color;
    }
    // Rather the colours of scales that are seldom compared than those of others in a lesson.
    constexpr int order[] = {4, 5, 6, 7, 3, 2, 1, 0};
    for (int& color : colors)
        for (std::size_t next = 0; color < 0; ++next)
            if (const int one = next < std::size(order) ? order[next] : static_cast<int>(next); is_free(one))
                color = one;
    return colors;
}

} // namespace attnlab::ui
