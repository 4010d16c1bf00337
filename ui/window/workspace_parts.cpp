#include "ui/window/workspace_parts.h"

#include "core/edit/painted_mask.h"
#include "core/lookup.h"
#include "core/map/stage_outline.h"
#include "core/mechanisms.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/similarity.h"
#include "core/stages/view.h"
#include "ui/document/array_remarks.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_tray.h"
#include "ui/panels/mechanism/formula_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/operator_scrub.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tool_tray.h"
#include "ui/window/actions.h"
#include "ui/window/panel_docks.h"
#include "ui/window/results.h"
#include "ui/window/top_bar.h"
#include "ui/window/work_area.h"

#include <algorithm>
#include <QAction>
#include <QDockWidget>
#include <QFont>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <span>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int width_of_formula = 380; ///< behind a button of the mechanism's tray
// A narrower window has icons alone in the rail.
constexpr int width_of_rail_texts = 900, lines_of_rail_texts = 62;
// A lower window has less around the row of what is open.
constexpr int lines_of_low_window = 36, gap_below_row = 6;

/// A little smaller, so that long words do not make the window wide.
QFont fontOfRail(QFont font) {
    font.setPointSizeF(font.pointSizeF() * 0.9);
    return font;
}

/// Two panels in one; the upper one has its preferred height.
QWidget* stacked(QWidget* upper, QWidget* lower) {
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(upper);
    layout->addWidget(lower, 1);
    return both;
}

/// What else can be opened, and what happens with what is open.
QMenu* makeDocumentMenu(const Actions& actions) {
    auto* menu = new QMenu;
    menu->addActions({actions.new_document, actions.open, actions.recent->menuAction(), actions.samples});
    menu->addSeparator();
    menu->addActions({actions.save, actions.save_as});
    return menu;
}

} // namespace

Workspace::Workspace(const WorkspaceParts& parts)
    : parts_(parts), top_(new TopBar(parts.actions)), mechanism_(new MechanismBar(parts.document)),
      remarks_(new RemarksBar(parts.document)), area_(new WorkArea(parts.document, parts.view, parts.results.large())),
      modes_(new PageStack), panels_(new PanelDocks(parts.window)),
      inputs_(new InputsPanel(parts.document, parts.view)), formula_(new FormulaPanel(parts.document)),
      inspector_(new InspectorPanel(parts.view)) {
    parts.window.addToolBar(top_);
    mechanism_->setStages([strip = area_->strip()](MechanismBar::Tray tray) {
        using Operator = StageStrip::Operator;
        const auto which = tray == MechanismBar::Tray::Scores  ? Operator::Scores
                           : tray == MechanismBar::Tray::Scale ? Operator::Scale
                                                               : Operator::Weights;
        return !strip->button(which)->isHidden();
    });
    formula_->setHigh(true);
    formula_->setMinimumWidth(width_of_formula);
    mechanism_->addExplanation(formula_);
    QWidget* page = stacked(remarks_, area_); // lessons and models have no remarks
    modes_->addWidget(page);
    top_->addPage(page, makeDocumentMenu(parts.actions), mechanism_);
    connect(modes_, &QStackedWidget::currentChanged, top_, [this](int mode) { top_->showPage(modes_->widget(mode)); });
    parts.window.centralWidget()->layout()->addWidget(modes_);
    buildPanels();
    rail_ = new Rail(parts.actions, *panels_);
    parts.window.addToolBar(Qt::LeftToolBarArea, rail_);
    markStale();
    connectResults();
    connectEditing();
    connectPanels();
}

Workspace::~Workspace() {
    parts_.document.disconnect(mechanism_); // whose trays go with the pages; a cell editor may still write
    delete modes_;
    delete rail_;
    delete panels_;
    delete top_;
}

void Workspace::setTitle(const QString& title, const QString& longer) {
    top_->setTitle(modes_->widget(0), title, {}, longer);
}

