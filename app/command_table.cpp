#include "app/command_table.h"

#include "app/backends.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/lookup.h"
#include "ui/export/formats.h"

#include <algorithm>
#include <vector>

namespace attnlab::app {
namespace {

int compareOnAll(const QStringList& arguments) { return compareCommand(arguments, allBackends()); }
int renderOnAll(const QStringList& arguments) { return renderCommand(arguments, allBackends()); }

constexpr Command table[] = {{"bench", benchCommand},     {"code", codeCommand},
                             {"compare", compareOnAll},   {"completion", completionCommand},
                             {"compute", computeCommand}, {"devices", devicesCommand},
                             {"grade", gradeCommand},     {"help", helpCommand},
                             {"info", infoCommand},       {"lesson", lessonCommand},
                             {"list", listCommand},       {"man", manCommand},
                             {"map", mapCommand},         {"merge", mergeCommand},
                             {"model", modelCommand},     {"page", pageCommand},
                             {"render", renderOnAll},     {"tokenize", tokenizeCommand}};

/// With holes for the suffixes of pictures and of animations.
const char* const usage = R"(Usage: attnlab [FILE...]                 show files in the window that is open, or open one
       attnlab --new-window [FILE...]    open another window
       attnlab --watch PATH              show a file, or the newest of a folder, whenever it is written
       attnlab compute INPUT... --out OUT.npz|safetensors   compute, and write every stage
       attnlab code INPUT... --as pytorch|numpy|jax|flex|sdpa|latex|command   the computation as short code or as a formula
       attnlab compare INPUT... --with "OPTIONS"   two settings of the same inputs, in numbers
       attnlab compare INPUT... --against FILE[:ARRAY]   the exact result and an array of your own
       attnlab grade FOLDER --against INPUT   students' answers: right, or which cells are wrong and why
       attnlab render INPUT... --stage NAME --out FILE.%1   draw a heatmap
       attnlab render INPUT... --steps --query I --out FILE.%2   one row step by step
       attnlab page INPUT...|LESSON --out FILE.html   a page that computes in any browser
       attnlab map INPUT... --out FILE.npy|npz|%1   one head of any length, pooled
       attnlab map INPUT... --rows A:B --partial FILE.npz   a part of a map, on one of several machines
       attnlab merge PART... --out FILE.npy|npz|%1   the map from its parts
       attnlab model PATH --text T [--json]   every head of a model that is on disk
       attnlab info FILE... [--json]     the arrays of files, and how they would be read
       attnlab lesson FOLDER... [--texts]   check the statements of lessons
       attnlab lesson --list             the lessons of the program by groups
       attnlab tokenize PATH --text T [--pair T2] [--json]   the tokens of a text by a model's tokenizer
       attnlab list [--json]             every mechanism, scale, position, normaliser, decay and mask
       attnlab bench [--heads H] [--length L] [--dim E] [--causal] [--json]   measure the engine
       attnlab devices [--check] [--json]   the CUDA devices and their kernels, or why there is none
       attnlab completion bash|zsh|fish  a completion script for the shell
       attnlab man                       the manual page: attnlab man | man -l -
       attnlab help [COMMAND]            the options of a command; also attnlab COMMAND --help
       attnlab --version

Heads, batches, rows and columns count from 0, as in the arrays. An INPUT of - is standard input, --out - with --format
is standard output. Lengths of figures are points (1/72 inch).
Exit code: 0 success, 1 bad data, 2 a wrong command line, 3 an array beyond the tolerance (compare --against, grade), or a
kernel that is not trusted (devices --check).
)";

/// The edit distance: letters inserted, deleted, replaced or swapped with their neighbour.
int distance(std::string_view from, std::string_view to) {
    std::vector<std::vector<int>> steps(from.size() + 1, std::vector<int>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i)
        for (std::size_t j = 0; j <= to.size(); ++j) {
            if (i == 0 || j == 0) {
                steps[i][j] = static_cast<int>(i + j);
                continue;
            }
            const int differs = from[i - 1] == to[j - 1] ? 0 : 1;
            steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + differs});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
    return steps[from.size()][to.size()];
}

} // namespace

std::span<const Command> commands() { return table; }

const Command* findCommand(std::string_view name) { return lookup(table, name, &Command::name); }

void refuseCommand(const QString& word) {
    const auto name = word.toStdString();
    const auto nearest = std::ranges::min_element(
        table, {}, [&](const Command& command) { return distance(name.substr(0, 40), command.name); });
    const auto known = listed(table, &Command::name);
    const bool close = distance(name.substr(0, 40), nearest->name) <= 1 + static_cast<int>(name.size()) / 4;
    throw UsageError("'" + name + "' is neither a command nor a file; " +
                     (close ? "did you mean '" + std::string(nearest->name) + "'? The commands are "
                            : std::string("the commands are ")) +
                     known);
}

Declarations declarationsOf(const Command& command) {
    ParserWatch watch;
    command.run({QStringLiteral("attnlab")});
    return watch.seen;
}

std::string usageText() {
    using ui::FormatKind, ui::suffixWords;
    return QString::fromUtf8(usage)
        .arg(suffixWords(FormatKind::Picture), suffixWords(FormatKind::Animation))
        .toStdString();
}

int helpCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Prints how the program is used, or the options of a command.");
    parser.addPositionalArgument("COMMAND", "The name of a command.", "help [COMMAND]");
    if (!parse(parser, arguments))
        return 0;
    const auto words = parser.positionalArguments();
    if (words.size() > 1)
        throw UsageError("help: has '" + words[1].toStdString() + "', expected one command");
    if (words.isEmpty()) {
        printOut("%s", usageText().c_str());
        return 0;
    }
    const auto* command = findCommand(words.first().toStdString());
    if (!command)
        refuseCommand(words.first());
    return command->run({arguments.first(), QStringLiteral("--help")});
}

} // namespace attnlab::app
