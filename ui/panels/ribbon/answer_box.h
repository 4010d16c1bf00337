// The quiet box around an answer.
#pragma once

#include <QWidget>

namespace attnlab::ui {

/// Asks for the width of a usual answer, whatever the present one is.
class AnswerBox : public QWidget {
public:
    using QWidget::QWidget;

    QSize sizeHint() const override { return sizeFor(usual_letters); }
    QSize minimumSizeHint() const override { return sizeFor(fewest_letters); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr int usual_letters = 48, fewest_letters = 24;
    QSize sizeFor(int letters) const;
};

} // namespace attnlab::ui
