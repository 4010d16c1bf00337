#include "ui/document/hand_in.h"

#include "core/io/csv.h"
#include "core/io/file_bytes.h"
#include "core/io/read_contents.h"
#include "ui/document/local_files.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <span>
#include <string>
#include <string_view>

namespace attnlab::ui {
namespace {

/// The lists of a JSON object by their names, or one list called `stem`; the readers of files take neither.
Contents readMatrixFile(const std::filesystem::path& path, const std::string& stem) {
    const auto text = io::read_file(path, io::largest_text);
    Contents contents;
    const auto hold = [&](const std::string& name, std::string_view list) {
        contents.arrays.push_back({name, io::read_table(list, path.string()).values, path.string(), false});
    };
    const auto object =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()))).object();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        if (!entry->isArray())
            throw Error(
                {ATTNLAB_TEXT("%1: '%2' is not a list of numbers"), {path.string(), entry.key().toStdString()}});
        hold(entry.key().toStdString(), QJsonDocument(entry->toArray()).toJson(QJsonDocument::Compact).toStdString());
    }
    if (object.isEmpty())
        hold(stem, text);
    return contents;
}

} // namespace

Contents readHandIn(const std::filesystem::path& path) {
    static const QStringList texts{QStringLiteral(".json"), QStringLiteral(".md"), QStringLiteral(".tex"),
                                   QStringLiteral(".m"), QStringLiteral(".py")};
    const auto* format = io::format_of(path);
    const bool is_text = texts.contains(fromPath(path.extension()), Qt::CaseInsensitive);
    if (is_text && (!format || !format->holds_arrays))
        return readMatrixFile(path, path.stem().string());
    return io::read_contents(std::span(&path, 1));
}

} // namespace attnlab::ui
