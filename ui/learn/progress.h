// How far somebody got in each lesson, remembered between runs.
#pragma once

#include <QMap>
#include <QSet>
#include <QString>

namespace attnlab::ui {

struct LessonProgress {
    QString step;                   ///< id of the step that was last on show; empty: never opened
    QSet<QString> seen;             ///< ids of steps
    QMap<QString, QString> answers; ///< by step: the option that was chosen last
    bool operator==(const LessonProgress&) const = default;
};

/// `lesson` is the name of a shipped lesson's folder, or the path of another one's.
LessonProgress lessonProgress(const QString& lesson);
void setLessonProgress(const QString& lesson, const LessonProgress& progress);
/// Of all lessons.
void forgetProgress();
bool hasProgress();

} // namespace attnlab::ui
