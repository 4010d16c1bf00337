// The user's progress in each lesson, stored between runs.
#pragma once

#include <QMap>
#include <QSet>
#include <QString>

namespace attnlab::ui {

class Lesson;

struct LessonProgress {
    QString step;                   ///< id of the last step shown; empty: never opened
    QSet<QString> seen;             ///< ids of steps
    QMap<QString, QString> answers; ///< by step: the last chosen option
    bool operator==(const LessonProgress&) const = default;
};

/// `lesson` is the folder name of a shipped lesson, or the path of another one.
LessonProgress lessonProgress(const QString& lesson);
void setLessonProgress(const QString& lesson, const LessonProgress& progress);
/// The last step was shown last, and every other was seen: the lesson begins anew.
bool isFinished(const Lesson& lesson, const LessonProgress& progress);
/// Of all lessons.
void forgetProgress();
bool hasProgress();

} // namespace attnlab::ui
