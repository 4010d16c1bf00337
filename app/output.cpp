#include "app/output.h"

#include "app/spec_options.h"
#include "app/streams.h"
#include "core/io/file_formats.h"
#include "core/utf8.h"
#include "ui/document/local_files.h"

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

/// True for characters that control a terminal.
bool isObeyed(char16_t unit) {
    return unit < u' ' || (unit >= 0x7f && unit <= 0x9f) || unit == 0x61c || unit == 0x200e || unit == 0x200f ||
           (unit >= 0x2028 && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069);
}

std::string spelledOut(std::string_view bytes, std::u16string_view kept) {
    const auto text = ui::fromFileName(bytes);
    std::string result;
    qsizetype done = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char16_t unit = text[at].unicode();
        const auto byte = ui::byteOf(text, at);
        if (!byte && (!isObeyed(unit) || kept.find(unit) != kept.npos))
            continue;
        result += QStringView(text).sliced(done, at - done).toUtf8().toStdString();
        char code[8];
        if (byte || unit < u' ')
            std::snprintf(code, sizeof code, "\\x%02x", byte.value_or(static_cast<unsigned char>(unit)));
        else
            std::snprintf(code, sizeof code, "\\u%04x", unsigned{unit});
        result += code;
        done = at + 1;
    }
    return result + QStringView(text).sliced(done).toUtf8().toStdString();
}

} // namespace

std::string oneLine(std::string_view text) { return spelledOut(text, {}); }

std::string shortText(double value) { return QString::number(value, 'g', 6).toStdString(); }

void printError(std::string_view line) {
    constexpr std::size_t longest = 8000, from_end = 2000; // a message may hold text of a file
    auto text = oneLine(withStreamNames(std::string(line)));
    if (text.size() > longest) {
        auto end = text.size() - from_end;
        while (end < text.size() && is_continuation(text[end]))
            ++end;
        text = io::excerpt(text, longest - from_end) + text.substr(end);
    }
    std::fprintf(stderr, "%s\n", text.c_str());
}

void printOut(const char* format, ...) {
    std::va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int size = std::vsnprintf(nullptr, 0, format, arguments);
    check(size >= 0);
    std::string text(static_cast<std::size_t>(size), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    va_end(arguments);
    text = spelledOut(text, u"\n\t");
    check(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
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
            throw UsageError("--" + std::string(option) + ": '" + ui::toPath(out).string() +
                             "' is an input, expected another file");
    io::check_output(ui::toPath(out));
}

} // namespace attnlab::app
