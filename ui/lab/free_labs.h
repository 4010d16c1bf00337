// What the labs begin with when they are no part of a lesson: everything may be changed.
#pragma once

#include "core/lab/board.h"

namespace attnlab::ui {

enum class FreeLab { Scale, Mask };

lab::Scene freeLabScene(FreeLab lab);
lab::BoardView freeLabView(FreeLab lab);

} // namespace attnlab::ui
