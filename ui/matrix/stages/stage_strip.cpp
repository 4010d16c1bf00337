#include "ui/matrix/stages/stage_strip.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/operation_label.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace attnlab::ui {

StageStrip::StageStrip(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), content_(new QWidget(this)), more_(new QToolButton(this)), menu_(new QMenu(this)),
      divider_(new QFrame(content_)), exact_caption_(mutedLabel(content_, true)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    content_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    content_->installEventFilter(this);
    divider_->setFrameShape(QFrame::VLine);
    divider_->hide();
    exact_caption_->hide();
    for (auto*& mark : left_out_) {
        mark = new OperationLabel(content_);
        mark->setText(QStringLiteral("…"));
        mark->hide();
    }
    more_->setAutoRaise(true);
    more_->setCheckable(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(content_, 1);
    layout->addWidget(more_, 0, Qt::AlignVCenter);

    connect(more_, &QToolButton::clicked, this, [this] {
        showChosen(); // the check shows the chosen stage, not the open menu
        menu_->popup(more_->mapToGlobal(QPoint(0, more_->height())));
    });
    connect(&view_, &ViewState::stageChanged, this, [this] {
        if (prefix_ != prefixToShow())
            rebuild(); // another pass of the same trace
        refreshColors();
        showChosen();
        relayout();
    });
    connect(&view_, &ViewState::sliceChanged, this, &StageStrip::rebuild);
    connect(&view_, &ViewState::colorsChanged, this, &StageStrip::refreshColors);
    setAccessibleName(tr("Stages"));
    exact_caption_->setText(tr("exact", "attention, beside an approximation"));
    exact_caption_->setToolTip(
        tr("What exact attention makes of the same query, key and value, and how far off this is"));
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleRole(*more_, QAccessible::ButtonMenu);
    more_->setAccessibleName(tr("More stages"));
    more_->setToolTip(tr("Every stage by name: inputs, masks and summaries too"));
    rebuild();
}

void StageStrip::setLow(bool low) {
    if (low_ == low)
        return;
    low_ = low;
    layout()->setContentsMargins(margin, low ? 2 : margin, margin, low ? 2 : margin);
    updateGeometry();
    relayout();
}

void StageStrip::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    rebuild();
}

QStringList StageStrip::stageNames() const {
    QStringList names;
    for (const auto& item : items_)
        names << QString::fromStdString(item.stage);
    return names;
}

QStringList StageStrip::operations() const {
    QStringList texts;
    for (const auto& item : items_)
        texts << (item.operation->isHidden() ? QString() : item.operation->text());
    return texts;
}

QStringList StageStrip::shownStages() const {
    QStringList names;
    for (const auto& item : items_)
        if (!item.tile->isHidden())
            names << QString::fromStdString(item.stage);
    return names;
}

MatrixTile* StageStrip::tile(const QString& name) const {
    for (const auto& item : items_)
        if (item.stage == name.toStdString())
            return item.tile;
    return nullptr;
}

void StageStrip::addItem() {
    auto* tile = new MatrixTile(content_);
    auto* operation = new OperationLabel(content_);
    tile->installEventFilter(this);
    setAccessibleLabelOf(*operation, *tile); // whose name says the operation too
    tile->show();
    placeForTab(items_.empty() ? content_ : static_cast<QWidget*>(items_.back().tile), tile);
    items_.push_back({{}, tile, operation, {}, {}, false, 0});
    connect(tile, &MatrixTile::clicked, this, [this, tile] {
        for (const auto& item : items_)
            if (item.tile == tile)
                view_.setStage(QString::fromStdString(item.stage));
        showChosen(); // clicking the chosen one must not uncheck it
    });
}

// While the user types, the stages stay the same and only their images change: widgets are kept.
void StageStrip::rebuild() {
    prefix_ = prefixToShow();
    std::vector<const Stage*> steps;
    for (const auto role : {StageRole::Step, StageRole::Exact})
        for (std::size_t i = 0; computed_ && i < computed_->trace.stages.size(); ++i)
            if (const Stage& stage = computed_->trace.stages[i]; stage.role == role && prefix_of(stage.name) == prefix_)
                steps.push_back(&stage);
    while (items_.size() > steps.size()) {
        removeLater(items_.back().tile);
        removeLater(items_.back().operation);
        items_.pop_back();
    }
    while (items_.size() < steps.size())
        addItem();
    for (std::size_t i = 0; i < steps.size(); ++i)
        refreshItem(items_[i], *steps[i]);
    refreshColors();
    fillMenu();
    showChosen();
    relayout();
}

std::string StageStrip::prefixToShow() const {
    const Stage* shown = computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
    return shown ? std::string(prefix_of(shown->name)) : std::string();
}

