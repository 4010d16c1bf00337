// attnlab code, and the command line that it prints.
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/code/code.h"
#include "core/inputs.h"
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"
#include "ui/document/local_files.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Draws settings from what the tables declare.
class Settings {
public:
    explicit Settings(std::uint64_t seed) : random_(seed) {}

    AttentionSpec spec() {
        AttentionSpec spec;
        const auto& chosen = one_of(mechanisms());
        spec.variant = chosen.id;
        spec.parameters = values(chosen.parameters);
        if (chance(0.7)) {
            const auto& mode = one_of(scale_modes());
            spec.scale = {std::string(mode.id), values(mode.parameters)};
        }
        spec.scale_after_softmax = chance(0.2);
        if (chance(0.5)) {
            const auto& term = one_of(position_terms());
            spec.position = {std::string(term.id), values(term.parameters)};
        }
        while (chance(0.5)) {
            const auto& kind = one_of(mask_kinds());
            if (std::ranges::find(spec.masks, kind.id, &Selection::id) == spec.masks.end())
                spec.masks.push_back({std::string(kind.id), values(kind.parameters)});
        }
        if (chance(0.5))
            spec.mask_fill = {-1e9 * random_.uniform(), chance(0.5) ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
        spec.mask_true = chance(0.5) ? MaskTrue::Keeps : MaskTrue::Blocks;
        spec.statistics = chance(0.3);
        if (chance(0.2))
            spec.rounding = Rounding{chance(0.5) ? DType::Float16 : DType::BFloat16,
                                     chance(0.5) ? Rounding::Where::Scores : Rounding::Where::All};
        return spec;
    }

private:
    bool chance(double share) { return random_.uniform() < share; }
    template <class Row>
    Row& one_of(std::span<Row> table) {
        return table[static_cast<std::size_t>(random_.uniform() * static_cast<double>(table.size()))];
    }
    /// Some parameters, the others have their defaults.
    ParameterValues values(std::span<const Parameter> declared) {
        ParameterValues values;
        for (const auto& parameter : declared)
            if (chance(0.6))
                values.set(parameter.name, value(parameter));
        return values;
    }
    ParameterValue value(const Parameter& parameter) {
        auto usual = parse_value(parameter, parameter.default_text, "a test");
        switch (parameter.type) {
        case ParameterType::Boolean:
            return chance(0.5);
        case ParameterType::Choice:
            return std::string(one_of(parameter.choices));
        case ParameterType::Integer:
            return std::get<std::int64_t>(usual) + static_cast<std::int64_t>(3.0 * random_.uniform());
        case ParameterType::Real:
            return std::get<double>(usual) == 0.0 ? 0.0 : std::get<double>(usual) * (0.5 + random_.uniform());
        case ParameterType::IntegerList:
        case ParameterType::Text:
            break;
        }
        return usual;
    }

    Random random_;
};

/// The same masks, where windows have no parameter without an effect.
AttentionSpec with_effective_reaches(AttentionSpec spec) {
    for (auto& mask : spec.masks)
        if (mask.id == "window") {
            const bool equal = mask.parameters.choice("sides") == "equal";
            for (const char* idle : equal ? std::vector<const char*>{"left", "right"} : std::vector<const char*>{"w"})
                mask.parameters.erase(idle);
        }
    return spec;
}

/// The words that a POSIX shell makes of a line.
QStringList wordsOf(const std::string& line) {
    QProcess shell;
    shell.start("/bin/sh", {"-c", "set -- " + QString::fromStdString(line) + "printf '%s\\n' \"$@\""});
    shell.waitForFinished();
    auto words = QString::fromUtf8(shell.readAllStandardOutput()).split('\n');
    words.removeLast();
    return words;
}

} // namespace

