// The page of the lesson editor for the title, summary and group of the lesson.
#pragma once

#include "ui/learn/draft_field.h"

class QComboBox;

namespace attnlab::ui {

class ErrorLabel;

class LessonForm : public DraftForm {
    Q_OBJECT
public:
    explicit LessonForm(QWidget* parent = nullptr);

    void show(const EditedLesson& lesson) override;

    DraftField* title() const { return title_; }
    DraftField* summary() const { return summary_; }
    QComboBox* group() const { return group_; }

private:
    void changeTitle(std::string lessons::DraftTitle::*part, const QString& words, const QString& field);

    std::string language_;
    DraftField* title_;
    DraftField* summary_;
    QComboBox* group_;
    ErrorLabel* error_;
};

} // namespace attnlab::ui
