#include "ui/matrix/stages/stage_strip.h"

#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <QActionGroup>
#include <QEvent>
#include <QFontMetricsF>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QToolButton>
#include <vector>

namespace attnlab::ui {

StageStrip::StageStrip(ViewState& view, QWidget* parent)
    : ThumbnailGrid(parent), view_(view), more_(new QToolButton(this)), menu_(new QMenu(this)),
      divider_(new QFrame(content())), exact_caption_(mutedLabel(content(), true)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    scroll()->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    scroll()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // stages that do not fit are left out
    scroll()->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll()->installEventFilter(this);
    divider_->setFrameShape(QFrame::VLine);
    divider_->hide();
    exact_caption_->hide();
    for (const auto which : {Operator::Scores, Operator::Scale, Operator::Mask, Operator::Weights}) {
        auto*& button = buttons_[static_cast<std::size_t>(which)];
        button = new OperatorButton(content());
        button->hide();
        connect(button, &QAbstractButton::clicked, this, [this, which, button] {
            const auto item = std::ranges::find(items_, button, &Item::button);
            if (item != items_.end())
                emit operatorRequested(which, QString::fromStdString(item->stage),
                                       {button->mapToGlobal(QPoint()), button->size()});
        });
    }
    for (std::size_t i = 1; i < buttons_.size(); ++i)
        QWidget::setTabOrder(buttons_[i - 1], buttons_[i]);
    for (auto*& mark : left_out_) {
        mark = new OperationLabel(content());
        mark->setText(QStringLiteral("…"));
        mark->hide();
    }
    more_->setAutoRaise(true);
    more_->setCheckable(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(margin, margin_above, margin, margin_above);
    layout->addWidget(scroll(), 1);
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
    updateGeometry();
    relayout();
}

void StageStrip::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    is_outline_ = false;
    rebuild();
}

void StageStrip::setOutline(const Trace& outline) {
    auto named = std::make_shared<Computed>();
    named->trace = outline;
    computed_ = std::move(named);
    is_outline_ = true;
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
        texts << (item.button && !item.button->isHidden() ? item.button->text()
                  : item.operation->isHidden()            ? QString()
                                                          : item.operation->text());
    return texts;
}

QStringList StageStrip::shownStages() const {
    QStringList names;
    for (const auto& item : items_)
        if (!item.tile->isHidden())
            names << QString::fromStdString(item.stage);
    return names;
}

QString StageStrip::stageOf(Operator which) const {
    const auto item = std::ranges::find(items_, button(which), &Item::button);
    return item == items_.end() ? QString() : QString::fromStdString(item->stage);
}

MatrixTile* StageStrip::tile(const QString& name) const {
    for (const auto& item : items_)
        if (item.stage == name.toStdString())
            return item.tile;
    return nullptr;
}

void StageStrip::addItem() {
    auto* tile = addTile(content());
    auto* operation = new OperationLabel(content());
    QWidget::setTabOrder(items_.empty() ? static_cast<QWidget*>(buttons_.back()) : items_.back().tile, tile);
    QWidget::setTabOrder(tile, more_);
    setAccessibleLabelOf(*operation, *tile); // whose name says the operation too
    items_.push_back(
        {.stage = {}, .tile = tile, .operation = operation, .name = {}, .operation_text = {}, .shape = {}});
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
        removeSafely(items_.back().tile);
        removeSafely(items_.back().operation);
        items_.pop_back();
    }
    while (items_.size() < steps.size())
        addItem();
    std::vector<MatrixTile*> tiles;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        refreshItem(items_[i], *steps[i]);
        MatrixTile* tile = items_[i].tile;
        tile->setEnabled(!is_outline_ || steps[i]->name == "weights");
        if (tile->isEnabled())
            tiles.push_back(tile);
    }
    more_->setVisible(!is_outline_);
    setRows({tiles});
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
    const std::string_view operation = stage.operation.text;
    item.is_idle = operation == "no mask" || operation == "as is";
    item.button = buttonOf(stage);
    if (item.button == button(Operator::Mask))
        item.operation_text = controls_.mask;
    const auto& shape = stage.value.shape();
    const bool column = hasOneNumberARow(stage);
    const auto columns = column ? 1 : shape.empty() ? 0 : shape.back();
    const auto rows = column ? shape.back() : shape.size() < 2 ? 1 : shape[shape.size() - 2];
    item.shape = QSize(static_cast<int>(columns), static_cast<int>(rows));
    const QString name = stageWordsInPass(stage.name);
    item.name = stageWords(stage.name);
    item.tile->setText(item.name);
    item.tile->setRole(roleOf(stage.name));
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
    if (is_outline_) {
        if (stage.name != "weights")
            lines << tr("Not stored for a large head: choose a row, and the inspector shows this stage of it.");
        return lines.join(QLatin1Char('\n'));
    }
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
        if (is_outline_) {
            item.tile->setMatrix({}, {});
            continue;
        }
        item.tile->setMatrix([computed = computed_, stage, batch = view_.batch(),
                              head] { return sliceOf(computed->trace, *stage, batch, head); },
                             shownScale(trace, *stage, view_.batch(), view_));
    }
}

