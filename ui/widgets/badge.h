// A word in a frame that says what something is, such as "real model".
#pragma once

#include "ui/widgets/labels.h"

namespace attnlab::ui {

class Badge : public Label {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);

    /// Hidden for an empty text; `tip` says more.
    void say(const QString& text, const QString& tip = {});

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace attnlab::ui
