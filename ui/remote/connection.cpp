#include "ui/remote/connection.h"

#include "ui/widgets/failure.h"
#include "ui/widgets/text.h"

#include <QLocalSocket>

#include <sys/socket.h>
#include <unistd.h>

namespace attnlab::ui {
namespace {

constexpr int lines_at_once = 16;                ///< then the window has its turn
constexpr qint64 most_unread_answers = 1 << 16;  ///< in bytes: of a program that does not read them
constexpr std::chrono::seconds time_to_leave{1}; ///< for reading why

} // namespace

bool isOwnUser(const QLocalSocket& socket) {
    const auto descriptor = static_cast<int>(socket.socketDescriptor());
#ifdef SO_PEERCRED
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
#else
    uid_t user = 0;
    gid_t group = 0;
    return ::getpeereid(descriptor, &user, &group) == 0 && user == ::getuid();
#endif
}

Connection::Connection(QLocalSocket* socket, std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent), socket_(socket) {
    socket_->setParent(this);
    socket_->setReadBufferSize(longest_request);
    patience_.setSingleShot(true);
    patience_.setInterval(patience);
    connect(&patience_, &QTimer::timeout, this, &Connection::endOfPatience);
    connect(socket_, &QLocalSocket::readyRead, this, &Connection::read);
    connect(socket_, &QLocalSocket::disconnected, this, &QObject::deleteLater);
    patience_.start();
    if (socket_->state() != QLocalSocket::ConnectedState)
        deleteLater();
    else if (socket_->bytesAvailable() > 0)
        QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
}

void Connection::read() {
    if (is_over_) {
        socket_->readAll(); // hanging up with bytes unread would take the answer back
        return;
    }
    for (int lines = 0; !is_over_ && socket_->bytesAvailable() > 0; ++lines) {
        if (lines == lines_at_once) {
            QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
            return;
        }
        begun_ += socket_->readLine(longest_request - begun_.size() + 1);
        if (begun_.endsWith('\n')) {
            answer(begun_);
            begun_.clear();
            patience_.start();
        } else if (begun_.size() >= longest_request) {
            refuse(QStringLiteral("message: is longer than %1 bytes").arg(longest_request));
        }
    }
}

void Connection::answer(const QByteArray& line) {
    Request request;
    const auto why = failureOf([&] { request = parseRequest(line); }, reading_failed);
    if (!why)
        emit asked(request);
    socket_->write(answerLine(why ? QString::fromStdString(why->english()) : QString()));
    if (socket_->bytesToWrite() > most_unread_answers)
        socket_->abort();
}

void Connection::refuse(const QString& why) {
    is_over_ = true;
    patience_.start(time_to_leave);
    socket_->write(answerLine(why));
    QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
}

void Connection::endOfPatience() {
    if (!is_over_ && !begun_.isEmpty())
        return refuse(QStringLiteral("message: has not come to its end in time"));
    socket_->abort();
    deleteLater();
}

} // namespace attnlab::ui
