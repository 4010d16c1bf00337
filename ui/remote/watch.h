// Notices that a file is written anew.
#pragma once

#include "core/io/file_bytes.h"
#include "core/message.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <optional>

namespace attnlab::ui {

class FolderPoller;

/// Looks at a file, or at the newest readable file of a folder: when the file system tells of a change, and from time
/// to time, since not every one does, as for changes made on another machine. A thread looks, so a slow file system
/// does not delay the window.
class Watch : public QObject {
    Q_OBJECT
public:
    /// `interval`: between two looks at what has changed.
    explicit Watch(std::chrono::milliseconds interval = std::chrono::milliseconds(200), QObject* parent = nullptr);
    ~Watch() override;

    /// Empty: nothing any more.
    void setPath(const QString& path);
    QString path() const { return path_; }
    /// The file that changed() has named could not be read: it may be half-written. It is read again when it has
    /// changed, and if it does not, failed() says why.
    void reportUnreadable(const Message& why);

    struct Snapshot {
        QString file;
        io::FileStamp stamp;
        bool operator==(const Snapshot&) const = default;
    };

signals:
    /// Another content, which has stayed the same for two looks.
    void changed(const QString& file);
    /// It cannot be read, or is gone.
    void failed(const attnlab::Message& why);

private:
    void lookAgain();
    /// `request`: the number of the setPath() that the look is for.
    void take(const std::optional<Snapshot>& now, int request);
    void note(const std::optional<Snapshot>& now);
    void hasten();

    const std::chrono::milliseconds interval_;
    QString path_;
    int request_ = 0;
    bool is_looking_ = false;
    QThread thread_;
    FolderPoller* worker_; ///< lives in the thread
    QTimer timer_;
    std::optional<Snapshot> seen_, last_reported_;
    std::optional<Message> unreadable_;
    QElapsedTimer since_unreadable_, since_gone_;
};

} // namespace attnlab::ui
