// Texts of lessons that are written to be slow: the reader refuses them, or the window and a handout are quick with
// them.
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_text.h"
#include "tests/test_main.h"
#include "tests/ui/learn_window.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/handout.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/lesson_export.h"
#include "ui/widgets/rich_text.h"

#include <QtConcurrent>
#include <QTextDocument>
#include <QTimer>

#include <ctime>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Seconds of this process, which other programs do not change.
double processorTime() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

QString repeatedTo(const QString& unit, int length) {
    return unit.repeated(length / static_cast<int>(unit.size()) + 1).left(length);
}

bool isRead(const QString& text) { return !lessons::excess_of(("## step: title\n" + text).toStdString()); }

/// Pieces of `unit` in words and paragraphs that are as long as they may be.
QString filledWith(const QString& unit, int length, bool in_words) {
    constexpr int longest_word = 990, longest_paragraph = 4900;
    QString text;
    while (text.size() < length) {
        QString paragraph;
        while (paragraph.size() + longest_word < longest_paragraph)
            paragraph += repeatedTo(unit, longest_word) + (in_words ? QStringLiteral(" ") : QString());
        text += paragraph + QStringLiteral("\n\n");
    }
    return text.left(length);
}

/// The longest text of such lines that is read.
QString linesOf(const std::function<QString(int)>& line, int length) {
    QString text;
    for (int i = 0;; ++i) {
        const QString longer = text + line(i) + QLatin1Char('\n');
        if (longer.size() > length || !isRead(longer))
            return text;
        text = longer;
    }
}

struct Hostile {
    QByteArray name;
    QString text;
};

constexpr int hostile_length = 19'000;

std::vector<Hostile> hostileTexts() {
    std::vector<Hostile> all;
    const char* const units[] = {"&amp;",
                                 "&NotEqualTilde;",
                                 "&#8233;",
                                 "&#769;",
                                 "\u0301",
                                 "a\u0301",
                                 "m",
                                 "i",
                                 "a ",
                                 "*_",
                                 "*a* ",
                                 "**a ",
                                 "*a ",
                                 "_a_ ",
                                 "~~a~~ ",
                                 "`a` ",
                                 "`a.b_c` ",
                                 "`",
                                 "[",
                                 "[a]",
                                 "[a](",
                                 "[a](b ",
                                 "[a](https://b) ",
                                 "![a](b) ",
                                 "![](b)",
                                 "![",
                                 "http://a.b ",
                                 "www.a.b ",
                                 "a@b.c ",
                                 "a@",
                                 "<a>",
                                 "<",
                                 "<!-- ",
                                 "<?",
                                 "\\*",
                                 "ש",
                                 "ש a1",
                                 "שa1",
                                 "\u202ea",
                                 "\u2067a",
                                 "\u202ba\u202aב ",
                                 "\u200b",
                                 "\u200d",
                                 "👩\u200d",
                                 "😀",
                                 "a\u00ad",
                                 "a\u00a0",
                                 "字",
                                 "字\u0301",
                                 "ب",
                                 "क्ष",
                                 "ก่่",
                                 "ཀྲྀ",
                                 "ᄀ",
                                 "a\ufe0f",
                                 "ﷺ",
                                 "aбγ汉ש ",
                                 "a\t",
                                 "|",
                                 "a|b ",
                                 "&#26;"};
    for (const auto* unit : units) {
        const QString words = QString::fromUtf8(unit);
        all.push_back({QByteArray(unit) + " in words", filledWith(words, hostile_length, true)});
        const QString row = filledWith(words, hostile_length, false);
        if (!words.contains(QLatin1Char(' ')) && isRead(row))
            all.push_back({QByteArray(unit) + " in a row", row});
    }
    const auto lines = [&](const char* name, const std::function<QString(int)>& line) {
        all.push_back({name, linesOf(line, hostile_length)});
    };
    const auto same = [&](const char* line) { lines(line, [line](int) { return QString::fromUtf8(line); }); };
    for (const auto* line : {"a",
                             "a\n",
                             "- a",
                             "- a\n",
                             "1. a",
                             "- [ ] a",
                             "* a\n- b",
                             "- a\n  - b",
                             "> a",
                             "# a",
                             "a\n=",
                             "---",
                             "a  ",
                             "a\\",
                             "```\na\n```",
                             "~~~",
                             "    a",
                             "[a]: b",
                             "|a|b|",
                             "- - - - - - - - a",
                             "> > > > > > > > a",
                             "1. 1. 1. 1. 1. 1. 1. 1. a",
                             "> - > - > - > - a",
                             "- ",
                             "|a|\n|-|\n",
                             "- a **b** `c` d e f g h i j k l m n o p",
                             "a\u2028b",
                             "a\ufdd0\ufdd1",
                             "a\fb\vc"})
        same(line);
    lines("deeper and deeper", [](int i) { return QString(2 * i, QLatin1Char(' ')) + QStringLiteral("- a"); });
    lines("deeper by tabs",
          [](int i) { return QString(2 * i, QLatin1Char('\t')) + QStringLiteral("- - - - - - - - a"); });
    lines("wider and wider", [](int i) { return QString(i, QLatin1Char('`')) + QStringLiteral(" a"); });
    lines("references", [](int i) { return QStringLiteral("[a%1]: b").arg(i); });
    lines("a wide table", [](int i) {
        return QStringLiteral("|a ").repeated(i == 1 ? 0 : 128) +
               (i == 1 ? QStringLiteral("|-").repeated(128) : QString()) + QLatin1Char('|');
    });
    lines("a table of short rows", [](int i) {
        return i == 0   ? QStringLiteral("|a ").repeated(128) + QLatin1Char('|')
               : i == 1 ? QStringLiteral("|-").repeated(128) + QLatin1Char('|')
                        : QStringLiteral("|");
    });
    for (const auto* use : {"[a] ", "![a] ", "![z][a] ", "[z][a] "})
        for (const auto* target : {"[a]: https://%1\n\n", "[a]: %1\n\n", "[a]: b \"%1\"\n\n"})
            all.push_back(
                {QByteArray(target) + use, QString::fromLatin1(target).arg(repeatedTo(QStringLiteral("x"), 980)) +
                                               filledWith(QString::fromLatin1(use), hostile_length - 1200, true)});
    all.push_back({"a long heading", QStringLiteral("# ") + repeatedTo(QStringLiteral("word "), 190)});
    return all;
}

