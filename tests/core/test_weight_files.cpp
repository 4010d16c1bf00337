#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

using namespace attnlab;
using namespace attnlab::test;
using Floats = std::vector<float>;

namespace {

const StoredTensor one_to_six{"w", "F32", "[2,3]", bytes_of<float>({1, 2, 3, 4, 5, 6})};

QByteArray index_of(const QByteArray& map) { return "{\"metadata\":{\"total_size\":1},\"weight_map\":{" + map + "}}"; }

/// Two shards that an index names.
void put_shards(const ModelFolder& folder) {
    folder.put("model-1.safetensors", safetensors_of({one_to_six, {"unlisted", "F32", "[1]", bytes_of<float>({9})}}));
    folder.put("model-2.safetensors", safetensors_of({{"v", "F16", "[1]", bytes_of<quint16>({0x3c00})}}));
    folder.put("model.safetensors.index.json", index_of(R"("w":"model-1.safetensors","v":"model-2.safetensors")"));
}

} // namespace

class TestWeightFiles : public QObject {
    Q_OBJECT

private slots:
    void keepsTypesAndWidens() {
        const ModelFolder folder("model.safetensors",
                                 safetensors_of({{"h", "F16", "[1,3]", bytes_of<quint16>({0x3c00, 0xc100, 0x0001})},
                                                 {"b", "BF16", "[2]", bytes_of<quint16>({0x3f80, 0xc000})},
                                                 {"d", "F64", "[2,1]", bytes_of<double>({0.1, -2})},
                                                 one_to_six,
                                                 {"scalar", "F32", "[]", bytes_of<float>({7})},
                                                 {"none", "F32", "[0,4]", ""}}));
        const auto weights = folder.open();
        QCOMPARE(weights->names(), (std::vector<std::string>{"h", "b", "d", "w", "scalar", "none"}));
        const auto& w = weights->at("w", {2, 3});
        QCOMPARE(w.type, model::WeightType::F32);
        QCOMPARE(w.name, "w");
        QCOMPARE(w.bytes.size(), std::size_t{24});
        QCOMPARE(all_of(w), (Floats{1, 2, 3, 4, 5, 6}));
        QCOMPARE(rows_of(w, 1, 1), (Floats{4, 5, 6}));
        QCOMPARE(rows_of(w, 2, 0), Floats());
        QCOMPARE(all_of(weights->at("h", {1, 3})), (Floats{1, -2.5F, 0x1p-24F}));
        QCOMPARE(all_of(weights->at("b", {2})), (Floats{1, -2}));
        QCOMPARE(all_of(weights->at("d", {2, 1})), (Floats{0.1F, -2}));
        QCOMPARE(all_of(weights->at("scalar", {})), (Floats{7}));
        QCOMPARE(weights->at("scalar", {}).rows(), 1);
        QCOMPARE(all_of(weights->at("none", {0, 4})), Floats());
        QVERIFY(!weights->find("x"));
        weights->check();
    }

    void widensEveryHalf() {
        std::vector<quint16> halves(1 << 16);
        std::iota(halves.begin(), halves.end(), quint16{0});
        const ModelFolder folder("model.safetensors", safetensors_of({{"h", "F16", "[256,256]", bytes_of(halves)},
                                                                      {"b", "BF16", "[256,256]", bytes_of(halves)}}));
        const auto numbers = all_of(folder.open()->at("h", {256, 256}));
        for (const auto half : halves) {
            const int exponent = half >> 10 & 31, mantissa = half & 1023;
            const auto number = numbers[half];
            QCOMPARE(std::signbit(number), half >> 15 == 1);
            if (exponent == 31)
                QVERIFY(mantissa ? std::isnan(number) : std::isinf(number));
            else
                QCOMPARE(std::abs(number), exponent ? std::ldexp(1024.0F + static_cast<float>(mantissa), exponent - 25)
                                                    : std::ldexp(static_cast<float>(mantissa), -24));
        }
        const auto wide = all_of(folder.open()->at("b", {256, 256}));
        for (const auto bits : halves)
            QCOMPARE(std::bit_cast<quint32>(wide[bits]), quint32{bits} << 16);
    }

