// A lesson, step by step: text on the left, the board on the right.
#pragma once

#include "core/attention.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/board_page.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/presenter_view.h"
#include "ui/widgets/latest_job.h"

#include <memory>

namespace attnlab::ui {

/// The problem of the current step for the workspace.
struct WorkspaceScene {
    AttentionProblem problem;
    QString title;
    QString stage;
};

class LessonPage : public BoardPage {
    Q_OBJECT
public:
    explicit LessonPage(QWidget* parent = nullptr);

    /// Opens at the last position of the user, or at the first step once all have been seen. `heading` names the
    /// lesson; `next_target`: the target of the last step's button.
    void open(LessonPtr lesson, const QString& heading, StepPanel::NextTarget next_target);

    /// The step with the user's changes, for another page; no other function may be called afterwards.
    struct State {
        LessonPtr lesson;
        int step = 0;
        StepPanel::NextTarget next_target = StepPanel::NextTarget::List;
        std::unique_ptr<SceneModel> model;
        QString pending; ///< a choice
    };
    State takeState() { return {lesson_, step_, next_target_, frame()->takeModel(), pending_}; }
    void restoreState(State state, const QString& heading);

    LessonPtr lesson() const { return lesson_; }
    int step() const { return step_; }
    void showStep(int step);
    bool isChanged() const override;
    void reset() override;
    void setPresenting(bool on) override;
    void close() override;

    StepPanel* panel() const { return panel_; }
    /// The text of the step with its numbers; Markdown.
    QString stepText() const;
    /// For the presenter: the lesson's own text, and what comes next.
    PresenterNotes presenterNotes() const;
    /// The displayed inputs with the first setting, compared with the second if it reads the same inputs.
    std::optional<WorkspaceScene> workspaceScene() const;
    /// Whether there will be such inputs, and no open question covers them.
    bool canBeTaken() const;
    void setTextShown(bool shown);
    bool isTextShown() const { return text_shown_; }
    QPushButton* coverButton() const { return cover_; }

public slots:
    void next();
    void back();
    /// Forgets the answers of this lesson: its boards are covered again.
    void coverAnswers();

signals:
    /// Going on from the last step.
    void finished();
    void workspaceRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    LessonPage(QPushButton* workspace, StepPanel* panel, QWidget* parent);
    void showTexts();
    void renewText();
    void renewQuestion();
    void measureLater();
    void choose(const QString& option);
    void answer(const QString& option);
    void reveal();
    /// The moves of a lecture in this step that are left. An answer that is shown is none.
    std::vector<lessons::Move> movesLeft() const;
    /// Makes the next one; false when there is none.
    bool play();
    /// The pages of the board that do not fit beside each other in a presentation.
    bool turnBoard(int by);
    /// In a presentation, whose only keys may be those of a clicker: whether the next press reveals the right option of
    /// an open question.
    bool asksOnStage() const;
    void revealRightOption();
    void turnToAnswer();
    /// The last step of a lecture stays on the audience's screen.
    bool isAtEnd() const;
    void showNavigation();
    using TextOfStep = QString (Lesson::*)(int, const lab::Scene&, const lab::SceneResult*) const;
    QString filledText(TextOfStep text) const;
    QString times() const;
    /// What the board shows while its question is open; nullopt: all of it.
    std::optional<lab::BoardSpec> askingView() const;
    void renewCover();
    int fittedWidth() const;
    lab::Scene sceneOfLessonText() const;
    void discardTextResult();
    void computeTextResult();
    bool settingsDifferFromLesson() const;
    void remember();

    LessonPtr lesson_;
    int step_ = 0;
    std::size_t move_ = 0; ///< of a lecture: the next one
    LessonProgress progress_;
    StepPanel::NextTarget next_target_ = StepPanel::NextTarget::List;
    StepQuestion question_;
    bool measured_ = false;      ///< question_ contains the engine's results
    QString pending_;            ///< an option that was chosen before
    bool reveals_right_ = false; ///< once it is known
    bool uncovered_ = false;     ///< the cover of this step, without an answer
    bool text_shown_ = true;
    lab::Scene text_scene_; ///< the lesson's settings on the inputs on show; of written_
    SceneResultPtr written_;
    QPushButton* workspace_;
    QPushButton* cover_;
    QPushButton* show_text_;
    StepPanel* panel_;
    LatestJob<StepQuestion> measuring_;
    LatestJob<SceneResultPtr> text_job_;
};

} // namespace attnlab::ui
