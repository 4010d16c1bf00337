// One program runs the tests of a folder: NAME_tests WHAT [options of Qt Test] runs tests/NAME/test_WHAT.cpp.
#pragma once

#include <QTest>

namespace attnlab::test {

/// How many times slower a sanitizer may make the code, for limits of time; 1 without one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int sanitizer_slowdown = 10;
#else
inline constexpr int sanitizer_slowdown = 1;
#endif

/// A file's tests, known to the program before main() runs.
struct TestFile {
    using Run = int (*)(int argc, char** argv);

    /// `path` is the source file's, test_WHAT.cpp.
    TestFile(const char* path, Run run);
};

/// Counts events of size and layout and their nesting. In programs with widgets main() counts them, and fails a test in
/// which the nesting reaches most_nested: widgets that resize each other endlessly.
struct LayoutEvents {
    static constexpr int most_nested = 50;
    int nested = 0;
    int deepest = 0;
    long count = 0;
};
LayoutEvents& layoutEvents();

} // namespace attnlab::test

/// Adds `Class`, the QObject with the tests of this file, to the program of its folder.
#define ATTNLAB_TEST(Class)                                                                                            \
    static const attnlab::test::TestFile registered##Class(__FILE__, [](int argc, char** argv) {                       \
        Class test;                                                                                                    \
        return QTest::qExec(&test, argc, argv);                                                                        \
    });
