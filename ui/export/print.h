// Figures on paper.
#pragma once

#include "ui/drawing/figure.h"

class QPrinter;

namespace attnlab::ui {

/// Prints it on a page, in light colours, as large as the paper allows; the size of the options does not count. Throws
/// attnlab::Error, also where the printer or its file cannot be opened.
void printFigure(QPrinter& printer, const Figure& figure, FigureOptions options);

} // namespace attnlab::ui
