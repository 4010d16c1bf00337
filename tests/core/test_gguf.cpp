#include "core/model/weights/gguf_file.h"
#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

template <class Number>
QByteArray number(Number value) {
    return bytes_of(std::vector<Number>{value});
}

QByteArray text(const QByteArray& bytes) { return number<quint64>(static_cast<quint64>(bytes.size())) + bytes; }

QByteArray pair(const QByteArray& key, quint32 type, const QByteArray& value) {
    return text(key) + number<quint32>(type) + value;
}

QByteArray tensor(const QByteArray& name, const std::vector<qint64>& dims, quint32 type, quint64 offset) {
    return text(name) + number<quint32>(static_cast<quint32>(dims.size())) + bytes_of(dims) + number<quint32>(type) +
           number<quint64>(offset);
}

/// A file of these pairs and tensors with `data` bytes of zeros after them.
QByteArray gguf(const std::vector<QByteArray>& pairs, const std::vector<QByteArray>& tensors, int data,
                quint32 version = 3) {
    auto bytes = "GGUF" + number<quint32>(version) + number<quint64>(tensors.size()) + number<quint64>(pairs.size());
    for (const auto& part : pairs)
        bytes += part;
    for (const auto& part : tensors)
        bytes += part;
    return bytes + QByteArray((32 - bytes.size() % 32) % 32 + data, '\0');
}

constexpr quint32 u8 = 0, u32 = 4, boolean = 7, string = 8, array = 9, u64 = 10, f32 = 0, q8_0 = 8;

QByteArray array_of(quint32 type, quint64 count, const QByteArray& items = {}) {
    return number<quint32>(type) + number<quint64>(count) + items;
}

model::GgufHeader header_of(const QByteArray& bytes) {
    return model::read_gguf_header(io::MemoryBytes(as_span(bytes)), "m.gguf");
}

} // namespace

