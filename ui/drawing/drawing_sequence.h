// Drawings that follow each other: what is played in the window and written as an animated picture.
#pragma once

#include "ui/drawing/drawing.h"

#include <functional>
#include <memory>

namespace attnlab::ui {

struct DrawingSequence {
    int count = 0;
    /// Drawing 0 .. count - 1. May be called from any thread, as long as it is one at a time.
    std::function<std::shared_ptr<const Drawing>(int index)> at;
};

} // namespace attnlab::ui
