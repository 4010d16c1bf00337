// What the benchmarks of the window share: gaps of the event loop, and memory.
#pragma once

#include "ui/window/windows.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QMetaEnum>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace attnlab::ui {

inline constexpr double frame_ms = 1000.0 / 60.0;

/// CPU time of this thread in milliseconds.
inline double busyMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Times the handling of every event, by receiver and type, until the times are taken.
class TimedApplication : public Application {
public:
    using Application::Application;
    using Times = std::map<QByteArray, double>;

    bool notify(QObject* receiver, QEvent* event) override {
        // Both may be deleted afterwards.
        const QByteArray name = QByteArray(receiver->metaObject()->className()) + ' ' +
                                QMetaEnum::fromType<QEvent::Type>().valueToKey(event->type());
        const double outer = within_, began = busyMs();
        within_ = 0.0;
        const bool result = Application::notify(receiver, event);
        const double all = busyMs() - began;
        times_[name] += all - within_;
        within_ = outer + all;
        return result;
    }

    Times take() { return std::exchange(times_, {}); }

private:
    Times times_;
    double within_ = 0.0; ///< time of the events caused by the current one
};

/// Posts a call every millisecond and measures its delay.
class LoopWatch : public QObject {
public:
    explicit LoopWatch(TimedApplication& application) : application_(application) {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &LoopWatch::turn);
        clock_.start();
        timer_.start(1);
    }

    void report(const char* phase) {
        std::printf("%-22s", phase);
        const auto over = std::count_if(busy_.begin(), busy_.end(), [](double gap) { return gap > frame_ms; });
        for (auto* gaps : {&wall_, &busy_}) {
            std::sort(gaps->begin(), gaps->end());
            const auto at = [&](double share) {
                return gaps->empty() ? 0.0
                                     : (*gaps)[static_cast<std::size_t>(share * static_cast<double>(gaps->size() - 1))];
            };
            std::printf("  %8.2f %8.2f", at(1.0) / frame_ms, at(0.99) / frame_ms);
            gaps->clear();
        }
        std::printf("  %6td\n", over);
        reportBusiest();
        std::fflush(stdout);
        last_wall_ = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
        last_busy_ = busyMs();
    }

private:
    void turn() {
        const double wall = static_cast<double>(clock_.nsecsElapsed()) * 1e-6, busy = busyMs();
        auto events = application_.take();
        if (busy - last_busy_ > busiest_) {
            busiest_ = busy - last_busy_;
            events_ = std::move(events);
        }
        wall_.push_back(wall - last_wall_);
        busy_.push_back(busy - last_busy_);
        last_wall_ = wall;
        last_busy_ = busy;
    }

    void reportBusiest() {
        constexpr std::size_t most = 6;
        constexpr double telling = frame_ms / 25;
        std::vector<std::pair<double, QByteArray>> slowest;
        for (const auto& [name, ms] : std::exchange(events_, {}))
            if (ms > telling)
                slowest.emplace_back(ms, name);
        std::sort(slowest.rbegin(), slowest.rend());
        slowest.resize(std::min(slowest.size(), most));
        for (const auto& [ms, name] : slowest)
            std::printf("    %5.2f  %s\n", ms / frame_ms, name.constData());
        busiest_ = 0.0;
        application_.take();
    }

    TimedApplication& application_;
    QTimer timer_;
    QElapsedTimer clock_;
    double last_wall_ = 0.0, last_busy_ = busyMs();
    std::vector<double> wall_, busy_;
    double busiest_ = 0.0;
    TimedApplication::Times events_; ///< those of the busiest gap
};

/// Samples the memory of the process every few milliseconds, without pages of files.
class MemoryWatch {
public:
    double peak() const { return peak_; } ///< MB
    static double now() {
        QFile file(QStringLiteral("/proc/self/status"));
        if (!file.open(QIODevice::ReadOnly))
            return 0.0;
        double kilobytes = 0.0;
        for (const auto& line : file.readAll().split('\n'))
            if (line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
                kilobytes += line.simplified().split(' ').at(1).toDouble();
        return kilobytes / 1000.0;
    }

private:
    std::atomic<double> peak_ = 0.0;
    std::jthread thread_{[this](const std::stop_token& stop) {
        for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(5)))
            peak_ = std::max(peak_.load(), now());
    }};
};

template <class Sender, class Signal>
void waitFor(Sender* sender, Signal signal) {
    QEventLoop loop;
    QObject::connect(sender, signal, &loop, &QEventLoop::quit);
    loop.exec();
}

inline void rest(int ms) {
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace attnlab::ui
