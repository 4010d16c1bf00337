#include "ui/panels/mask/mask_panel.h"

#include "core/edit/painted_mask.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "ui/document/background_files.h"
#include "ui/panels/mask/combination_form.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/style.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QActionGroup>
#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

QToolButton* makeButton(const QString& icon_name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(icon_name));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

MaskTools::MaskTools(MaskPainter& painter, QWidget* parent) : QWidget(parent), painter_(painter) {
    auto* layout = new FlowLayout(this, 2, 2); // no tool is out of sight in a narrow panel
    layout->setContentsMargins(0, 0, 0, 0);
    paint_ = new Chip(this);
    layout->addWidget(paint_);
    QList<QWidget*> all{paint_};
    auto* group = new QButtonGroup(this);
    const std::pair<MaskTool, const char*> table[] = {{MaskTool::Brush, "paint"},
                                                      {MaskTool::Rectangle, "rectangle"},
                                                      {MaskTool::Row, "row"},
                                                      {MaskTool::Column, "column"},
                                                      {MaskTool::Diagonal, "diagonal"}};
    for (const auto& [tool, name] : table) {
        QToolButton* button = makeButton(QString::fromLatin1(name), this);
        button->setCheckable(true);
        group->addButton(button);
        layout->addWidget(button);
        all << button;
        tools_[tool] = button;
        connect(button, &QToolButton::clicked, this, [this, chosen = tool] { painter_.setTool(chosen); });
    }
    erase_ = makeButton(QStringLiteral("erase"), this);
    erase_->setCheckable(true);
    layout->addWidget(erase_);
    more_ = new QToolButton(this);
    more_->setText(QStringLiteral("⋯"));
    more_->setAutoRaise(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    more_->setPopupMode(QToolButton::InstantPopup);
    Style::hideMenuArrow(*more_);
    layout->addWidget(more_);
    new RovingFocus(all << erase_ << more_, this);
    for (QWidget* tool : all)
        layout->setAlignment(tool, Qt::AlignVCenter);
    makeMenu();
    connect(paint_, &QAbstractButton::toggled, this, &MaskTools::paintingChanged);
    connect(erase_, &QToolButton::toggled, &painter_, &MaskPainter::setErasing);
    connect(&painter_, &MaskPainter::settingsChanged, this, &MaskTools::showSettings);
    showSettings();
    const auto name = [](QWidget* widget, const QString& title, const QString& help) {
        widget->setAccessibleName(title);
        widget->setToolTip(help);
    };
    paint_->setText(tr("Paint"));
    name(paint_, tr("Paint on the large heatmap"),
         tr("Dragging on the large heatmap paints the mask; the right button erases."));
    name(tools_.at(MaskTool::Brush), tr("Brush"), tr("Brush: the cells under the pointer"));
    name(tools_.at(MaskTool::Rectangle), tr("Rectangle"), tr("Rectangle: from the first cell to the last"));
    name(tools_.at(MaskTool::Row), tr("Row"), tr("Row: all keys of a query"));
    name(tools_.at(MaskTool::Column), tr("Column"), tr("Column: a key for all queries"));
    name(tools_.at(MaskTool::Diagonal), tr("Diagonal band"),
         tr("Diagonal band: cells whose key is as far from their query as in the cells passed"));
    name(erase_, tr("Erase"), tr("Erase: strokes unblock painted cells"));
    name(more_, tr("More for the mask"), tr("Clear, invert, patterns, import"));
}

void MaskTools::makeMenu() {
    menu_ = new QMenu(this);
    menu_->addAction(tr("Clear painted cells"), &painter_, &MaskPainter::clearPainted);
    menu_->addAction(tr("Invert painted cells"), &painter_, &MaskPainter::invertPainted);
    auto* patterns = menu_->addMenu(tr("Paint a pattern"));
    using Pattern = MaskPainter::Pattern;
    const auto add = [&](const QString& text, Pattern pattern, double amount) {
        patterns->addAction(text, &painter_, [this, pattern, amount] { painter_.paintPattern(pattern, amount); });
    };
    add(tr("The future (causal)"), Pattern::Future, 0.0);
    add(tr("All but a band of width 3"), Pattern::OutsideBand, 3.0);
    add(tr("All but a band of width 5"), Pattern::OutsideBand, 5.0);
    add(tr("All but the diagonal"), Pattern::OffDiagonal, 0.0);
    add(tr("A random tenth of the cells"), Pattern::Random, 0.1);
    add(tr("A random third of the cells"), Pattern::Random, 1.0 / 3.0);
    menu_->addSeparator();
    import_ = menu_->addAction(tr("Import a mask…"), this, &MaskTools::importRequested);
    more_->setMenu(menu_);
}

bool MaskTools::isPainting() const { return paint_->isChecked(); }

void MaskTools::setPainting(bool on) { paint_->setChecked(on); }

void MaskTools::hideWindowActions() {
    paint_->hide();
    import_->setVisible(false);
}

void MaskTools::showSettings() {
    tools_.at(painter_.tool())->setChecked(true);
    erase_->setChecked(painter_.isErasing());
}

MaskPanel::MaskPanel(MaskPainter& painter, QWidget* parent)
    : QWidget(parent), painter_(painter), heading_(new Label(this)), painted_(new ElidedLabel(this)),
      scope_(new QToolButton(this)), scope_menu_(new QMenu(this)), grid_(new MaskGrid(painter)),
      tools_(new MaskTools(painter)), chips_(new MaskChips(painter.document())),
      combination_(new CombinationForm(painter.document())), first_query_(new FirstQueryForm(painter.document(), this)),
      words_(new Label), fit_(new QPushButton), more_(new QToolButton), fill_(new MaskFillForm(painter.document())) {
    layOut();
    connectParts();
    showMore(false);
    showWhetherPossible();
    showHeading();
    painted_->setText(tr("painted cells are blocked"));
    painted_->setForegroundRole(QPalette::PlaceholderText);
    fit_->setText(tr("Fit it"));
    fit_->setToolTip(tr("Cuts the painted mask, or extends it by kept cells."));
    more_->setText(tr("Value of blocked cells"));
    more_->setToolTip(tr("What stands in blocked cells, what True means in attn_mask, and score_mod"));
    scope_->setToolTip(tr("Which heads strokes paint"));
    showScope();
    showWords();
}

void MaskPanel::layOut() {
    auto* header = new QHBoxLayout;
    header->addWidget(heading_);
    header->addSpacing(4);
    header->addWidget(painted_, 1);
    header->addWidget(scope_);
    QFont bold = heading_->font();
    bold.setBold(true);
    heading_->setFont(bold);
    painted_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    scope_->setAutoRaise(true);
    scope_->setFocusPolicy(Qt::StrongFocus);
    scope_->setPopupMode(QToolButton::InstantPopup);
    scope_->setMenu(scope_menu_);
    Style::hideMenuArrow(*scope_);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(chips_); // first, since most masks are chosen, and a low panel shows only the top
    column->addWidget(combination_);
    column->addWidget(first_query_);
    column->addWidget(grid_, 1);
    column->addWidget(words_);
    column->addWidget(fit_, 0, Qt::AlignLeft);
    column->addWidget(tools_);
    column->addWidget(more_, 0, Qt::AlignLeft);
    column->addWidget(fill_);
    column->addStretch(); // without the grid
    words_->setWordWrap(true);
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words_->setMinimumHeight(2 * words_->fontMetrics().lineSpacing());
    more_->setAutoRaise(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    // In a small window the content scrolls instead of being cut off.
    room_ = new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->setSpacing(4);
    layout->addLayout(header);
    layout->addWidget(room_, 1);
}

void MaskPanel::connectParts() {
    const auto settled = [this] {
        refusal_.clear();
        showHeading();
        showWhetherPossible();
        showWords();
    };
    connect(grid_, &MaskGrid::layersChanged, this, settled);
    connect(grid_, &MaskGrid::resized, this, &MaskPanel::showWords);
    connect(&painter_.document(), &Document::problemChanged, this, settled);
    connect(&painter_, &MaskPainter::strokeFinished, this, &MaskPanel::showWords);
    connect(&painter_, &MaskPainter::refused, this, &MaskPanel::refuse);
    connect(fill_, &MaskFillForm::refused, this, &MaskPanel::refuse);
    connect(&painter_, &MaskPainter::settingsChanged, this, &MaskPanel::showScope);
    connect(&painter_, &MaskPainter::contextChanged, this, &MaskPanel::showScope);
    connect(&painter_.view(), &ViewState::sliceChanged, this, &MaskPanel::showScope);
    connect(scope_menu_, &QMenu::aboutToShow, this, &MaskPanel::fillScopeMenu);
    connect(fit_, &QPushButton::clicked, &painter_, &MaskPainter::fit);
    connect(more_, &QToolButton::clicked, this, [this] {
        showMore(!showsMore());
        if (!showsMore())
            return;
        room_->fit();
        room_->ensureWidgetVisible(more_);
        room_->ensureWidgetVisible(fill_);
    });
    connect(tools_, &MaskTools::paintingChanged, this, &MaskPanel::paintingChanged);
    connect(tools_, &MaskTools::importRequested, this, &MaskPanel::importRequested);
    connect(first_query_, &FirstQueryForm::arrayMade, this, &MaskPanel::arrayMade);
    fillScopeMenu();
}

QString MaskPanel::words() const { return words_->text(); }
QString MaskPanel::heading() const { return heading_->text(); }

void MaskPanel::setGridShown(bool shown) {
    grid_->setVisible(shown);
    auto* column = static_cast<QVBoxLayout*>(grid_->parentWidget()->layout());
    column->setStretch(column->count() - 1, shown ? 0 : 1); // the other parts stay at the top
}

void MaskPanel::setPainting(bool on) { tools_->setPainting(on); }

bool MaskPanel::isPainting() const { return tools_->isPainting(); }

void MaskPanel::offerImport(const Tensor& mask, const QString& name) {
    MaskReading reading;
    const auto read = [&](const RunControl& control) { reading = readingOf(mask, control); };
    constexpr std::int64_t most_at_once = 1 << 20;
    WriteOutcome outcome;
    if (mask.size() > most_at_once)
        outcome = workInBackground(window(), tr("Reading %1…").arg(name), read, reading_failed);
    else
        outcome.error = caughtFailure([&] { read({}); }, reading_failed);
    if (outcome.error)
        refuse(translated(*outcome.error));
    if (!outcome.ok())
        return;
    auto* dialog = new MaskImportDialog(mask, name, painter_.context(), reading, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { dialog->apply(painter_.document()); });
    dialog->open();
}

void MaskPanel::refuse(const QString& why) {
    refusal_ = why;
    showWords();
}

// Shown here if no other mask is on.
QString MaskPanel::whyNone() const {
    const auto& spec = painter_.document().problem().spec;
    const Mechanism* chosen = lookup(mechanisms(), spec.variant);
    if (!chosen || !refusal_of_mask(*chosen, painted_mask::kind_id))
        return {};
    const bool others = !spec.masks.empty() && std::ranges::none_of(spec.masks, [&](const Selection& mask) {
        return refusal_of_mask(*chosen, mask.id) != nullptr;
    });
    return others ? QString() : translated(refusal_of_mask(*chosen, painted_mask::kind_id));
}

// The chips handle themselves: a mask from a file can be turned off.
void MaskPanel::showWhetherPossible() {
    const Mechanism* chosen = lookup(mechanisms(), painter_.document().problem().spec.variant);
    const bool paints = !chosen || !refusal_of_mask(*chosen, painted_mask::kind_id);
    for (QWidget* part : {static_cast<QWidget*>(grid_), static_cast<QWidget*>(tools_), static_cast<QWidget*>(scope_)})
        part->setEnabled(paints);
    for (QWidget* part : {static_cast<QWidget*>(more_), static_cast<QWidget*>(fill_)})
        part->setEnabled(paints || !chosen->refuses.but_masks.empty());
    if (!paints)
        setPainting(false);
}

void MaskPanel::showWords() {
    // A different number of lines would move the cells under the pointer.
    if (painter_.isStroking())
        return;
    const bool misfit = painter_.isMisfit();
    const QString none = whyNone();
    QString text;
    if (!none.isEmpty())
        text = capitalised(none); // elsewhere it follows a colon
    else if (misfit && painter_.context())
        text = tr("The painted mask was made for another size: the scores are now %1 × %2.")
                   .arg(painter_.context()->L)
                   .arg(painter_.context()->S);
    else if (!refusal_.isEmpty())
        text = refusal_;
    else if (!grid_->layers().error().isEmpty())
        text = grid_->layers().error();
    else
        text = MaskDescription::of(painter_.document().problem().spec, grid_->layers().blocksAny());
    if (const QSize box = grid_->cellsInBox(); none.isEmpty() && box != QSize(1, 1))
        text += QLatin1Char('\n') + tr("One box of the grid is %1 × %2 cells.").arg(box.height()).arg(box.width());
    const bool warns = !none.isEmpty() || misfit || !refusal_.isEmpty() || !grid_->layers().error().isEmpty();
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, warns ? theme().warning_text : theme().muted);
    words_->setPalette(colors);
    words_->setText(text);
    fit_->setVisible(misfit && none.isEmpty());
}

/// While two settings are compared, B has its masks with its other controls.
void MaskPanel::showHeading() {
    heading_->setText(painter_.document().problem().compared_with ? tr("Mask of A") : tr("Mask"));
}

void MaskPanel::showScope() {
    const auto& context = painter_.context();
    const bool choice = context && context->B * context->H > 1;
    scope_->setVisible(choice);
    const int head = painter_.view().head();
    const QString scope = !painter_.isPerHead()              ? tr("all heads")
                          : head == ViewState::mean_of_heads ? tr("heads of the batch")
                                                             : tr("head %1 only").arg(head);
    scope_->setText(scope + QStringLiteral(" ▾"));
    scope_->setAccessibleName(tr("Strokes paint: %1").arg(scope));
}

void MaskPanel::fillScopeMenu() {
    scope_menu_->clear();
    auto* group = new QActionGroup(scope_menu_);
    const auto add = [&](const QString& text, bool per_head, bool all_batches) {
        QAction* action = scope_menu_->addAction(text, this, [this, per_head, all_batches] {
            painter_.setPerHead(per_head);
            painter_.setAllBatches(all_batches);
        });
        action->setCheckable(true);
        action->setActionGroup(group);
        action->setChecked(per_head == painter_.isPerHead() && (!per_head || all_batches == painter_.allBatches()));
    };
    add(tr("Strokes paint all heads"), false, painter_.allBatches());
    const bool batches = painter_.context() && painter_.context()->B > 1;
    add(batches ? tr("Strokes paint the head on show, in this batch") : tr("Strokes paint the head on show"), true,
        false);
    if (batches)
        add(tr("Strokes paint the head on show, in every batch"), true, true);
}

bool MaskPanel::showsMore() const { return !fill_->isHidden(); }

void MaskPanel::showMore(bool more) {
    fill_->setVisible(more);
    combination_->setOpen(more);
    setAccessibleExpanded(*more_, more);
    more_->setArrowType(more ? Qt::DownArrow : Qt::RightArrow);
}

void MaskPanel::paintEvent(QPaintEvent*) { paintCard(*this); }

void MaskPanel::changeEvent(QEvent* event) {
    // A theme's style comes before its palette, and may already have laid out the words.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        showWords();
    QWidget::changeEvent(event);
}

} // namespace attnlab::ui
