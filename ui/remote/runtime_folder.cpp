#include "ui/remote/runtime_folder.h"

#include "core/message.h"
#include "ui/document/file_name.h"

#include <QDir>

#include <cerrno>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::ui {
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

} // namespace attnlab::ui
