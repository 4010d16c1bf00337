// What helps to find the cause of a problem, to be copied into a report: nothing of the user's, no names, paths or
// numbers.
#pragma once

#include "core/attention.h"
#include "core/message.h"

#include <QString>

class QScreen;
class QWidget;

namespace attnlab::ui {

struct ReportSubject {
    QString build;  ///< of the program, a line each
    Message device; ///< what is known of the device; empty: nothing
    const AttentionProblem& problem;
};

/// In English, for those who read it.
QString problemReport(const ReportSubject& subject, const QScreen& screen);

/// Shows it with a button that copies it. Not modal.
void showProblemReport(QWidget* window, const QString& report);

} // namespace attnlab::ui
