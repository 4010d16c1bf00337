// The ribbon: what a word reads, in arcs and in a sentence.
#include "core/edit/sentence.h"
#include "core/inputs.h"
#include "ribbon_support.h"
#include "tests/test_main.h"
#include "tests/ui/file_dialogs.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/ribbon/sentence_dialog.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace attnlab;
using namespace attnlab::ui;
class TestSentenceRibbon : public QObject {
    Q_OBJECT
    using Side = RibbonTokens::Side;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void theFoxReadsBrown() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        ribbon.view.setPinned(Cell{3, 2});
        QCOMPARE(ribbon.card.claim(), QStringLiteral("“fox” reads mostly “brown”: 69%"));
        QCOMPARE(ribbon.card.details(),
                 QStringLiteral("then “quick” 10%, “fox” 10%, “over” 4% · spread over about 3 words"));
        QVERIFY(ribbon.arcs().accessibleName().contains(ribbon.card.claim()));
        QVERIFY(ribbon.arcs().accessibleName().contains(ribbon.card.details()));
        QVERIFY(ribbon.card.height() >= 80 && ribbon.card.height() <= 110);
        QVERIFY(ribbon.arcs().arcWidth(2) > 4.0);
        QVERIFY(ribbon.arcs().arcWidth(1) < 2.5);
    }

    void clicksPinTheLargestKey() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        for (int query = 0; query < 9; ++query) {
            ribbon.click(query);
            QCOMPARE(ribbon.view.pinned(), (Cell{query, largestKey(ribbon, query)}));
            QCOMPARE(ribbon.arcs().query(), query);
        }
        ribbon.click(8); // who clicks the word to be explained keeps the explanation
        QCOMPARE(ribbon.view.pinned(), (Cell{8, largestKey(ribbon, 8)}));
    }

    void aPinElsewhereIsKept() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        ribbon.view.setPinned(Cell{3, 7});
        QCOMPARE(ribbon.arcs().query(), 3);
        QVERIFY(ribbon.card.claim().startsWith("“fox” reads mostly “brown”"));
        ribbon.view.setHovered(Cell{5, 0}); // the inspector shows the pinned row too
        QCOMPARE(ribbon.arcs().query(), 3);
        ribbon.view.setPinned({});
        QCOMPARE(ribbon.arcs().query(), 5);
        ribbon.view.setHovered({});
        QVERIFY(!ribbon.arcs().query());
        QVERIFY(ribbon.card.claim().isEmpty());
    }

    void keysChooseAsOneStop() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QCOMPARE(ribbon.arcs().focusPolicy(), Qt::StrongFocus);
        for (auto* button : ribbon.arcs().findChildren<QToolButton*>())
            QCOMPARE(button->focusPolicy(), Qt::NoFocus);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Right);
        QCOMPARE(ribbon.arcs().query(), 0);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Right);
        QCOMPARE(ribbon.view.pinned(), (Cell{1, largestKey(ribbon, 1)}));
        QTest::keyClick(&ribbon.arcs(), Qt::Key_End);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Right);
        QCOMPARE(ribbon.arcs().query(), 8);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Home);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Left);
        QCOMPARE(ribbon.arcs().query(), 0);
        QVERIFY(ribbon.view.pinned());
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Space);
        QCOMPARE(ribbon.view.pinned()->row, 0);
    }

    void theMouseShowsARow() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        ribbon.view.setPinned(Cell{3, 2});
        QTest::mouseMove(&ribbon.arcs(), ribbon.chip(Side::Queries, 7));
        QCOMPARE(ribbon.arcs().query(), 7);
        QCOMPARE(ribbon.view.hovered(), (Cell{7, largestKey(ribbon, 7)}));
        QCOMPARE(ribbon.view.pinned(), (Cell{3, 2}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&ribbon.arcs(), &leave);
        QCOMPARE(ribbon.arcs().query(), 3);
        QVERIFY(!ribbon.view.hovered());
    }

    void headsAndTheirMean() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        ribbon.view.setPinned(Cell{0, 0});
        ribbon.view.setHead(1);
        QCOMPARE(ribbon.card.claim(), QStringLiteral("“The” reads “fox” and “dog” the most: 39% each"));
        ribbon.view.setHead(ViewState::mean_of_heads);
        const auto& weights = ribbon.result->trace.find("weights")->value;
        double largest = 0.0;
        for (int key = 0; key < 9; ++key) {
            double mean = 0.0;
            for (int head = 0; head < 4; ++head)
                mean += matrix_at(weights, head)(0, key) / 4.0;
            largest = std::max(largest, mean);
        }
        QVERIFY2(ribbon.card.claim().contains(QStringLiteral(": %1%").arg(qRound(largest * 100.0))),
                 qPrintable(ribbon.card.claim()));
    }

    void batches() {
        Ribbon ribbon(sampleOf("padding"));
        ribbon.view.setPinned(Cell{0, 0});
        QCOMPARE(ribbon.card.claim(), QStringLiteral("Query 0 reads mostly key 4: 79%"));
        ribbon.view.setBatch(1);
        QCOMPARE(ribbon.card.claim(), QStringLiteral("Query 0 reads mostly key 2: 65%"));
        ribbon.view.setPinned(Cell{4, 0});
        QCOMPARE(ribbon.card.claim(), QStringLiteral("Query 4 reads alike the 4 keys that it may read: 25% each"));
        QVERIFY(!ribbon.card.editButton()->isHidden()); // to name them
        QCOMPARE(ribbon.card.hint(), QStringLiteral("Click a query to see what it reads"));
    }

    void aDoubleClickRenamesAToken() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QTest::mouseDClick(&ribbon.arcs(), Qt::LeftButton, {}, ribbon.chip(Side::Queries, 3));
        auto* field = ribbon.arcs().findChild<QLineEdit*>();
        QVERIFY(field && field->isVisible());
        QCOMPARE(field->text(), "fox");
        const auto before = ribbon.document.problem();
        QTest::keyClicks(field, "wolf");
        QTest::keyClick(field, Qt::Key_Return);
        auto expected = before;
        expected.query_tokens[3] = "wolf"; // and no number changes
        QVERIFY(ribbon.document.problem() == expected);
        QCOMPARE(ribbon.document.undoStack()->count(), 1);
        QTRY_VERIFY(!ribbon.arcs().findChild<QLineEdit*>());
        ribbon.compute();
        ribbon.card.rename(Side::Queries, 0);
        field = ribbon.arcs().findChild<QLineEdit*>();
        QTest::keyClicks(field, "A");
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(!ribbon.arcs().findChild<QLineEdit*>());
        QVERIFY(ribbon.document.problem() == expected);
    }

    void theTokensOfALineOfKeysAreRenamed() {
        Ribbon ribbon(sampleOf("cross_attention"));
        auto expected = ribbon.document.problem();
        QTest::mouseDClick(&ribbon.arcs(), Qt::LeftButton, {}, ribbon.chip(Side::Keys, 1));
        auto* field = ribbon.arcs().findChild<QLineEdit*>();
        QCOMPARE(field->text(), QString::fromStdString(expected.key_tokens[1]));
        QTest::keyClicks(field, "tiger");
        QTest::keyClick(field, Qt::Key_Return);
        expected.key_tokens[1] = "tiger";
        QVERIFY(ribbon.document.problem() == expected);
    }

    /// Its tokens are numbers, until they are named.
    void aNewDocumentCanBeNamed() {
        AttentionProblem problem;
        complete_inputs(problem, 1);
        Ribbon ribbon(problem);
        QVERIFY(!ribbon.card.editButton()->isHidden() && ribbon.card.editButton()->isEnabled());
        whenOpen<SentenceDialog>(this, [](SentenceDialog& dialog) {
            QCOMPARE(dialog.queryLine()->text(), QString());
            dialog.queryLine()->setText("one two three four");
            dialog.accept();
        });
        QTest::mouseClick(ribbon.card.editButton(), Qt::LeftButton);
        QCOMPARE(ribbon.document.problem().query_tokens, (std::vector<std::string>{"one", "two", "three", "four"}));
        QVERIFY(ribbon.document.problem().tensors == problem.tensors);
        ribbon.compute();
        ribbon.card.rename(Side::Queries, 2);
        QCOMPARE(ribbon.arcs().findChild<QLineEdit*>()->text(), "three");
    }

    void aFirstOwnSentenceLeadsToTheTrainedModel() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QVERIFY(ribbon.card.modelButton()->isHidden());
        ribbon.document.edit({}, with_sentences(ribbon.document.problem(), {{"my", "own", "words"}, {}}));
        ribbon.compute();
        QTRY_VERIFY(!ribbon.card.modelButton()->isHidden());
        QSignalSpy spy(&ribbon.card, &SentenceRibbon::modelRequested);
        QTest::mouseClick(ribbon.card.modelButton(), Qt::LeftButton);
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy.front().front().toString(), "my own words");
        ribbon.card.choose(1);
        QTest::mouseClick(ribbon.card.modelButton(), Qt::LeftButton);
        QCOMPARE(spy.back().at(1).value<std::optional<qsizetype>>(), std::optional<qsizetype>(6)); // behind “own”
    }

    void crossAttentionHasTwoLines() {
        Ribbon one_line(sampleOf("multi_head_fox"));
        Ribbon ribbon(sampleOf("cross_attention"));
        QVERIFY(!ribbon.arcs().tokens().oneLine());
        QVERIFY(ribbon.card.sizeHint().height() > one_line.card.sizeHint().height());
        QVERIFY(ribbon.card.sizeHint().height() <= 135);
        QVERIFY(ribbon.arcs().chipRect(Side::Queries, 0).bottom() < ribbon.arcs().chipRect(Side::Keys, 0).top());
        ribbon.click(1);
        QCOMPARE(ribbon.card.claim(), QStringLiteral("“chat” reads mostly “cat”: 69%"));
        QTest::mouseClick(&ribbon.arcs(), Qt::LeftButton, {}, ribbon.chip(Side::Keys, 4));
        QCOMPARE(ribbon.view.pinned(), (Cell{1, 4}));
        QCOMPARE(ribbon.arcs().query(), 1);
    }

    void otherStagesAgree() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        ribbon.view.setStage("output"); // columns are features
        ribbon.view.setPinned(Cell{3, 5});
        QCOMPARE(ribbon.arcs().query(), 3);
        ribbon.click(4);
        QCOMPARE(ribbon.view.pinned(), (Cell{4, 5}));
        QCOMPARE(ribbon.view.stage(), QStringLiteral("output"));
        ribbon.view.setStage("key"); // rows are keys
        QVERIFY(!ribbon.arcs().query());
        ribbon.click(2);
        QCOMPARE(ribbon.view.stage(), QStringLiteral("weights"));
        QCOMPARE(ribbon.view.pinned(), (Cell{2, largestKey(ribbon, 2)}));
    }

    void layersHaveTokensOfTheirOwn() {
        Ribbon ribbon(sampleOf("transformer"));
        ribbon.view.setStage("decoder.1.cross.weights");
        QVERIFY(!ribbon.arcs().tokens().oneLine());
        ribbon.view.setPinned(Cell{2, 1});
        QVERIFY(ribbon.card.claim().startsWith("“le”") || ribbon.card.claim().startsWith("“chat”"));
        ribbon.view.setStage("encoder.0.self.weights");
        QVERIFY(ribbon.arcs().tokens().oneLine());
        QCOMPARE(ribbon.arcs().tokens().count(Side::Queries), 8);
        QVERIFY(!ribbon.card.editButton()->isEnabled());
        QVERIFY(ribbon.card.editButton()->toolTip().contains("row for each word"));
    }

    void mechanismsOverOtherKeys() {
        Ribbon ribbon(sampleOf("linformer_pooled"));
        QVERIFY(ribbon.card.hasTokens());
        QVERIFY(ribbon.arcs().tokens().oneLine());
        ribbon.click(5);
        QCOMPARE(ribbon.arcs().query(), 5);
        QVERIFY(ribbon.view.pinned() && ribbon.view.pinned()->row == 5);
        QVERIFY2(ribbon.card.claim().contains("15% each"), qPrintable(ribbon.card.claim()));
    }

    void truthAboutOddRows_data() {
        QTest::addColumn<QList<double>>("weights");
        QTest::addColumn<QString>("expected");
        using Row = QList<double>;
        QTest::newRow("sum") << Row{0.2, 0.4, 0.1} << "Query 0 reads key 1 the most: 0.4";
        QTest::newRow("negative") << Row{0.7, 0.6, -0.3}
                                  << "The weights of query 0 are not shares: 1 of 3 are negative";
        QTest::newRow("zero") << Row{0, 0, 0} << "Query 0 reads nothing: all its weights are 0";
    }

    void truthAboutOddRows() {
        QFETCH(QList<double>, weights);
        QFETCH(QString, expected);
        Ribbon ribbon(withWeights(1, 3, {weights.begin(), weights.end()}));
        ribbon.click(0);
        QCOMPARE(ribbon.card.claim(), expected);
        ribbon.card.grab();
    }

    void fullyMaskedRows() {
        auto problem = milkProblem();
        problem.spec.masks = {{"attn_mask", {}}};
        problem.tensors["attn_mask"] = Tensor({9, 9}, 1.0, DType::Bool);
        Ribbon ribbon(problem);
        ribbon.view.setPinned(Cell{2, 2});
        QCOMPARE(ribbon.card.claim(), QStringLiteral("“drank” reads nothing: every key is blocked"));
        for (int key = 0; key < 9; ++key)
            QCOMPARE(ribbon.arcs().arcWidth(key), 0.0);
        ribbon.click(4);
        QCOMPARE(ribbon.view.pinned(), (Cell{4, 2}));
    }

    void equalAndEmptyLabels() {
        auto problem = problemOf(1, 4, 4, 2);
        problem.query_tokens = {"the", "cat", "the", ""};
        Ribbon ribbon(problem);
        QCOMPARE(ribbon.arcs().tokens().full(Side::Queries, 2), QStringLiteral("“the” (2)"));
        ribbon.view.setPinned(Cell{2, 0});
        QVERIFY2(ribbon.card.claim().startsWith("“the” (2) reads"), qPrintable(ribbon.card.claim()));
        ribbon.view.setPinned(Cell{3, 0});
        QVERIFY2(ribbon.card.claim().startsWith("Query 3 reads"), qPrintable(ribbon.card.claim()));
    }

    void appendedKeysFollowInTheLine() {
        auto problem = sampleOf("multi_head_fox");
        problem.spec.parameters.set("add_zero_attn", true);
        Ribbon ribbon(problem);
        QVERIFY(ribbon.arcs().tokens().oneLine());
        QCOMPARE(ribbon.arcs().tokens().count(Side::Keys), 10);
        QTest::mouseClick(&ribbon.arcs(), Qt::LeftButton, {}, ribbon.chip(Side::Keys, 9));
        QVERIFY(!ribbon.view.pinned()); // no query
        QTest::keyClick(&ribbon.arcs(), Qt::Key_End);
        QCOMPARE(ribbon.arcs().query(), 8);
    }

    void labelsOfAnyKind_data() {
        QTest::addColumn<QString>("label");
        QTest::newRow("Hebrew") << "שלום";
        QTest::newRow("Arabic") << "مرحبا";
        QTest::newRow("Chinese") << "北京";
        QTest::newRow("emoji") << "👩‍🔬";
        QTest::newRow("marks") << "e\u0301\u0323";
        QTest::newRow("long") << QString(300, 'w');
        QTest::newRow("newline") << "\n";
        QTest::newRow("markup") << "<b>bold</b> &amp;";
        QTest::newRow("holes") << "%1 %2";
    }

    void labelsOfAnyKind() {
        QFETCH(QString, label);
        auto problem = withWeights(2, 2, {0.25, 0.75, 0.75, 0.25});
        problem.query_tokens = {"a", label.toStdString()};
        Ribbon ribbon(problem, 700);
        ribbon.click(0);
        QVERIFY2(ribbon.card.claim().endsWith(": 75%"), qPrintable(ribbon.card.claim()));
        for (const auto* text : ribbon.card.findChildren<QLabel*>())
            if (!text->isHidden())
                QVERIFY(ribbon.card.rect().contains(QRect(text->mapTo(&ribbon.card, QPoint()), text->size())));
        const QRectF chip = ribbon.arcs().chipRect(Side::Queries, 1);
        QVERIFY(chip.width() <= 150.0);
        ribbon.card.grab();
        if (label == "%1 %2")
            QCOMPARE(ribbon.card.claim(), QStringLiteral("“a” reads “%1 %2” the most: 75%"));
    }

    void nothingWithoutAResult() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QSignalSpy changes(&ribbon.card, &SentenceRibbon::hasTokensChanged);
        ribbon.view.setPinned(Cell{3, 2});
        ribbon.card.setTrace(nullptr);
        QVERIFY(!ribbon.card.hasTokens());
        QVERIFY(ribbon.card.claim().isEmpty());
        QVERIFY(ribbon.arcs().isHidden());
        QCOMPARE(changes.size(), 1);
        ribbon.card.grab();
        ribbon.compute();
        QCOMPARE(changes.size(), 2);
        QVERIFY(ribbon.card.claim().startsWith("“fox”"));
    }

    void anEditDuringAHover() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QTest::mouseMove(&ribbon.arcs(), ribbon.chip(Side::Queries, 8));
        QCOMPARE(ribbon.arcs().query(), 8);
        ribbon.document.edit("shorter", with_sentences(ribbon.document.problem(), {{"fox", "dog"}, {}}));
        ribbon.compute();
        QVERIFY(!ribbon.arcs().query());
        QCOMPARE(ribbon.arcs().tokens().count(Side::Queries), 2);
    }

    void theStoryOfAnUneditedSample() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QCOMPARE(ribbon.card.hint(), QStringLiteral("Click a word to see what it reads"));
        for (const auto& sample : samples()) {
            std::string view;
            ribbon.document.reset(sample.read(&view), {}, sample.displayTitle());
            QVERIFY(sample.displayHelp().size() > 20); // said of the sample, whatever head is on show
            QCOMPARE(ribbon.card.hint(), sample.displayHelp() + QStringLiteral(". Click a word to see what it reads"));
            QVERIFY(!sample.displayHelp().contains('\n'));
        }
        auto problem = ribbon.document.problem();
        problem.spec.statistics = true;
        ribbon.document.edit("edit", problem);
        QCOMPARE(ribbon.card.hint(), QStringLiteral("Click a word to see what it reads"));
        ribbon.document.undoStack()->undo();
        QVERIFY(ribbon.card.hint().contains("Nobody"));
    }

    /// The stories name these rows.
    void storiesAreTrue_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<int>("head");
        QTest::addColumn<int>("query");
        QTest::addColumn<QString>("claim");
        const auto row = [](const char* id, int query, const char* claim, int head = 0) {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(id).arg(query)))
                << QByteArray(id) << head << query << QString(claim);
        };
        row("whose_hunger", 6, "“it” reads mostly “cat”: 74%");
        row("milk_or_cat_sweet", 2, "“it” reads all 4 keys alike: 25% each");
        row("milk_or_cat_hungry", 2, "“it” reads all 4 keys alike: 25% each");
        row("by_hand", 2, "“c” reads “a” the most: 47%");
        const char* fox[] = {"The", "quick", "brown", "fox", "jumped", "over", "the", "lazy", "dog"};
        const int share[] = {0, 67, 66, 69, 66, 64, 66, 69, 66};
        for (int word = 1; word < 9; ++word)
            row("multi_head_fox", word,
                qPrintable(
                    QStringLiteral("“%1” reads mostly “%2”: %3%").arg(fox[word], fox[word - 1]).arg(share[word])));
        row("cross_attention", 0, "“le” reads mostly “the”: 68%");
        row("cross_attention", 1, "“chat” reads mostly “cat”: 69%");
        row("cross_attention", 2, "“noir” reads mostly “black”: 92%");
        row("patches", 0, "“sun” reads mostly “patch 1,6”: 98%");
        row("flash_tiles", 11, "“maps” reads mostly “read”: 79%");
        row("paged_cache", 2, "“slept” reads mostly “it”: 55%");
        row("longformer_window", 15, "“it” reads mostly “of”: 82%");
        row("hierarchical_context", 4, "“It” reads “cat” the most: 26%");
        row("reformer_buckets", 0, "“cat” reads “fox” the most: 38%");
    }

    void storiesAreTrue() {
        QFETCH(QByteArray, id);
        QFETCH(int, query);
        QFETCH(QString, claim);
        Ribbon ribbon(sampleOf(id.constData()));
        ribbon.view.setPinned(Cell{query, 0});
        QCOMPARE(ribbon.card.claim(), claim);
    }

    /// With ATTNLAB_PICTURES set to a folder, pictures to look at.
    void pictures_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("width");
        for (const auto& sample : samples())
            for (const bool dark : {false, true})
                QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(sample.id).arg(dark)))
                    << QByteArray(sample.id) << dark << (dark ? 1000 : 1260);
    }

    void pictures() {
        QFETCH(QByteArray, id);
        QFETCH(bool, dark);
        QFETCH(int, width);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        Ribbon ribbon(sampleOf(id.constData()), width);
        for (const auto& sample : samples())
            if (id == sample.id)
                ribbon.document.reset(ribbon.document.problem(), {}, sample.displayTitle());
        ribbon.view.setPinned(Cell{3, 0});
        if (!ribbon.arcs().query())
            ribbon.view.setPinned(Cell{1, 0});
        const QImage picture = ribbon.card.grab().toImage();
        QVERIFY(picture.width() >= width);
        if (qEnvironmentVariableIsSet("ATTNLAB_PICTURES"))
            picture.save(qEnvironmentVariable("ATTNLAB_PICTURES") + QStringLiteral("/%1_%2.png").arg(id).arg(dark));
        applyTheme(ThemeChoice::Light);
    }
};

ATTNLAB_TEST(TestSentenceRibbon)
#include "test_sentence_ribbon.moc"
