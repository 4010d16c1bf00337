#include "tests/test_main.h"

#include <QTemporaryDir>

#ifdef ATTNLAB_TEST_WIDGETS
#include <QApplication>
#include <QEvent>

#ifdef __SANITIZE_THREAD__
#include "tests/tsan_qt.h"
#endif
#else
#include <QCoreApplication>
using TestApplication = QCoreApplication;
#endif

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

namespace attnlab::test {
namespace {

std::map<std::string, TestFile::Run>& testFiles() {
    static std::map<std::string, TestFile::Run> files;
    return files;
}

/// "softmax" of "tests/core/test_softmax.cpp".
std::string nameOf(std::string path) {
    path.erase(0, path.find_last_of('/') + 1);
    path.erase(path.find_last_of('.'));
    return path.substr(path.find('_') + 1);
}

} // namespace

LayoutEvents& layoutEvents() {
    static LayoutEvents events;
    return events;
}

TestFile::TestFile(const char* path, Run run) { testFiles().emplace(nameOf(path), run); }

} // namespace attnlab::test

#ifdef ATTNLAB_TEST_WIDGETS
namespace {

class TestApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
#ifdef __SANITIZE_THREAD__
        attnlab::test::takeWhatQtHandsOver();
#endif
        if (event->type() != QEvent::Resize && event->type() != QEvent::LayoutRequest)
            return QApplication::notify(receiver, event);
        auto& events = attnlab::test::layoutEvents();
        ++events.count;
        if (events.nested == events.most_nested) {
            const std::string what =
                std::string("a layout goes on inside itself, in ") + receiver->metaObject()->className();
            QTest::qFail(what.c_str(), __FILE__, __LINE__);
            return true; // drops the event, which ends the loop
        }
        ++events.nested;
        events.deepest = std::max(events.deepest, events.nested);
        const bool result = QApplication::notify(receiver, event);
        --events.nested;
        return result;
    }
};

} // namespace
#endif

namespace {

/// A home of this test and of the programs that it starts: tests that run at the same time would share settings, and
/// the user's would be changed.
class OwnHome {
public:
    OwnHome() {
        constexpr auto started_by_a_test = "ATTNLAB_TEST_HAS_HOME";
        if (qEnvironmentVariableIsSet(started_by_a_test))
            return;
        folder_.emplace();
        qputenv("HOME", folder_->path().toLocal8Bit());
        qputenv(started_by_a_test, "1");
        for (const char* other : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qunsetenv(other);
    }

private:
    std::optional<QTemporaryDir> folder_;
};

} // namespace

int main(int argc, char** argv) {
    const auto& files = attnlab::test::testFiles();
    const auto file = argc > 1 ? files.find(argv[1]) : files.end();
    if (file == files.end()) {
        std::fprintf(stderr, "usage: %s WHAT [options of Qt Test], where WHAT is one of\n", argv[0]);
        for (const auto& [name, run] : files)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    --argc;
    ++argv;
    const OwnHome home;
    TestApplication application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    QTEST_SET_MAIN_SOURCE_PATH
    return file->second(argc, argv);
}
