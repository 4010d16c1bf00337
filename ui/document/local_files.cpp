#include "ui/document/local_files.h"

#include "core/io/file_bytes.h"
#include "ui/document/settings.h"
#include "ui/widgets/popups.h"

#include <algorithm>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

namespace attnlab::ui {
namespace {

struct FileName {
    Q_DECLARE_TR_FUNCTIONS(FileName)
};

constexpr char16_t first_byte = 0xDC80, last_byte = 0xDCFF, before_bytes = 0xDC00;

/// The number of UTF-8 bytes of the first character; 0 if invalid.
qsizetype lengthOfCharacter(QByteArrayView bytes) {
    for (qsizetype length = 1; length <= std::min<qsizetype>(4, bytes.size()); ++length)
        if (bytes.first(length).isValidUtf8())
            return length;
    return 0;
}

} // namespace

QString fromFileName(std::string_view bytes) {
    QByteArrayView rest(bytes.data(), static_cast<qsizetype>(bytes.size()));
    QString name;
    if (rest.isValidUtf8())
        return QString::fromUtf8(rest);
    while (!rest.isEmpty()) {
        const auto length = lengthOfCharacter(rest);
        if (length > 0)
            name += QString::fromUtf8(rest.first(length));
        else
            name += QChar(static_cast<char16_t>(before_bytes + static_cast<unsigned char>(rest.front())));
        rest = rest.sliced(std::max<qsizetype>(1, length));
    }
    return name;
}

QString fromPath(const std::filesystem::path& path) { return fromFileName(path.native()); }

std::filesystem::path toPath(const QString& name) {
    std::string bytes;
    qsizetype done = 0;
    for (qsizetype at = 0; at < name.size(); ++at) {
        const auto byte = byteOf(name, at);
        if (!byte)
            continue;
        bytes += QStringView(name).sliced(done, at - done).toUtf8().toStdString();
        bytes += static_cast<char>(*byte);
        done = at + 1;
    }
    return bytes + QStringView(name).sliced(done).toUtf8().toStdString();
}

std::optional<unsigned char> byteOf(QStringView name, qsizetype at) {
    const char16_t unit = name[at].unicode();
    const bool second_half = at > 0 && name[at - 1].isHighSurrogate();
    if (unit < first_byte || unit > last_byte || second_half)
        return std::nullopt;
    return static_cast<unsigned char>(unit - before_bytes);
}

QString displayName(const QString& name) { return QString::fromStdString(toPath(name).string()); }
QString displayFileName(const QString& name) { return QString::fromStdString(toPath(name).filename().string()); }

QString localFile(const QUrl& url) {
    if (!url.isLocalFile())
        return {};
    const auto bytes = QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1());
    return fromFileName({bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QStringList localFiles(const QMimeData& data) {
    QStringList paths;
    for (const auto& url : data.urls())
        if (url.isLocalFile())
            paths << localFile(url);
    return paths;
}

QString filePatterns(const std::vector<std::string>& suffixes) {
    QStringList list;
    for (const auto& suffix : suffixes)
        list << QStringLiteral("*.") + QString::fromStdString(suffix);
    return list.join(QLatin1Char(' '));
}

QString someOf(const QStringList& names) {
    constexpr qsizetype most = 5;
    if (names.size() <= most + 1)
        return names.join(QStringLiteral(", "));
    return FileName::tr("%1 and %2 more").arg(names.first(most).join(QStringLiteral(", "))).arg(names.size() - most);
}

void writeBytes(const QString& path, const QByteArray& bytes, const RunControl& control) {
    io::write_file(toPath(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), control);
}

namespace {

struct SavePath {
    Q_DECLARE_TR_FUNCTIONS(SavePath)
};

} // namespace

QString choosePathToSave(QWidget* window, const SaveRequest& request) {
    const QString first = QLatin1Char('.') + request.suffixes.front();
    const QString chosen = QFileDialog::getSaveFileName(
        window, request.title, QDir(settings::lastFolder()).filePath(request.name + first), request.filter);
    const bool complete = std::ranges::any_of(request.suffixes, [&](const QString& suffix) {
        return chosen.endsWith(QLatin1Char('.') + suffix, Qt::CaseInsensitive);
    });
    if (chosen.isEmpty())
        return {};
    QString path = complete ? chosen : chosen + first;
    QStringList existing;
    // The file dialog has asked only about the typed name, not about those derived from it.
    for (const auto& file : request.files ? request.files(path) : QStringList{path})
        if (file != chosen && QFileInfo::exists(file))
            existing << QFileInfo(file).fileName();
    if (existing.isEmpty())
        return path;
    const QString question =
        SavePath::tr("%n files are there already and will be replaced: %1", nullptr, static_cast<int>(existing.size()))
            .arg(existing.mid(0, 5).join(QStringLiteral(", ")));
    const bool replace = ask(window, {request.title, question}, QMessageBox::Ok | QMessageBox::Cancel,
                             QMessageBox::Ok) == QMessageBox::Ok;
    return replace ? path : QString();
}

} // namespace attnlab::ui
