// Every shipped lesson in every language: each claim holds, each question has one answer, each number exists.
#include "core/lab/cover.h"
#include "core/lessons/asking.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "tests/core/engine_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

const QString resources = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources");

QStringList folders() { return QDir(resources + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name); }

Lesson loaded(const QString& folder) {
    const auto path = (resources + "/lessons/" + folder).toStdString();
    return load_lesson(path, files_below(path, resources.toStdString()));
}

/// The words of each sentence that has a computed number, without that number.
QStringList sentences_with_numbers(const LessonText& text) {
    constexpr QChar hole(0x1a);
    QString all;
    for (const auto& piece : text.pieces) {
        all += QString::fromStdString(piece.words);
        if (piece.number)
            all += hole;
    }
    static const QRegularExpression ends(QStringLiteral("[.;:?!]\\s|[。；：？！\n]"));
    return all.split(ends).filter(hole);
}

bool types(const QString& sentence, std::int64_t number) {
    return sentence.contains(QRegularExpression(QStringLiteral("(?<![\\w.,])%1(?![\\w]|[.,]\\d)").arg(number)));
}

/// A size of a step that a control or its question changes.
struct MovingSize {
    std::int64_t before = 0, then = 0; ///< as written; in the question
};

std::vector<MovingSize> moving_sizes(const Step& step) {
    std::vector<MovingSize> sizes;
    if (!step.scene.draw)
        return sizes;
    const auto& written = *step.scene.draw;
    const auto about = step.question && step.question->about ? *step.question->about : written;
    const auto add = [&](std::int64_t before, std::int64_t then, bool is_live) {
        if (before != then || is_live)
            sizes.push_back({before, then});
    };
    add(written.L, about.L, false);
    add(written.S, about.S, step.view.is_live(lab::BoardControl::S));
    add(written.E, about.E, step.view.is_live(lab::BoardControl::E));
    return sizes;
}

} // namespace

class LessonsTest : public QObject {
    Q_OBJECT
private slots:
    void tells_the_truth_data();
    void tells_the_truth();
    void holds_wherever_a_reader_goes_data() { tells_the_truth_data(); }
    void holds_wherever_a_reader_goes();
    void has_something_to_check_data();
    void has_something_to_check();
    void explain_every_option_data() { tells_the_truth_data(); }
    void explain_every_option();
    void come_in_order();
    void name_their_group_and_take_their_time();
    void compare_histograms_on_one_axis();
    void say_the_size_on_show();
    void type_no_number_beside_one_that_moves();
    void claim_something_in_every_step();
    void give_a_hint_that_is_not_the_answer();
    void cover_earlier_answers_on_sheets_data();
    void cover_earlier_answers_on_sheets();
};

void LessonsTest::tells_the_truth_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("number");
    for (const auto& folder : folders()) {
        try {
            const auto lesson = loaded(folder);
            for (std::size_t k = 0; k < lesson.steps.size(); ++k)
                QTest::addRow("%s: %s", qPrintable(folder), lesson.steps[k].id.c_str())
                    << folder << static_cast<int>(k);
        } catch (const LessonError&) {
            QTest::addRow("%s", qPrintable(folder)) << folder << 0; // it reports the error when it is read again
        }
    }
    if (folders().isEmpty())
        QTest::newRow("none") << QString() << 0;
}

void LessonsTest::tells_the_truth() {
    QFETCH(QString, folder);
    QFETCH(int, number);
    if (folder.isEmpty())
        QSKIP("no lesson is shipped yet");
    try {
        const auto lesson = loaded(folder);
        const auto& step = lesson.steps.at(static_cast<std::size_t>(number));
        QStringList mistakes;
        for (const auto& mistake : check_step(lesson, step).mistakes)
            mistakes << QString::fromStdString(mistake.text());
        QVERIFY2(mistakes.isEmpty(), qPrintable(mistakes.join('\n')));
        for (const auto language : languages)
            QVERIFY(step.texts.contains(language));
    } catch (const LessonError& error) {
        QFAIL(error.what());
    }
}

void LessonsTest::explain_every_option() {
    QFETCH(QString, folder);
    QFETCH(int, number);
    if (folder.isEmpty())
        QSKIP("no lesson is shipped yet");
    const auto lesson = loaded(folder);
    const auto& step = lesson.steps.at(static_cast<std::size_t>(number));
    for (const auto& [language, text] : step.texts)
        for (const auto& [option, words] : text.options)
            QVERIFY2(text.whys.contains(option), (language + ": option " + option + " has no '### why'").c_str());
}

