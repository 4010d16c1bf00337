// A printed lesson: pages, text in both languages, atomic writing.
#include "core/message.h"
#include "tests/test_main.h"
#include "ui/document/local_files.h"
#include "ui/learn/handout.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <QFile>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

class Squares : public Drawing {
public:
    explicit Squares(QString words = QStringLiteral("board")) : words_(std::move(words)) {}
    QSizeF smallest(const QFont&, double) const override { return {700, 200}; }
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override {
        painter.setPen(style.look.text);
        painter.drawRect(area);
        painter.drawText(area, Qt::AlignCenter, words_);
    }
    QString textAt(const QPointF&, const QRectF&, const QFont&) const override { return {}; }

private:
    QString words_;
};

const QString english =
    QStringLiteral("A score is a sum of **64** products. Its variance is `66.44`, and *theory* says 64.\n\n"
                   "- each product has mean 0\n- and variance 1\n\nSo the sum has variance d: the wider the head, "
                   "the larger the scores.");
const QString chinese =
    QStringLiteral("分数是 **64** 个乘积之和。它的方差是 66.44，理论值为 64。\n\n每个乘积的均值为 0，"
                   "方差为 1，所以和的方差是 d：头越宽，分数越大。");

Handout handoutOf(const QString& text, int steps, HandoutKind kind = HandoutKind::Solutions) {
    Handout handout;
    handout.kind = kind;
    handout.title = QStringLiteral("Why divide by √d? 为什么要除以 √d？");
    handout.summary = QStringLiteral("What happens to the scores as heads get wider.");
    for (int i = 0; i < steps; ++i) {
        HandoutStep step;
        step.number = i + 1;
        step.title = QStringLiteral("A score is a sum of products");
        step.text = text;
        step.formula = QStringLiteral("attention_sqrt_dk");
        step.picture = std::make_shared<Squares>();
        step.question.text = QStringLiteral("Which column keeps its picture?");
        step.question.options = {{"none", "none", false, "entropy 0.22"}, {"sqrt_dk", "1/√d", true, "entropy 1.89"}};
        step.question.hint = QStringLiteral("Think of the sum.");
        step.question.answer = QStringLiteral("The variance of **1/√d** stays 1.");
        handout.steps.push_back(step);
    }
    return handout;
}

void paintNothing(QPainter&, const QRectF&) {}

std::shared_ptr<QTextDocument> laidOut(const QString& markdown) {
    return textDocument(markdown, QGuiApplication::font(), Qt::black);
}

double lineHeight() {
    const auto one = laidOut(QStringLiteral("line"));
    one->setUseDesignMetrics(true);
    return one->size().height();
}

