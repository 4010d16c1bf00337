#include "app/backends.h"
#include "app/commands.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/flash/cpu_backend.h"
#include "core/io/file_formats.h"
#include "ui/file_name.h"

namespace attnlab::app {

int computeCommand(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Computes a mechanism and writes every stage as an array.");
    parser.addPositionalArgument("INPUT", "Arrays: .npz, .npy, .safetensors, .pt, .csv, .tsv or a workspace.",
                                 "compute INPUT...");
    addSpecOptions(parser);
    addBackendOptions(parser, "auto");
    parser.addOption({"out", "Where the stages go.", "OUT.npz|safetensors"});
    if (!parse(parser, arguments))
        return 0;
    const auto out = required(parser, "out");
    const auto ends_in = [&](const char* suffix) { return out.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); };
    if (!ends_in(".npz") && !ends_in(".safetensors"))
        throw UsageError("--out: has '" + out.toStdString() +
                         "', expected a file name that ends in .npz or .safetensors");
    const auto choice = readBackend(parser);

    auto problem = readProblem(parser, parser.positionalArguments());
    problem.compared_with.reset();
    checkOutput("out", out, parser.positionalArguments());
    if (choice.id == cpu_backend().id())
        checkTiles(parser, problem);
    const auto result = compute(problem, choice.backends, choice.id);
    TensorMap stages;
    for (const auto& stage : result.trace.stages)
        stages.emplace(stage.name, stage.value);
    io::write_tensors(ui::toPath(out), stages);
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
