// Implements `attnlab code`: a problem as short code or as a formula.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/code/code.h"
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/recognition/recognition.h"
#include "ui/document/local_files.h"

#include <algorithm>
#include <filesystem>
#include <span>

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

/// True where the file has the problem's arrays under their names, for np.load.
bool holdsArrays(const std::filesystem::path& path, const AttentionProblem& problem) {
    const auto saved = io::read_contents(std::span(&path, 1)).arrays;
    return std::ranges::all_of(problem.tensors, [&](const auto& named) {
        const auto found = std::ranges::find(saved, named.first, &HeldArray::name);
        return found != saved.end() && found->tensor == named.second;
    });
}

/// True where the program reads the problem's arrays from the file with the choices that the command spells.
bool readsArrays(const std::filesystem::path& path, const AttentionProblem& problem) {
    const auto spec = complete_spec(problem.spec);
    Choices choices{.variant = spec.variant};
    for (auto [name, count] : {std::pair{"num_heads", &choices.num_heads}, {"num_kv_heads", &choices.num_kv_heads}})
        if (spec.parameters.find(name))
            *count = spec.parameters.integer(name);
    const auto read = recognise(io::read_contents(std::span(&path, 1)), choices);
    // Masks of a file of arrays are switched on beside those of the options.
    const bool same_masks = read.is_workspace || spec.masks.empty() ||
                            std::ranges::all_of(read.problem.spec.masks, [&](const Selection& mask) {
                                return lookup(spec.masks, mask.id) != nullptr;
                            });
    return same_masks && read.problem.tensors == problem.tensors;
}

/// The input itself where it is one file from which the code reads the problem's arrays; otherwise the workspace that
/// is to be saved.
std::string fileOf(const QStringList& inputs, const AttentionProblem& problem, code::Language language) {
    std::string otherwise(code::workspace_name);
    if (inputs.size() != 1 || inputs.first() == QLatin1String("-"))
        return otherwise;
    const auto path = ui::toPath(inputs.first());
    if (language == code::Language::Command)
        return readsArrays(path, problem) ? path.string() : otherwise;
    return inputs.first().endsWith(QLatin1String(".npz")) && holdsArrays(path, problem) ? path.string() : otherwise;
}

} // namespace

int codeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Prints a mechanism with its scale, position and masks as short code. Up to 256 numbers are written out. More "
        "are read from INPUT if it is one .npz with these arrays by their names. Otherwise they are read from "
        "workspace.npz, which File > Save of the window writes. A command reads INPUT if it is one file.");
    parser.addPositionalArgument("INPUT", "Arrays: " + inputSuffixes() + " or a workspace; - is standard input.",
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
    if (language == code::Language::Command && file == code::workspace_name &&
        parser.positionalArguments() != QStringList(QString::fromStdString(file))) // code in Python has a comment
        printError("attnlab: note: " + file + ", which the command reads, is what File > Save of the window makes");
    printOut("%s", code::code_of(problem, language, file).c_str());
    return 0;
}

} // namespace attnlab::app