void StageStrip::refreshItem(Item& item, const Stage& stage) {
    item.stage = stage.name;
    item.exact = stage.role == StageRole::Exact;
    item.operation_text = translated(stage.operation);
    const auto& shape = stage.value.shape();
    const bool column = !stage.axes.empty() && stage.axes.back() == Axis::Query; // one number a row
    const auto columns = column ? 1 : shape.empty() ? 0 : shape.back();
    const auto rows = column ? shape.back() : shape.size() < 2 ? 1 : shape[shape.size() - 2];
    item.shape = QSize(static_cast<int>(columns), static_cast<int>(rows));
    const QString name = stageWordsInPass(stage.name);
    item.tile->setText(stageWords(stage.name));
    item.tile->setToolTip(toolTipOf(stage));
    item.tile->setAccessibleName(item.operation_text.isEmpty() ? tr("Stage %1").arg(name)
                                                               : tr("Stage %1, by %2").arg(name, item.operation_text));
    item.operation->setText(item.operation_text);
    item.operation->setToolTip(stage.formula.empty()
                                   ? item.operation_text
                                   : item.operation_text + QLatin1Char('\n') + formulaText(stage.formula));
}

QString StageStrip::toolTipOf(const Stage& stage) const {
    QStringList lines(stageWordsInPass(stage.name)); // the name may be cut
    if (!stage.formula.empty())
        lines << formulaText(stage.formula);
    lines << tr("Shape: %1").arg(shapeText(stage.value.shape()));
    ValueRange range;
    range.include(stage.value.values());
    if (!range.empty)
        lines << tr("From %1 to %2").arg(numberText(range.low), numberText(range.high));
    return lines.join(QLatin1Char('\n'));
}

void StageStrip::refreshColors() {
    if (!computed_)
        return;
    const Trace& trace = computed_->trace;
    const int head = headWithin(trace, view_.head());
    for (auto& item : items_) {
        const Stage* stage = trace.find(item.stage);
        if (!stage)
            continue;
        item.tile->setMatrix([computed = computed_, stage, batch = view_.batch(),
                              head] { return sliceOf(computed->trace, *stage, batch, head); },
                             thumbnailScale(trace, *stage, view_.batch(), view_));
    }
}

void StageStrip::fillMenu() {
    menu_->clear();
    more_->setEnabled(computed_ != nullptr);
    if (!computed_)
        return;
    auto* group = new QActionGroup(menu_);
    for (const auto& stage : computed_->trace.stages) {
        const QString name = QString::fromStdString(stage.name);
        // The tab moves the shape to the column of shortcuts.
        QAction* action = menu_->addAction(menuText(stageWordsInPass(stage.name)) + QLatin1Char('\t') +
                                           shapeText(stage.value.shape()));
        action->setData(name);
        action->setCheckable(true);
        action->setToolTip(formulaText(stage.formula));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, name] { view_.setStage(name); });
    }
}

void StageStrip::showChosen() {
    const auto chosen = view_.stage();
    bool in_strip = false;
    for (const auto& item : items_) {
        const bool is_chosen = item.stage == chosen.toStdString();
        in_strip = in_strip || is_chosen;
        item.tile->setChecked(is_chosen);
        // One stop for Tab; the arrow keys move within.
        item.tile->setFocusPolicy(is_chosen ? Qt::StrongFocus : Qt::ClickFocus);
    }
    if (!in_strip && !items_.empty())
        items_.front().tile->setFocusPolicy(Qt::StrongFocus);
    bool in_menu = false;
    for (QAction* action : menu_->actions()) {
        action->setChecked(action->data().toString() == chosen);
        in_menu = in_menu || action->isChecked();
    }
    more_->setText(
        QStringLiteral("%1 ▾").arg(in_menu && !in_strip ? stageWordsInPass(chosen.toStdString()) : tr("more")));
    more_->setChecked(in_menu && !in_strip);
}

QString StageStrip::exactCaption() const { return exact_caption_->isHidden() ? QString() : exact_caption_->text(); }

void StageStrip::paintEvent(QPaintEvent*) { paintCard(*this); }

bool StageStrip::moveChoice(int key) {
    if (items_.empty())
        return false;
    const auto chosen =
        std::find_if(items_.begin(), items_.end(), [](const Item& item) { return item.tile->isChecked(); });
    const auto last = static_cast<std::ptrdiff_t>(items_.size()) - 1;
    std::ptrdiff_t index = chosen == items_.end() ? -1 : chosen - items_.begin();
    if (key == Qt::Key_Right || key == Qt::Key_Down)
        index = std::min(index + 1, last);
    else if (key == Qt::Key_Left || key == Qt::Key_Up)
        index = index < 0 ? last : std::max<std::ptrdiff_t>(index - 1, 0);
    else if (key == Qt::Key_Home)
        index = 0;
    else if (key == Qt::Key_End)
        index = last;
    else
        return false;
    MatrixTile* target = items_[static_cast<std::size_t>(index)].tile;
    view_.setStage(QString::fromStdString(items_[static_cast<std::size_t>(index)].stage));
    target->setFocus(Qt::TabFocusReason);
    return true;
}

bool StageStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == content_ && event->type() == QEvent::Resize)
        relayout();
    else if (event->type() == QEvent::KeyPress && moveChoice(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

void StageStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
}

} // namespace attnlab::ui
