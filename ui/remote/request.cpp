#include "ui/remote/request.h"

#include "core/io/json.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

} // namespace attnlab::ui
