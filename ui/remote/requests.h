// Requests of other programs of the user: one line of JSON, answered by one line (docs/window-messages.md). How a
// program asks, and how the window listens.
#pragma once

#include "core/message.h"

#include <chrono>
#include <memory>
#include <optional>
#include <QByteArray>
#include <QFileSystemWatcher>
#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

class QLocalSocket;

namespace attnlab::ui {

/// Bytes of a line, with its end.
inline constexpr qsizetype longest_request = 1 << 16;
inline constexpr int request_protocol = 1;
inline constexpr qsizetype most_requested_paths = 64;

struct Request {
    QStringList paths; ///< files to show, absolute; none: the window comes to the front
    bool operator==(const Request&) const = default;
};

/// Throws Error for anything else than a request, and for paths that are no files or folders that the user may read.
Request parseRequest(const QByteArray& line);
QByteArray lineOf(const Request& request);

/// The window's answer; `why` is empty if the request is fulfilled.
QByteArray answerLine(const QString& why = {});
struct Answer {
    bool ok = false;
    QString why;
};
Answer parseAnswer(const QByteArray& line);

// Asks the window that is open. Needs no event loop and no display.

/// nullopt where no window listens, or it closes before it answers. A window that does not answer in time is busy, and
/// shows the files later.
std::optional<Answer> ask(const QString& socket, const Request& request,
                          std::chrono::milliseconds timeout = std::chrono::seconds(2));

bool isListening(const QString& socket);

/// Made where it is missing: attnlab-UID in the user's runtime folder, or in that of temporary files. Throws Error
/// where it is no folder, another user's, or open to others.
QString runtimeFolder();
/// Makes this folder where it is missing. Throws Error as above.
void makeOwnFolder(const QString& folder);
/// The socket of the window in that folder.
QString windowSocket(const QString& folder);

/// One program that has connected to the window.
/// Answers each line; hangs up after a line that is too long or too slow. Deletes itself with its socket.
class Connection : public QObject {
    Q_OBJECT
public:
    Connection(QLocalSocket* socket, std::chrono::milliseconds timeout, QObject* parent);

    /// Says why, and hangs up.
    void refuse(const QString& why);

signals:
    void asked(const attnlab::ui::Request& request);

private:
    void read();
    void answer(const QByteArray& line);
    void onTimeout();

    QLocalSocket* socket_;
    QByteArray begun_; ///< of a line
    QTimer timeout_;
    bool closed_ = false;
};

/// True where the program at the other end runs as this user.
bool isOwnUser(const QLocalSocket& socket);

/// Listens for other programs of the same user.
class Listener : public QObject {
    Q_OBJECT
public:
    static constexpr int most_connections = 64;

    /// `timeout`: how long a message may take to arrive.
    explicit Listener(std::chrono::milliseconds timeout = std::chrono::seconds(2), QObject* parent = nullptr);
    ~Listener() override { close(); }

    /// False where another program listens there already. Throws Error.
    bool listen(const QString& folder);
    /// Listens as soon as no other program does: now, or when that one ends; and anew when the socket is removed, as
    /// programs do that clean folders of temporary files. Throws Error.
    void listenWhenFree(const QString& folder);
    /// Stops listening, so that another program can: no window is left that could do what is asked.
    void close();
    bool isListening() const { return server_.isListening(); }
    int connections() const { return connections_; }

signals:
    void asked(const attnlab::ui::Request& request);
    /// listenWhenFree() has failed later.
    void failed(const attnlab::Message& why);

private:
    void accept();
    void tryAgain();
    /// True where another program could connect, or another program listens.
    bool hasSocket() const;
    bool listenAnew();
    void watchFolder();
    void stopWaiting();

    QLocalServer server_;
    std::unique_ptr<QLockFile> lock_; ///< held while this program listens
    QString folder_;
    QFileSystemWatcher folder_changes_; ///< another program ends, or the socket is removed
    QTimer waiting_;                    ///< the same, where it crashes, or where nothing tells of a change
    std::chrono::milliseconds timeout_;
    int connections_ = 0;
};

} // namespace attnlab::ui
