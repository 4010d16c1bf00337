// What render --view draws besides heads: tiles, pages, buckets, curves, and all heads as a wall or a plot.
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QString sampleNamed(const char* id) { return QStringLiteral(ATTNLAB_SAMPLES_DIR "/%1.npz").arg(QLatin1String(id)); }

const QStringList sample_model{"--model", "sample", "--text", "the cat drank the milk"};
const QString t5_model = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/t5");

} // namespace

class TestRenderViews : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString at(const QString& name) const { return folder_.filePath(name); }
    QByteArray contents(const QString& name) const {
        QFile file(at(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void viewsOfWeights_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("title");
        QTest::newRow("value_norm") << "value_norm"
                                    << "weights × ‖v‖";
        QTest::newRow("output_norm") << "output_norm"
                                     << "weights × ‖v W_O‖";
        QTest::newRow("no_sink") << "no_sink:0,2"
                                 << "without key 0, 2";
        QTest::newRow("words") << "words"
                               << "weights by words";
    }
    void viewsOfWeights() {
        QFETCH(QString, view);
        QFETCH(QString, title);
        const auto input = golden(("view_" + view.section(':', 0, 0) + ".in.npz").toUtf8());
        const auto drawn = start({"render", input, "--view", view, "--mask", "causal", "--out", at("view.svg")});
        QVERIFY2(drawn.code == 0, qPrintable(drawn.error));
        const auto picture = QString::fromUtf8(contents("view.svg"));
        QVERIFY2(picture.contains(title), qPrintable(picture.left(4000)));
        // The figure is drawn again as that.
        const auto again = start({"render", at("view.svg"), "--out", at("again.svg")});
        QVERIFY2(again.code == 0, qPrintable(again.error));
        QVERIFY(QString::fromUtf8(contents("again.svg")).contains(title));
        const auto code = start({"code", at("view.svg"), "--as", "command"});
        QVERIFY2(code.out.contains("--view " + view), qPrintable(code.out));
        for (const QStringList& wrong : {QStringList{"--stage", "scores"}, QStringList{"--query", "1"}})
            QCOMPARE(start(QStringList{"render", input, "--view", view, "--out", at("wrong.svg")} + wrong).code, 2);
        QCOMPARE(start({"compute", input, "--view", "values", "--out", at("wrong.npz")}).code, 2);
    }

    void whatMechanismsDo_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("text");
        QTest::newRow("tiles") << "flash_tiles"
                               << "tiles"
                               << "Q";
        QTest::newRow("page table") << "paged_cache"
                                    << "page_table"
                                    << "0";
        QTest::newRow("buckets") << "reformer_buckets"
                                 << "buckets"
                                 << "bucket";
        QTest::newRow("curve") << "performer_features"
                               << "curve"
                               << "features";
    }
    void whatMechanismsDo() {
        QFETCH(QString, sample);
        QFETCH(QString, view);
        QFETCH(QString, text);
        const auto input = sampleNamed(sample.toUtf8());
        for (const char* suffix : {"svg", "png", "pdf"}) {
            const auto outcome =
                start({"render", input, "--view", view, "--out", at(view + '.' + QLatin1String(suffix))});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
        const auto svg = QString::fromUtf8(contents(view + ".svg"));
        QVERIFY2(svg.contains(text), qPrintable(svg.left(2000)));
        const auto other = start({"render", sampleNamed("milk_or_cat_sweet"), "--view", view, "--out", at("none.svg")});
        QVERIFY(other.code != 0 && !QFile::exists(at("none.svg")));
        QVERIFY2(other.error.contains("has no '" + view), qPrintable(other.error));
    }

    /// A frame for each tile.
    void tilesAreAnimated() {
        const auto outcome = start(
            {"render", sampleNamed("flash_tiles"), "--view", "tiles", "--seconds", "0.2", "--out", at("tiles.webp")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto file = contents("tiles.webp");
        QVERIFY(file.startsWith("RIFF") && file.count("ANMF") > 3);
    }

    void headsOfAModel() {
        const auto wall = start(QStringList{"render", "--view", "wall", "--out", at("wall.svg")} + sample_model);
        QVERIFY2(wall.code == 0, qPrintable(wall.error));
        const auto svg = QString::fromUtf8(contents("wall.svg"));
        QVERIFY(svg.contains(">0.0<") && svg.contains(">1.1<") && svg.contains(">weights<"));
        const auto plot = start(
            QStringList{"render", "--view", "plot", "--x", "entropy", "--y", "previous", "--out", at("plot.svg")} +
            sample_model);
        QVERIFY2(plot.code == 0, qPrintable(plot.error));
        QVERIFY(contents("plot.svg").contains("entropy"));
        const auto plot_of = [&](const char* option) {
            const auto made = start({"render", "--view", "plot", "--x", "entropy", "--y", "previous", "--model",
                                     "sample", option, "5,6,7", "--out", at("ids.svg")});
            return made.code == 0 ? contents("ids.svg") : made.error.toUtf8();
        };
        QVERIFY(plot_of("--ids").contains("entropy"));
        QVERIFY(plot_of("--ids") != plot_of("--text")); // three tokens, and the letters of the text
    }

    /// A figure has the numbers that `attnlab model --effects` prints.
    void whatHeadsDo() {
        const QString text = QStringLiteral("When Mary and John went to the store, John gave a drink to");
        const QStringList model{"--model", "sample", "--text", text};
        for (const char* suffix : {"svg", "png", "pdf", "tex"}) {
            const auto wall = start(
                QStringList{"render", "--view", "wall", "--effects", "--out", at(QStringLiteral("heads.") + suffix)} +
                model);
            QVERIFY2(wall.code == 0, qPrintable(wall.error));
        }
        const auto svg = QString::fromUtf8(contents("heads.svg"));
        const auto report = start(QStringList{"model", "sample", "--text", text, "--effects", "--json"});
        QVERIFY2(report.code == 0, qPrintable(report.error));
        const auto effects = QJsonDocument::fromJson(report.out.toUtf8()).object()["effects"].toArray();
        QVERIFY(effects.size() > 8);
        for (const auto& value : effects) {
            const auto effect = value.toObject();
            constexpr double least_told = 0.005;
            const bool tells = effect["moved"].toDouble() >= least_told || effect["answer"].toString() != " Mary";
            const int percent = qRound(100.0 * effect["answer_probability"].toDouble());
            const auto words = !tells
                                   ? QStringLiteral("nothing")
                                   : QStringLiteral("%1 %2%").arg(effect["answer"].toString().trimmed(),
                                                                  percent > 99 ? "&gt; 99" : QString::number(percent));
            const auto told = QRegularExpression(
                QStringLiteral("\\b%1\\.%2: (→ )?%3")
                    .arg(effect["pass"].toString().section('.', 1, 1), QString::number(effect["head"].toInt()), words));
            QVERIFY2(told.match(svg).hasMatch(), qPrintable(told.pattern()));
        }
        QVERIFY(svg.contains("> John 97%<") && svg.contains(">Mary 56%<") && svg.contains(">nothing<"));
        QVERIFY(svg.contains("With all heads on, the answer is Mary"));
        const auto arcs = [&](const QStringList& more) {
            const auto made = start(QStringList{"render", "--view", "arcs", "--pass", "decoder.2.self", "--head", "0",
                                                "--query", "14", "--out", at("arcs.svg")} +
                                    model + more);
            return made.code == 0 ? QString::fromUtf8(contents("arcs.svg")) : made.error;
        };
        QVERIFY(!arcs({}).contains("Mary &gt; 99%"));
        QVERIFY2(arcs({"--answer"}).contains("Mary &gt; 99%"), qPrintable(arcs({"--answer"}).left(2000)));
        QVERIFY(arcs({"--answer", "--ablate", "decoder.2.self:0"}).contains(">Mary 56%<"));
        const auto again = start({"render", at("arcs.svg"), "--out", at("again.svg")});
        QVERIFY2(again.code == 0, qPrintable(again.error));
        QVERIFY(contents("again.svg").contains(">Mary 56%<"));
        // Of another head of the pass the answer is the same; of other weights it is not known.
        const auto other_head = start({"render", at("arcs.svg"), "--head", "1", "--out", at("again.svg")});
        QVERIFY2(other_head.code == 0 && !other_head.error.contains("answer"), qPrintable(other_head.error));
        QVERIFY(contents("again.svg").contains(">Mary 56%<"));
        const auto replaced =
            start({"render", at("arcs.svg"), "--mask", "none", "--mask", "window:1", "--out", at("again.svg")});
        QVERIFY2(replaced.code == 0 && replaced.error.contains("the answer of the figure is left out: --mask"),
                 qPrintable(replaced.error));
        QVERIFY(!contents("again.svg").contains("Mary 56%"));
        // A narrow figure shortens the name and keeps the probability.
        QVERIFY2(arcs({"--answer", "--style", "acl"}).contains("&gt; 99%<"),
                 qPrintable(arcs({"--answer", "--style", "acl"})));
    }

    /// The decoder's next token is not the end of the source.
    void theAnswerFollowsTheDecoder() {
        const auto arcs = [&](const QString& pass) {
            return start({"render", "--view", "arcs", "--answer", "--model", t5_model, "--ids", "5,6,7", "--pass", pass,
                          "--out", at("t5.svg")});
        };
        const auto refused = arcs("encoder.0.self");
        QVERIFY2(refused.code == 2 && refused.error.contains("--answer: stands behind the text of the decoder"),
                 qPrintable(refused.error));
        for (const char* pass : {"decoder.0.self", "decoder.0.cross"}) {
            const auto drawn = arcs(pass);
            QVERIFY2(drawn.code == 0, qPrintable(drawn.error));
        }
    }

    /// Also where heatmaps have axes of their own, whose marks differ in length.
    void marksHaveOneSize() {
        const auto wall = start({"render", "--view", "wall", "--effects", "--model", t5_model, "--ids", "5,6,7,8,9,10",
                                 "--style", "acl", "--out", at("marks.svg")});
        QVERIFY2(wall.code == 0, qPrintable(wall.error));
        const auto svg = QString::fromUtf8(contents("marks.svg"));
        QSet<QString> sizes;
        auto found = QRegularExpression("font-size=\"([^\"]+)\"[^>]*>[^<]*(nothing|%)</text>").globalMatch(svg);
        int count = 0;
        for (; found.hasNext(); ++count)
            sizes << found.next().captured(1);
        QVERIFY2(count > 4 && sizes.size() == 1, qPrintable(QStringList(sizes.values()).join(' ')));
    }

    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const QString out = at("wrong.svg");
        QTest::newRow("axis") << QStringList{"--x", "entropy", "--out", out} << "--x: is for --view plot";
        QTest::newRow("animation") << QStringList{"--view", "arcs", "--out", at("wrong.webp")} << "webp";
        QTest::newRow("steps") << QStringList{"--seconds", "1", "--out", out} << "--seconds: is for --steps";
        QTest::newRow("seconds") << QStringList{"--view", "tiles", "--seconds", "0", "--out", at("wrong.webp")}
                                 << "--seconds: has '0'";
        QTest::newRow("plot of a problem") << QStringList{"--view", "plot", "--out", out} << "of a capture";
        QTest::newRow("effects of a plot") << QStringList{"--view", "plot", "--effects", "--out", out} + sample_model
                                           << "--effects: is for --view wall";
        QTest::newRow("answer without a model")
            << QStringList{"--view", "arcs", "--answer", "--out", out} << "--answer: is for --view arcs with --model";
        QTest::newRow("effects with heads off")
            << QStringList{"--view", "wall", "--effects", "--ablate", "decoder.2.self:0", "--out", out} + sample_model
            << "--effects: does not go with --ablate";
        for (const char* option : {"--scale", "--mask", "--position"})
            QTest::addRow("answer with %s", option)
                << QStringList{"--view", "arcs", "--answer", "--pass", "decoder.0.self", option, "none", "--out", out} +
                       sample_model
                << QStringLiteral("--answer: does not go with %1").arg(QLatin1String(option));
        QTest::newRow("ablation") << QStringList{"--view", "wall", "--ablate", "decoder", "--out", out} + sample_model
                                  << "expected PASS:HEAD";
        QTest::newRow("colours of tiles")
            << QStringList{"--view", "tiles", "--vmin", "0", "--out", out} << "--vmin: does not go with --view tiles";
    }
    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto outcome = start(QStringList{"render", sampleNamed("flash_tiles")} + arguments);
        QVERIFY(outcome.code != 0);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
        QVERIFY(!QFile::exists(at("wrong.svg")));
    }

    /// A figure that has no room for its inputs says so.
    void whatAFigureHasNoRoomFor() {
        io::write_npz(at("large.npz").toStdString(), {{{"query", Tensor({1, 8, 512, 64}, 0.25, DType::Float32)},
                                                       {"key", Tensor({1, 8, 512, 64}, 0.5, DType::Float32)},
                                                       {"value", Tensor({1, 8, 512, 64}, 0.5, DType::Float32)}},
                                                      {}});
        // The head on show is enough.
        const auto head = start({"render", at("large.npz"), "--head", "3", "--out", at("head.pdf")});
        QVERIFY2(head.code == 0 && head.error.contains("carries its inputs"), qPrintable(head.error));
        QCOMPARE(start({"render", at("head.pdf"), "--out", at("again.pdf")}).code, 0);
        io::write_npz(at("larger.npz").toStdString(), {{{"query", Tensor({1, 2, 4096, 64}, 0.25, DType::Float32)},
                                                        {"key", Tensor({1, 2, 4096, 64}, 0.5, DType::Float32)}},
                                                       {}});
        const auto map = start({"map", at("larger.npz"), "--out", at("map.pdf")});
        QVERIFY2(map.code == 0 && map.error.contains("query float64 (1, 2, 4096, 64)"), qPrintable(map.error));
        const auto alone = start({"map", at("map.pdf"), "--out", at("map2.png")});
        QVERIFY2(alone.code == 1 && alone.error.contains("query: is missing in") &&
                     alone.error.contains("float64 (1, 2, 4096, 64)"),
                 qPrintable(alone.error));
        const auto both = start({"map", at("map.pdf"), at("larger.npz"), "--out", at("map2.png")});
        QVERIFY2(!both.error.contains("no room"), qPrintable(both.error));
        QCOMPARE(start({"map", at("map.pdf"), at("larger.npz"), "--out", at("map2.png")}).code, 0);
    }

    /// Months later: which model, which text, which axes.
    void arraysOfAModelExplainThemselves() {
        const QString path = at("model.npz"), other = at("model.safetensors");
        for (const auto& file : {path, other}) {
            const auto outcome = start(
                {"model", "sample", "--text", "the cat drank the milk", "--keep", "weights,logits", "--out", file});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
        const auto archive = io::read_npz(path.toStdString(), {}, io::Members::All, io::OtherTypes::Name);
        std::map<std::string, std::string, std::less<>> metadata;
        io::read_safetensors(other.toStdString(), {}, nullptr, &metadata);
        for (const auto& text : {archive.others.at("about.json"), metadata.at("attnlab_about")}) {
            const auto about = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
            QVERIFY(about["program"].toString().startsWith("AttnLab"));
            QCOMPARE(about["settings"]["text"].toString(), QString("the cat drank the milk"));
            QCOMPARE(about["axes"]["decoder.0.self.weights"].toArray(), (QJsonArray{"head", "query", "key"}));
            QVERIFY(about["tokens"]["input_ids"].toArray().size() >= 5);
        }
    }
};

ATTNLAB_TEST(TestRenderViews)
#include "test_render_views.moc"
