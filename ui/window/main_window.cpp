#include "ui/window/main_window.h"

#include "ui/document/file_controller.h"
#include "ui/document/file_name.h"
#include "ui/document/remarks_bar.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/model/model_session.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/formula_panel.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/stale_marks.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/window/actions.h"
#include "ui/window/banners.h"
#include "ui/window/commands.h"
#include "ui/window/learn_mode.h"
#include "ui/window/menus.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/rail.h"
#include "ui/window/reading_order.h"
#include "ui/window/shown_files.h"
#include "ui/window/status_line.h"
#include "ui/window/window_pages.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

const QString input_topic = QStringLiteral("input");

// In pixels and in lines of text: such a window has room for the words about the mechanism.
constexpr int high_window = 1000, lines_of_high = 52;

/// Two panels in one; the upper one has its preferred height, and `beside` to its right.
QWidget* stacked(QWidget* upper, QWidget* lower, int beside = 0) {
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* above = new QVBoxLayout;
    above->setContentsMargins(0, 0, beside, 0);
    above->addWidget(upper);
    layout->addLayout(above);
    layout->addWidget(lower, 1);
    return both;
}

} // namespace

MainWindow::MainWindow(Backends backends, QWidget* parent)
    : QMainWindow(parent), messages_(new MessageBar), offers_(new MessageBar),
      files_(new FileController(document_, view_, *messages_, *offers_, this)),
      painter_(new MaskPainter(document_, view_, this)), stale_(new StaleMarks(this)), status_(new StatusLine),
      results_(new Results(document_, view_, backends, {*status_, *stale_, *messages_}, this)),
      model_(new ModelSession(this)), shown_files_(new ShownFiles(*this)) {
    WheelGuard::install();
    setAcceptDrops(true);
    statusBar()->addWidget(status_, 1);
    statusBar()->setSizeGripEnabled(false);
    auto* area = new QWidget;
    (new QVBoxLayout(area))->setContentsMargins(0, 8, 0, 0);
    setCentralWidget(area);
    new Banners({offers_, messages_}, *this);
    connect(results_, &Results::settled, this, &MainWindow::settled);
    connect(model_, &ModelSession::runningChanged, this, [this] {
        if (model_->capture() && !isComputing())
            emit settled();
    });
    // A message about an edit is outdated after undo or another edit.
    connect(&document_, &Document::problemChanged, this, [this] { messages_->clear(input_topic); });
    connect(&document_, &Document::titleChanged, this, [this] {
        // A sample that was changed may have another sentence than its name says.
        const bool changed = document_.path().isEmpty() && document_.isModified() &&
                             std::ranges::any_of(samples(), [this](const Sample& sample) {
                                 return sample.displayTitle() == document_.title();
                             });
        const QString title = titleText(document_.title());
        setWindowTitle((changed ? tr("%1, changed").arg(title) : title) + QStringLiteral("[*] — AttnLab"));
        setWindowModified(document_.isModified());
    });
    build();
    emit document_.titleChanged();
    const QSize frame(8, style()->pixelMetric(QStyle::PM_TitleBarHeight) + 8); // unknown before the window is shown
    const QSize room = screen()->availableSize() - frame;
    // Content never enlarges the window: parts with too little room scroll, wrap or cut their texts.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(QSize(1024, 640).boundedTo(room));
    if (!restoreGeometry(settings::windowGeometry()))
        resize(QSize(1440, 900).boundedTo(room));
    panels_->layOut();
    panels_->restore();
    if (panels_->showsInputs())
        inputs_->table()->setFocus();
    else
        matrixPage()->heatmap()->setFocus();
}

void MainWindow::setDeviceLine(const Message& line) { status_->setDevice(line); }

bool MainWindow::isComputing() const { return results_->isComputing() || (model_->capture() && model_->isRunning()); }

MainWindow::~MainWindow() {
    hide();
    tearDown();
    delete results_;
}