/// Empty if the program is not installed.
QString textOfPdf(const QString& path) {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (program.isEmpty())
        return {};
    QProcess process;
    process.start(program, {path, QStringLiteral("-")});
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace

class TestLearnHandout : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void holdsEveryStepAndItsAnswer_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("English") << "en" << english << "theorysays64";
        QTest::newRow("Chinese") << "zh_CN" << chinese << "理论值为64";
    }

    void holdsEveryStepAndItsAnswer() {
        QFETCH(QString, language);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        applyLanguage(language);
        const QTemporaryDir folder;
        for (const auto paper : {QPageSize::A4, QPageSize::Letter}) {
            const QByteArray pdf = handoutData(handoutOf(text, 4), paper);
            QVERIFY(pdf.startsWith("%PDF-"));
            const QString path = folder.filePath("handout.pdf");
            writeBytes(path, pdf);
            QCOMPARE(QFile(path).size(), pdf.size());
            const QString words = textOfPdf(path).remove(QLatin1Char(' '));
            if (words.isEmpty())
                QSKIP("pdftotext is not there to read the pages");
            QCOMPARE(words.count(expected), 4);
            QCOMPARE(words.count("entropy1.89"), 4);
            QVERIFY(!words.contains("Thinkofthesum"));
            const auto pages = words.count(QLatin1Char('\f'));
            QVERIFY(pages >= 3);
            QVERIFY2(words.contains(QStringLiteral("%1/%1").arg(pages)), qPrintable(words.right(400)));
        }
    }

    /// A picture that answers the question is left out, and so is all that follows an answer.
    void questionsHaveNoAnswers_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("Chinese") << "zh_CN";
    }

    void questionsHaveNoAnswers() {
        QFETCH(QString, language);
        applyLanguage(language);
        const QString name = QCoreApplication::translate("Handout", "Name");
        const QTemporaryDir folder;
        const auto words_of = [&](HandoutKind kind) {
            Handout handout = handoutOf(english, 3, kind);
            handout.steps[0].picture = std::make_shared<Squares>(QStringLiteral("premise"));
            handout.steps[0].revealed = std::make_shared<Squares>(QStringLiteral("uncovered"));
            const QString path = folder.filePath("handout.pdf");
            writeBytes(path, handoutData(handout, QPageSize::A4));
            return textOfPdf(path).remove(QLatin1Char(' '));
        };
        const QString questions = words_of(HandoutKind::Questions);
        if (questions.isEmpty())
            QSKIP("pdftotext is not there to read the pages");
        QCOMPARE(questions.count("Whichcolumnkeepsitspicture?"), 3);
        QVERIFY2(questions.contains(name), qPrintable(questions));
        QCOMPARE(questions.count("board"), 2);
        QCOMPARE(questions.count("premise"), 1);
        for (const char* answer : {"uncovered", "entropy1.89", "stays1", "✓", "Thinkofthesum"})
            QVERIFY2(!questions.contains(QString::fromUtf8(answer)), answer);
        const QString solutions = words_of(HandoutKind::Solutions);
        QVERIFY(!solutions.contains(name));
        QCOMPARE(solutions.count("board"), 2);
        for (const char* once : {"premise", "uncovered"})
            QCOMPARE(solutions.count(once), 1);
        for (const char* each : {"entropy1.89", "stays1", "✓"})
            QCOMPARE(solutions.count(QString::fromUtf8(each)), 3);
        // The explanation is below the picture that it is about.
        QVERIFY(solutions.indexOf("uncovered") < solutions.indexOf("stays1"));
        QVERIFY(solutions.indexOf("premise") < solutions.indexOf("Whichcolumn"));
    }

    void moreStepsTakeMorePages() {
        QVERIFY(handoutData(handoutOf(english, 8), QPageSize::A4).count("/Type /Page\n") >
                handoutData(handoutOf(english, 2), QPageSize::A4).count("/Type /Page\n"));
    }

    void cancellingLeavesNothing() {
        QList<double> told;
        RunControl control;
        control.progress = [&](double done) { told << done; };
        control.cancelled = [&] { return !told.isEmpty() && told.last() >= 0.4; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, handoutData(handoutOf(english, 6), QPageSize::A4, control));
        QVERIFY(told.size() > 1 && told.last() >= 0.4 && told.last() < 1.0);
    }

    void whatCannotBeWrittenIsSaid() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("no/such/folder.pdf");
        try {
            writeBytes(path, "%PDF-");
            QFAIL("expected an error");
        } catch (const Error& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains(path));
        }
        QVERIFY(!QFile::exists(path));
    }

    void longTextGoesOnOverPagesWithoutLosingLines() {
        QStringList paragraphs;
        for (int i = 0; i < 120; ++i)
            paragraphs << QStringLiteral("Paragraph %1 of a text that is much longer than a page.").arg(i);
        const auto text = laidOut(paragraphs.join(QStringLiteral("\n\n")));
        Pager pager(QSizeF(400, 300));
        pager.add(250, paintNothing);
        pager.addText(text);
        const auto pages = pager.pages();
        const double height = text->size().height();
        QVERIFY(pages.size() >= static_cast<std::size_t>(height / 300.0));
        QVERIFY(pages.size() <= static_cast<std::size_t>(height / 300.0) + 3);
        double from = 0.0;
        for (const auto& page : pages) {
            QVERIFY(page.bottom <= 300.0);
            const auto& piece = page.pieces.back();
            QVERIFY(!piece.text || piece.text_top >= from);
            from = piece.text ? piece.text_top + piece.height : from;
        }
        QVERIFY(from >= height - 0.5 * lineHeight());
    }

    void paragraphsAreNotTornApart_data() {
        QTest::addColumn<int>("lines");
        QTest::addColumn<int>("room");        // lines left on the first page
        QTest::addColumn<int>("first_lines"); // on the first page
        QTest::newRow("all fits") << 3 << 3 << 3;
        QTest::newRow("a short one goes on the next page") << 4 << 3 << 0;
        QTest::newRow("two lines go with the last") << 6 << 5 << 4;
        QTest::newRow("no line stays alone") << 6 << 1 << 0;
        QTest::newRow("a long one is cut") << 9 << 4 << 4;
    }

    void paragraphsAreNotTornApart() {
        QFETCH(int, lines);
        QFETCH(int, room);
        QFETCH(int, first_lines);
        const double line = lineHeight();
        // Each word takes more than half of a line.
        const QFontMetricsF metrics(QGuiApplication::font());
        const QString word(static_cast<int>(300.0 / metrics.horizontalAdvance(QLatin1Char('m'))), QLatin1Char('m'));
        const auto text = laidOut(QStringList(lines, word).join(QLatin1Char(' ')));
        Pager pager(QSizeF(400, 20 * line));
        pager.add((20 - room - 0.5) * line, paintNothing);
        pager.addText(text);
        const auto pages = pager.pages();
        QCOMPARE(pages.size(), first_lines == lines ? std::size_t{1} : std::size_t{2});
        const double on_first = pages[0].pieces.size() > 1 ? pages[0].pieces[1].height / line : 0.0;
        QCOMPARE(qRound(on_first), first_lines);
    }

    void whatAnnouncesAListStandsAboveIt() {
        const double line = lineHeight();
        Pager pager(QSizeF(400, 10 * line));
        pager.add(8.5 * line, paintNothing);
        pager.addText(laidOut(QStringLiteral("Two things:\n\n- one\n- two")));
        QCOMPARE(pager.pages()[0].pieces.size(), std::size_t{1});
        Pager other(QSizeF(400, 10 * line));
        other.add(8.5 * line, paintNothing);
        other.addText(laidOut(QStringLiteral("Two things.\n\n- one\n- two")));
        QCOMPARE(other.pages()[0].pieces.size(), std::size_t{2});
    }

    void headingsStayWithWhatFollows() {
        Pager pager(QSizeF(400, 300));
        pager.add(200, paintNothing);
        pager.addGap(5);
        pager.add(40, paintNothing, true);
        pager.addGap(5);
        pager.add(60, paintNothing);
        const auto pages = pager.pages();
        QCOMPARE(pages.size(), std::size_t{2});
        QCOMPARE(pages[0].bottom, 200.0);
        QCOMPARE(pages[1].bottom, 105.0); // the gap above is omitted
        QCOMPARE(pages[1].pieces[1].top, 45.0);
    }

    void picturesShrinkToTheRoomThatIsLeft() {
        Pager pager(QSizeF(400, 300));
        pager.add(120, paintNothing);
        pager.addFlexible(200, 170, paintNothing);
        pager.addFlexible(200, 170, paintNothing);
        const auto pages = pager.pages();
        QCOMPARE(pages.size(), std::size_t{2});
        QCOMPARE(pages[0].pieces[1].height, 180.0);
        QCOMPARE(pages[1].pieces[0].height, 200.0);
    }

    void whatIsMoreThanAPageIsCutAnywhere() {
        Pager pager(QSizeF(400, 300));
        for (int i = 0; i < 8; ++i)
            pager.add(100, paintNothing, true);
        const auto pages = pager.pages();
        QCOMPARE(pages.size(), std::size_t{3});
        for (const auto& page : pages)
            QVERIFY(page.bottom <= 300.0);
    }
};

ATTNLAB_TEST(TestLearnHandout)
#include "test_learn_handout.moc"
