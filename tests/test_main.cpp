#include "tests/test_main.h"

#ifdef ATTNLAB_TEST_WIDGETS
#include <QApplication>
#ifdef __SANITIZE_THREAD__
#include "tests/tsan_qt.h"
class TestApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        attnlab::test::takeWhatQtHandsOver();
        return QApplication::notify(receiver, event);
    }
};
#else
using TestApplication = QApplication;
#endif
#else
#include <QCoreApplication>
using TestApplication = QCoreApplication;
#endif

#include <cstdio>
#include <map>
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

TestFile::TestFile(const char* path, Run run) { testFiles().emplace(nameOf(path), run); }

} // namespace attnlab::test

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
    TestApplication application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    QTEST_SET_MAIN_SOURCE_PATH
    return file->second(argc, argv);
}
