// Archives and pickles that torch.save would not write: an error with the position, without allocating the claimed
// memory.
#include "tests/core/torch_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::test::torch;

namespace {

constexpr qint64 tera = qint64{1} << 40;
constexpr qint64 huge = std::numeric_limits<qint64>::max();
constexpr qint64 lowest = std::numeric_limits<qint64>::min();

QByteArray one(const QByteArray& value) { return torch_file(dictionary({{"w", value}})); }

QByteArray bytes_storage(qint64 count) {
    return tuple({text("storage"), global("torch.storage", "UntypedStorage"), text("0"), text("cpu"),
                  long_number(count)}) +
           "Q";
}

QByteArray typed_tensor(const QByteArray& of_storage, const QByteArray& type, const QList<qint64>& shape,
                        const QList<qint64>& strides) {
    return called(global("torch._utils", "_rebuild_tensor_v3"),
                  {of_storage, number(0), sizes(shape), sizes(strides), QByteArray("\x89"), QByteArray("N"),
                   global("torch", type)});
}

QByteArray numpy_array(const QList<qint64>& shape, const QByteArray& code, const QByteArray& held) {
    const auto type = called(global("numpy", "dtype"), {text(code)});
    return called(global("numpy._core.numeric", "_frombuffer"),
                  {"B" + little(static_cast<quint32>(held.size())) + held, type, sizes(shape), text("C")});
}

} // namespace

class TestTorchRefused : public QObject {
    Q_OBJECT
private slots:
    void whatTheOthersAreMadeOfIsRead() {
        const auto file = read(one(tensor(storage(), 1, {2, 1}, {2, 1})));
        QCOMPARE(file.tensors.at(0).second, Tensor({2, 1}, {1.5, 3.5}, DType::Float32));
        const auto typed = read(one(typed_tensor(bytes_storage(16), "uint32", {1}, {1})));
        QCOMPARE(typed.tensors.at(0).second, Tensor({1}, 0x3f000000, DType::Int64));
        const auto array = read(one(numpy_array({2}, "u1", "\x01\x02")));
        QCOMPARE(array.tensors.at(0).second, Tensor({2}, {1, 2}, DType::Int64));
    }

