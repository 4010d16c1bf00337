// The check of the device beside the window: whatever goes wrong in it, the program goes on.
#include "app/device_backends.h"
#include "tests/test_main.h"

#include <QRegularExpression>
#include <QTest>

#include <filesystem>
#include <mutex>
#include <new>
#include <system_error>

using namespace attnlab;
using namespace attnlab::app;

namespace {

/// The messages of a watch with this work, which has ended.
QStringList told(const DeviceWatch::Work& work) {
    QStringList lines;
    std::mutex mutex;
    {
        const DeviceWatch watch(work, [&](const Message& line) {
            const std::lock_guard lock(mutex);
            lines << QString::fromStdString(line.english());
        });
    }
    return lines;
}

} // namespace

class TestDeviceWatch : public QObject {
    Q_OBJECT
private slots:
    void everyExceptionIsAMessage_data() {
        QTest::addColumn<std::function<void()>>("fail");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, std::function<void()> fail, const char* says) {
            QTest::newRow(name) << std::move(fail) << QString::fromUtf8(says);
        };
        row(
            "error", [] { throw Error(Message("The device is gone")); }, "^The device is gone$");
        row(
            "no memory", [] { throw std::bad_alloc(); }, "^There is not enough memory to check the CUDA device$");
        row(
            "cache folder",
            [] {
                throw std::filesystem::filesystem_error("read", "/cache", std::error_code(13, std::generic_category()));
            },
            "^The CUDA device could not be checked: .*/cache");
        row(
            "fork", [] { throw std::system_error(11, std::generic_category()); },
            "^The CUDA device could not be checked: Resource temporarily unavailable$");
        row(
            "something else", [] { throw 7; }, "^The CUDA device could not be checked: an unknown error$");
    }

    void everyExceptionIsAMessage() {
        QFETCH(std::function<void()>, fail);
        QFETCH(QString, says);
        const auto lines = told([&](const RunControl&, const DeviceWatch::Tell& tell) {
            tell(Message("begins"));
            fail();
        });
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0], QStringLiteral("begins"));
        QVERIFY2(QRegularExpression(says).match(lines[1]).hasMatch(), qPrintable(lines[1]));
    }

    /// Closing the window cancels the check.
    void cancellingIsNoMessage() {
        const auto lines = told([](const RunControl& control, const DeviceWatch::Tell&) {
            for (;;)
                control.checkpoint();
        });
        QCOMPARE(lines, QStringList());
    }

    void aMessageThatFailsEndsNothing() {
        const DeviceWatch watch([](const RunControl&, const DeviceWatch::Tell& tell) { tell(Message("begins")); },
                                [](const Message&) { throw std::bad_alloc(); });
    }
};

ATTNLAB_TEST(TestDeviceWatch)
#include "test_device_watch.moc"
