// The latency of the window while it opens a large file-backed problem and a user browses its map: gaps between
// iterations of the event loop, in frames of 60 Hz. "busy" is the work of the GUI thread in a gap, for machines with
// other load; "over" is the number of those gaps longer than a frame. Below each phase are the events of its busiest
// gap, each without those that it caused.
//  bench_latency [--length L] [--heads H] [--dim E] [--steps N]
#include "core/flash/cpu_backend.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/random.h"
#include "tests/bench/loop_watch.h"
#include "ui/document/file_controller.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/pages/matrix_page.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QCommandLineParser>
#include <QKeyEvent>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

struct Options {
    std::int64_t length = 32768, heads = 4, width = 128;
    int steps = 200;
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
