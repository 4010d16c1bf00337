// Pages of the lesson editor: the title of the lesson, the text of a step, and the statements that must stay true.
#pragma once

#include "ui/learn/editor/draft_field.h"

class QComboBox;
class QMenu;
class QToolButton;

namespace attnlab::ui {

class ErrorLabel;
class WrappedLabel;

/// Title, summary and group of the lesson.
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

/// The title and the text of a step.
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

/// The statements about numbers that must stay true.
class ChecksForm : public DraftForm {
    Q_OBJECT
public:
    explicit ChecksForm(QWidget* parent = nullptr);

    void show(const EditedLesson& lesson) override;

    /// One statement a line.
    DraftField* always() const { return always_.field; }
    DraftField* atFirst() const { return at_first_.field; }
    /// What was measured, below a field.
    QString results() const;

private:
    struct Part {
        DraftField* field;
        WrappedLabel* results;
        std::vector<std::string> lessons::DraftStep::*statements;
        QString name; ///< of its mistakes: "checks 0"
    };
    void build(const Part& part);
    void showPart(const Part& part, const EditedLesson& lesson, const std::vector<lessons::ClaimReport>* reports);

    Part always_, at_first_;
};

} // namespace attnlab::ui
