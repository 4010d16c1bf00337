// The arithmetic of one cell's number.
#pragma once

#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/card.h"

#include <vector>

class QAction;
class QLabel;

namespace attnlab::ui {

/// The arithmetic of a cell, with long sums folded; a hint if there is no cell.
class CellCard : public Card {
    Q_OBJECT
public:
    explicit CellCard(QWidget* parent = nullptr);

    /// `place` is the position of the cell, shown beside its title.
    void setCell(const QString& title, const QString& place, std::vector<ArithmeticLine> lines);
    void setNoCell();

    /// Empty if there is a cell.
    QString hint() const;
    /// Heading and arithmetic as plain text for copying. Empty without arithmetic.
    QString arithmeticText() const;
    /// Copies it.
    QAction* copyAction() const { return copy_; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void findFonts();
    void render();
    void renderTerms();
    int termsWidth() const;
    void copy() const;

    std::vector<ArithmeticLine> lines_;
    bool all_parts_ = false; ///< the long sum is unfolded
    QLabel* hint_;
    QLabel* terms_;
    QLabel* steps_;
    QAction* copy_;
};

} // namespace attnlab::ui
