// Limits of a lesson's texts.
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/lesson_text.h"
#include "tests/core/lesson_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <zip.h>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

std::string repeated(const std::string& unit, std::size_t times) {
    std::string text;
    text.reserve(unit.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        text += unit;
    return text;
}

/// Paragraphs of words.
std::string words(std::size_t characters) {
    std::string text;
    while (text.size() < characters)
        text += repeated("four ", 100) + "\n\n";
    return text.substr(0, characters);
}

constexpr const char* quoted_body = "A weight: {{root.weights[1, 2] | 3}}; a row: {{none.weights[0] | 2}}.";

} // namespace

class LessonLimitsTest : public QObject {
    Q_OBJECT
private slots:
    void names_the_step_and_the_limit_data();
    void names_the_step_and_the_limit();
    void every_text_counts_data();
    void every_text_counts();
    void takes_what_is_at_the_limit();
    void shipped_lessons_are_far_below();
    void long_lines_are_not_quoted();
    void numbers_are_limited_data();
    void numbers_are_limited();
    void arrays_of_expressions_are_limited();
    void an_archive_that_inflates_too_much();
};

void LessonLimitsTest::names_the_step_and_the_limit_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& body, const QString& says) {
        QTest::newRow(name) << QByteArray::fromStdString(body) << says;
    };
    const QString file = QStringLiteral("lessons/07-a-lesson/en.md:%1: step 'two' ");
    row("entities", repeated("&amp; ", 20000), file.arg(26) + "has 120");
    row("one word", repeated("m", 1001), file.arg(27) + "has 1001 characters without a space; at most 1000");
    row("marks", repeated("\u0301", 1001), file.arg(27) + "has 1001 characters without a space; at most 1000");
    row("marks on an ideograph", "字" + repeated("\u0301", 1000), file.arg(27) + "has 1001 characters without a space");
    row("no UTF-8", repeated("\xff", 1001), file.arg(27) + "has 1001 characters without a space");
    row("bytes that only continue", repeated("\x80", 1001), file.arg(27) + "has 1001 characters without a space");
    row("carriage returns", repeated("m\r", 1001), file.arg(27) + "has 1001 characters without a space");
    row("a paragraph", "x\n\n" + repeated("four ", 1001), file.arg(29) + "has 5006 characters without an empty line");
    row("a blank that is not empty", repeated(repeated("four ", 90) + "\n>\n", 12), file.arg(26) + "has 54");
    row("paragraphs", repeated("a\n\n", 300), file.arg(26) + "has 60");
    row("list items", repeated("- a\n", 501), file.arg(26) + "has 50");
    row("items in lines", repeated("- - - - - - - a\n", 100), file.arg(26) + "has 70");
    row("line separators", repeated("a\u2028", 501), file.arg(26) + "has 50");
    row("frames of Qt", repeated("a\uFDD0\uFDD1", 260), file.arg(26) + "has 52");
    row("nested lists", repeated("- ", 9) + "a", file.arg(27) + "has lists and quotes of 9 levels; at most 8");
    row("nested quotes", "x\n\n" + repeated(">", 9) + "a", file.arg(29) + "has lists and quotes of 9 levels");
    row("nested numbers", repeated("1. ", 9) + "a", file.arg(27) + "has lists and quotes of 9 levels");
    row("nested both", repeated("> 12) ", 5) + "a", file.arg(27) + "has lists and quotes of 10 levels");
    row("a control character",
        "x\n\na\x1a"
        "b",
        file.arg(29) + "has a control character with the code 26, expected text");
    row("NUL", std::string("x\0y", 3), file.arg(27) + "has a control character with the code 0, expected text");
    row("many characters", words(20000), file.arg(26) + "has 200");
}

void LessonLimitsTest::names_the_step_and_the_limit() {
    QFETCH(QByteArray, body);
    QFETCH(QString, says);
    const auto error = lesson_error_of([&] { lesson_of(replaced("en.md", quoted_body, body.toStdString())); });
    QVERIFY2(error.startsWith(says), qPrintable(error.left(200)));
    QVERIFY(error.size() < 300);
}

