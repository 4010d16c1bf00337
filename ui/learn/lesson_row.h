// One lesson in the list of lessons.
#pragma once

#include "ui/learn/card_button.h"

class QProgressBar;

namespace attnlab::ui {

/// A card that is a button: number, title, summary, and the user's progress.
class LessonRow : public CardButton {
    Q_OBJECT
public:
    explicit LessonRow(QWidget* parent = nullptr);

    struct Content {
        int number = 0; ///< 0 if none
        QString title;
        QString summary;
        int steps = 0;
        int seen = 0;
        int questions = 0;
        int answered = 0;
        bool finished = false; ///< opens at its first step
    };
    void setContent(const Content& content);
    /// "2 of 6 steps · 1 of 3 questions".
    QString progressText() const;
    /// What a click does: "Start", "Continue" or "Again".
    QString nextText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QLabel* number_;
    QLabel* title_;
    QLabel* summary_;
    QWidget* beside_; ///< the user's progress
    QLabel* next_;
    QProgressBar* bar_;
    QLabel* progress_;
};

} // namespace attnlab::ui
