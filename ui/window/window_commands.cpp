#include "ui/window/window_commands.h"

#include "ui/document/file_controller.h"
#include "ui/document/random_numbers.h"
#include "ui/document/settings.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/model/model_page.h"
#include "ui/pages/compare/check_answer_dialog.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/help/help.h"
#include "ui/panels/help/reference_dialog.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/key_grid/key_picture.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/coach_marks.h"
#include "ui/window/command_palette.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/preferences.h"
#include "ui/window/results.h"
#include "ui/window/start_gallery.h"
#include "ui/window/status_line.h"
#include "ui/window/window_focus.h"
#include "ui/window/windows.h"
#include "ui/window/work_area.h"

#include <algorithm>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QPrintDialog>
#include <QPrinter>
#include <QStatusBar>
#include <utility>

namespace attnlab::ui {

Commands::Commands(MainWindow& window)
    : QObject(&window), window_(window), dividers_(new PanelDividers(window)), palette_(new CommandPalette(&window)) {
    connectFile();
    connectEdit();
    connectView();
    connectAttention();
    connectPainting();
    connectHelp();
    connectPictures();
}

Commands::~Commands() { delete palette_; }

void Commands::on(QAction* action, std::function<void()> run) {
    connect(action, &QAction::triggered, this, std::move(run));
}

void Commands::connectFile() {
    const Actions& actions = window_.actions();
    FileController* files = &window_.files();
    on(actions.new_document, [this, files] {
        if (!files->newDocument())
            return;
        window_.centre()->showMatrix(); // in a low window the other pages have no sentence
        window_.workArea()->ribbon()->askForSentence();
    });
    on(actions.samples, [this] { showGallery(); });
    on(actions.open, [files] { files->chooseAndOpen(); });
    on(actions.save, [files] { files->save(); });
    on(actions.save_as, [files] { files->saveAs(); });
    on(actions.new_window, [this] { emit window_.newWindowRequested(); });
    on(actions.close_window, [this] { window_.close(); });
    on(actions.quit, &QApplication::closeAllWindows); // until one has unsaved work
    on(actions.print, [this] { print(); });
    on(actions.watch, [this] { chooseWatched(); });
    const auto tick = [this, watch = actions.watch] {
        watch->setChecked(!window_.shownFiles().watched().isEmpty());
        watch->setStatusTip(window_.shownFiles().watched());
    };
    connect(&window_.shownFiles(), &ShownFiles::watchedChanged, this, tick);
    tick();
    on(actions.export_shown, [this] {
        window_.files().finishTyping();
        if (window_.modelMode()->isOn()) {
            if (mayExport())
                window_.modelMode()->page()->exportShown();
            return;
        }
        if (mayExport() && !window_.centre()->currentPage()->askForExport({}, origin()))
            window_.messageBar()->showMessage(MessageBar::Kind::Notice, tr("This page has nothing to export."));
    });
    connect(window_.centre(), &CentrePages::animationRequested, this, [this] {
        if (mayExport())
            window_.centre()->currentPage()->askForExport(QStringLiteral("animation"), origin());
    });
    connect(window_.centre(), &CentrePages::exported, this, [this](const QStringList& written) {
        window_.messageBar()->showMessage(
            MessageBar::Kind::Notice,
            tr("Exported: %1").arg(QDir::toNativeSeparators(written.join(QStringLiteral(", ")))));
    });
}

void Commands::showGallery() {
    auto* gallery = new StartGallery(&window_);
    gallery->setAttribute(Qt::WA_DeleteOnClose);
    // The actions of a window in another language are others.
    const auto trigger = [&window = window_](QAction* Actions::*action) {
        return [&window, action] { (window.actions().*action)->trigger(); };
    };
    connect(gallery, &StartGallery::newRequested, &window_, trigger(&Actions::new_document));
    connect(gallery, &StartGallery::openRequested, &window_, trigger(&Actions::open));
    connect(gallery, &StartGallery::openModelRequested, &window_, trigger(&Actions::open_model));
    connect(gallery, &StartGallery::modelChosen, &window_, trigger(&Actions::sample_model));
    connect(gallery, &StartGallery::sampleChosen, &window_, [&window = window_](const QString& id) {
        if (window.files().openSample(id))
            window.actions().go_workspace->trigger();
    });
    gallery->open();
}

void Commands::connectPictures() {
    offerExport(*window_.workArea()->ribbon()->arcs(), [this] { exportWeights(QStringLiteral("arcs")); });
    if (auto* inspector = window_.findChild<InspectorPanel*>())
        offerExport(*inspector->rowCard()->bars(), [this] { exportWeights(QStringLiteral("bars")); });
    offerExport(*window_.matrixPage()->heatmap(), [this] { window_.actions().export_shown->trigger(); });
}

void Commands::exportWeights(const QString& output) {
    window_.files().finishTyping();
    const auto computed = window_.computed();
    const ViewState& view = window_.viewState();
    const Stage* weights =
        computed ? weightsBeside(computed->trace, stageToShow(computed->trace, view.stage().toStdString())) : nullptr;
    if (!weights || !mayExport())
        return;
    const int head = headWithin(computed->trace, view.head());
    const auto pinned = view.pinned();
    const auto scale = shownScale(computed->trace, *weights, view.batch(), view);
    auto subject = stageExport(computed,
                               {weights->name, view.batch(), head, choiceLike(view.colors(), scale),
                                pinned ? std::optional(pinned->row) : std::nullopt},
                               stageTitle(computed->trace, *weights, view.batch(), head));
    subject.figure.title =
        RandomNumbers::marked(subject.figure.title, RandomNumbers(window_.document().problem()).markOf(weights->name));
    ViewState shown;
    viewFromJson(viewToJson(view), shown);
    shown.setStage(QString::fromStdString(weights->name));
    subject.origin = std::make_shared<const FigureOrigin>(originOf(window_.document().problem(), shown));
    auto* dialog = openExport(std::move(subject), &window_);
    dialog->choose(output);
    connect(dialog, &ExportDialog::exported, window_.centre(), &CentrePages::exported);
}

std::shared_ptr<const FigureOrigin> Commands::origin() const {
    return std::make_shared<const FigureOrigin>(originOf(window_.document().problem(), window_.viewState()));
}

void Commands::chooseWatched() {
    auto& files = window_.shownFiles();
    const QString path = files.watched().isEmpty()
                             ? QFileDialog::getOpenFileName(&window_, tr("Watch a file"), settings::lastFolder())
                             : QString();
    files.watch(path);
}

void Commands::connectEdit() {
    const Actions& actions = window_.actions();
    on(actions.copy_matrix, [this] { copy(&Page::copyMatrix); });
    on(actions.copy_picture, [this] { copy(&Page::copyPicture); });
    new CopyAs(*actions.copy_as, window_.document(), window_.files(), *window_.messageBar(), this);
    auto* undo = actions.undo;
    auto* redo = actions.redo;
    auto* steps = actions.steps;
    steps->addStack(window_.document().undoStack());
    if (!steps->activeStack())
        steps->setActiveStack(window_.document().undoStack());
    const auto say = [this](const QString& what) {
        constexpr int milliseconds = 2500;
        window_.statusBar()->showMessage(what, milliseconds);
    };
    on(undo, [this, steps, say] {
        window_.files().finishTyping();
        if (!steps->canUndo())
            return;
        const QString step = steps->undoText();
        steps->undo();
        say(tr("Undone: %1").arg(step));
    });
    on(redo, [this, steps, say] {
        window_.files().finishTyping(); // what is typed is a step, behind which there is none
        if (!steps->canRedo())
            return;
        const QString step = steps->redoText();
        steps->redo();
        say(tr("Done again: %1").arg(step));
    });
    undo->setEnabled(steps->canUndo());
    redo->setEnabled(steps->canRedo());
    connect(steps, &QUndoGroup::canUndoChanged, undo, &QAction::setEnabled);
    connect(steps, &QUndoGroup::canRedoChanged, redo, &QAction::setEnabled);
    const auto describe = [undo, redo, steps] {
        const QString back = steps->undoText(), again = steps->redoText();
        undo->setText(back.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(menuText(back)));
        redo->setText(again.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(menuText(again)));
        for (auto* action : {undo, redo})
            action->setStatusTip(action == undo ? back : again);
    };
    connect(steps, &QUndoGroup::undoTextChanged, undo, describe);
    connect(steps, &QUndoGroup::redoTextChanged, redo, describe);
    describe();
    window_.document().setUndoBytes(settings::undoBytes());
    on(actions.preferences, [this] { showPreferences(); });
}

void Commands::connectView() {
    const Actions& actions = window_.actions();
    const auto zoom = [this](Page::Zoom how) { return [this, how] { page()->zoom(how); }; };
    on(actions.zoom_in, zoom(Page::Zoom::In));
    on(actions.zoom_out, zoom(Page::Zoom::Out));
    on(actions.zoom_fit, zoom(Page::Zoom::Fit));
    connect(window_.centre(), &CentrePages::currentChanged, this, &Commands::allowZooming);
    connect(actions.go_model, &QAction::toggled, this, &Commands::allowZooming);
    allowZooming();
    on(actions.reset_layout, [this] {
        window_.panelDocks()->layOut();
        window_.workArea()->showAllParts();
    });
    on(actions.divider, [this] {
        if (!dividers_->focusNext())
            window_.statusBar()->showMessage(tr("No divider is in sight"), 2500);
    });
    connect(actions.full_screen, &QAction::triggered, this,
            [this](bool full) { full ? window_.showFullScreen() : window_.showNormal(); });
}

void Commands::connectAttention() {
    const Actions& actions = window_.actions();
    on(actions.find_anything, [this] { palette_->open(paletteEntries(window_)); });
    on(actions.next_page, [this] { stepPage(1); });
    on(actions.previous_page, [this] { stepPage(-1); });
    on(actions.next_stage, [this] { stepStage(1); });
    on(actions.previous_stage, [this] { stepStage(-1); });
    on(actions.next_head, [this] { stepHead(1); });
    on(actions.previous_head, [this] { stepHead(-1); });
    on(actions.mean_head, [this] { window_.viewState().setHead(ViewState::mean_of_heads); });
    on(actions.clear_pin, [this] { window_.viewState().setPinned({}); });
    on(actions.compare, [this] { toggleComparison(); });
    on(actions.compare_file, [this] {
        window_.files().arrays().chooseToCompare(
            [&window = window_](std::shared_ptr<const Contents> contents, const QString& file) {
                window.centre()->compareWithFilePage()->open(std::move(contents), file);
            });
    });
    on(actions.compare_setting, [this] {
        window_.files().arrays().chooseToCompare(
            [&window = window_](const std::shared_ptr<const Contents>& contents, const QString& file) {
                takeSettingOf(*contents, file, window);
            });
    });
    on(actions.check_answer, [this] { checkAnswer(); });
    on(actions.key_grid, [this] { askForKeyGrid(); });
    on(actions.compute, [&results = window_.results()] { results.resume(); });
    actions.compute->setEnabled(window_.results().isCancelled());
    connect(&window_.results(), &Results::cancelledChanged, actions.compute, &QAction::setEnabled);
}

void Commands::connectPainting() {
    MaskPainter* painter = window_.maskPainter();
    HeatmapView* heatmap = window_.matrixPage()->heatmap();
    MaskPanel* mask = window_.masks();
    QAction* paint = window_.actions().paint;
    connect(heatmap, &HeatmapView::strokeBegan, painter, &MaskPainter::begin);
    connect(heatmap, &HeatmapView::strokeMoved, painter, &MaskPainter::move);
    connect(heatmap, &HeatmapView::strokeEnded, painter, &MaskPainter::end);
    connect(paint, &QAction::toggled, mask, &MaskPanel::setPainting);
    connect(paint, &QAction::toggled, this, [this](bool painting) {
        if (painting) // switches to the cells to paint on
            window_.centre()->setCurrent(QStringLiteral("matrix"));
    });
    connect(mask, &MaskPanel::paintingChanged, paint, &QAction::setChecked);
    connect(mask, &MaskPanel::paintingChanged, this, &Commands::allowPainting);
    connect(&window_.viewState(), &ViewState::stageChanged, this, &Commands::allowPainting);
    connect(&window_.results(), &Results::changed, this, &Commands::allowPainting);
    connect(mask, &MaskPanel::importRequested, this, [this] {
        window_.files().arrays().chooseArray([&window = window_](const Tensor& tensor, const QString& name) {
            window.masks()->offerImport(tensor, name);
        });
    });
    connect(painter, &MaskPainter::refused, this,
            [this](const QString& why) { window_.messageBar()->showMessage(MessageBar::Kind::Notice, why); });
    painter->cancelOnEscape(*heatmap);
}

void Commands::connectHelp() {
    const Actions& actions = window_.actions();
    on(actions.tour, [this] {
        window_.actions().go_workspace->trigger();
        delete window_.findChild<CoachMarks*>();
        new CoachMarks(window_, tourOf(window_));
    });
    on(actions.reference, [this] { showReference(); });
    on(actions.shortcuts, [this] { showShortcuts(window_); });
    on(actions.report, [this] {
        showProblemReport(&window_, problemReport({window_.buildReport(), window_.findChild<StatusLine*>()->device(),
                                                   window_.document().problem()},
                                                  *window_.screen()));
    });
    on(actions.about, [this] { showAbout(&window_); });
}

Page* Commands::page() const {
    return window_.modelMode()->isOn() ? window_.modelMode()->page() : window_.centre()->currentPage();
}

void Commands::stepPage(int by) {
    if (window_.modelMode()->isOn())
        return window_.modelMode()->page()->stepView(by);
    const QStringList ids = window_.centre()->availableIds();
    const auto count = ids.size();
    if (count > 0)
        window_.centre()->setCurrent(ids[(ids.indexOf(window_.centre()->current()) + by + count) % count]);
}

void Commands::stepStage(int by) {
    const auto names = window_.stageStrip()->stageNames();
    const auto here = names.indexOf(window_.viewState().stage());
    if (!names.isEmpty())
        window_.viewState().setStage(names.value(std::clamp<qsizetype>(here + by, 0, names.size() - 1)));
}

void Commands::stepHead(int by) {
    if (window_.modelMode()->isOn()) {
        window_.modelMode()->page()->stepHead(by);
        return;
    }
    const int heads = window_.results().heads();
    const bool has_mean = heads > 1 && !window_.largeInputs()->isOpen();
    if (heads > 0)
        window_.viewState().setHead(
            std::clamp(window_.viewState().head() + by, has_mean ? int{ViewState::mean_of_heads} : 0, heads - 1));
}

void Commands::allowZooming() {
    const Page* page = this->page();
    for (auto* action : {window_.actions().zoom_in, window_.actions().zoom_out, window_.actions().zoom_fit})
        action->setEnabled(page && page->canZoom());
}

/// Painting requires a picture of queries against keys.
void Commands::allowPainting() {
    const Stage* stage = window_.matrixPage()->shownStage();
    const bool cells = stage && stage->axes.size() >= 2 && stage->axes.back() == Axis::Key &&
                       stage->axes[stage->axes.size() - 2] == Axis::Query;
    window_.matrixPage()->heatmap()->setPainting(window_.masks()->isPainting() && cells);
}

void Commands::toggleComparison() {
    const bool shown = window_.centre()->current() == QLatin1String("compare");
    if (!shown)
        startComparing(window_.document());
    window_.centre()->setCurrent(shown ? QStringLiteral("matrix") : QStringLiteral("compare"));
}

void Commands::takeSettingOf(const Contents& contents, const QString& file, MainWindow& window) {
    if (!contents.workspace) {
        window.messageBar()->showMessage(
            MessageBar::Kind::Notice, tr("%1 is not a saved workspace: it has no setting to compare with").arg(file));
        return;
    }
    auto next = window.document().problem();
    next.compared_with = contents.workspace->spec;
    window.document().edit(tr("Setting B from %1").arg(file), std::move(next));
    window.centre()->setCurrent(QStringLiteral("compare"));
}

bool Commands::mayExport() {
    if (window_.modelMode()->isOn()) {
        const bool may = window_.modelMode()->page()->canExport();
        if (!may)
            window_.messageBar()->showMessage(MessageBar::Kind::Notice, tr("There is no result of the model yet."));
        return may;
    }
    const LargeInputs& large = *window_.largeInputs();
    if (large.isOpen() && large.isCancelled()) {
        window_.messageBar()->showMessage(MessageBar::Kind::Notice, [] {
            return tr("This map is incomplete, since its computation was cancelled: it is not exported or copied.");
        });
        window_.messageBar()->offer([] { return tr("Compute the map"); },
                                    [&results = window_.results()] { results.resume(); });
        return false;
    }
    if (large.isOpen() ? large.isComplete() : window_.outdatedOverlay()->isCurrent())
        return true;
    window_.messageBar()->showMessage(
        MessageBar::Kind::Notice, window_.isComputing() || large.isOpen()
                                      ? tr("The result is still being computed: there is nothing to take along yet.")
                                      : tr("What is on show is out of date, and is not exported or copied."));
    return false;
}

void Commands::print() {
    window_.files().finishTyping();
    const Page* page = this->page();
    if (!page || !mayExport())
        return;
    auto figure = page->figureToPrint();
    if (!figure) {
        window_.messageBar()->showMessage(MessageBar::Kind::Notice, tr("This page has no picture to print."));
        return;
    }
    auto* dialog = new QPrintDialog(&window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Print"));
    // The window outlives this object, which another language makes anew while a dialog is open.
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), &window_,
            [&window = window_, figure = *std::move(figure)](QPrinter* printer) {
                if (const auto why =
                        caughtFailure([&] { printFigure(*printer, figure.figure, figure.options); }, writing_failed))
                    window.messageBar()->showMessage(MessageBar::Kind::Error, *why);
            });
    dialog->open();
}

