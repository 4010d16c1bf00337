// Notices that a file is written anew.
#pragma once

#include "core/io/file_stamp.h"
#include "core/message.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <optional>

namespace attnlab::ui {

/// Looks at a file, or at the newest readable file of a folder, again and again, since not every file system tells of
/// changes made on another machine.
class Watch : public QObject {
    Q_OBJECT
public:
    explicit Watch(std::chrono::milliseconds interval = std::chrono::milliseconds(200), QObject* parent = nullptr);

    /// Empty: nothing any more.
    void setPath(const QString& path);
    QString path() const { return path_; }
    /// The file that changed() has named could not be read: it may be half-written. It is read again when it has
    /// changed, and if it does not, failed() says why.
    void reportUnreadable(const Message& why);

signals:
    /// Another content, which has stayed the same for two looks.
    void changed(const QString& file);
    /// It cannot be read, or is gone.
    void failed(const attnlab::Message& why);

private:
    struct Look {
        QString file;
        io::FileStamp stamp;
        bool operator==(const Look&) const = default;
    };
    std::optional<Look> look() const;
    void lookAgain();

    QString path_;
    QTimer timer_;
    std::optional<Look> seen_, told_;
    std::optional<Message> unreadable_;
    QElapsedTimer since_unreadable_, since_gone_;
};

} // namespace attnlab::ui
