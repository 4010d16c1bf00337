#include "ui/window/main_window.h"

#include "ui/document/background_files.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/model/model_session.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/lesson_authoring.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/status_line.h"
#include "ui/window/window_commands.h"
#include "ui/window/window_focus.h"
#include "ui/window/window_state.h"
#include "ui/window/windows.h"
#include "ui/window/work_area.h"
#include "ui/window/workspace_parts.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace attnlab::ui {

MainWindow::MainWindow(Backends backends, QWidget* parent)
    : QMainWindow(parent), messages_(new MessageBar), offers_(new MessageBar),
      files_(new FileController(document_, view_, *messages_, *offers_, this)),
      painter_(new MaskPainter(document_, view_, this)), overlay_(new OutdatedOverlay(this)), status_(new StatusLine),
      results_(new Results(document_, view_, backends, {*status_, *overlay_, *messages_}, this)),
      model_(new ModelSession(this)), shown_files_(new ShownFiles(*this)) {
    WheelGuard::install();
    setAcceptDrops(true);
    statusBar()->addWidget(status_, 1);
    statusBar()->setSizeGripEnabled(false);
    auto* area = new QWidget;
    (new QVBoxLayout(area))->setContentsMargins(0, 6, 0, 0);
    setCentralWidget(area);
    new Banners({offers_, messages_}, *this);
    connect(results_, &Results::settled, this, &MainWindow::settled);
    connect(model_, &ModelSession::runningChanged, this, [this] {
        if (model_->capture() && !isComputing())
            emit settled();
    });
    document_.setWorkRunner([this](const QString& title, const std::function<void(const RunControl&)>& work) {
        const auto outcome = workInBackground(this, title, work, handling_failed);
        if (outcome.error)
            messages_->showMessage(MessageBar::Kind::Error, *outcome.error);
        return outcome.ok();
    });
    connect(&document_, &Document::titleChanged, this, &MainWindow::showTitle);
    build();
    showTitle();
    const QSize frame(8, style()->pixelMetric(QStyle::PM_TitleBarHeight) + 8); // unknown before the window is shown
    const QSize room = screen()->availableSize() - frame;
    // Content never enlarges the window: parts with too little room scroll, wrap or cut their texts.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(QSize(1024, 640).boundedTo(room));
    if (!restoreGeometry(settings::windowGeometry()))
        resize(QSize(1440, 900).boundedTo(room));
    workspace_->start();
    learn_->authoring()->offerLeft();
}

void MainWindow::setDeviceLine(const Message& line) { status_->setDevice(line); }

bool MainWindow::isComputing() const { return results_->isComputing() || (model_->capture() && model_->isRunning()); }

MainWindow::~MainWindow() {
    hide();
    tearDown();
    delete results_;
}

MechanismBar* MainWindow::mechanismBar() const { return workspace_->mechanism(); }
WorkArea* MainWindow::workArea() const { return workspace_->area(); }
StageStrip* MainWindow::stageStrip() const { return workArea()->strip(); }
WindowPages* MainWindow::centre() const { return workArea()->pages(); }
MatrixPage* MainWindow::matrixPage() const { return centre()->matrix(); }
HeadsView* MainWindow::heads() const { return workArea()->heads(); }
InputsPanel* MainWindow::inputs() const { return workspace_->inputs(); }
MaskPanel* MainWindow::masks() const { return workspace_->masks(); }
PanelDocks* MainWindow::panelDocks() const { return workspace_->panels(); }

