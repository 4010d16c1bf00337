// The look of figures by options, and workspaces drawn with their saved view.
#include "core/io/saved/workspace_file.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QString sample() { return QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"); }

} // namespace

class TestFigureOptions : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString drawn(const QStringList& arguments) {
        const auto path = folder_.filePath("out.svg");
        const auto outcome = start(QStringList{"render"} + arguments + QStringList{"--out", path});
        if (outcome.code != 0)
            return outcome.error;
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    QString workspace(const std::string& view) {
        auto path = folder_.filePath("ws.npz");
        auto problem = io::read_problem(sample().toStdString());
        io::write_workspace(path.toStdString(), problem, view);
        return path;
    }

private slots:
    void aWorkspaceIsDrawnAsItWasShown() {
        const auto path = workspace(R"({"page":"matrix","stage":"scaled","batch":0,"head":2,"colormap":"magma",)"
                                    R"("logarithmic":false,"locked":true,"low":-3,"high":2.5})");
        const QString shown = drawn({path});
        QCOMPARE(shown, drawn({sample(), "--stage", "scaled", "--head", "2", "--colormap", "magma", "--vmin", "-3",
                               "--vmax", "2.5"}));
        // Options override the stored view; a range belongs to its stage.
        QCOMPARE(drawn({path, "--head", "1"}), drawn({sample(), "--stage", "scaled", "--head", "1", "--colormap",
                                                      "magma", "--vmin", "-3", "--vmax", "2.5"}));
        QCOMPARE(drawn({path, "--stage", "weights", "--colormap", "cividis"}),
                 drawn({sample(), "--stage", "weights", "--head", "2", "--colormap", "cividis"}));
        QVERIFY(drawn({path, "--vmin", "auto", "--vmax", "auto"}) != shown);
        QCOMPARE(drawn({workspace(R"({"stage":"weights","head":-1})")}),
                 drawn({sample(), "--stage", "weights", "--head", "mean"}));
    }

    void aComparisonIsDrawnAsItWasShown() {
        const auto path = folder_.filePath("both.npz");
        auto problem = io::read_problem(sample().toStdString());
        problem.compared_with = problem.spec;
        problem.compared_with->scale = {"none", {}};
        io::write_workspace(path.toStdString(), problem, R"({"page":"compare","stage":"weights","head":1})");
        QCOMPARE(drawn({path}), drawn({sample(), "--stage", "weights", "--head", "1", "--with", "--scale none"}));
    }

    void aFigureIsDrawnAgain_data() {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"png", "svg"})
            QTest::newRow(suffix) << QString(suffix);
    }
    /// Byte for byte; options override what it carries, and other commands take its arrays.
    void aFigureIsDrawnAgain() {
        QFETCH(QString, suffix);
        const auto written = [&](const QStringList& arguments, const QString& name) {
            const auto path = folder_.filePath(name + '.' + suffix);
            const auto outcome = start(QStringList{"render"} + arguments + QStringList{"--out", path});
            QFile file(path);
            return outcome.code == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : outcome.error.toUtf8();
        };
        const auto first = written({sample(), "--scale", "none", "--stage", "scaled", "--head", "1", "--size",
                                    "300x200", "--dpi", "90", "--title", "<T>", "--vmax", "2", "--dark"},
                                   "first");
        QVERIFY(first.size() > 1000);
        const auto path = folder_.filePath("first." + suffix);
        QCOMPARE(written({path}, "again"), first);
        QVERIFY(written({path, "--head", "2"}, "other") != first);
        const auto numbers = folder_.filePath("weights.npy");
        QCOMPARE(start({"compute", path, "--stage", "weights", "--out", numbers}).code, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(60));
        const auto cut = start({"render", path, "--out", folder_.filePath("cut.svg")});
        QCOMPARE(cut.code, 1);
        QVERIFY2(cut.error.contains("first." + suffix), qPrintable(cut.error));
    }

    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("font") << QStringList{"--font", "No Such Font"} << "--font: 'No Such Font' is not installed";
        QTest::newRow("size of the font") << QStringList{"--font-size", "2"} << "--font-size: has '2'";
        QTest::newRow("end") << QStringList{"--vmin", "low"} << "--vmin: has 'low', expected auto or a finite number";
        QTest::newRow("ends") << QStringList{"--vmin", "1", "--vmax", "0"} << "--vmin, --vmax, --log: ";
        QTest::newRow("logarithm of 0") << QStringList{"--log", "--vmin", "0"} << "--vmin, --vmax, --log: ";
        QTest::newRow("log and linear") << QStringList{"--log", "--linear"} << "--log: ";
        QTest::newRow("of steps") << QStringList{"--steps", "--step", "exp", "--vmin", "0"} << "--vmin: does not go";
    }
    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto out = folder_.filePath("wrong.png");
        const auto outcome = start(QStringList{"render", sample(), "--stage", "weights", "--out", out} + arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
        QVERIFY(!QFile::exists(out));
    }

    void inputsAreLeftOut() {
        const auto out = folder_.filePath("bare.svg");
        const auto render = [&](const QString& from, const QStringList& more, const QString& to) {
            return start(QStringList{"render", from, "--stage", "weights", "--out", to} + more);
        };
        QCOMPARE(render(sample(), {"--no-inputs"}, out).code, 0);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("attnlab_figure"));
        const auto again = render(out, {}, folder_.filePath("again.svg"));
        QCOMPARE(again.code, 1);
        QVERIFY2(again.error.contains("exported with its inputs"), qPrintable(again.error));
    }

    void partsAreLeftOut() {
        const QRegularExpression number(">\\d\\.\\d+<");
        const QString all = drawn({sample(), "--stage", "weights", "--title", "One"});
        QVERIFY(all.contains(number) && all.contains("One"));
        const QString bare = drawn({sample(), "--stage", "weights", "--no-numbers", "--no-color-bar"});
        QVERIFY2(!bare.contains(number) && bare.contains("<svg") && !bare.contains("One"), qPrintable(bare.left(300)));
    }
};

ATTNLAB_TEST(TestFigureOptions)
#include "test_figure_options.moc"