/// `attnlab lesson FOLDER --draws 200` tries more.
void LessonsTest::holds_wherever_a_reader_goes() {
    constexpr int draws = 5;
    QFETCH(QString, folder);
    QFETCH(int, number);
    const auto lesson = loaded(folder);
    QStringList mistakes;
    for (const auto& mistake : refute(lesson, lesson.steps.at(static_cast<std::size_t>(number)), draws))
        mistakes << QString::fromStdString(mistake.text());
    QVERIFY2(mistakes.isEmpty(), qPrintable(mistakes.join('\n')));
}

void LessonsTest::has_something_to_check_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : folders())
        QTest::addRow("%s", qPrintable(folder)) << folder;
    if (folders().isEmpty())
        QTest::newRow("none") << QString();
}

void LessonsTest::has_something_to_check() {
    QFETCH(QString, folder);
    if (folder.isEmpty())
        QSKIP("no lesson is shipped yet");
    try {
        const auto lesson = loaded(folder);
        std::size_t checks = 0, questions = 0;
        for (const auto& step : lesson.steps) {
            checks += step.checks.size();
            questions += step.question ? 1 : 0;
        }
        QVERIFY(checks > 0);
        QVERIFY(questions > 0);
        QVERIFY(lesson.titles.at("en").title != lesson.titles.at("zh_CN").title);
    } catch (const LessonError& error) {
        QFAIL(error.what());
    }
}

void LessonsTest::come_in_order() {
    std::set<int> orders;
    std::set<std::string> ids;
    for (const auto& folder : folders()) {
        const auto dash = folder.indexOf('-');
        QVERIFY2(dash > 0 && orders.insert(folder.left(dash).toInt()).second, qPrintable(folder));
        QVERIFY2(ids.insert(folder.mid(dash + 1).toStdString()).second, qPrintable(folder));
    }
    if (!orders.empty())
        QCOMPARE(*orders.begin(), 1);
    if (!orders.empty())
        QCOMPARE(*orders.rbegin(), static_cast<int>(orders.size()));
}

void LessonsTest::name_their_group_and_take_their_time() {
    std::set<std::string> groups;
    for (const auto& folder : folders()) {
        const auto lesson = loaded(folder);
        QVERIFY2(!lesson.group.empty(), qPrintable(folder));
        groups.insert(lesson.group);
        const int english = reading_minutes(lesson, "en");
        QVERIFY2(english >= 5 && english <= 25, qPrintable(folder + ": " + QString::number(english)));
        QVERIFY2(std::abs(reading_minutes(lesson, "zh_CN") - english) <= 2, qPrintable(folder));
    }
    QCOMPARE(groups.size(), std::size(lesson_groups));
}

/// A histogram with an axis of its own would look as wide as a narrower one beside it.
void LessonsTest::compare_histograms_on_one_axis() {
    for (const auto& folder : folders())
        for (const auto lesson = loaded(folder); const auto& step : lesson.steps)
            for (const auto& card : step.view.cards)
                QVERIFY2(!card.axis || step.view.cards.size() == 1, qPrintable(folder + ": " + step.id.c_str()));
}

void LessonsTest::say_the_size_on_show() {
    for (const auto& folder : folders().filter("cheaper-attention"))
        for (const auto lesson = loaded(folder); const auto& step : lesson.steps) {
            if (step.id != "price")
                continue;
            const auto scene = question_scene(step);
            const auto result = lab::compute(scene);
            for (const auto language : languages) {
                const auto text =
                    QString::fromStdString(filled(step.text_in(language).body, Evaluation(scene, result)));
                QVERIFY2(text.contains(" 512 "), qPrintable(text));
                QVERIFY2(!text.contains(" 64 "), qPrintable(text));
            }
        }
}

