// Notes count rows of one head where all heads agree.
#include "core/stages/notes.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class NotedRowsTest : public QObject {
    Q_OBJECT
private slots:
    void count_one_head_where_all_agree_data();
    void count_one_head_where_all_agree();
    void a_causal_mask_has_one_row_with_one_key();
};

void NotedRowsTest::count_one_head_where_all_agree_data() {
    QTest::addColumn<QList<int>>("of_matrices");
    QTest::addColumn<int>("B");
    QTest::addColumn<int>("H");
    QTest::addColumn<QString>("counted");
    QTest::newRow("one matrix") << QList{3} << 1 << 1 << "3";
    QTest::newRow("equal heads") << QList{1, 1, 1, 1} << 1 << 4 << "1";
    QTest::newRow("other heads") << QList{2, 0, 1, 0} << 1 << 4 << "3 over 4 heads";
    QTest::newRow("equal heads of sequences") << QList{2, 2, 1, 1} << 2 << 2 << "3 over 2 sequences";
    QTest::newRow("every head of sequences") << QList{3, 3, 3, 3} << 2 << 2 << "3 in each of 2 sequences";
    QTest::newRow("both") << QList{2, 1, 0, 1} << 2 << 2 << "4 over 4 heads";
    QTest::newRow("the last has none") << QList{2, 2, 0, 0} << 2 << 2 << "2 over 2 sequences";
}

void NotedRowsTest::count_one_head_where_all_agree() {
    QFETCH(QList<int>, of_matrices);
    QFETCH(int, B);
    QFETCH(int, H);
    QFETCH(QString, counted);
    NotedRows rows;
    for (qsizetype matrix = 0; matrix < of_matrices.size(); ++matrix)
        for (int i = 0; i < of_matrices[matrix]; ++i)
            rows.take({}, i, matrix);
    QCOMPARE(QString::fromStdString(rows.counted({B, H}).english()), counted);
}

void NotedRowsTest::a_causal_mask_has_one_row_with_one_key() {
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"})
        problem.tensors[name] = Tensor({2, 4, 5, 3}, 0.5);
    problem.spec.masks = {{"causal", {}}};
    QVERIFY(has_note(run(problem), "Rows that see one key: 1 in each of 2 sequences (first: 0)"));
}

ATTNLAB_TEST(NotedRowsTest)
#include "test_noted_rows.moc"