QString plainWords(int length) {
    return filledWith(QStringLiteral("some words of a lesson, as people write them. "), length, true);
}

/// What the window does to show a text, and a handout to print it. Returns seconds.
double timeToShow(const QString& text) {
    const double began = processorTime();
    MarkdownLabel label(nullptr, TextSpacing::Reading);
    label.setSource(text);
    label.setAccessibleName(plainText(text));
    label.resize(360, label.heightForWidth(360));
    label.grab(QRect(0, 0, 360, 600));
    Handout handout;
    handout.title = QStringLiteral("title");
    handout.steps.emplace_back();
    handout.steps.back().title = QStringLiteral("step");
    handout.steps.back().text = text;
    handoutData(handout, QPageSize::A4);
    return processorTime() - began;
}

} // namespace

class TestLessonTexts : public QObject, private LearnFixture {
    Q_OBJECT

    /// One whose texts are as slow to lay out as the reader takes them.
    LessonPtr longLesson() {
        const QString body = linesOf(
            [](int) { return QStringLiteral("- - a **b** `c` *d* \u0301\u0301 e f g h i j k l m n o p"); }, 15'000);
        const QString path = writeLongLesson(folder_.path(), body, 40);
        return readLesson(path, path);
    }

    static QString outcomeOf(const std::function<void()>& work) {
        try {
            work();
        } catch (const Cancelled&) {
            return QStringLiteral("cancelled");
        } catch (const std::exception& error) {
            return QStringLiteral("failed: ") + QString::fromUtf8(error.what());
        }
        return QStringLiteral("done");
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() {
        if (window_)
            end();
    }

    /// Whatever passes the reader takes as long as plain words of the same length, within a generous factor.
    void layoutIsNotSlow() {
        timeToShow(QStringLiteral("fonts are loaded"));
        std::vector<double> plain;
        for (int i = 0; i < 5; ++i)
            plain.push_back(timeToShow(plainWords(hostile_length)));
        std::ranges::sort(plain);
        constexpr double most = 40.0;
        double largest = 0.0;
        for (const auto& [name, text] : hostileTexts()) {
            QVERIFY2(isRead(text), name.constData());
            timeToShow(text.left(500)); // its fonts are loaded
            const double ratio = timeToShow(text) / plain[2];
            largest = std::max(largest, ratio);
            if (qEnvironmentVariableIsSet("ATTNLAB_PRINT"))
                printf("%6.1f %6d %s\n", ratio, static_cast<int>(text.size()), name.toPercentEncoding(" ").constData());
            QVERIFY2(ratio < most || qEnvironmentVariableIsSet("ATTNLAB_PRINT"),
                     qPrintable(QStringLiteral("%1 takes %2 times as long").arg(QString::fromUtf8(name)).arg(ratio)));
        }
        qInfo("plain: %.0f ms; the slowest takes %.1f times as long", 1e3 * plain[2], largest);
    }

    /// The work stops soon after the cancel, in each of its parts.
    void aHandoutCanBeCancelled_data() {
        QTest::addColumn<double>("at");
        for (const double at : {0.0, 0.3, 0.85, 0.95})
            QTest::addRow("%g", at) << at;
    }

    void aHandoutCanBeCancelled() {
        QFETCH(double, at);
        const auto subject = handoutExport(longLesson(), QStringLiteral("long"));
        const QString path = folder_.filePath(QStringLiteral("cancelled.pdf"));
        std::atomic<bool> stop = false;
        std::atomic<double> stopped = 0.0;
        RunControl control;
        control.cancelled = [&] { return stop.load(); };
        control.progress = [&](double done) {
            if (done >= at && !stop.exchange(true))
                stopped = processorTime();
        };
        auto writing =
            QtConcurrent::run([&] { return outcomeOf([&] { subject.outputs.front().write(path, {}, control); }); });
        QTRY_VERIFY_WITH_TIMEOUT(writing.isFinished(), 60000);
        const double took = processorTime() - stopped;
        QCOMPARE(writing.result(), QStringLiteral("cancelled"));
        QVERIFY(!QFile::exists(path));
        QVERIFY2(took < 0.2, qPrintable(QString::number(took)));
    }

    /// While the window closes, its thread may wait for the handout and serve nobody.
    void aHandoutEndsWithoutTheWindowsThread() {
        const auto subject = handoutExport(longLesson(), QStringLiteral("long"));
        std::atomic<bool> stop = false;
        RunControl control;
        control.cancelled = [&] { return stop.load(); };
        auto writing = QtConcurrent::run([&] {
            return outcomeOf([&] { subject.outputs.front().write(folder_.filePath("none.pdf"), {}, control); });
        });
        QTest::qWait(100);
        stop = true;
        writing.waitForFinished(); // serves no events
        QCOMPARE(writing.result(), QStringLiteral("cancelled"));
        QCoreApplication::processEvents();
    }

    /// The program ends its event loops when its last window closes.
    void closingEndsAHandout() {
        ExportDialog dialog(handoutExport(longLesson(), QStringLiteral("long")));
        const QString path = folder_.filePath(QStringLiteral("closed.pdf"));
        bool written = true;
        double closed = 0.0;
        QTimer::singleShot(0, &dialog, [&] { written = dialog.exportTo(path); });
        QTimer::singleShot(600, &dialog, [&] {
            closed = processorTime();
            QCoreApplication::exit();
        });
        QCoreApplication::exec();
        const double took = processorTime() - closed;
        QVERIFY(!written && !QFile::exists(path));
        QVERIFY2(closed > 0.0 && took < 1.0, qPrintable(QString::number(took)));
    }

    void anExceptionEndsAHandout() {
        lessons::Lesson content;
        content.titles.emplace("en", lessons::LessonTitle{"title", "summary"});
        lessons::Step step;
        step.id = "s";
        lessons::StepText text;
        text.title = "title";
        lessons::TextPiece piece;
        piece.number.emplace("E"); // of a scene without settings, which no reader makes
        text.body.pieces.push_back(piece);
        step.texts.emplace("en", text);
        content.steps.push_back(step);
        const auto broken = std::make_shared<const ui::Lesson>(std::move(content), QStringLiteral("broken"));
        const auto subject = handoutExport(broken, QStringLiteral("broken"));
        auto writing = QtConcurrent::run(
            [&] { return outcomeOf([&] { subject.outputs.front().write(folder_.filePath("none.pdf"), {}, {}); }); });
        QTRY_VERIFY_WITH_TIMEOUT(writing.isFinished(), 10000);
        QVERIFY2(writing.result().startsWith(QLatin1String("failed: ")), qPrintable(writing.result()));
        QVERIFY_THROWS_EXCEPTION(std::exception, makeHandout(broken, HandoutKind::Solutions));
    }

    /// Numbers of the step before are not those of this one, also while a card of that one had another setting.
    void aTextWaitsForItsOwnNumbers() {
        replaceIn(lesson_folder_ + QStringLiteral("/scene.json"), R"("id": "mask",
      "inputs": "same")",
                  R"("id": "mask",
      "inputs": {"draw": {"L": 6, "S": 6, "E": 16, "Ev": 4, "seed": 7}})");
        replaceIn(lesson_folder_ + QStringLiteral("/en.md"), "Nothing after a token is read.",
                  "The width of this step is {{E | 0}}.");
        begin();
        openLesson();
        auto setting = model().scene().settings[0];
        setting.spec.scale.id = "dk";
        model().setSetting(0, setting);
        settleScene();
        QTRY_VERIFY(lesson().stepText().startsWith(QLatin1String("The width is 64, the variance ")));
        lesson().showStep(2);
        QCOMPARE(lesson().stepText(), QStringLiteral("The width of this step is …."));
        QCOMPARE(panel().bodyText(), QStringLiteral("The width of this step is …."));
        settleScene();
        QCOMPARE(panel().bodyText(), QStringLiteral("The width of this step is 16."));
    }
};

ATTNLAB_TEST(TestLessonTexts)
#include "test_lesson_texts.moc"
