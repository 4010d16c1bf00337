// A toggle button, for choices that can be combined.
#pragma once

#include <QAbstractButton>

namespace attnlab::ui {

class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace attnlab::ui
