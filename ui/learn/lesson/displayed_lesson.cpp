#include "ui/learn/lesson/displayed_lesson.h"

#include "core/lessons/asking.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/lesson_text.h"
#include "core/lookup.h"
#include "ui/document/samples.h"
#include "ui/learn/lesson/measured_claims.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QUrl>

namespace attnlab::ui {
namespace {

/// Text whose numbers are not computed yet.
QString unfilled(const lessons::LessonText& text) {
    QString words;
    for (const auto& piece : text.pieces)
        words += textOf(piece.words) + (piece.number ? QStringLiteral("…") : QString());
    return words;
}

/// Texts with their numbers, or without a result with dots. The window fills them in at once, so their expressions
/// have a limit together.
class Filler {
public:
    Filler(const lab::Scene& scene, const lab::SceneResult* result, const RunControl& control = {},
           lessons::Medium medium = lessons::Medium::Screen)
        : medium_(medium) {
        if (result)
            evaluation_.emplace(scene, *result, control, lessons::most_text_cells);
    }

    QString operator()(const lessons::LessonText& text) const {
        return evaluation_ ? textOf(lessons::filled(text, *evaluation_, nullptr, medium_)) : unfilled(text);
    }

private:
    lessons::Medium medium_;
    std::optional<lessons::Evaluation> evaluation_;
};

} // namespace

Lesson::Lesson(lessons::Lesson content, QString key)
    : key_(std::move(key)), content_(std::make_unique<const lessons::Lesson>(std::move(content))) {}

Lesson::~Lesson() = default;

QString Lesson::title() const { return textOf(content_->title_in(currentLanguage().toStdString()).title); }
QString Lesson::summary() const { return textOf(content_->title_in(currentLanguage().toStdString()).summary); }
int Lesson::stepCount() const { return static_cast<int>(content_->steps.size()); }

const lessons::Step& Lesson::at(int step) const { return content_->steps.at(static_cast<std::size_t>(step)); }

const lessons::StepText& Lesson::words(int step) const { return at(step).text_in(currentLanguage().toStdString()); }

int Lesson::readingMinutes() const { return lessons::reading_minutes(*content_, currentLanguage().toStdString()); }

double Lesson::minutes() const { return lessons::minutes_of(*content_); }

double Lesson::minute(int step) const {
    double before = 0.0;
    for (int earlier = 0; earlier < step; ++earlier)
        before += at(earlier).minutes;
    return before;
}

const std::vector<lessons::Move>& Lesson::moves(int step) const { return at(step).moves; }

QString Lesson::stepId(int step) const { return textOf(at(step).id); }

int Lesson::stepCalled(const QString& id) const {
    for (int step = 0; step < stepCount(); ++step)
        if (stepId(step) == id)
            return step;
    return 0;
}

QString Lesson::stepTitle(int step) const { return textOf(words(step).title); }
QString Lesson::formula(int step) const { return textOf(at(step).formula); }
const lab::Scene& Lesson::scene(int step) const { return at(step).scene; }
const lab::BoardSpec& Lesson::view(int step) const { return at(step).view; }

QMap<QString, QString> Lesson::cardWords(int step, const lab::Scene& scene, const lab::SceneResult* result,
                                         lessons::Medium medium) const {
    const Filler filled(scene, result, {}, medium);
    QMap<QString, QString> cards;
    for (const auto& [id, text] : words(step).cards)
        cards.insert(textOf(id), filled(text));
    return cards;
}

QString Lesson::text(int step, const lab::Scene& scene, const lab::SceneResult* result) const {
    return Filler(scene, result)(words(step).body);
}

QString Lesson::printedText(int step, const lab::Scene& scene, const lab::SceneResult* result) const {
    return Filler(scene, result, {}, lessons::Medium::Paper)(words(step).body);
}

QString Lesson::notes(int step, const lab::Scene& scene, const lab::SceneResult* result) const {
    return Filler(scene, result)(at(step).notes_in(currentLanguage().toStdString()).body);
}

bool Lesson::coversBoard(int step) const { return hasQuestion(step) && at(step).question->covers; }

lab::BoardSpec Lesson::askingView(int step) const { return lessons::asking_view(at(step)); }

std::vector<std::vector<lab::HiddenPart>> Lesson::askedEarlier(const RunControl& control) const {
    return lessons::asked_earlier(*content_, control);
}

std::optional<lab::BoardSpec> Lesson::sheetView(int step, const std::vector<lab::HiddenPart>& asked_earlier) const {
    return lessons::sheet_view(at(step), asked_earlier);
}

lab::Scene Lesson::revealedScene(int step) const { return lessons::question_scene(at(step)); }

const lab::BoardSpec& Lesson::revealedView(int step) const {
    const auto& question = at(step).question;
    return question && question->reveals ? *question->reveals : at(step).view;
}

QSet<QString> Lesson::cardsOf(int step, const QString& option, const lab::BoardSpec& view, const lab::Scene& scene,
                              const lab::SceneResult& result) const {
    QSet<QString> cards;
    if (const auto& question = at(step).question)
        for (const auto& one : question->options)
            if (textOf(one.id) == option)
                for (const auto& card : lessons::cards_read(one.right.expression, view, scene, result))
                    cards.insert(textOf(card));
    return cards;
}

bool Lesson::hasQuestion(int step) const { return at(step).question.has_value(); }

int Lesson::questionCount() const {
    int count = 0;
    for (int step = 0; step < stepCount(); ++step)
        count += hasQuestion(step);
    return count;
}

StepQuestion Lesson::question(int step) const {
    return questionWith(step, currentLanguage(), at(step).scene, nullptr, {});
}

StepQuestion Lesson::printedQuestion(int step, const lab::Scene& scene, const lab::SceneResult* result) const {
    auto question = questionWith(step, currentLanguage(), scene, result, {}, lessons::Medium::Paper);
    question.hint.clear();
    question.answer.clear();
    question.notes.clear();
    return question;
}

StepQuestion Lesson::questionWith(int step, const QString& language, const lab::Scene& scene,
                                  const lab::SceneResult* result, const RunControl& control,
                                  lessons::Medium medium) const {
    StepQuestion question;
    const auto& asked = at(step).question;
    if (!asked)
        return question;
    const auto& text = at(step).text_in(language.toStdString());
    const Filler filled(scene, result, control, medium);
    question.text = filled(text.question);
    question.hint = filled(text.hint);
    if (!result) {
        question.answer = filled(text.answer);
        question.notes = filled(at(step).notes_in(language.toStdString()).answer);
    }
    for (const auto& option : asked->options) {
        QuestionOption& made = question.options.emplace_back();
        made.id = textOf(option.id);
        if (const auto found = text.options.find(option.id); found != text.options.end())
            made.text = plainText(filled(found->second)); // a button does not support italics
    }
    return question;
}

StepQuestion Lesson::measuredQuestion(int step, const QString& language, const RunControl& control,
                                      lessons::Medium medium) const {
    if (!hasQuestion(step))
        return {};
    const auto& asked = *at(step).question;
    const lab::Scene& written = scene(step);
    const auto result = lab::compute(written, control);
    StepQuestion question = questionWith(step, language, written, &result, control, medium);
    // Results under another draw are computed there.
    const lab::Scene there = lessons::question_scene(at(step));
    const auto decided = there == written ? result : lab::compute(there, control);
    const auto in = language.toStdString();
    const auto& text = at(step).text_in(in);
    question.answer = Filler(there, &decided, control, medium)(text.answer);
    question.notes = Filler(there, &decided, control, medium)(at(step).notes_in(in).answer);
    const Filler filled_why(there, &decided, control, medium);
    QMap<QString, QString> names;
    for (const auto& [id, words] : text.cards)
        if (std::ranges::none_of(words.pieces,
                                 [](const lessons::TextPiece& piece) { return piece.number.has_value(); }))
            names.insert(textOf(id), plainText(unfilled(words)));
    const lessons::Evaluation evaluation(there, decided, control);
    for (std::size_t i = 0; i < asked.options.size(); ++i) {
        auto& option = question.options[i];
        try {
            std::vector<lessons::Measured> measured;
            option.right = asked.options[i].right.expression.holds(evaluation, &measured);
            const auto why = text.whys.find(option.id.toStdString());
            option.measured = why == text.whys.end() ? measuredValuesText(measured, there, names)
                                                     : plainText(filled_why(why->second));
        } catch (const Error&) {
            option.right = false; // invalid in a checked lesson
        }
    }
    return question;
}

std::vector<lessons::Mistake> Lesson::mistakes(const RunControl& control) const {
    std::vector<lessons::Mistake> all;
    for (const auto& step : content_->steps)
        for (auto& mistake : lessons::check_step(*content_, step, control).mistakes)
            all.push_back(std::move(mistake));
    return all;
}

namespace {

const QString resources = QStringLiteral(":/attnlab");

std::optional<std::string> resourceAt(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return file.readAll().toStdString();
}

std::function<std::optional<std::string>(const std::string&)> resourcesBelow(const QString& folder) {
    return [folder](const std::string& name) {
        return resourceAt(folder + QLatin1Char('/') + QString::fromStdString(name));
    };
}

} // namespace

lessons::LessonFiles lessonFiles(const QString& folder) {
    if (folder.startsWith(QLatin1String(":/")))
        return {resourcesBelow(folder), resourcesBelow(resources), lessons::models_below(modelsFolder())};
    auto files = lessons::files_below(folder.toStdString(), {});
    files.resource = resourcesBelow(resources);
    files.model = lessons::models_below(modelsFolder());
    return files;
}

LessonPtr readLesson(const QString& folder, const QString& key) {
    return std::make_shared<const Lesson>(lessons::load_lesson(folder.toStdString(), lessonFiles(folder)), key);
}

std::vector<LessonPtr> shippedLessons() {
    std::vector<LessonPtr> lessons;
    const QDir shelf(resources + QStringLiteral("/lessons"));
    for (const auto& name : shelf.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        try {
            lessons.push_back(readLesson(shelf.filePath(name), name));
        } catch (const Error& error) { // a program without its files beside it has no model for some of them
            qWarning("%s", error.what());
        }
    }
    const auto section = [](const LessonPtr& lesson) {
        const auto* group = lookup(lessons::lesson_groups, lesson->content().group);
        return group ? group - std::begin(lessons::lesson_groups) : std::ssize(lessons::lesson_groups);
    };
    std::ranges::stable_sort(lessons, {}, section); // as they are listed, which their numbers follow
    return lessons;
}

std::vector<LessonPtr> shippedLectures(const std::vector<LessonPtr>& lessons) {
    std::vector<const lessons::Lesson*> contents;
    for (const auto& lesson : lessons)
        contents.push_back(&lesson->content());
    std::vector<LessonPtr> lectures;
    const QDir shelf(resources + QStringLiteral("/lectures"));
    for (const auto& file : shelf.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        try {
            const auto text = resourceAt(file.filePath());
            const auto name = file.completeBaseName();
            lectures.push_back(
                std::make_shared<const Lesson>(lessons::read_lecture(text.value_or(std::string()), name.toStdString(),
                                                                     file.filePath().toStdString(), contents),
                                               QStringLiteral("lecture/") + name));
        } catch (const Error& error) {
            qWarning("%s", error.what());
        }
    }
    return lectures;
}

std::vector<LessonSection> lessonSections(const std::vector<LessonPtr>& lessons) {
    std::vector<LessonSection> sections;
    const auto add = [&](const char* heading, auto belongs) {
        LessonSection section{translated(heading), {}};
        for (std::size_t i = 0; i < lessons.size(); ++i)
            if (belongs(*lessons[i]))
                section.lessons.push_back(i);
        if (!section.lessons.empty())
            sections.push_back(std::move(section));
    };
    const auto is_lecture = [](const Lesson& lesson) { return lesson.minutes() > 0.0; };
    add(ATTNLAB_TEXT("Lecture"), is_lecture);
    for (const auto& group : lessons::lesson_groups)
        add(group.heading, [&](const Lesson& lesson) { return lesson.content().group == group.id; });
    add(ATTNLAB_TEXT("Other lessons"),
        [&](const Lesson& lesson) { return lesson.content().group.empty() && !is_lecture(lesson); });
    return sections;
}

namespace {

const QString progress_group = QStringLiteral("lessons");

/// A path must not create nested groups.
QString keyOf(const QString& lesson, const char* what) {
    return progress_group + QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(lesson)) + QLatin1Char('/') +
           QLatin1String(what);
}

} // namespace

