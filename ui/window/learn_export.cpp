// What the learn mode exports and saves.
#include "core/lessons/archive.h"
#include "core/lessons/saved_board.h"
#include "ui/document/save_path.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/handout_maker.h"
#include "ui/learn/lab/board.h"
#include "ui/learn/lab_page.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/step_picture.h"
#include "ui/widgets/language.h"
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
        exportSubject(stepExport(std::move(picture), lesson.stepTitle(page->step()), page->stepText(), boardName()));
    } else {
        const auto* page = page_->labPage();
        exportSubject(stepExport(std::move(picture), page->title(), QString(), boardName()));
    }
}

void LearnMode::chooseWhereToSave() {
    const QString suffix = QLatin1String(lessons::archive_suffix.data()).mid(1);
    const QString path = choosePathToSave(
        &parts_.window,
        {tr("Save the board"), boardName(), {suffix}, tr("Boards (%1)").arg(QStringLiteral("*.") + suffix)});
    if (path.isEmpty())
        return;
    settings::setLastFolder(QFileInfo(path).path());
    saveBoard(path);
}

QString LearnMode::boardName() const {
    if (page_->showing() == LearnPage::Showing::Lab)
        return textOf(lab::id_of(*page_->labPage()->lab()));
    const auto* page = page_->lessonPage();
    return fileName(*page->lesson()) + QLatin1Char('-') + page->lesson()->stepId(page->step());
}

bool LearnMode::saveBoard(const QString& path) {
    const auto* frame = page_->frame();
    if (!frame || !frame->board())
        return false;
    const bool lab = page_->showing() == LearnPage::Showing::Lab;
    const auto* page = page_->lessonPage();
    const QString title = lab ? page_->labPage()->title() : page->lesson()->stepTitle(page->step());
    const QString words =
        lab ? tr("The lab as it was saved.") : tr("From “%1”, as it was saved.").arg(page->lesson()->title());
    try {
        lessons::save_board(
            path.toStdString(), frame->model().scene(), frame->model().view(),
            {currentLanguage().toStdString(), title.simplified().toStdString(), words.simplified().toStdString()});
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), QStringLiteral("lesson"));
        return false;
    }
    parts_.messages.showMessage(MessageBar::Kind::Notice, tr("Saved: %1").arg(QDir::toNativeSeparators(path)));
    return true;
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
