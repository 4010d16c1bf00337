// Exit codes, messages and files of the program, started as a user starts it.
#include "core/io/npz.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto in = golden("scale_none.in.npz");
        const auto heads = golden("multi_head.in.npz");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << QString::fromUtf8(says);
        };
        row("unknown option", {"compute", in, "--nonsense"}, 2, "nonsense");
        row("no input", {"compute", "--variant", "self"}, 2, "no input");
        row("unknown variant", {"compute", in, "--variant", "dot"}, 2, "scaled_dot_product");
        row("unknown scale", {"compute", in, "--scale", "sqrt"}, 2, "sqrt_dk");
        row("unknown mask", {"compute", in, "--mask", "triangle"}, 2, "causal");
        row("unknown backend", {"compute", in, "--backend", "abacus"}, 2, "reference");
        row("temperature 0", {"compute", in, "--scale", "temperature:0"}, 2, "temperature.*t.*'0'.*\\(0, inf\\)");
        row("temperature text", {"compute", in, "--scale", "temperature:warm"}, 2, "'warm'");
        row("window -1", {"compute", in, "--mask", "window:-1"}, 2, "window.*'-1'.*\\[0,");
        row("scale with value", {"compute", in, "--scale", "sqrt_dk:3"}, 2, "takes no value");
        row("norm after softmax", {"compute", in, "--scale", "score_norm", "--scale-after-softmax"}, 2, "one number");
        row("soft cap after softmax", {"compute", in, "--scale", "softcap", "--scale-after-softmax"}, 2, "one number");
        row("unknown position", {"compute", in, "--position", "sine"}, 2, "alibi, t5, rope");
        row("position beside none", {"compute", in, "--position", "sine"}, 2, "rope, none");
        row("mask beside none", {"compute", in, "--mask", "triangle"}, 2, "expression, none");
        row("wrong expression", {"compute", in, "--mask", "expression:q >= j"}, 2,
            "expression: column 6: there is no name 'j'");
        row("wrong mask expression", {"compute", in, "--mask-expression", "q"}, 2, "column 1: is a number");
        row("wrong score_mod", {"compute", in, "--score-mod", "score >"}, 2, "score_mod: column 8: expected a number");
        row("wrong combination", {"compute", in, "--mask", "causal", "--mask-combine", "window"}, 2,
            "mask_combine: column 1: there is no name 'window'");
        row("forgotten mask", {"compute", in, "--mask", "causal", "--mask", "window:2", "--mask-combine", "causal"}, 2,
            "does not name the mask window");
        row("expression of a missing array", {"compute", in, "--mask-expression", "doc[q] == 0"}, 1,
            "the array doc is missing");
        row("index out of range", {"compute", in, "--score-mod", "score * query[0, 0, q + 1000, 0]"}, 1,
            "index 3 of query is 1000");
        row("score_mod in tiles", {"compute", in, "--score-mod", "2 * score", "--backend", "cpu"}, 2,
            "--score-mod: .*modifies no scores");
        row("labels of other tokens", {"compute", in, "--tokens", "a b"}, 2, "--tokens: has 2, expected \\d+");
        row("labels of other keys", {"compute", in, "--key-tokens", "a"}, 2, "--key-tokens: has 1, expected \\d+");
        row("grid of other keys", {"compute", in, "--key-grid", "31x7"}, 2, "--key-grid: has 217, expected \\d+");
        row("onto the input", {"compute", in, "--out", in}, 2, "--out: .*is an input");
        row("list words", {"list", "masks"}, 2, "list: has 'masks'");
        row("position of an unknown style", {"compute", in, "--position", "rope:style=odd"}, 2, "half, interleaved");
        row("position without its array", {"compute", in, "--position", "t5"}, 1,
            "relative_attention_bias: is missing");
        row("fill text", {"compute", in, "--mask-fill", "none"}, 2, "--mask-fill.*'none'");
        row("fill mode", {"compute", in, "--mask-fill-mode", "multiply"}, 2, "replace or add");
        row("mask true", {"compute", in, "--mask-true", "maybe"}, 2, "blocks or keeps");
        row("set without =", {"compute", heads, "--variant", "multi_head", "--set", "num_heads"}, 2, "NAME=VALUE");
        row("unknown parameter", {"compute", heads, "--variant", "multi_head", "--set", "heads=2"}, 2, "num_heads");
        row("num_heads 0", {"compute", heads, "--variant", "multi_head", "--set", "num_heads=0"}, 2, "num_heads.*'0'");
        row("heads not divisible", {"compute", heads, "--variant", "multi_head", "--set", "num_heads=3"}, 1,
            "w_q.*\\(8, 8\\).*num_heads = 3");
        row("kv heads no divisor",
            {"compute", golden("grouped_query.in.npz"), "--variant", "grouped_query", "--set", "num_heads=4", "--set",
             "num_kv_heads=3"},
            2, "num_kv_heads is 3.*num_heads = 4");
        row("missing file", {"compute", "/nowhere/q.npz"}, 1, "/nowhere/q.npz");
        row("missing array", {"compute", heads, "--variant", "scaled_dot_product"}, 1, "query: is missing");
        row("missing mask array", {"compute", in, "--mask", "key_padding"}, 1,
            "key_padding_mask: is missing.*\\(B or 1, S\\)");
        row("given twice", {"compute", in, in}, 1, "given twice");
        row("no archive", {"compute", in, "--out", "x.csv"}, 2, "--stage: is missing.*\\.npz and \\.safetensors");
        row("bench with input", {"bench", in}, 2, "options only");
        row("bench length 0", {"bench", "--length", "0"}, 2, "--length.*'0'");
        row("bench map", {"bench", "--map", "sum"}, 2, "--map.*'sum'.*max or mean");
        row("bench map by the reference", {"bench", "--map", "max", "--backend", "reference"}, 2, "--map.*reference");
        row("bench heads", {"bench", "--heads", "6", "--kv-heads", "4"}, 2, "--kv-heads: has 4.*--heads = 6");
        row("cpu on another mechanism", {"compute", in, "--variant", "gaussian_kernel", "--backend", "cpu"}, 2,
            "--variant: .*gaussian_kernel");
        row("cpu on score norms", {"compute", in, "--scale", "score_norm", "--backend", "cpu"}, 2,
            "--scale: .*score_norm");
        row("cpu on positions", {"compute", in, "--position", "rope", "--backend", "cpu"}, 2, "--position: .*rope");
        row("statistics beside another stage", {"compute", in, "--statistics", "--stage", "weights"}, 2,
            "--statistics: .*--stage weights");
        row("cpu on statistics", {"compute", in, "--statistics", "--backend", "cpu"}, 2, "--statistics: ");
        row("cpu on dropout",
            {"compute", heads, "--variant", "multi_head", "--set", "num_heads=2", "--set", "dropout=0.5", "--backend",
             "cpu"},
            2, "--set: .*dropout");
        row("cpu on a large added fill",
            {"compute", in, "--mask", "causal", "--mask-fill", "-1e9", "--mask-fill-mode", "add", "--backend", "cpu"},
            2, "--mask-fill: .*-1e\\+09");
        row("compare on the cpu", {"compare", in, "--with", "--scale none", "--backend", "cpu"}, 2,
            "--backend: has 'cpu'");
        row("render too many pixels", {"render", in, "--stage", "weights", "--size", "14400x14400", "--dpi", "2400"}, 2,
            "--size, --dpi: .*megapixels");
        row("render too small", {"render", in, "--stage", "weights", "--size", "20x20"}, 2, "--size: has '20x20'");
        row("render unknown stage", {"render", in, "--stage", "soup"}, 2, "'soup'.*weights");
        for (const char* option : {"--text", "--text-file", "--ids", "--image", "--sound", "--pair", "--target"})
            row(qPrintable(QStringLiteral("render %1 without a model").arg(option)),
                {"render", in, option, "1", "--out", "x.svg"}, 2,
                qPrintable(QStringLiteral("%1: is read by a model, and --model is missing").arg(option)));
        row("map of a text without a model", {"map", in, "--text", "a"}, 2, "--text: is read by a model");
        row("render unknown head", {"render", in, "--stage", "weights", "--head", "9"}, 2, "--head.*'9'");
        row("render unknown batch", {"render", in, "--stage", "weights", "--batch", "9"}, 2, "--batch");
        row("render unknown map", {"render", in, "--stage", "weights", "--colormap", "jet"}, 2, "viridis");
        row("render size", {"render", in, "--stage", "weights", "--size", "1x1"}, 2, "--size");
        row("compare without with", {"compare", in}, 2, "--with");
        row("compare unknown option", {"compare", in, "--with", "--nonsense"}, 2, "--with: .*nonsense");
        row("compare unknown scale", {"compare", in, "--with", "--scale sqrt"}, 2, "--with: .*sqrt_dk");
        row("compare words", {"compare", in, "--with", "scale none"}, 2, "--with: has 'scale'");
        row("compare unknown stage", {"compare", in, "--with", "--scale none", "--stage", "soup"}, 2,
            "'soup'.*weights");
        row("compare missing input", {"compare", in, "--with", "--variant self"}, 1,
            "Setting B cannot be computed: .*is missing");
        row("compare no npz", {"compare", in, "--with", "", "--out", "x.csv"}, 2, "\\.npz");
        row("render all heads of two", {"render", in, "--stage", "weights", "--head", "all", "--with", "--scale dk"}, 2,
            "--head");
        row("steps of an unknown name", {"render", in, "--steps", "--step", "soup"}, 2, "--step.*'soup'.*row_sum");
        row("steps without a step", {"render", in, "--steps"}, 2, "--step: is missing.*products");
        row("steps of an unknown query", {"render", in, "--steps", "--step", "exp", "--query", "99"}, 2,
            "--query: has '99'");
        row("steps of the mean", {"render", in, "--steps", "--step", "exp", "--head", "mean"}, 2, "--head");
        row("step without steps", {"render", in, "--stage", "weights", "--step", "exp"}, 2, "--step.*--steps");
        row("render dpi", {"render", in, "--stage", "weights", "--dpi", "0"}, 2, "--dpi");
        row("render bar", {"render", in, "--stage", "weights", "--no-color-bar", "--bar-label", "X"}, 2,
            "--bar-label: does not go with --no-color-bar");
        row("render digits", {"render", in, "--stage", "weights", "--no-numbers", "--digits", "3"}, 2,
            "--digits: does not go with --no-numbers");
        row("render names", {"render", in, "--stage", "weights", "--head", "0", "--head-names", "A,B"}, 2,
            "--head-names: has 2 names, expected at most 1");
        row("render columns", {"render", in, "--stage", "weights", "--head", "0", "--columns", "3"}, 2,
            "--columns: has 3, expected at most 1");
    }

    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        const auto out = folder.filePath(arguments.first() == "render" ? "out.png" : "out.npz");
        if (!arguments.contains("--out") && arguments.first() != "bench" && arguments.first() != "list")
            arguments << "--out" << out;
        const auto outcome = start(arguments);
        QVERIFY2(outcome.code == code, qPrintable(QString::number(outcome.code) + ": " + outcome.error));
        QVERIFY2(QRegularExpression(says).match(outcome.error).hasMatch(), qPrintable(outcome.error));
        QVERIFY(outcome.out.isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void missingOut() {
        const auto outcome = start({"compute", golden("scale_none.in.npz")});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.error.contains("--out"));
    }

    void helpAndVersion_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("help") << QStringList{"--help"} << "compute INPUT";
        QTest::newRow("version")
            << QStringList{"--version"}
            << "^AttnLab \\d+\\.\\d+\\.\\d+ \\(.*(GCC|Clang).*\\)\nQt: 6.*\nkernels: .+\nprocessor: .+\\d+ threads\n$";
        QTest::newRow("compute") << QStringList{"compute", "--help"}
                                 << "attnlab \\[options\\] compute INPUT[\\s\\S]*--mask-fill";
        QTest::newRow("render") << QStringList{"render", "--help"} << "--colormap";
        QTest::newRow("bench") << QStringList{"bench", "--help"} << "--kv-heads[\\s\\S]*--causal";
        QTest::newRow("list") << QStringList{"list", "--help"} << "--json";
        QTest::newRow("list all") << QStringList{"list"} << "grouped_query";
    }

    void helpAndVersion() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto outcome = start(arguments);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(QRegularExpression(says).match(outcome.out).hasMatch(), qPrintable(outcome.out));
    }

    void benchAsJson() {
        for (const auto* backend : {"cpu", "reference"}) {
            const auto outcome =
                start({"bench", "--backend", backend, "--heads", "4", "--kv-heads", "2", "--length", "70",
                       "--key-length", "90", "--dim", "8", "--value-dim", "3", "--causal", "--repeat", "2", "--json"});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
            const auto result = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
            QCOMPARE(result["backend"].toString(), QString(backend));
            QCOMPARE(result["heads"].toInt(), 4);
            QCOMPARE(result["length"].toInt(), 70);
            QCOMPARE(result["dim"].toInt(), 8);
            QCOMPARE(result["causal"].toBool(), true);
            QVERIFY(result["median_seconds"].toDouble() > 0.0);
            QVERIFY(result["gflops"].toDouble() > 0.0);
            QVERIFY(result["peak_fraction"].toDouble() > 0.0);
            QVERIFY(result["max_abs_error"].toDouble() < 2e-6);
            QVERIFY(result["lse_max_abs_error"].toDouble() < 2e-6);
            QVERIFY(!result.contains("read_fraction"));
        }
        const QStringList decoding = {"bench", "--length", "1", "--key-length", "2000", "--repeat", "2"};
        const auto result = QJsonDocument::fromJson(start(decoding + QStringList{"--json"}).out.toUtf8()).object();
        QVERIFY(result["read_fraction"].toDouble() > 0.0);
        QVERIFY(start(decoding).out.contains("keys and values can be read"));
    }

    void benchOfAMap() {
        for (const auto* pool : {"max", "mean"}) {
            const auto outcome = start({"bench", "--map", pool, "--heads", "4", "--kv-heads", "2", "--length", "70",
                                        "--key-length", "90", "--dim", "8", "--causal", "--repeat", "2", "--json"});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
            const auto result = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
            QCOMPARE(result["map"].toString(), QString(pool));
            QCOMPARE(result["bins"].toString(), QString("70x90"));
            QVERIFY(result["median_seconds"].toDouble() > 0.0);
            QVERIFY(result["forward_ratio"].toDouble() > 0.0);
            QVERIFY(result["lse_forward_ratio"].toDouble() > 0.0);
            QVERIFY(result["max_abs_error"].toDouble(1.0) < 2e-6);
        }
    }

    void cpuBackend() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("out.npz");
        const auto outcome = start({"compute", golden("scale_none.in.npz"), "--backend", "cpu", "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto archive = io::read_npz(out.toStdString());
        QCOMPARE(archive.tensors.size(), 2u);
        QVERIFY(archive.tensors.contains("output"));
        QCOMPARE(archive.tensors.at("lse").rank(), 3);
    }

    void listsAsJson() {
        const auto outcome = start({"list", "--json"});
        QCOMPARE(outcome.code, 0);
        const auto root = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        const auto ids = [&](const char* key) {
            QStringList list;
            for (const auto& entry : root[QLatin1String(key)].toArray())
                list << entry.toObject()["id"].toString();
            return list;
        };
        const auto known = [](const auto& table) {
            QStringList list;
            for (const auto& row : table)
                list << QString::fromStdString(std::string(row.id));
            return list;
        };
        QCOMPARE(ids("variants"), known(mechanisms()));
        QCOMPARE(ids("scales"), known(scale_modes()));
        QCOMPARE(ids("positions"), known(position_terms()));
        QCOMPARE(ids("masks"), known(mask_kinds()));
    }

    void readsArraysFromSeveralFiles() {
        const QTemporaryDir folder;
        const auto arrays = io::read_npz(golden("scale_sqrt_dk.in.npz").toStdString()).tensors;
        QStringList files;
        for (const auto& [name, tensor] : arrays) {
            files << folder.filePath(QString::fromStdString(name) + ".npy");
            io::write_tensors(files.last().toStdString(), {{name, tensor}});
        }
        const auto out = folder.filePath("out.npz");
        const auto outcome = start(QStringList{"compute"} + files + QStringList{"--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto expected = io::read_npz(golden("scale_sqrt_dk.out.npz").toStdString()).tensors.at("weights");
        const auto actual = io::read_npz(out.toStdString()).tensors.at("weights");
        QCOMPARE(actual.shape(), expected.shape());
        for (std::size_t i = 0; i < actual.values().size(); ++i)
            QVERIFY(qAbs(actual.values()[i] - expected.values()[i]) < 1e-9);
    }

    void safetensorsGiveWhatAnArchiveGives() {
        const QTemporaryDir folder;
        const auto stages = [&](const QString& in, const QString& name) {
            const auto out = folder.filePath(name);
            const auto outcome = start({"compute", in, "--set", "num_heads=2", "--mask", "key_padding", "--out", out});
            return outcome.code == 0 ? io::read_tensors(out.toStdString()) : TensorMap{};
        };
        const auto expected = stages(golden("torch_mha_self.in.npz"), "out.npz");
        QVERIFY(expected.contains("weights"));
        const auto file = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/torch_mha_self.safetensors");
        QCOMPARE(stages(file, "again.npz"), expected);
        QCOMPARE(stages(file, "out.safetensors"), expected);
    }

    void workspaceBringsItsChoices() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("out.npz");
        const auto outcome =
            start({"compute", QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"), "--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(io::read_npz(out.toStdString()).tensors.at("weights").shape(), (Shape{1, 4, 9, 9}));
    }

    void warnsOfMaskedRows() {
        const QTemporaryDir folder;
        const auto outcome = start(
            {"compute", golden("mask_bool_2d.in.npz"), "--mask", "attn_mask", "--out", folder.filePath("out.npz")});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.error.contains("every key blocked"), qPrintable(outcome.error));
    }

    void mechanismsPageIsInStep() {
        const auto outcome = start({"list", "--markdown"});
        QCOMPARE(outcome.code, 0);
        QFile page(QStringLiteral(ATTNLAB_SOURCE_DIR "/docs/mechanisms.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY2(QString::fromUtf8(page.readAll()) == outcome.out,
                 "docs/mechanisms.md is out of step: write it by attnlab list --markdown");
    }

    void saysWhenThereIsNoDisplay() {
        const auto outcome = start({}, {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("display"), qPrintable(outcome.error));
    }

    /// Names are arbitrary bytes of the file system or a share.
    void namesThatAreNoUtf8() {
        const QTemporaryDir folder;
        const QString script = "set -e; cd '%1'; name=$(printf 'm\\374nchen'); cp '%2' $name.in.npz; "
                               "'%3' compute $name.in.npz --out $name.out.npz; test -s $name.out.npz; "
                               "'%3' render $name.in.npz --stage weights --out $name.svg; test -s $name.svg; "
                               "'%3' compute $name.none.npz --out x.npz 2> message || true; grep -qF 'attnlab: "
                               "m\\xfcnchen.none.npz: no such file' message";
        QProcess shell;
        shell.start("sh", {"-c", script.arg(folder.path(), golden("self.in.npz"), ATTNLAB_PROGRAM)});
        QVERIFY(shell.waitForFinished());
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
    }
};

ATTNLAB_TEST(TestCommandLine)
#include "test_command_line.moc"
