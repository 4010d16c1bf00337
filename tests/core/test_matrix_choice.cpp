// Where the matrix unit is used: the verdict over measured times, and the problems that it concerns.
#include "core/flash/matrix_unit.h"
#include "core/flash/measure.h"
#include "flash_support.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace attnlab;
using namespace attnlab::test;
using flash::MatrixChoice;
using flash::MatrixUse;
using Rounds = std::vector<std::vector<flash::MatrixRound>>;

namespace {

/// The emulated unit, but measured like a real one.
class WithMeasuredUnit {
public:
    explicit WithMeasuredUnit(flash::Stopwatch seconds_of) {
        kernel = *emulated_amx();
        kernel.is_chosen_always = false;
        flash::forget_choices(std::move(seconds_of));
        flash::use_matrix_kernel(&kernel);
    }
    ~WithMeasuredUnit() {
        flash::use_matrix_kernel(std::nullopt);
        flash::keep_choices({}, {});
        flash::forget_choices();
    }
    WithMeasuredUnit(const WithMeasuredUnit&) = delete;
    WithMeasuredUnit& operator=(const WithMeasuredUnit&) = delete;

    static inline flash::MatrixKernel kernel;
};

/// A clock by which the unit is `gain` times as fast as vectors. It runs nothing: what is timed is known by its turn,
/// and vectors come first in even rounds and last in odd ones.
struct Clock {
    double gain = 1.0;
    double seconds = 1e-4; ///< of vectors
    std::shared_ptr<int> runs = std::make_shared<int>(0);

    double operator()(const std::function<void()>&) {
        constexpr int of_a_round = 6; // three shapes, two ways
        const int turn = (*runs)++;
        const bool by_vectors = (turn / of_a_round % 2 == 0) == (turn % 2 == 0);
        return by_vectors ? seconds : seconds / gain;
    }
};

/// `count` rounds with these gains in turn.
std::vector<flash::MatrixRound> rounds_of(const std::vector<double>& gains, std::size_t count = 8) {
    std::vector<flash::MatrixRound> rounds;
    for (std::size_t k = 0; k < count; ++k)
        rounds.push_back({1e-3, 1e-3 / gains[k % gains.size()]});
    return rounds;
}

struct Large {
    flash::Shape shape{1, 8, 8, 1024, 1024, 64, 64};
    std::int64_t window = 0; ///< keys on each side of a query; 0: all
};

/// What chooses_matrices() says of a problem with these sizes, whose numbers are not read.
bool chosen(const Large& large, flash::Precision precision = flash::Precision::BFloat16) {
    flash::Problem problem{.shape = large.shape};
    problem.precision = precision;
    if (large.window > 0)
        problem.masks.bands.push_back({.before = large.window, .after = large.window});
    return flash::chooses_matrices(WithMeasuredUnit::kernel, problem);
}

} // namespace

Q_DECLARE_METATYPE(Rounds)
Q_DECLARE_METATYPE(Large)

class TestMatrixChoice : public QObject {
    Q_OBJECT
private slots:
    void judgesRounds_data() {
        QTest::addColumn<Rounds>("shapes");
        QTest::addColumn<bool>("used");
        QTest::addColumn<double>("gain"); ///< 0: the measurement failed
        const auto clear = rounds_of({1.5});
        const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
        QTest::newRow("faster") << Rounds{clear, clear, clear} << true << 1.5;
        QTest::newRow("the slowest shape counts") << Rounds{clear, rounds_of({2.5}), rounds_of({1.2})} << true << 1.2;
        QTest::newRow("one shape is slower") << Rounds{clear, rounds_of({0.9}), clear} << false << 0.9;
        QTest::newRow("slower") << Rounds{rounds_of({0.48}), rounds_of({0.63}), rounds_of({1.0})} << false << 0.48;
        QTest::newRow("equal") << Rounds{rounds_of({1.0})} << false << 1.0;
        QTest::newRow("a little faster") << Rounds{rounds_of({1.09})} << false << 1.09;
        QTest::newRow("just enough") << Rounds{rounds_of({1.11})} << true << 1.11;
        QTest::newRow("a few slow rounds") << Rounds{rounds_of({1.6, 1.5, 1.4, 1.5, 0.2})} << true << 1.5;
        QTest::newRow("a few fast rounds") << Rounds{rounds_of({0.9, 0.95, 0.9, 9.0, 0.9})} << false << 0.9;
        QTest::newRow("noise about 1") << Rounds{rounds_of({0.5, 2.0, 0.8, 1.25})} << false << 0.0;
        QTest::newRow("noise, mostly faster")
            << Rounds{clear, rounds_of({1.4, 1.3, 0.8, 0.7, 1.5, 0.9})} << false << 0.0;
        QTest::newRow("few rounds") << Rounds{clear, rounds_of({1.5}, 4)} << false << 0.0;
        QTest::newRow("no rounds") << Rounds{clear, {}} << false << 0.0;
        QTest::newRow("no shapes") << Rounds{} << false << 0.0;
        QTest::newRow("a clock that stands still") << Rounds{rounds_of({1.5, infinity})} << false << 0.0;
        QTest::newRow("a clock that goes back") << Rounds{rounds_of({1.5, -3.0})} << false << 0.0;
        QTest::newRow("not a number") << Rounds{rounds_of({1.5, 1.5, 1.5, nan})} << false << 0.0;
    }

