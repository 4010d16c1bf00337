// The step-through as a board of lessons and labs.
#pragma once

#include "ui/lab/board.h"

namespace attnlab::ui {

/// Walks the row view().query of the setting view().setting, beginning at view().at; the key is that of view().pin. The
/// model must outlive the board.
Board* makeStepBoard(SceneModel& model, QWidget* parent = nullptr);

} // namespace attnlab::ui
