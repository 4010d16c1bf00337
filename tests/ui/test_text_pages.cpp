// The text of a step in the pages of a presentation.
#include "tests/test_main.h"
#include "ui/learn/lesson/text_pages.h"

#include <QTest>

#include <cmath>

using namespace attnlab::ui;

using Options = QuestionView::Options;
using Reasons = QuestionView::Reasons;

namespace {

constexpr int all_options = 100, answered = 60, right = 50, reason = 20;

/// Lines of 20 letters, 10 pixels high.
TextMeasures measures(int room) {
    TextMeasures of;
    of.room = room;
    of.gap = 5;
    of.paragraph = [](const QString& text) {
        return 10 * std::max(1, static_cast<int>(std::ceil(static_cast<double>(text.trimmed().size()) / 20.0)));
    };
    of.options = [](Options options, Reasons reasons) {
        const int height = options == Options::All ? all_options : options == Options::Answered ? answered : right;
        return height + (reasons == Reasons::None ? 0 : reason);
    };
    return of;
}

int heightOf(const TextPage& page, const TextMeasures& of) {
    int height = 0;
    const auto add = [&](int more) { height += more + (height > 0 ? of.gap : 0); };
    if (page.formula)
        add(of.formula);
    for (const auto& paragraph : page.paragraphs)
        add(of.paragraph(paragraph));
    if (page.options != Options::None)
        add(of.options(page.options, page.reasons));
    for (const auto& paragraph : page.answer)
        add(of.paragraph(paragraph));
    return height;
}

} // namespace

class TestTextPages : public QObject {
    Q_OBJECT
private slots:
    void anOpenQuestionHasAllOptions() {
        const auto pages = textPages(QStringLiteral("One.\n\nTwo."), {}, measures(200));
        QCOMPARE(pages.size(), std::size_t{1});
        QCOMPARE(pages[0].paragraphs.size(), 2);
        QVERIFY(pages[0].options == Options::All && pages[0].reasons == Reasons::None && !pages[0].isAnswer());
    }

    void aShortAnswerIsBelowAllOptions() {
        const auto pages = textPages(QStringLiteral("One."), QStringLiteral("It is so."), measures(200));
        QCOMPARE(pages.size(), std::size_t{1});
        QVERIFY(pages[0].options == Options::All && pages[0].reasons == Reasons::Chosen && pages[0].isAnswer());
    }

    void anAnswerOnItsOwnPageKeepsTheQuestionAndTheRightOption() {
        const QString body = QStringLiteral("Many words of a text. ").repeated(3);
        const auto pages = textPages(body, QStringLiteral("It is so for a good reason. "), measures(130));
        QCOMPARE(pages.size(), std::size_t{3});
        QVERIFY(pages[1].options == Options::All && !pages[1].isAnswer());
        QVERIFY(pages[2].options == Options::Answered && pages[2].reasons == Reasons::Chosen);
        QCOMPARE(pages[2].answer.size(), 1);
    }

    /// Whatever the room, no word is lost, and each page of the answer names the right option.
    void aLongAnswerContinues_data() {
        QTest::addColumn<QString>("answer");
        QString english, chinese;
        for (int k = 1; k <= 14; ++k) {
            english += QStringLiteral("Sentence %1 has **two. Words** in bold, and (a part. In) brackets. ").arg(k);
            chinese += QStringLiteral("第 %1 句话说的是**注意力。权重**的事。").arg(k);
        }
        QTest::newRow("English") << english.trimmed();
        QTest::newRow("Chinese") << chinese;
        QTest::newRow("paragraphs") << QStringLiteral("A first one. It has two sentences.\n\n") + english.trimmed();
        QTest::newRow("list") << QStringLiteral("There are two.\n\n- one, which is here\n- two, which is there");
    }

    void aLongAnswerContinues() {
        QFETCH(QString, answer);
        for (int room = 110; room < 500; room += 7) {
            const auto of = measures(room);
            const auto pages = textPages(QStringLiteral("Read this."), answer, of);
            QString all;
            for (const auto& page : pages) {
                QVERIFY2(heightOf(page, of) <= room, qPrintable(QString::number(room)));
                if (page.isAnswer())
                    QVERIFY(page.options == Options::All || page.options == Options::Answered ||
                            page.options == Options::Right);
                for (const auto& paragraph : page.answer) {
                    QCOMPARE(paragraph.count(QLatin1Char('*')) % 2, 0);
                    QCOMPARE(paragraph.count(QLatin1Char('(')), paragraph.count(QLatin1Char(')')));
                    all += paragraph;
                }
            }
            QCOMPARE(all.simplified().remove(QLatin1Char(' ')), answer.simplified().remove(QLatin1Char(' ')));
        }
    }

    void sentencesEndWhereTheyDo_data() {
        QTest::addColumn<QString>("paragraph");
        QTest::addColumn<int>("count");
        QTest::newRow("two") << "One. Two." << 2;
        QTest::newRow("quote") << "It says “yes.” Then it ends." << 2;
        QTest::newRow("number") << "It is 1.5 of 2. That is all." << 2;
        QTest::newRow("small letter") << "As in e.g. this one." << 1;
        QTest::newRow("list item") << "There are three. 2. is the second." << 1;
        QTest::newRow("code") << "Call `f. Then`. It works." << 2;
        QTest::newRow("list") << "- one. Two.\n- three. Four." << 1;
        QTest::newRow("quoted") << "> One. Two." << 1;
        QTest::newRow("Chinese") << "一句。（两句。）三句！" << 3;
        QTest::newRow("empty") << "" << 1;
    }

    void sentencesEndWhereTheyDo() {
        QFETCH(QString, paragraph);
        QFETCH(int, count);
        const auto sentences = sentencesOf(paragraph);
        QCOMPARE(sentences.size(), count);
        QCOMPARE(sentences.join(QString()), paragraph);
    }
};

ATTNLAB_TEST(TestTextPages)
#include "test_text_pages.moc"
