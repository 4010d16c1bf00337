// Arithmetic as rich text in the colours of the theme.
#pragma once

#include "ui/panels/inspector/arithmetic.h"

class QFontMetrics;

namespace attnlab::ui {

/// The lines without parts as a table of two columns; may be empty.
QString tableHtml(const std::vector<ArithmeticLine>& lines);

/// Breaks only between words: a rich text label would also break inside "(1.83·1.33)".
QStringList wrappedLines(const QString& text, int width, const QFontMetrics& metrics);

} // namespace attnlab::ui
