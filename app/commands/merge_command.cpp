// Implements `attnlab merge`: one map from the parts that several machines made.
#include "app/command_table.h"
#include "app/commands/map_output.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/saved/map_part_file.h"
#include "ui/document/local_files.h"

#include <cmath>

namespace attnlab::app {

namespace {

/// A bin without a weight would otherwise look like a masked one.
void warnOfNaN(const MapBins& bins) {
    std::int64_t count = 0;
    for (std::size_t bin = 0; bin < bins.kept.size(); ++bin)
        if (!bins.masked(bin) && (std::isnan(bins.log2_max[bin]) || (!bins.sum.empty() && std::isnan(bins.sum[bin]))))
            ++count;
    if (count > 0)
        printError("attnlab: warning: Bins with weights that are NaN: " + std::to_string(count) + " of " +
                   std::to_string(bins.kept.size()));
}

} // namespace

int mergeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Puts together the parts of a map that 'attnlab map --partial' has made, in any "
        "order. The result equals that of one run on the processor bit for bit. Errors name "
        "rows that no part or two parts have, and parts of another map.");
    parser.addPositionalArgument("PART", "Files of 'attnlab map --partial'.", "merge PART...");
    addMapOutput(parser);
    if (!parse(parser, arguments))
        return 0;
    MapOutput output(parser);
    const auto files = parser.positionalArguments();
    if (files.isEmpty())
        throw UsageError("merge: has no PART, expected files of 'attnlab map --partial'");
    output.check(files);
    std::vector<MapPart> parts;
    for (const auto& file : files)
        parts.push_back(io::read_map_part(ui::toPath(file)));
    const auto& first = parts.front();
    if (output.isJson())
        checkJsonSize(first.grid.rows() * first.grid.columns(), "--out FILE.npy takes any number");
    output.checkBins(first.grid);
    auto bins = merge(parts);
    warnOfNaN(bins);
    output.write({std::move(bins), first.grid, first.pool, first.query_tokens, first.key_tokens}, arguments.first());
    return 0;
}

} // namespace attnlab::app
