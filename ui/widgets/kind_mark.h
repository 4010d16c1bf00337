// The sign of a message: i in a disc, ! in a triangle, × in an octagon.
#pragma once

#include "ui/widgets/message_bar.h"

#include <QColor>
#include <QWidget>

namespace attnlab::ui {

class KindMark : public QWidget {
public:
    using QWidget::QWidget;

    void setKind(MessageBar::Kind kind);
    void setColors(const QColor& sign, const QColor& cut_out);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MessageBar::Kind kind_ = MessageBar::Kind::Notice;
    QColor sign_, cut_out_;
};

} // namespace attnlab::ui
