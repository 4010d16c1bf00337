// One operation of the inspector's arithmetic.
#pragma once

#include "ui/drawing/notation.h"
#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/label.h"

namespace attnlab::ui {

/// A name at the left, what the number is made of, and the number at the right. The accessible name says all of it.
/// What does not fit is elided, or has lines of its own; a long sum can be unfolded to its factors.
class Rung : public Label {
public:
    explicit Rung(QWidget* parent);

    /// `terms` are the addends of the number, if it is a sum.
    void setLine(const ArithmeticLine& line, const ArithmeticLine& terms);
    /// The width of the column of names.
    void setNameColumn(int width);
    void setUnfolded(bool unfolded);
    void setCurrent(bool current); ///< marked for the keyboard

    const ArithmeticLine& line() const { return line_; }
    bool hasParts() const { return !terms_.parts.isEmpty(); }
    /// The terms as painted in one line; empty where they are words.
    QString shownTerms() const;
    /// What is painted at the right.
    QString value() const;

    int nameWidth() const;
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Places;
    Places placesIn(int width) const;
    int termsWidth(int widest) const;
    bool isRemark() const { return line_.step == ArithmeticLine::Step::Remark; }
    QFont nameFont() const;
    QFont valueFont() const;
    Notation termsNotation() const;
    std::vector<Notation> linesIn(int width) const;
    QString wholeText() const;
    void paintTerms(QPainter& painter, const Places& at) const;

    ArithmeticLine line_, terms_;
    int name_column_ = 0;
    bool unfolded_ = false, current_ = false;
};

} // namespace attnlab::ui
