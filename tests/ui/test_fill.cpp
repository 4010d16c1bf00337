// Fills, resizing and the numbers that cells take.
#include "core/edit/cells.h"
#include "core/edit/resize.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/inputs/tensor_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

using Numbers = std::vector<double>;

Numbers numbersOf(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

AttentionProblem threeInputs(const Shape& query, const Shape& key, const Shape& value) {
    AttentionProblem problem;
    problem.spec.variant = "scaled_dot_product";
    problem.tensors["query"] = random_normal(query, 1);
    problem.tensors["key"] = random_normal(key, 2);
    problem.tensors["value"] = random_normal(value, 3);
    return problem;
}

Shape shapeOf(const AttentionProblem& problem, const char* name) { return problem.tensors.at(name).shape(); }

} // namespace

Q_DECLARE_METATYPE(attnlab::Fill)

class TestFill : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void typedNumbers_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QLocale>("locale");
        QTest::addColumn<double>("expected"); // -999 if refused
        const QLocale c = QLocale::c(), german(QLocale::German, QLocale::Germany),
                      english(QLocale::English, QLocale::UnitedStates);
        constexpr double refused = -999.0;
        QTest::newRow("point") << "0.5" << c << 0.5;
        QTest::newRow("point in German") << "0.5" << german << 0.5;
        QTest::newRow("comma in German") << "0,5" << german << 0.5;
        QTest::newRow("comma in C") << "0,5" << c << refused;
        QTest::newRow("thousands in C") << "1,000" << c << refused;
        QTest::newRow("thousands in English") << "1,000" << english << refused;
        QTest::newRow("thousands in German") << "1.000,5" << german << refused;
        QTest::newRow("exponent") << " 1e-3 " << c << 1e-3;
        QTest::newRow("plus") << "+2" << c << 2.0;
        QTest::newRow("typographic minus") << QStringLiteral("−2.5") << c << -2.5;
        QTest::newRow("fraction") << "1/3" << c << 1.0 / 3.0;
        QTest::newRow("negative fraction") << "-1 / 4" << c << -0.25;
        QTest::newRow("Replace by zero") << "1/0" << c << refused;
        QTest::newRow("two bars") << "1/2/3" << c << refused;
        QTest::newRow("inf") << "inf" << c << infinity;
        QTest::newRow("-inf") << "-Inf" << german << -infinity;
        QTest::newRow("sign of infinity") << QStringLiteral("−∞") << c << -infinity;
        QTest::newRow("overflow") << "1e999" << c << refused;
        QTest::newRow("words") << "abc" << c << refused;
        QTest::newRow("number and words") << "1 cat" << c << refused;
        QTest::newRow("empty") << "" << c << refused;
    }
    void typedNumbers() {
        QFETCH(QString, text);
        QFETCH(QLocale, locale);
        QFETCH(double, expected);
        QCOMPARE(typedNumber(text, locale).value_or(-999.0), expected);
    }

    void nanIsTypedAsNan() { QVERIFY(std::isnan(typedNumber("NaN").value_or(0.0))); }

    void editTextReadsBackExactly() {
        for (const double value : {0.1, 1.0 / 3.0, -2.5e-310, 1e300, infinity, -infinity, 0.0})
            for (const auto& locale : {QLocale::c(), QLocale(QLocale::German)})
                QCOMPARE(typedNumber(editText(value), locale).value_or(-999.0), value);
    }

    void cellsShowShortNumbersExactly() {
        QCOMPARE(cellText(1.0), QString("1"));
        QCOMPARE(cellText(-0.25), QStringLiteral("−0.25"));
        QCOMPARE(cellText(1.0 / 3.0), QString("0.333"));
        QCOMPARE(cellText(-infinity), QStringLiteral("−∞"));
    }

    void typesRefuse() {
        QVERIFY(refusal_of(1.0, DType::Bool).empty());
        QCOMPARE(refusal_of(0.5, DType::Bool).arguments.at(0).text(), std::string("0.5"));
        QVERIFY(refusal_of(-3.0, DType::Int64).empty());
        for (const double value : {0.5, infinity, 1e16, std::nan("")})
            QVERIFY(!refusal_of(value, DType::Int64).empty());
        QVERIFY(refusal_of(-infinity, DType::Float32).empty());
    }

    void fills_data() {
        QTest::addColumn<Fill>("fill");
        QTest::addColumn<Numbers>("expected"); // of a 2 x 3 matrix
        using enum Fill::Kind;
        QTest::newRow("zeros") << Fill{.kind = Zeros} << Numbers{0, 0, 0, 0, 0, 0};
        QTest::newRow("ones") << Fill{.kind = Ones} << Numbers{1, 1, 1, 1, 1, 1};
        QTest::newRow("number") << Fill{.kind = Number, .number = -infinity} << Numbers(6, -infinity);
        QTest::newRow("identity") << Fill{.kind = Identity} << Numbers{1, 0, 0, 0, 1, 0};
        QTest::newRow("one-hot") << Fill{.kind = OneHot} << Numbers{1, 0, 0, 0, 1, 0};
        QTest::newRow("one-hot in a column") << Fill{.kind = OneHot, .column = 2} << Numbers{0, 0, 1, 0, 0, 1};
        QTest::newRow("counting") << Fill{.kind = Counting, .start = 1, .step = 2} << Numbers{1, 3, 5, 7, 9, 11};
        QTest::newRow("normal") << Fill{.kind = Normal, .mean = 3, .deviation = 2, .seed = 9}
                                << numbersOf(random_normal({2, 3}, 9, 3, 2));
        QTest::newRow("uniform") << Fill{.kind = Uniform, .low = 2, .high = 5, .seed = 4}
                                 << numbersOf(random_uniform({2, 3}, 4, 2, 5));
    }
    void fills() {
        QFETCH(Fill, fill);
        QFETCH(Numbers, expected);
        QCOMPARE(numbersOf(filled(Tensor({2, 3}, 8.0), {}, fill)), expected);
    }

    void oneHotWrapsAround() {
        const auto hot = filled(Tensor({3, 2}), {}, {.kind = Fill::Kind::OneHot});
        QCOMPARE(numbersOf(hot), (Numbers{1, 0, 0, 1, 1, 0}));
    }

    void aSelectionIsFilledFromItsCorner() {
        const FillArea area{FillScope::Selection, 1, {{1, 1, 2, 2}}};
        const auto result = filled(Tensor({2, 3, 3}, 5.0), area, {.kind = Fill::Kind::Identity});
        QCOMPARE(numbersOf(result), (Numbers{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1, 0, 5, 0, 1}));
    }

    void oneMatrixOrAllOfThem() {
        const Tensor tensor({2, 2, 2}, 9.0);
        const Fill counting{.kind = Fill::Kind::Counting};
        QCOMPARE(numbersOf(filled(tensor, {FillScope::Matrix, 1, {}}, counting)), (Numbers{9, 9, 9, 9, 0, 1, 2, 3}));
        QCOMPARE(numbersOf(filled(tensor, {FillScope::Tensor, 1, {}}, counting)), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(numbersOf(filled(tensor, {FillScope::Tensor, 0, {}}, {.kind = Fill::Kind::Identity})),
                 (Numbers{1, 0, 0, 1, 1, 0, 0, 1}));
    }

    void integersStayIntegers() {
        const auto drawn =
            filled(Tensor({5, 5}, 0.0, DType::Int64), {}, {.kind = Fill::Kind::Uniform, .low = -3, .high = 3});
        for (const double value : drawn.values())
            QVERIFY(value == std::floor(value) && value >= -3 && value < 3);
        QCOMPARE(drawn.dtype(), DType::Int64);
    }

    void resizingKeepsContents() {
        const Tensor tensor({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        QCOMPARE(numbersOf(resized_tensor(tensor, {1, 3, 2})), (Numbers{0, 1, 3, 4, 0, 0}));
        QCOMPARE(numbersOf(resized_tensor(tensor, {3, 1, 4})), (Numbers{0, 1, 2, 0, 6, 7, 8, 0, 0, 0, 0, 0}));
        QCOMPARE(numbersOf(resized_tensor(Tensor({2}, {1, 2}), {3})), (Numbers{1, 2, 0}));
        QCOMPARE(resized_tensor(Tensor({2}, 1.0, DType::Bool), {4}).dtype(), DType::Bool);
    }

    void sizesFollowTheDeclarations_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<Shape>("query");
        QTest::addColumn<Shape>("key");
        QTest::addColumn<Shape>("value");
        QTest::newRow("E of query") << "query" << Shape{4, 5} << Shape{4, 5} << Shape{6, 5} << Shape{6, 2};
        QTest::newRow("L of query") << "query" << Shape{7, 3} << Shape{7, 3} << Shape{6, 3} << Shape{6, 2};
        QTest::newRow("S of key") << "key" << Shape{8, 3} << Shape{4, 3} << Shape{8, 3} << Shape{8, 2};
        QTest::newRow("S of value") << "value" << Shape{5, 2} << Shape{4, 3} << Shape{5, 3} << Shape{5, 2};
        QTest::newRow("Ev of value") << "value" << Shape{6, 9} << Shape{4, 3} << Shape{6, 3} << Shape{6, 9};
    }
    void sizesFollowTheDeclarations() {
        QFETCH(QString, tensor);
        QFETCH(Shape, shape);
        QFETCH(Shape, query);
        QFETCH(Shape, key);
        QFETCH(Shape, value);
        const auto problem = threeInputs({4, 3}, {6, 3}, {6, 2});
        const auto result = resized(problem, tensor.toStdString(), shape);
        QCOMPARE(shapeOf(result, "query"), query);
        QCOMPARE(shapeOf(result, "key"), key);
        QCOMPARE(shapeOf(result, "value"), value);
        QVERIFY(issues_in(result).empty());
        QCOMPARE(result.tensors.at("query").at({3, 2}), problem.tensors.at("query").at({3, 2}));
    }

    void masksFollowUnlessTheyAreBroadcast() {
        auto problem = threeInputs({2, 3, 4, 5}, {2, 3, 6, 5}, {2, 3, 6, 5});
        problem.spec.masks = {{"attn_mask", {}}, {"attn_bias", {}}};
        problem.tensors["attn_mask"] = Tensor({4, 6}, 0.0, DType::Bool);
        problem.tensors["attn_bias"] = Tensor({1, 3, 4, 6});
        auto one_batch = threeInputs({1, 1, 4, 5}, {1, 1, 6, 5}, {1, 1, 6, 5});
        one_batch.spec.masks = {{"attn_bias", {}}};
        one_batch.tensors["attn_bias"] = Tensor({1, 1, 4, 6});
        QCOMPARE(shapeOf(resized(one_batch, "query", {2, 3, 4, 5}), "attn_bias"), (Shape{1, 1, 4, 6}));

        const auto result = resized(problem, "query", {4, 3, 9, 5});
        QCOMPARE(shapeOf(result, "key"), (Shape{4, 3, 6, 5}));
        QCOMPARE(shapeOf(result, "attn_mask"), (Shape{9, 6}));
        QCOMPARE(shapeOf(result, "attn_bias"), (Shape{1, 3, 9, 6}));
        QVERIFY(issues_in(result).empty());
    }

    void productsFollow() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.spec.parameters.set("num_heads", std::int64_t{2});
        complete_inputs(problem, 1);
        QVERIFY(issues_in(problem).empty());
        const auto width = shapeOf(problem, "w_q");
        const auto wider = resized(problem, "w_q", {width[0], width[1] + 4});
        QCOMPARE(shapeOf(wider, "w_k")[1], width[1] + 4);
        QVERIFY(issues_in(wider).empty());
        // Without a separate context, x is the context too: its projections follow.
        const auto x = shapeOf(problem, "x");
        auto larger = x;
        larger.back() += 2;
        const auto result = resized(problem, "x", larger);
        QCOMPARE(shapeOf(result, "w_k")[0], larger.back());
        QVERIFY(issues_in(result).empty());
    }

    void everyMechanismTakesMoreTokens() {
        for (const auto& variant : mechanisms()) {
            AttentionProblem problem;
            problem.spec.variant = variant.id;
            problem.spec.masks = {{"attn_mask", {}}};
            complete_inputs(problem, 1);
            if (!issues_in(problem).empty())
                continue; // accepts no mask
            const auto inputs = inputs_of(problem.spec);
            const auto present = [&](const Input& input) { return problem.tensors.contains(input.name); };
            const auto first = std::string(std::ranges::find_if(inputs, present)->name);
            auto shape = problem.tensors.at(first).shape();
            if (shape.size() < 2)
                continue;
            shape[shape.size() - 2] += 3;
            const auto result = resized(problem, first, shape);
            const auto issues = issues_in(result);
            QVERIFY2(issues.empty(),
                     (std::string(variant.id) + ": " + (issues.empty() ? "" : issues.front().english())).c_str());
        }
    }

    void tokensAreCutAndKept() {
        auto problem = threeInputs({3, 2}, {3, 2}, {3, 2});
        problem.query_tokens = {"a", "b", "c"};
        const auto fewer = resized(problem, "key", {2, 2});
        QCOMPARE(fewer.query_tokens, (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(fewer.key_tokens, (std::vector<std::string>{"a", "b"}));
        problem.key_tokens = {"x", "y", "z"};
        const auto result = resized(problem, "query", {1, 2});
        QCOMPARE(result.query_tokens, (std::vector<std::string>{"a"}));
        QCOMPARE(result.key_tokens, (std::vector<std::string>{"x", "y", "z"}));
    }

    void anUndeclaredTensorChangesAlone() {
        auto problem = threeInputs({3, 2}, {3, 2}, {3, 2});
        problem.tensors["notes"] = Tensor({3, 2});
        const auto result = resized(problem, "notes", {5, 2});
        QCOMPARE(shapeOf(result, "notes"), (Shape{5, 2}));
        QCOMPARE(shapeOf(result, "query"), (Shape{3, 2}));
    }

    void resizeDialogSaysWhatFollows() {
        const auto problem = threeInputs({4, 3}, {6, 3}, {6, 2});
        ResizeDialog dialog(problem, "query");
        const auto sizes = dialog.findChildren<QSpinBox*>();
        QStringList names;
        for (const auto* size : sizes)
            names << size->accessibleName();
        QCOMPARE(names, (QStringList{"Batch (B)", "Head (H)", "Rows (L)", "Columns (E)"}));
        sizes[3]->setValue(8);
        const auto says = [&](const QString& text) {
            const auto labels = dialog.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == text; });
        };
        QVERIFY(says(QStringLiteral("Also resized: key to 6 × 8")));
        const auto edited = [&] {
            auto next = problem;
            dialog.edit()(next, {});
            return next;
        };
        QCOMPARE(shapeOf(edited(), "key"), (Shape{6, 8}));
        dialog.findChild<QCheckBox*>()->setChecked(false);
        QVERIFY(says(QStringLiteral("These will no longer fit: key to 6 × 8")));
        QCOMPARE(shapeOf(edited(), "key"), (Shape{6, 3}));
        QCOMPARE(shapeOf(edited(), "query"), (Shape{4, 8}));
    }

    void fillDialogOffersWhatFits() {
        FillDialog truth({"mask", DType::Bool, 4, 1, 0}, {});
        QCOMPARE(truth.findChild<QComboBox*>()->count(), 4);
        QCOMPARE(truth.scope(), FillScope::Tensor);
        FillDialog selection({"query", DType::Float64, 4, 8, 6}, {});
        QCOMPARE(selection.scope(), FillScope::Selection);
        QCOMPARE(selection.findChildren<QRadioButton*>().size(), 3);
        FillDialog matrices({"query", DType::Float64, 4, 8, 1}, {});
        QCOMPARE(matrices.scope(), FillScope::Matrix);
    }

    /// Two sequences of one, or several heads.
    void resizeDialogAddsBatchesAndHeads() {
        auto problem = threeInputs({2, 3}, {4, 3}, {4, 2});
        problem.spec.masks = {{"valid_lens", {}}};
        problem.tensors.emplace("valid_lens", Tensor({1}, 3.0, DType::Int64));
        ResizeDialog dialog(problem, "query");
        QCOMPARE(dialog.shape(), (Shape{2, 3}));
        dialog.findChildren<QSpinBox*>()[0]->setValue(2);
        QCOMPARE(dialog.shape(), (Shape{2, 1, 2, 3}));
        auto next = problem;
        dialog.edit()(next, {});
        QCOMPARE(shapeOf(next, "query"), (Shape{2, 1, 2, 3}));
        QCOMPARE(shapeOf(next, "key"), (Shape{2, 1, 4, 3}));
        QCOMPARE(shapeOf(next, "value"), (Shape{2, 1, 4, 2}));
        QCOMPARE(next.tensors.at("query").value(0), problem.tensors.at("query").value(0));
        QVERIFY(issues_in(next).empty());
    }

    void fillDialogChecksItsNumbers() {
        FillDialog dialog({"valid_lens", DType::Int64, 4, 1, 0}, {.kind = Fill::Kind::Number});
        NumberLine* number = nullptr;
        for (auto* field : dialog.findChildren<NumberLine*>())
            if (field->accessibleName() == "Number")
                number = field;
        QVERIFY(number);
        QSignalSpy changes(&dialog, &FillDialog::changed);
        number->setText("0.5");
        QVERIFY(!dialog.isComplete());
        number->setText("cat");
        QVERIFY(!dialog.isComplete());
        QCOMPARE(changes.count(), 0);
        number->setText("7");
        QVERIFY(dialog.isComplete());
        QCOMPARE(changes.count(), 1);
        QCOMPARE(dialog.fill().number, 7.0);
    }

    void drawAgainTakesTheNextSeed() {
        FillDialog dialog({"query", DType::Float64, 4, 1, 0}, {.seed = 3});
        QSignalSpy changes(&dialog, &FillDialog::changed);
        dialog.drawAgain();
        QCOMPARE(dialog.fill().seed, std::uint64_t{4});
        QCOMPARE(changes.count(), 1);
    }
};

ATTNLAB_TEST(TestFill)
#include "test_fill.moc"
