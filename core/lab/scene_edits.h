// Changes of a scene that concern more than one of its numbers.
#pragma once

#include "core/lab/scene.h"

namespace attnlab::lab {

/// As the last one, with an id of its own and, for `another_scale`, the first scale that no setting has; else the first
/// simple mask that none has.
SceneSetting new_setting(const Scene& scene, bool another_scale);

/// A scene with a draw, with so many keys; `queries_too`: and queries, where there are as many. Masks that were made
/// for other sizes are cut, or extended by kept cells.
Scene with_keys(Scene scene, std::int64_t keys, bool queries_too);

} // namespace attnlab::lab
