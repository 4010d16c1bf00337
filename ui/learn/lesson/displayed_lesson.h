// A lesson as displayed: in the program's language, with numbers of the current result; its sources and the user's
// progress.
#pragma once

#include "core/lab/board.h"
#include "core/lessons/lesson_text.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/lesson/question_view.h"

#include <memory>
#include <optional>
#include <QMap>
#include <QSet>
#include <QString>
#include <vector>

namespace attnlab::lessons {
struct Lesson;
struct LessonFiles;
struct Mistake;
struct Move;
struct Step;
} // namespace attnlab::lessons

namespace attnlab::ui {

class Lesson {
public:
    /// `key` identifies it in the settings.
    Lesson(lessons::Lesson content, QString key);
    ~Lesson();

    QString key() const { return key_; }
    QString title() const;
    QString summary() const;

    const lessons::Lesson& content() const { return *content_; }
    /// Whole minutes that it takes in the program's language: planned for a lecture, else estimated.
    int readingMinutes() const;
    /// Of a lecture; 0 of another lesson.
    double minutes() const;
    bool isLecture() const { return minutes() > 0.0; }
    /// At which a step of a lecture begins.
    double minute(int step) const;
    const std::vector<lessons::Move>& moves(int step) const;

    int stepCount() const;
    QString stepId(int step) const;
    /// 0 for an unknown id.
    int stepCalled(const QString& id) const;
    QString stepTitle(int step) const;
    /// Of resources/formulas; empty if none.
    QString formula(int step) const;
    const lab::Scene& scene(int step) const;
    const lab::BoardSpec& view(int step) const;
    /// Texts beside the cards, by card id.
    QMap<QString, QString> cardWords(int step, const lab::Scene& scene, const lab::SceneResult* result,
                                     lessons::Medium medium = lessons::Medium::Screen) const;
    /// Markdown; here and above, numbers are those of `result`, which belongs to `scene`; dots without a result.
    QString text(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    /// The same for paper.
    QString printedText(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    /// The lesson's own text, where the audience of a lecture reads a slide; else text().
    QString notes(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    /// The step covers parts of its board until its question has an answer.
    bool coversBoard(int step) const;
    /// What it shows until then. Requires a question.
    lab::BoardSpec askingView(int step) const;
    /// For each step, what its picture on a sheet of questions covers besides what its own question asks. Computes
    /// every step. Thread-safe. Throws Cancelled.
    std::vector<std::vector<lab::HiddenPart>> askedEarlier(const RunControl& control = {}) const;
    /// The view of a step on such a sheet; nullopt: nothing is covered.
    std::optional<lab::BoardSpec> sheetView(int step, const std::vector<lab::HiddenPart>& asked_earlier) const;
    /// What the board shows after an answer; the scene and view of the step where the question asks about no other.
    lab::Scene revealedScene(int step) const;
    const lab::BoardSpec& revealedView(int step) const;
    /// The ids of the cards of `view` that an option is about. `result` belongs to `scene`.
    QSet<QString> cardsOf(int step, const QString& option, const lab::BoardSpec& view, const lab::Scene& scene,
                          const lab::SceneResult& result) const;
    bool hasQuestion(int step) const;
    int questionCount() const;
    /// Its texts, with no option marked as right.
    StepQuestion question(int step) const;
    /// The question and its options alone, for paper.
    StepQuestion printedQuestion(int step, const lab::Scene& scene, const lab::SceneResult* result) const;
    /// The same with the engine's result for each option of the original step, which this computes. Thread-safe, hence
    /// the language. Throws Error for a scene that cannot be computed, and Cancelled.
    StepQuestion measuredQuestion(int step, const QString& language, const RunControl& control = {},
                                  lessons::Medium medium = lessons::Medium::Screen) const;
    /// All errors of the lesson: computes every step. Thread-safe. Throws Cancelled.
    std::vector<lessons::Mistake> mistakes(const RunControl& control = {}) const;

private:
    const lessons::Step& at(int step) const;
    const lessons::StepText& words(int step) const;
    StepQuestion questionWith(int step, const QString& language, const lab::Scene& scene,
                              const lab::SceneResult* result, const RunControl& control,
                              lessons::Medium medium = lessons::Medium::Screen) const;

    QString key_;
    std::unique_ptr<const lessons::Lesson> content_;
};

using LessonPtr = std::shared_ptr<const Lesson>;

// Sources of lessons: those shipped with the program, and folders of the user.

/// Sorted. Read again at each call.
std::vector<LessonPtr> shippedLessons();
/// The lectures of the program: steps of `lessons`, in an order of their own.
std::vector<LessonPtr> shippedLectures(const std::vector<LessonPtr>& lessons);
/// Reads a folder with scene.json and texts. Throws attnlab::Error with file and line.
LessonPtr readLesson(const QString& folder, const QString& key);

/// The files of a lesson: a folder, an archive, or a folder of Qt's resources. Samples, formulas and models are the
/// program's.
lessons::LessonFiles lessonFiles(const QString& folder);

/// A heading of the list of lessons, and the lessons below it.
struct LessonSection {
    QString heading;
    std::vector<std::size_t> lessons; ///< indices, increasing
};

/// The lectures, the lessons of each group, and the lessons that name none. Sections without lessons are left out.
std::vector<LessonSection> lessonSections(const std::vector<LessonPtr>& lessons);

/// The user's progress in each lesson, stored between runs.
struct LessonProgress {
    QString step;                      ///< id of the last step shown; empty: never opened
    QSet<QString> seen;                ///< ids of steps
    QMap<QString, QString> answers;    ///< by step: the last chosen option, with which the answer was shown
    QMap<QString, QString> tries = {}; ///< by step: a first choice that was wrong and did not show it
    bool operator==(const LessonProgress&) const = default;
};

/// `lesson` is the folder name of a shipped lesson, or the path of another one.
LessonProgress lessonProgress(const QString& lesson);
void setLessonProgress(const QString& lesson, const LessonProgress& progress);
/// The last step was shown last, and every other was seen: the lesson begins anew.
bool isFinished(const Lesson& lesson, const LessonProgress& progress);
/// Of all lessons.
void forgetProgress();
bool hasProgress();

} // namespace attnlab::ui
