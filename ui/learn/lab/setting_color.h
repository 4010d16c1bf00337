// One colour for one setting, in every lesson and lab.
#pragma once

#include "core/lab/scene.h"

#include <vector>

namespace attnlab::ui {

/// An index of seriesColor() for each setting: the colour of its scale. Where another setting has that colour, a free
/// one, if possible of a scale that is seldom compared.
std::vector<int> settingColors(const lab::Scene& scene);

} // namespace attnlab::ui
