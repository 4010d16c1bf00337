// The initial state of labs outside lessons: everything may be changed.
#pragma once

#include "core/lab/board.h"

namespace attnlab::lab {

/// `board` is ScaleLab or MaskLab.
Scene free_lab_scene(BoardKind board);
BoardSpec free_lab_view(BoardKind board);

} // namespace attnlab::lab