void Commands::copy(QString (Page::*take)()) {
    window_.files().finishTyping();
    Page* page = this->page();
    if (!page || !mayExport())
        return;
    if (const QString copied = (page->*take)(); !copied.isEmpty())
        window_.messageBar()->showMessage(MessageBar::Kind::Notice, copied);
}

void Commands::showPreferences() {
    auto* dialog = new PreferencesDialog(window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void Commands::checkAnswer() {
    window_.files().finishTyping();
    if (!window_.computed() || !window_.outdatedOverlay()->isCurrent()) {
        window_.messageBar()->showMessage(MessageBar::Kind::Notice, [] {
            return tr("There are no stages to check an answer by: nothing is computed, or the result is a map or out "
                      "of date.");
        });
        return;
    }
    const auto& view = window_.viewState();
    auto* dialog = new CheckAnswerDialog(window_.document().problem(), window_.computed(), view.stage(), view.batch(),
                                         view.head(), &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CheckAnswerDialog::comparisonRequested, &window_,
            [&window = window_](const std::shared_ptr<const Contents>& answer, const QString& stage, double tolerance) {
                window.viewState().setStage(stage);
                auto* page = window.centre()->compareWithFilePage();
                page->open(answer, tr("your answer"));
                page->tolerance()->setText(exactText(tolerance));
            });
    dialog->open();
}

void Commands::askForKeyGrid() {
    const auto computed = window_.computed();
    const Stage* key = computed ? computed->trace.find("key") : nullptr;
    auto* dialog = new KeyGridDialog(window_.document().problem(), key ? key->value.dim(-2) : 1, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, &window_, [&window = window_, dialog] {
        window.document().edit(tr("Arrange the keys as an image"), dialog->result());
    });
    dialog->open();
}

void Commands::showReference() {
    auto* reference = window_.findChild<ReferenceDialog*>();
    if (!reference)
        reference = new ReferenceDialog(&window_);
    reference->showTopic(QStringLiteral("variant/") +
                         QString::fromStdString(window_.document().problem().spec.variant));
    reference->show();
    reference->raise();
    reference->activateWindow();
}

} // namespace attnlab::ui