void StageStrip::fillMenu() {
    menu_->clear();
    more_->setEnabled(computed_ != nullptr);
    if (!computed_ || is_outline_)
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
    if (!addable_.empty())
        menu_->addSeparator();
    for (const auto& one : addable_)
        menu_->addAction(tr("Add: %1").arg(menuText(one.title)), this,
                         [this, one] { emit addRequested(one.parameter, one.title, one.stage); });
}

void StageStrip::setAddable(std::vector<Addable> addable) {
    if (std::ranges::equal(addable, addable_, {}, &Addable::parameter, &Addable::parameter))
        return;
    addable_ = std::move(addable);
    fillMenu();
    showChosen();
}

void StageStrip::showChosen() {
    const auto chosen = is_outline_ ? QStringLiteral("weights") : view_.stage();
    MatrixTile* chosen_tile = tile(chosen);
    const bool in_strip = chosen_tile != nullptr;
    setChosenTile(chosen_tile);
    bool in_menu = false;
    for (QAction* action : menu_->actions()) {
        action->setChecked(action->data().toString() == chosen);
        in_menu = in_menu || action->isChecked();
    }
    more_->setText(in_menu && !in_strip ? QStringLiteral("%1 ▾").arg(stageWordsInPass(chosen.toStdString()))
                                        : QStringLiteral("⋯"));
    more_->setMaximumWidth(in_menu && !in_strip ? QWIDGETSIZE_MAX : fontMetrics().height() + 10);
    more_->setChecked(in_menu && !in_strip);
}

QString StageStrip::exactCaption() const { return exact_caption_->isHidden() ? QString() : exact_caption_->text(); }

void StageStrip::paintEvent(QPaintEvent*) { paintCard(*this); }

void StageStrip::chooseTile(MatrixTile& tile) {
    const auto item = std::ranges::find(items_, &tile, &Item::tile);
    if (is_outline_)
        return showChosen();
    view_.setStage(QString::fromStdString(item->stage));
    showChosen();
}

bool StageStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == scroll() && event->type() == QEvent::Resize)
        relayout();
    return ThumbnailGrid::eventFilter(watched, event);
}

// Which stages, operations and names a StageStrip has room for.

namespace {

constexpr int largest_picture = 32, smallest_picture = 28, low_picture = 20;
constexpr int smallest_beside_buttons = 26;
constexpr int stage_gap = 6;
/// Between stages and operations. Buttons have room within their frames.
constexpr int gapOf(bool has_buttons) { return has_buttons ? 2 : stage_gap; }
constexpr int longest_operation = 160;
constexpr int narrowest_cut = 52;    // a shorter cut of an operation is useless
constexpr int narrowest_button = 70; // of one with a longer text

} // namespace

/// Sizes for which the strip fits a width.
struct StageStrip::Fit {
    int picture = largest_picture;
    int widest_operation = 0;       ///< operations are cut to this width; 0: not shown
    bool whole_only = false;        ///< longer operations are omitted instead of cut
    std::size_t first_named = 0;    ///< of the stages that have names
    std::size_t first = 0, end = 0; ///< the stages in sight
    int widest_tile = 10000;        ///< names are cut to it
};

