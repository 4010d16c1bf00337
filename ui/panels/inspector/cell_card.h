// The arithmetic of one cell's number.
#pragma once

#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/card.h"

#include <vector>

class QAction;
class QLabel;

namespace attnlab::ui {

class Ladder;

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
    Ladder* ladder() const { return ladder_; }

private:
    QString heading() const;
    void copy() const;

    std::vector<ArithmeticLine> lines_;
    QString name_;
    QLabel* hint_;
    QLabel* place_;
    Ladder* ladder_;
    QAction* copy_;
};

} // namespace attnlab::ui
