// A visible heatmap, and mouse events for it.
#pragma once

#include "tests/tensor_numbers.h"
#include "ui/matrix/heatmap_view.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include <limits>

namespace attnlab::ui {

inline const ColorScale unit{&colormap("viridis"), 0.0, 1.0, false};
inline const QStringList tokens{"The", "cat", "drank", "the", "milk", "because", "it", "was", "sweet"};

inline MatrixData ramp(std::int64_t rows, std::int64_t columns) {
    MatrixData matrix;
    matrix.values = Tensor({rows, columns});
    auto values = matrix.values.mutable_values();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    matrix.row_title = "query token";
    matrix.column_title = "key token";
    return matrix;
}

inline MatrixData causal() {
    MatrixData matrix = ramp(9, 9);
    matrix.row_labels = matrix.column_labels = tokens;
    matrix.blocked = Tensor({9, 9}, 0.0, DType::Bool);
    for (std::int64_t row = 0; row < 9; ++row)
        for (std::int64_t column = row + 1; column < 9; ++column)
            matrix.blocked.set({row, column}, 1.0);
    return matrix;
}

/// A visible view with a matrix.
struct Shown {
    explicit Shown(MatrixData matrix, QSize size = QSize(700, 600), const ColorScale& scale = unit) {
        view.resize(size);
        view.setMatrix(std::move(matrix), scale);
        view.show();
        QCoreApplication::processEvents();
    }
    QPoint at(Cell cell) const { return view.cellRect(cell).center().toPoint(); }
    void wheel(QPointF position, int steps) {
        QWheelEvent event(position, view.mapToGlobal(position), {}, QPoint(0, 120 * steps), Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    void move(QPoint position, Qt::MouseButtons buttons = Qt::NoButton) {
        QMouseEvent event(QEvent::MouseMove, position, view.mapToGlobal(position), Qt::NoButton, buttons, {});
        QCoreApplication::sendEvent(&view, &event);
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(&view, button, {}, from);
        move(from + (to - from) / 2, button);
        move(to, button);
        QTest::mouseRelease(&view, button, {}, to);
    }
    HeatmapView view;
};

} // namespace attnlab::ui
