// Local files through the engine's functions: names as bytes, writing, and the dialog that asks for a path.
#pragma once

#include "core/attention.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QStringView>
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
QString displayName(const QString& name);
QString displayFileName(const QString& name);

/// The path of a file: URL; empty for other URLs.
QString localFile(const QUrl& url);
/// The files in a drag or on the clipboard.
QStringList localFiles(const QMimeData& data);

/// "*.npz *.npy": for the filter of a file dialog.
QString filePatterns(const std::vector<std::string>& suffixes);

/// "a, b, c and 997 more".
QString someOf(const QStringList& names);

// Writes Qt's byte arrays by the engine's file functions.

/// Writes the file atomically (io::write_file). Throws Error, Cancelled.
void writeBytes(const QString& path, const QByteArray& bytes, const RunControl& control = {});

} // namespace attnlab::ui

// Asks for the path of a file to write.

class QWidget;

namespace attnlab::ui {

struct SaveRequest {
    QString title;
    QString name;         ///< proposed, without suffix
    QStringList suffixes; ///< "npz"; the first is added if the user types none of them
    QString filter;
    std::function<QStringList(const QString& path)> files = {}; ///< the files written for a path; empty: that path
};

/// Starts in the last folder. Empty when the user cancels, also after a question about overwriting.
QString choosePathToSave(QWidget* window, const SaveRequest& request);

} // namespace attnlab::ui
