// Matrices in the texts of programs and papers.
#include "core/io/matrix_text.h"
#include "tests/test_main.h"

using namespace attnlab;

namespace {

using Labels = std::vector<std::string>;

} // namespace
Q_DECLARE_METATYPE(Labels)

class MatrixTextTest : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void tables_are_no_matrix_texts_data();
    void tables_are_no_matrix_texts();
    void refused_data();
    void refused();
    void is_cancelled();
};

void MatrixTextTest::reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Tensor>("values");
    QTest::addColumn<Labels>("rows");
    QTest::addColumn<Labels>("columns");
    const auto row = [](const char* name, const QByteArray& text, const Tensor& values, const Labels& rows = {},
                        const Labels& columns = {}) { QTest::newRow(name) << text << values << rows << columns; };
    const Tensor square({2, 2}, {1, 0, -0.5, 1e-3});
    row("python", "[[1, 0], [-0.5, 1e-3]]", square);
    row("lines", "[[1, 0],\n [-0.5, 1e-3],\n]\n", square);
    row("tuple of one", "[[1.], [2.]]", Tensor({2, 1}, {1, 2}));
    row("tensor", "tensor([[ 1.0000,  0.0000],\n        [-0.5000,  0.0010]])", square);
    row("tensor with arguments",
        "Q = torch.tensor([[1, 0], [-.5, 1e-3]], dtype=torch.float64, grad_fn=<Add(0)>, device='cuda:0')", square);
    row("printed array", "[[ 1.     0.   ]\n [-0.5    0.001]]", square);
    row("array", "np.array([[1, 0], [-0.5, 0.001]])", square);
    row("wrapped rows", "[[1 2\n  3]\n [4 5\n  6]]", Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
    row("matlab", "A = [1 0; -0.5 1e-3];", square);
    row("matlab with commas", "[1, 0; -0.5, 1e-3;]", square);
    row("mathematica", "{{1, 0}, {-0.5, 0.001}}", square);
    row("one axis", "[1, 2, 3]", Tensor({3}, {1, 2, 3}));
    row("column", "[1; 2; 3]", Tensor({3, 1}, {1, 2, 3}));
    row("batches", "[[[1, 2]], [[3, 4]], [[5, 6]]]", Tensor({3, 1, 2}, {1, 2, 3, 4, 5, 6}));
    row("truths", "[[True, False], [False, True]]", Tensor({2, 2}, {1, 0, 0, 1}, DType::Bool));
    row("infinities", "[[0., -inf], [inf, 0]]", Tensor({2, 2}, {0, -infinity, infinity, 0}));
    row("minus sign",
        "[[\xE2\x88\x92"
        "1, 2]]",
        Tensor({1, 2}, {-1, 2}));
    row("latex rows", "1 & 0 \\\\\n-0.5 & 1e-3 \\\\", square);
    row("latex", "\\begin{bmatrix} 1 & 0 \\\\ -0.5 & 0.001 \\end{bmatrix}", square);
    row("latex array",
        "\\[ Q = \\left[ \\begin{array}{cc} 1 & 0 \\\\[2pt] \\hline -\\frac{1}{2} & 0{,}001 \\end{array} \\right] \\]",
        square);
    row("latex column", "1 \\\\ -2 \\\\ \\infty", Tensor({3, 1}, {1, -2, infinity}));
    row("latex labels", "& x & y \\\\ it & 1 & 0 \\\\ milk \\& co & -0.5 & 0.001", square, {"it", "milk & co"},
        {"x", "y"});
    row("markdown", "| x | y |\n|---|:-:|\n| 1 | 0 |\n| **-0.5** | `0.001` |\n", square, {}, {"x", "y"});
    row("markdown labels", "|  | 1 | 2 |\n| - | - | - |\n| it | 1 | 0 |\n| 7 | -0.5 | 0.001 |\n", square, {"it", "7"},
        {"1", "2"});
    row("markdown without labels", "| | |\n|-|-|\n| 1 | 0 |\n| -0.5 | 0.001 |", square);
    row("rows between bars", "| 1 | 0 |\n| -0.5 | 0.001 |", square);
}

void MatrixTextTest::reads() {
    QFETCH(QByteArray, text);
    QFETCH(Tensor, values);
    QFETCH(Labels, rows);
    QFETCH(Labels, columns);
    QVERIFY(io::is_matrix_text(text.toStdString()));
    io::Table table;
    try {
        table = io::read_table(text.toStdString(), "Clipboard");
    } catch (const Error& error) {
        QFAIL(error.what());
    }
    QCOMPARE(table.values, values);
    QCOMPARE(table.row_labels, rows);
    QCOMPARE(table.column_labels, columns);
}

