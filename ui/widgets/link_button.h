// A button that looks like a link.
#pragma once

#include <QAbstractButton>

namespace attnlab::ui {

/// One stop of Tab, unlike a label with a link, which takes the focus for its text as well.
class LinkButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit LinkButton(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace attnlab::ui
