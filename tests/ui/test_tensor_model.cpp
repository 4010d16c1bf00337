#include "core/random.h"
#include "tests/test_main.h"
#include "ui/panels/inputs/tensor_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <limits>
#include <memory>
#include <numeric>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem sample() {
    AttentionProblem problem;
    problem.spec.variant = "scaled_dot_product";
    problem.spec.masks = {{"attn_mask", {}}};
    problem.tensors["query"] = Tensor({2, 3}, {1, 2, 3, 4, 5, 1.0 / 3.0});
    problem.tensors["key"] = Tensor({2, 3}, 1.0);
    problem.tensors["value"] = Tensor({2, 2}, 1.0);
    problem.tensors["attn_mask"] = Tensor({2, 2}, 0.0, DType::Bool);
    problem.tensors["lengths"] = Tensor({2}, {4, 5}, DType::Int64);
    problem.tensors["bias"] = Tensor(Shape{}, 7.0);
    problem.tensors["deep"] = random_normal({2, 3, 4, 5}, 1);
    problem.query_tokens = {"cat", "milk"};
    return problem;
}

/// 0, 1, 2, ... of any size, in no memory.
class Counting : public NumberSource {
public:
    explicit Counting(std::int64_t size) : size_(size) {}
    std::int64_t size() const override { return size_; }
    void read(std::int64_t first, std::span<double> values) const override {
        std::iota(values.begin(), values.end(), static_cast<double>(first));
    }
    void read(std::int64_t first, std::span<float> values) const override {
        std::iota(values.begin(), values.end(), static_cast<float>(first));
    }

private:
    std::int64_t size_;
};

} // namespace

class TestTensorModel : public QObject {
    Q_OBJECT

    static double number(const Document& document, const char* name, std::size_t at) {
        return document.problem().tensors.at(name).values()[at];
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void everyRankIsATable_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<int>("leading");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("rank 0") << "bias" << 0 << 1 << 1;
        QTest::newRow("rank 1") << "lengths" << 0 << 1 << 2;
        QTest::newRow("rank 2") << "query" << 0 << 2 << 3;
        QTest::newRow("rank 4") << "deep" << 5 << 4 << 5;
        QTest::newRow("absent") << "nothing" << 0 << 0 << 0;
    }
    void everyRankIsATable() {
        QFETCH(QString, tensor);
        QFETCH(int, leading);
        Document document;
        document.reset(sample());
        TensorModel model(document);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(tensor, leading);
        QTEST(model.rowCount(), "rows");
        QTEST(model.columnCount(), "columns");
    }

