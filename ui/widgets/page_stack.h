// Pages that take turns in one place.
#pragma once

#include <QStackedWidget>

namespace attnlab::ui {

/// A QStackedWidget that needs what the page on show needs, not what the largest of all does.
class PageStack : public QStackedWidget {
public:
    explicit PageStack(QWidget* parent = nullptr) : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
    }

    QSize sizeHint() const override { return currentWidget() ? currentWidget()->sizeHint() : QSize(); }
    QSize minimumSizeHint() const override {
        return currentWidget() ? currentWidget()->minimumSizeHint().expandedTo(currentWidget()->minimumSize())
                               : QSize();
    }
};

} // namespace attnlab::ui
