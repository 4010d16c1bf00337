// How the keys of a heatmap move its cursor.
#pragma once

#include "ui/view_state.h"

#include <cstdint>
#include <optional>

namespace attnlab::ui {

/// How far a key moves the cursor: rows and columns, `page` rows for Page Up and Down. Nothing for other keys.
std::optional<Cell> cursorStep(int key, int page, std::int64_t columns);

} // namespace attnlab::ui
