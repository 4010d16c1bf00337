// Background work of which only the latest request counts: what is delivered, when, and what never is.
#include "tests/test_main.h"
#include "ui/document/computation.h"
#include "ui/widgets/latest_job.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <memory>
#include <semaphore>
#include <thread>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Blocks work until the test releases it; records whether it was stopped.
struct Gate {
    std::binary_semaphore entered{0}, open{0};
    std::atomic<bool> stopped = false;

    LatestJob<int>::Work work(int result) {
        return [this, result](const RunControl&) {
            entered.release();
            open.acquire();
            return result;
        };
    }
    /// Runs until it is stopped.
    LatestJob<int>::Work endless() {
        return [this](const RunControl& control) -> int {
            entered.release();
            while (true) {
                try {
                    control.checkpoint();
                } catch (const Cancelled&) {
                    stopped = true;
                    throw;
                }
                std::this_thread::yield();
            }
        };
    }
};

LatestJob<int>::Work quick(int result) {
    return [result](const RunControl&) { return result; };
}

/// Keeps every computing thread busy until open().
class BusyThreads {
public:
    explicit BusyThreads(const std::function<void(int)>& keep) {
        for (int i = 0; i < threadsOf(WorkPool::Computing).maxThreadCount(); ++i) {
            gates_.push_back(std::make_unique<Gate>());
            jobs_.push_back(std::make_unique<LatestJob<int>>(keep));
            jobs_.back()->request(gates_.back()->work(i));
            gates_.back()->entered.acquire();
        }
    }
    void open() {
        for (const auto& gate : gates_)
            gate->open.release();
    }
    bool isRunning() const {
        return std::ranges::any_of(jobs_, [](const auto& job) { return job->isRunning(); });
    }

private:
    std::vector<std::unique_ptr<Gate>> gates_;
    std::vector<std::unique_ptr<LatestJob<int>>> jobs_;
};

} // namespace

class TestLatestJob : public QObject {
    Q_OBJECT

