#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/export/animation.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/pages/step/step_view.h"

#include <QBuffer>
#include <QDoubleSpinBox>
#include <QImageReader>
#include <QProgressDialog>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include <webp/demux.h>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

struct Decoded {
    std::vector<QImage> frames;
    std::vector<int> milliseconds; ///< duration of each
    int loops = 0;                 ///< 0 for infinite
};

Decoded decodedWebp(const QByteArray& bytes) {
    Decoded decoded;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                        static_cast<std::size_t>(bytes.size())};
    const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(WebPAnimDecoderNew(&data, nullptr),
                                                                                     &WebPAnimDecoderDelete);
    WebPAnimInfo info;
    if (!decoder || !WebPAnimDecoderGetInfo(decoder.get(), &info))
        return decoded;
    decoded.loops = static_cast<int>(info.loop_count);
    int before = 0;
    while (WebPAnimDecoderHasMoreFrames(decoder.get())) {
        std::uint8_t* pixels = nullptr;
        int until = 0;
        if (!WebPAnimDecoderGetNext(decoder.get(), &pixels, &until))
            return {};
        const QImage frame(pixels, static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height),
                           QImage::Format_RGBA8888);
        decoded.frames.push_back(frame.convertToFormat(QImage::Format_RGB32));
        decoded.milliseconds.push_back(until - before);
        before = until;
    }
    return decoded;
}

Decoded decodedGif(const QByteArray& bytes) {
    Decoded decoded;
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "gif");
    QImage frame;
    while (reader.read(&frame)) {
        decoded.frames.push_back(frame.convertToFormat(QImage::Format_RGB32));
        decoded.milliseconds.push_back(reader.nextImageDelay());
    }
    decoded.loops = reader.loopCount() < 0 ? 0 : 1;
    return decoded;
}

Decoded decoded(const QString& suffix, const QByteArray& bytes) {
    return suffix == "gif" ? decodedGif(bytes) : decodedWebp(bytes);
}

DrawingSequence milkSteps() {
    StepView view;
    view.setTrace(computed(milkProblem()));
    view.setQuery(4);
    return *view.sequence();
}

AnimationOptions small() {
    AnimationOptions options;
    options.figure.size_points = QSizeF(420, 260);
    options.figure.dpi = 72;
    return options;
}

int distance(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

} // namespace