void Workspace::buildPanels() {
    panels_->add("inputs", QT_TRANSLATE_NOOP("PanelDocks", "Inputs"), inputs_, Qt::LeftDockWidgetArea, {6, 0, 0, 0});
    masks_ = new MaskPanel(parts_.painter);
    panels_->add("mask", QT_TRANSLATE_NOOP("PanelDocks", "Mask"), masks_, Qt::LeftDockWidgetArea, {6, 0, 0, 6});
    mask_tray_ = new MaskTray(parts_.painter, *masks_);
    mask_tray_->setCanvas(area_->pages()->matrix());
    area_->addTray(mask_tray_);
    panels_->add("inspector", QT_TRANSLATE_NOOP("PanelDocks", "Inspector"), inspector_, Qt::RightDockWidgetArea,
                 {0, 0, 6, 6});
}

void Workspace::markStale() {
    OutdatedOverlay& overlay = parts_.overlay;
    overlay.cover(area_->pages(), OutdatedOverlay::Words::Shown);
    for (QWidget* part :
         std::initializer_list<QWidget*>{area_->ribbon(), area_->strip(), area_->headsColumn(), inspector_})
        overlay.cover(part, OutdatedOverlay::Words::None);
    connect(&overlay, &OutdatedOverlay::abandonedChanged, area_->ribbon(), &SentenceRibbon::setOutOfDate);
    area_->ribbon()->setOutOfDate(overlay.isAbandoned());
}

void Workspace::connectResults() {
    // Until the widgets go: an editor that closes with them may still change the document.
    connect(&parts_.results, &Results::changed, modes_, [this](const ComputedPtr& computed) {
        area_->pages()->matrix()->setProblem(parts_.document.problem());
        area_->setTrace(computed);
        if (!computed)
            return inspector_->clear(); // beside a map, which has rows of its own to explain
        inspector_->setTrace(computed, parts_.document.problem());
        area_->ribbon()->setBefore(inspector_->before().result());
        parts_.painter.setTrace(computed);
    });
    connect(&parts_.results, &Results::mapShown, area_, [this](bool map) {
        area_->showMap(map);
        if (!map)
            return;
        large_context_ = scale_context_of(parts_.document.problem());
        area_->strip()->setOutline(stage_outline(parts_.document.problem().spec, large_context_));
    });
    // Beside a map the inspector explains one row at a time, with all its stages.
    LargeInputs* large = &parts_.results.large();
    connect(large, &LargeInputs::rowRead, inspector_,
            [this](const ComputedPtr& computed, const AttentionProblem& problem, int row) {
                inspector_->setTrace(computed, problem, row, area_->pages()->matrix()->heatmap()->colorScale());
            });
    connect(large, &LargeInputs::rowOutdated, inspector_, &InspectorPanel::clear);
    connect(large, &LargeInputs::scoresKnown, inspector_, &InspectorPanel::setHeadScores);
}

/// Both settings have the view, so that they can be compared by it.
void Workspace::showWeightsAs(const QString& view) {
    auto next = parts_.document.problem();
    next.spec.view = view.toStdString();
    if (next.compared_with)
        next.compared_with->view = next.spec.view;
    try {
        if (view == QLatin1String("words"))
            add_word_ids(next);
        complete_inputs(next, input_seed);
    } catch (const Error&) { // the run reports it
    }
    const auto stage = parts_.view.stage().toStdString();
    const auto pass = QString::fromStdString(std::string(prefix_of(stage)));
    parts_.document.edit(view.isEmpty() ? tr("Show the weights as they are") : tr("Show the weights as %1").arg(view),
                         std::move(next));
    parts_.view.setStage(pass + (view.isEmpty() ? QStringLiteral("weights") : QStringLiteral("view")));
}

/// Stages that the mechanism computes on request.
void Workspace::offerStages() {
    std::vector<StageStrip::Addable> addable;
    const auto& spec = parts_.document.problem().spec;
    const auto table = mechanisms();
    const auto* mechanism = lookup(table, spec.variant);
    for (const auto& parameter : mechanism ? mechanism->parameters : std::span<const Parameter>()) {
        const bool is_similarity = parameter.name == similarity_parameter().name;
        const auto* value = spec.parameters.find(parameter.name);
        if ((is_similarity || parameter.name == gradients_parameter().name) &&
            !(value && *value == ParameterValue(true)))
            addable.push_back({textOf(parameter.name), translated(parameter.title),
                               is_similarity ? textOf(parameter.name) : QStringLiteral("grad_scores")});
    }
    area_->strip()->setAddable(std::move(addable));
}

