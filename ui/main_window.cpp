#include "ui/main_window.h"

#include "ui/actions.h"
#include "ui/arrays/remarks_bar.h"
#include "ui/banners.h"
#include "ui/compare/against_page.h"
#include "ui/compare/compare_page.h"
#include "ui/exhibits/exhibit_pages.h"
#include "ui/file_controller.h"
#include "ui/file_name.h"
#include "ui/formula/formula_panel.h"
#include "ui/inputs/fit.h"
#include "ui/inputs/inputs_panel.h"
#include "ui/inputs/tensor_table.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/learn/learn_mode.h"
#include "ui/map/large_inputs.h"
#include "ui/mask/mask_painter.h"
#include "ui/mask/mask_panel.h"
#include "ui/mechanism/mechanism_bar.h"
#include "ui/message_bar.h"
#include "ui/page_stack.h"
#include "ui/panel_grip.h"
#include "ui/plot/heatmap_view.h"
#include "ui/settings.h"
#include "ui/slice.h"
#include "ui/stages/centre_pages.h"
#include "ui/stages/heads_view.h"
#include "ui/stages/stage_strip.h"
#include "ui/stages/stage_view.h"
#include "ui/stale_marks.h"
#include "ui/status_line.h"
#include "ui/step/step_page.h"
#include "ui/text.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

const QString problem_topic = QStringLiteral("problem");
const QString input_topic = QStringLiteral("input");

struct PanelTitle {
    const char* id;
    const char* text;
};
constexpr PanelTitle panel_titles[] = {
    {"inputs", QT_TRANSLATE_NOOP("MainWindow", "Inputs")},
    {"mask", QT_TRANSLATE_NOOP("MainWindow", "Mask")},
    {"heads", QT_TRANSLATE_NOOP("MainWindow", "Heads")},
    {"inspector", QT_TRANSLATE_NOOP("MainWindow", "Inspector")},
};

/// Two panels in one, the upper as high as it wants to be.
QWidget* stacked(QWidget* upper, QWidget* lower) {
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(upper);
    layout->addWidget(lower, 1);
    return both;
}

/// Two widgets that take turns in one place.
QStackedWidget* stackOf(QWidget* usual, QWidget* other) {
    auto* stack = new PageStack;
    stack->addWidget(usual);
    stack->addWidget(other);
    return stack;
}

/// A projector, or a screen at 200%. Panels that someone arranged on a higher one would not fit.
bool isLow(const QScreen& screen) {
    constexpr int lowest_for_all_panels = 700;
    return screen.availableSize().height() < lowest_for_all_panels;
}

/// Which of the saved arrangements of panels are for such a screen.
int arrangementFor(const QScreen& screen) { return isLow(screen) ? 1 : 0; }

/// A panel with the window showing around its card.
QWidget* padded(QWidget* panel, const QMargins& margins) {
    auto* around = new QWidget;
    auto* layout = new QVBoxLayout(around);
    layout->setContentsMargins(margins);
    layout->addWidget(panel);
    return around;
}

QStringList droppedFiles(const QMimeData* data) {
    QStringList paths;
    for (const auto& url : data->urls())
        if (url.isLocalFile())
            paths << localFile(url);
    return paths;
}

} // namespace

MainWindow::MainWindow(Backends backends, QWidget* parent)
    : QMainWindow(parent), computation_(backends), actions_(new Actions(this)) {
    build();
    connectComputation();
    connectActions();
    connectEditing();
    connectPainting();
    learn_ = new LearnMode({*this, *actions_, *modes_, document_, *files_, *messages_});
    fillMenus();
    retranslate();
    const QSize frame(8, style()->pixelMetric(QStyle::PM_TitleBarHeight) + 8); // not known before the window is up
    const QSize room = screen()->availableSize() - frame;
    // What is shown never makes the window larger: parts that have too little room scroll, wrap or cut their texts.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(QSize(1024, 640).boundedTo(room));
    if (!restoreGeometry(settings::windowGeometry()))
        resize(QSize(1440, 900).boundedTo(room));
    layOutPanels();
    inputs_->table()->setFocus();
    restoreState(settings::windowState(), arrangementFor(*screen()));
}

MainWindow::~MainWindow() {
    // The panels refer to the document, and an open cell editor still writes to it when it closes: they go first.
    hide();
    delete learn_;
    delete takeCentralWidget();
    qDeleteAll(docks_);
    delete bar_;
}

