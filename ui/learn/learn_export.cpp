// What the learn mode writes to files.
#include "ui/lab/board.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/handout_dialog.h"
#include "ui/learn/lab_page.h"
#include "ui/learn/learn_mode.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/step_export_dialog.h"
#include "ui/message_bar.h"
#include "ui/text.h"

#include <QDir>
#include <QFileInfo>
#include <QMainWindow>

namespace attnlab::ui {
namespace {

/// "02-why-divide" for a shipped lesson, the folder's name for others.
QString fileName(const Lesson& lesson) { return QFileInfo(lesson.key()).fileName(); }

} // namespace

void LearnMode::exportStep() {
    const auto* frame = page_->frame();
    auto picture = frame && frame->board() ? frame->board()->picture() : nullptr;
    if (!picture) {
        parts_.messages.showMessage(MessageBar::Kind::Notice, tr("There is no picture yet"));
        return;
    }
    ExportedStep step;
    step.board = std::move(picture);
    if (page_->showing() == LearnPage::Showing::Lesson) {
        const auto* page = page_->lessonPage();
        step.title = page->lesson()->stepTitle(page->step());
        step.text = page->stepText();
        step.file_name = fileName(*page->lesson()) + QLatin1Char('-') + page->lesson()->stepId(page->step());
    } else {
        step.title = page_->labPage()->title();
        step.file_name = textOf(lab::id_of(*page_->labPage()->lab()));
    }
    auto* dialog = new StepExportDialog(std::move(step), &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &StepExportDialog::exported, this, &LearnMode::sayExported);
    dialog->open();
}

void LearnMode::exportHandout() {
    const auto lesson = page_->lessonPage()->lesson();
    auto* dialog = new HandoutDialog(lesson, fileName(*lesson), &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HandoutDialog::exported, this, &LearnMode::sayExported);
    dialog->open();
}

void LearnMode::sayExported(const QString& file) {
    parts_.messages.showMessage(MessageBar::Kind::Notice, tr("Exported: %1").arg(QDir::toNativeSeparators(file)));
}

} // namespace attnlab::ui
