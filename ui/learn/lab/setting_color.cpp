#include "ui/learn/lab/setting_color.h"

#include "core/stages/scale.h"

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
    const auto isFree = [&](int color) { return std::ranges::find(colors, color) == colors.end(); };
    for (std::size_t k = 0; k < colors.size(); ++k) {
        const auto own = std::ranges::find(scale_colors, scaleOf(scene.settings[k].spec), &ScaleColor::scale);
        if (own != std::end(scale_colors) && isFree(own->color))
            colors[k] = own->color;
    }
    for (int& color : colors)
        for (int next = 0; color < 0; ++next)
            if (isFree(next))
                color = next;
    return colors;
}

} // namespace attnlab::ui