    void judgesRounds() {
        QFETCH(Rounds, shapes);
        QFETCH(bool, used);
        QFETCH(double, gain);
        const auto choice = flash::judged(flash::Precision::BFloat16, MatrixUse::Map, shapes);
        QCOMPARE(choice.precision, flash::Precision::BFloat16);
        QCOMPARE(choice.use, MatrixUse::Map);
        QCOMPARE(choice.is_used(), used);
        QVERIFY2(std::abs(choice.gain - gain) < 1e-12, qPrintable(QString::number(choice.gain)));
        QCOMPARE(choice.failure.has_value(), gain == 0.0);
        if (!used)
            QVERIFY(!choice.why_not("AMX").english().empty());
    }

    void saysWhyNot() {
        const auto slow = flash::judged(flash::Precision::Split, MatrixUse::Forward, Rounds{rounds_of({0.63})});
        QCOMPARE(slow.why_not("AMX").english(),
                 std::string("AMX was 0.63 times as fast as vectors in a measurement, expected at least 1.10"));
    }

    /// Every precision and use is measured once, when a problem needs it, and a few rounds are enough.
    void measuresOnce() {
        const Clock clock{.gain = 1.3};
        const WithMeasuredUnit unit(clock);
        QVERIFY(!flash::known_choice(flash::Precision::BFloat16, MatrixUse::Forward));
        QVERIFY(chosen({}));
        const int runs = *clock.runs;
        QVERIFY(runs >= 30 && runs <= 60);
        QVERIFY(chosen({}));
        QCOMPARE(*clock.runs, runs);
        QVERIFY(flash::known_choice(flash::Precision::BFloat16, MatrixUse::Forward)->is_used());
        QVERIFY(!flash::known_choice(flash::Precision::BFloat16, MatrixUse::Map));
        QVERIFY(!flash::known_choice(flash::Precision::Split, MatrixUse::Map));
        QVERIFY(chosen({.shape = {1, 8, 8, 2048, 2048, 64, 0}}));
        QVERIFY(*clock.runs > runs);
        QVERIFY(flash::known_choice(flash::Precision::BFloat16, MatrixUse::Map)->is_used());
    }

    void staysWithinItsTime() {
        const Clock clock{.gain = 2.0, .seconds = 2e-2}; // 180 ms a round
        const WithMeasuredUnit unit(clock);
        QVERIFY(!chosen({}));
        QVERIFY(*clock.runs <= 30);
        const auto choice = flash::known_choice(flash::Precision::BFloat16, MatrixUse::Forward);
        QVERIFY(choice->failure && choice->why_not("AMX").english().find("too long") != std::string::npos);
    }

    /// On a slow or busy machine, too.
    void takesTheTimeOfFewRounds() {
        const Clock clock{.gain = 2.0, .seconds = 2e-3}; // 18 ms a round
        const WithMeasuredUnit unit(clock);
        QVERIFY(chosen({}));
        QVERIFY(*clock.runs <= 40);
    }

    /// Other work that ends during the first attempts does not decide; work that goes on does.
    void measuresAgainWhereRoundsDisagree_data() {
        QTest::addColumn<int>("disturbed"); ///< attempts
        QTest::addColumn<bool>("used");
        QTest::newRow("none") << 0 << true;
        QTest::newRow("one") << 1 << true;
        QTest::newRow("two") << 2 << true;
        QTest::newRow("all") << 100 << false;
    }

