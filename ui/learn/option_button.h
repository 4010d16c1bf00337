// One answer of a question: a line that can be chosen, and then the engine's result for it.
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
    QString measured() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Mark mark_ = Mark::None;
    QLabel* words_;
    QLabel* measured_;
};

} // namespace attnlab::ui
