// A label that never requires more room than it is given.
#pragma once

#include "ui/widgets/label.h"

namespace attnlab::ui {

/// One line that ends in "…" where it does not fit, and can shrink to a few letters, so that its text does not move
/// other widgets. A tooltip shows the full text when it is cut and no other tooltip is set. For plain text without word
/// wrap; otherwise it behaves as a QLabel.
class ElidedLabel : public Label {
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// The elided side; initially Qt::ElideRight.
    void setElideMode(Qt::TextElideMode mode);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// text() as painted.
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
