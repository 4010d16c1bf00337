// What another program may ask of the window, one line of JSON answered by one (docs/window-messages.md), and how it
// asks.
#pragma once

#include <chrono>
#include <optional>
#include <QByteArray>
#include <QString>
#include <QStringList>

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

} // namespace attnlab::ui
