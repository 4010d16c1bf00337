// The latency of the model page: from a letter that is typed to all heads repainted, and the gaps between iterations of
// the event loop as bench_latency has them, while letters are typed, heads are chosen, and one of them is switched off.
//  bench_typing MODEL [--words N] [--letters N] [--heads N]
#include "core/flash/cpu_backend.h"
#include "tests/bench/loop_watch.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QCommandLineParser>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Waits for the first repaint after the result of what is asked for.
class Repaint : public QObject {
public:
    Repaint(ModelSession& session, QWidget& wall) : session_(session) {
        wall.installEventFilter(this);
        connect(&session, &ModelSession::changed, this, [this] { is_due_ = !session_.isOutdated(); });
    }

    /// Milliseconds from now.
    double await() {
        is_due_ = false;
        clock_.start();
        loop_.exec();
        return static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && is_due_)
            QMetaObject::invokeMethod(&loop_, &QEventLoop::quit, Qt::QueuedConnection);
        return false;
    }

private:
    ModelSession& session_;
    QEventLoop loop_;
    QElapsedTimer clock_;
    bool is_due_ = false;
};

QString words(int count) {
    const char* const some[] = {"the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "dog"};
    QStringList text;
    for (int i = 0; i < count; ++i)
        text << QString::fromLatin1(some[i * 7 % 10]);
    return text.join(QLatin1Char(' '));
}

void printTimes(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    if (!times.empty())
        std::printf("%s: median %.0f ms, longest %.0f ms of %zu\n", what, times[times.size() / 2], times.back(),
                    times.size());
}

} // namespace

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCommandLineParser parser;
    parser.addPositionalArgument(QStringLiteral("MODEL"), QStringLiteral("A folder or a GGUF file."));
    parser.addOptions(
        {{QStringLiteral("words"), QStringLiteral("Of the text."), QStringLiteral("N"), QStringLiteral("62")},
         {QStringLiteral("letters"), QStringLiteral("To type."), QStringLiteral("N"), QStringLiteral("30")},
         {QStringLiteral("heads"), QStringLiteral("To choose."), QStringLiteral("N"), QStringLiteral("20")}});
    parser.addHelpOption();
    parser.process(application);
    if (parser.positionalArguments().size() != 1)
        parser.showHelp(2);
    const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)).toInt(); };

    static const Backend* const backends[] = {&reference_backend(), &cpu_backend()};
    MainWindow window(backends);
    window.resize(1440, 900);
    window.show();
    rest(500);
    const double empty_window = MemoryWatch::now();
    const MemoryWatch memory;
    auto* session = window.findChild<ModelSession*>();
    if (!session)
        return 1;
    std::printf("%-22s  %8s %8s  %8s %8s  %6s\n", "", "longest", "99 %", "busy", "99 %", "over");
    LoopWatch watch(application);
    window.modelMode()->open(parser.positionalArguments().first());
    waitFor(session, &ModelSession::opened);
    auto& page = *window.modelMode()->page();
    Repaint repaint(*session, *page.wall());
    page.text()->setPlainText(words(value("words")));
    const double first = repaint.await();
    rest(300);
    watch.report("open and first text");

    std::vector<double> letters, chosen;
    for (int i = 0; i < value("letters"); ++i) {
        auto cursor = page.text()->textCursor();
        cursor.movePosition(QTextCursor::End);
        cursor.insertText(i % 4 == 0 ? QStringLiteral(" ") : QStringLiteral("a"));
        letters.push_back(repaint.await());
        rest(60);
    }
    watch.report("type");
    const auto shown = page.wall()->shown();
    for (int i = 0; i < value("heads"); ++i) {
        page.wall()->choose(shown[static_cast<std::size_t>(i) * 5 % shown.size()]);
        rest(150);
    }
    watch.report("choose heads");
    page.offButton()->click();
    repaint.await();
    rest(300);
    watch.report("switch one off");

    std::printf("first result after %.0f ms\n", first);
    printTimes("from a letter to all heads repainted", letters);
    std::printf("memory that is no page of a file: %.0f MB with an empty window, %.0f MB at most\n", empty_window,
                memory.peak());
    return 0;
}
