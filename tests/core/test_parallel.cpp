// Work that threads share.
#include "core/flash/parallel.h"
#include "core/model/weight_products.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace attnlab;
using flash::parallel_for;

class TestParallel : public QObject {
    Q_OBJECT

private slots:
    void eachTaskOnce_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("tasks");
        QTest::newRow("none") << 4 << 0;
        QTest::newRow("one") << 4 << 1;
        QTest::newRow("one thread") << 1 << 100;
        QTest::newRow("fewer than threads") << 8 << 3;
        QTest::newRow("many") << 4 << 1000;
    }
    void eachTaskOnce() {
        QFETCH(int, threads);
        QFETCH(int, tasks);
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(tasks));
        parallel_for(threads, tasks, [&](int worker, std::int64_t task) {
            QVERIFY(worker >= 0 && worker < threads);
            ++done[static_cast<std::size_t>(task)];
        });
        for (const auto& count : done)
            QCOMPARE(count.load(), 1);
    }

    void workersHaveNumbersOfTheirOwn() {
        std::vector<std::atomic<int>> inside(4);
        std::atomic<bool> shared = false;
        for (int round = 0; round < 200; ++round)
            parallel_for(4, 64, [&](int worker, std::int64_t) {
                if (++inside[static_cast<std::size_t>(worker)] != 1)
                    shared = true;
                --inside[static_cast<std::size_t>(worker)];
            });
        QVERIFY(!shared);
    }

    /// A helper that waits for work may not wake on the processor of the caller, but on all others of the caller.
    void helpersWakeBesideTheCaller() {
        cpu_set_t permitted;
        QVERIFY(sched_getaffinity(0, sizeof permitted, &permitted) == 0);
        if (CPU_COUNT(&permitted) < 2)
            QSKIP("there is one processor");
        int barred = -2, lacking = 0, foreign = 0;
        for (int attempt = 0; attempt < 100 && barred < 0; ++attempt) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // helpers sleep
            const int caller = sched_getcpu();
            std::atomic<bool> joined = false;
            parallel_for(2, 2, [&](int worker, std::int64_t) {
                if (worker == 0) {
                    for (int wait = 0; wait < 1000 && !joined; ++wait)
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    return;
                }
                cpu_set_t own;
                lacking = foreign = 0;
                if (sched_getaffinity(0, sizeof own, &own) == 0)
                    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
                        lacking += CPU_ISSET(cpu, &permitted) && !CPU_ISSET(cpu, &own);
                        foreign += !CPU_ISSET(cpu, &permitted) && CPU_ISSET(cpu, &own);
                        if (cpu == caller && lacking == 1 && !CPU_ISSET(cpu, &own))
                            barred = cpu;
                    }
                joined = true;
            });
        }
        QVERIFY(barred >= 0);
        QCOMPARE(lacking, 1);
        QCOMPARE(foreign, 0);
    }

    /// Threads of OpenMP would spin beside those that share the work of a model.
    void aProductStartsNoThreads() {
        const auto all_threads = [] {
            std::set<std::string> names;
            for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
                names.insert(task.path().filename().string());
            return names;
        };
        constexpr std::int64_t size = 512;
        const std::vector<float> ones(size * size, 1.0f);
        const model::MatrixPart part{ones.data(), size, size, size};
        const auto started_by_a_product = [&] {
            std::vector<float> out(size * size);
            const auto before = all_threads(); // one that has just ended may still be among them
            model::multiply(part, part, true, out.data(), size);
            const auto after = all_threads();
            return std::ranges::count_if(after, [&](const auto& name) { return !before.contains(name); });
        };
        QCOMPARE(started_by_a_product(), 0);
        std::ptrdiff_t elsewhere = -1;
        std::thread([&] { elsewhere = started_by_a_product(); }).join();
        QCOMPARE(elsewhere, 0);
    }

    void theFirstFailureIsThrownAndEndsTheWork() {
        std::atomic<int> done = 0;
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, parallel_for(3, 1'000'000, [&](int, std::int64_t task) {
                                     if (task == 10)
                                         throw std::runtime_error("ten");
                                     ++done;
                                 }));
        QVERIFY(done < 1'000'000);
        parallel_for(3, 10, [&](int, std::int64_t) { ++done; }); // and the threads go on to work
    }

    void withinTasksAndInSeveralThreads() {
        std::atomic<int> done = 0;
        {
            std::vector<std::jthread> callers;
            for (int caller = 0; caller < 4; ++caller)
                callers.emplace_back([&] {
                    for (int round = 0; round < 50; ++round)
                        parallel_for(
                            3, 4, [&](int, std::int64_t) { parallel_for(3, 5, [&](int, std::int64_t) { ++done; }); });
                });
        }
        QCOMPARE(done.load(), 4 * 50 * 4 * 5);
    }

    void threadsAreKept() {
        std::mutex mutex;
        std::set<std::thread::id> seen;
        for (int round = 0; round < 100; ++round)
            parallel_for(2, 2, [&](int, std::int64_t) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1)); // so that the other comes, too
                const std::lock_guard lock(mutex);
                seen.insert(std::this_thread::get_id());
            });
        QVERIFY2(seen.size() < 20, qPrintable(QString::number(seen.size())));
    }
};

ATTNLAB_TEST(TestParallel)
#include "test_parallel.moc"