class TestStepAnimation : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void decodesAgain_data() {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : suffixesOf(FormatKind::Animation))
            QTest::newRow(qPrintable(suffix)) << suffix;
    }
    void decodesAgain() {
        QFETCH(QString, suffix);
        const auto sequence = milkSteps();
        auto options = small();
        options.seconds = 0.25;
        const auto read = decoded(suffix, animationData(*findFormat(FormatKind::Animation, suffix), sequence, options));
        QCOMPARE(static_cast<int>(read.frames.size()), sequence.count);
        QCOMPARE(read.loops, 0);
        for (int i = 0; i < sequence.count; ++i) {
            const auto index = static_cast<std::size_t>(i);
            QCOMPARE(read.frames[index].size(), QSize(420, 260));
            QCOMPARE(read.milliseconds[index], i + 1 == sequence.count ? 3000 : 250);
            const QImage wanted = figureImage(sequence.at(i), options.figure).convertToFormat(QImage::Format_RGB32);
            if (suffix == "webp") {
                QCOMPARE(read.frames[index], wanted);
                continue;
            }
            // Few colours, but every uniform area keeps its own and text stays readable.
            qint64 same = 0, far = 0;
            for (int y = 0; y < wanted.height(); ++y)
                for (int x = 0; x < wanted.width(); ++x) {
                    const int d = distance(wanted.pixel(x, y), read.frames[index].pixel(x, y));
                    same += d == 0;
                    far += d > 64;
                }
            const double pixels = wanted.width() * wanted.height();
            QVERIFY2(static_cast<double>(same) > 0.9 * pixels, qPrintable(QString::number(double(same) / pixels)));
            QVERIFY2(static_cast<double>(far) < 0.002 * pixels, qPrintable(QString::number(double(far) / pixels)));
        }
    }

    void aRangeSpeedAndLook_data() { decodesAgain_data(); }
    void aRangeSpeedAndLook() {
        QFETCH(QString, suffix);
        auto options = small();
        options.first = 2;
        options.last = 4;
        options.seconds = 4.0;
        options.loop = false;
        options.figure.dark = true;
        const auto read =
            decoded(suffix, animationData(*findFormat(FormatKind::Animation, suffix), milkSteps(), options));
        QCOMPARE(read.frames.size(), std::size_t{3});
        QCOMPARE(read.milliseconds, (std::vector<int>{4000, 4000, 4000}));
        QCOMPARE(read.loops, 1);
        QCOMPARE(QColor(read.frames[1].pixel(1, 1)), themeFor(true).card);
    }

    void tilesPlayToo() {
        ViewState state;
        TileWalkView view(state);
        view.setTrace(withTiles(milkProblem(), 4, 3));
        const auto sequence = view.sequence();
        QVERIFY(sequence);
        QCOMPARE(sequence->count, view.drawing().steps.count());
        const auto read = decodedWebp(animationData(*findFormat(FormatKind::Animation, "webp"), *sequence, small()));
        QCOMPARE(static_cast<int>(read.frames.size()), sequence->count);
    }

    void absurdWishesAreRefused_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("says");
        QTest::newRow("beyond") << 0 << 99 << 1.0 << "steps 1 to 100.*there are 9";
        QTest::newRow("backwards") << 5 << 2 << 1.0 << "steps 6 to 3";
        QTest::newRow("time") << 0 << 2 << 0.0 << "0 seconds a step; expected 0.02 to 60";
        QTest::newRow("nan") << 0 << 2 << std::nan("") << "seconds a step";
    }
    void absurdWishesAreRefused() {
        QFETCH(QString, says);
        auto options = small();
        options.first = QTest::currentDataTag() == QByteArray("backwards") ? 5 : 0;
        QFETCH(int, last);
        QFETCH(double, seconds);
        options.last = last;
        options.seconds = seconds;
        try {
            animationData(*findFormat(FormatKind::Animation, "webp"), milkSteps(), options);
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(QRegularExpression(says)), error.what());
        }
    }

    void aFileAppearsWholeOrNotAtAll() {
        QTemporaryDir folder;
        const QString path = folder.filePath("steps.webp");
        RunControl control;
        int asked = 0;
        control.cancelled = [&] { return ++asked > 3; };
        bool stopped = false;
        try {
            writeAnimation(path, milkSteps(), small(), control);
        } catch (const Cancelled&) {
            stopped = true;
        }
        QVERIFY(stopped);
        QVERIFY(QDir(folder.path()).isEmpty());
        try {
            writeAnimation(folder.filePath("steps.png"), milkSteps(), small());
            QFAIL("a .png is no animation");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("steps.png"));
        }
        double reported = 0.0;
        RunControl to_the_end;
        to_the_end.progress = [&](double fraction) { reported = fraction; };
        writeAnimation(path, milkSteps(), small(), to_the_end);
        QCOMPARE(reported, 1.0);
        QVERIFY(QFileInfo(path).size() > 1000);
    }

    void theDialogWritesInTheBackground() {
        QTemporaryDir folder;
        StepView view;
        view.setTrace(computed(milkProblem()));
        ExportDialog dialog(
            drawingExport(computed(milkProblem()), "weights", {view.picture(), "steps", "Steps", view.sequence()}));
        dialog.choose("animation", "gif");
        QCOMPARE(dialog.suffix(), "gif");
        dialog.show();
        auto* last = dialog.findChild<QSpinBox*>("last");
        QVERIFY(last && last->isVisible());
        QCOMPARE(last->value(), 9);
        last->setValue(4);
        dialog.findChild<QDoubleSpinBox*>("seconds")->setValue(0.5);
        QSignalSpy exported(&dialog, &ExportDialog::exported);
        QVERIFY(dialog.exportTo(folder.filePath("steps.gif")));
        QCOMPARE(exported.count(), 1);
        QCOMPARE(dialog.writtenFiles(), QStringList{folder.filePath("steps.gif")});
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QFile file(folder.filePath("steps.gif"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto read = decodedGif(file.readAll());
        QCOMPARE(read.milliseconds, (std::vector<int>{500, 500, 500, 3000}));
    }

    void theDialogStopsAndComplains_data() {
        QTest::addColumn<bool>("by_dialog");
        QTest::newRow("Escape in the box of progress") << false;
        QTest::newRow("Cancel of the dialog") << true;
    }

    void theDialogStopsAndComplains() {
        QFETCH(bool, by_dialog);
        QTemporaryDir folder;
        StepView view;
        view.setTrace(computed(milkProblem()));
        view.setByTerms(true);
        ExportDialog dialog(
            drawingExport(computed(milkProblem()), "weights", {view.picture(), "steps", "Steps", view.sequence()}));
        dialog.choose("animation", "webp");
        dialog.show();
        // As soon as the progress box is shown.
        QTimer press;
        connect(&press, &QTimer::timeout, &dialog, [&dialog, by_dialog] {
            if (by_dialog) // also before the box is shown
                dialog.reject();
            else if (auto* box = dialog.findChild<QProgressDialog*>())
                QTest::keyClick(box, Qt::Key_Escape);
        });
        press.start(5);
        auto* width = dialog.findChild<QDoubleSpinBox*>("width");
        width->setValue(1134.0); // enough work to be cancelled
        dialog.findChild<QSpinBox*>("dpi")->setValue(300);
        QVERIFY(!dialog.exportTo(folder.filePath("steps.webp")));
        press.stop();
        QVERIFY(dialog.isVisible()); // cancelled, not closed
        QVERIFY(dialog.errorText().isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty());
        width->setValue(170.0);
        dialog.findChild<QSpinBox*>("last")->setValue(2);
        QVERIFY(!dialog.exportTo(folder.filePath("nowhere/steps.webp")));
        QVERIFY2(dialog.errorText().contains("nowhere"), qPrintable(dialog.errorText()));
    }

    void aDrawingThatDoesNotPlayIsNoAnimation() {
        StepView view;
        view.setTrace(computed(milkProblem()));
        ExportDialog dialog(drawingExport(computed(milkProblem()), "weights", {view.picture(), "steps", "Steps"}));
        dialog.choose("animation", "webp");
        QVERIFY(dialog.suffix() != "webp");
    }

    void palettesKeepFlatColours() {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(QColor(10, 200, 30));
        for (int i = 0; i < 64; ++i)
            for (int j = 0; j < 32; ++j)
                image.setPixel(i, j, qRgb(4 * i, 8 * j, (i * j) % 256));
        const Palette few = paletteOf(image, 64);
        QCOMPARE(few.colors.size(), std::size_t{64});
        QCOMPARE(few.colors[static_cast<std::size_t>(few.index_of.value(qRgb(10, 200, 30) & 0xffffff))] & 0xffffff,
                 qRgb(10, 200, 30) & 0xffffff);
        const Palette all = paletteOf(image.copy(0, 40, 10, 10), 64);
        QCOMPARE(all.colors.size(), std::size_t{1});
    }
};

ATTNLAB_TEST(TestStepAnimation)
#include "test_step_animation.moc"
