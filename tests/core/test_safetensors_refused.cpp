#include "tests/core/safetensors_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TestSafetensorsRefused : public QObject {
    Q_OBJECT

private slots:
    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << QString("f.safetensors: ") + message;
        };
        const QByteArray four(4, '\0');
        const auto header = [&](const QByteArray& members) { return file("{" + members + "}", four); };
        const auto w = [&](const QByteArray& members) { return header("\"w\":{" + members + "}"); };
        const auto fixture = [](const char* name) {
            return data_bytes(std::string("refused/") + name + ".safetensors");
        };
        const auto declared = [](quint64 length, const QByteArray& rest) {
            auto bytes = file({}, rest);
            qToLittleEndian(length, bytes.data());
            return bytes;
        };
        const auto u8 = [](const char* name, const char* shape, const char* offsets) {
            return entry(name, "U8", shape, offsets);
        };
        row("nothing", "", "is cut short within its header: has 0 bytes, expected at least 8");
        row("no length", "1234567", "is cut short within its header: has 7 bytes, expected at least 8");
        row("header cut short", single("U8", "[4]", four).left(20),
            "is cut short within its header: has 20 bytes, expected at least 61");
        row("header beyond 100 MB", declared(100'000'001, "{}"),
            "is not a safetensors file: its header would take 100000001 bytes, expected at most 100000000");
        row("header of 100 MB that is not there", declared(100'000'000, "{}"),
            "is cut short within its header: has 10 bytes, expected at least 100000008");
        row("header of 2^64 - 1 bytes", declared(~quint64{0}, "{}"),
            "is not a safetensors file: its header would take");
        row("pointer of Git", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "is not a safetensors file, but may be a pointer to one; 'git lfs pull' fetches it");
        row("no header", file(""), "is not a safetensors file: its header does not begin with '{'");
        row("blank before the header", file(" {}"), "is not a safetensors file: its header does not begin with '{'");
        row("list", file("[]"), "is not a safetensors file: its header does not begin with '{'");
        row("broken header", file("{\"w\":}"), "header: is not valid JSON near byte 6");
        row("text after the header", file("{}x"), "header: is not valid JSON near byte 3");
        row("NUL after the header", file(QByteArray("{}\0\0", 4)), "header: is not valid JSON near byte 3");
        row("comment", file("{/**/}"), "header: is not valid JSON near byte 2");
        row("no UTF-8", file("{\"\xff\":1}"), "header: is not valid JSON near byte 3");
        row("deep", file("{\"w\":" + QByteArray(100, '[')), "header: is nested more than 64 levels deep");
        row("duplicate", header(u8("w", "[4]", "[0,4]") + "," + u8("w", "[4]", "[0,4]")),
            "header: key 'w' is there twice");
        row("duplicate within a tensor", w("\"dtype\":\"U8\",\"dtype\":\"I8\""), "header: key 'dtype' is there twice");
        row("duplicate in another spelling", header(u8("w", "[2]", "[0,2]") + "," + u8("\\u0077", "[2]", "[2,4]")),
            "header: key 'w' is there twice");
        row("metadata as text", header("\"__metadata__\":\"pt\""),
            "header: '__metadata__' is \"pt\", expected an object");
        row("metadata with a number", header("\"__metadata__\":{\"step\":1}"),
            "header: '__metadata__.step' is 1, expected text");
        row("no name", header(u8("", "[4]", "[0,4]")), "holds a tensor without a name");
        row("tensor as list", header("\"w\":[]"), "header: 'w' is [], expected an object");
        row("no dtype", w("\"shape\":[4],\"data_offsets\":[0,4]"), "w: 'dtype' is missing");
        row("no shape", w("\"dtype\":\"U8\",\"data_offsets\":[0,4]"), "w: 'shape' is missing");
        row("no offsets", w("\"dtype\":\"U8\",\"shape\":[4]"), "w: 'data_offsets' is missing");
        row("dtype as number", w("\"dtype\":8,\"shape\":[4],\"data_offsets\":[0,4]"),
            "header: 'w.dtype' is 8, expected text");
        row("unknown dtype", single("u8", "[4]", four), "w: holds elements of type 'u8', expected bool, integers of 8");
        row("no type", single("", "[4]", four), "w: holds elements of type '', expected bool");
        row("float8", fixture("float8"),
            "w: holds elements of type 'F8_E4M3', expected bool, integers of 8 to 64 bits");
        row("complex", fixture("complex"), "w: holds complex numbers ('C64'), expected real ones");
        row("above 2^53", fixture("int64_beyond"), "w: element 1 is 9007199254740993; integers beyond 2^53 cannot");
        row("below -2^53", fixture("int64_below"), "w: element 0 is -9007199254740993; integers beyond");
        row("unsigned above 2^53", fixture("uint64_beyond"), "w: element 0 is 18446744073709551615; integers beyond");
        row("shape as number", header(u8("w", "4", "[0,4]")), "header: 'w.shape' is 4, expected a list");
        row("real size", header(u8("w", "[4.0]", "[0,4]")),
            "header: 'w.shape[0]' is 4.0, expected an integer of 64 bits");
        row("size beyond 64 bits", header(u8("w", "[1,9223372036854775808]", "[0,4]")),
            "header: 'w.shape[1]' is 9223372036854775808, expected an integer of 64 bits");
        row("negative size", header(u8("w", "[-4]", "[0,4]")),
            "w: has shape (-4,), expected sizes that are not negative");
        row("product beyond 64 bits", header(u8("w", "[4294967296,4294967296]", "[0,0]")),
            "w: has shape (4294967296, 4294967296), which is more than memory can address");
        row("huge beside a zero", header(u8("w", "[0,4611686018427387904]", "[0,0]")),
            "w: has shape (0, 4611686018427387904), which is more than memory can address");
        row("beyond the limit", header(u8("w", "[1073741825]", "[0,1073741825]")),
            "w: has shape (1073741825,), which is 1073741825 numbers; at most 1073741824 may be read");
        row("too many axes", header(u8("w", ("[1" + QByteArray(",1").repeated(64) + "]").constData(), "[0,1]")),
            "w: has more than 64 axes");
        QByteArray many;
        for (int i = 0; i < 400'000; ++i)
            many += "\"t" + QByteArray::number(i) + "\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]},";
        row("too many values", file("{" + many.chopped(1) + "}"), "header: holds more than 2097152 values");
        const auto offsets = [&](const char* name, const char* text) {
            const auto said =
                QString("header: 'w.data_offsets' is %1, expected where its data begin and end, as two integers");
            row(name, header(u8("w", "[4]", text)), qPrintable(said.arg(text)));
        };
        offsets("offsets as number", "4");
        offsets("one offset", "[4]");
        offsets("three offsets", "[0,4,4]");
        offsets("offsets in the wrong order", "[4,0]");
        offsets("negative offset", "[-4,0]");
        row("offset as text", header(u8("w", "[4]", "[0,\"4\"]")),
            "header: 'w.data_offsets[1]' is \"4\", expected an integer");
        row("too few bytes for the shape", header(u8("w", "[5]", "[0,4]")),
            "w: has 4 bytes of numbers, expected 5 for shape (5,) of type 'U8'");
        row("too many bytes for the type", header(entry("w", "F16", "[1]", "[0,4]")),
            "w: has 4 bytes of numbers, expected 2 for shape (1,) of type 'F16'");
        row("data cut short", single("F32", "[1]", four).chopped(1),
            "w: its data end at byte 4, but only 3 follow the header: the file is cut short");
        row("far beyond the data", header(u8("a", "[4]", "[0,4]") + "," + u8("w", "[1]", "[9000000000,9000000001]")),
            "w: its data begin at byte 9000000000, expected 4: there is a gap before it");
        row("gap at the beginning", header(u8("w", "[2]", "[2,4]")),
            "w: its data begin at byte 2, expected 0: there is a gap before it");
        row("gap between", header(u8("a", "[1]", "[0,1]") + "," + u8("w", "[2]", "[2,4]")),
            "w: its data begin at byte 2, expected 1: there is a gap before it");
        row("gap at the end", header(u8("w", "[3]", "[0,3]")),
            "has 4 bytes after its header, expected the 3 of its tensors");
        row("data without a tensor", file("{}", four), "has 4 bytes after its header, expected the 0 of its tensors");
        row("overlap", header(u8("a", "[3]", "[0,3]") + "," + u8("w", "[2]", "[2,4]")),
            "w: its data begin at byte 2, expected 3: it overlaps another tensor");
        row("one within the other", header(u8("a", "[4]", "[0,4]") + "," + u8("w", "[1]", "[1,2]")),
            "w: its data begin at byte 1, expected 4: it overlaps another tensor");
        row("the same twice", header(u8("a", "[4]", "[0,4]") + "," + u8("w", "[4]", "[0,4]")),
            "w: its data begin at byte 0, expected 4: it overlaps another tensor");
        row("empty tensor within another", header(u8("a", "[4]", "[0,4]") + "," + u8("w", "[0]", "[2,2]")),
            "w: its data begin at byte 2, expected 4: it overlaps another tensor");
    }
    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(bytes); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    void everyCutIsAnError() {
        const auto whole = data_bytes("own_types.safetensors");
        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY2(!error_of([&] { read(whole.left(length)); }).isEmpty(), qPrintable(QString::number(length)));
        QVERIFY(!error_of([&] { read(whole + '\0'); }).isEmpty());
    }

    void errorsNameTheFile() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.safetensors");
        QVERIFY(error_of([&] { io::read_safetensors(to_path(path)); }).startsWith(path + ": no such file"));
        put_file(path, single("F32", "[1]", "123"));
        QVERIFY(error_of([&] { io::read_safetensors(to_path(path)); }).startsWith(path + ": w: has 3 bytes"));
    }

    void limitsHoldForAllTensorsTogether() {
        const auto bytes = written({{"a", Tensor({200}, 1.0, DType::Bool)}, {"b", Tensor({200}, 2.0)}});
        QVERIFY(error_of([&] { read(bytes, {200, 3200}); }).isEmpty());
        QVERIFY(error_of([&] { read(bytes, {200, 3199}); }).contains("f.safetensors: a: has shape (200,)"));
        QVERIFY(error_of([&] { read(bytes, {199, 3200}); }).contains("f.safetensors: b: has shape (200,)"));
    }
};

ATTNLAB_TEST(TestSafetensorsRefused)
#include "test_safetensors_refused.moc"