    void refusesRowsThatAreNotThere() {
        const ModelFolder folder("model.safetensors", safetensors_of({one_to_six}));
        const auto weights = folder.open();
        const auto& w = weights->at("w", {2, 3});
        Floats out(3);
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, w.read_rows(2, 1, out));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, w.read_rows(-1, 1, out));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, w.read_rows(0, 2, out));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, w.read_rows(1, std::numeric_limits<std::int64_t>::max(), out));
    }

    /// Of a wrapper that the model was saved in, such as one for several devices.
    void namesAPrefixOfAllTensors() {
        auto wrapped = one_to_six;
        wrapped.name = "module.w";
        const ModelFolder folder("model.safetensors", safetensors_of({wrapped}));
        const auto said = [](const ModelFolder& one) {
            return error_of([&] { one.open()->at("w", {2, 3}); }).replace(one.folder.path(), "FOLDER");
        };
        QCOMPARE(said(folder),
                 "FOLDER: has no tensor 'w', but 'module.w'; save the tensors without the prefix 'module.'");
        auto other = one_to_six;
        other.name = "v";
        const ModelFolder mixed("model.safetensors", safetensors_of({wrapped, other}));
        QCOMPARE(said(mixed), "FOLDER: has no tensor 'w', expected one of shape (2, 3)");
    }

    void namesWhatIsMissingOrOfAnotherShape() {
        const ModelFolder folder("model.safetensors", safetensors_of({one_to_six,
                                                                      {"ids", "I64", "[1]", bytes_of<qint64>({1})},
                                                                      {"tiny", "F8_E4M3", "[2]", "ab"}}));
        const auto weights = folder.open();
        const auto said = [&](const char* name, const Shape& shape) {
            return error_of([&] { weights->at(name, shape); }).replace(folder.folder.path(), "FOLDER");
        };
        QCOMPARE(said("w", {3, 2}), "FOLDER/model.safetensors: w: has shape (2, 3), expected (3, 2)");
        QCOMPARE(said("x", {3}), "FOLDER: has no tensor 'x', expected one of shape (3,)");
        QCOMPARE(said("ids", {1}), "FOLDER/model.safetensors: ids: holds elements of type 'I64', expected weights: "
                                   "floats of 16 to 64 bits");
        QCOMPARE(said("tiny", {2}), "FOLDER/model.safetensors: tiny: holds elements of type 'F8_E4M3', expected "
                                    "weights: floats of 16 to 64 bits");
        QVERIFY_THROWS_EXCEPTION(Error, weights->find("tiny"));
        QCOMPARE(weights->names(), std::vector<std::string>{"w"});
    }

    void joinsShards() {
        const ModelFolder folder;
        put_shards(folder);
        const auto weights = folder.open();
        QCOMPARE(all_of(weights->at("w", {2, 3})), (Floats{1, 2, 3, 4, 5, 6}));
        QCOMPARE(all_of(weights->at("v", {1})), (Floats{1}));
        QVERIFY(!weights->find("unlisted"));
        QVERIFY(folder.refusal().isEmpty());
    }

    void followsLinksOfShards() {
        const ModelFolder folder, blobs("blob", safetensors_of({one_to_six}));
        put_shards(folder);
        QVERIFY(QFile::remove(folder.path("model-1.safetensors")));
        QVERIFY(QFile::link(blobs.path("blob"), folder.path("model-1.safetensors")));
        QCOMPARE(all_of(folder.open()->at("w", {2, 3})), (Floats{1, 2, 3, 4, 5, 6}));
    }

    void refusesIndexes_data() {
        QTest::addColumn<QByteArray>("index");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& index, const char* message) {
            QTest::newRow(name) << index << QString("model.safetensors.index.json: ") + message;
        };
        const auto outside = [&](const char* name, const QByteArray& file) {
            row(name, index_of("\"w\":" + file),
                qPrintable("'weight_map.w' is " + file + ", expected a file in the same folder"));
        };
        outside("folder above", R"("../model-1.safetensors")");
        outside("folder above, later", R"("a/../../model-1.safetensors")");
        outside("absolute", R"("/etc/passwd")");
        outside("folder", R"("a/")");
        outside("nothing", R"("")");
        row("number", index_of("\"w\":1"), "'weight_map.w' is 1, expected text");
        row("no shard", index_of(R"("w":"model-3.safetensors")"),
            "names the file 'model-3.safetensors', which is not there");
        row("not in its shard", index_of(R"("v":"model-1.safetensors")"),
            "says that 'v' is in 'model-1.safetensors', where it is not");
        row("no map", "{}", "'weight_map' is missing");
        row("empty map", index_of(""), "names no tensor, expected the file of each in 'weight_map'");
        row("twice", index_of(R"("w":"model-1.safetensors","w":"model-2.safetensors")"), "key 'w' is there twice");
        row("no JSON", "weights", "is not valid JSON near byte 1");
    }
    void refusesIndexes() {
        QFETCH(QByteArray, index);
        QFETCH(QString, message);
        const ModelFolder folder;
        put_shards(folder);
        folder.put("model.safetensors.index.json", index);
        QVERIFY2(folder.refusal().startsWith(message), qPrintable(folder.refusal()));
    }

    void refusesFoldersWithoutWeights() {
        const QString expected = ": has no weights, expected model.safetensors, pytorch_model.bin or an index of one "
                                 "of them";
        QCOMPARE(ModelFolder().refusal(), "FOLDER" + expected);
        QCOMPARE(error_of([] { model::open_weights("/nowhere"); }), "/nowhere" + expected);
        QCOMPARE(ModelFolder("model.safetensors", "").refusal(), QString("model.safetensors: is empty"));
        QVERIFY(
            ModelFolder("model.safetensors", safetensors_of({one_to_six}).chopped(1)).refusal().contains("cut short"));
    }

    void survivesThatItsFileIsCutShort() {
        const qint64 rows = 1024;
        const ModelFolder folder("model.safetensors",
                                 safetensors_of({{"w", "F32", "[1024,1024]", QByteArray(4 * rows * 1024, '\x01')}}));
        const auto weights = folder.open();
        const auto& w = weights->at("w", {rows, 1024});
        weights->check();
        QVERIFY(QFile::resize(folder.path("model.safetensors"), 10'000));
        QCOMPARE(rows_of(w, 0, 1)[0], std::bit_cast<float>(0x01010101));
        QCOMPARE(rows_of(w, 1000, 1), Floats(1024));
        QCOMPARE(rows_of(w, 5, 1), Floats(1024));
        const auto said = error_of([&] { weights->check(); });
        QVERIFY2(said.contains("model.safetensors: was cut short while it was open; open it again"), qPrintable(said));
        // Whole again, but what was read from it is not.
        folder.put("model.safetensors",
                   safetensors_of({{"w", "F32", "[1024,1024]", QByteArray(4 * rows * 1024, '\x01')}}));
        QVERIFY(!error_of([&] { weights->check(); }).isEmpty());
        folder.open()->check();
    }

    void noticesThatItsFileWasChanged() {
        const ModelFolder folder("model.safetensors", safetensors_of({one_to_six}));
        const auto weights = folder.open();
        QTest::qSleep(20);
        folder.put("model.safetensors", safetensors_of({one_to_six}));
        QVERIFY(error_of([&] { weights->check(); }).contains("was changed while it was open; open it again"));
    }

    void takesNoMemoryInTheSizeOfTheFile() {
        const qint64 rows = 1 << 20; // 4 GiB that take no space on the disk
        const auto header = file("{" + entry("w", "F32", "[1048576,1024]", "[0,4294967296]") + "}");
        const ModelFolder folder("model.safetensors", header);
        QVERIFY(QFile::resize(folder.path("model.safetensors"), header.size() + 4 * rows * 1024));
        const auto resident = [] { return file_bytes("/proc/self/statm").split(' ')[1].toLongLong() * 4096; };
        const auto before = resident();
        const auto weights = folder.open();
        QCOMPARE(rows_of(weights->at("w", {rows, 1024}), rows - 1, 1), Floats(1024));
        QVERIFY(resident() - before < 16 << 20);
    }
};

ATTNLAB_TEST(TestWeightFiles)
#include "test_weight_files.moc"
