// Options that are repeated, and options without effect.
#include "core/io/npz.h"
#include "core/random.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TestIdleOptions : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString plain_, masked_;

    /// All of the command's options, so that it does its full work.
    QStringList whole(const QString& command, const QString& input) const {
        QStringList words{command, input};
        if (command == "compute")
            words << "--out" << folder_.filePath("out.npz");
        if (command == "compare")
            words << "--with"
                  << "--scale none";
        if (command == "render")
            words << "--stage"
                  << "weights"
                  << "--out" << folder_.filePath("out.svg");
        if (command == "map")
            words << "--out" << folder_.filePath("out.npy");
        return words;
    }

private slots:
    void initTestCase() {
        TensorMap arrays{{"query", random_normal({1, 1, 3, 4}, 1)},
                         {"key", random_normal({1, 1, 3, 4}, 2)},
                         {"value", random_normal({1, 1, 3, 4}, 3)}};
        plain_ = folder_.filePath("plain.npz");
        io::write_tensors(plain_.toStdString(), arrays);
        arrays.emplace("attn_mask", Tensor({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Bool));
        masked_ = folder_.filePath("masked.npz");
        io::write_tensors(masked_.toStdString(), arrays);
    }

    void twice_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& arguments, const char* says) {
            QTest::newRow(name) << arguments << says;
        };
        row("stage", {"compute", "--stage", "weights", "--stage", "output"}, "--stage: is given twice");
        row("scale", {"compute", "--scale", "none", "--scale", "dk"}, "--scale: is given twice");
        row("scale with =", {"compute", "--scale=none", "--scale=dk"}, "--scale: is given twice");
        row("out", {"compute", "--out", folder_.filePath("a.npz"), "--out", folder_.filePath("b.npz")},
            "--out: is given twice");
        row("with", {"compare", "--with", "--scale none", "--with", "--scale dk"}, "--with: is given twice");
        row("within with", {"compare", "--with", "--scale none --scale dk"}, "--with: --scale: is given twice");
        row("head", {"render", "--head", "0", "--head", "1"}, "--head: is given twice");
        row("bins", {"map", "--bins", "2x2", "--bins", "3x3"}, "--bins: is given twice");
        row("a parameter", {"compute", "--variant", "flash", "--set", "block_q=2", "--set", "block_q=4"},
            "--set: block_q is given twice");
        row("a role", {"info", "--role", "query=key", "--role", "query=value"}, "--role: query is given twice");
    }
    void twice() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        arguments.insert(1, plain_);
        if (arguments.first() != "info" && !arguments.contains("--out"))
            arguments << "--out" << folder_.filePath(arguments.first() == "render" ? "twice.svg" : "twice.npz");
        const auto outcome = start(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
    }

    void severalStay() {
        const auto outcome = start(whole("compute", plain_) + QStringList{"--mask", "causal", "--mask", "window:2"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
    }

    void withoutEffect_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("says"); // empty: it has one
        QTest::addColumn<bool>("masked");
        const auto row = [](const char* name, const QString& command, const QStringList& options, const char* says,
                            bool masked = false) {
            QTest::newRow(qPrintable(command + ": " + name)) << command << options << says << masked;
        };
        for (const char* command : {"compute", "compare", "render", "map"}) {
            row("mask-true", command, {"--mask-true", "keeps"}, "--mask-true has no effect");
            row("mask-true of another mask", command, {"--mask-true", "keeps", "--mask", "causal"},
                "--mask-true has no effect");
            row("mask-true of an attn_mask", command, {"--mask-true", "keeps"}, "", true);
            row("mask-fill", command, {"--mask-fill", "-30"}, "--mask-fill has no effect");
            row("mask-fill of a mask", command, {"--mask-fill", "-30", "--mask", "causal"}, "");
            row("mask-fill-mode", command, {"--mask-fill-mode", "replace"}, "--mask-fill-mode has no effect");
            row("mask taken away", command, {"--mask-fill", "-30", "--mask", "none"}, "--mask-fill has no effect",
                true);
            row("key-grid", command, {"--key-grid", "1x3"}, "--key-grid has no effect");
        }
        row("seed without dropout", "compute", {"--set", "seed=3"},
            "--set seed=3 has no effect: it is read with dropout!=0");
        row("seed with dropout", "compute", {"--set", "seed=3", "--set", "dropout=0.5"}, "");
        row("look of numbers", "map", {"--title", "T", "--dpi", "300"},
            "--dpi has no effect on .npy, which is no picture");
        row("resolution of vectors", "render", {"--dpi", "300"}, "--dpi has no effect on .svg, which has no pixels");
        row("font of vectors", "render", {"--font", "DejaVu Sans"}, "");
        row("key-grid of a row", "render", {"--key-grid", "1x3", "--row", "0"}, "");
        row("mask-fill of causal", "compute", {"--variant", "flash", "--mask-fill", "-30", "--mask", "causal"}, "");
    }
    void withoutEffect() {
        QFETCH(QString, command);
        QFETCH(QStringList, options);
        QFETCH(QString, says);
        QFETCH(bool, masked);
        const auto outcome = start(whole(command, masked ? masked_ : plain_) + options);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(outcome.error.contains("has no effect"), !says.isEmpty());
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
    }

    /// Setting B has the mask that the fill of A applies to.
    void theOtherSettingMayReadIt() {
        const QStringList compare{"compare", plain_, "--mask-fill", "-30", "--with"};
        QVERIFY(!start(compare + QStringList{"--mask causal"}).error.contains("no effect"));
        QVERIFY(start(compare + QStringList{"--scale none"}).error.contains("--mask-fill has no effect"));
        const auto within = start({"compare", plain_, "--with", "--mask-fill -30"});
        QVERIFY2(within.error.contains("--with: --mask-fill has no effect"), qPrintable(within.error));
    }
};

ATTNLAB_TEST(TestIdleOptions)
#include "test_idle_options.moc"