void MatrixTextTest::tables_are_no_matrix_texts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("numbers") << QByteArray("1 0\n0 1\n");
    QTest::newRow("label in brackets") << QByteArray("[CLS]\t1\n[SEP]\t2\n");
    QTest::newRow("label with &") << QByteArray("R & D\t1\nq\t2\n");
    QTest::newRow("label that begins a formula") << QByteArray("$\t1\nq\t2\n");
    QTest::newRow("one bar") << QByteArray("|\t1\n-\t2\n");
    QTest::newRow("names") << QByteArray("x(1),y\n1,2\n");
    QTest::newRow("equation") << QByteArray("a=b\t1\nc\t2");
}

void MatrixTextTest::tables_are_no_matrix_texts() {
    QFETCH(QByteArray, text);
    QVERIFY(!io::is_matrix_text(text.toStdString()));
    QCOMPARE(io::read_table(text.toStdString(), "t").values.dim(-1),
             text.contains("1 0") || text.contains("x(1)") ? 2 : 1);
}

void MatrixTextTest::refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QByteArray& text, const char* message) {
        QTest::newRow(name) << text << QString::fromUtf8(message);
    };
    row("ragged", "[[1, 2],\n [3]]",
        "Clipboard: the list that ends in line 2 has 1 entries, expected 2 as in the first");
    row("ragged rows", "[1 2; 3]", "line 1 has 1 entries, expected 2");
    row("depths", "[[[1]], [2]]", "Clipboard: line 1 has numbers beside lists");
    row("numbers beside lists", "[[1], 2]", "Clipboard: line 1 has numbers beside lists");
    row("open", "[[1, 2],\n [3, 4]", "Clipboard: ends in line 2 before the list does; “]” is missing");
    row("wrong bracket", "[[1, 2}, [3, 4]]", "line 1 has “}, [3, 4]]”, expected");
    row("open call", "tensor([[1]], dtype=", "“)” is missing");
    row("word", "[[1, x]]", "Clipboard: line 1 has “x”, expected a number");
    row("left out", "[[1, 2, ..., 3]]", "numbers are left out in line 1");
    row("two commas", "[[1,, 2]]", "where a number is expected");
    row("after", "[[1, 2]].T", "Clipboard: line 1 has text after the matrix, “.T”");
    row("two", "Q = [[1]]\nK = [[2]]", "Clipboard: line 2 has text after the matrix, “K = [[2]]”");
    row("index", "tensor([[1]], 2)", "has text after the matrix");
    row("mixed", "[[True, 0.5]]", "Clipboard: mixes numbers with true and false");
    row("wrapped", "[1 2\n 3 4]", "ends a list of several lines without commas");
    row("empty", "[[]]", "Clipboard: holds no numbers");
    row("complex", "[[1+2j]]", "has “1+2j”, expected a number");
    row("latex word", "1 & 2 \\\\ 0 & \\alpha", "row 2, column 2 is “\\alpha”, expected a number");
    row("latex ragged", "1 & 2 \\\\ 3", "row 2 has 1 cells, expected 2");
    row("two numbers in a cell", "1 0 & 0", "row 1, column 1 is “1 0”, expected a number");
    row("bars alone", "| 1 | 2 |\n|\n| 3 | 4 |", "row 2 has 1 cells, expected 2");
    row("latex open", "\\begin{bmatrix} 1 & 2", "\\begin without its \\end");
    row("two in latex", "\\begin{bmatrix}1\\end{bmatrix} \\begin{bmatrix}2\\end{bmatrix}", "has text after the matrix");
    row("depth", QByteArray("[").repeated(9) + "1", "has a list in 8 others");
}

void MatrixTextTest::refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    QString said;
    try {
        io::read_table(text.toStdString(), "Clipboard");
    } catch (const Error& error) {
        said = QString::fromUtf8(error.what());
    }
    QVERIFY2(said.contains(message), qPrintable("says: " + said));
}

void MatrixTextTest::is_cancelled() {
    const RunControl stopped{.cancelled = [] { return true; }};
    QVERIFY_EXCEPTION_THROWN(io::read_table("[[1, 2]]", "Clipboard", {.control = &stopped}), Cancelled);
}

ATTNLAB_TEST(MatrixTextTest)
#include "test_matrix_text.moc"