    void tensors_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& value, const char* message) {
            QTest::newRow(name) << value << message;
        };
        const char* out = "f.pt: w: reaches out of its storage of 4 numbers";
        row("one too many", tensor(storage(), 0, {5}, {1}), out);
        row("offset at the end", tensor(storage(), 4, {1}, {1}), out);
        row("offset beyond", tensor(storage(), huge, {1}, {1}), out);
        row("offset below", tensor(storage(), -1, {1}, {1}), out);
        row("lowest offset", tensor(storage(), lowest, {2}, {1}), out);
        row("stride too long", tensor(storage(), 0, {2, 2}, {3, 1}), out);
        row("stride of everything", tensor(storage(), 0, {2, 2}, {huge, huge}), out);
        row("strides that come round", tensor(storage(), 0, {3, 3}, {tera * 4194304, tera * 4194304}), out);
        row("scalar of nothing", tensor(storage(), 7, {}, {}), out);
        row("terabytes", tensor(storage(), 0, {tera}, {1}), out);
        row("negative size", tensor(storage(), 0, {-1}, {1}),
            "f.pt: w: has shape (-1,), expected sizes that are not negative");
        row("sizes that come round", tensor(storage(), 0, {tera, tera}, {0, 0}), "is more than memory can address");
        row("behind a zero", tensor(storage(), 0, {0, tera, tera}, {0, 0, 0}), "is more than memory can address");
        row("negative stride", tensor(storage(), 3, {4}, {-1}), "f.pt: w: has strides (-1,) for shape (4,), expected");
        row("too few strides", tensor(storage(), 0, {2, 2}, {1}),
            "f.pt: w: has strides (1,) for shape (2, 2), expected");
        row("too many strides", tensor(storage(), 0, {4}, {1, 1}), "has strides (1, 1) for shape (4,), expected");
        row("many axes", tensor(storage(), 0, QList<qint64>(65, 1), QList<qint64>(65, 1)), "has more than 64 axes");
        row("repeated without end", tensor(storage(), 0, {tera}, {0}), "which is 1099511627776 numbers; at most");
        row("repeated often", tensor(storage(4, "IntStorage"), 0, {1 << 28}, {0}),
            "repeats the numbers of its storage");
        row("storage too long", tensor(storage(5), 0, {4}, {1}),
            "f.pt: w: its storage 'data/0' has 16 bytes, expected 5 numbers of 4");
        row("storage too short", tensor(storage(3), 0, {3}, {1}), "has 16 bytes, expected 3 numbers of 4");
        row("storage of terabytes", tensor(storage(huge), 0, {1}, {1}), "has 16 bytes, expected 9223372036854775807");
        row("wider storage", tensor(storage(4, "DoubleStorage"), 0, {4}, {1}), "has 16 bytes, expected 4 numbers of 8");
        row("storage of bytes", typed_tensor(bytes_storage(15), "int32", {1}, {1}), "has 16 bytes, expected 15");
        row("missing storage", tensor(storage(4, "FloatStorage", "1"), 0, {4}, {1}),
            "f.pt: w: its numbers should be in 'f/data/1', which is not in the archive");
        row("storage elsewhere", tensor(storage(4, "FloatStorage", "../data.pkl"), 0, {4}, {1}),
            "should be in 'f/data/../data.pkl', which is not in the archive");
        row("array of more", numpy_array({3}, "f8", "12345678"), "f.pt: w: has 8 bytes of numbers, expected 24");
        row("array of terabytes", numpy_array({tera}, "u1", "1"), "has 1 bytes of numbers, expected 1099511627776");
        row("array of no type", numpy_array({1}, "V8", "12345678"), "holds elements of type 'V8', expected");
        row("array of text", numpy_array({1}, "U2", "12345678"), "holds elements of type 'U2', expected");
        row("array without numbers",
            called(global("numpy._core.multiarray", "_reconstruct"),
                   {global("numpy", "ndarray"), tuple({number(0)}), text("b")}),
            "f.pt: w: is damaged: an array without shape and numbers");
    }
    void tensors() {
        QFETCH(QByteArray, value);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(one(value)); });
        QVERIFY2(said.startsWith("f.pt: ") && said.contains(message), qPrintable("says: " + said));
    }

    /// A hundred million repetitions of one number take no memory while file-backed.
    void aLargeRepeatedArrayTakesNoMemory() {
        const auto file = read(one(tensor(storage(), 1, {100, 1000000}, {0, 0})));
        const auto& repeated = file.tensors.at(0).second;
        QVERIFY(!repeated.in_memory());
        QCOMPARE(repeated.value(99999999), 1.5);
    }

    /// Each view is small, and so is the file; all together exceed the limits.
    void manyViewsOfOneStorage() {
        QList<QPair<QByteArray, QByteArray>> views;
        for (int i = 0; i < 100; ++i)
            views << QPair<QByteArray, QByteArray>(QByteArray::number(i),
                                                   tensor(storage(), 0, {1000 + i, 1000}, {0, 0}));
        const auto file = torch_file(dictionary(views));
        QVERIFY(error_of([&] {
                    read(file, {.max_bytes = 100 << 20});
                }).contains("bytes in memory, 8 for a number; at most 104857600"));
    }

    void archives_data() {
        QTest::addColumn<QList<Member>>("members");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QList<Member>& members, const char* message) {
            QTest::newRow(name) << members << message;
        };
        const Member good{"f/data.pkl", pickle(dictionary({{"w", tensor(storage(), 0, {4}, {1})}}))};
        const Member numbers{"f/data/0", four_floats()};
        row("pickle twice", {good, numbers, good}, "f.pt: f/data.pkl: is there twice");
        row("numbers twice", {good, numbers, numbers}, "f.pt: f/data/0: is there twice");
        row("no pickle", {numbers}, "f.pt: is a zip archive without 'f/data.pkl'");
        row("pickle elsewhere", {numbers, {"g/data.pkl", good.bytes}}, "is a zip archive without 'f/data.pkl'");
        row("nothing", {}, "is a zip archive without 'data.pkl'");
        row("compressed numbers", {good, {"f/data/0", four_floats(), 8}},
            "f.pt: f/data/0: is compressed or damaged, expected a member that is stored as it is");
        row("compressed pickle", {{"f/data.pkl", good.bytes, 8}}, "f.pt: f/data.pkl: is compressed or damaged");
        row("encrypted", {good, {"f/data/0", four_floats(), 0, 1}}, "f.pt: f/data/0: is encrypted");
        row("byte order", {good, numbers, {"f/byteorder", "middle"}},
            "f.pt: says that its byte order is 'middle', expected 'little' or 'big'");
        row("empty pickle", {{"f/data.pkl", ""}, numbers}, "f.pt: data.pkl: is cut short in its instruction at byte 0");
        row("TorchScript", {good, numbers, {"f/constants.pkl", ""}}, "f.pt: is a TorchScript program");
        row("a program", {good, numbers, {"f/code/x.py", ""}, {"f/constants.pkl", ""}},
            "f.pt: is a TorchScript program");
    }
    void archives() {
        QFETCH(QList<Member>, members);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(zip_of(members)); });
        QVERIFY2(said.startsWith("f.pt: ") && said.contains(message), qPrintable("says: " + said));
    }

    void bigEndianNumbers() {
        auto swapped = four_floats();
        for (int i = 0; i < swapped.size(); i += 4)
            std::reverse(swapped.begin() + i, swapped.begin() + i + 4);
        const auto file = read(zip_of(
            {{"f/data.pkl", pickle(tensor(storage(), 0, {4}, {1}))}, {"f/data/0", swapped}, {"f/byteorder", "big"}}));
        QCOMPARE(file.tensors.at(0).second, Tensor({4}, {0.5, 1.5, 2.5, 3.5}, DType::Float32));
    }

    void names_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& value, const char* message) {
            QTest::newRow(name) << value << message;
        };
        const auto w = tensor(storage(), 0, {4}, {1});
        row("same key", dictionary({{"w", w}, {"w", w}}), "f.pt: holds two tensors that would be called 'w'");
        row("same name", dictionary({{"a.b", w}, {"a", dictionary({{"b", w}})}}), "tensors that would be called 'a.b'");
        row("no name", dictionary({{"", w}}), "f.pt: holds a tensor without a name");
        row("long key", dictionary({{QByteArray(1001, 'k'), w}}),
            "holds a dictionary whose keys are not names: it has");
        row("list as key", dictionary({{"a", "}]" + w + "s"}}), "holds a dictionary whose keys are not names: a has");
        row("nested tuple as key", "})\x85" + w + "s", "holds a dictionary whose keys are not names");
        row("deep", QByteArray(100000, ']') + QByteArray(99999, 'a'), "nested more than 64 deep, or within themselves");
        row("within itself", QByteArray("]q\0(h\0h\0e", 9), "nested more than 64 deep, or within themselves");
        row("within itself as a value", QByteArray("}q\0X\1\0\0\0ah\0s", 12), "nested more than 64 deep");
        row("within itself as a key", QByteArray("}q\0h\0Ns", 7), "holds a dictionary whose keys are not names");
    }
    void names() {
        QFETCH(QByteArray, value);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(torch_file(value)); });
        QVERIFY2(said.startsWith("f.pt: ") && said.contains(message), qPrintable("says: " + said));
    }

    void readsTheFormatBefore16() {
        const LegacyFile file{.value =
                                  dictionary({{"w", tensor(legacy_storage(), 1, {2, 1}, {2, 1})},
                                              {"none", tensor(legacy_storage(0, "HalfStorage", "1"), 0, {0}, {1})}}),
                              .keys = "](" + text("0") + text("1") + "e",
                              .storages = little<qint64>(4) + four_floats() + little<qint64>(0)};
        const auto found = read(file.bytes());
        QCOMPARE(found.tensors.at(0).second, Tensor({2, 1}, {1.5, 3.5}, DType::Float32));
        QCOMPARE(found.tensors.at(1).second.shape(), Shape{0});
        // The function of the first versions, which has four arguments.
        const auto old = called(global("torch._utils", "_rebuild_tensor"),
                                {legacy_storage(), number(0), sizes({2, 2}), sizes({1, 2})});
        QCOMPARE(read(LegacyFile{old}.bytes()).tensors.at(0).second,
                 Tensor({2, 2}, {0.5, 2.5, 1.5, 3.5}, DType::Float32));
    }

    /// The keys and the numbers, after a pickle that is longer than the piece in which the file is read.
    void findsTheEndOfALongPickle_data() {
        QTest::addColumn<int>("length");
        for (const int length : {65000, 65536, 70000, 300000})
            QTest::addRow("%d", length) << length;
    }
    void findsTheEndOfALongPickle() {
        QFETCH(int, length);
        for (int more = 0; more < 40; ++more) {
            const auto long_text = text(QByteArray(length + more * 37, 'x'));
            const LegacyFile file{dictionary({{"note", long_text}, {"w", tensor(legacy_storage(), 0, {4}, {1})}})};
            QCOMPARE(read(file.bytes()).tensors.at(0).second, Tensor({4}, {0.5, 1.5, 2.5, 3.5}, DType::Float32));
        }
    }

    void refusesAnyBeginningOfTheFormatBefore16() {
        const LegacyFile file{dictionary({{"w", tensor(legacy_storage(), 0, {4}, {1})}})};
        const auto whole = file.bytes();
        for (qsizetype size = 0; size < whole.size(); ++size)
            QVERIFY2(!error_of([&] { read(whole.first(size)); }).isEmpty(), qPrintable(QString::number(size)));
        QCOMPARE(read(whole).tensors.size(), std::size_t{1});
    }

    void formatBefore16_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const LegacyFile& file, const char* message) {
            QTest::newRow(name) << file.bytes() << message;
        };
        const auto w = dictionary({{"w", tensor(legacy_storage(), 0, {4}, {1})}});
        const LegacyFile whole{w};
        const char* cut[] = {"is a Python pickle",
                             "is cut short in its instruction",
                             "is cut short in its instruction",
                             "is cut short in its instruction",
                             "is cut short in its instruction",
                             "is cut short: its storage '0' should have 4 elements of 4 bytes, but only 15 bytes"};
        QByteArray before;
        for (qsizetype part = 0; part < whole.parts().size(); ++part) {
            const auto bytes = whole.parts()[part];
            QTest::addRow("part %d cut short", static_cast<int>(part)) << before + bytes.chopped(1) << cut[part];
            before += bytes;
        }
        row("no numbers", {.value = w, .storages = "1234567"}, "f.pt: is cut short before its storage '0'");
        row("other version", {.value = w, .version = number(1002)}, "is in a version of PyTorch's format");
        row("no version", {.value = w, .version = text("x")}, "is in a version of PyTorch's format");
        row("big-endian", {.value = w, .machine = dictionary({{"little_endian", "\x89"}})},
            "was not written by a little-endian machine");
        row("no machine", {.value = w, .machine = "N"}, "was not written by a little-endian machine");
        row("no key", {.value = w, .keys = "]", .storages = ""},
            "f.pt: w: its numbers should be in the storage '0', which is not in the file");
        row("other key", {.value = w, .keys = "](" + text("1") + "e"},
            "lists a storage '1' of which its objects say neither size nor type");
        row("key twice",
            {.value = w,
             .keys = "](" + text("0") + text("0") + "e",
             .storages = (little<qint64>(4) + four_floats()).repeated(2)},
            "f.pt: lists its storage '0' twice");
        row("key of no text", {.value = w, .keys = "](" + number(0) + "e"}, "are not a list of texts");
        row("no list", {.value = w, .keys = text("0")}, "are not a list of texts");
        row("fewer elements", {.value = w, .storages = little<qint64>(3) + four_floats()},
            "f.pt: its storage '0' has 3 elements, expected 4");
        row("terabytes", {.value = w, .storages = little<qint64>(huge) + four_floats()},
            "has 9223372036854775807 elements, expected 4");
        row("negative", {.value = w, .storages = little<qint64>(-1) + four_floats()}, "elements, expected 4");
        row("declared terabytes",
            {.value = dictionary({{"w", tensor(legacy_storage(huge), 0, {4}, {1})}}),
             .storages = little<qint64>(huge) + four_floats()},
            "is cut short: its storage '0' should have 9223372036854775807 elements of 4 bytes");
        row("reaches out", {.value = dictionary({{"w", tensor(legacy_storage(), 0, {5}, {1})}})},
            "f.pt: w: reaches out of its storage of 4 numbers");
        row("two sizes",
            {.value = dictionary(
                 {{"w", tensor(legacy_storage(), 0, {4}, {1})}, {"v", tensor(legacy_storage(3), 0, {3}, {1})}})},
            "describes its storage '0' in two ways: as 4 elements of 'torch.FloatStorage' and as 3 of");
        row("two types",
            {.value = dictionary({{"w", tensor(legacy_storage(), 0, {4}, {1})},
                                  {"v", tensor(legacy_storage(4, "IntStorage"), 0, {4}, {1})}})},
            "as 4 of 'torch.IntStorage'");
        row("part of a storage",
            {.value = dictionary(
                 {{"w", tensor(legacy_storage(4, "FloatStorage", "0", tuple({text("1"), number(0), number(4)})), 0, {4},
                               {1})}})},
            "f.pt: its storage '0' has a part that is a storage of its own");
        row("more behind", {.value = w, .storages = little<qint64>(4) + four_floats() + "x"},
            "f.pt: has 1 bytes after its last storage");
        row("hostile class", {.value = global("posix", "system") + tuple({text("touch executed")}) + "R"},
            "f.pt: holds an object of 'posix.system'");
        row("hostile keys", {.value = w, .keys = global("posix", "system") + tuple({text("touch executed")}) + "R"},
            "f.pt: holds an object of 'posix.system'");
        row("hostile machine", {.value = w, .machine = global("builtins", "eval") + tuple({text("1")}) + "R"},
            "f.pt: holds an object of 'builtins.eval'");
    }
    void formatBefore16() {
        QFETCH(QByteArray, file);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(file); });
        QVERIFY2(said.startsWith("f.pt: ") && said.contains(message), qPrintable("says: " + said));
        QVERIFY(!QFile::exists("executed"));
    }

    /// Lists of lists, each ten times the previous one: few bytes, but an astronomical number of leaves.
    void listsThatMultiply() {
        QByteArray value = "]q" + QByteArray(1, '\0') + "(NKee";
        for (char level = 1; level < 30; ++level)
            value =
                value + "0]q" + level + "(" + QByteArray(10, 'h').replace("h", QByteArray("h") + char(level - 1)) + "e";
        QCOMPARE(error_of([&] { read(torch_file(value)); }),
                 QStringLiteral("f.pt: holds more values than may be read"));
        // The same with one long text.
        value = text(QByteArray(60000, 'x')) + "q" + QByteArray(1, '\0') + "0](" + QByteArray("h\0", 2).repeated(2000) +
                "e";
        QCOMPARE(error_of([&] { read(torch_file(value)); }),
                 QStringLiteral("f.pt: holds more values than may be read"));
    }

    void theLimitHoldsForThePickle() {
        const auto file = one(tensor(storage(), 0, {4}, {1}));
        QVERIFY(error_of([&] { read(file, {.max_bytes = 32}); }).contains("f.pt: f/data.pkl: has"));
        QCOMPARE(read(file, {.max_bytes = 1000}).tensors.size(), std::size_t{1});
        const LegacyFile older{dictionary({{"w", tensor(legacy_storage(), 0, {4}, {1})}})};
        QVERIFY(error_of([&] {
                    read(older.bytes(), {.max_bytes = 100});
                }).contains("f.pt: describes its objects in more than 100 bytes"));
        QCOMPARE(read(older.bytes(), {.max_bytes = 1000}).tensors.size(), std::size_t{1});
    }
};

ATTNLAB_TEST(TestTorchRefused)
#include "test_torch_refused.moc"