void Workspace::connectEditing() {
    connect(&parts_.document, &Document::problemChanged, this, &Workspace::offerStages);
    offerStages();
    connect(area_->strip(), &StageStrip::addRequested, this,
            [this](const QString& parameter, const QString& title, const QString& stage) {
                auto spec = parts_.document.problem().spec;
                spec.parameters.set(parameter.toStdString(), true);
                parts_.document.setSpec(std::move(spec), tr("Add %1").arg(title));
                parts_.view.setStage(stage);
            });
    connectOperators();
    connect(area_->pages()->matrix(), &MatrixPage::viewChosen, this, &Workspace::showWeightsAs);
    FileController* files = &parts_.files;
    connect(inputs_, &InputsPanel::openFileRequested, &files->arrays(), &ArrayFiles::chooseForTensor);
    connect(inputs_, &InputsPanel::saveFileRequested, &files->arrays(), &ArrayFiles::chooseToSaveTensor);
    connect(files, &FileController::tensorOpened, inputs_, &InputsPanel::showTensor);
    connect(files, &FileController::inputsWanted, panels_, &PanelDocks::openInputs);
    connect(masks_, &MaskPanel::arrayMade, inputs_, &InputsPanel::showTensor);
    connect(remarks_, &RemarksBar::chooseRequested, files, &FileController::chooseArrays);
    const auto allow_choice = [this, files] { remarks_->setChoosable(files->mayChooseArrays()); };
    connect(files, &FileController::arraysChanged, remarks_, allow_choice);
    allow_choice();
    const auto topic = QStringLiteral("input");
    connect(inputs_, &InputsPanel::messageRaised, this,
            [this, topic](const QString& text) { parts_.messages.showMessage(MessageBar::Kind::Notice, text, topic); });
    // A message about an edit is outdated after undo or another edit.
    connect(&parts_.document, &Document::problemChanged, this, [this, topic] { parts_.messages.clear(topic); });
    connect(formula_, &FormulaPanel::helpRequested, this, &Workspace::referenceRequested);
}

/// The operations that are buttons, and what that of the masks says.
void Workspace::offerOperators() {
    const auto& spec = parts_.document.problem().spec;
    const auto* mechanism = lookup(mechanisms(), spec.variant);
    const bool masks = !spec.masks.empty() || (mechanism && !refusal_of_mask(*mechanism, painted_mask::kind_id));
    area_->strip()->setControls({.scores = true,
                                 .weights = mechanism && !refusal_of_normaliser(*mechanism),
                                 .mask = masks ? SettingWords::ofMasks(spec) : QString()});
}

/// Of the heads on show; nullopt without a result.
std::optional<ScaleContext> Workspace::scaleContext() const {
    if (parts_.results.large().isOpen())
        return large_context_;
    const ComputedPtr computed = parts_.results.computed();
    const auto name = area_->strip()->stageOf(StageStrip::Operator::Scale).toStdString();
    const Stage* scaled = computed ? computed->trace.find(name) : nullptr;
    if (!scaled)
        return std::nullopt;
    const Stage* query = computed->trace.beside(*scaled, "query");
    return ScaleContext{query && query->value.rank() > 0 ? query->value.dim(-1) : 0,
                        scaled->value.rank() > 0 ? scaled->value.dim(-1) : 0};
}

/// Shows a slider for the present scale, if that has a number to move.
void Workspace::showSlider(ScaleSlider& slider) {
    const auto context = scaleContext();
    slider.setVisible(context && slider.setContext(*context));
}

