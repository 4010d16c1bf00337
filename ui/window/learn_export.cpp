// Exports of the learn mode.
#include "ui/export/export_dialog.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/handout_maker.h"
#include "ui/learn/lab/board.h"
#include "ui/learn/lab_page.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/step_picture.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/learn_mode.h"

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
    if (page_->showing() == LearnPage::Showing::Lesson) {
        const auto* page = page_->lessonPage();
        const auto& lesson = *page->lesson();
        exportSubject(stepExport(std::move(picture), lesson.stepTitle(page->step()), page->stepText(),
                                 fileName(lesson) + QLatin1Char('-') + lesson.stepId(page->step())));
    } else {
        const auto* page = page_->labPage();
        exportSubject(stepExport(std::move(picture), page->title(), QString(), textOf(lab::id_of(*page->lab()))));
    }
}

void LearnMode::exportHandout() {
    const auto lesson = page_->lessonPage()->lesson();
    exportSubject(handoutExport(lesson, fileName(*lesson)));
}

void LearnMode::exportSubject(ExportSubject subject) {
    auto* dialog = openExport(std::move(subject), &parts_.window);
    connect(dialog, &ExportDialog::exported, this, [this](const QStringList& files) {
        parts_.messages.showMessage(MessageBar::Kind::Notice,
                                    tr("Exported: %1").arg(QDir::toNativeSeparators(files.join(QStringLiteral(", ")))));
    });
}

} // namespace attnlab::ui
