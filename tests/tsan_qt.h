// For tests of the window under ThreadSanitizer.
#pragma once

namespace attnlab::test {

/// What another thread handed over to Qt before this is seen after it.
void takeWhatQtHandsOver();

} // namespace attnlab::test
