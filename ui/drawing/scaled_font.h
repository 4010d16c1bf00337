#pragma once

#include <QFont>

namespace attnlab::ui {

/// `font` at `factor` times its size, in whichever unit it is given; pixel sizes are rounded, to at least 1.
QFont scaledFont(QFont font, double factor);

} // namespace attnlab::ui