    std::vector<int> done_;
    std::function<void(int)> keep() {
        return [this](int result) { done_.push_back(result); };
    }
    static constexpr std::chrono::milliseconds long_grace{60'000};

private slots:
    void init() { done_.clear(); }

    void deliversInTheThreadOfTheJob() {
        QThread* thread = nullptr;
        std::atomic<QThread*> worker = nullptr;
        LatestJob<int> job([&](int) { thread = QThread::currentThread(); });
        QSignalSpy started(&job, &LatestJobBase::started);
        job.request([&](const RunControl&) {
            worker = QThread::currentThread();
            return 1;
        });
        QVERIFY(job.isRunning());
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(thread, QThread::currentThread());
        QVERIFY(worker != QThread::currentThread());
        QCOMPARE(started.count(), 1);
    }

    void theNewestRequestWins() {
        Gate gate;
        LatestJob<int> job(keep());
        job.request(gate.work(1));
        gate.entered.acquire();
        job.request(quick(2));
        job.request(quick(3));
        gate.open.release();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(done_, std::vector{3});
    }

    void aRunThatIsOutOfDateIsStopped() {
        Gate gate;
        LatestJob<int> job(keep());
        QSignalSpy cancelled(&job, &LatestJobBase::cancelled);
        job.request(gate.endless());
        gate.entered.acquire();
        job.request(quick(2));
        QTRY_VERIFY(!job.isRunning());
        QVERIFY(gate.stopped);
        QCOMPARE(done_, std::vector{2});
        QCOMPARE(cancelled.count(), 0);
    }

    void aShortRunIsDeliveredThoughANewerRequestWaits() {
        Gate gate;
        std::vector<bool> running;
        LatestJob<int> job(
            [&](int result) {
                done_.push_back(result);
                running.push_back(job.isRunning());
            },
            long_grace);
        job.request(gate.work(1));
        gate.entered.acquire();
        job.request(quick(2));
        job.request(quick(3));
        gate.open.release();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(done_, (std::vector{1, 3}));
        QCOMPARE(running, (std::vector{true, false}));
    }

    void aLongRunIsStoppedAfterItsGrace() {
        Gate gate;
        LatestJob<int> job(keep(), std::chrono::milliseconds(1));
        job.request(gate.endless());
        gate.entered.acquire();
        QTest::qWait(5);
        QVERIFY(!gate.stopped); // nothing newer is waiting
        job.request(quick(2));
        QTRY_VERIFY(!job.isRunning());
        QVERIFY(gate.stopped);
        QCOMPARE(done_, std::vector{2});
    }

    void whatIsThrownIsReported() {
        LatestJob<int> job(keep());
        QSignalSpy failed(&job, &LatestJobBase::failed);
        job.request([](const RunControl&) -> int { throw Error("it does not fit"); });
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].value<Message>().english(), "it does not fit");
        job.request([](const RunControl&) -> int { throw std::bad_alloc(); });
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(failed.count(), 2);
        QVERIFY(done_.empty());
    }

    void theFailureOfARunThatIsOutOfDateIsNot() {
        Gate gate;
        LatestJob<int> job(keep(), long_grace);
        QSignalSpy failed(&job, &LatestJobBase::failed);
        job.request([&](const RunControl&) -> int {
            gate.entered.release();
            gate.open.acquire();
            throw Error("too late");
        });
        gate.entered.acquire();
        job.request(quick(2));
        gate.open.release();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(failed.count(), 0);
        QCOMPARE(done_, std::vector{2});
    }

    void cancellingDropsTheRunAndWhatWaits() {
        Gate gate;
        LatestJob<int> job(keep(), long_grace);
        QSignalSpy cancelled(&job, &LatestJobBase::cancelled);
        job.cancel();
        job.request(gate.endless());
        gate.entered.acquire();
        job.request(quick(2));
        job.cancel();
        QTRY_VERIFY(!job.isRunning());
        QVERIFY(gate.stopped && done_.empty());
        QCOMPARE(cancelled.count(), 1);
        // A run that finishes nevertheless is not delivered.
        job.request(gate.work(3));
        gate.entered.acquire();
        job.cancel();
        gate.open.release();
        QTRY_VERIFY(!job.isRunning());
        QVERIFY(done_.empty());
        QCOMPARE(cancelled.count(), 2);
        job.request(quick(4));
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(done_, std::vector{4});
    }

    void reportsProgressUntilItIsCancelled() {
        Gate gate;
        LatestJob<int> job(keep());
        std::vector<double> fractions;
        connect(&job, &LatestJobBase::progressed, this, [&](double fraction) { fractions.push_back(fraction); });
        job.request([&](const RunControl& control) {
            control.report(0.5);
            gate.entered.release();
            gate.open.acquire();
            control.report(0.75);
            return 1;
        });
        gate.entered.acquire();
        QTRY_COMPARE(fractions, std::vector{0.5});
        job.cancel();
        gate.open.release();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(fractions, std::vector{0.5});
    }

    void goesAwayWhileItRuns() {
        Gate gate;
        std::atomic<bool> ended = false;
        {
            LatestJob<int> job(keep());
            QSignalSpy cancelled(&job, &LatestJobBase::cancelled);
            job.request([&](const RunControl& control) -> int {
                const auto work = gate.endless();
                try {
                    return work(control);
                } catch (...) {
                    ended = true;
                    throw;
                }
            });
            gate.entered.acquire();
            job.request(quick(2));
        }
        QVERIFY(ended); // the destructor has waited for it
        QCoreApplication::processEvents();
        QVERIFY(done_.empty());
    }

    void goesAwayWithAResultOnItsWay() {
        auto job = std::make_unique<LatestJob<int>>(keep());
        Gate gate;
        job->request(gate.work(1));
        gate.entered.acquire();
        gate.open.release();
        threadsOf(WorkPool::Computing).waitForDone(); // its end is in the event queue
        job.reset();
        QCoreApplication::processEvents();
        QVERIFY(done_.empty());
    }

    void mayBeAskedAgainWhenItDelivers() {
        std::function<void(int)> again;
        LatestJob<int> job([&](int result) { again(result); });
        again = [&](int result) {
            done_.push_back(result);
            if (result < 3)
                job.request(quick(result + 1));
        };
        job.request(quick(1));
        QTRY_COMPARE(done_, (std::vector{1, 2, 3}));
        QVERIFY(!job.isRunning());
    }

    void aRequestMadeWhenItStartsIsTheNewest() {
        LatestJob<int> job(keep());
        QSignalSpy cancelled(&job, &LatestJobBase::cancelled);
        int more = 1;
        connect(&job, &LatestJobBase::started, this, [&] {
            if (more-- > 0)
                job.request(quick(2));
        });
        job.request(quick(1));
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(done_, std::vector{2});
        QCOMPARE(cancelled.count(), 0);
    }

    void aLoopWithinADeliveryDeliversNothingElse() {
        std::vector<int> inside;
        QSignalSpy* settled = nullptr;
        LatestJob<int> job([&](int result) {
            const auto before = done_;
            if (result == 1) {
                job.request(quick(2));
                QTest::qWait(50);
                job.request(quick(3)); // 2 has ended, and is not wanted any more
                QTest::qWait(50);
                inside = done_;
                QCOMPARE(settled->count(), 0);
            }
            done_.push_back(result);
        });
        QSignalSpy spy(&job, &LatestJobBase::settled);
        settled = &spy;
        job.request(quick(1));
        QTRY_VERIFY(!job.isRunning());
        QVERIFY(inside.empty());
        QCOMPARE(done_, (std::vector{1, 3}));
        QCOMPARE(spy.count(), 1);
    }

    void aHeldJobDeliversAfterwards() {
        LatestJob<int> job(keep());
        {
            const LatestJobBase::Hold outer(job);
            {
                const LatestJobBase::Hold inner(job);
                job.request(quick(1));
                QTest::qWait(50);
            }
            QTest::qWait(20);
            QVERIFY(done_.empty() && job.isRunning());
        }
        QTRY_COMPARE(done_, std::vector{1});
        QVERIFY(!job.isRunning());
        // Cancelled while it is held: dropped.
        {
            const LatestJobBase::Hold hold(job);
            job.request(quick(2));
            QTest::qWait(50);
            job.cancel();
        }
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(done_, std::vector{1});
    }

    void goesAwayInItsDelivery() {
        std::unique_ptr<LatestJob<int>> job;
        job = std::make_unique<LatestJob<int>>([&](int result) {
            done_.push_back(result);
            job.reset();
        });
        job->request(quick(1));
        QTRY_VERIFY(!job);
        QCOMPARE(done_, std::vector{1});
    }

    void busyThreadsKeepNeitherFilesNorCancelWaiting() {
        BusyThreads busy(keep());
        LatestJob<int> file(keep(), {{}, WorkPool::Files});
        file.request(quick(7));
        QTRY_COMPARE(done_, std::vector{7});
        LatestJob<int> waiting(keep());
        QSignalSpy cancelled(&waiting, &LatestJobBase::cancelled);
        waiting.request(quick(8));
        waiting.cancel();
        QTRY_COMPARE(cancelled.count(), 1);
        QVERIFY(!waiting.isRunning());
        waiting.request(quick(9));
        waiting.request(quick(10));
        auto gone = std::make_unique<LatestJob<int>>(keep());
        gone->request(quick(11));
        gone.reset(); // waits for no thread
        busy.open();
        QTRY_VERIFY(!busy.isRunning());
        QTRY_VERIFY(!waiting.isRunning());
        QCOMPARE(std::ranges::count(done_, 10), 1);
        QVERIFY(std::ranges::count(done_, 8) + std::ranges::count(done_, 9) + std::ranges::count(done_, 11) == 0);
    }

    /// Qt divides large fills among the threads of its global pool, and waits for them.
    void busyThreadsKeepNoPaintingWaiting() {
        BusyThreads busy(keep());
        std::binary_semaphore painted{0};
        std::jthread opener([&] { // so that a failure is no hang
            (void)painted.try_acquire_for(std::chrono::seconds(5));
            busy.open();
        });
        QElapsedTimer timer;
        timer.start();
        QImage image(1000, 1000, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.fillRect(QRectF(0, 0, 1000, 1000), QColor(0, 0, 0, 100));
        painter.end();
        const auto took = timer.elapsed();
        painted.release();
        opener.join();
        QVERIFY(image.pixelColor(500, 500) != QColor(Qt::white));
        QVERIFY2(took < 3000, qPrintable(QString::number(took)));
        QTRY_VERIFY(!busy.isRunning());
    }

    void manyRequestsEndWithTheLast() {
        for (const auto grace : {std::chrono::milliseconds(0), long_grace}) {
            done_.clear();
            LatestJob<int> job(keep(), grace);
            std::atomic<int> at_once = 0, most = 0;
            constexpr int last = 400;
            for (int k = 1; k <= last; ++k) {
                job.request([&, k](const RunControl& control) {
                    most = std::max<int>(most, ++at_once);
                    for (int turn = 0; turn < k % 5; ++turn)
                        control.report(turn / 5.0);
                    --at_once;
                    return k;
                });
                if (k % 3 == 0)
                    QCoreApplication::processEvents();
                if (k % 50 == 0)
                    job.cancel();
            }
            job.request(quick(last + 1));
            QTRY_VERIFY(!job.isRunning());
            QVERIFY(most.load() <= 1); // 0 where each was replaced before a thread began it
            QVERIFY(std::ranges::is_sorted(done_));
            QCOMPARE(done_.back(), last + 1);
        }
    }
};

ATTNLAB_TEST(TestLatestJob)
#include "test_latest_job.moc"