void MainWindow::build() {
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    messages_ = new MessageBar;
    offers_ = new MessageBar;
    files_ = new FileController(document_, view_, *messages_, *offers_, this);
    remarks_ = new RemarksBar(document_);
    painter_ = new MaskPainter(document_, view_, this);

    mechanism_ = new MechanismBar(document_);
    mechanism_->addActionButton(actions_->compare);
    mechanism_->addActionButton(actions_->export_shown, MechanismBar::ButtonStyle::Accent);
    bar_ = addToolBar(QString());
    bar_->setObjectName(QStringLiteral("mechanism"));
    bar_->setMovable(false);
    bar_->addWidget(mechanism_);

    strip_ = new StageStrip(view_);
    stage_ = new StageView(view_);
    centre_ = new CentrePages(view_);
    large_ = new LargeInputs(view_, this);
    addPage("matrix", QT_TRANSLATE_NOOP("CentrePages", "Matrix"), stage_);
    addPage("map", QT_TRANSLATE_NOOP("CentrePages", "Map"), large_->page(), false);
    compare_ = new ComparePage(document_, view_);
    addPage("compare", QT_TRANSLATE_NOOP("CentrePages", "Compare"), compare_, false);
    against_ = new AgainstPage(document_, view_);
    addPage("against", QT_TRANSLATE_NOOP("CentrePages", "With a file"), against_, false);
    exhibits_ = new ExhibitPages(view_, *centre_, new StepPage(view_));
    auto* workspace = stacked(strip_, centre_);
    modes_ = new PageStack;
    modes_->addWidget(workspace);
    auto* middle = stacked(remarks_, modes_);
    new Banners({offers_, messages_}, *middle);
    middle->layout()->setContentsMargins(0, 8, 0, 0);
    setCentralWidget(middle);

    inputs_ = new InputsPanel(document_, view_);
    mask_ = new MaskPanel(*painter_);
    heads_ = new HeadsView(view_);
    heads_page_ = stackOf(heads_, large_->heads());
    formula_ = new FormulaPanel(document_);
    inspector_ = new InspectorPanel(view_);
    docks_ << addPanel("inputs", padded(inputs_, {6, 0, 0, 0}), Qt::LeftDockWidgetArea)
           << addPanel("mask", padded(mask_, {6, 0, 0, 6}), Qt::LeftDockWidgetArea)
           << addPanel("heads", padded(heads_page_, {0, 0, 0, 6}), Qt::BottomDockWidgetArea)
           << addPanel("inspector", padded(stacked(formula_, inspector_), {0, 0, 6, 6}), Qt::RightDockWidgetArea);

    stale_ = new StaleMarks(this);
    stale_->cover(centre_, StaleMarks::Words::Shown);
    for (QWidget* part : std::initializer_list<QWidget*>{strip_, heads_page_, inspector_})
        stale_->cover(part, StaleMarks::Words::None);

    status_ = new StatusLine;
    statusBar()->addWidget(status_, 1);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::addPage(const char* id, const char* title, Page* page, bool available) {
    centre_->addPage(QString::fromLatin1(id), title, page);
    centre_->setAvailable(QString::fromLatin1(id), available);
}

QDockWidget* MainWindow::addPanel(const char* id, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget;
    dock->setObjectName(QString::fromLatin1(id));
    dock->setTitleBarWidget(new PanelGrip(*dock));
    dock->setWidget(content);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::layOutPanels() {
    const Qt::DockWidgetArea areas[] = {Qt::LeftDockWidgetArea, Qt::LeftDockWidgetArea, Qt::BottomDockWidgetArea,
                                        Qt::RightDockWidgetArea};
    for (int i = 0; i < docks_.size(); ++i) {
        docks_[i]->setFloating(false);
        addDockWidget(areas[i], docks_[i]);
        docks_[i]->show();
    }
    resizeDocks({docks_[0], docks_[3]}, {280, 300}, Qt::Horizontal);
    if (isLow(*screen())) {
        // Inputs, mask and heads share their place instead of pushing the window beyond the screen.
        tabifyDockWidget(docks_[0], docks_[1]);
        tabifyDockWidget(docks_[0], docks_[2]);
        docks_[0]->raise();
        return;
    }
    resizeDocks({docks_[0], docks_[1]}, {height() / 2, height() / 2}, Qt::Vertical);
    resizeDocks({docks_[2]}, {190}, Qt::Vertical);
}

void MainWindow::connectComputation() {
    connectMaps();
    connect(&document_, &Document::problemChanged, this, &MainWindow::compute);
    connect(&computation_, &Computation::started, status_, &StatusLine::begin);
    connect(&computation_, &Computation::progressed, status_, &StatusLine::setProgress);
    connect(status_, &StatusLine::cancelRequested, &computation_, &Computation::cancel);
    connect(&computation_, &Computation::cancelled, this, [this] {
        status_->end();
        status_->setFailed(ATTNLAB_TEXT("Cancelled: the views show the result before"));
        if (!large_->isOpen())
            stale_->giveUp();
        emit settled();
    });
    connect(&computation_, &Computation::failed, this, [this](const Message& why) {
        status_->end();
        status_->setFailed(why);
        stale_->giveUp();
        messages_->showMessage(MessageBar::Kind::Error, why, problem_topic);
        offerInputsThatFit();
        emit settled();
    });
    connect(&computation_, &Computation::finished, this, [this](const ComputedPtr& computed) {
        if (!computation_.isRunning())
            status_->end();
        messages_->clear(problem_topic);
        present(computed);
        if (!computation_.isRunning())
            stale_->clear();
        emit settled();
    });
}

void MainWindow::present(const ComputedPtr& computed) {
    computed_ = computed;
    fitView(computed->trace);
    strip_->setTrace(computed);
    stage_->setTrace(computed);
    exhibits_->setTrace(computed);
    compare_->setTrace(computed);
    against_->setTrace(computed);
    heads_->setTrace(computed);
    inspector_->setTrace(computed, document_.problem());
    painter_->setTrace(computed);
    allowPainting();
    status_->setComputed(computed);
}

/// Another problem may have fewer batches, heads or tokens than what is being looked at.
void MainWindow::fitView(const Trace& trace) {
    const auto size = sizeOf(trace);
    if (view_.batch() >= size.batches)
        view_.setBatch(0);
    if (view_.head() >= size.heads)
        view_.setHead(0);
    const Stage* stage = stageToShow(trace, view_.stage().toStdString());
    if (stage)
        view_.setStage(QString::fromStdString(stage->name));
    const auto slice = stage ? sliceOf(trace, *stage, view_.batch(), view_.head()) : std::nullopt;
    const auto outside = [&](const std::optional<Cell>& cell) {
        return cell && (!slice || cell->row >= slice->view().rows || cell->column >= slice->view().columns);
    };
    if (outside(view_.pinned()))
        view_.setPinned({});
    if (outside(view_.hovered()))
        view_.setHovered({});
}

void MainWindow::connectEditing() {
    connect(inputs_, &InputsPanel::messageRaised, this,
            [this](const QString& text) { messages_->showMessage(MessageBar::Kind::Notice, text, input_topic); });
    // What is said of an edit is no longer so once it is undone or another follows.
    connect(&document_, &Document::problemChanged, this, [this] { messages_->clear(input_topic); });
    connect(inputs_, &InputsPanel::openFileRequested, files_, &FileController::chooseForTensor);
    connect(inputs_, &InputsPanel::saveFileRequested, files_, &FileController::chooseToSaveTensor);
    connect(remarks_, &RemarksBar::chooseRequested, files_, &FileController::chooseArrays);
    connect(files_, &FileController::arraysChanged, remarks_,
            [this] { remarks_->setChoosable(files_->mayChooseArrays()); });
    connect(files_, &FileController::tensorOpened, inputs_, &InputsPanel::showTensor);
    connect(formula_, &FormulaPanel::helpRequested, this, &MainWindow::showReference);
    connect(centre_, &CentrePages::currentChanged, this, &MainWindow::allowZooming);
    connect(heads_, &HeadsView::enlargeRequested, stage_, [this] {
        centre_->setCurrent(QStringLiteral("matrix"));
        stage_->setFocus();
    });
    connect(&document_, &Document::problemChanged, centre_, [this](const AttentionProblem& problem) {
        centre_->setAvailable(QStringLiteral("compare"), problem.compared_with.has_value());
    });
    connect(against_, &AgainstPage::opened, centre_, [this] {
        centre_->setAvailable(QStringLiteral("against"), true);
        centre_->setCurrent(QStringLiteral("against"));
    });
    connect(against_, &AgainstPage::closed, centre_, [this] {
        centre_->setAvailable(QStringLiteral("against"), false);
        centre_->setCurrent(QStringLiteral("matrix"));
    });
    connect(&document_, &Document::titleChanged, this, [this] {
        setWindowTitle(titleText(document_.title()) + QStringLiteral("[*] — AttnLab"));
        setWindowModified(document_.isModified());
    });
}

void MainWindow::allowZooming() {
    const Page* page = centre_->currentPage();
    for (auto* action : {actions_->zoom_in, actions_->zoom_out, actions_->zoom_fit})
        action->setEnabled(page && page->canZoom());
}

void MainWindow::connectPainting() {
    auto* heatmap = stage_->heatmap();
    auto* paint = actions_->paint;
    connect(heatmap, &HeatmapView::strokeBegan, painter_, &MaskPainter::begin);
    connect(heatmap, &HeatmapView::strokeMoved, painter_, &MaskPainter::move);
    connect(heatmap, &HeatmapView::strokeEnded, painter_, &MaskPainter::end);
    connect(paint, &QAction::toggled, mask_, &MaskPanel::setPainting);
    connect(paint, &QAction::toggled, centre_, [this](bool painting) {
        if (painting) // the cells to paint on
            centre_->setCurrent(QStringLiteral("matrix"));
    });
    connect(mask_, &MaskPanel::paintingChanged, paint, &QAction::setChecked);
    connect(mask_, &MaskPanel::paintingChanged, this, &MainWindow::allowPainting);
    connect(&view_, &ViewState::stageChanged, this, &MainWindow::allowPainting);
    connect(mask_, &MaskPanel::importRequested, this, [this] {
        files_->chooseArray([this](const Tensor& mask, const QString& name) { mask_->offerImport(mask, name); });
    });
    connect(painter_, &MaskPainter::refused, this,
            [this](const QString& why) { messages_->showMessage(MessageBar::Kind::Notice, why); });
    painter_->cancelOnEscape(*heatmap);
}

/// Another number of heads may not divide the width that the projections were made for, or be another than an array of
/// biases has: inputs that fit are a way out.
void MainWindow::offerInputsThatFit() {
    const auto fitted = fittedInputs(document_.problem());
    if (!fitted)
        return;
    if (!fitted->made.isEmpty()) { // numbers that no file holds are never to look as if one did
        const QString made = fitted->made.join(QStringLiteral(", "));
        messages_->offer(tr("Make up %1").arg(made), [this, made, next = fitted->problem] {
            document_.edit(tr("Make up %1").arg(made), next);
            messages_->showMessage(MessageBar::Kind::Notice, tr("Random numbers, from no file: %1").arg(made));
        });
        return;
    }
    const QString resize = tr("Resize %1").arg(fitted->resized.join(QStringLiteral(", ")));
    const bool weights = !fitted->remade.isEmpty();
    messages_->offer(
        weights ? tr("Make weights that fit") : resize,
        [this, next = fitted->problem, text = weights ? tr("New weights") : resize] { document_.edit(text, next); });
}

/// Only a picture of queries against keys can be painted on.
void MainWindow::allowPainting() {
    const Stage* stage = stage_->shownStage();
    const bool cells = stage && stage->axes.size() >= 2 && stage->axes.back() == Axis::Key &&
                       stage->axes[stage->axes.size() - 2] == Axis::Query;
    stage_->heatmap()->setPainting(mask_->isPainting() && cells);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!files_->mayDiscard()) {
        event->ignore();
        return;
    }
    files_->endRecovery();
    const QByteArray geometry = learn_->usualGeometry();
    learn_->leave();
    settings::setWindow(geometry, saveState(arrangementFor(*screen())));
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    files_->openOrJoin(droppedFiles(event->mimeData()), inputs_->currentTensor());
    event->acceptProposedAction();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::retranslate() {
    actions_->retranslate();
    for (int i = 0; i < docks_.size(); ++i)
        docks_[i]->setWindowTitle(QCoreApplication::translate("MainWindow", panel_titles[i].text));
    bar_->setWindowTitle(tr("Mechanism"));
    learn_->retranslate();
    fillMenus();
    emit document_.titleChanged();
    if (!offers_->isHidden())
        files_->offerLeftWork();
    // Labels of axes and notes come from the engine: show the result again in the new language.
    if (computed_)
        present(computed_);
}

} // namespace attnlab::ui
