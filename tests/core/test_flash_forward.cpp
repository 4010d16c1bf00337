// The flash forward compared with the float64 reference: awkward shapes, every mask, every instruction set, and
// bfloat16 on a matrix unit.
#include "core/flash/cpu_backend.h"
#include "core/stages/scale.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <atomic>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Float32 rounding of scores of size 1 to 10, of weights and of sums, at the sizes below.
constexpr double rounding = 2e-6;

void compare(const AttentionProblem& problem, double within = rounding) {
    on_every_engine(problem, [&](const AttentionProblem& given, const Trace& expected, flash::Precision precision) {
        const auto got = cpu_backend(precision).run(given, {});
        for (const auto* name : {"output", "lse"}) {
            const bool rounds = QLatin1String(name) == QLatin1String("output");
            const auto differs = difference(stage(got, name), stage(expected, name),
                                            rounds ? std::max(within, rounding_of_weights(given, precision)) : within);
            QVERIFY2(
                differs.isEmpty(),
                qPrintable(QStringLiteral("%1 with %2: %3")
                               .arg(QLatin1String(name), QString::fromStdString(flash::instruction_set()), differs)));
        }
        QCOMPARE(got.stages.size(), 2u);
        QCOMPARE(stage(got, "output").dtype(), DType::Float32);
    });
}

} // namespace

