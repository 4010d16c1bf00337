#include "ui/window/coach_marks.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"
#include "ui/window/workspace_parts.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int around_part = 3, beside_part = 12, least_width = 320;

} // namespace

std::vector<CoachMark> tourOf(MainWindow& window) {
    return {
        {[&window] { return window.workArea()->ribbon(); }, CoachMarks::tr("What a word reads"),
         CoachMarks::tr(
             "Click a word. Arcs show which words it reads, and the box beside them says it. A double click changes "
             "the word.")},
        {[&window] { return window.stageStrip(); }, CoachMarks::tr("From scores to output"),
         CoachMarks::tr(
             "Each picture is one stage of the computation: click one to see it large. Click ÷ √d to change the scale "
             "by a slider, and watch the weights.")},
        {[&window] { return window.matrixPage()->heatmap(); }, CoachMarks::tr("Who reads whom"),
         CoachMarks::tr(
             "A row is a word that reads, a column a word that is read. Point at a cell for its number; click it to "
             "keep it.")},
        {[&window] { return window.findChild<InspectorPanel*>(); }, CoachMarks::tr("Why this number?"),
         CoachMarks::tr("The arithmetic of the chosen cell, line by line, and below it all that the word reads.")},
        {[&window] { return window.heads(); }, CoachMarks::tr("Several heads"),
         CoachMarks::tr(
             "Each head reads in its own way, and says how in two words. The average hides the differences.")},
        {[&window] { return window.findChild<Rail*>(); }, CoachMarks::tr("Places"),
         CoachMarks::tr(
             "Model shows a trained model and which of its heads matter. Lessons explain step by step. The name above "
             "opens more samples, and Inputs has every number. Ctrl+K finds anything.")}};
}

CoachMarks::CoachMarks(QWidget& window, std::vector<CoachMark> marks)
    : QWidget(&window), marks_(std::move(marks)), focus_(window.focusWidget()),
      card_(new PlainCard(QBoxLayout::TopToBottom, this)), title_(new Label), text_(new WrappedLabel),
      count_(mutedLabel(this)), skip_(new QPushButton(tr("Skip"))), back_(new QPushButton(tr("Back"))),
      next_(new RowButton(nullptr, RowButton::Style::Accent)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleRole(*this, QAccessible::Dialog);
    setAccessibleName(tr("Tour"));
    declareShortcuts(*this,
                     {tr("Tour"), {{tr("Enter"), tr("Next")}, {tr("Left"), tr("Back")}, {tr("Escape"), tr("Skip")}}});
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    text_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(count_);
    row->addStretch(1);
    for (QPushButton* button : {skip_, back_, next_})
        row->addWidget(button);
    auto* column = static_cast<PlainCard*>(card_)->content();
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(row);
    connect(skip_, &QPushButton::clicked, this, &QWidget::close);
    connect(back_, &QPushButton::clicked, this, [this] { go(-1); });
    connect(next_, &QPushButton::clicked, this, [this] { go(1); });
    window.installEventFilter(this);
    setGeometry(window.rect());
    show();
    raise();
    go(1);
}

QWidget* CoachMarks::partOf(int mark) const {
    QWidget* part = marks_[static_cast<std::size_t>(mark)].part();
    return part && part->isVisible() && !part->visibleRegion().isEmpty() ? part : nullptr;
}

/// To the next part in sight; closes at the end.
void CoachMarks::go(int by) {
    const int count = static_cast<int>(marks_.size());
    int to = current_ + by;
    while (to >= 0 && to < count && !partOf(to))
        to += by;
    if (to >= count) {
        if (focus_)
            focus_->setFocus();
        close();
        return;
    }
    if (to < 0)
        return;
    current_ = to;
    const auto& mark = marks_[static_cast<std::size_t>(to)];
    title_->setText(mark.title);
    text_->setText(mark.text);
    count_->setText(tr("%1 of %2").arg(to + 1).arg(count));
    back_->setEnabled(to > 0);
    next_->setText(to + 1 < count ? tr("Next") : tr("Done"));
    next_->setAccessibleDescription(words());
    setAccessibleDescription(words());
    place();
    next_->setFocus(Qt::OtherFocusReason);
}

QString CoachMarks::words() const { return tr("%1: %2", "title: text").arg(title_->text(), text_->text()); }

QRect CoachMarks::hole() const {
    const QWidget* part = current_ >= 0 ? partOf(current_) : nullptr;
    if (!part)
        return {};
    const QRect seen = part->visibleRegion().boundingRect();
    return QRect(part->mapTo(parentWidget(), seen.topLeft()), seen.size())
        .adjusted(-around_part, -around_part, around_part, around_part)
        .intersected(rect());
}

/// The card is below the part, above it, or beside it, wherever it has room.
void CoachMarks::place() {
    const int width = std::min(std::max(least_width, 26 * fontMetrics().height()), this->width() - 2 * beside_part);
    card_->setFixedWidth(width);
    card_->layout()->activate();
    const int high = card_->layout()->hasHeightForWidth() ? card_->layout()->totalHeightForWidth(width)
                                                          : card_->layout()->totalSizeHint().height();
    const QRect part = hole();
    QRect at(0, 0, width, high);
    at.moveLeft(part.left());
    if (part.bottom() + beside_part + high <= height())
        at.moveTop(part.bottom() + beside_part);
    else if (part.top() - beside_part - high >= 0)
        at.moveTop(part.top() - beside_part - high);
    else {
        at.moveTop(std::max(beside_part, part.center().y() - high / 2));
        if (part.left() - beside_part - width >= 0)
            at.moveLeft(part.left() - beside_part - width);
        else if (part.right() + beside_part + width <= this->width())
            at.moveLeft(part.right() + beside_part);
        else // within the part
            at.moveTopLeft(part.center() - QPoint(width / 2, high / 2));
    }
    at.moveLeft(std::clamp(at.left(), beside_part, std::max(beside_part, this->width() - width - beside_part)));
    at.moveTop(std::clamp(at.top(), beside_part, std::max(beside_part, height() - high - beside_part)));
    card_->setGeometry(at);
    update();
}

void CoachMarks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath covered;
    covered.addRect(rect());
    const QRectF part = hole();
    QPainterPath open;
    open.addRoundedRect(part, metrics::radius, metrics::radius);
    painter.fillPath(covered.subtracted(open), QColor(0, 0, 0, 110));
    painter.setPen(QPen(theme().accent, metrics::focus_ring));
    painter.drawPath(open);
}

void CoachMarks::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        close();
    else if (event->key() == Qt::Key_Left)
        go(-1);
    else if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        go(1);
    else
        QWidget::keyPressEvent(event);
}

void CoachMarks::mousePressEvent(QMouseEvent* event) { event->accept(); }

bool CoachMarks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
        place();
    }
    return QWidget::eventFilter(watched, event);
}

/// Tab stays in the card.
bool CoachMarks::focusNextPrevChild(bool next) {
    QList<QPushButton*> stops{skip_, back_, next_};
    stops.removeIf([](const QPushButton* button) { return !button->isEnabled(); });
    const auto here = stops.indexOf(qobject_cast<QPushButton*>(focusWidget()));
    stops[(here + (next ? 1 : -1) + stops.size()) % stops.size()]->setFocus(Qt::TabFocusReason);
    return true;
}

} // namespace attnlab::ui
