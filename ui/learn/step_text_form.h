// The page of the lesson editor for the title and the text of a step.
#pragma once

#include "ui/learn/draft_field.h"

class QMenu;
class QToolButton;

namespace attnlab::ui {

class StepTextForm : public DraftForm {
    Q_OBJECT
public:
    explicit StepTextForm(QWidget* parent = nullptr);

    void show(const EditedLesson& lesson) override;

    DraftField* title() const { return title_; }
    DraftField* body() const { return body_; }
    /// Numbers of the step's settings, which a choice puts into the text.
    QMenu* numbers() const { return numbers_; }

private:
    void listNumbers(const EditedLesson& lesson);

    DraftField* title_;
    DraftField* body_;
    QToolButton* insert_;
    QMenu* numbers_;
    QStringList listed_; ///< what the menu is made of
};

} // namespace attnlab::ui
