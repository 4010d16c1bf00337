#include "app/command_line.h"

#include "app/backends.h"
#include "app/build_report.h"
#include "app/command_table.h"
#include "app/device_backends.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "app/window.h"
#include "core/io/temporary_file.h"
#include "ui/document/local_files.h"

#include <QCoreApplication>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include <fcntl.h>

namespace attnlab::app {
namespace {

/// Keeps options of QApplication from our parser, and ours from it. Any of the words may be the name of a file.
QStringList argumentList(int argc, char** argv, int skip) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        if (i != skip)
            arguments << ui::fromFileName(argv[i]);
    return arguments;
}

/// True when the first word may be a file for the window, or an option of it.
bool isForTheWindow(const char* word) {
    std::error_code none_there;
    const std::string_view text(word);
    return text.empty() || text.starts_with("-") || text.find_first_of("./") != text.npos ||
           std::filesystem::exists(std::filesystem::path(word), none_there);
}

int dispatch(int argc, char** argv) {
    const char* first = argc > 1 ? argv[1] : "";
    if (std::strcmp(first, "--help") == 0 || std::strcmp(first, "-h") == 0) {
        printOut("%s", usageText().c_str());
        return 0;
    }
    if (std::strcmp(first, "--version") == 0 || std::strcmp(first, "-v") == 0) {
        printOut("%s", buildReport().c_str());
        return 0;
    }
    if (const auto* command = findCommand(first))
        return command->run(argumentList(argc, argv, 1));
    if (std::strcmp(first, "-") == 0)
        throw UsageError("-: standard input is an input of commands; the window opens files");
    if (!isForTheWindow(first))
        refuseCommand(ui::fromFileName(first));
    return openWindow(argc, argv);
}

/// If standard input, output or error are closed, the next file opened would get their descriptor, and results printed
/// to standard output might end up in it. Each is therefore opened in a mode in which it cannot be used.
void keepStandardStreams() {
    for (const int descriptor : {0, 1, 2})
        if (::fcntl(descriptor, F_GETFD) < 0)
            ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

} // namespace

int run(int argc, char** argv) {
    keepStandardStreams();
    io::clean_up_on_signals();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe becomes a write error, so that the writer can clean up
    std::signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit becomes an error with a message
    QCoreApplication::setApplicationName(QStringLiteral("AttnLab"));
    QCoreApplication::setOrganizationName(QStringLiteral("AttnLab"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ATTNLAB_VERSION));
    setUpDeviceCheck();
    try {
        const int code = dispatch(argc, argv);
        closeOut();
        return code;
    } catch (const UsageError& error) {
        printError("attnlab: " + std::string(error.what()));
        return 2;
    } catch (const BrokenPipe&) {
        return 1; // the reader has closed the pipe
    } catch (const std::bad_alloc&) {
        printError("attnlab: there is not enough memory for this input");
        return 1;
    } catch (const std::exception& error) {
        printError("attnlab: " + std::string(error.what()));
        return 1;
    }
}

} // namespace attnlab::app