/// The width of the divider before the stages of role Exact, with its caption.
int StageStrip::dividerWidth() const { return exact_caption_->sizeHint().width() + 3 * stage_gap; }

QSize StageStrip::sizeHint() const {
    const int text = QFontMetrics(font()).height();
    const int tile = std::max(low_ ? low_picture : largest_picture, text) + MatrixTile::padding * 2;
    const QMargins around = layout()->contentsMargins();
    return {640, (low_ ? tile : std::max(tile, more_->sizeHint().height())) + around.top() + around.bottom()};
}
QSize StageStrip::minimumSizeHint() const { return {200, sizeHint().height()}; }

bool StageStrip::startsExact(std::size_t item, const Fit& fit) const {
    return items_[item].exact && (item == fit.first || !items_[item - 1].exact);
}

int StageStrip::tileWidth(std::size_t at, const Fit& fit) const {
    const Item& item = items_[at];
    const int picture = is_outline_ ? 0 : thumbnailSize(item.shape.height(), item.shape.width(), fit.picture).width();
    return std::min(MatrixTile::widthWith(picture, at < fit.first_named ? 0 : item.tile->titleWidth()),
                    fit.widest_tile);
}

/// The width of an operation, with the gap after it; 0 if it is not shown. The one before the first stage in sight has
/// no place where stages are left out.
int StageStrip::operationRoom(std::size_t item, const Fit& fit) const {
    const int width = items_[item].operation_width;
    if (items_[item].button && hasButtons() && fit.first_named < items_.size()) // whole, if there is any name
        return width + gapOf(hasButtons());
    if (items_[item].button) // has room however narrow the strip is
        return std::min(width, std::max(fit.widest_operation, narrowest_button)) + gapOf(hasButtons());
    if (width == 0 || fit.widest_operation == 0 || (fit.whole_only && items_[item].is_idle) ||
        (fit.whole_only && width > fit.widest_operation) || (item == fit.first && item > 0))
        return 0;
    return std::min(width, fit.widest_operation) + gapOf(hasButtons());
}

int StageStrip::widthOf(const Fit& fit) const {
    int width = ((fit.first > 0) + (fit.end < items_.size())) * markWidth();
    for (auto item = fit.first; item < fit.end; ++item)
        width += tileWidth(item, fit) + operationRoom(item, fit) + (startsExact(item, fit) ? dividerWidth() : 0) +
                 (item > fit.first ? gapOf(hasButtons()) : 0);
    return width;
}

/// As many stages as fit without operations, the chosen one among them and, if possible, those of before.
void StageStrip::fitStages(Fit& fit, int width) const {
    const auto chosen_item =
        std::find_if(items_.begin(), items_.end(), [](const Item& item) { return item.tile->isChecked(); });
    const auto chosen = static_cast<std::size_t>(chosen_item == items_.end() ? 0 : chosen_item - items_.begin());
    fit.first = std::min(first_, chosen);
    fit.end = fit.first;
    const auto fits = [&](std::size_t first, std::size_t end) {
        Fit other = fit;
        other.first = first;
        other.end = end;
        return widthOf(other) <= width;
    };
    while (fit.end < items_.size() && fits(fit.first, fit.end + 1))
        ++fit.end;
    while (fit.end <= chosen) { // the chosen one is farther to the right
        ++fit.end;
        while (fit.first < chosen && !fits(fit.first, fit.end))
            ++fit.first;
    }
    while (fit.first > 0 && fits(fit.first - 1, fit.end))
        --fit.first;
    fit.widest_tile = width - 2 * markWidth(); // of the chosen one, if it is alone
}

