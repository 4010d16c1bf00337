// attnlab map, started as a user starts it: files, exit codes, messages.
#include "core/backend.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;

namespace {

constexpr std::int64_t length = 113, keys = 203;

test::Outcome start(const QStringList& arguments) { return test::start(QStringList{"map"} + arguments); }

AttentionProblem problemOfTwoHeads() {
    AttentionProblem problem;
    problem.tensors = {{"query", random_normal({2, 2, length, 7}, 1)},
                       {"key", random_normal({2, 1, keys, 7}, 2)},
                       {"value", random_normal({2, 1, keys, 3}, 3)}};
    return problem;
}

std::string bytesOf(const QString& path) { return io::read_file(path.toStdString(), 1 << 26); }

Tensor arrayOf(const std::string& bytes) { return io::read_npy(std::as_bytes(std::span(bytes)), "map"); }

} // namespace

class TestMapCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        input_ = folder_.filePath("in.npz");
        io::write_npz(input_.toStdString(), {problemOfTwoHeads().tensors, {}});
    }

    void writesNumbers_data() {
        QTest::addColumn<QString>("pool");
        QTest::addColumn<QString>("mask");
        for (const auto* pool : {"max", "mean"})
            for (const auto* mask : {"", "causal:bottom_right", "window:20"})
                QTest::addRow("%s %s", pool, mask) << QString(pool) << QString(mask);
    }

    /// Against the weights of the reference, pooled cell by cell.
    void writesNumbers() {
        QFETCH(QString, pool);
        QFETCH(QString, mask);
        const auto out = folder_.filePath("map.npy");
        QStringList arguments{input_,   "--batch", "1",       "--head", "1",      "--rows", "10:101", "--cols", ":200",
                              "--bins", "10x7",    "--scale", "dk",     "--pool", pool,     "--out",  out};
        auto problem = problemOfTwoHeads();
        problem.spec.scale = {"dk", {}};
        if (!mask.isEmpty()) {
            arguments << "--mask" << mask;
            problem.spec.masks = {parse_mask(mask.toStdString())};
        }
        if (mask.startsWith("window")) // its corner would be in doubt
            arguments << "--query-offset"
                      << "0";
        const auto outcome = start(arguments);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY(outcome.out.isEmpty() && outcome.error.isEmpty());

        const auto bytes = bytesOf(out);
        QVERIFY(bytes.find("'<f4'") != std::string::npos);
        const auto map = arrayOf(bytes);
        QCOMPARE(map.shape(), (Shape{10, 7})); // of 10 x 29 cells, the last ones shorter
        const auto trace = reference_backend().run(problem, {});
        const auto& weights = trace.find("weights")->value;
        const auto* blocked = trace.find("blocked");
        bool any_masked = false;
        for (std::int64_t r = 0; r < 10; ++r)
            for (std::int64_t c = 0; c < 7; ++c) {
                double max = 0.0, sum = 0.0, count = 0.0;
                for (auto i = 10 + 10 * r; i < std::min<std::int64_t>(101, 20 + 10 * r); ++i)
                    for (auto j = 29 * c; j < std::min<std::int64_t>(200, 29 * c + 29); ++j)
                        if (!blocked || blocked->value.at({1, 1, i, j}) == 0.0) {
                            max = std::max(max, weights.at({1, 1, i, j}));
                            sum += weights.at({1, 1, i, j});
                            ++count;
                        }
                const double got = map.at({r, c}), expected = pool == "max" ? max : sum / count;
                any_masked = any_masked || count == 0.0;
                QVERIFY(count == 0.0 ? std::isnan(got) : std::abs(got - expected) <= 2e-6);
            }
        QCOMPARE(any_masked, !mask.isEmpty());
    }

    void writesDifferences_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("pool");
        const QString others = folder_.filePath("others.npz");
        for (const auto* pool : {"mean", "max"}) {
            QTest::addRow("setting %s", pool)
                << QStringList{"--with", "--scale none --mask window:30"} << QString(pool);
            QTest::addRow("head %s", pool) << QStringList{"--head-of-b", "0"} << QString(pool);
            QTest::addRow("file %s", pool) << QStringList{"--b", others} << QString(pool);
            QTest::addRow("all %s", pool)
                << QStringList{"--b", others, "--head-of-b", "0", "--with", "--scale none"} << QString(pool);
        }
    }

    /// B − A of the reference, with 0 where a cell is blocked.
    void writesDifferences() {
        QFETCH(QStringList, options);
        QFETCH(QString, pool);
        auto a = problemOfTwoHeads(), b = a;
        a.spec.masks = {parse_mask("causal")};
        a.spec.query_offset = 0;
        b.spec = a.spec;
        if (options.contains("--b")) {
            b.tensors["query"] = random_normal({2, 2, length, 7}, 11);
            io::write_npz(folder_.filePath("others.npz").toStdString(), {b.tensors, {}});
        }
        const auto with = options.value(options.indexOf("--with") + 1);
        if (options.contains("--with"))
            b.spec.scale = {"none", {}};
        if (options.contains("--with") && with.contains("window"))
            b.spec.masks = {parse_mask("window:30")};
        const std::int64_t head_of_b = options.contains("--head-of-b") ? 0 : 1;
        const auto out = folder_.filePath("difference.npz");
        const auto outcome = start(QStringList{input_, "--batch", "1", "--head", "1", "--bins", "10x7", "--mask",
                                               "causal", "--query-offset", "0", "--pool", pool, "--out", out} +
                                   options);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY2(outcome.error.isEmpty(), qPrintable(outcome.error));
        const auto arrays = io::read_npz(out.toStdString()).tensors;
        QVERIFY(!arrays.contains("weights"));
        const auto& got = arrays.at("difference");
        QCOMPARE(got.shape(), (Shape{10, 7}));
        const auto trace_a = reference_backend().run(a, {}), trace_b = reference_backend().run(b, {});
        double largest = 0.0;
        for (std::int64_t r = 0; r < 10; ++r)
            for (std::int64_t c = 0; c < 7; ++c) {
                double max_a = 0.0, max_b = 0.0, sum = 0.0, count = 0.0, kept = 0.0;
                for (auto i = 12 * r; i < std::min<std::int64_t>(length, 12 * r + 12); ++i)
                    for (auto j = 29 * c; j < std::min<std::int64_t>(keys, 29 * c + 29); ++j) {
                        const double of_a = trace_a.find("weights")->value.at({1, 1, i, j}),
                                     of_b = trace_b.find("weights")->value.at({1, head_of_b, i, j});
                        const auto* blocked = trace_b.find("blocked");
                        kept += trace_a.find("blocked")->value.at({1, 1, i, j}) == 0.0 || !blocked ||
                                blocked->value.at({1, head_of_b, i, j}) == 0.0;
                        max_a = std::max(max_a, of_a);
                        max_b = std::max(max_b, of_b);
                        sum += of_b - of_a;
                        ++count;
                    }
                const double expected = pool == "max" ? max_b - max_a : sum / count;
                largest = std::max(largest, std::abs(expected));
                QVERIFY(kept == 0.0 ? std::isnan(got.at({r, c})) : std::abs(got.at({r, c}) - expected) <= 2e-6);
            }
        QVERIFY(largest > 1e-3);
    }

    /// A picture of B − A, drawn again from the picture alone, has the same numbers.
    void drawsADifferenceAgain() {
        const auto picture = folder_.filePath("difference.svg");
        const auto first = folder_.filePath("first.npy"), again = folder_.filePath("again.npy");
        const QStringList options{"--head", "1",      "--batch",      "0",           "--bins", "20x20", "--pool",
                                  "mean",   "--with", "--scale none", "--head-of-b", "0"};
        QCOMPARE(start(QStringList{input_, "--out", first} + options).code, 0);
        const auto drawn = start(QStringList{input_, "--out", picture} + options);
        QVERIFY2(drawn.code == 0, qPrintable(drawn.error));
        QVERIFY(QString::fromStdString(bytesOf(picture)).contains(QStringLiteral("mean of B − A over 6 × 11 cells")));
        const auto redrawn = start({picture, "--out", again});
        QVERIFY2(redrawn.code == 0, qPrintable(redrawn.error));
        QCOMPARE(arrayOf(bytesOf(again)).shape(), arrayOf(bytesOf(first)).shape());
        QVERIFY(bytesOf(again) == bytesOf(first));
    }

    void anArchiveHasTheEdgesOfItsBins() {
        const QStringList options{input_, "--head", "1", "--rows", "10:101", "--cols", ":200", "--bins", "10x7"};
        const auto alone = folder_.filePath("edges.npy"), all = folder_.filePath("edges.npz");
        QCOMPARE(start(options + QStringList{"--batch", "1", "--out", alone}).code, 0);
        QCOMPARE(start(options + QStringList{"--batch", "1", "--out", all}).code, 0);
        const auto arrays = io::read_npz(all.toStdString()).tensors;
        const auto same = arrayOf(bytesOf(alone));
        QCOMPARE(arrays.at("weights").shape(), same.shape());
        for (std::int64_t i = 0; i < 10; ++i)
            for (std::int64_t j = 0; j < 7; ++j)
                QCOMPARE(arrays.at("weights").at({i, j}), same.at({i, j}));
        const auto& rows = arrays.at("row_edges");
        const auto& columns = arrays.at("column_edges");
        QCOMPARE(rows.shape(), Shape{11});
        QCOMPARE(columns.shape(), Shape{8});
        QCOMPARE(rows.at({0}), 10.0);
        QCOMPARE(rows.at({1}), 20.0);
        QCOMPARE(rows.at({10}), 101.0);
        QCOMPARE(columns.at({1}), 29.0);
        QCOMPARE(columns.at({7}), 200.0);
    }

    void aCellABinWhereBinsAreMany() {
        const auto out = folder_.filePath("cells.npy");
        QCOMPARE(start({input_, "--rows", "3:5", "--out", out}).code, 0);
        QCOMPARE(arrayOf(bytesOf(out)).shape(), (Shape{2, 203}));
    }

    void needsNoValue() {
        auto tensors = problemOfTwoHeads().tensors;
        tensors.erase("value");
        const auto input = folder_.filePath("qk.npz"), out = folder_.filePath("qk.npy");
        io::write_npz(input.toStdString(), {tensors, {}});
        const auto outcome = start({input, "--bins", "5x5", "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(arrayOf(bytesOf(out)).shape(), (Shape{5, 5}));
    }

    /// NaN in a map is either a masked bin or told of, in the words of compute.
    void warnsOfWhatIsNotANumber_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::newRow("NaN in a query") << "query" << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinity in a query") << "query" << std::numeric_limits<double>::infinity();
        QTest::newRow("NaN in a key") << "key" << std::numeric_limits<double>::quiet_NaN();
    }
    void warnsOfWhatIsNotANumber() {
        QFETCH(QString, name);
        QFETCH(double, value);
        TensorMap tensors{{"query", random_normal({1, 1, 8, 4}, 1)},
                          {"key", random_normal({1, 1, 8, 4}, 2)},
                          {"value", random_normal({1, 1, 8, 4}, 3)}};
        tensors.at(name.toStdString()).mutable_values()[21] = value;
        const auto input = folder_.filePath("odd.npz"), out = folder_.filePath("odd.npy");
        io::write_npz(input.toStdString(), {tensors, {}});
        const auto computed = test::start({"compute", input, "--out", folder_.filePath("stages.npz")});
        QVERIFY(computed.error.contains("warning: " + name +
                                        " holds values that are NaN or infinite: 1 (first at "
                                        "(0, 0, 5, 1))"));
        QVERIFY(computed.error.contains("Rows whose weights are NaN: "));
        const QList<QStringList> places{{"--out", out},
                                        {"--pool", "mean", "--rows", "2:7", "--out", out},
                                        {"--partial", folder_.filePath("p.npz")}};
        for (const auto& place : places) {
            const auto outcome = start(QStringList{input} + place);
            QCOMPARE(outcome.code, 0);
            QCOMPARE(outcome.error, computed.error);
        }
    }

    /// Of masks it warns as compute does.
    void warnsOfMasks_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("says");
        QTest::newRow("corner") << QStringList{"--mask", "causal"}
                                << "causal lines up the first query with the first key";
        QTest::newRow("padding") << QStringList{"--mask", "key_padding"}
                                 << "Rows with every key blocked: 5 (first: 0). Their";
        QTest::newRow("finite fill") << QStringList{"--mask", "key_padding", "--mask-fill", "-5"}
                                     << "Rows with every key blocked: 5 (first: 0). The fill -5 is finite";
    }
    void warnsOfMasks() {
        QFETCH(QStringList, options);
        QFETCH(QString, says);
        TensorMap tensors{{"query", random_normal({1, 1, 5, 4}, 1)},
                          {"key", random_normal({1, 1, 9, 4}, 2)},
                          {"value", random_normal({1, 1, 9, 4}, 3)}};
        if (options.contains("key_padding"))
            tensors.emplace("key_padding_mask", Tensor({1, 9}, 1.0, DType::Bool));
        const auto input = folder_.filePath("masks.npz");
        io::write_npz(input.toStdString(), {tensors, {}});
        const auto computed =
            test::start(QStringList{"compute", input, "--out", folder_.filePath("stages.npz")} + options);
        QVERIFY2(computed.error.contains("warning: " + says), qPrintable(computed.error));
        const auto outcome = start(QStringList{input, "--out", folder_.filePath("masks.npy")} + options);
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.error, computed.error);
    }

    void saysWhichHead_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("says");
        const QString of = "attnlab: note: the map is of batch %1 of 2, head %2 of 2, counted from 0; %3 another\n";
        QTest::newRow("neither") << QStringList{} << of.arg("0", "0", "--batch and --head choose");
        QTest::newRow("batch") << QStringList{"--batch", "1"} << of.arg("1", "0", "--head chooses");
        QTest::newRow("head") << QStringList{"--head", "1"} << of.arg("0", "1", "--batch chooses");
        QTest::newRow("both") << QStringList{"--head", "0", "--batch", "0"} << QString();
    }
    void saysWhichHead() {
        QFETCH(QStringList, options);
        QFETCH(QString, says);
        const auto outcome = start(QStringList{input_, "--out", folder_.filePath("head.npy")} + options);
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.error, says);
    }

    /// The same function on another schedule.
    void takesFlash() {
        const auto plain = folder_.filePath("plain.npy"), flash = folder_.filePath("flash.npy");
        QCOMPARE(start({input_, "--bins", "5x5", "--out", plain}).code, 0);
        const auto outcome = start({input_, "--variant", "flash", "--bins", "5x5", "--out", flash});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(arrayOf(bytesOf(flash)), arrayOf(bytesOf(plain)));
    }

    void takesProjections() {
        const auto input = folder_.filePath("heads.npz"), out = folder_.filePath("heads.npy");
        io::write_npz(input.toStdString(), {{{"x", random_normal({1, 30, 6}, 1)},
                                             {"w_q", random_normal({6, 8}, 2)},
                                             {"w_k", random_normal({6, 8}, 3)},
                                             {"w_v", random_normal({6, 8}, 4)}},
                                            {}});
        const QStringList arguments{input,    "--variant", "multi_head", "--set", "num_heads=2", "--head", "1",
                                    "--bins", "5x6",       "--out",      out};
        const auto outcome = start(arguments);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(arrayOf(bytesOf(out)).shape(), (Shape{5, 6}));
        const auto dropped = start(arguments + QStringList{"--set", "dropout=0.1"});
        QCOMPARE(dropped.code, 2);
        QVERIFY2(dropped.error.contains("--set: ") && dropped.error.contains("dropout"), qPrintable(dropped.error));
    }

    void draws_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }

    void draws() {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, begins);
        const auto out = folder_.filePath("map." + suffix);
        const auto outcome =
            start({input_, "--mask", "causal", "--log", "--colormap", "magma", "--title", "Head 1", "--size", "400x300",
                   "--dpi", "72", "--rows", "50:", "--cols", "50:", "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        QVERIFY(bytes.startsWith(begins));
        // The file is drawn again as the map that it was.
        const auto again = folder_.filePath("again." + suffix);
        QVERIFY2(start({out, "--out", again}).code == 0, "again");
        QFile second(again);
        QVERIFY(second.open(QIODevice::ReadOnly));
        if (suffix != "pdf") // which has its time
            QCOMPARE(second.readAll(), bytes);
        const auto other = test::start({"render", out, "--out", folder_.filePath("other." + suffix)});
        QVERIFY2(other.code != 0 && other.error.contains("'attnlab map' draws again"), qPrintable(other.error));
        if (suffix == "png")
            QCOMPARE(QImage::fromData(bytes).size(), QSize(400, 300));
        if (suffix == "svg") {
            for (const auto* text : {"Head 1", ">query token<", ">key token<", ">50<", ">110<"})
                QVERIFY2(bytes.contains(text), text);
            QVERIFY(!bytes.contains(">0<")); // rows and columns are labelled by tokens
        }
    }

    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << QString::fromUtf8(says);
        };
        row("suffix", {"--out", "x.csv"}, 2, "--out.*'x.csv'.*\\.npy, \\.npz");
        row("pool", {"--pool", "sum"}, 2, "--pool.*'sum'.*max or mean");
        row("no bins", {"--bins", "0x4"}, 2, "--bins.*'0x4'.*from 1");
        row("one bin", {"--bins", "4"}, 2, "--bins.*'4'");
        row("batch", {"--batch", "2"}, 2, "--batch.*'2'.*0 to 1");
        row("head", {"--head", "2"}, 2, "--head.*'2'.*0 to 1");
        row("head text", {"--head", "mean"}, 2, "--head.*'mean'");
        row("rows outside", {"--rows", "5:900"}, 2, "--rows.*'5:900'.*0:113");
        row("rows beyond", {"--rows", "113:"}, 2, "--rows.*'113:'.*0:113");
        row("rows turned", {"--rows", "9:5"}, 2, "--rows.*'9:5'.*A < B");
        row("rows text", {"--rows", "9"}, 2, "--rows.*'9'.*A:B");
        row("cols outside", {"--cols", "0:204"}, 2, "--cols.*'0:204'.*0:203");
        row("mechanism", {"--variant", "gaussian_kernel"}, 2, "--variant: .*gaussian_kernel");
        row("scale", {"--scale", "score_norm"}, 2, "--scale: .*score_norm");
        row("position", {"--position", "rope"}, 2, "--position: .*rope");
        row("statistics", {"--statistics"}, 2, "--statistics: ");
        row("mask", {"--mask", "key_padding"}, 1, "key_padding_mask: is missing");
        row("fill", {"--mask", "causal", "--mask-fill", "-1e9", "--mask-fill-mode", "add"}, 2,
            "--mask-fill: .*mask fill");
        row("dpi", {"--dpi", "0"}, 2, "--dpi");
        io::write_npz(folder_.filePath("small.npz").toStdString(),
                      {{{"query", random_normal({2, 2, 20, 7}, 1)}, {"key", random_normal({2, 1, 30, 7}, 2)}}, {}});
        row("sizes of B", {"--b", folder_.filePath("small.npz")}, 1, "Map B has 20 × 30 cells and map A 113 × 203");
        row("head of B", {"--head-of-b", "2"}, 2, "--head-of-b.*'2'.*0 to 1");
        row("setting B", {"--with", "--scale score_norm"}, 1, "score_norm|scale");
        row("part of a difference", {"--partial", "x.npz", "--with", "--scale none"}, 2, "--partial.*--with");
        row("page of a difference", {"--out", "x.html", "--with", "--scale none"}, 2, "--out.*x.html.*picture");
        row("too many pixels", {"--size", "9000x9000", "--dpi", "2400"}, 2, "--size, --dpi: .*megapixels");
    }

    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const QTemporaryDir empty;
        if (!arguments.contains("--out"))
            arguments << "--out" << empty.filePath("out.npy");
        const auto outcome = start(QStringList{input_} + arguments);
        QVERIFY2(outcome.code == code, qPrintable(QString::number(outcome.code) + ": " + outcome.error));
        QVERIFY2(QRegularExpression(says).match(outcome.error).hasMatch(), qPrintable(outcome.error));
        QVERIFY(QDir(empty.path()).isEmpty());
    }

    void helps() {
        const auto outcome = start({"--help"});
        QCOMPARE(outcome.code, 0);
        QVERIFY(QRegularExpression("map INPUT[\\s\\S]*multi_query[\\s\\S]*softcap[\\s\\S]*--bins[\\s\\S]*--colormap")
                    .match(outcome.out)
                    .hasMatch());
        const auto words = outcome.out.simplified();
        for (const auto& row : mechanisms())
            QVERIFY2(!row.dot_product_form || words.contains(QString::fromUtf8(row.id.data(), std::ssize(row.id))),
                     row.id.data());
    }

private:
    QTemporaryDir folder_;
    QString input_;
};

ATTNLAB_TEST(TestMapCommand)
#include "test_map_command.moc"
