// Shows a Drawing in the window.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/widgets/accessible.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace attnlab::ui {

/// Paints a drawing over its whole area, which is at least the drawing's smallest size (put it into a scroll area). A
/// tooltip describes the position of the mouse.
class DrawingCanvas : public QWidget, public AccessibleTable {
    Q_OBJECT
public:
    /// `margin`: around the drawing.
    explicit DrawingCanvas(QWidget* parent = nullptr, int margin = 4);

    /// `drawing` must outlive the canvas or the next call; null: an empty canvas.
    void setDrawing(const Drawing* drawing);
    /// The drawing has changed.
    void refresh();
    /// The area of the drawing.
    QRectF area() const;
    QString textAt(const QPointF& position) const;

    int tableRows() const override;
    int tableColumns() const override;
    QString tableRowName(int row) const override;
    QString tableColumnName(int column) const override;
    QString tableCellText(int row, int column) const override;
    QRect tableCellRect(int row, int column) const override;
    std::optional<std::pair<int, int>> tableCursor() const override;
    void pressTableCell(int row, int column) override;

    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

signals:
    void pointed(std::optional<QPointF> position);
    void clicked(QPointF position);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QSize smallestIn(int width) const;
    const DrawnTable* table() const { return drawing_ ? drawing_->drawnTable() : nullptr; }

    int margin_;
    const Drawing* drawing_ = nullptr;
    std::optional<std::pair<int, int>> marked_; ///< as last said
};

} // namespace attnlab::ui
