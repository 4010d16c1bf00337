// One program that has connected to the window.
#pragma once

#include "ui/remote/request.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

#include <chrono>

class QLocalSocket;

namespace attnlab::ui {

/// Answers each line; hangs up after a line that is too long or too slow. Deletes itself with its socket.
class Connection : public QObject {
    Q_OBJECT
public:
    Connection(QLocalSocket* socket, std::chrono::milliseconds patience, QObject* parent);

    /// Says why, and hangs up.
    void refuse(const QString& why);

signals:
    void asked(const attnlab::ui::Request& request);

private:
    void read();
    void answer(const QByteArray& line);
    void endOfPatience();

    QLocalSocket* socket_;
    QByteArray begun_; ///< of a line
    QTimer patience_;
    bool is_over_ = false;
};

/// True where the program at the other end runs as this user.
bool isOwnUser(const QLocalSocket& socket);

} // namespace attnlab::ui
