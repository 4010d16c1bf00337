// What the commands of the window do.
#include "ui/actions.h"
#include "ui/compare/against_page.h"
#include "ui/compare/presets.h"
#include "ui/file_controller.h"
#include "ui/file_name.h"
#include "ui/help/help.h"
#include "ui/help/reference_dialog.h"
#include "ui/inputs/inputs_panel.h"
#include "ui/key_grid/key_grid_dialog.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/map/large_inputs.h"
#include "ui/map/large_inputs_dialog.h"
#include "ui/mechanism/mechanism_bar.h"
#include "ui/message_bar.h"
#include "ui/samples.h"
#include "ui/settings.h"
#include "ui/slice.h"
#include "ui/stages/centre_pages.h"
#include "ui/stages/stage_strip.h"
#include "ui/stale_marks.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

namespace attnlab::ui {
void MainWindow::connectActions() {
    const auto on = [this](QAction* action, auto&& run) { connect(action, &QAction::triggered, this, run); };
    on(actions_->new_document, [this] { files_->newDocument(); });
    on(actions_->open, [this] { files_->chooseAndOpen(); });
    on(actions_->save, [this] { files_->save(); });
    on(actions_->save_as, [this] { files_->saveAs(); });
    on(actions_->export_shown, [this] {
        files_->finishTyping();
        if (mayExport())
            centre_->currentPage()->askForExport();
    });
    connect(centre_, &CentrePages::animationRequested, this, [this] {
        if (mayExport())
            centre_->currentPage()->askForExport(QStringLiteral("animation"));
    });
    connect(centre_, &CentrePages::exported, this, [this](const QStringList& files) {
        messages_->showMessage(MessageBar::Kind::Notice,
                               tr("Exported: %1").arg(QDir::toNativeSeparators(files.join(QStringLiteral(", ")))));
    });
    on(actions_->quit, [this] { close(); });
    on(actions_->copy_matrix, [this] { copy(&Page::copyMatrix); });
    on(actions_->copy_picture, [this] { copy(&Page::copyPicture); });
    const auto zoom = [this](Page::Zoom how) { return [this, how] { centre_->currentPage()->zoom(how); }; };
    on(actions_->zoom_in, zoom(Page::Zoom::In));
    on(actions_->zoom_out, zoom(Page::Zoom::Out));
    on(actions_->zoom_fit, zoom(Page::Zoom::Fit));
    on(actions_->reset_layout, [this] { layOutPanels(); });
    on(actions_->full_screen, [this](bool full) { full ? showFullScreen() : showNormal(); });
    on(actions_->next_stage, [this] { stepStage(1); });
    on(actions_->previous_stage, [this] { stepStage(-1); });
    on(actions_->next_head, [this] { stepHead(1); });
    on(actions_->previous_head, [this] { stepHead(-1); });
    on(actions_->mean_head, [this] { view_.setHead(ViewState::MeanOfHeads); });
    on(actions_->compare, [this] { toggleComparison(); });
    on(actions_->compare_file, [this] {
        files_->chooseToCompare([this](std::shared_ptr<const Contents> contents, const QString& file) {
            against_->open(std::move(contents), file);
        });
    });
    on(actions_->compare_setting, [this] {
        files_->chooseToCompare([this](const std::shared_ptr<const Contents>& contents, const QString& file) {
            takeSettingOf(*contents, file);
        });
    });
    on(actions_->clear_pin, [this] { view_.setPinned({}); });
    on(actions_->large_inputs, [this] {
        auto* dialog = new LargeInputsDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this] {
            large_->session().setByteLimit(settings::mapBytes());
            compute(document_.problem());
        });
        dialog->open();
    });
    on(actions_->key_grid, [this] { askForKeyGrid(); });
    on(actions_->tour, [this] { showTour(this); });
    on(actions_->reference, [this] { showReference(); });
    on(actions_->shortcuts, [this] { showShortcuts(this); });
    on(actions_->about, [this] { showAbout(this); });

    auto* undo = actions_->undo;
    auto* redo = actions_->redo;
    auto* stack = document_.undoStack();
    connect(undo, &QAction::triggered, stack, &QUndoStack::undo);
    connect(redo, &QAction::triggered, stack, &QUndoStack::redo);
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    const auto tell = [undo, redo, stack] {
        undo->setToolTip(stack->undoText());
        undo->setStatusTip(stack->undoText());
        redo->setToolTip(stack->redoText());
        redo->setStatusTip(stack->redoText());
    };
    connect(stack, &QUndoStack::indexChanged, undo, tell);
    connect(files_, &FileController::recentFilesChanged, this, &MainWindow::fillMenus);
}

