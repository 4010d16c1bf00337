#include "ui/remote/listener.h"

#include "ui/document/file_name.h"
#include "ui/remote/connection.h"
#include "ui/remote/runtime_folder.h"
#include "ui/remote/sender.h"
#include "ui/widgets/failure.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocalSocket>

#include <memory>
#include <utility>
#include <vector>

#include <sys/un.h>

namespace attnlab::ui {
namespace {

constexpr std::chrono::milliseconds between_tries{1000};

/// For a lock whose file is gone or another program's: to unlock it would remove the file of that name.
void abandon(std::unique_ptr<QLockFile> lock) {
    static auto& abandoned = *new std::vector<std::unique_ptr<QLockFile>>; // never unlocked
    abandoned.push_back(std::move(lock));
}

} // namespace

Listener::Listener(std::chrono::milliseconds patience, QObject* parent) : QObject(parent), patience_(patience) {
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    server_.setMaxPendingConnections(most_connections);
    connect(&server_, &QLocalServer::newConnection, this, &Listener::accept);
    waiting_.setInterval(between_tries);
    connect(&waiting_, &QTimer::timeout, this, &Listener::tryAgain);
    connect(&folder_changes_, &QFileSystemWatcher::directoryChanged, this, &Listener::tryAgain);
}

bool Listener::listen(const QString& folder) {
    const auto path = windowSocket(folder);
    const auto name = toPath(path).string();
    constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
    if (name.size() > longest)
        throw Error(
            {ATTNLAB_TEXT("%1: has %2 bytes, and the path of a socket at most %3, so other programs cannot show "
                          "files in this window; a shorter folder in XDG_RUNTIME_DIR helps"),
             {name, std::to_string(name.size()), std::to_string(longest)}});
    auto lock = std::make_unique<QLockFile>(path + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // until the program ends, however it does
    if (!lock->tryLock(0) || ui::isListening(path))
        return false;
    QLocalServer::removeServer(path); // left by a program that crashed
    if (!server_.listen(path))
        throw Error({ATTNLAB_TEXT("%1: cannot be listened at: %2"), {name, server_.errorString().toStdString()}});
    lock_ = std::move(lock);
    return true;
}

void Listener::listenWhenFree(const QString& folder) {
    folder_ = folder;
    listen(folder_);
    waiting_.start();
    watchFolder();
}

void Listener::tryAgain() {
    if (!waiting_.isActive() || (server_.isListening() && hasSocket()))
        return;
    const auto why = failureOf([&] { server_.isListening() ? listenAnew() : listen(folder_); }, handling_failed);
    if (why) {
        stopWaiting();
        emit failed(*why);
    }
}

bool Listener::hasSocket() const { return QFileInfo::exists(windowSocket(folder_)); }

bool Listener::listenAnew() {
    makeOwnFolder(folder_);
    watchFolder();
    server_.close(); // connections go on
    qint64 holder = 0;
    QString host, program;
    if (lock_ && (!lock_->getLockInfo(&holder, &host, &program) || holder != QCoreApplication::applicationPid()))
        abandon(std::move(lock_));
    lock_.reset();
    return listen(folder_);
}

void Listener::watchFolder() {
    if (!folder_changes_.directories().contains(folder_))
        folder_changes_.addPath(folder_);
}

void Listener::stopWaiting() {
    waiting_.stop();
    if (const auto watched = folder_changes_.directories(); !watched.isEmpty())
        folder_changes_.removePaths(watched);
}

void Listener::close() {
    stopWaiting();
    server_.close();
    for (auto* connection : findChildren<Connection*>(Qt::FindDirectChildrenOnly))
        delete connection;
    lock_.reset();
}

void Listener::accept() {
    while (auto* socket = server_.nextPendingConnection()) {
        if (!isOwnUser(*socket) || connections_ == 2 * most_connections) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        auto* connection = new Connection(socket, patience_, this);
        ++connections_;
        connect(connection, &QObject::destroyed, this, [this] { --connections_; });
        connect(connection, &Connection::asked, this, &Listener::asked);
        if (connections_ > most_connections)
            connection->refuse(QStringLiteral("the window answers %1 programs already").arg(most_connections));
    }
}

} // namespace attnlab::ui
