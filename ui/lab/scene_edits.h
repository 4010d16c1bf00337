// Changes of a scene that concern more than one of its numbers.
#pragma once

#include "core/lab/scene.h"

namespace attnlab::ui {

/// As the last one, with an id of its own and, for `another_scale`, the first scale that no setting has; else the first
/// simple mask that none has.
lab::SceneSetting newSetting(const lab::Scene& scene, bool another_scale);

/// A scene with a draw, with so many keys; `queries_too`: and queries, where there are as many. Masks that were made
/// for other sizes are cut, or extended by kept cells.
lab::Scene withKeys(lab::Scene scene, std::int64_t keys, bool queries_too);

} // namespace attnlab::ui
