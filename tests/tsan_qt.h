// For tests of the window under ThreadSanitizer.
#pragma once

namespace attnlab::test {

/// Makes data that another thread passed to Qt before this call visible after it.
void takeWhatQtHandsOver();

} // namespace attnlab::test
