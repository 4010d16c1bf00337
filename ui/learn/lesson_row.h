// One lesson in the list of lessons.
#pragma once

#include "ui/learn/card_button.h"

namespace attnlab::ui {

/// A card that is a button: number, title, summary, and how far the reader got.
class LessonRow : public CardButton {
    Q_OBJECT
public:
    explicit LessonRow(QWidget* parent = nullptr);

    struct Content {
        int number = 0; ///< 0: none
        QString title;
        QString summary;
        int steps = 0;
        int seen = 0;
        int questions = 0;
        int answered = 0;
    };
    void setContent(const Content& content);
    /// "2 of 6 steps · 1 of 3 questions".
    QString progressText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int numberWidth() const;
    int progressWidth() const;
    QFont titleFont() const;
    void paintProgress(QPainter& painter, const QRect& place) const;
    QString doText() const;

    Content content_;
};

} // namespace attnlab::ui
