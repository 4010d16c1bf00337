// Texts that a lesson may have are laid out without delay, however they are made.
#include "core/lessons/lesson_text.h"
#include "core/lessons/text_limits.h"
#include "tests/test_main.h"
#include "ui/widgets/markdown_label.h"
#include "ui/widgets/rich_text.h"

#include <QElapsedTimer>
#include <QGuiApplication>
#include <QTest>
#include <QTextDocument>

#include <algorithm>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// As many of `unit` as fit a step, in paragraphs as long as allowed.
QString filledWith(const QString& unit) {
    const auto marks = std::ranges::count_if(unit, [](QChar c) { return QStringView(u"*_~`[]!<>|&\\@:").contains(c); });
    const auto most = static_cast<qsizetype>(lessons::most_markup) - 1; // the heading has a colon
    constexpr qsizetype heading = 60;
    QString text;
    qsizetype paragraph = 0;
    for (qsizetype count = 1;; ++count) {
        if (paragraph + unit.size() + 2 > static_cast<qsizetype>(lessons::longest_paragraph)) {
            text += QStringLiteral("\n\n");
            paragraph = 0;
        }
        const QString more = text + unit;
        if (more.size() + heading > static_cast<qsizetype>(lessons::longest_step_text) ||
            more.count(QLatin1Char('\n')) + 4 > static_cast<qsizetype>(lessons::most_step_lines) ||
            count * (marks + unit.count(QLatin1String("www."))) > most)
            return text;
        text = more;
        paragraph += unit.size();
    }
}

bool isAccepted(const QString& text) {
    lessons::parse_text("# A lesson\nWords.\n\n## one: First\n" + text.toStdString(), "en.md");
    return true;
}

/// In nanoseconds, the shorter of two runs.
template <class Work>
qint64 shortest(Work work) {
    qint64 least = std::numeric_limits<qint64>::max();
    for (int run = 0; run < 2; ++run) {
        QElapsedTimer timer;
        timer.start();
        work();
        least = std::min(least, timer.nsecsElapsed());
    }
    return least;
}

qint64 onPaper(const QString& text) {
    return shortest([&] {
        const auto document = textDocument(text, QGuiApplication::font(), Qt::black);
        document->setUseDesignMetrics(true);
        document->setTextWidth(490);
        (void)document->size();
    });
}

qint64 inPanel(const QString& text) {
    return shortest([&] {
        MarkdownLabel label(nullptr, TextSpacing::Reading);
        label.setFixedWidth(320);
        label.setSource(text);
        (void)label.heightForWidth(320);
        (void)plainText(text);
    });
}

} // namespace

class TestLessonTextTime : public QObject {
    Q_OBJECT

private slots:
    void isNearThatOfPlainText_data() {
        QTest::addColumn<QString>("unit");
        QTest::newRow("quotes") << QStringLiteral("> > > > > > a\n\n");
        QTest::newRow("list items") << QStringLiteral("- a\n");
        QTest::newRow("nested items") << QStringLiteral("- - - - - - a\n");
        QTest::newRow("mixed nesting") << QStringLiteral("> - > 1. > - a\n\n");
        QTest::newRow("tables") << QStringLiteral("|a|b|\n|-|-|\n|a|b|\n\n");
        QTest::newRow("table rows") << QStringLiteral("a|b\n-|-\n") + QStringLiteral("a\n").repeated(900);
        QTest::newRow("wide table") << QStringLiteral("|a").repeated(50) + QStringLiteral("|\n") +
                                           QStringLiteral("|-").repeated(50) + QStringLiteral("|\n") +
                                           QStringLiteral("|a\n").repeated(350);
        QTest::newRow("entities") << QStringLiteral("&amp;");
        QTest::newRow("emphasis") << QStringLiteral("*_");
        QTest::newRow("words in italics") << QStringLiteral("*a* ");
        QTest::newRow("code") << QStringLiteral("`a` ");
        QTest::newRow("addresses") << QStringLiteral("a@b.c ");
        QTest::newRow("web addresses") << QStringLiteral("http://a.b ");
        QTest::newRow("web addresses without marks") << QStringLiteral("www.a.b ");
        QTest::newRow("combining") << QStringLiteral("a") + QStringLiteral("\u0301").repeated(16);
        QTest::newRow("right to left") << QStringLiteral("\u05d0a1 ");
        QTest::newRow("no width") << QStringLiteral("a\u200b");
        QTest::newRow("headings") << QStringLiteral("#### a\n");
        QTest::newRow("links") << QStringLiteral("[a](b) ");
        QTest::newRow("pictures") << QStringLiteral("![](a) ");
        QTest::newRow("one word") << QStringLiteral("a");
        QTest::newRow("paragraphs") << QStringLiteral("a\n\n");
        QTest::newRow("Chinese") << QStringLiteral("文");
        QTest::newRow("control characters") << QStringLiteral("a\f");
    }

    void isNearThatOfPlainText() {
        QFETCH(QString, unit);
        const QString text = filledWith(unit);
        QVERIFY(isAccepted(text));
        // Characters that no font has take some 25 times as long as plain words.
        constexpr double generous = 60.0;
        const QString plain = filledWith(QStringLiteral("some plain words "));
        const double paper = static_cast<double>(onPaper(text)) / static_cast<double>(onPaper(plain));
        const double panel = static_cast<double>(inPanel(text)) / static_cast<double>(inPanel(plain));
        qInfo("%.1f on paper, %.1f in a panel", paper, panel);
        QVERIFY2(paper < generous && panel < generous, qPrintable(QStringLiteral("%1, %2").arg(paper).arg(panel)));
    }
};

ATTNLAB_TEST(TestLessonTextTime)
#include "test_lesson_text_time.moc"
