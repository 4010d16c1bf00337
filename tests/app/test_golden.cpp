// Every golden case of existing variants, through the program's command line.
#include "core/io/npz.h"
#include "core/mechanisms.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnlab;

namespace {

bool close(double actual, double expected, double tolerance) {
    if (std::isnan(expected) || std::isinf(expected))
        return std::isnan(expected) ? std::isnan(actual) : actual == expected;
    return std::abs(actual - expected) <= tolerance + tolerance * std::abs(expected);
}

} // namespace

class TestGolden : public QObject {
    Q_OBJECT
private slots:
    void matches_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("stages");
        QTest::addColumn<double>("tolerance");
        QFile file(QStringLiteral(ATTNLAB_GOLDEN_DIR "/cases.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto cases = QJsonDocument::fromJson(file.readAll()).array();
        int rows = 0;
        for (const auto& value : cases) {
            const auto entry = value.toObject();
            const auto arguments = entry["args"].toVariant().toStringList();
            const auto id = arguments.value(arguments.indexOf("--variant") + 1).toStdString();
            const auto table = mechanisms();
            if (std::none_of(table.begin(), table.end(), [&](const Mechanism& v) { return v.id == id; }))
                continue;
            QTest::newRow(qPrintable(entry["name"].toString()))
                << arguments << entry["stages"].toVariant().toStringList() << entry["tolerance"].toDouble();
            ++rows;
        }
        QVERIFY2(rows >= 65, "the list of cases was not read as expected");
    }

    void matches() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, stages);
        QFETCH(double, tolerance);
        const QString base = QStringLiteral(ATTNLAB_GOLDEN_DIR "/") + QString::fromLatin1(QTest::currentDataTag());
        const QTemporaryDir folder;
        const auto out = folder.filePath("out.npz");

        QProcess program;
        program.start(QStringLiteral(ATTNLAB_PROGRAM), QStringList{"compute", base + ".in.npz"} + arguments +
                                                           QStringList{"--backend", "reference", "--out", out});
        QVERIFY(program.waitForFinished());
        QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());

        const auto actual = io::read_npz(out.toStdString()).tensors;
        const auto expected = io::read_npz((base + ".out.npz").toStdString()).tensors;
        for (const auto& stage : stages) {
            const auto name = stage.toStdString();
            QVERIFY2(actual.contains(name), qPrintable(stage + " is missing"));
            const auto& a = actual.at(name);
            const auto& e = expected.at(name);
            QVERIFY2(a.shape() == e.shape(),
                     qPrintable(stage + ": shape " + QString::fromStdString(to_string(a.shape()))));
            for (std::size_t i = 0; i < a.values().size(); ++i)
                QVERIFY2(close(a.values()[i], e.values()[i], tolerance),
                         qPrintable(QStringLiteral("%1[%2]: %3, expected %4")
                                        .arg(stage)
                                        .arg(i)
                                        .arg(a.values()[i], 0, 'g', 17)
                                        .arg(e.values()[i], 0, 'g', 17)));
        }
    }
};

ATTNLAB_TEST(TestGolden)
#include "test_golden.moc"
