// Implements `attnlab code`: a problem as short code of another language.
#include "app/commands.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/code/code.h"
#include "core/io/workspace.h"
#include "ui/document/file_name.h"

#include <algorithm>

namespace attnlab::app {
namespace {

std::string words(std::string_view between) {
    std::string list;
    for (const auto& info : code::languages())
        list += (list.empty() ? "" : std::string(between)) + std::string(info.id);
    return list;
}

code::Language readLanguage(const CommandParser& parser) {
    const auto id = required(parser, "as").toStdString();
    try {
        return code::language(id);
    } catch (const UnknownName&) {
        throw UsageError("--as: has '" + id + "', expected one of " + words(", "));
    }
}

/// The input itself where it is one .npz with the problem's arrays, which np.load reads; otherwise the workspace that
/// is to be saved.
std::string fileOf(const QStringList& inputs, const AttentionProblem& problem, code::Language language) {
    std::string otherwise(code::workspace_name);
    if (inputs.size() != 1 || !inputs.first().endsWith(QLatin1String(".npz")))
        return otherwise;
    const auto path = ui::toPath(inputs.first());
    if (language == code::Language::Command && !io::read_view(path)) // files of arrays alone may bring masks
        return otherwise;
    const auto saved = io::read_problem(path).tensors;
    const bool same = std::ranges::all_of(problem.tensors, [&](const auto& named) {
        const auto found = saved.find(named.first);
        return found != saved.end() && found->second == named.second;
    });
    return same ? path.string() : otherwise;
}

} // namespace

int codeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Prints a mechanism with its scale, position and masks as short code. Up to 256 "
                                     "numbers are written out; more are "
                                     "read from INPUT where it is one .npz with these arrays, else from workspace.npz, "
                                     "which File > Save of the window "
                                     "makes.");
    parser.addPositionalArgument("INPUT",
                                 "Arrays: .npz, .npy, .safetensors, .pt, .csv, .tsv or a workspace; - is "
                                 "standard input.",
                                 "code INPUT...");
    addSpecOptions(parser);
    parser.addOption(
        {"as", "The language: " + QString::fromStdString(words(", ")) + ".", QString::fromStdString(words("|"))});
    if (!parse(parser, arguments))
        return 0;
    const auto language = readLanguage(parser);
    const InputFiles inputs(parser.positionalArguments());
    const auto problem = readProblem(parser, inputs.names());
    const auto file = fileOf(parser.positionalArguments(), problem, language);
    printOut("%s", code::code_of(problem, language, file).c_str());
    return 0;
}

} // namespace attnlab::app
