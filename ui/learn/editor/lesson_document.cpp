#include "ui/learn/editor/lesson_document.h"

#include "core/lessons/lesson_files.h"
#include "ui/document/local_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr std::size_t most_undo_steps = 200;

QDir copiesFolder() {
    return QDir(QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
                    .filePath(QStringLiteral("recovery-lessons")));
}

const QString lock_suffix = QStringLiteral(".lock");
const QString file_suffix = QStringLiteral(".file"); ///< holds the path of the lesson

QString titleOf(const lessons::Draft& draft) {
    const auto language = currentLanguage().toStdString();
    const auto own = draft.titles.find(language);
    if (own != draft.titles.end() && !own->second.title.empty())
        return textOf(own->second.title);
    for (const auto& [other, title] : draft.titles)
        if (!title.title.empty())
            return textOf(title.title);
    return {};
}

} // namespace

LessonDocument::LessonDocument() {
    constexpr int wait_milliseconds = 2000;
    timer_.setSingleShot(true);
    timer_.setInterval(wait_milliseconds);
    pool_.setMaxThreadCount(1);
    connect(&timer_, &QTimer::timeout, this, &LessonDocument::keepCopy);
    connect(this, &LessonDocument::changed, this, [this] {
        if (!timer_.isActive())
            timer_.start();
    });
}

LessonDocument::~LessonDocument() { pool_.waitForDone(); }

QString LessonDocument::title() const {
    const QString title = titleOf(draft_);
    return title.isEmpty() ? tr("New lesson") : title;
}

void LessonDocument::setStep(int step) {
    const int last = static_cast<int>(draft_.steps.size()) - 1;
    step = std::clamp(step, std::min(0, last), last);
    if (step == step_)
        return;
    step_ = step;
    last_field_.clear();
    emit changed();
}

void LessonDocument::edit(lessons::Draft draft, const QString& field, int step) {
    if (draft == draft_ && step == step_)
        return;
    const bool same_field = !field.isEmpty() && field == last_field_ && canUndo();
    if (!same_field)
        undone_.past.push_back({std::move(draft_), step_});
    if (undone_.past.size() > most_undo_steps)
        undone_.past.erase(undone_.past.begin());
    undone_.future.clear();
    draft_ = std::move(draft);
    step_ = std::clamp(step, std::min(0, static_cast<int>(draft_.steps.size()) - 1),
                       static_cast<int>(draft_.steps.size()) - 1);
    last_field_ = field;
    emit changed();
}

void LessonDocument::undo() { exchange(undone_.past, undone_.future); }
void LessonDocument::redo() { exchange(undone_.future, undone_.past); }

void LessonDocument::exchange(std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
    if (from.empty())
        return;
    to.push_back({std::move(draft_), step_});
    draft_ = std::move(from.back().draft);
    step_ = from.back().step;
    from.pop_back();
    last_field_.clear();
    emit changed();
}

void LessonDocument::begin(lessons::Draft draft, const QString& path, bool unsaved) {
    draft_ = std::move(draft);
    saved_ = unsaved ? lessons::Draft() : draft_;
    step_ = draft_.steps.empty() ? -1 : 0;
    path_ = path;
    undone_ = {};
    last_field_.clear();
    emit changed();
}

void LessonDocument::save(const QString& path) {
    lessons::write_archive(toPath(path), lessons::WrittenDraft(draft_).files({}));
    path_ = path;
    saved_ = draft_;
    last_field_.clear();
    emit changed();
}

/// Once for all edits of two seconds.
void LessonDocument::keepCopy() {
    if (!isUnsaved()) {
        end();
        return;
    }
    if (copy_.isEmpty()) {
        const QDir folder = copiesFolder();
        static int lessons_so_far = 0;
        const QString path = folder.filePath(QStringLiteral("%1-%2-%3%4")
                                                 .arg(QDateTime::currentDateTimeUtc().toString("yyyyMMddhhmmsszzz"))
                                                 .arg(QCoreApplication::applicationPid())
                                                 .arg(++lessons_so_far)
                                                 .arg(QLatin1String(lessons::archive_suffix.data())));
        // The copies are readable only by their owner.
        const bool made = folder.mkpath(QStringLiteral(".")) &&
                          QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        lock_ = made ? io::FileLock::take(toPath(path + lock_suffix)) : nullptr;
        if (!lock_) {
            copy_fails_ = true;
            emit copyFailed({ATTNLAB_TEXT("%1: cannot be written"), {folder.path().toStdString()}});
            return;
        }
        copy_ = path;
    }
    pool_.start([this, copy = copy_, file = path_, draft = draft_] { // the destructor waits for it
        const auto failure = caughtFailure(
            [&] {
                if (file.isEmpty())
                    QFile::remove(copy + file_suffix);
                else
                    writeBytes(copy + file_suffix, file.toUtf8());
                lessons::write_archive(toPath(copy), lessons::WrittenDraft(draft).files({}));
            },
            writing_failed);
        QMetaObject::invokeMethod(
            this,
            [this, failure] {
                const bool failed_before = std::exchange(copy_fails_, failure.has_value());
                if (failure)
                    emit copyFailed(*failure);
                else if (failed_before)
                    emit copyKept();
            },
            Qt::QueuedConnection);
    });
}

void LessonDocument::end() {
    timer_.stop();
    if (!copy_.isEmpty())
        pool_.start([path = copy_] { remove(path); });
}

void LessonDocument::remove(const QString& copy) {
    QFile::remove(copy + file_suffix);
    QFile::remove(copy);
}

std::vector<LessonDocument::Left> LessonDocument::left() {
    std::vector<Left> all;
    const QDir folder = copiesFolder();
    const QString suffix = QLatin1Char('*') + QLatin1String(lessons::archive_suffix.data());
    for (const auto& info : folder.entryInfoList({suffix}, QDir::Files, QDir::Time)) {
        std::shared_ptr<io::FileLock> lock = io::FileLock::take(toPath(info.filePath() + lock_suffix));
        if (!lock)
            continue; // its program runs
        try {
            const auto draft = lessons::read_draft({lessons::members_of(toPath(info.filePath())), {}, {}});
            QFile file(info.filePath() + file_suffix);
            const QString original = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
            all.push_back({info.filePath(), original, titleOf(draft), info.lastModified(), std::move(lock)});
        } catch (const Error&) { // damaged: nothing can be restored
            remove(info.filePath());
        }
    }
    return all;
}

} // namespace attnlab::ui