    void oneRowForAllQueriesHasTheLabelOfNone() {
        auto problem = sample();
        problem.tensors["attn_mask"] = Tensor({1, 2}, 0.0, DType::Bool);
        Document document;
        document.reset(problem);
        TensorModel model(document);
        model.show("attn_mask", 0);
        QVERIFY(!model.rowTokens());
        QCOMPARE(model.headerData(0, Qt::Vertical).toString(), QString("0"));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QString("milk"));
    }

    void aSliceReadsAndWritesItsMatrix() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("deep", 4);
        QCOMPARE(model.number(model.index(1, 2)), document.problem().tensors.at("deep").at({1, 1, 1, 2}));
        QVERIFY(model.setData(model.index(3, 4), "8"));
        QCOMPARE(document.problem().tensors.at("deep").at({1, 1, 3, 4}), 8.0);
    }

    /// A table has at most 2^31 - 1 rows; the numbers of other matrices are found all the same.
    void moreRowsThanATableCanHave() {
        constexpr std::int64_t rows = (std::int64_t{1} << 31) + 5, columns = 3;
        Document document;
        AttentionProblem problem;
        problem.tensors["query"] =
            Tensor::from({2, rows, columns}, std::make_shared<Counting>(2 * rows * columns), DType::Float32);
        document.reset(problem);
        TensorModel model(document);
        model.show("query", 1);
        QCOMPARE(model.rowCount(), std::numeric_limits<int>::max());
        for (const int row : {0, 7, std::numeric_limits<int>::max() - 1})
            QCOMPARE(model.number(model.index(row, 2)), static_cast<double>((rows + row) * columns + 2));
        QVERIFY(model.setData(model.index(7, 2), "-5"));
        QCOMPARE(document.problem().tensors.at("query").at({1, 7, 2}), -5.0);
        QCOMPARE(model.number(model.index(7, 2)), -5.0);
        QVERIFY(!document.problem().tensors.at("query").in_memory());
    }

    void showsShortTextAndEditsExactly() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        QCOMPARE(model.index(0, 1).data().toString(), QString("2"));
        QCOMPARE(model.index(1, 2).data().toString(), QString("0.333"));
        QCOMPARE(model.index(1, 2).data(Qt::EditRole).toString().toDouble(), 1.0 / 3.0);
    }

    /// A float32 needs nine digits to be told from others; its double would show what is not in the file.
    void exactNumbersHaveTheDigitsOfTheirType() {
        Document document;
        auto problem = sample();
        problem.tensors["query"] = Tensor({1, 1}, double{0.1f}, DType::Float32);
        problem.tensors["key"] = Tensor({1, 1}, 0.1 + 0.2);
        document.reset(problem);
        TensorModel model(document);
        model.show("query");
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), QString("0.1"));
        QVERIFY(model.index(0, 0).data(Qt::AccessibleTextRole).toString().endsWith(": 0.1"));
        model.show("key");
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), QString("0.30000000000000004"));
    }

    void anEditIsOneUndoStep() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        QVERIFY(model.setData(model.index(1, 0), "-1e-3"));
        QCOMPARE(number(document, "query", 3), -1e-3);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QString("Set Q[1, 0] to −0.001"));
        QVERIFY(model.setCells({{0, 0, 2, 2}}, 7.0));
        QCOMPARE(document.undoStack()->undoText(), QString("Set 4 cells of Q to 7"));
        document.undoStack()->undo();
        QVERIFY(model.setCells({{0, 0, 2, 2}}, 0.0, "Clear"));
        QCOMPARE(document.undoStack()->undoText(), QString("Clear"));
        QCOMPARE(document.undoStack()->count(), 2);
        document.undoStack()->undo();
        QCOMPARE(model.number(model.index(1, 0)), -1e-3);
    }

    void leavingACellAsItIsChangesNothing() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        const auto cell = model.index(1, 2);
        QVERIFY(model.setData(cell, cell.data(Qt::EditRole)));
        QCOMPARE(document.undoStack()->count(), 0);
    }

    void refusesWhatATensorCannotHold_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("word") << "query"
                              << "cat" << false;
        QTest::newRow("empty") << "query"
                               << " " << false;
        QTest::newRow("infinity") << "query"
                                  << "-inf" << true;
        QTest::newRow("fraction for integers") << "lengths"
                                               << "1.5" << false;
        QTest::newRow("integer") << "lengths"
                                 << "3" << true;
        QTest::newRow("two for truth") << "attn_mask"
                                       << "2" << false;
        QTest::newRow("true") << "attn_mask"
                              << "true" << true;
        QTest::newRow("true for numbers") << "query"
                                          << "true" << false;
    }
    void refusesWhatATensorCannotHold() {
        QFETCH(QString, tensor);
        QFETCH(QString, text);
        QFETCH(bool, accepted);
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show(tensor);
        QSignalSpy refused(&model, &TensorModel::inputRefused);
        const double before = model.number(model.index(0, 0));
        QCOMPARE(model.setData(model.index(0, 0), text), accepted);
        QCOMPARE(refused.count(), accepted ? 0 : 1);
        QCOMPARE(model.number(model.index(0, 0)) == before, !accepted);
    }

    void truthIsChecked() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("attn_mask");
        const auto cell = model.index(0, 1);
        QVERIFY(cell.flags() & Qt::ItemIsUserCheckable);
        QCOMPARE(cell.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(model.setData(cell, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(number(document, "attn_mask", 1), 1.0);
        QCOMPARE(document.problem().tensors.at("attn_mask").dtype(), DType::Bool);
    }

    void labelsAreTokensWhereRowsAreTokens() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("milk"));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QString("1"));
        QVERIFY(!model.setHeaderData(1, Qt::Horizontal, "x"));
        model.show("attn_mask");
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("milk"));
        QCOMPARE(model.headerData(0, Qt::Horizontal).toString(), QString("cat"));
        model.show("deep");
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("1"));
    }

    void namingATokenIsAnEdit() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        QSignalSpy headers(&model, &QAbstractItemModel::headerDataChanged);
        QVERIFY(model.setHeaderData(1, Qt::Vertical, " cream "));
        QCOMPARE(document.problem().query_tokens, (std::vector<std::string>{"cat", "cream"}));
        QCOMPARE(headers.count(), 1);
        document.undoStack()->undo();
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("milk"));
        QVERIFY(model.setHeaderData(1, Qt::Vertical, ""));
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("1"));
    }

    void keysShareTheLabelsOfTheQueriesUntilTheyHaveTheirOwn() {
        auto problem = sample();
        Document document;
        document.reset(problem);
        TensorModel model(document);
        model.show("key");
        QCOMPARE(model.headerData(0, Qt::Vertical).toString(), QString("cat"));
        QVERIFY(model.setHeaderData(0, Qt::Vertical, "dog"));
        QCOMPARE(document.problem().query_tokens.front(), std::string("dog"));
        problem.key_tokens = {"k"};
        document.reset(problem);
        QVERIFY(model.setHeaderData(1, Qt::Vertical, "l"));
        QCOMPARE(document.problem().key_tokens, (std::vector<std::string>{"k", "l"}));
        QCOMPARE(document.problem().query_tokens.front(), std::string("cat"));
    }

    void followsTheDocumentWithoutResetsWhileTheShapeStays() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("query");
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        document.setTensor("key", Tensor({2, 3}, 5.0), "Elsewhere");
        QCOMPARE(changes.count(), 0);
        document.setTensor("query", Tensor({2, 3}, 5.0), "Here");
        QCOMPARE(changes.count(), 1);
        QCOMPARE(resets.count(), 0);
        document.setTensor("query", Tensor({3, 3}, 5.0), "Shape");
        QCOMPARE(resets.count(), 1);
        QCOMPARE(model.rowCount(), 3);
    }

    void aTensorThatGoesLeavesAnEmptyTable() {
        Document document;
        document.reset(sample());
        TensorModel model(document);
        model.show("deep", 5);
        auto next = document.problem();
        next.tensors.erase("deep");
        document.edit("Remove", next);
        QCOMPARE(model.rowCount(), 0);
        document.setTensor("deep", Tensor({1, 2, 2}, 1.0), "Smaller");
        QCOMPARE(model.place().leading, std::int64_t{0});
        QCOMPARE(model.rowCount(), 2);
    }
};

ATTNLAB_TEST(TestTensorModel)
#include "test_tensor_model.moc"
