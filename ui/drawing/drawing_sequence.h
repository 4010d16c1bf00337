// A sequence of drawings, played in the window or written as an animation.
#pragma once

#include "ui/drawing/drawing.h"

#include <functional>
#include <memory>

namespace attnlab::ui {

struct DrawingSequence {
    int count = 0;
    /// Drawing 0 .. count - 1. May be called from any thread, but not concurrently.
    std::function<std::shared_ptr<const Drawing>(int index)> at;
};

} // namespace attnlab::ui
