#include "core/io/npy.h"
#include "tests/core/io_support.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// A version 1.0 file with this dictionary and these bytes of data.
QByteArray npy(const QByteArray& dictionary, const QByteArray& data) {
    const auto length = dictionary.size();
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes.append(static_cast<char>(length & 0xff)).append(static_cast<char>(length >> 8));
    return bytes + dictionary + data;
}

QByteArray dictionary(const QByteArray& descr, const QByteArray& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

Tensor read(const QByteArray& bytes) { return io::read_npy(as_span(bytes), "query"); }

double half_value(unsigned bits) {
    const double sign = bits >> 15 ? -1.0 : 1.0;
    const int exponent = static_cast<int>(bits >> 10 & 0x1f);
    const double mantissa = bits & 0x3ff;
    if (exponent == 0x1f)
        return mantissa == 0.0 ? sign * infinity : std::numeric_limits<double>::quiet_NaN();
    return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024.0 + mantissa, exponent - 25));
}

} // namespace

class TestNpy : public QObject {
    Q_OBJECT

private slots:
    void headersInEveryShape_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::newRow("as NumPy writes it")
            << QByteArray("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n");
        QTest::newRow("other order") << QByteArray("{'shape': (1, 2), 'descr': '<f8', 'fortran_order': False}");
        QTest::newRow("no blanks") << QByteArray("{'descr':'<f8','fortran_order':False,'shape':(1,2)}");
        QTest::newRow("many blanks") << QByteArray(
            "  {\t'descr' : '<f8' , 'fortran_order' :False,\n'shape':( 1 , 2 ,) , }  ");
        QTest::newRow("double quotes") << QByteArray(
            "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (1, 2)}");
        QTest::newRow("Python 2") << QByteArray("{u'descr': u'<f8', 'fortran_order': False, 'shape': (1L, 2L), }");
        QTest::newRow("native order") << QByteArray("{'descr': '=f8', 'fortran_order': False, 'shape': (1, 2), }");
        QTest::newRow("no order") << QByteArray("{'descr': 'f8', 'fortran_order': False, 'shape': (1, 2), }");
        QTest::newRow("order that does not apply")
            << QByteArray("{'descr': '|f8', 'fortran_order': False, 'shape': (1, 2), }");
    }
    void headersInEveryShape() {
        QFETCH(QByteArray, header);
        const double values[] = {1.5, -2.0};
        const auto tensor = read(npy(header, QByteArray(reinterpret_cast<const char*>(values), 16)));
        QCOMPARE(tensor, Tensor({1, 2}, {1.5, -2.0}));
    }

    void everyHalf() {
        QByteArray data;
        for (unsigned bits = 0; bits < 65536; ++bits)
            data.append(static_cast<char>(bits & 0xff)).append(static_cast<char>(bits >> 8));
        const auto tensor = read(npy(dictionary("<f2", "(65536,)"), data));
        QCOMPARE(tensor.dtype(), DType::Float16);
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const double value = tensor.values()[bits];
            const double expected = half_value(bits);
            if (std::isnan(expected))
                QVERIFY2(std::isnan(value), qPrintable(QString::number(bits, 16)));
            else
                QVERIFY2(value == expected && std::signbit(value) == (bits >= 0x8000),
                         qPrintable(QString::number(bits, 16)));
        }
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const QByteArray eight(8, '\0');
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << QString(message);
        };
        const auto file = [](const char* name) { return data_bytes(std::string("refused/") + name + ".npy"); };
        row("nothing", "", "query: is not a NumPy array");
        row("other magic", "\x93NUMPX" + QByteArray(90, ' '), "query: is not a NumPy array: it does not begin with");
        row("magic alone", QByteArray("\x93NUMPY\x01\x00", 8),
            "query: is cut short within its header: has 8 bytes, expected at least 10");
        row("version 4", QByteArray("\x93NUMPY\x04\x00\x10\x00\x00\x00", 12),
            "query: has NPY format version 4.0, expected 1.0, 2.0 or 3.0");
        row("header cut short", npy(dictionary("<f8", "(1,)"), {}).left(40),
            "within its header: has 40 bytes, expected at least 68");
        row("version 2 cut short", QByteArray("\x93NUMPY\x02\x00\x00\x10\x00\x00", 12),
            "has 12 bytes, expected at least 4108");
        row("endless header", QByteArray("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
            "query: its header takes 4294967295 bytes; at most 65536 may be read");
        row("data cut short", npy(dictionary("<f8", "(2, 3)"), eight),
            "query: has 8 bytes of numbers, expected 48 for shape (2, 3) of type '<f8'");
        row("data too long", npy(dictionary("<f8", "(1,)"), eight + "x"),
            "query: has 9 bytes of numbers, expected 8 for shape (1,)");
        row("no dictionary", npy("[1, 2]", eight), "cannot be understood at character 1");
        row("text after", npy(dictionary("<f8", "(1,)") + "x", eight), "cannot be understood");
        row("unknown key", npy("{'descr': '<f8', 'colour': 1}", eight), "cannot be understood");
        row("twice", npy("{'descr': '<f8', 'descr': '<f4'}", eight), "cannot be understood");
        row("no shape", npy("{'descr': '<f8', 'fortran_order': False}", eight), "query: its header has no 'shape'");
        row("no order", npy("{'descr': '<f8', 'shape': (1,)}", eight), "query: its header has no 'fortran_order'");
        row("no descr", npy("{}", eight), "query: its header has no 'descr'");
        row("call", npy("{'descr': __import__('os')}", eight), "cannot be understood at character 11");
        row("number as shape", npy(dictionary("<f8", "(1)"), eight), "cannot be understood");
        row("real size", npy(dictionary("<f8", "(1.0,)"), eight), "cannot be understood");
        row("negative size", npy(dictionary("<f8", "(-1,)"), eight),
            "query: has shape (-1,), expected sizes that are not negative");
        row("size beyond 64 bits", npy(dictionary("<f8", "(99999999999999999999,)"), eight),
            "query: its shape has a size that is more than memory can address");
        row("product beyond 64 bits", npy(dictionary("<f8", "(4294967296, 4294967296)"), eight),
            "which is more than memory can address");
        row("beyond the limit", npy(dictionary("<f8", "(1073741825,)"), eight),
            "query: has shape (1073741825,), which is 1073741825 numbers; at most 1073741824 may be read");
        row("huge beside a zero", npy(dictionary("<f8", "(0, 1073741825)"), {}), "at most 1073741824 may be read");
        row("too many axes", npy(dictionary("<f8", "(" + QByteArray("1,").repeated(65) + ")"), eight),
            "query: has more than 64 axes");
        row("unknown type", npy(dictionary("<q9", "(1,)"), eight),
            "query: holds elements of type '<q9', expected bool, integers");
        row("no type", npy(dictionary("", "(1,)"), eight), "query: holds elements of type ''");
        row("objects", file("object"),
            "query: holds Python objects (pickled), which could run code when read; save it as numbers");
        row("complex", file("complex"), "query: holds complex numbers ('<c16'), expected real ones");
        row("unicode", file("unicode"), "query: holds text ('<U4'), expected numbers");
        row("bytes", file("bytes"), "query: holds text ('|S4'), expected numbers");
        row("records", file("record"), "query: holds records (several fields in one element)");
        row("raw", file("raw"),
            "query: holds records or raw bytes ('|V2'), expected numbers; save bfloat16 as float32");
        row("dates", file("datetime"), "query: holds dates or times ('<M8[D]')");
        row("long double", file("longdouble"), "query: holds elements of type '<f16'");
        row("above 2^53", file("int64_beyond"),
            "query: element 1 is 9007199254740993; integers beyond 2^53 cannot be held exactly");
        row("below -2^53", file("int64_below"), "query: element 0 is -9007199254740993");
        row("unsigned above 2^53", file("uint64_beyond"), "query: element 0 is 18446744073709551615");
    }
    /// The type that numpy.save writes for an array of ml_dtypes.bfloat16.
    void bfloat16IsRead() {
        const QByteArray numbers("\x80\x3f\x40\xc0\x00\x3e\x80\x7f", 8); // 1, -3, 0.125, infinity
        const auto little = read(npy(dictionary("<V2", "(4,)"), numbers));
        QCOMPARE(little, Tensor({4}, {1.0, -3.0, 0.125, std::numeric_limits<double>::infinity()}, DType::BFloat16));
        auto turned = numbers;
        for (qsizetype k = 0; k < turned.size(); k += 2)
            std::swap(turned[k], turned[k + 1]);
        QCOMPARE(read(npy(dictionary(">V2", "(4,)"), turned)), little);
    }

    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(bytes); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    void everyCutIsAnError() {
        const auto whole = data_bytes("float64.npy");
        QVERIFY(!whole.isEmpty());
        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY2(!error_of([&] { read(whole.left(length)); }).isEmpty(), qPrintable(QString::number(length)));
    }

    void writesWhatNumpyWrites_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"float64.npy", "int64.npy", "bool.npy"})
            QTest::newRow(file) << QString(file);
    }
    void writesWhatNumpyWrites() {
        QFETCH(QString, file);
        const auto bytes = data_bytes(file.toStdString());
        QCOMPARE(QByteArray::fromStdString(io::write_npy(read(bytes))), bytes);
    }

    void roundTrip_data() {
        QTest::addColumn<Tensor>("tensor");
        QTest::addColumn<int>("dtype");
        const double nan = std::bit_cast<double>(0xfff8000000000123u);
        QTest::newRow("special values") << Tensor({2, 3}, {-0.0, nan, infinity, -infinity, 5e-324, 0.1})
                                        << int(DType::Float64);
        QTest::newRow("scalar") << Tensor(Shape{}, std::vector{2.5}) << int(DType::Float64);
        QTest::newRow("empty") << Tensor({2, 0, 3}) << int(DType::Float64);
        QTest::newRow("rank 5") << Tensor({1, 2, 1, 2, 1}, {1, 2, 3, 4}) << int(DType::Float64);
        QTest::newRow("bool") << Tensor({3}, {1, 0, 1}, DType::Bool) << int(DType::Bool);
        QTest::newRow("int64") << Tensor({3}, {-9007199254740992.0, 0, 9007199254740992.0}, DType::Int64)
                               << int(DType::Int64);
        QTest::newRow("float32") << Tensor({1}, 0.1f, DType::Float32) << int(DType::Float64);
        QTest::newRow("bool edited to a number") << Tensor({2}, {1, 0.5}, DType::Bool) << int(DType::Float64);
        QTest::newRow("negative zero among integers") << Tensor({2}, {1, -0.0}, DType::Int64) << int(DType::Float64);
        QTest::newRow("negative zero among bools") << Tensor({2}, {1, -0.0}, DType::Bool) << int(DType::Float64);
        QTest::newRow("integers edited to others") << Tensor({2}, {1, infinity}, DType::Int64) << int(DType::Float64);
    }
    void roundTrip() {
        QFETCH(Tensor, tensor);
        QFETCH(int, dtype);
        const auto bytes = QByteArray::fromStdString(io::write_npy(tensor));
        QVERIFY(same_bits(read(bytes), tensor.with_dtype(static_cast<DType>(dtype))));
        QCOMPARE(bytes.indexOf('\n') % 64, 63);
    }

    void limitsAreTheCallers() {
        const auto bytes = QByteArray::fromStdString(io::write_npy(Tensor({10})));
        QVERIFY(error_of([&] { io::read_npy(as_span(bytes), "query", {10, 80}); }).isEmpty());
        QVERIFY(!error_of([&] { io::read_npy(as_span(bytes), "query", {9, 80}); }).isEmpty());
        QVERIFY(!error_of([&] { io::read_npy(as_span(bytes), "query", {10, 79}); }).isEmpty());
    }
};

ATTNLAB_TEST(TestNpy)
#include "test_npy.moc"
