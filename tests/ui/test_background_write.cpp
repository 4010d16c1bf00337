// Writing in a worker thread: its result, and Cancel.
#include "tests/test_main.h"
#include "ui/document/background_files.h"

#include <QApplication>
#include <QProgressDialog>
#include <QPushButton>
#include <QSemaphore>
#include <QStandardPaths>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <new>

using namespace attnlab;
using namespace attnlab::ui;

class TestBackgroundWrite : public QObject {
    Q_OBJECT

    QWidget window_;

    QProgressDialog* box() const {
        for (auto* widget : QApplication::topLevelWidgets())
            if (auto* found = qobject_cast<QProgressDialog*>(widget))
                return found;
        return nullptr;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        window_.show();
    }

    void runsElsewhereAndSaysSo() {
        QThread* worker = nullptr;
        QVERIFY(
            writeInBackground(&window_, "Writing", [&](const RunControl&) { worker = QThread::currentThread(); }).ok());
        QVERIFY(worker != QThread::currentThread());
    }

    void bringsErrorsBack() {
        const auto refused =
            writeInBackground(&window_, "Writing", [](const RunControl&) { throw Error(Message("no room")); });
        QVERIFY(!refused.ok() && !refused.cancelled);
        QCOMPARE(refused.error->english(), std::string("no room"));
        QVERIFY(writeInBackground(&window_, "Writing", [](const RunControl&) { throw std::bad_alloc(); }).error);
    }

    void cancelStopsIt() {
        QTimer impatient;
        bool window_lived = false;
        connect(&impatient, &QTimer::timeout, this, [&] {
            window_lived = true;
            if (auto* shown = box())
                shown->findChild<QPushButton*>()->click();
        });
        impatient.start(20);
        const auto outcome = writeInBackground(&window_, "Writing", [](const RunControl& control) {
            for (double done = 0.0;; done += 1e-3) {
                control.checkpoint();
                control.report(done);
                QThread::msleep(1);
            }
        });
        QVERIFY(window_lived);
        QVERIFY(outcome.cancelled && !outcome.error);
        QVERIFY(!box());
    }

    void workThatNeedsTheGuiThreadEndsWhenTheProgramQuits() {
        bool served = false;
        WriteOutcome outcome;
        QTimer::singleShot(0, this, [&] {
            outcome = writeInBackground(&window_, "Writing", [&](const RunControl&) {
                QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::BlockingQueuedConnection);
                QThread::msleep(50); // all event loops end
                auto done = std::make_shared<QSemaphore>();
                QMetaObject::invokeMethod(qApp, [done] { done->release(); });
                served = done->tryAcquire(1, 5000);
            });
        });
        QCoreApplication::exec();
        QVERIFY(outcome.ok());
        QVERIFY(served);
    }
};

ATTNLAB_TEST(TestBackgroundWrite)
#include "test_background_write.moc"