class TestFlashForward : public QObject {
    Q_OBJECT
private slots:
    void equalsReference_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("size");
        for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
            for (int s = 0; s < static_cast<int>(std::size(sizes)); ++s)
                QTest::addRow("%s, %s", mask_cases[m].name, qPrintable(text_of(sizes[s]))) << m << s;
    }

    void equalsReference() {
        QFETCH(int, mask);
        QFETCH(int, size);
        const auto& s = sizes[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        mask_cases[mask].apply(problem, s);
        compare(problem);
    }

    /// Too few rows for a panel, heads that share a panel, and keys in parts; with remainders everywhere.
    void fewRowsEqualReference_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("size");
        for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
            for (int s = 0; s < static_cast<int>(std::size(few_rows)); ++s)
                QTest::addRow("%s, %s", mask_cases[m].name, qPrintable(text_of(few_rows[s]))) << m << s;
    }

    void fewRowsEqualReference() {
        QFETCH(int, mask);
        QFETCH(int, size);
        const auto& s = few_rows[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        mask_cases[mask].apply(problem, s);
        compare(problem);
    }

    void scales_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<bool>("after");
        for (const auto* scale : {"none", "sqrt_dk", "dk", "cbrt_dk", "temperature:0.7", "custom:-0.31", "custom:0",
                                  "pre_norm", "pre_norm:0.1", "long_sequence"})
            for (const bool after : {false, true})
                QTest::addRow("%s%s", scale, after ? " after" : "") << QString(scale) << after;
    }

    void scales() {
        QFETCH(QString, scale);
        QFETCH(bool, after);
        auto problem = flash_problem(2, 2, 1, 37, 150, 5, 6);
        problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.scale_after_softmax = after;
        problem.tensors["query"].mutable_values()[0] = 0.0;
        compare(problem);
    }

    void nothing_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::addColumn<int>("E");
        QTest::addColumn<int>("Ev");
        QTest::newRow("no queries") << 0 << 5 << 3 << 3;
        QTest::newRow("no keys") << 5 << 0 << 3 << 3;
        QTest::newRow("neither") << 0 << 0 << 3 << 3;
        QTest::newRow("no features") << 4 << 5 << 0 << 3;
        QTest::newRow("no value features") << 4 << 5 << 3 << 0;
    }

    void nothing() {
        QFETCH(int, L);
        QFETCH(int, S);
        QFETCH(int, E);
        QFETCH(int, Ev);
        auto problem = flash_problem(1, 2, 1, L, S, E, Ev);
        compare(problem);
        add_mask(problem, "causal");
        compare(problem);
    }

    void keepsTheErrorSmallOverLongRows() {
        const auto problem = flash_problem(1, 1, 1, 64, 2048, 64, 64);
        compare(problem, 1e-6);
    }

    /// The output of row i may only be 0 and its lse -inf where nothing is read.
    void emptyRows() {
        auto problem = flash_problem(1, 1, 1, 70, 50, 8, 8);
        add_mask(problem, "causal:bottom_right");
        compare(problem);
        const auto trace = cpu_backend().run(problem, {});
        QCOMPARE(stage(trace, "lse").at({0, 0, 19}), -infinity);
        QCOMPARE(stage(trace, "output").at({0, 0, 19, 3}), 0.0);
        QVERIFY(std::isfinite(stage(trace, "lse").at({0, 0, 20})));
        QVERIFY(has_note(trace, "every key blocked: 20 (first: 0)"));
    }

    void sharpRowsStayExact() {
        auto problem = flash_problem(1, 1, 1, 40, 300, 4, 4);
        problem.spec.scale = parse_scale("custom:64");
        compare(problem, 1e-4);
    }

    void numbersThatAreNone_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("size");
        for (const auto* where : {"query", "key", "value"})
            for (const double value : {not_a_number, infinity, -infinity})
                for (int size = 0; size < 3; ++size)
                    QTest::addRow("%s %g, %d", where, value, size) << QString(where) << value << size;
    }

    void numbersThatAreNone() {
        QFETCH(QString, where);
        QFETCH(double, value);
        QFETCH(int, size);
        // A panel; a few rows with keys in parts; the same with a last vector that overlaps the previous one.
        const Sizes cases[] = {{1, 1, 1, 40, 150, 4, 4}, {1, 1, 1, 3, 1100, 16, 16}, {1, 1, 1, 2, 1100, 21, 19}};
        const auto& s = cases[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        problem.tensors[where.toStdString()].mutable_values()[5] = value;
        compare_numbers(problem, [](double got, double expected) {
            return std::isfinite(got) ? close(got, expected, rounding) : !std::isfinite(expected);
        });
    }

    /// Skipped keys may have any value.
    void unreadKeysDoNotMatter() {
        auto problem = flash_problem(1, 1, 1, 20, 300, 4, 4);
        add_mask(problem, "valid_lens");
        problem.tensors["valid_lens"] = Tensor({1}, 20.0);
        const auto before = cpu_backend().run(problem, {});
        for (const auto* name : {"key", "value"})
            problem.tensors[name].set({0, 0, 299, 0}, not_a_number);
        const auto after = cpu_backend().run(problem, {});
        QCOMPARE(stage(after, "output"), stage(before, "output"));
    }

    void threadsAgree_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::addColumn<int>("window");
        QTest::newRow("many rows, causal") << 300 << 300 << -1;
        QTest::newRow("many rows, window") << 700 << 700 << 150;
        QTest::newRow("few rows, keys in parts") << 2 << 5000 << 2300;
        QTest::newRow("a panel, keys in parts") << 30 << 3000 << 2900;
    }

    void threadsAgree() {
        QFETCH(int, L);
        QFETCH(int, S);
        QFETCH(int, window);
        const auto problem = flash_problem(1, 3, 1, L, S, 8, 8);
        const auto floats = [&](const char* name) {
            const auto values = problem.tensors.at(name).values();
            return std::vector<float>(values.begin(), values.end());
        };
        const auto q = floats("query"), k = floats("key"), v = floats("value");
        flash::Problem raw{.shape = {1, 3, 1, L, S, 8, 8}, .query = q.data(), .key = k.data(), .value = v.data()};
        raw.masks.bands.push_back(window < 0 ? flash::Band{.after = 0}
                                             : flash::Band{.before = window, .after = window});
        std::vector<float> outputs[3];
        for (int threads : {1, 2, 5}) {
            auto& output = outputs[threads / 2];
            output.assign(q.size(), -1.0f);
            std::vector<float> lse(static_cast<std::size_t>(3 * L));
            flash::forward(raw, {output.data(), lse.data()}, {}, threads);
        }
        QVERIFY(outputs[0] == outputs[1]);
        QVERIFY(outputs[0] == outputs[2]);
    }

    void cancels() {
        const auto problem = flash_problem(1, 1, 1, 512, 2048, 64, 64);
        std::atomic<int> polls{0};
        RunControl control;
        control.cancelled = [&] { return ++polls > 5; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, cpu_backend().run(problem, control));
        QVERIFY2(polls < 30, qPrintable(QString::number(polls)));
    }

    void reportsProgress() {
        const auto problem = flash_problem(1, 4, 1, 600, 64, 8, 8);
        std::vector<double> fractions;
        RunControl control;
        control.progress = [&](double fraction) { fractions.push_back(fraction); };
        cpu_backend().run(problem, control);
        QVERIFY(!fractions.empty());
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QVERIFY(fractions.back() <= 1.0);
    }
};

ATTNLAB_TEST(TestFlashForward)
#include "test_flash_forward.moc"
