#include "ui/remote/listener.h"

#include "core/message.h"
#include "ui/document/file_name.h"
#include "ui/remote/connection.h"
#include "ui/remote/runtime_folder.h"
#include "ui/remote/sender.h"

#include <QFile>
#include <QLocalSocket>
#include <QLockFile>

namespace attnlab::ui {
namespace {

constexpr int lock_milliseconds = 2000;

} // namespace

Listener::Listener(std::chrono::milliseconds patience, QObject* parent) : QObject(parent), patience_(patience) {
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    server_.setMaxPendingConnections(most_connections);
    connect(&server_, &QLocalServer::newConnection, this, &Listener::accept);
}

bool Listener::listen(const QString& folder) {
    const auto path = windowSocket(folder);
    QLockFile lock(path + QStringLiteral(".lock")); // of two programs that start one listens
    if (!lock.tryLock(lock_milliseconds) || isListening(path))
        return false;
    QLocalServer::removeServer(path); // left by a program that crashed
    if (!server_.listen(path))
        throw Error({ATTNLAB_TEXT("%1: cannot be listened at: %2"),
                     {toPath(path).string(), server_.errorString().toStdString()}});
    return true;
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
