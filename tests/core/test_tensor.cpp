#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TensorTest : public QObject {
    Q_OBJECT
private slots:
    void copies_are_values_that_share();
    void counts_elements_data();
    void counts_elements();
    void finds_cells();
    void refuses_cells_outside();
    void keeps_values_under_another_shape();
    void compares_values();
    void shows_matrices();
};

void TensorTest::copies_are_values_that_share() {
    Tensor original({2, 2}, 1.0);
    Tensor copy = original;
    QVERIFY(copy.shares_storage_with(original));
    copy.set({0, 1}, 5.0);
    QVERIFY(!copy.shares_storage_with(original));
    QCOMPARE(original.at({0, 1}), 1.0);
    QCOMPARE(copy.at({0, 1}), 5.0);
    const auto* where = copy.data();
    copy.mutable_values()[0] = 2.0; // not shared: no new storage
    QCOMPARE(copy.data(), where);
    QCOMPARE(Tensor().shape(), Shape({0}));
}

void TensorTest::counts_elements_data() {
    QTest::addColumn<QList<qint64>>("sizes");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<QString>("complaint");
    constexpr qint64 huge = qint64{1} << 32;
    QTest::newRow("no axes") << QList<qint64>{} << qint64{1} << "";
    QTest::newRow("three axes") << QList<qint64>{2, 3, 5} << qint64{30} << "";
    QTest::newRow("an empty axis") << QList<qint64>{2, 0, 5} << qint64{0} << "";
    QTest::newRow("negative") << QList<qint64>{2, -1} << qint64{0}
                              << "it: has shape (2, -1), expected sizes that are not negative";
    QTest::newRow("negative after 0") << QList<qint64>{0, -1} << qint64{0}
                                      << "it: has shape (0, -1), expected sizes that are not negative";
    QTest::newRow("overflow") << QList<qint64>{huge, huge} << qint64{0}
                              << "it: has shape (4294967296, 4294967296), which is more than memory can address";
    QTest::newRow("overflow of bytes")
        << QList<qint64>{huge, huge >> 4} << qint64{0}
        << "it: has shape (4294967296, 268435456), which is more than memory can address";
    QTest::newRow("the largest") << QList<qint64>{huge, huge >> 5} << qint64{huge * (huge >> 5)} << "";
    QTest::newRow("overflow beside 0") << QList<qint64>{huge, 0, huge} << qint64{0}
                                       << "it: has shape (4294967296, 0, 4294967296), which is more than memory can "
                                          "address";
}

void TensorTest::counts_elements() {
    QFETCH(QList<qint64>, sizes);
    QFETCH(qint64, count);
    QFETCH(QString, complaint);
    const Shape shape(sizes.begin(), sizes.end());
    std::int64_t got = 0;
    QCOMPARE(error_of([&] { got = element_count(shape, "it"); }), complaint);
    QCOMPARE(got, count);
}

void TensorTest::finds_cells() {
    const auto tensor = counting({2, 3, 4});
    QCOMPARE(tensor.at({1, 2, 3}), 23.0);
    QCOMPARE(tensor.at({1, 0, 2}), 14.0);
    QCOMPARE(tensor.dim(-1), 4);
    QCOMPARE(tensor.dim(0), 2);
    QCOMPARE(Tensor(Shape{}, 7.0).at({}), 7.0);
}

void TensorTest::refuses_cells_outside() {
    Tensor tensor({2, 3});
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.at({2, 0}));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.at({0, -1}));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.at({0}));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.set({0, 3}, 1.0));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.dim(2));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.dim(-3));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Tensor({2}, std::vector<double>(3)));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, tensor.reshaped({4}));
}

void TensorTest::keeps_values_under_another_shape() {
    const auto tensor = counting({2, 6});
    const auto other = tensor.reshaped({3, 4});
    QVERIFY(other.shares_storage_with(tensor));
    QCOMPARE(other.at({2, 1}), 9.0);
    QCOMPARE(tensor.with_dtype(DType::Int64).dtype(), DType::Int64);
    QCOMPARE(tensor.dtype(), DType::Float64);
}

void TensorTest::compares_values() {
    const Tensor tensor({2}, {1.0, not_a_number});
    QVERIFY(tensor == Tensor({2}, {1.0, not_a_number}));
    QVERIFY(!(tensor == Tensor({2}, {1.0, 2.0})));
    QVERIFY(!(tensor == tensor.reshaped({2, 1})));
    QVERIFY(!(tensor == tensor.with_dtype(DType::Float32)));
}

void TensorTest::shows_matrices() {
    const auto tensor = counting({2, 3, 4, 5});
    QCOMPARE(matrix_count(tensor), 6);
    const auto last = matrix_at(tensor, 5);
    QCOMPARE(last.rows, 4);
    QCOMPARE(last.columns, 5);
    QCOMPARE(last(3, 4), 119.0);
    QCOMPARE(last.row(1)[2], 107.0);
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, matrix_at(tensor, 6));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, matrix_at(tensor, -1));
    const auto vector = counting({5});
    QCOMPARE(matrix_at(vector).rows, 1);
    QCOMPARE(matrix_at(vector)(0, 4), 4.0);
    const Tensor empty({3, 0});
    QVERIFY(matrix_at(empty).empty());
}

ATTNLAB_TEST(TensorTest)
#include "test_tensor.moc"
