#include "ui/plot/cursor_step.h"

#include <qnamespace.h>

namespace attnlab::ui {

std::optional<Cell> cursorStep(int key, int page, std::int64_t columns) {
    switch (key) {
    case Qt::Key_Left:
        return Cell{0, -1};
    case Qt::Key_Right:
        return Cell{0, 1};
    case Qt::Key_Up:
        return Cell{-1, 0};
    case Qt::Key_Down:
        return Cell{1, 0};
    case Qt::Key_PageUp:
        return Cell{-page, 0};
    case Qt::Key_PageDown:
        return Cell{page, 0};
    case Qt::Key_Home:
        return Cell{0, -static_cast<int>(columns)};
    case Qt::Key_End:
        return Cell{0, static_cast<int>(columns)};
    default:
        return std::nullopt;
    }
}

} // namespace attnlab::ui
