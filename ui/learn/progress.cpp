#include "ui/learn/progress.h"

#include "ui/learn/lesson.h"

#include <QSettings>
#include <QUrl>

namespace attnlab::ui {
namespace {

const QString progress_group = QStringLiteral("lessons");

/// A path must not create nested groups.
QString keyOf(const QString& lesson, const char* what) {
    return progress_group + QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(lesson)) + QLatin1Char('/') +
           QLatin1String(what);
}

} // namespace

LessonProgress lessonProgress(const QString& lesson) {
    const QSettings stored;
    LessonProgress progress;
    progress.step = stored.value(keyOf(lesson, "step")).toString();
    for (const auto& step : stored.value(keyOf(lesson, "seen")).toStringList())
        progress.seen.insert(step);
    const auto answers = stored.value(keyOf(lesson, "answers")).toMap();
    for (auto answer = answers.begin(); answer != answers.end(); ++answer)
        progress.answers.insert(answer.key(), answer.value().toString());
    return progress;
}

void setLessonProgress(const QString& lesson, const LessonProgress& progress) {
    QSettings stored;
    QStringList seen(progress.seen.begin(), progress.seen.end());
    seen.sort();
    QVariantMap answers;
    for (auto answer = progress.answers.begin(); answer != progress.answers.end(); ++answer)
        answers.insert(answer.key(), answer.value());
    stored.setValue(keyOf(lesson, "step"), progress.step);
    stored.setValue(keyOf(lesson, "seen"), seen);
    stored.setValue(keyOf(lesson, "answers"), answers);
}

void forgetProgress() { QSettings().remove(progress_group); }

bool isFinished(const Lesson& lesson, const LessonProgress& progress) {
    for (int step = 0; step < lesson.stepCount(); ++step)
        if (!progress.seen.contains(lesson.stepId(step)))
            return false;
    return lesson.stepCalled(progress.step) == lesson.stepCount() - 1;
}

bool hasProgress() {
    QSettings stored;
    stored.beginGroup(progress_group);
    return !stored.childGroups().isEmpty();
}

} // namespace attnlab::ui
