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
    if (!written)
        throw OutputError(
            {ATTNLAB_TEXT("standard output: cannot be written: %1"), {std::generic_category().message(errno)}});
}

} // namespace

void printOut(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int printed = std::vprintf(format, arguments);
    va_end(arguments);
    check(printed >= 0);
}

void flushOut() { check(std::fflush(stdout) == 0); }

void closeOut() { check(std::fclose(stdout) == 0); }

void checkOutput(const char* option, const QString& out, const QStringList& inputs) {
    std::error_code none_there;
    for (const auto& input : inputs)
        if (std::filesystem::equivalent(ui::toPath(input), ui::toPath(out), none_there))
            throw UsageError("--" + std::string(option) + ": '" + out.toStdString() +
                             "' is an input, expected another file");
    io::check_output(ui::toPath(out));
}

} // namespace attnlab::app
