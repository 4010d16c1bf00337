// From an edit to repainted views: the latency while typing. One frame at 60 Hz is 16.7 ms.
#include "core/mechanisms.h"
#include "core/random.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"

#include <benchmark/benchmark.h>

#include <QEventLoop>
#include <QStandardPaths>

#include <cstdlib>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr double frame_seconds = 1.0 / 60.0;

/// Runs the event loop until the latest edit is computed, then repaints everything.
void settle(MainWindow& window) {
    QEventLoop loop;
    QObject::connect(&window, &MainWindow::settled, &loop, [&] {
        if (!window.isComputing())
            loop.quit();
    });
    loop.exec();
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
}

void keystroke(benchmark::State& state) {
    static const Backend* const backends[] = {&reference_backend()};
    MainWindow window(backends);
    window.resize(1440, 900);
    window.show();
    const auto heads = state.range(0), length = state.range(1), width = state.range(2);
    AttentionProblem problem;
    for (const auto* name : {"query", "key", "value"})
        problem.tensors.emplace(name, random_normal({1, heads, length, width}, 1));
    window.document().reset(problem);
    settle(window);

    double number = 0.0;
    double seconds = 0.0;
    for (auto _ : state) { // NOLINT(clang-analyzer-deadcode.DeadStores): how it counts
        const auto start = std::chrono::steady_clock::now();
        auto query = window.document().problem().tensors.at("query");
        query.set({0, 0, 0, 0}, number += 0.01);
        window.document().setTensor(QStringLiteral("query"), query, QStringLiteral("edit"));
        settle(window);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        // The picture must show the edit.
        if (window.computed()->trace.find("query")->value.at({0, 0, 0, 0}) != number)
            std::abort();
    }
    state.counters["frames"] = seconds / static_cast<double>(state.iterations()) / frame_seconds;
}

} // namespace

BENCHMARK(keystroke)->Args({1, 4, 4})->Args({8, 64, 64})->Unit(benchmark::kMillisecond)->UseRealTime();

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    Application application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
