// Qt is not instrumented, so ThreadSanitizer cannot see its synchronization of threads, and reports races. The
// functions that pass work and results between threads are wrapped here, in the test program, and add the missing
// synchronization. Qt is otherwise not suppressed, so that races between our threads are found.
#include "tests/tsan_qt.h"

#include <QFutureInterface>
#include <QMetaObject>
#include <QThreadPool>

#include <functional>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

namespace {

char hand_over; ///< its address represents all of them

void give() { __tsan_release(&hand_over); }

/// The function of the same name in Qt, which takes the object as its first argument.
template <class Function>
Function* inQt(const char* symbol) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, symbol));
}

} // namespace

namespace attnlab::test {

void takeWhatQtHandsOver() { __tsan_acquire(&hand_over); }

} // namespace attnlab::test

using attnlab::test::takeWhatQtHandsOver;

void QThreadPool::start(QRunnable* runnable, int priority) {
    static const auto start = inQt<void(QThreadPool*, QRunnable*, int)>("_ZN11QThreadPool5startEP9QRunnablei");
    give();
    start(this, runnable, priority);
}

void QThreadPool::start(std::function<void()> work, int priority) {
    static const auto start =
        inQt<void(QThreadPool*, std::function<void()>, int)>("_ZN11QThreadPool5startESt8functionIFvvEEi");
    std::function<void()> handed_over = [work = std::move(work)] {
        takeWhatQtHandsOver();
        work();
        give();
    };
    give(); // the function too
    start(this, std::move(handed_over), priority);
}

bool QThreadPool::waitForDone(int milliseconds) {
    static const auto wait = inQt<bool(QThreadPool*, int)>("_ZN11QThreadPool11waitForDoneEi");
    const bool done = wait(this, milliseconds);
    takeWhatQtHandsOver();
    return done;
}

/// Called first in every QtConcurrent task.
bool QFutureInterfaceBase::isCanceled() const {
    static const auto is_cancelled =
        inQt<bool(const QFutureInterfaceBase*)>("_ZNK20QFutureInterfaceBase10isCanceledEv");
    takeWhatQtHandsOver();
    return is_cancelled(this);
}

void QFutureInterfaceBase::reportFinished() {
    static const auto report = inQt<void(QFutureInterfaceBase*)>("_ZN20QFutureInterfaceBase14reportFinishedEv");
    give();
    report(this);
}

void QFutureInterfaceBase::waitForFinished() {
    static const auto wait = inQt<void(QFutureInterfaceBase*)>("_ZN20QFutureInterfaceBase15waitForFinishedEv");
    wait(this);
    takeWhatQtHandsOver();
}

/// Who gives up the last reference destroys the results, which others may have read before.
bool QFutureInterfaceBase::derefT() const noexcept {
    static const auto dereference = inQt<bool(const QFutureInterfaceBase*)>("_ZNK20QFutureInterfaceBase6derefTEv");
    give();
    const bool is_used = dereference(this);
    if (!is_used)
        takeWhatQtHandsOver();
    return is_used;
}

/// Calls queued for another thread arrive as events: see notify() in test_main.cpp.
bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type,
                                   void* result) {
    static const auto invoke = inQt<bool(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*)>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    give();
    return invoke(object, slot, type, result);
}
