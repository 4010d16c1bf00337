// Names of files, which are bytes, as the text that Qt has for them.
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <filesystem>
#include <optional>
#include <string_view>

class QMimeData;
class QUrl;

namespace attnlab::ui {

/// Bytes that are no UTF-8 become U+DC80 to U+DCFF, which stand for nothing else, so that toPath gives them back. Qt's
/// own classes for files do not know of it: QFileInfo may take such a name apart, but asks for another file.
QString fromFileName(std::string_view bytes);
QString fromPath(const std::filesystem::path& path);
std::filesystem::path toPath(const QString& name);
/// The byte that the unit at this place stands for; nothing where it is a character's.
std::optional<unsigned char> byteOf(QStringView name, qsizetype at);

/// The name as it is shown, with U+FFFD where it is no text; and that of the file without its folder.
QString shownName(const QString& name);
QString shownFileName(const QString& name);

/// The path of a file: URL; empty for another URL.
QString localFile(const QUrl& url);
/// The files among what is dragged or pasted.
QStringList localFiles(const QMimeData& data);

/// "a, b, c and 997 more".
QString someOf(const QStringList& names);

} // namespace attnlab::ui