StageStrip* MainWindow::stageStrip() const { return work_area_->strip(); }
WindowPages* MainWindow::centre() const { return work_area_->pages(); }
MatrixPage* MainWindow::matrixPage() const { return centre()->matrix(); }
HeadsView* MainWindow::heads() const { return work_area_->heads(); }

void MainWindow::build() {
    actions_ = new Actions(this);
    mechanism_ = new MechanismBar(document_);
    mechanism_->addActionButton(actions_->compare);
    mechanism_->addActionButton(actions_->export_shown, MechanismBar::ButtonStyle::Accent);
    bar_ = addToolBar(tr("Mechanism"));
    bar_->setObjectName(QStringLiteral("mechanism"));
    bar_->setMovable(false);
    bar_->addWidget(mechanism_);
    buildCentre();
    buildPanels();
    rail_ = new Rail(*actions_, *panels_);
    addToolBar(Qt::LeftToolBarArea, rail_);
    stale_->cover(centre(), StaleMarks::Words::Shown);
    for (QWidget* part :
         std::initializer_list<QWidget*>{work_area_->ribbon(), stageStrip(), work_area_->headsColumn(), inspector_})
        stale_->cover(part, StaleMarks::Words::None);
    connect(stale_, &StaleMarks::dimmedChanged, work_area_->ribbon(), &SentenceRibbon::setOutOfDate);
    work_area_->ribbon()->setOutOfDate(stale_->isDimmed());
    connectResults();
    connectEditing();
    connectPanels();
    commands_ = new Commands(*this);
    learn_ = new LearnMode({*this, *actions_, *modes_, document_, *files_, *messages_});
    model_mode_ = new ModelMode({*this, *actions_, *modes_, document_}, *model_, *files_, *messages_);
    connect(learn_, &LearnMode::entering, model_mode_, &ModelMode::leave);
    connect(model_mode_, &ModelMode::entering, learn_, &LearnMode::leave);
    menus_ = new Menus(*actions_, *files_, panels_->actions() + work_area_->actions(), panels_->placeActions(), this);
    connect(files_, &FileController::captureRead, model_mode_,
            [this](const std::shared_ptr<const Contents>& contents, const QString& path, bool shown) {
                model_mode_->showCapture({contents, &*contents->capture}, path, shown);
            });
    connect(files_, &FileController::opened, model_mode_, &ModelMode::captureTaken);
    connect(menus_, &Menus::modelChosen, model_mode_, &ModelMode::open);
}

void MainWindow::buildCentre() {
    remarks_ = new RemarksBar(document_);
    work_area_ = new WorkArea(document_, view_, *largeInputs());
    modes_ = new PageStack;
    modes_->addWidget(stacked(remarks_, work_area_)); // remarks are on the document
    middle_ = modes_;
    centralWidget()->layout()->addWidget(middle_);
}

void MainWindow::buildPanels() {
    inputs_ = new InputsPanel(document_, view_);
    formula_ = new FormulaPanel(document_);
    inspector_ = new InspectorPanel(view_);
    panels_ = new PanelDocks(*this);
    panels_->add("inputs", QT_TRANSLATE_NOOP("PanelDocks", "Inputs"), inputs_, Qt::LeftDockWidgetArea, {6, 0, 0, 0});
    panels_->add("mask", QT_TRANSLATE_NOOP("PanelDocks", "Mask"), new MaskPanel(*painter_), Qt::LeftDockWidgetArea,
                 {6, 0, 0, 6});
    panels_->add("inspector", QT_TRANSLATE_NOOP("PanelDocks", "Inspector"),
                 stacked(formula_, inspector_, style()->pixelMetric(QStyle::PM_ScrollBarExtent)),
                 Qt::RightDockWidgetArea, {0, 0, 6, 6});
}

