// A label that never asks for more room than it is given.
#pragma once

#include "ui/widgets/label.h"

namespace attnlab::ui {

/// One line that ends in "…" where it does not fit, and that may be squeezed to a few letters: what it says moves
/// nothing around it. A tooltip has the whole text while it is cut and no other tooltip is set. Plain text without word
/// wrap; with another setting it is a QLabel.
class ElidedLabel : public Label {
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Where letters go: Qt::ElideRight, unless set.
    void setElideMode(Qt::TextElideMode mode);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// text() as it is painted.
    virtual QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool isPlain() const;
    bool elides() const { return isPlain() && !wordWrap(); }
    QSize sizeFor(int text_width) const;

    Qt::TextElideMode mode_ = Qt::ElideRight;
};

} // namespace attnlab::ui