/// "64 tokens have {{entropy(none)}}" would be false as soon as the reader has moved to 512.
void LessonsTest::type_no_number_beside_one_that_moves() {
    QStringList wrong;
    for (const auto& folder : folders())
        for (const auto lesson = loaded(folder); const auto& step : lesson.steps)
            for (const auto language : languages) {
                const auto& text = step.text_in(language);
                const auto check = [&](const LessonText& part, bool answered) {
                    for (const auto& sentence : sentences_with_numbers(part))
                        for (const auto [before, then] : moving_sizes(step)) {
                            const bool has_before = types(sentence, before), has_then = types(sentence, then);
                            // The numbers of an answer stay; it may compare both sizes.
                            if (answered ? has_before && before != then && !has_then : has_before || has_then)
                                wrong << QStringLiteral("%1 %2: %3 in \"%4\"")
                                             .arg(folder, QString::fromStdString(step.id))
                                             .arg(has_before ? before : then)
                                             .arg(sentence.simplified());
                        }
                };
                check(text.body, false);
                for (const auto& [id, words] : text.cards)
                    check(words, false);
                check(text.answer, true); // its numbers are those of the question
                for (const auto& [id, words] : text.whys)
                    check(words, true);
            }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

void LessonsTest::claim_something_in_every_step() {
    for (const auto& folder : folders())
        for (const auto lesson = loaded(folder); const auto& step : lesson.steps)
            QVERIFY2(!step.checks.empty() || !step.first_checks.empty(),
                     qPrintable(folder + ": " + QString::fromStdString(step.id)));
}

void LessonsTest::give_a_hint_that_is_not_the_answer() {
    const auto words = [](const LessonText& text) {
        std::string all;
        for (const auto& piece : text.pieces)
            all += piece.words;
        return all;
    };
    for (const auto& folder : folders())
        for (const auto lesson = loaded(folder); const auto& step : lesson.steps) {
            if (!step.question)
                continue;
            const auto right = right_option(step);
            for (const auto& [language, text] : step.texts) {
                const auto where = folder + ": " + QString::fromStdString(step.id + ", " + language);
                QVERIFY2(!text.hint.empty(), qPrintable(where));
                constexpr std::size_t short_word = 4; // "2" may stand in a hint about something else
                if (const auto option = words(text.options.at(right)); option.size() > short_word)
                    QVERIFY2(words(text.hint).find(option) == std::string::npos, qPrintable(where));
                QVERIFY2(words(text.hint) != words(text.answer), qPrintable(where));
            }
        }
}

namespace {

/// What is open on a sheet's picture of `later`, as a result of the settings of `asking`: those that compute the same
/// problem.
lab::SceneResult open_for(const lab::Scene& asking, const lab::SceneResult& asked, const Step& later,
                          const std::vector<lab::HiddenPart>& asked_earlier) {
    const auto result = lab::compute(later.scene);
    auto open = result;
    if (const auto view = sheet_view(later, asked_earlier))
        open = lab::covered(later.scene, result, lab::covered_view(*view, later.scene, result));
    const auto problem = [](const lab::Scene& scene, const lab::SceneSetting& setting, const lab::SceneResult& drawn) {
        auto made = lab::problem_of(scene, setting, drawn.drawn);
        made.query_tokens.clear();
        made.key_tokens.clear();
        return made;
    };
    auto read = asked;
    for (std::size_t k = 0; k < asking.settings.size(); ++k) {
        read.settings[k] = {};
        for (std::size_t other = 0; !asking.cache && other < later.scene.settings.size(); ++other)
            if (asking.training == later.scene.training &&
                asking.settings[k].precision == later.scene.settings[other].precision &&
                problem(asking, asking.settings[k], asked) == problem(later.scene, later.scene.settings[other], result))
                read.settings[k].trace = open.settings[other].trace;
    }
    return read;
}

} // namespace

void LessonsTest::cover_earlier_answers_on_sheets_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : folders())
        QTest::addRow("%s", qPrintable(folder)) << folder;
}

/// A question that asks for more than the numbers of a board (edited tokens, sizes, theory) cannot be read from one.
void LessonsTest::cover_earlier_answers_on_sheets() {
    QFETCH(QString, folder);
    const auto lesson = loaded(folder);
    const auto asked_earlier = lessons::asked_earlier(lesson);
    for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
        const auto& step = lesson.steps[k];
        if (!step.question || !(step.question->covers || step.question->hides) || step.scene.cache)
            continue;
        const auto scene = question_scene(step);
        const auto result = lab::compute(scene);
        for (std::size_t later = k + 1; later < lesson.steps.size(); ++later) {
            if (!lesson.steps[later].on_sheet || lesson.steps[later].scene.cache)
                continue;
            const auto open = open_for(scene, result, lesson.steps[later], asked_earlier[later]);
            const Evaluation evaluation(scene, open);
            for (const auto& option : step.question->options) {
                const auto parts = option.right.expression.parts();
                const bool is_shown = !parts.empty() && std::ranges::all_of(parts, [&](const auto& part) {
                    const Trace* trace = open.trace_of(scene, part.first);
                    return trace && trace->find(part.second);
                });
                const auto text = QString::fromStdString(option.right.expression.text());
                const bool apart = text.contains("moved(") || text.contains("size(") || text.contains("theory(");
                QVERIFY2(!is_shown || apart || !evaluate_claim(option.right, evaluation).holds,
                         qPrintable(QStringLiteral("'%1' shows that '%2' of '%3' is right")
                                        .arg(lesson.steps[later].id.c_str(), option.id.c_str(), step.id.c_str())));
            }
        }
    }
}

ATTNLAB_TEST(LessonsTest)
#include "test_lessons.moc"
