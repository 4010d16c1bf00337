// Shows a part of a card in the window.
#pragma once

#include "ui/drawing/drawing_canvas.h"
#include "ui/learn/lab/part.h"

namespace attnlab::ui {

class PartView : public DrawingCanvas {
    Q_OBJECT
public:
    explicit PartView(QWidget* parent = nullptr);

    void setPart(PartPtr part);
    const PartPtr& part() const { return part_; }

signals:
    void rowClicked(int row);

private:
    PartPtr part_;
};

} // namespace attnlab::ui
