// Files that other programs ask the window to show, and a file that it watches.
#pragma once

#include "ui/remote/watch.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <optional>

namespace attnlab::ui {

class MainWindow;

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
    struct Wish {
        QStringList paths;
        bool is_watched = false;
    };
    void want(Wish wish);
    void showNext();

    MainWindow& window_;
    std::optional<Wish> next_;
    QTimer patience_; ///< for a result that takes long
    Watch watch_;
};

} // namespace attnlab::ui
