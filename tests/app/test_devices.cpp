// The program's output without a CUDA device: existing devices are hidden from it.
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

attnlab::test::Outcome start(const QStringList& arguments) {
    qputenv("CUDA_VISIBLE_DEVICES", "-1");
    return attnlab::test::start(arguments);
}

const QString input = QStringLiteral(ATTNLAB_GOLDEN_DIR "/scale_none.in.npz");
const QRegularExpression reason("built without CUDA|no NVIDIA driver|no CUDA device");

} // namespace

class TestDevices : public QObject {
    Q_OBJECT

private slots:
    void devices_says_why_there_is_none();
    void amx_can_be_switched_off();
    void cores_compute_in_bfloat16();
    void devices_as_json();
    void cuda_cannot_be_chosen_data();
    void cuda_cannot_be_chosen();
    void auto_computes_all_the_same();
};

void TestDevices::devices_says_why_there_is_none() {
    const auto outcome = start({"devices"});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.startsWith("none: ") && outcome.out.contains(reason), qPrintable(outcome.out));
    static const QRegularExpression cores("\ncores: .+, \\d+ threads.*\n(AMX, .+\n)*$");
    QVERIFY2(outcome.out.contains(cores), qPrintable(outcome.out));
    QCOMPARE(start({"devices", "one"}).code, 2);
    // There is nothing to check.
    const auto checked = start({"devices", "--check"});
    QCOMPARE(checked.code, 0);
    QVERIFY2(checked.out.startsWith("none: ") && checked.out.contains(reason), qPrintable(checked.out));
    QCOMPARE(start({"devices", "--check-these", "hopper bfloat16 64"}).code, 1);
}

void TestDevices::amx_can_be_switched_off() {
    qputenv("ATTNLAB_AMX", "0");
    const auto outcome = start({"devices"});
    const auto version = start({"--version"});
    qunsetenv("ATTNLAB_AMX");
    QVERIFY2(outcome.out.contains("AMX is switched off by ATTNLAB_AMX=0"), qPrintable(outcome.out));
    QVERIFY2(version.out.contains("AMX is switched off by ATTNLAB_AMX=0"), qPrintable(version.out));
    qputenv("ATTNLAB_AMX", "1"); // nothing is measured
    const auto forced = start({"devices", "--json"});
    qunsetenv("ATTNLAB_AMX");
    const auto cores = QJsonDocument::fromJson(forced.out.toUtf8()).object()["cores"].toObject();
    QVERIFY2(cores["matrix_unit"].toArray().isEmpty(), qPrintable(forced.out));
}

void TestDevices::cores_compute_in_bfloat16() {
    const QTemporaryDir folder;
    const auto computed =
        start({"compute", input, "--backend", "cpu", "--precision", "bfloat16", "--out", folder.filePath("out.npz")});
    QVERIFY2(computed.code == 0, qPrintable(computed.error));
    for (const auto* precision : {"split", "bfloat16"}) {
        const auto map = start({"map", input, "--backend", "cpu", "--precision", precision, "--bins", "2x2", "--out",
                                folder.filePath("out.npy")});
        QVERIFY2(map.code == 0, qPrintable(map.error));
    }
}

void TestDevices::devices_as_json() {
    const auto outcome = start({"devices", "--json"});
    QCOMPARE(outcome.code, 0);
    const auto object = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QVERIFY(object["devices"].isArray() && object["devices"].toArray().isEmpty());
    QVERIFY(object["kernels"].isArray() && object["kernels"].toArray().isEmpty());
    QVERIFY(object["why_none"].toString().contains(reason));
    QVERIFY(object["runtime_version"].isString());
    const auto cores = object["cores"].toObject();
    QVERIFY(cores["threads"].toInt() > 0);
    const bool has_amx = cores["instruction_set"].toString().contains("AMX");
    QCOMPARE(cores["why_no_amx"].toString().isEmpty(), has_amx);
    QVERIFY(cores["matrix_unit"].isArray());
    QCOMPARE(cores["matrix_unit"].toArray().size(), has_amx ? 4 : 0); // bfloat16, and split for maps
}

void TestDevices::cuda_cannot_be_chosen_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("compute") << QStringList{"compute", input, "--backend", "cuda"} << 1
                             << "The backend cuda is not there\\. .*(CUDA|NVIDIA)";
    QTest::newRow("bench") << QStringList{"bench", "--backend", "cuda", "--precision", "float16"} << 1
                           << "The backend cuda is not there\\. .*(CUDA|NVIDIA)";
    QTest::newRow("map") << QStringList{"map", input, "--backend", "cuda"} << 1
                         << "The backend cuda is not there\\. .*(CUDA|NVIDIA)";
    QTest::newRow("map by the reference") << QStringList{"map", input, "--backend", "reference"} << 2
                                          << "--backend: has 'reference', expected auto, cpu or cuda";
    QTest::newRow("map of another precision")
        << QStringList{"map", input, "--precision", "bfloat16"} << 2 << "--precision: has 'bfloat16'.*--backend cuda";
    QTest::newRow("map of no precision of maps") << QStringList{"map", input, "--precision", "float16"} << 2
                                                 << "--precision: has 'float16', expected float32 or bfloat16";
    QTest::newRow("map of split numbers without the cpu")
        << QStringList{"map", input, "--precision", "split"} << 2 << "--precision: has 'split'.*--backend cpu";
    QTest::newRow("parts of split numbers")
        << QStringList{"map", input, "--backend", "cpu", "--precision", "split", "--partial", "part.npz"} << 2
        << "--precision: has 'split', expected float32 with --partial";
    QTest::newRow("precision of another backend")
        << QStringList{"compute", input, "--precision", "float16"} << 2 << "--precision: has 'float16'.*--backend cuda";
    QTest::newRow("unknown precision") << QStringList{"bench", "--precision", "int8"} << 2
                                       << "--precision: has 'int8', expected float32, bfloat16 or float16";
    QTest::newRow("unknown backend") << QStringList{"compute", input, "--backend", "gpu"} << 2
                                     << "--backend: has 'gpu', expected one of auto, reference, cpu";
}

void TestDevices::cuda_cannot_be_chosen() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    if (arguments.first() != "bench" && !arguments.contains("--partial"))
        arguments << "--out" << folder.filePath(arguments.first() == "map" ? "out.npy" : "out.npz");
    const auto outcome = start(arguments);
    QCOMPARE(outcome.code, code);
    QVERIFY2(outcome.error.contains(QRegularExpression(says)), qPrintable(outcome.error));
}

void TestDevices::auto_computes_all_the_same() {
    const QTemporaryDir folder;
    const auto outcome = start({"compute", input, "--out", folder.filePath("out.npz")});
    QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
}

ATTNLAB_TEST(TestDevices)
#include "test_devices.moc"