/// Operations are cut as far as is useful, then those that change nothing and the longest are omitted.
void StageStrip::fitOperations(Fit& fit, int width) const {
    for (fit.widest_operation = longest_operation; fit.widest_operation > narrowest_cut; fit.widest_operation -= 4)
        if (widthOf(fit) <= width)
            return;
    fit.whole_only = true;
    std::vector<int> widths{0};
    for (const auto& item : items_)
        widths.push_back(std::min(item.operation_width, narrowest_cut));
    std::ranges::sort(widths, std::greater<>());
    for (const int widest : widths) {
        fit.widest_operation = widest;
        if (widthOf(fit) <= width)
            return;
    }
}

StageStrip::Fit StageStrip::fit(int width) const {
    Fit fit;
    if (low_)
        fit.picture = low_picture;
    fit.end = items_.size();
    fit.widest_operation = longest_operation;
    const int smallest = hasButtons() ? smallest_beside_buttons : smallest_picture;
    for (; fit.picture > smallest && widthOf(fit) > width; --fit.picture)
        ;
    fit.widest_operation = 0;
    while (hasButtons() && fit.first_named < items_.size() && widthOf(fit) > width)
        ++fit.first_named;
    if (widthOf(fit) > width)
        fitStages(fit, width);
    fitOperations(fit, width);
    return fit;
}

int StageStrip::markWidth() const { return OperationLabel::widthOf(left_out_[0]->text(), font()) + stage_gap; }

/// An ellipsis where stages are left out.
void StageStrip::placeMark(OperationLabel* mark, bool shown, int& x) {
    mark->setVisible(shown);
    if (!shown)
        return;
    place(*mark, {x, 0, markWidth() - stage_gap, content()->height()});
    x += markWidth();
}

void StageStrip::relayout() {
    const QSize room = scroll()->size();
    content()->resize(room);
    for (auto& item : items_) {
        item.tile->setText(item.name);
        item.operation_width = OperationLabel::widthOf(item.operation_text, font());
        // Another scale or mask moves nothing beside it.
        if (item.button == button(Operator::Scale))
            for (const char* usual : {"÷ 0.000", "÷ √000"})
                item.operation_width =
                    std::max(item.operation_width, OperationLabel::widthOf(QString::fromUtf8(usual), font()));
        if (item.button == button(Operator::Mask))
            item.operation_width = OperationLabel::widthOf(QStringLiteral("0000000"), font());
        if (item.button)
            item.operation_width += OperatorButton::left + OperatorButton::right;
    }
    const Fit sizes = fit(room.width());
    std::vector<const OperatorButton*> placed;
    if (isVisible()) // before, the width is not known
        first_ = sizes.first;
    int x = hasButtons() ? 0 : std::max(0, (room.width() - widthOf(sizes)) / 2);
    divider_->hide();
    exact_caption_->hide();
    placeMark(left_out_[0], sizes.first > 0, x);
    for (std::size_t i = 0; i < items_.size(); ++i) {
        auto& item = items_[i];
        const bool in_sight = i >= sizes.first && i < sizes.end;
        const int operation = in_sight ? operationRoom(i, sizes) : 0;
        item.tile->setVisible(in_sight);
        item.operation->setVisible(operation > 0 && !item.button);
        if (i < sizes.first_named)
            item.tile->setText({});
        if (!in_sight)
            continue;
        if (startsExact(i, sizes))
            x = placeDivider(x, room.height());
        if (operation > 0) {
            placeOperation(item, {x, 0, operation - gapOf(hasButtons()), room.height()});
            placed.push_back(item.button);
        }
        x += operation;
        const QSize picture =
            is_outline_ ? QSize(0, 0) : thumbnailSize(item.shape.height(), item.shape.width(), sizes.picture);
        const int height =
            std::min(room.height(), std::max(picture.height(), item.tile->textHeight()) + MatrixTile::padding * 2);
        item.tile->setPictureSize(picture);
        place(*item.tile, {x, (room.height() - height) / 2, tileWidth(i, sizes), height});
        x += item.tile->width() + gapOf(hasButtons());
    }
    placeMark(left_out_[1], sizes.end < items_.size(), x);
    for (OperatorButton* button : buttons_) // one in sight stays so, and keeps the focus
        button->setVisible(std::ranges::find(placed, button) != placed.end());
}

