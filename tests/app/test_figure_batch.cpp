// Several figures by one call of render, and the ways to draw a head.
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const QString four_heads = QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz");

} // namespace

class TestFigureBatch : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString at(const QString& name) const { return folder_.filePath(name); }
    QByteArray contents(const QString& name) const {
        QFile file(at(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    /// The file of each input and head is that of a call for it alone.
    void aFileForEachInputAndHead() {
        QVERIFY(QFile::copy(four_heads, at("a.npz")) && QFile::copy(four_heads, at("b.npz")));
        const auto all = start({"render", at("a.npz"), at("b.npz"), "--head", "0,2", "--no-inputs", "--out",
                                at("{stem}_{stage}_{head}.svg")});
        QVERIFY2(all.code == 0, qPrintable(all.error));
        for (const char* stem : {"a", "b"})
            for (const int head : {0, 2}) {
                const auto name = QStringLiteral("%1_weights_%2.svg").arg(QLatin1String(stem)).arg(head);
                QVERIFY2(start({"render", at("a.npz"), "--stage", "weights", "--head", QString::number(head),
                                "--no-inputs", "--out", at("alone.svg")})
                                 .code == 0,
                         qPrintable(name));
                QCOMPARE(contents(name), contents("alone.svg"));
            }
    }

    void aHundredFiguresTakeSeconds() {
        QStringList files;
        for (int i = 0; i < 100; ++i) {
            files << at(QStringLiteral("many%1.npz").arg(i));
            QVERIFY(QFile::copy(four_heads, files.last()));
        }
        const auto all = start(QStringList{"render"} + files + QStringList{"--out", at("{stem}.pdf")});
        QVERIFY2(all.code == 0, qPrintable(all.error));
        for (int i = 0; i < 100; ++i)
            QVERIFY(contents(QStringLiteral("many%1.pdf").arg(i)).startsWith("%PDF"));
    }

    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const QString out = at("wrong.svg");
        QTest::newRow("name in braces") << QStringList{"--out", at("{name}.svg")} << "--out: has {name}";
        QTest::newRow("equal stems") << QStringList{four_heads, "--out", at("wrong{stem}.svg")} << "{stem} is '";
        QTest::newRow("head") << QStringList{"--head", "0,9", "--out", out} << "--head: has '0,9'";
        QTest::newRow("stage") << QStringList{"--stage", "weights,weigths", "--out", out} << "'weigths' is not one of";
        QTest::newRow("all passes") << QStringList{"--pass", "all", "--out", at("{pass}.svg")} << "no capture";
        QTest::newRow("passes without braces") << QStringList{"--pass", "all", "--out", out} << "{pass}";
        QTest::newRow("view") << QStringList{"--view", "pie", "--out", out} << "--view: has 'pie'";
        QTest::newRow("option of heatmaps")
            << QStringList{"--view", "arcs", "--vmin", "0", "--out", out} << "--vmin: does not go with --view arcs";
        QTest::newRow("several heads") << QStringList{"--view", "arcs", "--head", "all", "--out", out} << "one head";
        QTest::newRow("query") << QStringList{"--view", "bars", "--query", "99", "--out", out} << "--query: has 99";
        QTest::newRow("size") << QStringList{"--size", "5 feet", "--out", out} << "--size: has '5 feet', expected";
        QTest::newRow("style") << QStringList{"--style", "science", "--out", out} << "--style: has 'science'";
        QTest::newRow("profiles of scores")
            << QStringList{"--stage", "scores", "--profiles", "--out", out} << "profiles are beside weights";
        QTest::newRow("LaTeX of a drawing") << QStringList{"--view", "arcs", "--out", at("wrong.tex")} << "LaTeX";
    }
    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto outcome = start(QStringList{"render", four_heads} + arguments);
        QVERIFY(outcome.code != 0);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
        QCOMPARE(QDir(at(".")).entryList({"wrong*"}), QStringList());
    }

    void stagesAreBesideEachOther() {
        const auto outcome = start({"render", four_heads, "--stages", "scores,weights", "--size", "396", "--letters",
                                    "--xlabel", "key", "--ylabel", "", "--out", at("stages.svg")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto svg = QString::fromUtf8(contents("stages.svg"));
        for (const char* once : {">scores<", ">weights<", ">key<", ">a<", ">b<"})
            QVERIFY2(svg.contains(QLatin1String(once)), once);
        QVERIFY(!svg.contains("query token"));
    }

    void profilesAreDrawnInEveryFormat() {
        for (const char* suffix : {"svg", "png", "pdf", "tex"}) {
            const auto outcome = start({"render", four_heads, "--head", "0,2", "--profiles", "--mask", "causal",
                                        "--style", "neurips", "--out", at(QString("profiles.") + suffix)});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
        for (const char* text : {"mean weight of each key", "entropy of each query"})
            QVERIFY2(contents("profiles.svg").contains(text) && contents("profiles.tex").contains(text), text);
        QVERIFY2(start({"render", at("profiles.svg"), "--head", "0,2", "--out", at("again.svg")}).code == 0, "again");
        QCOMPARE(contents("again.svg"), contents("profiles.svg"));
        const auto map = start({"map", four_heads, "--profiles", "--out", at("map.svg")});
        QVERIFY2(map.code == 0, qPrintable(map.error));
        QVERIFY(contents("map.svg").contains("largest of each key"));
    }

    void viewsOfAHead_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("lines") << QStringList{"--view", "lines"} << QStringList{"query token", "key token", "quick"};
        QTest::newRow("arcs") << QStringList{"--view", "arcs", "--query", "2"} << QStringList{"quick"};
        QTest::newRow("bars") << QStringList{"--view", "bars", "--query", "2"} << QStringList{"reads", "quick"};
        QTest::newRow("profile") << QStringList{"--view", "profile"} << QStringList{"Mean over", "quick"};
    }
    /// Drawn in every format, and again from the file itself.
    void viewsOfAHead() {
        QFETCH(QStringList, options);
        QFETCH(QStringList, texts);
        for (const char* suffix : {"svg", "png", "pdf"}) {
            const QString path = at(QStringLiteral("view.") + QLatin1String(suffix));
            const auto outcome = start(QStringList{"render", four_heads, "--head", "1", "--out", path} + options);
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
        const auto svg = QString::fromUtf8(contents("view.svg"));
        for (const auto& text : texts)
            QVERIFY2(svg.contains(text), qPrintable(text));
        QVERIFY(svg.contains("<path") || svg.contains("<rect"));
        QVERIFY2(start({"render", at("view.svg"), "--out", at("again.svg")}).code == 0, "drawn again");
        QCOMPARE(contents("again.svg"), contents("view.svg"));
    }

    void aWallOfHeads() {
        const auto outcome = start({"render", four_heads, "--view", "wall", "--out", at("wall.svg")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto svg = QString::fromUtf8(contents("wall.svg"));
        for (int head = 0; head < 4; ++head)
            QVERIFY(svg.contains(QStringLiteral("Head %1").arg(head)));
        QVERIFY(!svg.contains("quick"));
    }

    /// A step is drawn again as a step.
    void aStepIsDrawnAgain() {
        const auto first = start(
            {"render", four_heads, "--steps", "--step", "mix", "--query", "2", "--head", "1", "--out", at("step.svg")});
        QVERIFY2(first.code == 0, qPrintable(first.error));
        const auto again = start({"render", at("step.svg"), "--out", at("step2.svg")});
        QVERIFY2(again.code == 0 && !again.error.contains("attnlab: "), qPrintable(again.error));
        QCOMPARE(contents("step2.svg"), contents("step.svg"));
    }

    void latexCompiles() {
        const auto outcome =
            start({"render", four_heads, "--stages", "scores,weights", "--mask", "causal", "--profiles", "--title",
                   "50 % & more_of {it} \\ #1", "--style", "neurips", "--out", at("figure.tex")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto tex = contents("figure.tex");
        QVERIFY(tex.contains("matrix plot*") && tex.contains("quick"));
        if (QStandardPaths::findExecutable("pdflatex").isEmpty())
            QSKIP("pdflatex is not installed (texlive-latex-base, texlive-pictures)");
        QFile page(at("page.tex"));
        QVERIFY(page.open(QIODevice::WriteOnly));
        page.write("\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}"
                   "\\begin{document}\\input{figure.tex}\\end{document}\n");
        page.close();
        QProcess latex;
        latex.setWorkingDirectory(folder_.path());
        latex.start("pdflatex", {"-halt-on-error", "-interaction=nonstopmode", "page.tex"});
        QVERIFY(latex.waitForFinished(120'000));
        const auto log = latex.readAllStandardOutput();
        QVERIFY2(latex.exitCode() == 0, log.right(2000).constData());
        QVERIFY(contents("page.pdf").startsWith("%PDF"));
    }

    void notesWhatAStyleForbids() {
        const auto good = start({"render", four_heads, "--style", "nature", "--no-inputs", "--out", at("style.png")});
        QVERIFY2(good.code == 0 && !good.error.contains("attnlab: "), qPrintable(good.error));
        const auto coarse =
            start({"render", four_heads, "--style", "nature", "--dpi", "100", "--out", at("style.png")});
        QCOMPARE(coarse.code, 0);
        QVERIFY2(coarse.error.contains("100 dots per inch"), qPrintable(coarse.error));
    }

    void lostLettersAreNamed() {
        const auto noted = [&](const char* suffix) {
            const auto outcome = start({"render", golden("scale_none.in.npz"), "--stage", "weights", "--no-inputs",
                                        "--out", at(QStringLiteral("letters.") + QLatin1String(suffix))});
            return outcome.code == 0 && outcome.error.contains("labels");
        };
        QVERIFY(!noted("pdf") && !noted("tex"));
        const auto with = [&](const char* suffix) {
            return start({"render", QStringLiteral(ATTNLAB_SAMPLES_DIR "/milk_or_cat_sweet.npz"), "--tokens",
                          QStringLiteral("a 我 🚀 d"), "--key-tokens", "a b c d", "--no-inputs", "--out",
                          at(QStringLiteral("letters.") + QLatin1String(suffix))})
                .error;
        };
        QVERIFY2(with("pdf").contains("labels: 🚀"), qPrintable(with("pdf")));
        QVERIFY2(with("tex").contains("我, 🚀"), qPrintable(with("tex")));
        QVERIFY(!with("svg").contains("labels"));
        // The minus of B − A is a letter of LaTeX.
        const auto compared =
            start({"render", four_heads, "--with", "--scale none", "--no-inputs", "--out", at("b.tex")});
        QVERIFY2(compared.code == 0 && !compared.error.contains("labels"), qPrintable(compared.error));
    }

    void numbersOfOneHead() {
        const auto compute = [&](const QStringList& options) {
            const auto outcome = start(QStringList{"compute", four_heads, "--stage", "weights"} + options);
            return outcome.code == 0 ? QString() : outcome.error;
        };
        QCOMPARE(compute({"--head", "2", "--batch", "0", "--labels", "--out", at("w.csv")}), QString());
        const auto table = contents("w.csv");
        QVERIFY2(table.startsWith(",") && table.contains("quick"), table.left(200).constData());
        QCOMPARE(compute({"--head", "2", "--long", "--out", at("long.csv")}), QString());
        QVERIFY(contents("long.csv").startsWith("stage,batch,query,key,query_token,key_token,value\n"));
        QVERIFY(compute({"--out", at("all.csv")}).contains("--head choose"));
        QVERIFY(compute({"--head", "9", "--out", at("w.csv")}).contains("--head: has '9'"));
        QVERIFY(compute({"--long", "--out", at("w.npz")}).contains("--long: is for a table"));
    }

    void codeReadsLabels() {
        // A file with tokens beside its arrays.
        for (const char* language : {"pytorch", "numpy", "latex"}) {
            const auto outcome = start({"code", four_heads, "--as", language});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
    }
};

ATTNLAB_TEST(TestFigureBatch)
#include "test_figure_batch.moc"
