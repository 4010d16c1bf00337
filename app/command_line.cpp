#include "app/command_line.h"

#include "app/backends.h"
#include "app/commands.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "app/window.h"
#include "core/io/temporaries.h"
#include "gpu/cuda_backend.h"
#include "ui/file_name.h"

#include <QCoreApplication>

#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include <fcntl.h>

namespace attnlab::app {
namespace {

const char* const usage = R"(Usage: attnlab [FILE...]                 open the window
       attnlab compute INPUT... --out OUT.npz|safetensors   compute, and write every stage
       attnlab compare INPUT... --with "OPTIONS"   two settings of the same inputs, in numbers
       attnlab render INPUT... --stage NAME --out FILE.png|svg|pdf   draw a heatmap
       attnlab render INPUT... --steps --query I --out FILE.webp|gif   one row step by step
       attnlab map INPUT... --out FILE.npy|png|svg|pdf   one head of any length, pooled
       attnlab info FILE... [--json]     what files hold, and what would be made of it
       attnlab lesson FOLDER... [--texts]   check what lessons claim
       attnlab list [--json]             every variant, scale and mask
       attnlab bench [--heads H] [--length L] [--dim E] [--causal] [--json]   measure the engine
       attnlab devices [--json]          the CUDA devices, or why there is none
       attnlab COMMAND --help            the options of a command
       attnlab --version

Exit code: 0 success, 1 bad data, 2 a wrong command line.
)";

/// Words that QApplication takes for itself must not reach our parser, and the other way round. Any of them may be the
/// name of a file.
QStringList argumentList(int argc, char** argv, int skip) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        if (i != skip)
            arguments << ui::fromFileName(argv[i]);
    return arguments;
}

int withoutWindow(const char* command, int argc, char** argv) {
    const auto arguments = argumentList(argc, argv, 1);
    if (std::strcmp(command, "compute") == 0)
        return computeCommand(arguments);
    if (std::strcmp(command, "compare") == 0)
        return compareCommand(arguments, allBackends());
    if (std::strcmp(command, "map") == 0)
        return mapCommand(arguments);
    if (std::strcmp(command, "bench") == 0)
        return benchCommand(arguments);
    if (std::strcmp(command, "devices") == 0)
        return devicesCommand(arguments);
    if (std::strcmp(command, "lesson") == 0)
        return lessonCommand(arguments);
    if (std::strcmp(command, "info") == 0)
        return infoCommand(arguments);
    if (std::strcmp(command, "list") == 0)
        return listCommand(arguments);
    return renderCommand(arguments, allBackends());
}

int dispatch(int argc, char** argv) {
    const char* first = argc > 1 ? argv[1] : "";
    if (std::strcmp(first, "--help") == 0 || std::strcmp(first, "-h") == 0) {
        printOut("%s", usage);
        return 0;
    }
    if (std::strcmp(first, "--version") == 0 || std::strcmp(first, "-v") == 0) {
        printOut("AttnLab %s\n", ATTNLAB_VERSION);
        return 0;
    }
    for (const auto* command : {"bench", "compare", "compute", "devices", "info", "lesson", "list", "map", "render"})
        if (std::strcmp(first, command) == 0)
            return withoutWindow(command, argc, argv);
    return openWindow(argc, argv, allBackends(), gpu::cuda_maps());
}

/// Where standard input, output or error are closed, what opens next would take their place: an output file, say, that
/// the results printed to standard output would then go into. Each is opened the way it cannot be used.
void keepStandardStreams() {
    for (const int descriptor : {0, 1, 2})
        if (::fcntl(descriptor, F_GETFD) < 0)
            ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

} // namespace

int run(int argc, char** argv) {
    keepStandardStreams();
    io::clean_up_on_signals();
    std::signal(SIGXFSZ, SIG_IGN); // a file beyond the limit of its size is an error with a message
    QCoreApplication::setApplicationName(QStringLiteral("AttnLab"));
    QCoreApplication::setOrganizationName(QStringLiteral("AttnLab"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ATTNLAB_VERSION));
    try {
        const int code = dispatch(argc, argv);
        closeOut();
        return code;
    } catch (const UsageError& error) {
        printError("attnlab: " + std::string(error.what()));
        return 2;
    } catch (const std::bad_alloc&) {
        printError("attnlab: there is not enough memory for this input");
        return 1;
    } catch (const std::exception& error) {
        printError("attnlab: " + std::string(error.what()));
        return 1;
    }
}

} // namespace attnlab::app
