// Prints a lesson.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/learn/question_view.h"

#include <QByteArray>
#include <QPageSize>
#include <QString>

#include <functional>
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
/// possible. `progress` receives the fraction done; when it returns false, the result is empty. Needs a
/// QGuiApplication, whose font is used.
QByteArray handoutData(const Handout& handout, QPageSize::PageSizeId paper,
                       const std::function<bool(double)>& progress = {});

} // namespace attnlab::ui