/// What the user chooses; null for an operation that is text.
OperatorButton* StageStrip::buttonOf(const Stage& stage) const {
    const auto name = shortNameOf(stage);
    if (name == "masked")
        return controls_.mask.isEmpty() ? nullptr : button(Operator::Mask);
    if (stage.operation.empty() || stage.role != StageRole::Step)
        return nullptr;
    return name == "scaled"                         ? button(Operator::Scale)
           : name == "scores" && controls_.scores   ? button(Operator::Scores)
           : name == "weights" && controls_.weights ? button(Operator::Weights)
                                                    : nullptr;
}

void StageStrip::setControls(const Controls& controls) {
    if (controls_ == controls)
        return;
    controls_ = controls;
    rebuild();
}

/// Buttons are in a frame; other operations are text.
void StageStrip::placeOperation(const Item& item, const QRect& at) {
    if (!item.button) {
        place(*item.operation, at);
        return;
    }
    const int height = std::min(at.height(), std::max(24, controlHeight(font()) - 4));
    place(*item.button, {at.left(), (at.height() - height) / 2, at.width(), height});
    if (item.button->text() == item.operation_text && item.button->accessibleDescription() == item.operation->toolTip())
        return;
    const bool scores = item.button == button(Operator::Scores), scale = item.button == button(Operator::Scale),
               mask = item.button == button(Operator::Mask);
    item.button->setText(item.operation_text);
    item.button->setShortcut(scale    ? QKeySequence(Qt::ALT | Qt::Key_S) // which another text forgets
                             : scores ? QKeySequence(Qt::ALT | Qt::Key_P)
                                      : QKeySequence());
    const QString keys = item.button->shortcut().toString(QKeySequence::NativeText);
    const QString name = scores  ? tr("Scores: %1")
                         : scale ? tr("Scale: %1")
                         : mask  ? tr("Masks: %1")
                                 : tr("Weights by %1");
    const QString help = scores ? tr("Change how the position of words enters the scores")
                         : scale
                             ? tr("Change the scale: drag sideways, or click for a slider and all scales. Up and Down "
                                  "step it, Shift × 10, Alt ÷ 10.")
                         : mask ? tr("Change what may be read: paint on the large matrix, or choose a mask")
                                : tr("Change what makes weights of the scores, and how keys fade with distance. "
                                     "Drag sideways for the temperature.");
    item.button->setAccessibleName(name.arg(item.operation_text));
    item.button->setAccessibleDescription(item.operation->toolTip());
    item.button->setToolTip((keys.isEmpty() ? help : help + QStringLiteral(" (%1)").arg(keys)) + QLatin1Char('\n') +
                            item.operation->toolTip());
}

/// Returns the start of the stages after it.
int StageStrip::placeDivider(int x, int height) {
    const QSize size = exact_caption_->sizeHint();
    place(*divider_, {x, height / 8, 2, height * 3 / 4});
    divider_->show();
    place(*exact_caption_, {{x + stage_gap, (height - size.height()) / 2}, size});
    exact_caption_->show();
    return x + dividerWidth();
}

namespace {

/// One line.
std::unique_ptr<QTextLayout> laidOut(const QString& operation, const QFont& font) {
    const auto typeset_text = typeset(operation);
    auto layout = std::make_unique<QTextLayout>(typeset_text.text, font);
    layout->setFormats(typeset_text.formats);
    layout->beginLayout();
    layout->createLine().setNumColumns(static_cast<int>(typeset_text.text.size()));
    layout->endLayout();
    return layout;
}

/// A letter that stands alone: Q, K, V, W, also before a subscript or a superscript.
bool isVariable(const QString& text, qsizetype at) {
    const auto is_letter = [&](qsizetype i) {
        return i >= 0 && i < text.size() && text[i].isLetter() && text[i].category() != QChar::Letter_Modifier;
    };
    const ushort letter = text[at].unicode();
    return ((letter >= 'A' && letter <= 'Z') || QStringLiteral("qkwv").contains(text[at])) && !is_letter(at - 1) &&
           !is_letter(at + 1);
}

} // namespace

