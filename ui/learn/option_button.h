// One answer of a question: a line that can be chosen, and afterwards what the engine measured for it.
#pragma once

#include "ui/learn/card_button.h"

namespace attnlab::ui {

class OptionButton : public CardButton {
    Q_OBJECT
public:
    enum class Mark { None, Right, Wrong }; ///< Wrong: chosen, but not the right one

    explicit OptionButton(const QString& words, QWidget* parent = nullptr);

    void setMark(Mark mark, const QString& measured);
    Mark mark() const { return mark_; }
    QString measured() const { return measured_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString words() const;

    Mark mark_ = Mark::None;
    QString measured_;
};

} // namespace attnlab::ui
