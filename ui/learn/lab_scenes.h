// What the labs begin with.
#pragma once

#include "core/lab/board.h"

#include <QString>

namespace attnlab::ui {

struct LabScene {
    lab::Scene scene;
    lab::BoardView view;
};

/// For "scale_lab" and "mask_lab"; every control that the board has is live.
LabScene labScene(const QString& board);

} // namespace attnlab::ui
