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
    void devices_as_json();
    void cuda_cannot_be_chosen_data();
    void cuda_cannot_be_chosen();
    void auto_computes_all_the_same();
};

void TestDevices::devices_says_why_there_is_none() {
    const auto outcome = start({"devices"});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.startsWith("none: ") && outcome.out.contains(reason), qPrintable(outcome.out));
    QCOMPARE(start({"devices", "one"}).code, 2);
    // There is nothing to check.
    const auto checked = start({"devices", "--check"});
    QCOMPARE(checked.code, 0);
    QVERIFY2(checked.out.startsWith("none: ") && checked.out.contains(reason), qPrintable(checked.out));
    QCOMPARE(start({"devices", "--check-these", "hopper bfloat16 64"}).code, 1);
}

void TestDevices::devices_as_json() {
    const auto outcome = start({"devices", "--json"});
    QCOMPARE(outcome.code, 0);
    const auto object = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QVERIFY(object["devices"].isArray() && object["devices"].toArray().isEmpty());
    QVERIFY(object["kernels"].isArray() && object["kernels"].toArray().isEmpty());
    QVERIFY(object["why_none"].toString().contains(reason));
    QVERIFY(object["runtime_version"].isString());
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
    if (arguments.first() != "bench")
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