    void measuresAgainWhereRoundsDisagree() {
        QFETCH(int, disturbed);
        QFETCH(bool, used);
        constexpr int of_a_round = 6, of_an_attempt = 10 * of_a_round;
        const auto runs = std::make_shared<int>(0);
        const WithMeasuredUnit unit(
            [clock = Clock{.gain = 2.0, .runs = runs}, disturbed](const std::function<void()>& run) mutable {
                const int turn = *clock.runs;
                const double seconds = clock(run);
                const bool by_vectors = seconds == clock.seconds, is_slow = turn / of_a_round % 10 % 3 == 1;
                return turn < disturbed * of_an_attempt && is_slow && !by_vectors ? 8 * seconds : seconds;
            });
        QCOMPARE(chosen({}), used);
        QCOMPARE(*runs, (std::min(disturbed, 2) + 1) * of_an_attempt);
    }

    void aMeasurementThatFailsLeavesVectors() {
        const WithMeasuredUnit unit([](const std::function<void()>&) -> double { throw std::bad_alloc(); });
        QVERIFY(!chosen({}));
        const auto choice = flash::known_choice(flash::Precision::BFloat16, MatrixUse::Forward);
        QVERIFY(choice->why_not("AMX").english().find("the speed of AMX is unknown: ") == 0);
    }

    void asksForLargeProblemsOnly_data() {
        QTest::addColumn<Large>("large");
        QTest::addColumn<bool>("asked");
        QTest::newRow("large") << Large{} << true;
        QTest::newRow("short") << Large{{1, 8, 8, 256, 256, 64, 64}} << false;
        QTest::newRow("few keys") << Large{{1, 64, 64, 4096, 256, 64, 64}} << false;
        QTest::newRow("few queries") << Large{{1, 8, 8, 64, 65536, 64, 64}} << false;
        QTest::newRow("few queries of many heads on a key") << Large{{1, 8, 1, 64, 65536, 64, 64}} << true;
        QTest::newRow("narrow") << Large{{1, 8, 8, 4096, 4096, 32, 32}} << false;
        QTest::newRow("narrow values") << Large{{1, 8, 8, 4096, 4096, 64, 8}} << false;
        QTest::newRow("a narrow window") << Large{{1, 8, 8, 16384, 16384, 64, 64}, 128} << false;
        QTest::newRow("a wide window") << Large{{1, 8, 8, 16384, 16384, 64, 64}, 512} << true;
        QTest::newRow("a map") << Large{{1, 1, 1, 4096, 4096, 64, 0}} << true;
    }

    /// Others are left to vectors, without a measurement.
    void asksForLargeProblemsOnly() {
        QFETCH(Large, large);
        QFETCH(bool, asked);
        const Clock clock{.gain = 3.0};
        const WithMeasuredUnit unit(clock);
        QCOMPARE(chosen(large), asked);
        QCOMPARE(*clock.runs > 0, asked);
    }

    /// Float32 is left to vectors, and so are values in split numbers, whatever is faster; with ATTNLAB_AMX=1, too.
    void neverAsksForFloat32() {
        const Clock clock{.gain = 3.0};
        const WithMeasuredUnit unit(clock);
        for (const bool always : {false, true}) {
            WithMeasuredUnit::kernel.is_chosen_always = always;
            QVERIFY(!chosen({}, flash::Precision::Float32));
            QVERIFY(!chosen({.shape = {1, 8, 8, 2048, 2048, 64, 0}}, flash::Precision::Float32));
            QVERIFY(!chosen({}, flash::Precision::Split));
        }
        QCOMPARE(*clock.runs, 0);
        WithMeasuredUnit::kernel.is_chosen_always = false;
        QVERIFY(chosen({.shape = {1, 8, 8, 2048, 2048, 64, 0}}, flash::Precision::Split));
    }

    /// Widths that do not fill matrices cost as much as those that do.
    void paddingLessensTheGain() {
        const WithMeasuredUnit unit(Clock{.gain = 1.3});
        QVERIFY(chosen({.shape = {1, 8, 8, 1024, 1024, 64, 64}}));
        QVERIFY(chosen({.shape = {1, 8, 8, 1024, 1024, 95, 95}}));
        QVERIFY(!chosen({.shape = {1, 8, 8, 1024, 1024, 65, 65}})); // computed as 96 and 80
    }

    /// What is measured is what computes: with a unit that is faster results are its own, else those of vectors.
    void theChoiceComputes_data() {
        QTest::addColumn<double>("gain");
        QTest::newRow("faster") << 2.0;
        QTest::newRow("slower") << 0.5;
    }

