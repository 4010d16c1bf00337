#include "ui/panels/inspector/ladder.h"

#include "ui/panels/inspector/rung.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/remove_later.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int between_rungs = 3, ladder_narrowest = 120, ladder_usual = 280;

} // namespace

Ladder::Ladder(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::List);
    declareKeys(*this, {tr("Arithmetic of a cell"),
                        {{tr("Up, Down"), tr("Go from line to line")},
                         {tr("Space, Enter"), tr("Show every term of a long sum")}}});
    // Not Fixed: the height of sizeHint(), which is for another width, would be the largest one.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Arithmetic of the cell"));
}

void Ladder::setLines(const std::vector<ArithmeticLine>& lines) {
    std::size_t count = 0;
    ArithmeticLine terms;
    QStringList spoken;
    for (const auto& line : lines) {
        if (!line.parts.isEmpty()) {
            terms = line;
            continue;
        }
        if (count == rungs_.size()) {
            rungs_.push_back(new Rung(this));
            rungs_.back()->setUnfolded(unfolded_);
            rungs_.back()->show();
        }
        rungs_[count]->setLine(line, std::exchange(terms, {}));
        spoken << rungs_[count++]->accessibleName();
    }
    for (; rungs_.size() > count; rungs_.pop_back())
        removeLater(rungs_.back());
    setAccessibleName(spoken.isEmpty() ? tr("Arithmetic of the cell")
                                       : tr("Arithmetic of the cell: %1").arg(spoken.join(QStringLiteral("; "))));
    setCurrent(current_);
    alignNames();
    updateGeometry();
    place();
}

/// A very long name does not push the others aside.
void Ladder::alignNames() {
    int column = 0;
    for (const auto* rung : rungs_)
        if (rung->nameWidth() <= fontMetrics().averageCharWidth() * 12)
            column = std::max(column, rung->nameWidth());
    for (auto* rung : rungs_)
        rung->setNameColumn(column);
}

void Ladder::setUnfolded(bool unfolded) {
    unfolded_ = unfolded;
    for (auto* rung : rungs_)
        rung->setUnfolded(unfolded);
    updateGeometry();
    place();
}

void Ladder::setCurrent(int index) {
    current_ = std::clamp(index, 0, std::max(0, static_cast<int>(rungs_.size()) - 1));
    for (int i = 0; i < static_cast<int>(rungs_.size()); ++i)
        rungs_[static_cast<std::size_t>(i)]->setCurrent(hasFocus() && i == current_);
    const bool has_rung = hasFocus() && !rungs_.empty();
    const QString words = has_rung ? rungs_[static_cast<std::size_t>(current_)]->accessibleName() : QString();
    if (words != accessibleDescription())
        setAccessibleDescription(words);
}

int Ladder::heightForWidth(int width) const {
    int height = 0;
    for (const auto* rung : rungs_)
        height += rung->heightForWidth(width) + between_rungs;
    return std::max(0, height - between_rungs);
}

QSize Ladder::sizeHint() const { return {ladder_usual, heightForWidth(ladder_usual)}; }
QSize Ladder::minimumSizeHint() const { return {ladder_narrowest, 0}; }

void Ladder::place() {
    int top = 0;
    for (auto* rung : rungs_) {
        rung->setGeometry(0, top, width(), rung->heightForWidth(width()));
        top += rung->height() + between_rungs;
    }
}

void Ladder::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void Ladder::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    alignNames();
    updateGeometry();
    place();
}

void Ladder::mousePressEvent(QMouseEvent* event) {
    for (int i = 0; i < static_cast<int>(rungs_.size()); ++i) {
        const auto* rung = rungs_[static_cast<std::size_t>(i)];
        if (!rung->geometry().contains(event->position().toPoint()))
            continue;
        setCurrent(i);
        if (rung->hasParts() && event->button() == Qt::LeftButton)
            return setUnfolded(!unfolded_);
    }
    QWidget::mousePressEvent(event);
}

void Ladder::keyPressEvent(QKeyEvent* event) {
    const bool has_rung = !rungs_.empty();
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        setCurrent(current_ + (event->key() == Qt::Key_Up ? -1 : 1));
    } else if (has_rung && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) &&
               std::ranges::any_of(rungs_, &Rung::hasParts)) {
        setUnfolded(!unfolded_);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void Ladder::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    setCurrent(current_);
}

void Ladder::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    setCurrent(current_);
}

} // namespace attnlab::ui