void MainWindow::connectResults() {
    connect(results_, &Results::changed, middle_, [this](const ComputedPtr& computed) {
        work_area_->setTrace(computed);
        if (!computed)
            return inspector_->clear(); // the other panels are hidden beside a map
        inspector_->setTrace(computed, document_.problem());
        painter_->setTrace(computed);
    });
    connect(results_, &Results::mapShown, work_area_, &WorkArea::showMap);
    // Beside a map the inspector explains one row at a time, with all its stages.
    connect(largeInputs(), &LargeInputs::rowRead, inspector_,
            [this](const ComputedPtr& computed, const AttentionProblem& problem, int row) {
                inspector_->setTrace(computed, problem, row, work_area_->pages()->matrix()->heatmap()->colorScale());
            });
    connect(largeInputs(), &LargeInputs::rowOutdated, inspector_, &InspectorPanel::clear);
    connect(largeInputs(), &LargeInputs::scoresKnown, inspector_, &InspectorPanel::setHeadScores);
}

void MainWindow::connectEditing() {
    connect(inputs_, &InputsPanel::messageRaised, this,
            [this](const QString& text) { messages_->showMessage(MessageBar::Kind::Notice, text, input_topic); });
    connect(inputs_, &InputsPanel::openFileRequested, &files_->arrays(), &ArrayFiles::chooseForTensor);
    connect(inputs_, &InputsPanel::saveFileRequested, &files_->arrays(), &ArrayFiles::chooseToSaveTensor);
    connect(remarks_, &RemarksBar::chooseRequested, files_, &FileController::chooseArrays);
    connect(files_, &FileController::arraysChanged, remarks_,
            [this] { remarks_->setChoosable(files_->mayChooseArrays()); });
    remarks_->setChoosable(files_->mayChooseArrays());
    connect(files_, &FileController::tensorOpened, inputs_, &InputsPanel::showTensor);
    connect(formula_, &FormulaPanel::helpRequested, this, [this] { commands_->showReference(); });
}

void MainWindow::connectPanels() {
    // Queued: a mode that covers the workspace hides all panels, and restores them, by itself.
    for (const QDockWidget* dock : panels_->all())
        connect(
            dock->toggleViewAction(), &QAction::toggled, panels_, [this] { fitPanels(); }, Qt::QueuedConnection);
    connect(
        modes_, &QStackedWidget::currentChanged, panels_, [this] { fitPanels(); }, Qt::QueuedConnection);
    connect(centre(), &WindowPages::currentChanged, panels_, [this] { fitPanels(); });
}

void MainWindow::fitPanels() {
    if (modes_->currentIndex() == 0)
        panels_->setPageNeedsWidth(centre()->currentPage() != matrixPage());
    formula_->setHigh(height() >= std::max(high_window, lines_of_high * fontMetrics().height()));
    work_area_->setOpenSides(!panels_->standsAt(Qt::LeftDockWidgetArea), !panels_->standsAt(Qt::RightDockWidgetArea));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitPanels();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!files_->mayDiscard()) {
        event->ignore();
        return;
    }
    files_->leftWork().end();
    files_->noteClosed();
    const QByteArray geometry = learn_->usualGeometry();
    learn_->leave();
    model_mode_->leave();
    settings::setWindow(geometry, panels_->saved());
    event->accept();
}

bool MainWindow::focusNextPrevChild(bool next) {
    auto* stop = tabStopFrom(*this, focusWidget(), next);
    if (!stop)
        return QMainWindow::focusNextPrevChild(next);
    stop->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

bool MainWindow::openAlone(const QStringList& paths) {
    if (!isOpenedAlone(paths))
        return false;
    if (ModelMode::isModel(paths.front()))
        model_mode_->open(paths.front());
    else
        learn_->openFolder(paths.front());
    return true;
}

bool MainWindow::isOpenedAlone(const QStringList& paths) {
    return paths.size() == 1 && (ModelMode::isModel(paths.front()) || LearnMode::isLesson(paths.front()));
}

void MainWindow::open(const QStringList& paths) {
    if (!openAlone(paths))
        files_->open(paths);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const auto paths = localFiles(*event->mimeData());
    if (!openAlone(paths))
        files_->openOrJoin(paths, inputs_->currentTensor());
    event->acceptProposedAction();
}

} // namespace attnlab::ui
