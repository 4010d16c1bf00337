// A lesson as the window shows it: in the language of the program, with numbers from what is on show.
#pragma once

#include "core/lab/board.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/question_view.h"

#include <QMap>
#include <QString>

#include <memory>
#include <vector>

namespace attnlab::lessons {
struct Lesson;
struct Mistake;
struct Step;
struct StepText;
} // namespace attnlab::lessons

namespace attnlab::ui {

class Lesson {
public:
    /// `key` names it in what is remembered.
    Lesson(lessons::Lesson content, QString key);
    ~Lesson();

    QString key() const { return key_; }
    QString title() const;
    QString summary() const;

    int stepCount() const;
    QString stepId(int step) const;
    /// 0 for an id that is not there.
    int stepCalled(const QString& id) const;
    QString stepTitle(int step) const;
    /// Of resources/formulas; empty: none.
    QString formula(int step) const;
    const lab::Scene& scene(int step) const;
    const lab::BoardSpec& view(int step) const;
    /// Words beside the cards, by card id.
    QMap<QString, QString> cardWords(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    /// Markdown; here and above, numbers are those of `result`, which belongs to `scene`; dots where there is none.
    QString text(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    bool hasQuestion(int step) const;
    int questionCount() const;
    /// Its texts, with no option marked as right yet.
    StepQuestion question(int step) const;
    /// The same with what the engine says about each option of the step as it is written: computes it. For any
    /// thread, hence the language. Throws Error for a scene that cannot be computed, and Cancelled.
    StepQuestion measuredQuestion(int step, const QString& language, const RunControl& control = {}) const;
    /// Everything that is wrong with it: computes every step. For any thread. Throws Cancelled.
    std::vector<lessons::Mistake> mistakes(const RunControl& control = {}) const;

private:
    const lessons::Step& at(int step) const;
    const lessons::StepText& words(int step) const;
    StepQuestion questionWith(int step, const QString& language, const lab::Scene& scene,
                              const lab::SceneResult* result) const;

    QString key_;
    std::unique_ptr<const lessons::Lesson> content_;
};

using LessonPtr = std::shared_ptr<const Lesson>;

} // namespace attnlab::ui
