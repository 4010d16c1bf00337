#include "ui/remote/sender.h"

#include "ui/document/file_name.h"

#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace attnlab::ui {
namespace {

/// A connected socket that closes itself; -1 where nothing listens.
class Link {
public:
    explicit Link(const QString& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval patience{.tv_sec = 2, .tv_usec = 0}; // where many wait for a window that hangs
        ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
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
    std::optional<QByteArray> readLine(std::chrono::milliseconds patience) const {
        const auto end = std::chrono::steady_clock::now() + patience;
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

std::optional<Answer> ask(const QString& socket, const Request& request, std::chrono::milliseconds patience) {
    const Link link(socket);
    if (!link.isOpen() || !link.write(lineOf(request)))
        return std::nullopt;
    const auto line = link.readLine(patience);
    if (!line)
        return std::nullopt;
    return line->endsWith('\n') ? parseAnswer(*line) : Answer{true, {}};
}

bool isListening(const QString& socket) { return Link(socket).isOpen(); }

} // namespace attnlab::ui
