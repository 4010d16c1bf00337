// A lesson, step by step: words on the left, the board on the right.
#pragma once

#include "core/attention.h"
#include "core/message.h"
#include "ui/learn/lesson.h"
#include "ui/learn/progress.h"
#include "ui/learn/step_panel.h"

#include <QFutureWatcher>
#include <QWidget>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class BoardFrame;

/// What the present step takes into the workspace.
struct WorkspaceScene {
    AttentionProblem problem;
    QString title;
    QString stage;
};

class LessonPage : public QWidget {
    Q_OBJECT
public:
    explicit LessonPage(QWidget* parent = nullptr);
    ~LessonPage() override;

    /// Opens where the reader left off, or at the first step once all have been seen. `heading` says which lesson this
    /// is; `onward`: where the last step leads.
    void open(LessonPtr lesson, const QString& heading, StepPanel::Onward onward);
    /// The same lesson after a change of language.
    void setHeading(const QString& heading);
    void close();

    LessonPtr lesson() const { return lesson_; }
    int step() const { return step_; }
    void showStep(int step);
    void resetStep();
    bool isChanged() const;

    StepPanel* panel() const { return panel_; }
    BoardFrame* frame() const { return frame_; }
    /// The text of the step with its numbers; Markdown.
    QString stepText() const;
    /// The inputs as they are on show with the first setting, and the second beside it where it reads the same inputs.
    std::optional<WorkspaceScene> workspaceScene() const;

public slots:
    void next();
    void back();

signals:
    void stepChanged();
    /// On from the last step.
    void finished();
    void listRequested();
    void workspaceRequested();
    void presentationRequested();
    void failed(const attnlab::Message& why);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    void retranslate();
    void renewText();
    void renewQuestion();
    void measureLater();
    void choose(const QString& option);
    void remember();

    LessonPtr lesson_;
    int step_ = 0;
    LessonProgress progress_;
    StepPanel::Onward onward_ = StepPanel::Onward::List;
    StepQuestion question_;
    bool measured_ = false; ///< question_ holds what the engine says
    QPushButton* list_;
    QLabel* heading_;
    QPushButton* workspace_;
    QPushButton* present_;
    StepPanel* panel_;
    BoardFrame* frame_;
    QFutureWatcher<StepQuestion> measuring_;
};

} // namespace attnlab::ui