void MainWindow::fillMenus() {
    auto* recent = actions_->recent;
    recent->clear();
    for (const auto& path : settings::recentFiles())
        recent->addAction(menuText(shownName(path)), this, [this, path] { files_->open({path}); });
    if (recent->isEmpty()) {
        recent->addAction(tr("No files yet"))->setEnabled(false);
    } else {
        recent->addSeparator();
        recent->addAction(tr("Clear this list"), this, [this] {
            settings::clearRecentFiles();
            fillMenus();
        });
    }

    auto* sample_menu = actions_->samples;
    sample_menu->clear();
    for (const auto& sample : samples()) {
        auto* action = sample_menu->addAction(sample.displayTitle(), this,
                                              [this, id = QString::fromLatin1(sample.id)] { files_->openSample(id); });
        action->setToolTip(sample.displayHelp());
        action->setStatusTip(sample.displayHelp());
    }

    auto* panels = actions_->panels;
    panels->clear();
    for (auto* dock : docks_)
        panels->addAction(dock->toggleViewAction());

    const auto fill_choices = [](QMenu* menu, const QList<std::pair<QString, bool>>& choices, auto chosen) {
        menu->clear();
        delete menu->findChild<QActionGroup*>();
        auto* group = new QActionGroup(menu);
        for (int i = 0; i < choices.size(); ++i) {
            auto* action = group->addAction(menu->addAction(choices[i].first));
            action->setCheckable(true);
            action->setChecked(choices[i].second);
            QObject::connect(action, &QAction::triggered, menu, [chosen, i] { chosen(i); });
        }
    };
    const auto theme_now = settings::themeChoice();
    fill_choices(actions_->theme,
                 {{tr("As the system"), theme_now == ThemeChoice::System},
                  {tr("Light"), theme_now == ThemeChoice::Light},
                  {tr("Dark"), theme_now == ThemeChoice::Dark}},
                 [this](int i) {
                     settings::setThemeChoice(static_cast<ThemeChoice>(i));
                     applyTheme(static_cast<ThemeChoice>(i));
                     QMetaObject::invokeMethod(this, &MainWindow::fillMenus, Qt::QueuedConnection);
                 });
    QList<std::pair<QString, bool>> names;
    for (const auto& language : languages())
        names << std::pair{QString::fromUtf8(language.name), currentLanguage() == QLatin1String(language.code)};
    fill_choices(actions_->language, names, [this](int i) {
        const QString code = QString::fromLatin1(languages()[static_cast<std::size_t>(i)].code);
        settings::setLanguage(code);
        // Not from inside the menu that the switch fills anew.
        QMetaObject::invokeMethod(
            this, [code] { applyLanguage(code); }, Qt::QueuedConnection);
    });
}

void MainWindow::stepStage(int by) {
    const auto names = strip_->stageNames();
    const auto here = names.indexOf(view_.stage());
    if (!names.isEmpty())
        view_.setStage(names.value(std::clamp<qsizetype>(here + by, 0, names.size() - 1)));
}

void MainWindow::stepHead(int by) {
    if (!computed_ && !large_->isOpen())
        return;
    const bool map = large_->isOpen(); // no mean of heads there
    const int heads = map ? large_->page()->heads() : sizeOf(computed_->trace).heads;
    view_.setHead(std::clamp(view_.head() + by, heads > 1 && !map ? int{ViewState::MeanOfHeads} : 0, heads - 1));
}

void MainWindow::toggleComparison() {
    if (centre_->current() == QLatin1String("compare")) {
        centre_->setCurrent(QStringLiteral("matrix"));
        return;
    }
    startComparing(document_);
    centre_->setCurrent(QStringLiteral("compare"));
}

void MainWindow::takeSettingOf(const Contents& contents, const QString& file) {
    if (!contents.workspace) {
        messages_->showMessage(MessageBar::Kind::Notice,
                               tr("%1 is no saved workspace: it says no setting to compare with").arg(file));
        return;
    }
    auto next = document_.problem();
    next.compared_with = contents.workspace->spec;
    document_.edit(tr("Setting B from %1").arg(file), std::move(next));
    centre_->setCurrent(QStringLiteral("compare"));
}

bool MainWindow::mayExport() {
    if (stale_->isCurrent())
        return true;
    messages_->showMessage(MessageBar::Kind::Notice,
                           computation_.isRunning()
                               ? tr("The result is still being computed: there is nothing to take along yet.")
                               : tr("What is on show is out of date, and is not exported or copied."));
    return false;
}

void MainWindow::copy(QString (Page::*take)()) {
    files_->finishTyping();
    Page* page = centre_->currentPage();
    if (!page || !mayExport())
        return;
    if (const QString copied = (page->*take)(); !copied.isEmpty())
        messages_->showMessage(MessageBar::Kind::Notice, copied);
}

void MainWindow::askForKeyGrid() {
    const Stage* key = computed_ ? computed_->trace.find("key") : nullptr;
    auto* dialog = new KeyGridDialog(document_.problem(), key ? key->value.dim(-2) : 1, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { document_.edit(tr("Keys as a picture"), dialog->result()); });
    dialog->open();
}

void MainWindow::showReference() {
    if (!reference_)
        reference_ = new ReferenceDialog(this);
    reference_->showTopic(QStringLiteral("variant/") + QString::fromStdString(document_.problem().spec.variant));
    reference_->show();
    reference_->raise();
    reference_->activateWindow();
}

} // namespace attnlab::ui
