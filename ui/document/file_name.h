// Converts file names, which are bytes, to and from QString.
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QMimeData;
class QUrl;

namespace attnlab::ui {

/// Invalid UTF-8 bytes become U+DC80 to U+DCFF, which are not used otherwise, so that toPath can restore them. Qt's own
/// file classes do not know this: QFileInfo may split such a name, but would access another file.
QString fromFileName(std::string_view bytes);
QString fromPath(const std::filesystem::path& path);
std::filesystem::path toPath(const QString& name);
/// The byte encoded by the code unit at this position; nullopt for an ordinary one.
std::optional<unsigned char> byteOf(QStringView name, qsizetype at);

/// The name for display, with U+FFFD for invalid text; and the name without its folder.
QString shownName(const QString& name);
QString shownFileName(const QString& name);

/// The path of a file: URL; empty for other URLs.
QString localFile(const QUrl& url);
/// The files among what is dragged or pasted.
QStringList localFiles(const QMimeData& data);

/// "*.npz *.npy": for the filter of a file dialog.
QString filePatterns(const std::vector<std::string>& suffixes);

/// "a, b, c and 997 more".
QString someOf(const QStringList& names);

} // namespace attnlab::ui