class TestCodeCommand : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    /// The line alone says the setting: the file has another one.
    void theCommandReadsBackAsTheSameSetting() {
        const auto file = folder_.filePath("it's a \"run\" $HOME.npz");
        int read = 0;
        for (std::uint64_t seed = 0; read < 200 && seed < 4000; ++seed) {
            AttentionProblem problem;
            problem.spec = Settings(seed).spec();
            try {
                complete_spec(problem.spec);
                complete_inputs(problem, seed);
            } catch (const Error&) {
                continue;
            }
            if (!issues_in(problem).empty())
                continue;
            auto saved = problem;
            saved.spec = {};
            saved.spec.masks = {{"prefix", {}}};
            saved.spec.position = {"rope", {}};
            io::write_workspace(ui::toPath(file), saved);
            const auto line = code::code_of(problem, code::Language::Command, ui::toPath(file).string());
            const auto words = wordsOf(line);
            QCOMPARE(words.mid(0, 3), QStringList({"attnlab", "compute", file}));
            app::CommandParser parser;
            app::addSpecOptions(parser);
            parser.addOption({"out", "Where.", "OUT"});
            app::parseOptions(parser, words.mid(1));
            const auto again = app::readProblem(parser, {file}).spec;
            const auto expected = with_effective_reaches(complete_spec(problem.spec));
            if (!(with_effective_reaches(complete_spec(again)) == expected))
                QFAIL(line.c_str());
            ++read;
        }
        QCOMPARE(read, 200);
    }

    void codeIsPrinted_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("says");
        QTest::newRow("numpy") << "numpy"
                               << "import numpy as np\n";
        QTest::newRow("pytorch") << "pytorch"
                                 << "torch.set_default_dtype(torch.float64)";
        QTest::newRow("jax") << "jax"
                             << "jax.nn.softmax(";
        QTest::newRow("latex") << "latex"
                               << "\\begin{align*}";
        QTest::newRow("command") << "command"
                                 << "attnlab compute " + golden("mask_causal.in.npz") + " --variant ";
    }
    void codeIsPrinted() {
        QFETCH(QString, language);
        QFETCH(QString, says);
        const auto [code, out, error] =
            start({"code", golden("mask_causal.in.npz"), "--mask", "causal", "--as", language});
        QVERIFY2(code == 0, qPrintable(error));
        QVERIFY2(out.contains(says), qPrintable(out));
    }

    /// One .npz with the arrays is read as it is; a saved workspace is the command's input.
    void theInputIsReadWhereItHasTheArrays() {
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, random_normal({1, 2, 9, 8}, 1));
        const auto saved = folder_.filePath("saved.npz");
        io::write_workspace(ui::toPath(saved), problem);
        QVERIFY(start({"code", saved, "--as", "numpy"}).out.contains("np.load(\"" + saved + "\")"));
        QVERIFY(start({"code", saved, "--as", "command"}).out.startsWith("attnlab compute " + saved + " "));
        const auto parted = start({"code", saved, "--as", "numpy", "--layout", "BLHE"});
        QVERIFY2(parted.code == 0 && parted.out.contains("np.load(\"workspace.npz\")  # File > Save"),
                 qPrintable(parted.out + parted.error));
    }

    /// Arrays without a workspace are the command's input as well, where it reads them in the same way.
    void theCommandReadsArraysWhereItCan() {
        const auto plain = folder_.filePath("plain.npz"), masked = folder_.filePath("masked.npz");
        TensorMap tensors{{"query", random_normal({2, 8, 5, 4}, 1)},
                          {"key", random_normal({2, 2, 5, 4}, 2)},
                          {"value", random_normal({2, 2, 5, 4}, 3)}};
        io::write_npz(ui::toPath(plain), {tensors, {}});
        tensors.emplace(
            "attn_mask",
            Tensor({5, 5}, {0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, DType::Bool));
        io::write_npz(ui::toPath(masked), {tensors, {}});
        const auto command = [&](const QString& file, const QStringList& options) {
            return start(QStringList{"code", file, "--as", "command"} + options);
        };
        const auto reads = [](const test::Outcome& outcome, const QString& file) {
            return outcome.out.startsWith("attnlab compute " + file + " ") &&
                   outcome.error.contains("File > Save") == (file == "workspace.npz");
        };
        QVERIFY(reads(command(plain, {}), plain));
        QVERIFY(reads(command(plain, {"--mask", "causal"}), plain));
        QVERIFY(reads(command(masked, {}), masked));
        QVERIFY(reads(command(masked, {"--mask", "none"}), masked));
        QVERIFY(reads(command(masked, {"--mask", "none", "--mask", "causal"}), "workspace.npz")); // would read the mask
        QVERIFY(reads(command(plain, {"--layout", "BLHE", "--variant", "gaussian_kernel"}), "workspace.npz"));
        QVERIFY(start({"code", plain, "--as", "numpy"}).out.contains("np.load(\"" + plain + "\")\n"));
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto file = golden("mask_causal.in.npz");
        QTest::newRow("no language") << QStringList{file} << 2 << "--as: is missing";
        QTest::newRow("another language")
            << QStringList{file, "--as", "fortran"} << 2
            << "--as: has 'fortran', expected one of pytorch, numpy, jax, flex, sdpa, latex, command";
        QTest::newRow("a long mechanism")
            << QStringList{file, "--as", "numpy", "--variant", "performer"} << 1 << "performer has no short code";
        QTest::newRow("rounding") << QStringList{file, "--as", "jax", "--round", "float16"} << 1
                                  << "Rounding to float16 has no short code";
    }
    void mistakesAreNamed() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        const auto outcome = start(QStringList{"code"} + words);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
        QVERIFY(outcome.out.isEmpty());
    }
};

ATTNLAB_TEST(TestCodeCommand)
#include "test_code_command.moc"
