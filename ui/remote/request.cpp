#include "ui/remote/request.h"

#include "core/io/json.h"
#include "ui/document/local_files.h"

#include <cstring>
#include <poll.h>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace attnlab::ui {
namespace {

constexpr io::JsonLimits limits{.max_bytes = longest_request, .max_values = 1000, .max_depth = 8};

QString pathIn(const io::JsonNode& node) {
    auto path = QString::fromStdString(node.text());
    if (!QDir::isAbsolutePath(path) || path.contains(QChar::Null))
        node.fail_expecting("an absolute path");
    const QFileInfo file(path);
    if (!file.isFile() && !file.isDir()) // a device or a pipe would block the reader
        throw Error({ATTNLAB_TEXT("%1: there is no such file"), {node.text()}});
    if (!file.isReadable())
        throw Error({ATTNLAB_TEXT("%1: may not be read"), {node.text()}});
    if (file.isFile() && file.size() == 0) // as files of /proc are, of which some block their reader
        throw Error({ATTNLAB_TEXT("%1: is empty"), {node.text()}});
    return path;
}

QByteArray asLine(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n'; }

} // namespace

Request parseRequest(const QByteArray& line) {
    const auto json = io::parse_json({line.constData(), static_cast<std::size_t>(line.size())}, "message", limits);
    const auto& root = json.root();
    if (const auto& protocol = root.at("attnlab"); protocol.integer() != request_protocol)
        protocol.fail_expecting("1: a newer version may mean something else");
    root.require_keys({"attnlab", "do", "paths"});
    constexpr std::string_view known[] = {"show", "raise"};
    const bool shows = root.at("do").one_of(known) == "show";
    Request request;
    if (const auto* paths = root.find("paths")) {
        if (std::ssize(paths->items()) > most_requested_paths || (!shows && !paths->items().empty()))
            paths->fail_expecting(shows ? Message("at most %1 paths", {std::to_string(most_requested_paths)})
                                        : Message("no path"));
        for (const auto& path : paths->items())
            request.paths << pathIn(path);
    }
    if (shows && request.paths.isEmpty())
        throw Error(Message{ATTNLAB_TEXT("message: 'paths' has no file to show")});
    return request;
}

QByteArray lineOf(const Request& request) {
    return asLine({{"attnlab", request_protocol},
                   {"do", request.paths.isEmpty() ? "raise" : "show"},
                   {"paths", QJsonArray::fromStringList(request.paths)}});
}

QByteArray answerLine(const QString& why) {
    if (why.isEmpty())
        return asLine({{"ok", true}});
    return asLine({{"ok", false}, {"why", why}});
}

Answer parseAnswer(const QByteArray& line) {
    const auto object = QJsonDocument::fromJson(line).object();
    return {object[QStringLiteral("ok")].toBool(), object[QStringLiteral("why")].toString()};
}

namespace {

/// A connected socket that closes itself; -1 where nothing listens.
class Link {
public:
    explicit Link(const QString& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval timeout{.tv_sec = 2, .tv_usec = 0}; // where many wait for a window that hangs
        ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const auto name = toPath(path).string();
        if (name.size() < sizeof(address.sun_path)) {
            std::memcpy(address.sun_path, name.data(), name.size());
            if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
                return;
        }
        close();
    }
    ~Link() { close(); }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    bool isOpen() const { return descriptor_ >= 0; }

    bool write(const QByteArray& bytes) const {
        qsizetype written = 0;
        while (written < bytes.size()) {
            const auto count = ::send(descriptor_, bytes.constData() + written,
                                      static_cast<std::size_t>(bytes.size() - written), MSG_NOSIGNAL);
            if (count <= 0)
                return false;
            written += count;
        }
        return true;
    }

    /// Up to the end of a line; shorter where the time is over, nullopt where the other side has hung up.
    std::optional<QByteArray> readLine(std::chrono::milliseconds timeout) const {
        const auto end = std::chrono::steady_clock::now() + timeout;
        QByteArray line;
        while (!line.endsWith('\n')) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd waited{descriptor_, POLLIN, 0};
            char byte = 0;
            if (left.count() <= 0 || ::poll(&waited, 1, static_cast<int>(left.count())) <= 0)
                break;
            if (::recv(descriptor_, &byte, 1, 0) <= 0)
                return std::nullopt;
            line += byte;
        }
        return line;
    }

private:
    void close() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
        descriptor_ = -1;
    }

    int descriptor_;
};

} // namespace

std::optional<Answer> ask(const QString& socket, const Request& request, std::chrono::milliseconds timeout) {
    const Link link(socket);
    if (!link.isOpen() || !link.write(lineOf(request)))
        return std::nullopt;
    const auto line = link.readLine(timeout);
    if (!line)
        return std::nullopt;
    return line->endsWith('\n') ? parseAnswer(*line) : Answer{true, {}};
}

bool isListening(const QString& socket) { return Link(socket).isOpen(); }

} // namespace attnlab::ui
