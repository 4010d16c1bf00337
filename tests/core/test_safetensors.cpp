#include "core/io/npz.h"
#include "tests/core/safetensors_support.h"
#include "tests/places.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The value of a 16-bit float.
double float16_value(unsigned bits, int exponent_bits) {
    const int mantissa_bits = 15 - exponent_bits;
    const int most = (1 << exponent_bits) - 1;
    const double sign = bits >> 15 ? -1.0 : 1.0;
    const int exponent = static_cast<int>(bits >> mantissa_bits) & most;
    const double mantissa = bits & ((1u << mantissa_bits) - 1);
    if (exponent == most)
        return mantissa == 0.0 ? sign * infinity : not_a_number;
    const int lowest = 2 - (1 << (exponent_bits - 1)) - mantissa_bits;
    return sign * (exponent == 0 ? std::ldexp(mantissa, lowest)
                                 : std::ldexp(std::ldexp(1.0, mantissa_bits) + mantissa, lowest + exponent - 1));
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void everyTypeFromBytes_data() {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<Tensor>("expected");
        const auto row = [](const char* dtype, const char* hex, std::vector<double> values, DType tag) {
            const auto count = static_cast<std::int64_t>(values.size());
            QTest::newRow(dtype) << QByteArray(hex) << Tensor({count}, std::move(values), tag);
        };
        row("BOOL", "00 01", {0, 1}, DType::Bool);
        row("I8", "80 ff 7f", {-128, -1, 127}, DType::Int64);
        row("U8", "80 ff", {128, 255}, DType::Int64);
        row("I16", "0080 ff7f", {-32768, 32767}, DType::Int64);
        row("U16", "0080 ffff", {32768, 65535}, DType::Int64);
        row("I32", "00000080 ffffffff", {-2147483648.0, -1}, DType::Int64);
        row("U32", "00000080 ffffffff", {2147483648.0, 4294967295.0}, DType::Int64);
        row("I64", "000000000000e0ff 0000000000002000", {-0x1p53, 0x1p53}, DType::Int64);
        row("U64", "0000000000002000 0100000000000000", {0x1p53, 1}, DType::Int64);
        row("F16", "003c 0080 0100 ff03 0004 ff7b 007c 00fc 007e",
            {1, -0.0, 0x1p-24, 1023 * 0x1p-24, 0x1p-14, 65504, infinity, -infinity, not_a_number}, DType::Float16);
        row("BF16", "803f 0080 0100 7f00 8000 7f7f 807f 80ff c07f",
            {1, -0.0, 0x1p-133, 127 * 0x1p-133, 0x1p-126, 255 * 0x1p120, infinity, -infinity, not_a_number},
            DType::BFloat16);
        row("F32", "0000803f 00000080 01000000 ffff7f7f 000080ff 0000c07f",
            {1, -0.0, 0x1p-149, double(std::numeric_limits<float>::max()), -infinity, not_a_number}, DType::Float32);
        row("F64", "000000000000f03f 0000000000000080 0100000000000000 000000000000f8ff",
            {1, -0.0, 5e-324, -not_a_number}, DType::Float64);
    }
    void everyTypeFromBytes() {
        QFETCH(QByteArray, hex);
        QFETCH(Tensor, expected);
        const auto shape = "[" + QByteArray::number(static_cast<int>(expected.size())) + "]";
        const auto bytes = single(QTest::currentDataTag(), shape, QByteArray::fromHex(hex));
        QVERIFY(same_bits(read(bytes).at("w"), expected));
    }

    void everyPatternOf16Bits_data() {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("exponent_bits");
        QTest::newRow("F16") << QByteArray("F16") << int(DType::Float16) << 5;
        QTest::newRow("BF16") << QByteArray("BF16") << int(DType::BFloat16) << 8;
    }
    void everyPatternOf16Bits() {
        QFETCH(QByteArray, type);
        QFETCH(int, dtype);
        QFETCH(int, exponent_bits);
        QByteArray data(2 * 65536, '\0');
        for (unsigned bits = 0; bits < 65536; ++bits)
            qToLittleEndian(static_cast<quint16>(bits), data.data() + 2 * bits);
        const auto tensor = read(single(type, "[65536]", data)).at("w");
        QCOMPARE(int(tensor.dtype()), dtype);
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const double value = tensor.values()[bits];
            const double expected = float16_value(bits, exponent_bits);
            const bool equal = std::isnan(expected) ? std::isnan(value) : value == expected;
            QVERIFY2(equal && std::signbit(value) == (bits >= 0x8000), qPrintable(QString::number(bits, 16)));
        }
        // Including payloads of NaN.
        QCOMPARE(written({{"w", tensor}}).right(data.size()), data);
    }

    void readsWhatTheOfficialImplementationWrote_data() {
        QTest::addColumn<Tensor>("expected");
        const auto row = [](const char* name, std::vector<double> values, DType dtype) {
            QTest::newRow(name) << Tensor({2, 3}, std::move(values), dtype);
        };
        // The same numbers as in tests/data/make_fixtures.py.
        row("b1", {0, 1, 1, 0, 0, 1}, DType::Bool);
        row("i1", {0, 1, 2, -128, 127, 7}, DType::Int64);
        row("i2", {0, 1, 2, -32768, 32767, 7}, DType::Int64);
        row("i4", {0, 1, 2, -0x1p31, 0x1p31 - 1, 7}, DType::Int64);
        row("i8", {0, 1, 2, -0x1p53, 0x1p53, 7}, DType::Int64);
        row("u1", {0, 1, 2, 0, 255, 7}, DType::Int64);
        row("u2", {0, 1, 2, 0, 65535, 7}, DType::Int64);
        row("u4", {0, 1, 2, 0, 0x1p32 - 1, 7}, DType::Int64);
        row("u8", {0, 1, 2, 0, 0x1p53, 7}, DType::Int64);
        row("f2", {0.5, -0.0, infinity, 0x1p-24, -65504, not_a_number}, DType::Float16);
        row("bf16", {0.5, -0.0, infinity, 0x1p-133, -255 * 0x1p120, not_a_number}, DType::BFloat16);
        row("f4", {0.5, -0.0, infinity, 0x1p-149, -double(std::numeric_limits<float>::max()), not_a_number},
            DType::Float32);
        row("f8", {0.5, -0.0, infinity, 5e-324, -std::numeric_limits<double>::max(), not_a_number}, DType::Float64);
        std::vector<double> counted(24);
        for (std::size_t i = 0; i < counted.size(); ++i)
            counted[i] = static_cast<double>(i);
        QTest::newRow("cube") << Tensor({2, 3, 4}, counted, DType::Float32);
        QTest::newRow("scalar") << Tensor(Shape{}, std::vector{2.5});
        QTest::newRow("empty") << Tensor({0, 4}, 0.0, DType::Float32);
    }
    void readsWhatTheOfficialImplementationWrote() {
        QFETCH(Tensor, expected);
        const auto tensors = io::read_safetensors(data_path("every_type.safetensors"));
        QCOMPARE(tensors.size(), 16u);
        QVERIFY(same_bits(tensors.at(QTest::currentDataTag()), expected));
    }

    void writesWhatTheOfficialImplementationWrites_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"own_types.safetensors", "no_tensors.safetensors"})
            QTest::newRow(name) << QString(name);
    }
    void writesWhatTheOfficialImplementationWrites() {
        QFETCH(QString, name);
        const auto bytes = data_bytes(name.toStdString());
        QVERIFY(!bytes.isEmpty());
        QCOMPARE(written(read(bytes)), bytes);
    }

    void stateDictIsThatOfTheArchive() {
        const auto expected = io::read_npz(std::string(ATTNLAB_GOLDEN_DIR "/torch_mha_self.in.npz")).tensors;
        const auto tensors = io::read_safetensors(data_path("torch_mha_self.safetensors"));
        QVERIFY(tensors.contains("in_proj_weight") && tensors.contains("out_proj.weight"));
        QCOMPARE(tensors, expected);
    }

    void headersInEveryShape_data() {
        QTest::addColumn<QByteArray>("header");
        const auto w = entry("w", "U8", "[2]", "[0,2]");
        const auto row = [](const char* name, const QByteArray& header) { QTest::newRow(name) << header; };
        row("plain", "{" + w + "}");
        row("padded", "{" + w + "}  \n\t ");
        row("blanks within", "{ \"w\" : { \"shape\" : [ 2 ] , \"data_offsets\" : [ 0 , 2 ] , \"dtype\" : \"U8\" } }");
        row("metadata", "{\"__metadata__\":{\"format\":\"pt\",\"w\":\"{}\"}," + w + "}");
        row("key that no one knows yet", "{\"w\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2],\"x\":1}}");
        row("empty tensors between",
            "{" + entry("a", "F64", "[0]", "[2,2]") + "," + w + "," + entry("z", "F64", "[3,0]", "[0,0]") + "}");
    }
    void headersInEveryShape() {
        QFETCH(QByteArray, header);
        QCOMPARE(read(file(header, "\x05\x07")).at("w"), Tensor({2}, {5, 7}, DType::Int64));
    }

    void tensorsOfSeveralPieces() {
        Tensor tensor({3, 50000}, 0.0, DType::Float32);
        auto values = tensor.mutable_values();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<double>(i);
        const auto bytes = written({{"a", Tensor({1})}, {"w", tensor}});
        QCOMPARE(read(bytes).at("w"), tensor);
        const QTemporaryDir folder;
        put_file(folder.filePath("x"), bytes);
        QCOMPARE(io::read_safetensors(to_path(folder.filePath("x"))).at("w"), tensor);
    }

    void roundTrip_data() {
        QTest::addColumn<Tensor>("tensor");
        QTest::addColumn<int>("dtype");
        const auto row = [](const char* name, std::vector<double> values, DType from, DType to) {
            const auto count = static_cast<std::int64_t>(values.size());
            QTest::newRow(name) << Tensor({count}, std::move(values), from) << int(to);
        };
        const double payload = std::bit_cast<double>(0xfff8000000000123u);
        const double half_payload = std::bit_cast<double>(0xfffd500000000000u);
        using enum DType;
        row("bool", {1, 0}, Bool, Bool);
        row("bool edited to a number", {1, 0.5}, Bool, Float64);
        row("bool edited to negative zero", {1, -0.0}, Bool, Float64);
        row("int64", {-0x1p53, 0, 0x1p53}, Int64, Int64);
        row("int64 edited to a fraction", {0.5}, Int64, Float64);
        row("int64 edited to negative zero", {-0.0}, Int64, Float64);
        row("int64 edited beyond 2^53", {0x1p53 + 2}, Int64, Float64);
        row("int64 edited to infinity", {infinity}, Int64, Float64);
        row("int64 edited to NaN", {not_a_number}, Int64, Float64);
        row("float16", {1, -0.0, 0x1p-24, 65504, -infinity, not_a_number, half_payload}, Float16, Float16);
        row("float16 edited to more digits", {0.1}, Float16, Float64);
        row("float16 edited to more than it reaches", {65536}, Float16, Float64);
        row("float16 edited to less than it reaches", {0x1p-25}, Float16, Float64);
        row("float16 between subnormals", {0x1.8p-24}, Float16, Float64);
        row("float16 with a long payload", {payload}, Float16, Float64);
        row("bfloat16", {1, -0.0, 0x1p-133, 255 * 0x1p120, infinity, not_a_number}, BFloat16, BFloat16);
        row("bfloat16 edited to more digits", {257}, BFloat16, Float64);
        row("bfloat16 edited to more than it reaches", {0x1p128}, BFloat16, Float64);
        row("bfloat16 between subnormals", {0x1.8p-133}, BFloat16, Float64);
        row("bfloat16 edited to less than anything", {5e-324}, BFloat16, Float64);
        row("float32", {0.1f, -0.0, 0x1p-149, 0x1.fffffep127, infinity, not_a_number}, Float32, Float32);
        row("float32 edited to more digits", {0.1}, Float32, Float64);
        row("float32 edited to more than it reaches", {1e300}, Float32, Float64);
        row("float32 between subnormals", {0x1.8p-149}, Float32, Float64);
        row("float64", {0.1, -0.0, 5e-324, 1e308, -infinity, payload}, Float64, Float64);
        row("nothing", {}, BFloat16, BFloat16);
        QTest::newRow("scalar") << Tensor(Shape{}, std::vector{2.5}) << int(Float64);
        QTest::newRow("rank 5") << Tensor({1, 2, 1, 2, 1}, {1, 2, 3, 4}, Float16) << int(Float16);
    }
    void roundTrip() {
        QFETCH(Tensor, tensor);
        QFETCH(int, dtype);
        const auto bytes = written({{"w", tensor}});
        QCOMPARE(qFromLittleEndian<quint64>(bytes.constData()) % 8, quint64{0});
        QVERIFY(same_bits(read(bytes).at("w"), tensor.with_dtype(static_cast<DType>(dtype))));
    }

    void namesOfEveryKind() {
        const TensorMap tensors{{"out_proj.weight", Tensor({1}, 1.0)},
                                {"заголовок", Tensor({1}, 2.0)},
                                {"a \"quoted\" \\ name\n", Tensor({1}, 3.0)},
                                {std::string("a\0b", 3), Tensor({1}, 4.0)},
                                {"../etc/query", Tensor({1}, 5.0)}};
        QCOMPARE(read(written(tensors)), tensors);
    }

    void numbersAreAligned() {
        const auto bytes = written({{"a", Tensor({3}, 1.0, DType::Bool)}, {"b", Tensor({1}, 2.0)}});
        QVERIFY2(bytes.contains("\"data_offsets\":[0,8]},\"a\""), bytes.constData());
        QVERIFY2(bytes.contains("\"data_offsets\":[8,11]}}"), bytes.constData());
    }

    void namesThatCannotBeWritten_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("no name") << QByteArray("") << "x.safetensors: '' cannot be the name of a tensor";
        QTest::newRow("metadata") << QByteArray("__metadata__")
                                  << "x.safetensors: '__metadata__' cannot be the name of a tensor";
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe") << "x.safetensors: the name of a tensor is not UTF-8 text";
    }
    void namesThatCannotBeWritten() {
        QFETCH(QByteArray, name);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.safetensors");
        const auto said = error_of([&] {
            io::write_safetensors(to_path(path), {{"query", Tensor({1})}, {name.toStdString(), Tensor({1})}});
        });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
        QVERIFY(entries(folder.path()).isEmpty());
    }

    void knownByItsBeginning_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("known");
        QTest::newRow("ours") << data_bytes("own_types.safetensors") << true;
        QTest::newRow("no tensors") << data_bytes("no_tensors.safetensors") << true;
        QTest::newRow("length alone") << QByteArray(8, '\0') << false;
        QTest::newRow("table") << QByteArray("1,2,3,4,{5,6") << false;
        QTest::newRow("json") << QByteArray("{\"a\": {\"b\": {}}}") << false;
        QTest::newRow("array") << data_bytes("float64.npy") << false;
        QTest::newRow("archive") << data_bytes("stored.npz") << false;
    }
    void knownByItsBeginning() {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, known);
        QCOMPARE(io::has_safetensors_signature(bytes.left(9).toStdString()), known);
    }
};

ATTNLAB_TEST(TestSafetensors)
#include "test_safetensors.moc"
