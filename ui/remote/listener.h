// Listens for other programs of the same user.
#pragma once

#include "ui/remote/request.h"

#include <QLocalServer>
#include <QObject>

#include <chrono>

namespace attnlab::ui {

class Listener : public QObject {
    Q_OBJECT
public:
    static constexpr int most_connections = 64;

    /// `patience`: how long a message may take to arrive.
    explicit Listener(std::chrono::milliseconds patience = std::chrono::seconds(2), QObject* parent = nullptr);

    /// False where another window listens there already. Throws Error.
    bool listen(const QString& folder);
    int connections() const { return connections_; }

signals:
    void asked(const attnlab::ui::Request& request);

private:
    void accept();

    QLocalServer server_;
    std::chrono::milliseconds patience_;
    int connections_ = 0;
};

} // namespace attnlab::ui