    void theChoiceComputes() {
        QFETCH(double, gain);
        const flash::Workload workload({1, 1, 1, 128, 33000, 64, 64}, false);
        const auto output = [&] {
            std::vector<float> numbers(128 * 64), lse(128);
            auto problem = workload.problem();
            problem.rows = {0, 32};
            problem.precision = flash::Precision::BFloat16;
            flash::forward(problem, {numbers.data(), lse.data()});
            numbers.resize(32 * 64);
            return numbers;
        };
        flash::use_matrix_kernel(nullptr);
        const auto by_vectors = output();
        flash::use_matrix_kernel(std::nullopt);
        const WithMeasuredUnit unit(Clock{.gain = gain});
        QCOMPARE(output() == by_vectors, gain < 1.0);
        QCOMPARE(flash::cpu_title(flash::Precision::BFloat16).find("emulated AMX") != std::string::npos, gain > 1.0);
    }

    void notesSayWhatWasMeasured() {
        const WithMeasuredUnit unit(Clock{.gain = 0.8});
        QVERIFY(!flash::note_without_matrix_unit(flash::Precision::BFloat16, MatrixUse::Map));
        flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::BFloat16, MatrixUse::Map);
        const auto note = flash::note_without_matrix_unit(flash::Precision::BFloat16, MatrixUse::Map);
        QVERIFY(note && note->english().find("emulated AMX was 0.80 times as fast") != std::string::npos);
        QVERIFY(!flash::note_without_matrix_unit(flash::Precision::Float32, MatrixUse::Map));
    }

    /// Another process need not measure, and computes the same numbers.
    void keepsChoicesInAFile() {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "a folder" / "choices";
        const Clock first{.gain = 1.0 + 1.0 / 3.0};
        const WithMeasuredUnit unit(first);
        flash::keep_choices(file, "build\n1");
        const auto measured = flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::Split, MatrixUse::Map);
        const int runs = *first.runs;
        flash::keep_choices(file, "build\n1"); // as a process that begins
        QVERIFY(!flash::known_choice(flash::Precision::Split, MatrixUse::Map));
        QCOMPARE(flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::Split, MatrixUse::Map).gain,
                 measured.gain);
        QCOMPARE(*first.runs, runs);
        flash::keep_choices(file, "build 2");
        flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::Split, MatrixUse::Map);
        QVERIFY(*first.runs > runs);
        // A file that is something else is no choice.
        for (const auto* number : {"nan", "-1", "0", "2 ", "", "1e999"}) {
            QFile kept(QString::fromStdString(file.string()));
            QVERIFY(kept.open(QIODevice::ReadOnly));
            const auto text = kept.readAll();
            kept.close();
            QVERIFY(kept.open(QIODevice::WriteOnly));
            kept.write(text.left(text.lastIndexOf('\t') + 1) + number + '\n');
            kept.close();
            flash::keep_choices(file, "build 2");
            const int before = *first.runs;
            flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::Split, MatrixUse::Map);
            QVERIFY2(*first.runs > before, number);
        }
        flash::keep_choices("/proc/no folder/choices", "build");
        QVERIFY(flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::Split, MatrixUse::Map).is_used());
    }

    /// A measurement in a bad moment is not kept for others.
    void keepsNoFailure() {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "choices";
        const Clock slow{.gain = 2.0, .seconds = 1.0};
        const WithMeasuredUnit unit(slow);
        flash::keep_choices(file, "build");
        QVERIFY(flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::BFloat16, MatrixUse::Map).failure);
        const int runs = *slow.runs;
        flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::BFloat16, MatrixUse::Map);
        QCOMPARE(*slow.runs, runs); // once for this process
        flash::keep_choices(file, "build");
        flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::BFloat16, MatrixUse::Map);
        QVERIFY(*slow.runs > runs);
    }

    /// By the real clock, the emulated unit is slower than vectors, whoever asks first.
    void measuresByTheClock() {
        const WithMeasuredUnit unit({});
        std::vector<std::thread> threads;
        for (int k = 0; k < 3; ++k)
            threads.emplace_back(
                [] { flash::choice_of(WithMeasuredUnit::kernel, flash::Precision::BFloat16, MatrixUse::Map); });
        for (auto& thread : threads)
            thread.join();
        QVERIFY(!flash::known_choice(flash::Precision::BFloat16, MatrixUse::Map)->is_used());
    }
};

ATTNLAB_TEST(TestMatrixChoice)
#include "test_matrix_choice.moc"
