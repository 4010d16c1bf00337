#include "ui/export/print.h"

#include "core/message.h"

#include <QPainter>
#include <QPrinter>

#include <algorithm>

namespace attnlab::ui {

void printFigure(QPrinter& printer, const Figure& figure, FigureOptions options) {
    options.dark = options.transparent = false;
    options.size_points = printer.pageRect(QPrinter::Point).size();
    checkFigure(options); // before a page is begun
    printer.setDocName(options.title);
    QPainter painter;
    if (!painter.begin(&printer))
        throw Error(ATTNLAB_TEXT("The printer, or the file to print to, cannot be opened"));
    const double dots = printer.resolution() / points_per_inch;
    painter.scale(dots, dots);
    paintFigure(painter, figure, options);
    if (!painter.end() || printer.printerState() == QPrinter::Error)
        throw Error(ATTNLAB_TEXT("Printing failed"));
}

} // namespace attnlab::ui
