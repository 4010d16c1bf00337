// The application, its windows, and the files that other programs ask them to show.
#pragma once

#include "core/backend.h"
#include "core/message.h"
#include "ui/remote/requests.h"
#include "ui/remote/watch.h"

#include <optional>
#include <QApplication>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace attnlab {
class MapEngine;
}

namespace attnlab::ui {

class MainWindow;

/// Opens windows, each with a document of its own, which delete themselves when they are closed.
class Windows : public QObject {
    Q_OBJECT
public:
    /// All must outlive this object. `maps` may be null; `build_report` is for MainWindow::setBuildReport().
    explicit Windows(Backends backends, const MapEngine* maps = nullptr, QString build_report = {});
    /// Deletes those that are open.
    ~Windows() override;

    /// Shows another window with a sample, a little below and beside the active one. It offers the work that crashed
    /// programs left, except what another window offers already.
    MainWindow& open();
    /// The oldest first.
    const QList<MainWindow*>& all() const { return windows_; }
    /// Does what another program of the user asks for, in the window that was active last.
    void answer(const Request& request);
    /// Shows an error in the active window.
    void report(const Message& why);
    /// What is known of the device, in the status bar of every window; empty: nothing.
    void setDeviceLine(const Message& line);

private:
    MainWindow* active() const;

    Backends backends_;
    const MapEngine* maps_;
    Message device_line_;
    QString build_report_;
    QList<MainWindow*> windows_;
};

class MainWindow;

/// Files that other programs ask the window to show, and a file that it watches.
/// Shows the latest of what was asked as soon as the window has drawn the one before: it keeps up, or skips.
class ShownFiles : public QObject {
    Q_OBJECT
public:
    explicit ShownFiles(MainWindow& window);

    void show(const QStringList& paths);
    /// Shows a file, or the newest of a folder, whenever it is written. Empty: no longer.
    void watch(const QString& path);
    QString watched() const { return watch_.path(); }

signals:
    void watchedChanged();

private:
    struct PendingRequest {
        QStringList paths;
        bool is_watched = false;
    };
    void want(PendingRequest request);
    void showNext();

    MainWindow& window_;
    std::optional<PendingRequest> next_;
    QTimer timeout_; ///< for a result that takes long
    Watch watch_;
};

// The program's application object.

/// Reports exceptions of event handlers, for example an Error of numbers whose file was changed; otherwise they would
/// end the process.
///
/// Resets the vector registers after each painting: Qt's AVX2 code leaves their upper halves in use, which slows down
/// every later SSE instruction (on a Xeon with AVX-512 the entropy of a row took 25 times as long).
class Application : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;

signals:
    void failed(const attnlab::Message& why);
};

} // namespace attnlab::ui
