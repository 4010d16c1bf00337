// Pictures drawn by the program without a window.
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TestRenderCommand : public QObject {
    Q_OBJECT
private slots:
    void rendersWithoutDisplay_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }

    void rendersWithoutDisplay() {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, begins);
        const QTemporaryDir folder;
        const auto out = folder.filePath("out." + suffix);
        const auto outcome = start({"render", QStringLiteral(ATTNLAB_SAMPLES_DIR "/milk_or_cat_sweet.npz"), "--stage",
                                    "weights", "--size", "300x200", "--dpi", "144", "--out", out},
                                   {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begins));
        if (suffix == "png")
            QCOMPARE(QImage(out).size(), QSize(600, 400));
    }

    void rendersSteps_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("webp") << "steps.webp" << QStringList{"--terms"} << QByteArray("RIFF");
        QTest::newRow("gif") << "steps.gif" << QStringList{"--seconds", "0.5", "--once"} << QByteArray("GIF89a");
        QTest::newRow("png") << "exp.png" << QStringList{"--step", "exp"} << QByteArray("\x89PNG");
        QTest::newRow("svg") << "mix.svg" << QStringList{"--step", "mix", "--dark"} << QByteArray("<?xml");
        QTest::newRow("pdf") << "sum.pdf" << QStringList{"--step", "sum", "--key", "1"} << QByteArray("%PDF");
    }
    void rendersSteps() {
        QFETCH(QString, file);
        QFETCH(QStringList, options);
        QFETCH(QByteArray, begins);
        QTemporaryDir folder;
        const QString path = folder.filePath(file);
        const auto outcome = start(QStringList{"render", QStringLiteral(ATTNLAB_SAMPLES_DIR "/milk_or_cat_sweet.npz"),
                                               "--steps", "--query", "2", "--size", "480x270", "--out", path} +
                                       options,
                                   {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray bytes = written.readAll();
        QVERIFY(bytes.startsWith(begins));
        if (file.endsWith("gif")) {
            QImageReader reader(path);
            int frames = 0;
            QImage frame;
            while (reader.read(&frame)) {
                QCOMPARE(frame.size(), QSize(1000, 563));
                QCOMPARE(reader.nextImageDelay(), frames < 7 ? 500 : 3000);
                ++frames;
            }
            QCOMPARE(frames, 8);
        } else if (file.endsWith("webp")) {
            // Four terms and four keys, twice: one chunk ANMF for each step.
            QCOMPARE(bytes.count("ANMF"), 4 + 5 + 4 + 4);
        } else if (file.endsWith("svg")) {
            QVERIFY(bytes.contains("output"));
        }
    }

    void rendersAllHeadsOnOneScale() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("heads.svg");
        const auto outcome = start({"render", QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"), "--stage",
                                    "weights", "--head", "all", "--size", "700x500", "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto svg = QString::fromUtf8(file.readAll());
        for (int head = 0; head < 4; ++head)
            QVERIFY(svg.contains(QStringLiteral("Head %1").arg(head)));
        // Labels and titles of shared axes appear once, at the edge.
        QVERIFY(svg.count("quick") >= 2 && svg.count("quick") <= 6);
        QCOMPARE(svg.count(">key token<"), 1);
        QCOMPARE(svg.count(">query token<"), 1);
    }

    void rendersARowOnTheKeyGrid_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<QString>("row");
        QTest::addColumn<int>("code");
        QTest::newRow("fits") << "3x3"
                              << "8" << 0;
        QTest::newRow("other number of cells") << "2x4"
                                               << "0" << 2;
        QTest::newRow("no grid") << "3"
                                 << "0" << 2;
        QTest::newRow("row outside") << "3x3"
                                     << "9" << 2;
    }

    void rendersARowOnTheKeyGrid() {
        QFETCH(QString, grid);
        QFETCH(QString, row);
        QFETCH(int, code);
        const QTemporaryDir folder;
        const auto out = folder.filePath("row.png");
        const auto outcome = start({"render", QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"), "--stage",
                                    "weights", "--key-grid", grid, "--row", row, "--out", out});
        QVERIFY2(outcome.code == code, qPrintable(outcome.error));
        QCOMPARE(QFile::exists(out), code == 0);
    }

    void drawsTwoSettings() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("both.svg");
        const auto outcome = start({"render", golden("scale_none.in.npz"), "--stage", "weights", "--head", "mean",
                                    "--with", "--mask causal", "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto svg = QString::fromUtf8(file.readAll());
        QCOMPARE(svg.count(">key token<"), 1); // one axis for all three
        QVERIFY(svg.contains("viewBox=\"0 0 900 "));
    }
};

ATTNLAB_TEST(TestRenderCommand)
#include "test_render_command.moc"