LessonProgress lessonProgress(const QString& lesson) {
    const QSettings stored;
    LessonProgress progress;
    progress.step = stored.value(keyOf(lesson, "step")).toString();
    for (const auto& step : stored.value(keyOf(lesson, "seen")).toStringList())
        progress.seen.insert(step);
    for (const auto& [what, options] : {std::pair{"answers", &progress.answers}, {"tries", &progress.tries}}) {
        const auto kept = stored.value(keyOf(lesson, what)).toMap();
        for (auto option = kept.begin(); option != kept.end(); ++option)
            options->insert(option.key(), option.value().toString());
    }
    return progress;
}

void setLessonProgress(const QString& lesson, const LessonProgress& progress) {
    QSettings stored;
    QStringList seen(progress.seen.begin(), progress.seen.end());
    seen.sort();
    stored.setValue(keyOf(lesson, "step"), progress.step);
    stored.setValue(keyOf(lesson, "seen"), seen);
    for (const auto& [what, options] : {std::pair{"answers", &progress.answers}, {"tries", &progress.tries}}) {
        QVariantMap kept;
        for (auto option = options->begin(); option != options->end(); ++option)
            kept.insert(option.key(), option.value());
        stored.setValue(keyOf(lesson, what), kept);
    }
}

void forgetProgress() { QSettings().remove(progress_group); }

bool isFinished(const Lesson& lesson, const LessonProgress& progress) {
    for (int step = 0; step < lesson.stepCount(); ++step)
        if (!progress.seen.contains(lesson.stepId(step)))
            return false;
    return lesson.stepCalled(progress.step) == lesson.stepCount() - 1;
}

bool hasProgress() {
    QSettings stored;
    stored.beginGroup(progress_group);
    return !stored.childGroups().isEmpty();
}

} // namespace attnlab::ui
