#include "app/output.h"

#include "app/spec_options.h"
#include "core/io/file_formats.h"
#include "ui/file_name.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace attnlab::app {
namespace {

void check(bool written) {
    if (written)
        return;
    const int code = errno;
    const Message why{ATTNLAB_TEXT("standard output: cannot be written: %1"), {std::generic_category().message(code)}};
    if (code == EPIPE)
        throw BrokenPipe(why);
    throw OutputError(why);
}

} // namespace

void printOut(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int printed = std::vprintf(format, arguments);
    va_end(arguments);
    check(printed >= 0);
}

void writeOut(std::string_view bytes) { check(std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()); }

void flushOut() { check(std::fflush(stdout) == 0); }

void closeOut() { check(std::fclose(stdout) == 0); }

void checkOutput(const char* option, const QString& out, const QStringList& inputs) {
    if (out == QLatin1String("-"))
        return;
    std::error_code none_there;
    for (const auto& input : inputs)
        if (std::filesystem::equivalent(ui::toPath(input), ui::toPath(out), none_there))
            throw UsageError("--" + std::string(option) + ": '" + out.toStdString() +
                             "' is an input, expected another file");
    io::check_output(ui::toPath(out));
}

} // namespace attnlab::app
