// The arithmetic of one cell's number, one operation below the other.
#pragma once

#include "ui/drawing/formula_view.h"
#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"

#include <QWidget>
#include <vector>

namespace attnlab::ui {

/// A name at the left, the expression, and its number at the right. The accessible name contains all three.
/// What does not fit is elided, or has lines of its own; a long sum can be unfolded to its factors.
class ArithmeticStep : public Label {
public:
    explicit ArithmeticStep(QWidget* parent);

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
    /// Of a rung whose terms are beside its name.
    static int heightOfLine(const QFont& font, bool answer);
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
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

/// The way to a number, one operation below the other.
/// A rung for each line of arithmetic; the addends of a sum are part of the rung with their sum. One stop for Tab:
/// the arrow keys go from rung to rung, Space unfolds a sum. Its height follows from its width; it keeps the room of
/// the most rungs it had, so that nothing below moves with another stage or head.
class ArithmeticView : public QWidget {
    Q_OBJECT
public:
    explicit ArithmeticView(QWidget* parent = nullptr);

    void setLines(const std::vector<ArithmeticLine>& lines);
    /// No more room than the present rungs need: for another mechanism.
    void forgetRoom();
    bool isUnfolded() const { return unfolded_; }
    /// From the top.
    const std::vector<ArithmeticStep*>& rungs() const { return rungs_; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setUnfolded(bool unfolded);
    void setCurrent(int index);
    void alignNames();
    void place();

    std::vector<ArithmeticStep*> rungs_;
    std::size_t most_rungs_ = 0; ///< since forgetRoom()
    bool unfolded_ = false;
    int current_ = 0; ///< while it has the focus
};

} // namespace attnlab::ui

// The arithmetic of one cell's number.

class QAction;
class QLabel;

namespace attnlab::ui {

/// "How 0.687 came about": the arithmetic of a cell as a ladder; a hint if there is no cell.
class CellCard : public Card {
    Q_OBJECT
public:
    explicit CellCard(QWidget* parent = nullptr);

    /// "fox → brown", in full and as short as a heading needs it.
    struct Name {
        QString full, brief;
    };
    /// `place` is the position of the cell: "row 3, column 2".
    void setCell(const Name& name, const QString& place, std::vector<ArithmeticLine> lines);
    void setNoCell();

    /// Empty if there is a cell.
    QString hint() const;
    QString place() const;
    /// Name, place and arithmetic as plain text for copying. Empty without arithmetic.
    QString arithmeticText() const;
    /// Copies it.
    QAction* copyAction() const { return copy_; }
    ArithmeticView* ladder() const { return ladder_; }

private:
    QString heading() const;
    void copy() const;

    std::vector<ArithmeticLine> lines_;
    QString name_;
    QLabel* hint_;
    QLabel* place_;
    ArithmeticView* ladder_;
    QAction* copy_;
};

} // namespace attnlab::ui
