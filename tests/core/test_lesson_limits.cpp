// How long and how intricate the texts of a lesson may be.
#include "core/lessons/text_limits.h"
#include "lesson_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

std::string repeated(const std::string& unit, std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k)
        text += unit;
    return text;
}

/// `count` of `character`, in paragraphs of 99 and a line break.
std::string paragraphs(const std::string& character, std::size_t count) {
    std::string text;
    for (std::size_t k = 1; k <= count; ++k)
        text += k % 101 == 0 ? "\n" : k % 101 == 100 ? "\n" : character;
    return text;
}

} // namespace

class TestLessonLimits : public QObject {
    Q_OBJECT

private slots:
    /// `most` is read; `more` is the smallest text that is not.
    void textsAreLimited_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("most");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* from, const std::string& most, const std::string& more,
                            const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray::fromStdString(most)
                                << QByteArray::fromStdString(more) << QByteArray(says);
        };
        // "## three: The third", the text and two line breaks
        row("step", "Words.\n", paragraphs("a", 19'979) + "\n", paragraphs("a", 19'980) + "\n",
            ":29: this step has 20001 characters of text, expected at most 20000");
        row("step of wide characters", "Words.\n", paragraphs("文", 19'979) + "\n", paragraphs("文", 19'980) + "\n",
            ":29: this step has 20001 characters of text, expected at most 20000");
        row("step of invalid bytes", "Words.\n", paragraphs("\x80", 19'979) + "\n", paragraphs("\x80", 19'980) + "\n",
            ":29: this step has 20001 characters of text, expected at most 20000");
        row("paragraph", "Words.", "a\n \t\n" + repeated("a", 4'999), "a\n \t\n" + repeated("a", 5'000),
            ":32: this paragraph has 5001 characters, expected at most 5000 and a blank line");
        row("paragraph of lines", "Words.", repeated("1234 abcd\n", 499), repeated("1234 abcd\n", 501),
            ":30: this paragraph has 5010 characters, expected at most 5000 and a blank line");
        row("option", "- same: It stays\n", "- same: " + repeated("a", 4'900) + "\n",
            "- same: " + repeated("a", 5'000) + "\n", ":13: this paragraph has 50");
        row("answer", "It stays {{theory(root) | 1}}.", repeated("a", 4'999), repeated("a", 5'000),
            ":19: this paragraph has 5001 characters");
        row("card", "### card none: grows", "### card none: " + repeated("a", 4'984),
            "### card none: " + repeated("a", 4'985), ":21: this paragraph has 5001 characters");
        row("title of a lesson", "# A lesson", "# " + repeated("a", 498), "# " + repeated("a", 499),
            ":1: this title has 501 characters, expected at most 500");
        row("title of a step", "## three: The third", "## three: " + repeated("文", 490),
            "## three: " + repeated("文", 491), ":29: this title has 501 characters, expected at most 500");
        // "# A lesson" and two line breaks
        row("summary", "What it is about,\nin short.\n", paragraphs("a", 4'987) + "\n", paragraphs("a", 4'988) + "\n",
            ":1: title and summary have 5001 characters, expected at most 5000");
        row("lines", "Words.\n", repeated("a\n\n", 499) + "a\n", repeated("a\n\n", 499) + "a\na\n",
            ":29: this step has 1001 lines, expected at most 1000");
        row("numbers", "Words.\n", repeated("{{E}}\n", 200), repeated("{{E}}\n", 201),
            ":29: this step has 201 {{numbers}}, expected at most 200");
        for (const std::string mark : {"*", "_", "~", "`", "[", "]", "!", "<", ">", "|", "&", "\\", "@", ":", "www."})
            row(("marks " + mark).c_str(), "Words.\n", "a" + repeated(mark, 499) + "\n",
                "a" + repeated(mark, 500) + "\n", ":29: this step has 501 characters that Markdown reads as marks");
        for (const std::string marker : {"> ", ">", "- ", "* ", "+\t", "1. ", " 23) ", "> - 1. "})
            row(("nested " + marker).c_str(), "Words.", "a\n\n" + repeated(marker, marker.size() > 5 ? 2 : 6) + "a",
                "a\n\n" + repeated(marker, marker.size() > 5 ? 3 : 7) + "a",
                ":32: has more than 6 markers of lists and quotes in front of its words, expected at most 6");
        for (const std::string mark : {"\u0301", "\u0e31", "\u0483", "\u200b", "\u202e", "\U000e0041", "\x01", "\x7f"})
            row(("in a row " + mark).c_str(), "Words.", "a" + repeated(mark, 16) + "a" + repeated(mark, 16),
                "a" + repeated(mark, 17),
                ":30: has 17 combining or invisible characters in a row, expected at most 16");
    }

    void textsAreLimited() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, most);
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, says);
        const auto read = [&](const QByteArray& to) {
            const auto texts = replaced("en.md", from.toStdString(), to.toStdString());
            return lesson_error_of([&] { lesson_of(texts); });
        };
        QCOMPARE(read(most), QString());
        QVERIFY2(read(more).startsWith("lessons/07-a-lesson/en.md" + QString::fromUtf8(says)), qPrintable(read(more)));
    }

    void rulesAreNotNested() {
        for (const char* rule : {"- - - - - - - - -", "* * * * * * * *", "> - - - - - - - -"})
            QCOMPARE(lesson_error_of([&] { lesson_of(replaced("en.md", "Words.", std::string("a\n\n") + rule)); }),
                     QString());
    }

    /// The text of one step may not push another one over the limits.
    void limitsAreThoseOfEachStep() {
        auto texts = replaced("en.md", "Words.\n", paragraphs("a", 19'979) + "\n");
        auto& english_text = texts.at("en.md");
        const std::string other = "A weight: {{root.weights[1, 2] | 3}}; a row: {{none.weights[0] | 2}}.";
        english_text.replace(english_text.find(other), other.size(), paragraphs("a", 19'979));
        QCOMPARE(lesson_error_of([&] { lesson_of(texts); }), QString());
    }

    void shownNumbersAreLimited_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a row") << QByteArray("{{none.weights[0] | 2}}") << QByteArray() << QByteArray();
        QTest::newRow("many cells") << QByteArray("{{none.weights | 15}}") << QByteArray() << QByteArray();
        QTest::newRow("more cells") << QByteArray("{{tensor.query | 15}}") << QByteArray("–")
                                    << QByteArray("has 64 numbers, which are longer than the 500 characters");
    }

    void shownNumbersAreLimited() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, says);
        if (text.contains("tensor"))
            text.replace("tensor", "none.tensor");
        const auto lesson = lesson_of(replaced("en.md", "The variance is", text.toStdString() + " The variance is"));
        const auto& step = lesson.steps.front();
        const auto result = lab::compute(step.scene);
        const Evaluation evaluation(step.scene, result);
        QString failed;
        const auto made = filled(step.text_in("en").body, evaluation, [&](int, const Message& message) {
            failed += QString::fromStdString(message.english());
        });
        QVERIFY2(failed.isEmpty() == says.isEmpty() && failed.contains(says), qPrintable(failed));
        QVERIFY2(shown.isEmpty() || made.starts_with(shown.toStdString() + " The"), made.c_str());
    }

    /// Each number fits, all of them do not.
    void allShownNumbersAreLimitedTogether() {
        const auto lesson = lesson_of(replaced("en.md", "Words.", repeated("{{1e300 | 0}}\n\n", 150)));
        const auto& step = lesson.steps.back();
        const auto result = lab::compute(step.scene);
        int failed = 0;
        const auto made =
            filled(step.text_in("en").body, Evaluation(step.scene, result), [&](int, const Message&) { ++failed; });
        QCOMPARE(failed, 150 - 5000 / 301);
        QVERIFY(made.size() < 6'000);
    }
};

ATTNLAB_TEST(TestLessonLimits)
#include "test_lesson_limits.moc"
