// Implements `attnlab merge`: one map from the parts that several machines made.
#include "app/command_table.h"
#include "app/commands/map_output.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/saved/map_part_file.h"
#include "ui/document/local_files.h"

namespace attnlab::app {

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
    output.write({merge(parts), first.grid, first.pool, first.query_tokens, first.key_tokens}, arguments.first());
    return 0;
}

} // namespace attnlab::app
