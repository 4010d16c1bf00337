#include "tests/soak/soak_watch.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMetaObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <execinfo.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

namespace attnlab::soak {
namespace {

constexpr int remembered = 40;
QString round_name;
QStringList last_actions;
std::atomic<int> beats = 0;
pthread_t gui_thread;

/// Warnings caused by the X server or the machine.
bool isOfTheMachine(const QString& text) {
    static const char* const known[] = {"XDG_RUNTIME_DIR", "propagateSizeHints", "QXcbConnection: XCB error"};
    for (const char* beginning : known)
        if (text.contains(QLatin1String(beginning)))
            return true;
    return false;
}

void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
    if (type != QtDebugMsg && type != QtInfoMsg && !isOfTheMachine(text))
        fail(QStringLiteral("a message of Qt's: ") + text);
}

void printStack() {
    void* calls[64];
    ::backtrace_symbols_fd(calls, ::backtrace(calls, 64), STDERR_FILENO);
}

void onCrash(int signal) {
    printStack();
    for (const auto& action : last_actions) // as far as a crash has left them intact
        std::fprintf(stderr, "  %s\n", qPrintable(action));
    std::fprintf(stderr, "soak: %s: crashed\n", qPrintable(round_name));
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

double cpuSecondsOf(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// An endless loop shows in the thread's CPU time; a deadlock only in wall time, which also passes while a busy machine
/// runs other programs.
void waitForBeats(clockid_t clock) {
    constexpr double most_cpu_seconds = 15.0;
    constexpr qint64 most_milliseconds = 240'000;
    int seen = -1;
    double cpu = 0.0;
    QElapsedTimer wall;
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        if (const int now = beats; now != seen) {
            seen = now;
            cpu = cpuSecondsOf(clock);
            wall.start();
            continue;
        }
        if (cpuSecondsOf(clock) - cpu < most_cpu_seconds && wall.elapsed() < most_milliseconds)
            continue;
        ::pthread_kill(gui_thread, SIGUSR1); // makes it print a stack trace
        std::this_thread::sleep_for(std::chrono::seconds(2));
        fail(QStringLiteral("the event loop has not turned for %1 s").arg(wall.elapsed() / 1000));
    }
}

} // namespace

void describe(const QString& round) { round_name = round; }

void note(const QString& action) {
    last_actions << action;
    if (last_actions.size() > remembered)
        last_actions.removeFirst();
}

QString nameOf(const QObject* object) {
    return object ? QString::fromLatin1(object->metaObject()->className()) + QLatin1Char(' ') + object->objectName()
                  : QStringLiteral("nothing");
}

void fail(const QString& why) {
    printStack();
    for (const auto& action : last_actions)
        std::fprintf(stderr, "  %s\n", qPrintable(action));
    std::fprintf(stderr, "soak: %s: %s\n", qPrintable(round_name), qPrintable(why));
    std::fflush(stderr);
    std::_Exit(3);
}

void watchProcess() {
    qInstallMessageHandler(onMessage);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        std::signal(signal, onCrash);
    std::signal(SIGUSR1, [](int) { printStack(); });
}

void watchLoop() {
    gui_thread = ::pthread_self();
    auto* heart = new QTimer(QCoreApplication::instance());
    QObject::connect(heart, &QTimer::timeout, heart, [] { ++beats; });
    heart->start(100);
    clockid_t clock{};
    ::pthread_getcpuclockid(gui_thread, &clock);
    std::thread(waitForBeats, clock).detach();
}

qint64 residentBytes() {
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    return status.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
}

} // namespace attnlab::soak
