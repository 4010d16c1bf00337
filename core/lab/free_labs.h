// What the labs begin with when they are no part of a lesson: everything may be changed.
#pragma once

#include "core/lab/board.h"

namespace attnlab::lab {

/// `board` is ScaleLab or MaskLab.
Scene free_lab_scene(BoardKind board);
BoardSpec free_lab_view(BoardKind board);

} // namespace attnlab::lab
