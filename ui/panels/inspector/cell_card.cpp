#include "ui/panels/inspector/cell_card.h"

#include "ui/panels/inspector/ladder.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

CellCard::CellCard(QWidget* parent)
    : Card(parent), hint_(mutedLabel(this)), place_(mutedLabel(this)), ladder_(new Ladder(this)),
      copy_(new QAction(this)) {
    hint_->setWordWrap(true);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QFont small = place_->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    place_->setFont(small);
    body()->setSpacing(4);
    for (QWidget* widget : std::initializer_list<QWidget*>{hint_, place_, ladder_})
        body()->addWidget(widget);
    connect(copy_, &QAction::triggered, this, &CellCard::copy);
    hint_->setText(tr("Point at a cell to see how its number came about. Click it, or press Enter on it, to pin it."));
    copy_->setText(tr("Copy the arithmetic"));
    // Finding the fonts of symbols takes most of a frame when they are first painted: done in advance.
    fontMetrics().horizontalAdvance(QStringLiteral("Σ√÷·−→‖≤…"));
    setNoCell();
}

void CellCard::setCell(const Name& name, const QString& place, std::vector<ArithmeticLine> lines) {
    lines_ = std::move(lines);
    name_ = name.full;
    setTitle(heading());
    setAside(name.brief, name.full);
    place_->setText(place);
    ladder_->setLines(lines_);
    copy_->setEnabled(!lines_.empty());
    showWithin(hint_, false);
    showWithin(place_, true);
    showWithin(ladder_, !lines_.empty());
}

void CellCard::setNoCell() {
    lines_.clear();
    name_.clear();
    setTitle(tr("Cell"));
    setAside({});
    place_->clear();
    ladder_->setLines({});
    copy_->setEnabled(false);
    showWithin(hint_, true);
    showWithin(place_, false);
    showWithin(ladder_, false);
}

/// Says how a number came about only where the lines do.
QString CellCard::heading() const {
    const auto answer = std::ranges::find_if(lines_, &ArithmeticLine::answer);
    if (answer == lines_.end())
        return lines_.empty() ? tr("Cell") : tr("How the weight came about");
    const bool explained =
        lines_.front().step != ArithmeticLine::Step::Value && (lines_.size() > 1 || !answer->expression.isEmpty());
    return (explained ? tr("How %1 came about") : tr("The number %1")).arg(answer->value_text);
}

QString CellCard::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

QString CellCard::place() const { return place_->text(); }

QString CellCard::arithmeticText() const {
    return lines_.empty() ? QString() : QStringLiteral("%1 (%2)\n%3\n").arg(name_, place(), plainText(lines_));
}

void CellCard::copy() const {
    if (!lines_.empty())
        QApplication::clipboard()->setText(arithmeticText());
}

} // namespace attnlab::ui