/// A click on an operation opens its tray.
void Workspace::connectOperators() {
    using Operator = StageStrip::Operator;
    connect(&parts_.document, &Document::problemChanged, this, &Workspace::offerOperators);
    offerOperators();
    StageStrip* strip = area_->strip();
    using Tray = MechanismBar::Tray;
    auto* scale = new ScaleSlider(parts_.document);
    auto* temperature = new ScaleSlider(parts_.document);
    temperature->setHeading(tr("Temperature"), tr("Scores are divided by it"));
    for (const auto& [tray, slider] : {std::pair(Tray::Scale, scale), {Tray::Weights, temperature}}) {
        mechanism_->addToTray(tray, slider);
        connect(slider, &ScaleSlider::numberLost, slider, &QWidget::hide);
        connect(&parts_.document, &Document::problemChanged, slider,
                [this, slider = slider, tray = mechanism_->tray(tray)] {
                    if (tray->isOpen() && slider->isHidden()) // the scale may have a number now
                        showSlider(*slider);
                });
    }
    for (ToolTray* tray : mechanism_->trays())
        area_->addTray(tray);
    connectScrubs();
    connectBefore();
    QDockWidget* mask_dock = panels_->all()[1];
    const auto open_panel = [this, mask_dock] { panels_->open(*mask_dock); };
    connect(strip, &StageStrip::operatorRequested, this, [this, open_panel, scale, temperature](Operator which) {
        QWidget& opener = *area_->strip()->button(which);
        switch (which) {
        case Operator::Scores:
            return mechanism_->openTray(Tray::Scores, opener);
        case Operator::Scale:
            showSlider(*scale);
            return mechanism_->openTray(Tray::Scale, opener);
        case Operator::Mask:
            if (parts_.results.large().isOpen()) // nothing to paint on
                return open_panel();
            if (!mask_tray_->isOpen())
                area_->pages()->showMatrix();
            return mask_tray_->toggle(opener);
        case Operator::Weights:
            showSlider(*temperature);
            return mechanism_->openTray(Tray::Weights, opener);
        }
    });
    auto* masks = masks_;
    connect(mask_tray_, &MaskTray::panelRequested, this, [open_panel, masks] {
        masks->setGridShown(false); // strokes are on the matrix
        open_panel();
    });
    const auto show_grid = [masks] { masks->setGridShown(true); };
    connect(area_->pages(), &WindowPages::currentChanged, masks, show_grid);
    connect(mask_tray_, &MaskTray::openChanged, masks, [show_grid](bool open) {
        if (!open)
            show_grid();
    });
    connect(mask_dock->toggleViewAction(), &QAction::toggled, masks, [show_grid](bool shown) {
        if (!shown)
            show_grid();
    });
    const auto close_mask = [this] { // strokes need the large matrix
        if (mask_tray_->isOpen() &&
            (parts_.results.large().isOpen() || area_->pages()->currentPage() != area_->pages()->matrix()))
            mask_tray_->close();
    };
    connect(&parts_.results, &Results::mapShown, mask_tray_, close_mask);
    connect(area_->pages(), &WindowPages::currentChanged, mask_tray_, close_mask);
}

/// A drag on an operation changes its number.
void Workspace::connectScrubs() {
    const auto scrub = [this](StageStrip::Operator which, auto number) {
        new OperatorScrub(parts_.document, *area_->strip()->button(which),
                          [this, number]() -> std::optional<OperatorNumber> {
                              const auto context = scaleContext();
                              return context ? number(parts_.document.problem().spec, *context) : std::nullopt;
                          });
    };
    scrub(StageStrip::Operator::Scale, &numberOfScale);
    scrub(StageStrip::Operator::Weights, &numberOfWeights);
}

