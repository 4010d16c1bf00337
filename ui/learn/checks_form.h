// The page of the lesson editor for the statements about numbers that must stay true.
#pragma once

#include "ui/learn/draft_field.h"

namespace attnlab::ui {

class WrappedLabel;

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
