#include "ui/remote/requests.h"

#include "core/io/json.h"
#include "core/message.h"
#include "ui/document/local_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <poll.h>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

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

namespace {

constexpr mode_t of_others = S_IRWXG | S_IRWXO;

} // namespace

QString runtimeFolder() {
    const auto given = qEnvironmentVariable("XDG_RUNTIME_DIR");
    QString folder = QStringLiteral("%1/attnlab-%2").arg(given.isEmpty() ? QDir::tempPath() : given).arg(::getuid());
    makeOwnFolder(folder);
    return folder;
}

void makeOwnFolder(const QString& folder) {
    const auto name = toPath(folder).string();
    const int code = ::mkdir(name.c_str(), S_IRWXU) == 0 ? 0 : errno;
    if (code != 0 && code != EEXIST)
        throw Error({ATTNLAB_TEXT("%1: cannot be made: %2"), {name, std::generic_category().message(code)}});
    struct stat status {}; // of a link itself, which could lead to another user's folder
    if (::lstat(name.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::getuid() ||
        (status.st_mode & of_others) != 0)
        throw Error({ATTNLAB_TEXT("%1: is not a folder of this user alone, expected one with mode 700"), {name}});
}

QString windowSocket(const QString& folder) { return folder + QStringLiteral("/window"); }

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

Connection::Connection(QLocalSocket* socket, std::chrono::milliseconds timeout, QObject* parent)
    : QObject(parent), socket_(socket) {
    socket_->setParent(this);
    socket_->setReadBufferSize(longest_request);
    timeout_.setSingleShot(true);
    timeout_.setInterval(timeout);
    connect(&timeout_, &QTimer::timeout, this, &Connection::onTimeout);
    connect(socket_, &QLocalSocket::readyRead, this, &Connection::read);
    connect(socket_, &QLocalSocket::disconnected, this, &QObject::deleteLater);
    timeout_.start();
    if (socket_->state() != QLocalSocket::ConnectedState)
        deleteLater();
    else if (socket_->bytesAvailable() > 0)
        QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
}

void Connection::read() {
    if (closed_) {
        socket_->readAll(); // hanging up with bytes unread would take the answer back
        return;
    }
    for (int lines = 0; !closed_ && socket_->bytesAvailable() > 0; ++lines) {
        if (lines == lines_at_once) {
            QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
            return;
        }
        begun_ += socket_->readLine(longest_request - begun_.size() + 1);
        if (begun_.endsWith('\n')) {
            answer(begun_);
            begun_.clear();
            timeout_.start();
        } else if (begun_.size() >= longest_request) {
            refuse(QStringLiteral("message: is longer than %1 bytes").arg(longest_request));
        }
    }
}

void Connection::answer(const QByteArray& line) {
    Request request;
    const auto why = caughtFailure([&] { request = parseRequest(line); }, reading_failed);
    if (!why)
        emit asked(request);
    socket_->write(answerLine(why ? QString::fromStdString(why->english()) : QString()));
    if (socket_->bytesToWrite() > most_unread_answers)
        socket_->abort();
}

void Connection::refuse(const QString& why) {
    closed_ = true;
    timeout_.start(time_to_leave);
    socket_->write(answerLine(why));
    QMetaObject::invokeMethod(this, &Connection::read, Qt::QueuedConnection);
}

void Connection::onTimeout() {
    if (!closed_ && !begun_.isEmpty())
        return refuse(QStringLiteral("message: has not come to its end in time"));
    socket_->abort();
    deleteLater();
}

namespace {

constexpr std::chrono::milliseconds between_tries{1000};

/// For a lock whose file is gone or another program's: to unlock it would remove the file of that name.
void abandon(std::unique_ptr<QLockFile> lock) {
    static auto& abandoned = *new std::vector<std::unique_ptr<QLockFile>>; // never unlocked
    abandoned.push_back(std::move(lock));
}

} // namespace

Listener::Listener(std::chrono::milliseconds timeout, QObject* parent) : QObject(parent), timeout_(timeout) {
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
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes, but the path of a socket may have at most %3. So other programs "
                                  "cannot show files in this window. Set XDG_RUNTIME_DIR to a shorter folder"),
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
    const auto why = caughtFailure([&] { server_.isListening() ? listenAnew() : listen(folder_); }, handling_failed);
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
        auto* connection = new Connection(socket, timeout_, this);
        ++connections_;
        connect(connection, &QObject::destroyed, this, [this] { --connections_; });
        connect(connection, &Connection::asked, this, &Listener::asked);
        if (connections_ > most_connections)
            connection->refuse(QStringLiteral("the window answers %1 programs already").arg(most_connections));
    }
}

} // namespace attnlab::ui
