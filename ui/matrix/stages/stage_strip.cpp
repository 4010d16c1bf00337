#include "ui/matrix/stages/stage_strip.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int strip_largest_picture = 72, usual_picture = 62, smallest_picture = 44;
constexpr int stage_gap = 8;
constexpr int narrowest_cut = 52; // a shorter cut of an operation is useless
constexpr int narrowest_operation = 16;
constexpr int strip_margin = 8;

} // namespace

/// Sizes for which the strip fits a width.
struct StageStrip::Fit {
    int picture = smallest_picture;
    int widest_operation = 0; ///< operations are cut to this width; 0: not shown
    bool whole_only = false;  ///< longer operations are omitted instead of cut
    int width = 0;            ///< total
};

StageStrip::StageStrip(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), scroll_(new QScrollArea(this)), content_(new QWidget), more_(new QToolButton(this)),
      menu_(new QMenu(this)), divider_(new QFrame(content_)), exact_caption_(mutedLabel(content_, true)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    scroll_->setWidget(content_);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->viewport()->setAutoFillBackground(false);
    content_->setAutoFillBackground(false);
    scroll_->viewport()->installEventFilter(this);
    divider_->setFrameShape(QFrame::VLine);
    divider_->hide();
    exact_caption_->hide();
    more_->setAutoRaise(true);
    more_->setCheckable(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(strip_margin, strip_margin, strip_margin, strip_margin);
    layout->addWidget(scroll_, 1);
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
        scrollToChosen();
    });
    connect(&view_, &ViewState::sliceChanged, this, &StageStrip::rebuild);
    connect(&view_, &ViewState::colorsChanged, this, &StageStrip::refreshColors);
    setAccessibleName(tr("Stages"));
    exact_caption_->setText(tr("exact", "attention, beside an approximation"));
    exact_caption_->setToolTip(
        tr("What exact attention makes of the same query, key and value, and how far off this is"));
    more_->setAccessibleName(tr("More stages"));
    more_->setToolTip(tr("Every stage by name: inputs, masks and summaries too"));
    rebuild();
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

MatrixTile* StageStrip::tile(const QString& name) const {
    for (const auto& item : items_)
        if (item.stage == name.toStdString())
            return item.tile;
    return nullptr;
}

void StageStrip::addItem() {
    auto* tile = new MatrixTile(content_);
    auto* operation = mutedLabel(content_);
    operation->setAlignment(Qt::AlignCenter);
    tile->installEventFilter(this);
    tile->show();
    placeForTab(items_.empty() ? scroll_ : static_cast<QWidget*>(items_.back().tile), tile);
    items_.push_back({{}, tile, operation, {}, {}, false});
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
        delete items_.back().tile;
        delete items_.back().operation;
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
    item.operation->setToolTip(formulaText(stage.formula));
}

