// Changes of a scene that affect several of its parts.
#pragma once

#include "core/lab/scene.h"

namespace attnlab::lab {

/// A copy of the last setting with a new id and, for `another_scale`, the first scale that no setting has; else the
/// first simple mask that none has.
SceneSetting new_setting(const Scene& scene, bool another_scale);

/// A scene with a draw of `keys` keys, and with `queries_too` of as many queries where their numbers were equal. Masks
/// of other sizes are cropped or padded with kept cells.
Scene with_keys(Scene scene, std::int64_t keys, bool queries_too);

} // namespace attnlab::lab
