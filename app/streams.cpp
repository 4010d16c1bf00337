#include "app/streams.h"

#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/file_formats.h"
#include "core/io/temporary_file.h"
#include "core/message.h"
#include "ui/document/local_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace attnlab::app {

/// A folder for the file that replaces a stream.
class StreamFolder {
public:
    explicit StreamFolder(const QString& file)
        : folder_(made()), file_(folder_->filePath(file)), file_removal_(ui::toPath(file_)),
          folder_removal_(ui::toPath(folder_->path())) {}

    QString path() const { return folder_->path(); }
    const QString& file() const { return file_; }

private:
    static std::unique_ptr<QTemporaryDir> made() {
        auto folder = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/attnlab-XXXXXX"));
        if (!folder->isValid())
            throw Error({ATTNLAB_TEXT("%1: no folder can be made here for what goes through standard input or output: "
                                      "%2"),
                         {QDir::tempPath().toStdString(), folder->errorString().toStdString()}});
        return folder;
    }

    std::unique_ptr<QTemporaryDir> folder_;
    QString file_;
    io::RemovedBySignals file_removal_, folder_removal_;
};

namespace {

/// The file that replaces standard input or output, for messages.
std::string stand_in;
std::string stream_name;

void rename(const QString& path, const char* stream) {
    stand_in = path.toStdString();
    stream_name = stream;
}

[[noreturn]] void fail(int code) {
    throw Error({ATTNLAB_TEXT("standard input: cannot be read: %1"), {std::generic_category().message(code)}});
}

/// `code`: errno, which another call may change.
[[noreturn]] void failToKeep(int code) {
    throw Error({ATTNLAB_TEXT("standard input: cannot be kept in %1: %2"),
                 {QDir::tempPath().toStdString(), std::generic_category().message(code)}});
}

constexpr std::size_t known_by = 256; ///< bytes

/// The suffix of the file type with this beginning. Throws Error where it is none.
std::string suffixOf(std::string_view beginning) {
    if (const auto* format = io::format_of_beginning(beginning))
        return std::string(format->suffixes.front().suffix); // its reader goes by the content
    if (beginning.find('\0') != beginning.npos)
        throw Error({ATTNLAB_TEXT("standard input: begins like no file that can be read here; expected %1 or a figure "
                                  "of AttnLab"),
                     {io::suffix_list(io::usual_suffixes())}});
    const auto line = beginning.substr(0, beginning.find('\n'));
    return line.find('\t') != line.npos ? "tsv" : "csv";
}

/// Copies standard input into an open file, and returns the suffix of its type, which its first bytes determine before
/// the others are read.
std::string copyInput(int file) {
    std::array<char, 1 << 16> room;
    std::string beginning;
    std::string suffix;
    std::int64_t size = 0, most = io::ReadLimits().max_bytes;
    for (;;) {
        const auto count = ::read(STDIN_FILENO, room.data(), room.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(errno);
        if (count == 0)
            break;
        if (beginning.size() < known_by)
            beginning.append(room.data(), static_cast<std::size_t>(std::min<std::int64_t>(count, known_by)));
        if (suffix.empty() && beginning.size() >= known_by) {
            suffix = suffixOf(beginning);
            if (!io::format_of_beginning(beginning)) // a text table
                most = io::largest_text;
        }
        size += count;
        if (size > most)
            throw Error({ATTNLAB_TEXT("standard input: has more than %1 bytes; at most these are read"),
                         {std::to_string(most)}});
        for (std::int64_t done = 0; done < count;) {
            const auto written = ::write(file, room.data() + done, static_cast<std::size_t>(count - done));
            if (written < 0 && errno != EINTR)
                failToKeep(errno);
            done += std::max<std::int64_t>(0, written);
        }
    }
    if (size == 0)
        throw Error(ATTNLAB_TEXT("standard input: is empty"));
    return suffix.empty() ? suffixOf(beginning) : suffix;
}

/// It has no name while it is written: an interrupted program leaves nothing.
class NamelessFile {
public:
    NamelessFile() {
        const auto folder = QFile::encodeName(QDir::tempPath());
        descriptor_ = ::open(folder.constData(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (descriptor_ < 0)
            failToKeep(errno);
    }
    ~NamelessFile() { ::close(descriptor_); }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;

    int descriptor() const { return descriptor_; }
    void takeName(const QString& path) const {
        const auto to = QFile::encodeName(path);
        const auto from = QByteArray("/proc/self/fd/") + QByteArray::number(descriptor_);
        if (::linkat(AT_FDCWD, from.constData(), AT_FDCWD, to.constData(), AT_SYMLINK_FOLLOW) != 0)
            failToKeep(errno);
    }

private:
    int descriptor_ = -1;
};

} // namespace

InputFiles::InputFiles(const QStringList& names) : names_(names) {
    const QString stream = QStringLiteral("-");
    if (names_.count(stream) > 1)
        throw UsageError("-: standard input can be read once");
    const auto place = names_.indexOf(stream);
    if (place < 0)
        return;
    const NamelessFile file;
    const auto suffix = copyInput(file.descriptor());
    folder_ = std::make_unique<StreamFolder>(QStringLiteral("stdin.") + QString::fromStdString(suffix));
    names_[place] = folder_->file();
    rename(names_[place], "standard input");
    file.takeName(names_[place]);
}

InputFiles::~InputFiles() = default;

std::string withStreamNames(std::string message) {
    if (!stand_in.empty())
        for (auto at = message.find(stand_in); at != message.npos; at = message.find(stand_in, at))
            message.replace(at, stand_in.size(), stream_name);
    return message;
}

QString inputSuffixes() { return QString::fromStdString(io::suffix_list(io::usual_suffixes())); }

void addFormatOption(CommandParser& parser) {
    parser.addOption({"format", "The type of --out -, standard output: a suffix such as npz or svg.", "SUFFIX"});
}

OutputFile::OutputFile(const QCommandLineParser& parser, const QStringList& suffixes) : path_(required(parser, "out")) {
    const bool is_stream = path_ == QLatin1String("-");
    if (!is_stream && parser.isSet("format"))
        throw UsageError("--format: is the type of --out -, standard output; a file's name ends in its own");
    if (is_stream && !parser.isSet("format"))
        throw UsageError("--format: is missing, expected one of " + suffixes.join(QStringLiteral(", ")).toStdString());
    const QString type = is_stream ? parser.value("format") : suffix();
    if (!suffixes.contains(type)) {
        const auto option = is_stream ? std::string("--format: has '") + type.toStdString() + "', expected "
                                      : "--out: has '" + path_.toStdString() + "', expected a file name that ends in ";
        QStringList known;
        for (const auto& known_suffix : suffixes)
            known << (is_stream ? known_suffix : QLatin1Char('.') + known_suffix);
        const QString last = known.takeLast();
        throw UsageError(option + (known.isEmpty() ? last : known.join(", ") + " or " + last).toStdString());
    }
    if (!is_stream)
        return;
    folder_ = std::make_unique<StreamFolder>(QStringLiteral("out.") + type);
    path_ = folder_->file();
}

OutputFile::~OutputFile() = default;

QString OutputFile::suffix() const { return QFileInfo(path_).suffix().toLower(); }

void OutputFile::finish() {
    if (!folder_)
        return;
    QFile file(path_);
    if (!file.open(QIODevice::ReadOnly))
        throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {path_.toStdString(), file.errorString().toStdString()}});
    folder_.reset(); // the open file remains, and nothing stays where the reader closes the pipe
    while (!file.atEnd()) {
        const QByteArray piece = file.read(1 << 20);
        if (piece.isEmpty())
            break;
        writeOut({piece.constData(), static_cast<std::size_t>(piece.size())});
    }
}

} // namespace attnlab::app
