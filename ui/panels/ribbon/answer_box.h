// The quiet box around an answer.
#pragma once

#include <QWidget>

namespace attnlab::ui {

class AnswerBox : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
};

} // namespace attnlab::ui