/// Numbers of before stay beside the present ones until the user chooses something else to look at, or opens a tray.
/// What is changed while a tray is open is compared with what was there when it was opened; what is undone, with what
/// was there just before.
void Workspace::connectBefore() {
    std::vector<ToolTray*> trays = mechanism_->trays();
    trays.push_back(mask_tray_);
    const auto forget_all = [this] {
        inspector_->forgetBefore();
        area_->ribbon()->setBefore(nullptr);
    };
    const auto forget = [forget_all, trays] {
        if (std::ranges::none_of(trays, &ToolTray::isOpen))
            forget_all();
    };
    for (ToolTray* tray : trays)
        connect(tray, &ToolTray::openChanged, area_,
                [this, forget_all](bool is_open) { is_open ? forget_all() : inspector_->compareNextWithNow(); });
    for (const QAction* action : {parts_.actions.undo, parts_.actions.redo})
        connect(action, &QAction::triggered, inspector_, &InspectorPanel::compareNextWithNow);
    connect(&parts_.view, &ViewState::pinnedChanged, area_, forget);
    connect(&parts_.view, &ViewState::stageChanged, area_, forget);
    connect(&parts_.view, &ViewState::sliceChanged, area_, forget);
}

void Workspace::connectPanels() {
    // Queued: a mode that covers the workspace hides all panels, and restores them, by itself.
    for (const QDockWidget* dock : panels_->all())
        connect(dock->toggleViewAction(), &QAction::toggled, this, &Workspace::fit, Qt::QueuedConnection);
    connect(modes_, &QStackedWidget::currentChanged, this, &Workspace::fit, Qt::QueuedConnection);
    connect(modes_, &QStackedWidget::currentChanged, rail_, [this](int mode) { rail_->showTools(mode == 0); });
    connect(area_->pages(), &WindowPages::currentChanged, this, &Workspace::fit);
}

void Workspace::start() {
    panels_->layOut();
    panels_->restore();
    if (panels_->showsInputs())
        inputs_->table()->setFocus();
    else
        area_->pages()->matrix()->heatmap()->setFocus();
}

void Workspace::fit() {
    const QMainWindow& window = parts_.window;
    const WindowPages* pages = area_->pages();
    const bool is_low = window.height() < lines_of_low_window * window.fontMetrics().height();
    top_->setLow(is_low);
    window.centralWidget()->layout()->setContentsMargins(0, is_low ? 2 : gap_below_row, 0, 0);
    if (modes_->currentIndex() == 0)
        panels_->setPageWidth(pages->currentPage() == pages->matrix()    ? PanelDocks::PageWidth::Usual
                              : pages->currentPage() == pages->compare() ? PanelDocks::PageWidth::Widest
                                                                         : PanelDocks::PageWidth::Wide);
    const bool is_narrow =
        window.width() < std::max(width_of_rail_texts, lines_of_rail_texts * window.fontMetrics().height());
    rail_->setToolButtonStyle(is_narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
    if (const QFont words = fontOfRail(window.font()); rail_->font() != words)
        rail_->setFont(words);
    if (modes_->currentIndex() == 0) // other pages hide the panels
        area_->setOpenSides(!panels_->standsAt(Qt::LeftDockWidgetArea), !panels_->standsAt(Qt::RightDockWidgetArea));
}

Rail::Rail(const Actions& actions, const PanelDocks& panels) {
    setFont(fontOfRail(font())); // before the buttons, whose sizes the layout keeps
    setObjectName(QStringLiteral("rail"));
    setWindowTitle(tr("Side bar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    setIconSize(QSize(20, 20));
    for (QAction* place : {actions.go_workspace, actions.go_model, actions.go_lessons, actions.go_map}) {
        place->setIconText(withoutMnemonic(place->text()));
        addAction(place);
    }
    tools_ << addSeparator();
    for (int i = 0; i < 2; ++i) {
        QAction* toggle = panels.all()[i]->toggleViewAction();
        toggle->setIcon(icon(i == 0 ? QStringLiteral("inputs") : QStringLiteral("mask")));
        addAction(toggle);
        tools_ << toggle;
    }
    // A tool bar takes the focus from its buttons.
    QList<QWidget*> buttons;
    for (auto* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        if (button->defaultAction()) {
            button->setFocusPolicy(Qt::TabFocus);
            buttons << button;
        }
    new RovingFocus(buttons, this);
}

void Rail::showTools(bool shown) {
    for (QAction* tool : tools_)
        tool->setVisible(shown);
}

} // namespace attnlab::ui
