// What is computed again of every result of a device, and what follows from a difference.
#include "gpu/host/recheck.h"

#include "flash_support.h"
#include "gpu/host/device_backend.h"
#include "gpu/host/device_map.h"
#include "tests/gpu/faulty_kernels.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;
using namespace attnlab::gpu::faulty;

class TestRecheck : public QObject {
    Q_OBJECT

    static constexpr std::size_t plenty = std::size_t{1} << 28;
    static inline const VerdictKey key{"GPU-1", "13.0", "build 1"};

private slots:
    void cleanup() { fault = {}; }

    void rows_that_differ_end_the_trust_in_a_kernel_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("why");
        QTest::newRow("lse") << "errs"
                             << "lse = ";
        QTest::newRow("output") << "errs in outputs"
                                << "output = ";
    }
    /// A kernel may also be wrong for what no check has tried.
    void rows_that_differ_end_the_trust_in_a_kernel() {
        QFETCH(QString, what);
        QFETCH(QString, why);
        const Tables tables;
        FakeRuntime runtime(plenty);
        KernelVerdicts verdicts({}, key);
        for (const auto* name : {first, any_width})
            verdicts.put({name, true});
        const auto problem = flash_problem(1, 1, 1, 1, 90, 16, 16); // any row is the wrong one
        const auto expected = run(problem);
        const auto backend = backend_on(runtime, tables.forward_table(), Precision::Float32, &verdicts);
        fault = {what.toStdString(), first};
        const auto notes_of_run = [&] {
            const auto trace = backend->run(problem, {});
            const auto differs = difference(stage(trace, "lse"), stage(expected, "lse"), 4e-6) +
                                 difference(stage(trace, "output"), stage(expected, "output"), 4e-6);
            return trace.notes.empty() ? differs : QString::fromStdString(trace.notes[0].message.english()) + differs;
        };
        const auto note = notes_of_run();
        QVERIFY2(note.startsWith("The cpu backend computed this instead of cuda: The kernel float32 16 gave " + why),
                 qPrintable(note));
        QVERIFY(!verdicts.trusts(first));
        QVERIFY(!backend->why_not(problem).has_value());
        QCOMPARE(notes_of_run(), QString()); // by the next kernel
        QCOMPARE(runtime.last_kernel, std::string(any_width));
        verdicts.put({any_width, false});
        const auto refusal = QString::fromStdString(backend->why_not(problem)->english());
        QVERIFY2(refusal.contains(QString("has passed its check. The first: %1: ").arg(first)), qPrintable(refusal));
        fault = {};
    }

    void bins_that_differ_end_the_trust_in_a_kernel_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("why");
        QTest::newRow("maxima") << "errs" << of_maps << "max = ";
        QTest::newRow("sums") << "errs in sums" << of_maps << "sum = ";
        QTest::newRow("counts") << "errs in counts" << of_maps << "kept = ";
        QTest::newRow("cells") << "errs in cells" << of_maps << "weight = ";
        QTest::newRow("lse") << "errs in every row" << first << "lse = ";
    }
    void bins_that_differ_end_the_trust_in_a_kernel() {
        QFETCH(QString, what);
        QFETCH(QString, kernel);
        QFETCH(QString, why);
        const Tables tables;
        FakeRuntime runtime(plenty);
        KernelVerdicts verdicts({}, key);
        for (const auto* name : {first, any_width, of_maps})
            verdicts.put({name, true});
        const auto engine =
            map_engine_on(runtime, tables.forward_table(), tables.map_table(), Precision::Float32, plenty, &verdicts);
        auto problem = flash_problem(1, 1, 1, 60, 90, 16, 16);
        fault = {what.toStdString(), kernel.toStdString()};
        const AttentionMap map(std::make_shared<const MapInputs>(problem, engine.get()), 0, 0),
            cores(std::make_shared<const MapInputs>(problem), 0, 0);
        const BinGrid grid{{0, 60, 0, 90}, 60, 45}; // two bins: one of them is wrong
        std::vector<float> weights(60 * 90), expected_weights(weights.size());
        for (int k = 0; k < 20 && map.notes().empty(); ++k) {
            map.pool(grid, Pool::Mean);
            map.weights(grid.cells, weights.data());
        }
        fault = {};
        QCOMPARE(map.notes().size(), std::size_t{1});
        const auto note = QString::fromStdString(map.notes()[0].english());
        QVERIFY2(note.contains("The kernel " + kernel + " gave " + why), qPrintable(note));
        QVERIFY(!verdicts.trusts(kernel.toStdString()));
        map.weights(grid.cells, weights.data());
        cores.weights(grid.cells, expected_weights.data());
        for (std::size_t cell = 0; cell < weights.size(); ++cell)
            QVERIFY(std::abs(weights[cell] - expected_weights[cell]) < 1e-5f);
        const auto got = map.pool(grid, Pool::Max).values(Pool::Max),
                   expected = cores.pool(grid, Pool::Max).values(Pool::Max);
        for (std::size_t bin = 0; bin < expected.size(); ++bin)
            QVERIFY(std::abs(got[bin] - expected[bin]) < 1e-5f);
        // The next map is made by other kernels, or by the cores.
        const AttentionMap next(std::make_shared<const MapInputs>(problem, engine.get()), 0, 0);
        QCOMPARE(runtime.last_kernel, std::string(kernel == first ? any_width : first));
        if (kernel == of_maps)
            QVERIFY(map_width(tables.map_table(), 80, Precision::Float32, 16, trusted_maps(&verdicts)) == 0);
    }

    /// Two rows of one head, and over many results every row of every head.
    void any_row_may_be_computed_again() {
        const flash::Shape shape{2, 4, 2, 5, 7, 3, 2};
        DeviceProblem problem{.shape = shape};
        std::vector<std::int64_t> asked;
        problem.source = [&](const char* name, std::int64_t first_row, std::int64_t rows) {
            const bool is_query = std::string_view(name) == "query";
            if (is_query)
                asked.push_back(first_row);
            return std::vector<float>(static_cast<std::size_t>(rows * (is_query || *name == 'k' ? 3 : 2)), 1.0f);
        };
        constexpr std::size_t all_rows = 2 * 4 * 5;
        DeviceResult result{.output = std::vector<float>(all_rows * 2, 1.0f),
                            .lse = std::vector<float>(all_rows, 3.0f + std::log(7.0f))};
        std::mt19937 random(1);
        std::set<std::int64_t> seen;
        for (int k = 0; k < 400; ++k) {
            asked.clear();
            recheck(problem, result, "a kernel", random, {});
            QCOMPARE(asked.size(), std::size_t{2});
            QCOMPARE(asked[0] / 5, asked[1] / 5);
            seen.insert(asked.begin(), asked.end());
        }
        QCOMPARE(seen.size(), all_rows);
        result.lse[17] += 0.1f;
        const auto notices = [&] {
            for (int k = 0; k < 400; ++k)
                recheck(problem, result, "a kernel", random, {});
        };
        QVERIFY_THROWS_EXCEPTION(WrongNumbers, notices());
    }
};

ATTNLAB_TEST(TestRecheck)
#include "test_recheck.moc"
