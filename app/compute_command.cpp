#include "app/commands.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/npz.h"

namespace attnlab::app {

int computeCommand(const QStringList& arguments, Backends backends) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Computes a mechanism and writes every stage as an array.");
    parser.addPositionalArgument("INPUT", "Arrays: .npz, .npy, .csv, .tsv or a workspace.", "compute INPUT...");
    addSpecOptions(parser);
    parser.addOptions({{"backend", "How to compute: auto (default), reference or cpu.", "B", "auto"},
                       {"out", "Where the stages go.", "OUT.npz"}});
    if (!parse(parser, arguments))
        return 0;
    const auto out = required(parser, "out");
    if (!out.endsWith(QLatin1String(".npz")))
        throw UsageError("--out: has '" + out.toStdString() + "', expected a file name that ends in .npz");
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);

    const auto problem = readProblem(parser, parser.positionalArguments());
    const auto result = compute(problem, backends, backend);
    io::Archive archive;
    for (const auto& stage : result.trace.stages)
        archive.tensors.emplace(stage.name, stage.value);
    io::write_npz(out.toStdString(), archive);
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