void LessonLimitsTest::every_text_counts_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* file, const char* from, const char* says) {
        QTest::addRow("%s: %s", file, from) << file << from << says;
    };
    row("en.md", "A lesson", "en.md:1: the text before the first step has ");
    row("en.md", "in short.", "en.md:3: the text before the first step has ");
    row("en.md", "The first", "en.md:5: step 'one' has ");
    row("en.md", "Which one?", "en.md:13: step 'one' has ");
    row("en.md", "and how", "en.md:15: step 'one' has ");
    row("en.md", "It stays {{", "en.md:19: step 'one' has ");
    row("en.md", "grows", "en.md:21: step 'one' has ");
    row("zh_CN.md", "不变。", "zh_CN.md:");
    row("zh_CN.md", "增大", "zh_CN.md:");
}

void LessonLimitsTest::every_text_counts() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, says);
    const std::string word(1100, 'm');
    const auto error = lesson_error_of(
        [&] { lesson_of(replaced(file.toStdString(), from.toStdString(), word + " " + from.toStdString())); });
    QVERIFY2(error.startsWith("lessons/07-a-lesson/" + says), qPrintable(error.left(200)));
    QVERIFY2(error.contains("1100 characters without a space; at most 1000"), qPrintable(error.left(200)));
}

void LessonLimitsTest::takes_what_is_at_the_limit() {
    const auto takes = [](const std::string& body) {
        return lesson_error_of([&] { lesson_of(replaced("en.md", quoted_body, body)); });
    };
    QCOMPARE(takes(words(19'900)), QString());
    QCOMPARE(takes(repeated("m", 1000)), QString());
    QCOMPARE(takes("\n" + repeated("字", 4990)), QString());
    QCOMPARE(takes(repeated("- a\n", 490)), QString());
    QCOMPARE(takes(repeated("> ", 8) + "a"), QString());
    QCOMPARE(takes("```\n                                        deep.code(1)\n```"), QString());
    QCOMPARE(takes("---\n\n-------------------------\n\n* * *"), QString()); // rules, and few items
    const auto title = std::string(longest_title - 10, 't');
    QCOMPARE(lesson_error_of([&] { lesson_of(replaced("en.md", "The second", title)); }), QString());
    const auto error = lesson_error_of([&] { lesson_of(replaced("en.md", "The second", title + title)); });
    QVERIFY2(error.contains("en.md:26: step 'two' has a title of 388 characters; at most 200"), qPrintable(error));
}

/// The limits leave room: no shipped text has a quarter of what it may have.
void LessonLimitsTest::shipped_lessons_are_far_below() {
    const auto files = files_below(ATTNLAB_SOURCE_DIR "/resources/lessons/03-divide-by-what", {});
    for (const auto* name : {"en.md", "zh_CN.md"}) {
        const auto text = files.in_lesson(name);
        QVERIFY(text);
        for (std::size_t at = text->find("\n## "); at != text->npos;) {
            const auto next = text->find("\n## ", at + 1);
            const auto step = text->substr(at, next - at);
            QVERIFY(4 * characters_in(step) < longest_step_text);
            QVERIFY(!excess_of(step + step + step));
            at = next;
        }
    }
}

void LessonLimitsTest::long_lines_are_not_quoted() {
    for (const auto* line : {"## ", "### ", "- ", "# "}) {
        auto texts = sound();
        texts.at("en.md") += "\n" + std::string(line) + std::string(1 << 19, 'x') + "\n";
        QVERIFY(lesson_error_of([&] { lesson_of(texts); }).size() < 500);
    }
}

void LessonLimitsTest::numbers_are_limited_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("says");
    // The query of this draw has 1,600 cells.
    QTest::newRow("many cells") << "{{none.tensor.query}}" << 10 << "is 1600 numbers, too many for a text";
    QTest::newRow("long numbers") << "{{none.tensor.query[0, 0:90] * 10 ^ 300 | 15}}" << 10
                                  << "characters; at most 1000";
    QTest::newRow("many numbers") << QStringLiteral("{{none.tensor.query[0, 0:80] | 6}}\n\n").repeated(60) << 6000
                                  << "the numbers of a text may have 5000 characters together";
    QTest::newRow("much work")
        << QStringLiteral("{{sum(exp(none.tensor.query + none.tensor.key)) | 2}}\n\n").repeated(200) << 6000
        << QString();
}

void LessonLimitsTest::numbers_are_limited() {
    QFETCH(QString, text);
    QFETCH(int, most);
    QFETCH(QString, says);
    auto texts = replaced("en.md", quoted_body, text.toStdString());
    auto& scene = texts.at("scene.json");
    const std::string draw = R"("L": 4, "S": 4, "E": 16)";
    scene.replace(scene.find(draw), draw.size(), R"("L": 4, "S": 4, "E": 400)");
    const auto lesson = lesson_of(texts);
    const auto& step = lesson.steps[1];
    const auto result = lab::compute(step.scene);
    const auto shown = filled(step.text_in("en").body, Evaluation(step.scene, result));
    QVERIFY2(shown.size() < static_cast<std::size_t>(most), shown.c_str());
    const auto report = check_step(lesson, step);
    QCOMPARE(report.mistakes.empty(), says.isEmpty());
    if (!says.isEmpty()) {
        const auto told = QString::fromStdString(report.mistakes.front().text());
        QVERIFY2(told.startsWith("lessons/07-a-lesson/en.md:") && told.contains(says), qPrintable(told));
    }
}

/// What the window evaluates has a limit of its own: a step with a large scene cannot hold it up.
void LessonLimitsTest::arrays_of_expressions_are_limited() {
    auto texts = replaced("en.md", quoted_body,
                          repeated("{{sum(none.weights * none.weights) | 2}}\n\n", 200) +
                              "{{sum(none.tensor.query[:, 0:1] + none.tensor.key[0:1, 0]) | 2}}");
    auto& scene = texts.at("scene.json");
    const std::string draw = R"("L": 4, "S": 4, "E": 16)";
    scene.replace(scene.find(draw), draw.size(), R"("L": 512, "S": 512, "E": 4)");
    const auto lesson = lesson_of(texts);
    const auto& step = lesson.steps[1];
    const auto report = check_step(lesson, step);
    QVERIFY(!report.mistakes.empty());
    const auto said = std::ranges::any_of(report.mistakes, [](const lessons::Mistake& mistake) {
        return mistake.text().find("handles more than 4194304 numbers, too many for a text") != std::string::npos;
    });
    QVERIFY2(said, report.mistakes.front().text().c_str());
    // A claim may handle more, but no product of shapes is endless.
    const Value column{{1 << 14, 1}, std::vector<double>(1 << 14)}, row{{1, 1 << 14}, std::vector<double>(1 << 14)};
    QVERIFY_THROWS_EXCEPTION(Error, combined(column, row, std::plus<double>()));
}

void LessonLimitsTest::an_archive_that_inflates_too_much() {
    const QTemporaryDir folder;
    const auto path = folder.filePath("large.attnlesson").toStdString();
    int code = 0;
    auto* zip = zip_open(path.c_str(), ZIP_CREATE, &code);
    QVERIFY(zip);
    const std::string zeros(std::size_t{80} << 20, ' ');
    QVERIFY(zip_file_add(zip, "en.md", zip_source_buffer(zip, zeros.data(), zeros.size(), 0), 0) >= 0);
    QCOMPARE(zip_close(zip), 0);
    try {
        members_of(path)("en.md");
        QFAIL("expected an error");
    } catch (const Error& error) {
        const auto said = QString::fromUtf8(error.what());
        QVERIFY2(said.contains("en.md: takes 83886080 bytes; at most"), error.what());
        QVERIFY2(!said.contains("numpy"), error.what());
    }
}

ATTNLAB_TEST(LessonLimitsTest)
#include "test_lesson_limits.moc"
