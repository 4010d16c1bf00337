// One colour for one setting, in every lesson and lab.
#pragma once

#include "core/lab/scene.h"

#include <vector>

namespace attnlab::ui {

/// Of seriesColor(), one for each setting: that of its scale, or a free one, of a scale that is seldom
/// compared if possible, where another setting has that.
std::vector<int> settingColors(const lab::Scene& scene);

} // namespace attnlab::ui
