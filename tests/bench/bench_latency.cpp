// The latency of the window while it opens a large file-backed problem and a user browses its map: gaps between
// iterations of the event loop, in frames of 60 Hz. "busy" is the work of the GUI thread in a gap, for machines with
// other load; "over" is the number of those gaps longer than a frame. Below each phase are the events of its busiest
// gap, each without those that it caused.
//  bench_latency [--length L] [--heads H] [--dim E] [--steps N]
#include "core/flash/cpu_backend.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/random.h"
#include "ui/document/file_controller.h"
#include "ui/export/export_dialog.h"
#include "ui/export/map_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/pages/matrix_page.h"
#include "ui/window/application.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QKeyEvent>
#include <QMetaEnum>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <map>
#include <thread>
#include <utility>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr double frame_ms = 1000.0 / 60.0;

struct Options {
    std::int64_t length = 32768, heads = 4, width = 128;
    int steps = 200;
};

/// CPU time of this thread in milliseconds.
double busyMs() {
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

QStringList filesOf(const QTemporaryDir& folder, const Options& options) {
    QStringList paths;
    std::uint64_t seed = 1;
    for (const char* name : {"query", "key", "value"}) {
        std::vector<float> numbers(static_cast<std::size_t>(options.heads * options.length * options.width));
        Random random(seed++);
        std::generate(numbers.begin(), numbers.end(), [&] { return static_cast<float>(random.normal()); });
        paths << folder.filePath(QStringLiteral("%1.npy").arg(QLatin1String(name)));
        io::write_file(paths.back().toStdString(),
                       io::write_npy({1, options.heads, options.length, options.width}, numbers));
    }
    return paths;
}

template <class Sender, class Signal>
void waitFor(Sender* sender, Signal signal) {
    QEventLoop loop;
    QObject::connect(sender, signal, &loop, &QEventLoop::quit);
    loop.exec();
}

void rest(int ms) {
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

void press(QWidget* widget, int key) {
    for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease})
        QCoreApplication::postEvent(widget, new QKeyEvent(type, key, Qt::NoModifier));
}

void wheel(QWidget* widget, int delta) {
    const QPointF at(widget->rect().center());
    QCoreApplication::postEvent(widget, new QWheelEvent(at, widget->mapToGlobal(at), {}, {0, delta}, Qt::NoButton,
                                                        Qt::ControlModifier, Qt::NoScrollPhase, false));
}

/// The actions of a browsing user: zoom, pan, jump, pin.
void browse(HeatmapView& map, ViewState& view, std::int64_t length, int steps) {
    Random random(7);
    const auto anywhere = [&] { return static_cast<int>(random.uniform() * static_cast<double>(length)); };
    for (int step = 0; step < steps; ++step) {
        switch (step % 10) {
        case 0:
            map.showCell({anywhere(), anywhere()});
            break;
        case 1:
            view.setPinned(Cell{anywhere(), anywhere()});
            break;
        case 2:
        case 3:
            wheel(&map, 120);
            break;
        case 8:
            map.zoomToFit();
            break;
        case 9:
            map.zoomIn();
            break;
        default:
            press(&map, step % 2 ? Qt::Key_Right : Qt::Key_Down);
            break;
        }
        rest(40);
    }
}

/// A mouse that moves over the map and sometimes rests, so that the row below it is read.
void hover(HeatmapView& map, int steps) {
    Random random(11);
    for (int step = 0; step < steps; ++step) {
        const auto within = [&](int size) { return size * (0.3 + 0.3 * random.uniform()); };
        const QPointF at(within(map.width()), within(map.height()));
        QCoreApplication::postEvent(&map, new QMouseEvent(QEvent::MouseMove, at, map.mapToGlobal(at), Qt::NoButton,
                                                          Qt::NoButton, Qt::NoModifier));
        rest(step % 5 == 4 ? 300 : 20);
    }
}

/// Changes the colours in every way and back.
void recolor(ViewState& view) {
    const auto usual = view.colors();
    auto other = usual;
    other.logarithmic = true;
    for (int step = 0; step < 6; ++step) {
        view.setColors(step % 2 ? usual : other);
        rest(100);
    }
}

void exportAll(MapSession& session, const HeatmapView& map, const QTemporaryDir& folder) {
    const QRect cells = map.visibleCells();
    const CellRect seen{cells.top(), cells.bottom() + 1, cells.left(), cells.right() + 1};
    for (const char* name : {"sight.png", "whole.pdf"}) {
        ExportDialog dialog(mapExport(session.pyramid()->shared_map(), seen, {}));
        dialog.findChild<QComboBox*>(QStringLiteral("extent"))->setCurrentIndex(QByteArray(name).startsWith("whole"));
        dialog.show();
        dialog.exportTo(folder.filePath(QString::fromLatin1(name)));
    }
}

Options optionsOf(const QCoreApplication& application) {
    Options options;
    QCommandLineParser parser;
    const auto number = [&](const char* name, const char* help, qint64 usual) {
        parser.addOption(
            {QString::fromLatin1(name), QString::fromLatin1(help), QStringLiteral("N"), QString::number(usual)});
    };
    number("length", "Queries, and keys.", options.length);
    number("heads", "Heads.", options.heads);
    number("dim", "Features of a query.", options.width);
    number("steps", "How often to move.", options.steps);
    parser.addHelpOption();
    parser.process(application);
    const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)).toLongLong(); };
    return {value("length"), value("heads"), value("dim"), static_cast<int>(value("steps"))};
}

} // namespace

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const Options options = optionsOf(application);
    const QTemporaryDir folder;
    const auto paths = filesOf(folder, options);

    static const Backend* const backends[] = {&reference_backend(), &cpu_backend()};
    MainWindow window(backends);
    window.resize(1440, 900);
    window.show();
    rest(500);
    auto& session = window.largeInputs()->session();
    auto& view = window.viewState();
    const double empty_window = MemoryWatch::now();
    const MemoryWatch memory;

    std::printf("%lld x %lld, %lld heads of %lld; frames of 60 Hz\n%-22s  %8s %8s  %8s %8s  %6s\n",
                static_cast<long long>(options.length), static_cast<long long>(options.length),
                static_cast<long long>(options.heads), static_cast<long long>(options.width), "", "longest", "99 %",
                "busy", "99 %", "over");
    LoopWatch watch(application);
    window.files().open(paths);
    waitFor(&session, &MapSession::ready);
    rest(200);
    watch.report("open and compute");
    auto* map = window.matrixPage()->heatmap();
    if (!session.pyramid())
        return 1; // without a map there is nothing to measure
    if (options.heads > 1) {
        browse(*map, view, options.length, options.steps);
        watch.report("browse");
        session.cancelOverviews();
    }
    browse(*map, view, options.length, options.steps);
    watch.report("browse, nothing behind");
    view.setPinned({});
    hover(*map, options.steps);
    watch.report("hover");
    map->zoomToFit();
    rest(200);
    recolor(view);
    watch.report("other colours");
    exportAll(session, *map, folder);
    watch.report("export");
    if (options.heads > 1) {
        view.setHead(1);
        waitFor(&session, &MapSession::ready);
        watch.report("another head");
    }
    std::printf("memory that is no page of a file: %.0f MB with an empty window, %.0f MB at most\n", empty_window,
                memory.peak());
    return 0;
}
