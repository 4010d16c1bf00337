#include "core/io/csv.h"
#include "tests/core/io_support.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"

#include <QTest>

#include <limits>
#include <tuple>

using namespace attnlab;
using namespace attnlab::test;

using Labels = std::vector<std::string>;
Q_DECLARE_METATYPE(Labels)

class TestTable : public QObject {
    Q_OBJECT

private slots:
    void reads_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Tensor>("values");
        QTest::addColumn<Labels>("rows");
        QTest::addColumn<Labels>("columns");
        const auto row = [](const char* name, const QByteArray& text, const Tensor& values, const Labels& rows = {},
                            const Labels& columns = {}) { QTest::newRow(name) << text << values << rows << columns; };
        const Tensor numbers({2, 2}, {0.5, 1.25, -3, 4e-3});
        row("comma", "0.5,1.25\n-3,4e-3\n", numbers);
        row("comma and blanks", " 0.5, 1.25 \n-3 , 4e-3", numbers);
        row("semicolon", "0.5;1.25\n-3;4e-3\n", numbers);
        row("tab", "0.5\t1.25\n-3\t4e-3\n", numbers);
        row("blanks", "  0.5   1.25\n -3 4e-3 \n", numbers);
        row("CR LF", "0.5,1.25\r\n-3,4e-3\r\n", numbers);
        row("CR", "0.5,1.25\r-3,4e-3\r", numbers);
        row("byte order mark",
            "\xEF\xBB\xBF"
            "0.5,1.25\n-3,4e-3",
            numbers);
        row("blank lines at the end", "0.5,1.25\n-3,4e-3\n\r\n \n\n", numbers);
        row("decimal commas and tabs", "0,5\t1,25\n-3\t4e-3\n", numbers);
        row("decimal commas and semicolons", "0,5;1,25\n-3;0,004\n", numbers);
        row("all quoted", "\"0.5\",\"1.25\"\n\"-3\",\"4e-3\"\n", numbers);
        row("quoted inside", "0.5,1.25\n-3,\"4e-3\"\n", numbers);
        row("plus and Unicode minus",
            "+0.5\t+1.25\n\xE2\x88\x92"
            "3\t4e-3",
            numbers);
        row("one number", "7", Tensor({1, 1}, 7));
        row("one column", "1\n2\n", Tensor({2, 1}, {1, 2}));
        row("infinities", "inf,-inf,Inf,+inf\nnan,NaN,-Infinity,NAN\n",
            Tensor({2, 4},
                   {infinity, -infinity, infinity, infinity, not_a_number, not_a_number, -infinity, not_a_number}));
        row("booleans", "TRUE\tfalse\nFalse\ttrue", Tensor({2, 2}, {1, 0, 0, 1}, DType::Bool));
        row("subnormal", "5e-324", Tensor({1, 1}, 5e-324));
        row("column labels", "milk,cat\n1,2\n", Tensor({1, 2}, {1, 2}), {}, {"milk", "cat"});
        row("row labels", "milk,1\ncat,2\n", Tensor({2, 1}, {1, 2}), {"milk", "cat"});
        row("both, blank corner", ",x,y\nmilk,1,2\ncat,3,4\n", Tensor({2, 2}, {1, 2, 3, 4}), {"milk", "cat"},
            {"x", "y"});
        row("both, corner", "token\tx\nmilk\t1\n", Tensor({1, 1}, 1), {"milk"}, {"x"});
        row("label over one column", "x\n1\n2\n", Tensor({2, 1}, {1, 2}), {}, {"x"});
        row("one labelled row", "milk,1,2\n", Tensor({1, 2}, {1, 2}), {"milk"});
        row("quoted labels", "\"a \"\"b\"\", c\",1\n\"7\",2\n\"\",3\n", Tensor({3, 1}, {1, 2, 3}),
            {"a \"b\", c", "7", ""});
        row("quoted line break", "\"a\nb\",1\nc,2\n", Tensor({2, 1}, {1, 2}), {"a\nb", "c"});
        row("separators as labels", "\",\"\t1\n;\t2\n", Tensor({2, 1}, {1, 2}), {",", ";"});
    }
    void reads() {
        QFETCH(QByteArray, text);
        QFETCH(Tensor, values);
        QFETCH(Labels, rows);
        QFETCH(Labels, columns);
        io::Table table;
        const auto said = error_of([&] { table = io::read_table(text.toStdString(), "t.csv"); });
        QVERIFY2(said.isEmpty(), qPrintable(said));
        QCOMPARE(table.values, values);
        QCOMPARE(table.row_labels, rows);
        QCOMPARE(table.column_labels, columns);
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& text, const char* message) {
            QTest::newRow(name) << text << QString::fromUtf8(message);
        };
        row("nothing", "", "t.csv: holds no numbers");
        row("blank", " \n\n", "t.csv: holds no numbers");
        row("labels alone", "a,b\n", "t.csv: holds no numbers");
        row("Latin-1", "1,2\n\xe9,3\n", "t.csv: line 2 is not text in UTF-8");
        row("an integer that float64 rounds", "1,-9007199254740993\n",
            "t.csv: line 1, column 2 is '-9007199254740993'; integers beyond 2^53 cannot be held exactly");
        row("text within", "1,2\n3,x\n", "t.csv: line 2, column 2 is 'x', expected a number");
        row("text in the first column", "1,2\nx,3\n", "t.csv: line 2, column 1 is 'x', expected a number");
        row("text in the first row", "1,x,2\n3,4,5\n", "t.csv: line 1, column 2 is 'x', expected a number");
        row("first of two mistakes", "1,x,2\n3,y,5\n", "line 1, column 2 is 'x'");
        row("blank cell", "1,2\n3,\n", "t.csv: line 2, column 2 is blank, expected a number");
        row("blank cell at the very end", "1\t2\n3\t", "t.csv: line 2, column 2 is blank");
        row("blank corner without labels", ",1\n2,3\n", "t.csv: line 1, column 1 is blank");
        row("blank line within", "1,2\n\n3,4\n", "t.csv: line 2 is blank, expected numbers");
        row("short line", "1,2,3\n4,5\n", "t.csv: the number of cells in line 2 is 2, expected 3 as in the first line");
        row("long line", "1,2\n3,4\n5,6,7\n", "t.csv: the number of cells in line 3 is 3, expected 2");
        row("thousands", "\"1,234.5\"\t1\n",
            "t.csv: line 1, column 1 is '1,234.5', expected a number without separators of thousands");
        row("thousands in every row", "1,234.5\t1\n2,345.6\t2\n",
            "line 1, column 1 is '1,234.5', expected a number without separators");
        row("quoted thousands in every row", "\"1,234\",1\n\"2,345\",2\n",
            "line 1, column 1 is '1,234', expected a number without separators");
        row("thousands by points", "1\t1.234.567,5\n",
            "line 1, column 2 is '1.234.567,5', expected a number without separators");
        row("thousands by commas", "1;1,234,567\n",
            "line 1, column 2 is '1,234,567', expected a number without separators");
        row("thousands by blanks", "1\t1 234\n", "line 1, column 2 is '1 234', expected a number without separators");
        row("percent", "1\t50%\n", "line 1, column 2 is '50%', expected a number without");
        row("comma after point", "0.5\t1,234\n",
            "t.csv: line 1, column 2 is '1,234', expected a decimal point as before it");
        row("point after comma", "0,5\t1.5\n",
            "t.csv: line 1, column 2 is '1.5', expected a decimal comma as before it");
        row("number among booleans", "true,0\n", "t.csv: line 1, column 2 is '0', expected true or false as before it");
        row("boolean among numbers", "1,2\n3,false\n",
            "t.csv: line 2, column 2 is 'false', expected a number as before it");
        row("beyond float64", "1,1e999\n", "t.csv: line 1, column 2 is '1e999', which is outside the range of float64");
        row("double sign", "1,+-5\n", "t.csv: line 1, column 2 is '+-5', expected a number");
        row("sign alone", "1,+\n", "t.csv: line 1, column 2 is '+', expected a number");
        row("hexadecimal", "1,0x1F\n", "t.csv: line 1, column 2 is '0x1F', expected a number");
        row("open quote", "1,\"2\n3", "t.csv: the quote in line 1, column 2 is not closed");
        row("text after a quote", "1,\"2\"3\n", "t.csv: line 1, column 2 goes on after its closing quote");
        row("lines after a quoted break", "\"a\nb\",1\nc,x\n", "t.csv: line 3, column 2 is 'x'");
        row("UTF-16",
            "\xFF\xFE"
            "1",
            "t.csv: is UTF-16 text, expected UTF-8");
        row("long text", "1," + QByteArray(29, 'x') + QByteArray("é").repeated(30), "xééééé…', expected a number");
    }
    void refused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const auto said = error_of([&] { io::read_table(text.toStdString(), "t.csv"); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    /// Labels of code and formulas are no matrices in other notations.
    void labelsOfCodeAreReadBack() {
        const std::vector<std::string> labels = {"\\begin{x}", "[1]", "|a|", "$", "Q = [1", "f([2", "{3", "a & b"};
        const auto count = std::ssize(labels);
        const Tensor values({count, count}, 1.5), column({count, 1}, 2.5);
        for (const char separator : {',', '\t'})
            for (const auto& [numbers, rows, columns] :
                 {std::tuple(values, labels, labels), std::tuple(values, Labels(), labels),
                  std::tuple(column, labels, Labels()), std::tuple(column, Labels(), Labels{labels.front()})}) {
                const auto again = io::read_table(io::write_table(numbers, separator, rows, columns), "t");
                QCOMPARE(again.values, numbers);
                QCOMPARE(again.row_labels, rows);
                QCOMPARE(again.column_labels, columns);
            }
        QCOMPARE(io::read_table("[1],0.5\n[2],1.5\n", "t").row_labels, (Labels{"[1]", "[2]"}));
        QCOMPARE(io::read_table("\\begin{x}\t0.5\n$\t1.5\n", "t").row_labels, (Labels{"\\begin{x}", "$"}));
    }

    void writes() {
        const Tensor values({2, 2}, {0.1, -0.0, 1e300, -infinity});
        QCOMPARE(io::write_table(values, ','), std::string("0.1,-0\n1e+300,-inf\n"));
        QCOMPARE(io::write_table(values, '\t', {"milk", "7"}, {"a,b", ""}),
                 std::string("\t\"a,b\"\t\"\"\nmilk\t0.1\t-0\n\"7\"\t1e+300\t-inf\n"));
        QCOMPARE(io::write_table(Tensor({1, 2}, {1, 0}, DType::Bool), ','), std::string("true,false\n"));
        QCOMPARE(io::write_table(Tensor({2, 1}, {1, 2}), ',', {"one"}), std::string("one,1\n\"\",2\n"));
        // Bytes of a token that are no character are no text in a file, which must be read again.
        QCOMPARE(io::write_table(Tensor({2, 1}, {1, 2}), ',', {"x\xFF\xE7\x89", "\xEF"}),
                 std::string("x\uFFFD\uFFFD,1\n\"\uFFFD\",2\n"));
    }

    void refusesOtherRanks_data() {
        QTest::addColumn<Tensor>("tensor");
        QTest::newRow("rank 1") << Tensor({2});
        QTest::newRow("rank 3") << Tensor({1, 2, 2});
        QTest::newRow("no rows") << Tensor({0, 2});
        QTest::newRow("no columns") << Tensor({2, 0});
    }
    void refusesOtherRanks() {
        QFETCH(Tensor, tensor);
        const auto said = error_of([&] { io::write_table(tensor, ','); });
        QVERIFY(said.contains(QString::fromStdString(to_string(tensor.shape()))));
    }

    void roundTrip_data() {
        QTest::addColumn<Tensor>("values");
        QTest::addColumn<Labels>("rows");
        QTest::addColumn<Labels>("columns");
        const Tensor square({2, 2}, {0.1, 1.0 / 3.0, -0.0, 5e-324});
        const Labels odd{"1,5", " x\"y "};
        QTest::newRow("numbers") << square << Labels{} << Labels{};
        QTest::newRow("labels") << square << Labels{"milk", "cat"} << Labels{"x", "y"};
        QTest::newRow("labels like numbers") << square << Labels{"0", "1"} << Labels{"nan", "true"};
        QTest::newRow("odd labels") << square << odd << Labels{};
        QTest::newRow("quotes before separators") << square << Labels{"\"a,", "\";b"} << Labels{"x", "y,"};
        QTest::newRow("punctuation") << square << Labels{",", "."} << Labels{"\t", "\n"};
        QTest::newRow("blank and byte order mark") << square << Labels{} << Labels{"\xEF\xBB\xBF", ""};
        QTest::newRow("one column with blanks in its label") << Tensor({2, 1}, {1, 2}) << Labels{} << Labels{"a b"};
        QTest::newRow("booleans") << Tensor({2, 2}, {1, 0, 0, 1}, DType::Bool) << Labels{"milk", "cat"} << odd;
    }
    void roundTrip() {
        QFETCH(Tensor, values);
        QFETCH(Labels, rows);
        QFETCH(Labels, columns);
        for (const char separator : {',', '\t'}) {
            const auto table = io::read_table(io::write_table(values, separator, rows, columns), "t");
            QVERIFY(same_bits(table.values, values));
            QCOMPARE(table.row_labels, rows);
            QCOMPARE(table.column_labels, columns);
        }
    }

    void labelsHaveLimits() {
        QByteArray many;
        for (int row = 0; row <= 1'000'000; ++row)
            many += "a,1\n";
        QCOMPARE(error_of([&] { io::read_table(many.toStdString(), "t"); }),
                 QString("t: has more than 1000000 labels"));
        const auto line = std::string(65536, 'a') + ",1\n";
        QCOMPARE(io::read_table(line, "t").row_labels.at(0).size(), std::size_t{65536});
        QVERIFY(
            error_of([&] { io::read_table("a" + line, "t"); }).contains("has 65537 bytes; at most 65536 may be read"));
    }
};

ATTNLAB_TEST(TestTable)
#include "test_table.moc"