TypesetOperation typeset(const QString& operation) {
    TypesetOperation result;
    const auto add = [&](qsizetype start, qsizetype length, auto change) {
        QTextLayout::FormatRange range;
        range.start = static_cast<int>(start);
        range.length = static_cast<int>(length);
        change(range.format);
        result.formats << range;
    };
    for (qsizetype i = 0; i < operation.size(); ++i) {
        if (operation[i] == QLatin1Char('_') && i > 0 && isVariable(operation, i - 1) && i + 1 < operation.size()) {
            ++i; // the mark of a subscript
            add(result.text.size(), 1, [](QTextCharFormat& format) {
                format.setVerticalAlignment(QTextCharFormat::AlignSubScript);
                format.setFontItalic(true);
            });
        } else if (isVariable(operation, i)) {
            add(result.text.size(), 1, [](QTextCharFormat& format) { format.setFontItalic(true); });
        }
        result.text += operation[i];
    }
    static const QRegularExpression root(QStringLiteral("√(\\d+(\\.\\d+)?|\\w)"));
    for (auto found = root.globalMatch(result.text); found.hasNext();) {
        const auto match = found.next();
        result.roots.push_back({static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedEnd())});
    }
    return result;
}

QLineF rootBar(const QTextLayout& layout, const TypesetOperation::Root& root) {
    const QTextLine line = layout.lineAt(0);
    const QRectF sign = QFontMetricsF(layout.font()).tightBoundingRect(QStringLiteral("√"));
    const double y = line.ascent() + sign.top() + rootBarThickness(layout.font()) / 2.0;
    return {line.cursorToX(root.start) + sign.right() - rootBarThickness(layout.font()), y, line.cursorToX(root.end),
            y};
}

double rootBarThickness(const QFont& font) { return std::max(1.0, QFontMetricsF(font).lineWidth()); }

namespace {

/// In the middle of `area`, elided where it does not fit.
void paintOperation(QPainter& painter, const QRect& area, QString operation, const QFont& font) {
    if (operation.isEmpty())
        return;
    auto layout = laidOut(operation, font);
    if (layout->lineAt(0).naturalTextWidth() > area.width()) {
        operation = QFontMetrics(font).elidedText(operation, Qt::ElideRight, area.width());
        layout = laidOut(operation, font);
    }
    const auto line = layout->lineAt(0);
    const QPointF at(area.left() + (area.width() - line.naturalTextWidth()) / 2,
                     area.top() + (area.height() - line.height()) / 2);
    layout->draw(&painter, at);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(painter.pen().color(), rootBarThickness(font), Qt::SolidLine, Qt::FlatCap));
    for (const auto& root : typeset(operation).roots)
        painter.drawLine(rootBar(*layout, root).translated(at));
}

} // namespace

OperatorButton::OperatorButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setAccessibleRole(*this, QAccessible::ButtonMenu);
}

void OperatorButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    QColor tint = look.accent;
    tint.setAlphaF(isDown() ? 0.2F : underMouse() ? 0.1F : 0.0F);
    painter.setBrush(tint);
    painter.setPen(QPen(underMouse() || isDown() ? look.accent : look.outline, metrics::border));
    const double inset = metrics::focus_ring / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), height() / 2.0, height() / 2.0);
    paintChevron(painter, QRectF(width() - right, 0, right - 4, height()), Qt::DownArrow, look.muted);
    painter.setPen(look.text);
    paintOperation(painter, rect().adjusted(left, 0, -right, 0), text(), font());
    if (showsFocus(*this))
        paintFocusRing(painter, rect());
}

OperationLabel::OperationLabel(QWidget* parent) : Label(parent) { setForegroundRole(QPalette::PlaceholderText); }

int OperationLabel::widthOf(const QString& operation, const QFont& font) {
    return operation.isEmpty()
               ? 0
               : static_cast<int>(std::ceil(laidOut(operation, font)->lineAt(0).naturalTextWidth())) + 3;
}

void OperationLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    paintOperation(painter, rect(), text(), font());
}

} // namespace attnlab::ui