QString StageStrip::toolTipOf(const Stage& stage) const {
    QStringList lines;
    if (!stage.formula.empty())
        lines << formulaText(stage.formula);
    lines << tr("Shape: %1").arg(shapeText(stage.value.shape()));
    ValueRange range;
    for (const double value : stage.value.values())
        range.include(value);
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

void StageStrip::scrollToChosen() {
    for (const auto& item : items_)
        if (item.tile->isChecked())
            scroll_->ensureWidgetVisible(item.tile, stage_gap, 0);
}

int StageStrip::operationWidth(const QString& text) const {
    return QFontMetrics(font()).horizontalAdvance(text) + 3; // with a margin against rounding
}

bool StageStrip::isFirstExact(const Item& item) const {
    return item.exact && (&item == items_.data() || !(&item - 1)->exact);
}

QString StageStrip::exactCaption() const { return exact_caption_->isHidden() ? QString() : exact_caption_->text(); }

/// The width of the divider before the stages of role Exact, with its caption; 0 if there are none.
int StageStrip::dividerWidth() const {
    const bool there = !items_.empty() && items_.back().exact;
    return there ? exact_caption_->sizeHint().width() + 3 * stage_gap : 0;
}

int StageStrip::heightFor(int picture) const {
    return picture + MatrixTile::padding * 2 + QFontMetrics(font()).height() + 2 + strip_margin * 2;
}

QSize StageStrip::sizeHint() const { return {640, heightFor(usual_picture)}; }
QSize StageStrip::minimumSizeHint() const {
    const int bar = scrolls_ ? scroll_->horizontalScrollBar()->sizeHint().height() : 0;
    return {200, heightFor(smallest_picture) + bar};
}

/// Width of an operation, with the gap after it; 0 if it is not shown.
int StageStrip::operationRoom(const QString& text, const Fit& fit) const {
    const int width = operationWidth(text);
    if (text.isEmpty() || fit.widest_operation == 0 || (fit.whole_only && width > fit.widest_operation))
        return 0;
    return std::min(width, fit.widest_operation) + stage_gap;
}

// First images shrink, then operations are cut, then the longest are omitted, and at last the strip scrolls.
StageStrip::Fit StageStrip::fit(int width, int height) const {
    const auto tiles = [this](int picture) {
        int sum = 0;
        for (const auto& item : items_)
            sum += std::max(thumbnailSize(item.shape.height(), item.shape.width(), picture).width(),
                            item.tile->titleWidth()) +
                   MatrixTile::padding * 2;
        return sum;
    };
    Fit fit;
    const auto operations = [&] {
        int sum = 0;
        for (const auto& item : items_)
            sum += operationRoom(item.operation_text, fit);
        return sum;
    };
    const int gaps = static_cast<int>(items_.size()) * stage_gap + dividerWidth();
    fit.widest_operation = 10000;
    for (fit.picture = std::clamp(height - heightFor(0) + strip_margin * 2, smallest_picture, strip_largest_picture);
         fit.picture > smallest_picture; --fit.picture)
        if (tiles(fit.picture) + operations() + gaps <= width)
            break;
    const int room = width - tiles(fit.picture) - gaps;
    for (fit.widest_operation = 160; operations() > room && fit.widest_operation > 0; fit.widest_operation -= 4) {
        fit.whole_only = fit.widest_operation <= narrowest_cut;
        if (fit.widest_operation < narrowest_operation)
            fit.widest_operation = 4; // the next step ends at 0: none
    }
    fit.width = tiles(fit.picture) + gaps + operations();
    return fit;
}

void StageStrip::relayout() {
    const QSize room = scroll_->viewport()->size();
    Fit sizes = fit(room.width(), room.height());
    const bool scrolls = sizes.width > room.width();
    if (scrolls_ != scrolls) {
        scrolls_ = scrolls;
        updateGeometry();
    }
    scroll_->setHorizontalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    content_->resize(std::max(room.width(), sizes.width), room.height());
    int x = std::max(0, (room.width() - sizes.width) / 2);
    divider_->hide();
    exact_caption_->hide();
    for (auto& item : items_) {
        if (isFirstExact(item))
            x = placeDivider(x, room.height());
        const QSize picture = thumbnailSize(item.shape.height(), item.shape.width(), sizes.picture);
        const int height = picture.height() + MatrixTile::padding * 2 + item.tile->textHeight();
        const int top = std::max(0, (room.height() - height) / 2);
        const QFontMetrics metrics(item.operation->font());
        const int room_for_operation = operationRoom(item.operation_text, sizes);
        item.operation->setVisible(room_for_operation > 0);
        item.operation->clear();
        if (room_for_operation > 0) {
            const int width = room_for_operation - stage_gap;
            item.operation->setText(metrics.elidedText(item.operation_text, Qt::ElideRight, width));
            item.operation->setGeometry(x, top + MatrixTile::padding, width + 1, picture.height());
            x += width + stage_gap;
        }
        const int width = std::max(picture.width(), item.tile->titleWidth()) + MatrixTile::padding * 2;
        item.tile->setPictureSize(picture);
        item.tile->setGeometry(x, top, width, height);
        x += width + stage_gap;
    }
    scrollToChosen();
}

/// Returns the start of the stages after it.
int StageStrip::placeDivider(int x, int height) {
    const QSize size = exact_caption_->sizeHint();
    divider_->setGeometry(x, height / 8, 2, height * 3 / 4);
    divider_->show();
    exact_caption_->setGeometry(x + stage_gap, (height - size.height()) / 2, size.width(), size.height());
    exact_caption_->show();
    return x + dividerWidth();
}

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
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
        relayout();
    else if (event->type() == QEvent::KeyPress && moveChoice(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

void StageStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
    else if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