class TestGguf : public QObject {
    Q_OBJECT

private slots:
    void widensAsTheReference_data() {
        QTest::addColumn<QString>("type");
        for (const auto* type :
             {"F64", "F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K", "MXFP4"})
            QTest::newRow(type) << type;
    }
    void widensAsTheReference() {
        QFETCH(QString, type);
        const auto name = type.toStdString();
        const auto file = model::open_gguf(data_path("gguf/types.gguf"));
        const auto expected = model::open_weights(data_path("gguf"));
        const auto& weight = file.weights->at(name, {2, 256});
        QCOMPARE(std::string(model::name_of(weight.type)), name);
        const auto numbers = all_of(weight), wanted = all_of(expected->at(name, {2, 256}));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            QCOMPARE(std::bit_cast<quint32>(numbers[i]), std::bit_cast<quint32>(wanted[i]));
        QCOMPARE(rows_of(weight, 1, 1), std::vector<float>(wanted.begin() + 256, wanted.end()));
        std::vector<float> part(40);
        weight.read_part(1, 37, part);
        QVERIFY(std::equal(part.begin(), part.end(), numbers.begin() + 256 + 37));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, weight.read_part(1, 217, part));
    }

    void readsMetadata() {
        const auto file = model::open_gguf(data_path("gguf/types.gguf"));
        const auto& metadata = file.metadata;
        QCOMPARE(metadata.text("general.architecture"), "llama");
        QCOMPARE(metadata.integer("general.alignment"), 64);
        QCOMPARE(metadata.integer("test.uint8"), 255);
        QCOMPARE(metadata.integer("test.int8"), -128);
        QCOMPARE(metadata.integer("test.uint16"), 65535);
        QCOMPARE(metadata.integer("test.int16"), -32768);
        QCOMPARE(metadata.integer("test.uint32"), 4294967295);
        QCOMPARE(metadata.integer("test.int32"), -2147483648);
        QCOMPARE(metadata.integer("test.uint64"), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(metadata.integer("test.int64"), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(metadata.number("test.float32"), double{0.1F});
        QCOMPARE(metadata.number("test.float64"), 0.1);
        QCOMPARE(metadata.number("test.uint8"), 255.0);
        QCOMPARE(metadata.boolean("test.bool"), true);
        QCOMPARE(metadata.text("test.string"), "猫 \"x\"\n");
        QCOMPARE(metadata.integers("test.integers"), (model::GgufIntegers{1, -2, 3}));
        QCOMPARE(metadata.integers("test.bools"), (model::GgufIntegers{1, 0}));
        QCOMPARE(metadata.numbers("test.numbers"), (model::GgufNumbers{0.5, -0.25}));
        QCOMPARE(metadata.texts("test.texts"), (model::GgufTexts{"a", "", "Ġb"}));
        const auto& nested = std::get<model::GgufArrays>(metadata.find("test.nested")->held);
        QCOMPARE(std::get<model::GgufIntegers>(nested.at(0).held), (model::GgufIntegers{1, 2}));
        QCOMPARE(std::get<model::GgufIntegers>(nested.at(1).held), (model::GgufIntegers{3}));
        QVERIFY(!metadata.has("test.none"));
    }

    void metadataNamesWhatIsMissingOrOfAnotherType() {
        const auto file = model::open_gguf(data_path("gguf/types.gguf"));
        const auto said = [&](auto get) {
            return error_of([&] { get(file.metadata); }).replace(QString::fromStdString(file.metadata.file()), "FILE");
        };
        QCOMPARE(said([](const auto& m) { m.integer("x"); }), "FILE: has no 'x', expected an integer");
        QCOMPARE(said([](const auto& m) { m.text("test.uint8"); }), "FILE: 'test.uint8' is 255, expected text");
        QCOMPARE(said([](const auto& m) { m.integer("test.string"); }),
                 "FILE: 'test.string' is text, expected an integer");
        QCOMPARE(said([](const auto& m) { m.boolean("test.texts"); }),
                 "FILE: 'test.texts' is an array of 3, expected true or false");
        QCOMPARE(said([](const auto& m) { m.texts("test.bool"); }),
                 "FILE: 'test.bool' is true, expected an array of text");
    }

    void turnsDimensions() {
        const auto file = model::open_gguf(data_path("gguf/types.gguf"));
        const auto& weight = file.weights->at("three axes", {2, 3, 4});
        QCOMPARE(rows_of(weight, 4, 1), (std::vector<float>{16, 17, 18, 19}));
        QCOMPARE(file.weights->names().front(), "F64");
        QCOMPARE(file.weights->names().size(), std::size_t{14});
    }

    void refusesOtherTypesWhenTheyAreAskedFor() {
        const auto file = model::open_gguf(data_path("gguf/types.gguf"));
        const auto said = [&](const char* name) { return error_of([&] { file.weights->find(name); }); };
        QVERIFY(said("Q2_K").endsWith("types.gguf: Q2_K: is of type 'Q2_K', which is not read; convert it to Q8_0, or "
                                      "to Q4_K, Q5_K or Q6_K"));
        QVERIFY(said("ids").endsWith("types.gguf: ids: holds elements of type 'I32', expected weights: floats of 16 to "
                                     "64 bits"));
    }

    void readsVersion2() {
        const auto header = header_of(gguf({pair("a", u32, number<quint32>(7))}, {tensor("w", {2, 3}, f32, 0)}, 24, 2));
        QCOMPARE(header.version, 2);
        QCOMPARE(header.metadata.integer("a"), 7);
        QCOMPARE(header.alignment, 32);
        QCOMPARE(header.tensors.at(0).shape, (Shape{3, 2}));
        QVERIFY(header_of(gguf({}, {}, 0)).tensors.empty());
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << QString("m.gguf: ") + message;
        };
        const auto w = [](const std::vector<qint64>& dims, quint32 type = f32, quint64 offset = 0) {
            return tensor("w", dims, type, offset);
        };
        const auto value = [](quint32 type, const QByteArray& bytes) { return gguf({pair("k", type, bytes)}, {}, 0); };
        row("nothing", "", "is not a GGUF file: it does not begin with 'GGUF'");
        row("another file", "PK\3\4 and so on", "is not a GGUF file: it does not begin with 'GGUF'");
        row("pointer of Git", "version https://git-lfs",
            "is not a GGUF file, but may be a pointer to one; 'git lfs pull'");
        row("before GGUF", "tjgg\1\0\0\0", "is in a format of ggml from before GGUF, which is not read");
        row("version 1", gguf({}, {}, 0, 1), "is version 1 of GGUF, expected 2 or 3");
        row("version 4", gguf({}, {}, 0, 4), "is version 4 of GGUF, expected 2 or 3");
        row("big-endian", gguf({}, {}, 0, 0x03000000), "is in big-endian byte order, which is not read");
        row("tensors that are not there", "GGUF" + number<quint32>(3) + number(~quint64{0}) + number<quint64>(0),
            "is cut short or damaged within its header: at byte 16 it announces 18446744073709551615 things of at "
            "least 24 bytes each");
        row("pairs that are not there", "GGUF" + number<quint32>(3) + number<quint64>(0) + number<quint64>(1 << 30),
            "is cut short or damaged within its header: at byte 24 it announces 1073741824 things");
        row("text beyond the file", value(string, number(quint64{1} << 40)),
            "is cut short or damaged within its header");
        row("array beyond the file", value(array, array_of(string, quint64{1} << 60)),
            "is cut short or damaged within its header");
        row("nested array beyond the file", value(array, array_of(array, quint64{1} << 60)),
            "is cut short or damaged within its header");
        QByteArray deep;
        for (int i = 0; i < 100; ++i)
            deep += array_of(array, 1);
        row("deep", value(array, deep), "'k' has arrays that are nested more than 4 deep");
        row("unknown value", value(13, "x"), "'k' has a value of type 13, which is not known");
        row("array of unknown values", value(array, array_of(99, 1, "x")), "'k' has a value of type 99, which is not");
        row("bool of 2", value(boolean, "\2"), "'k' is 2, expected 0 or 1 for a bool");
        row("beyond 64 bits", value(u64, number(~quint64{0})),
            "'k' is 18446744073709551615, expected an integer within 64 bits with a sign");
        row("key twice", gguf({pair("k", u8, "1"), pair("k", u8, "1")}, {}, 0), "key 'k' is there twice");
        const auto aligned = [&](const char* name, quint32 to, const char* said) {
            row(name, gguf({pair("general.alignment", u32, number(to))}, {}, 0), said);
        };
        aligned("alignment 0", 0, "'general.alignment' is 0, expected a power of two of at most 1048576");
        aligned("alignment 48", 48, "'general.alignment' is 48, expected a power of two");
        aligned("alignment 2^31", 1u << 31, "'general.alignment' is 2147483648, expected a power of two");
        row("alignment as text", gguf({pair("general.alignment", string, text("32"))}, {}, 0),
            "'general.alignment' is text, expected an integer");
        row("no name", gguf({}, {tensor("", {1}, f32, 0)}, 4), "holds a tensor without a name");
        row("name twice", gguf({}, {w({1}), w({1}, f32, 32)}, 64), "w: is there twice, expected one tensor of each");
        row("five axes", gguf({}, {w({1, 1, 1, 1, 1})}, 4), "w: has more than 4 axes");
        row("unknown type", gguf({}, {w({1}, 77)}, 4), "w: is of type 77 of ggml, which is not known");
        row("negative size", gguf({}, {w({-1})}, 4), "w: has shape (-1,), expected sizes that are not negative");
        row("product beyond 64 bits", gguf({}, {w({1LL << 40, 1LL << 40})}, 4),
            "which is more than memory can address");
        row("part of a block", gguf({}, {w({48}, q8_0)}, 64),
            "w: has rows of 48 numbers, expected a multiple of 32 for type 'Q8_0'");
        row("offset that is not aligned", gguf({}, {w({1}, f32, 4)}, 32),
            "w: its data begin at byte 4, expected a multiple of the alignment 32");
        row("beyond the file", gguf({}, {w({9})}, 32),
            "w: its 36 bytes begin at byte 0, but only 32 follow the header: the file is cut short");
        row("offset beyond 64 bits", gguf({}, {w({1}, f32, ~quint64{31})}, 32), "but only 32 follow the header");
        row("overlap", gguf({}, {w({9}), tensor("v", {1}, f32, 32)}, 64),
            "v: its data begin at byte 32, expected at least 36: it overlaps another tensor");
        row("the same twice", gguf({}, {w({1}), tensor("v", {1}, f32, 0)}, 64), "it overlaps another tensor");
    }
    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto said = error_of([&] { header_of(bytes); });
        QVERIFY2(said.contains(message.mid(8)) && said.startsWith("m.gguf: "), qPrintable("says: " + said));
    }

    void everyCutIsAnError() {
        const auto whole = gguf({pair("k", array, array_of(string, 2, text("a") + text("b")))},
                                {tensor("w", {2}, f32, 0), tensor("v", {32}, q8_0, 32)}, 66);
        header_of(whole);
        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY2(!error_of([&] { header_of(whole.left(length)); }).isEmpty(), qPrintable(QString::number(length)));
    }

    void refusesPartsOfAModel() {
        const ModelFolder folder("m.gguf", gguf({pair("split.count", u32, number<quint32>(3))}, {}, 0));
        QVERIFY(error_of([&] {
                    model::open_gguf(to_path(folder.path("m.gguf")));
                }).endsWith("m.gguf: is one of 3 files of a model; join them with gguf-split of llama.cpp"));
    }
};

ATTNLAB_TEST(TestGguf)
#include "test_gguf.moc"
