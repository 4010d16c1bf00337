// Prints a lesson.
#pragma once

#include "core/run_control.h"
#include "ui/drawing/drawing.h"
#include "ui/learn/question_view.h"

#include <QByteArray>
#include <QPageSize>
#include <QString>

#include <memory>
#include <vector>

namespace attnlab::ui {

/// Texts are Markdown with their numbers filled in.
struct HandoutStep {
    QString title;
    QString text;
    QString formula;                        ///< of resources/formulas; empty if none
    std::shared_ptr<const Drawing> picture; ///< null if none
    StepQuestion question;
};

struct Handout {
    QString title;
    QString summary;
    std::vector<HandoutStep> steps;
};

/// A PDF: every step with its picture and question, the answers at the end. Formulas and pictures are vectors where
/// possible. Needs a QGuiApplication, whose font is used. Throws Cancelled.
QByteArray handoutData(const Handout& handout, QPageSize::PageSizeId paper, const RunControl& control = {});

} // namespace attnlab::ui