void MainWindow::build() {
    actions_ = new Actions(this);
    workspace_ =
        new Workspace({*this, *actions_, document_, view_, *files_, *results_, *painter_, *overlay_, *messages_});
    learn_ = new LearnMode({*this, *actions_, workspace_->modes(), document_, view_, results_->large(), *files_,
                            *messages_, workspace_->top()});
    model_mode_ = new ModelMode({*this, *actions_, workspace_->modes(), document_, workspace_->top()}, *model_, *files_,
                                *messages_);
    commands_ = new Commands(*this);
    places_ = new Places(*this, workspace_->modes());
    connect(workspace_, &Workspace::referenceRequested, commands_, &Commands::showReference);
    connect(learn_, &LearnMode::entering, model_mode_, &ModelMode::leave);
    connect(model_mode_, &ModelMode::entering, learn_, &LearnMode::leave);
    const PanelDocks& panels = *panelDocks();
    menus_ = new Menus(*actions_, *files_, panels.actions() + workArea()->actions(), panels.placeActions(), this);
    connect(files_, &FileController::captureRead, model_mode_,
            [this](const std::shared_ptr<const Contents>& contents, const QString& path, bool shown) {
                model_mode_->showCapture({contents, &*contents->capture}, path, shown);
            });
    connect(files_, &FileController::opened, model_mode_, &ModelMode::captureTaken);
    connect(menus_, &Menus::modelChosen, model_mode_, &ModelMode::open);
    connect(workArea()->ribbon(), &SentenceRibbon::modelRequested, model_mode_, &ModelMode::openSample);
    connect(model_mode_, &ModelMode::headTaken, workArea()->ribbon(), &SentenceRibbon::setModelNumbers);
    workArea()->ribbon()->setModelNumbers(model_->takenNumbers()); // of the window before, in another language
    workspace_->fit();
}

/// Deletes the widgets before what they refer to; an open cell editor still writes to the document when it closes.
void MainWindow::tearDown() {
    delete places_;
    delete commands_;
    delete model_mode_;
    delete learn_;
    delete menus_;
    delete std::exchange(workspace_, nullptr);
    delete actions_;
}

void MainWindow::rebuild() {
    files_->finishTyping();
    painter_->end();
    const auto state = std::make_shared<WindowState>(*this);
    setUpdatesEnabled(false);
    tearDown();
    build();
    results_->showAgain();
    showTitle();
    state->restore(*this);
    QTimer::singleShot(0, this, [this, state] {
        // After the layout, and what the layout itself asks for again, as parts that get lower.
        for (int i = 0; i < 3; ++i)
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        state->restoreViews(*this);
        setUpdatesEnabled(true);
        repaint(); // Qt drops a pending request to update while updates are off, and then posts no other one
    });
}

void MainWindow::showTitle() {
    // A sample that was changed may have another sentence than its name says.
    const bool is_sample = document_.path().isEmpty() && std::ranges::any_of(samples(), [this](const Sample& sample) {
                               return sample.displayTitle() == document_.title();
                           });
    const QString if_changed = is_sample ? tr("%1, changed").arg(document_.title()) : document_.title();
    const QString title = document_.isModified() ? if_changed : document_.title();
    if (workspace_)
        workspace_->setTitle(displayName(title), displayName(if_changed));
    setWindowTitle(titleText(title) + QStringLiteral("[*] — AttnLab"));
    setWindowModified(document_.isModified());
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::FontChange && workspace_)
        workspace_->fit();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (workspace_)
        workspace_->fit();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (cancelWork(*this)) { // a save, for example: closes when it has stopped
        constexpr std::chrono::milliseconds soon{10};
        QTimer::singleShot(soon, this, &QWidget::close);
        event->ignore();
        return;
    }
    if (!learn_->authoring()->mayDiscard() || !files_->mayDiscard()) {
        event->ignore();
        return;
    }
    learn_->authoring()->end();
    files_->crashRecovery().end();
    files_->noteClosed();
    const QByteArray geometry = learn_->usualGeometry();
    learn_->leave();
    model_mode_->leave();
    settings::setWindow(geometry, panelDocks()->saved());
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
    const bool is_input = paths.size() == 1 && !isOpenedAlone(paths) && model_mode_->takeInput(paths.front());
    if (!is_input && !openAlone(paths))
        files_->openOrJoin(paths, inputs()->currentTensor());
    event->acceptProposedAction();
}

} // namespace attnlab::ui
