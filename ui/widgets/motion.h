// Whether things may move on the screen.
#pragma once

namespace attnlab::ui {

/// True if the user asked for it with setReducedMotion(), or the platform shows no animations: whatever would move or
/// fade then changes at once.
bool reducedMotion();
void setReducedMotion(bool reduced);

} // namespace attnlab::ui
