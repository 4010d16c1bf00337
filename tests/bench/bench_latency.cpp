// How long the window keeps anybody waiting while it opens a large mapped problem and somebody browses its map: gaps
// between turns of the event loop, in frames of 60 Hz. "busy" counts what the GUI thread itself worked in a gap, for
// machines with other load.
//   bench_latency [LENGTH] [STEPS]
#include "core/flash/cpu_backend.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/random.h"
#include "ui/file_controller.h"
#include "ui/main_window.h"
#include "ui/map/large_inputs.h"
#include "ui/map/map_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr double frame_ms = 1000.0 / 60.0;
constexpr std::int64_t heads = 4, width = 128;

/// Milliseconds that this thread has worked.
double busyMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Asks for its turn every millisecond and notes how long each took to come.
class LoopWatch : public QObject {
public:
    LoopWatch() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &LoopWatch::turn);
        clock_.start();
        timer_.start(1);
    }

    void report(const char* phase) {
        std::printf("%-22s", phase);
        for (auto* gaps : {&wall_, &busy_}) {
            std::sort(gaps->begin(), gaps->end());
            const auto at = [&](double share) {
                return gaps->empty() ? 0.0
                                     : (*gaps)[static_cast<std::size_t>(share * static_cast<double>(gaps->size() - 1))];
            };
            std::printf("  %8.2f %8.2f", at(1.0) / frame_ms, at(0.99) / frame_ms);
            gaps->clear();
        }
        std::puts("");
        std::fflush(stdout);
        last_wall_ = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
        last_busy_ = busyMs();
    }

private:
    void turn() {
        const double wall = static_cast<double>(clock_.nsecsElapsed()) * 1e-6, busy = busyMs();
        wall_.push_back(wall - last_wall_);
        busy_.push_back(busy - last_busy_);
        last_wall_ = wall;
        last_busy_ = busy;
    }

    QTimer timer_;
    QElapsedTimer clock_;
    double last_wall_ = 0.0, last_busy_ = busyMs();
    std::vector<double> wall_, busy_;
};

QStringList filesOf(const QTemporaryDir& folder, std::int64_t length) {
    QStringList paths;
    std::uint64_t seed = 1;
    for (const char* name : {"query", "key", "value"}) {
        std::vector<float> numbers(static_cast<std::size_t>(heads * length * width));
        Random random(seed++);
        std::generate(numbers.begin(), numbers.end(), [&] { return static_cast<float>(random.normal()); });
        paths << folder.filePath(QStringLiteral("%1.npy").arg(QLatin1String(name)));
        io::write_file(paths.back().toStdString(), io::write_npy({1, heads, length, width}, numbers));
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

/// What somebody does who looks around: zoom, pan, jump, pin.
void browse(MapView& map, ViewState& view, std::int64_t length, int steps) {
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

} // namespace

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const std::int64_t length = argc > 1 ? std::atoll(argv[1]) : 32768;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
    const QTemporaryDir folder;
    const auto paths = filesOf(folder, length);

    static const Backend* const backends[] = {&reference_backend(), &cpu_backend()};
    MainWindow window(backends);
    window.resize(1440, 900);
    window.show();
    rest(500);
    auto& session = window.largeInputs()->session();

    std::printf("%lld x %lld, %lld heads of %lld; frames of 60 Hz\n%-22s  %8s %8s  %8s %8s\n",
                static_cast<long long>(length), static_cast<long long>(length), static_cast<long long>(heads),
                static_cast<long long>(width), "", "longest", "99 %", "busy", "99 %");
    LoopWatch watch;
    window.files().open(paths, {});
    waitFor(&session, &MapSession::ready);
    rest(200);
    watch.report("open and compute");
    auto* map = window.largeInputs()->page()->findChild<MapView*>();
    if (!map || !session.pyramid())
        return 1; // a benchmark of a window that shows no map is worth nothing
    browse(*map, window.viewState(), length, steps);
    watch.report("browse");
    session.cancelOverviews();
    browse(*map, window.viewState(), length, steps);
    watch.report("browse, nothing behind");
    window.viewState().setHead(1);
    waitFor(&session, &MapSession::ready);
    watch.report("another head");
    return 0;
}
