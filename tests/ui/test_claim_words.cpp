// What a lesson measured, in words: tokens where a position is meant, no margin of a comparison.
#include "tests/test_main.h"
#include "ui/learn/lesson/measured_claims.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestClaimWords : public QObject {
    Q_OBJECT
private slots:
    void words_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QList<double>>("cells");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* what, const QList<double>& cells, const char* words) {
            QTest::newRow(name) << QString::fromUtf8(what) << cells << QString::fromUtf8(words);
        };
        row("token", "argmax(a.weights[0,:])", {1}, "Weights, row “q”: largest at “two”");
        row("token behind the first", "argmin(a.scores[0,1:3])", {1},
            "Scores, row “q”, column “two” to “three”: smallest at “three”");
        row("token of sums", "argmax(sum(a.weights[:,:], 0))", {0}, "Sum of each column of weights: largest at “one”");
        row("feature", "argmax(a.tensor.query[0,:])", {1}, "Query, row “q”: largest at 1");
        row("query", "argmax(a.weights[:,1])", {0}, "Weights, column “two”: largest at 0");
        row("margin", "max(a.weights) + 1e-6", {0.6650001}, "Largest of weights: 0.665");
        row("no margin", "max(a.weights) + 1", {1.665}, "Largest of weights + 1: 1.67");
        row("integer", "size(a.weights) * 100000", {300000}, "Number of cells of weights · 100000: 300000");
        row("few cells", "a.weights[0,:]", {0.25, 0.5, 0.25}, "Weights, row “q”: [0.250, 0.500, 0.250]");
        row("many cells", "a.weights", {1, 2, 3, 4, 5, 6, 7, 8, 9}, "Weights: 1 to 9 (9 cells)");
    }

    void words() {
        QFETCH(QString, what);
        QFETCH(QList<double>, cells);
        QFETCH(QString, words);
        lab::Scene scene;
        scene.settings.resize(1);
        scene.settings.front().id = "a";
        scene.query_tokens = {"q"};
        scene.key_tokens = {"one", "two", "three"};
        lessons::Value value;
        if (cells.size() > 1)
            value.shape = {cells.size()};
        value.cells.assign(cells.begin(), cells.end());
        QCOMPARE(measuredValuesText({{what.toStdString(), value}}, scene), words);
    }

    /// Two sides of a comparison can differ by a margin alone.
    void saysEqualWordsOnce() {
        lab::Scene scene;
        scene.settings.resize(1);
        scene.settings.front().id = "a";
        const auto value = lessons::Value::number(0.5);
        QCOMPARE(measuredValuesText({{"max(a.weights)", value}, {"max(a.weights) - 1e-9", value}}, scene),
                 QStringLiteral("Largest of weights: 0.500"));
    }
};

ATTNLAB_TEST(TestClaimWords)
#include "test_claim_words.moc"
