#include "ui/remote/listener.h"

#include "ui/document/file_name.h"
#include "ui/remote/connection.h"
#include "ui/remote/runtime_folder.h"
#include "ui/remote/sender.h"
#include "ui/widgets/failure.h"

#include <QLocalSocket>

namespace attnlab::ui {
namespace {

constexpr std::chrono::milliseconds between_tries{1000};

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
    auto lock = std::make_unique<QLockFile>(path + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // until the program ends, however it does
    if (!lock->tryLock(0) || ui::isListening(path))
        return false;
    QLocalServer::removeServer(path); // left by a program that crashed
    if (!server_.listen(path))
        throw Error({ATTNLAB_TEXT("%1: cannot be listened at: %2"),
                     {toPath(path).string(), server_.errorString().toStdString()}});
    lock_ = std::move(lock);
    return true;
}

void Listener::listenWhenFree(const QString& folder) {
    folder_ = folder;
    if (listen(folder_))
        return;
    waiting_.start();
    folder_changes_.addPath(folder_);
}

void Listener::tryAgain() {
    if (!waiting_.isActive())
        return;
    bool listens = false;
    const auto why = failureOf([&] { listens = listen(folder_); }, handling_failed);
    if (listens || why)
        stopWaiting();
    if (why)
        emit failed(*why);
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
