// Implements `attnlab map`: the pooled weights of one head of any length, or of some of its rows.
#include "app/backends.h"
#include "app/command_table.h"
#include "app/commands/map_output.h"
#include "app/commands/render_run.h"
#include "app/device_backends.h"
#include "app/figure_choices.h"
#include "app/json_output.h"
#include "app/model_options.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/io/saved/map_part_file.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/export/export.h"
#include "ui/export/matrix_export.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::app {
namespace {

struct Range {
    std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
};

/// Part `index` of `count` about equal ones; none where the count is 0.
struct Share {
    std::int64_t index = 0, count = 0;
};

/// The options of a map, before the size of the data is known.
struct Request {
    int batch = 0, head = 0;
    Range rows, columns;
    Share share;                                ///< of the rows, instead of a range
    std::int64_t bin_rows = 0, bin_columns = 0; ///< number of bins
    Pool pool = Pool::Max;
    bool compares = false; ///< shows B − A
    int head_of_b = -1;    ///< the head of setting B; -1: the same as of A
};

[[noreturn]] void refuse(const char* option, const QString& has, const std::string& expected) {
    throw UsageError("--" + std::string(option) + ": has '" + has.toStdString() + "', expected " + expected);
}

Range readRange(const QCommandLineParser& parser, const char* option) {
    Range range;
    if (!parser.isSet(option))
        return range;
    const auto text = parser.value(option);
    const auto parts = text.split(QLatin1Char(':'));
    bool first = true, last = true;
    if (!parts.value(0).isEmpty())
        range.first = parts[0].toLongLong(&first);
    if (!parts.value(1).isEmpty())
        range.last = parts[1].toLongLong(&last);
    if (parts.size() != 2 || !first || !last || range.first < 0 || range.last <= range.first)
        refuse(option, text, "A:B with 0 <= A < B; B is one beyond the last");
    return range;
}

/// The rows of --partial may be I/N.
Share readShare(const QCommandLineParser& parser) {
    const auto text = parser.value("rows");
    if (!parser.isSet("partial") || !text.contains(QLatin1Char('/')))
        return {};
    const auto parts = text.split(QLatin1Char('/'));
    bool index = false, count = false;
    const Share share{parts[0].toLongLong(&index), parts[1].toLongLong(&count)};
    if (parts.size() != 2 || !index || !count || share.index < 0 || share.index >= share.count)
        refuse("rows", text, "I/N with 0 <= I < N");
    return share;
}

Request readRequest(const QCommandLineParser& parser) {
    Request request;
    constexpr int most = std::numeric_limits<int>::max();
    request.batch = readNumber(parser, "batch", 0, most);
    request.head = readNumber(parser, "head", 0, most);
    request.compares = parser.isSet("with") || parser.isSet("b") || parser.isSet("head-of-b");
    if (parser.isSet("head-of-b"))
        request.head_of_b = readNumber(parser, "head-of-b", 0, most);
    request.share = readShare(parser);
    if (request.share.count == 0)
        request.rows = readRange(parser, "rows");
    request.columns = readRange(parser, "cols");
    const auto bins = parser.value("bins").split(QLatin1Char('x'));
    bool high = false, wide = false;
    request.bin_rows = bins.value(0).toInt(&high);
    request.bin_columns = bins.value(1).toInt(&wide);
    if (bins.size() != 2 || !high || !wide || request.bin_rows < 1 || request.bin_columns < 1)
        refuse("bins", parser.value("bins"), "ROWSxCOLUMNS, integers from 1");
    const auto pool = parser.value("pool");
    if (pool != QLatin1String("max") && pool != QLatin1String("mean"))
        refuse("pool", pool, "max or mean");
    request.pool = pool == QLatin1String("max") ? Pool::Max : Pool::Mean;
    return request;
}

/// A figure of a map is drawn as it was, unless options replace that.
void drawLike(const QCommandLineParser& parser, const Shown& shown, const ui::MapPicture& drawn, Request& request) {
    if (!parser.isSet("batch"))
        request.batch = shown.batch;
    if (!parser.isSet("head"))
        request.head = std::max(0, shown.head);
    if (!parser.isSet("rows"))
        request.rows = {drawn.cells.first_row, drawn.cells.last_row};
    if (!parser.isSet("cols"))
        request.columns = {drawn.cells.first_column, drawn.cells.last_column};
    if (!parser.isSet("bins")) {
        request.bin_rows = drawn.rows;
        request.bin_columns = drawn.columns;
    }
    if (!parser.isSet("pool"))
        request.pool = drawn.pool;
    if (drawn.side != MapSide::Difference)
        return;
    request.compares = true;
    if (request.head_of_b < 0)
        request.head_of_b = drawn.head_of_b;
}

/// The part of 0:count selected by an option.
Range within(const QCommandLineParser& parser, const char* option, Range range, std::int64_t count) {
    if (range.last == std::numeric_limits<std::int64_t>::max())
        range.last = count;
    if (range.last > count || range.first > range.last || (range.first == range.last && parser.isSet(option)))
        refuse(option, parser.value(option), "a range within 0:" + std::to_string(count));
    return range;
}

int indexBelow(const char* option, int index, std::int64_t count) {
    if (index >= count)
        refuse(option, QString::number(index),
               count == 0 ? std::string("data that has some") : "0 to " + std::to_string(count - 1));
    return index;
}

/// Says which head a map is of, where there are several and the command line does not say it.
void reportHead(const QCommandLineParser& parser, const MapInputs& inputs, std::int64_t batch, std::int64_t head) {
    const auto open = [&](const char* option, std::int64_t count) { return count > 1 && !parser.isSet(option); };
    const bool batches = open("batch", inputs.batches()), heads = open("head", inputs.heads());
    if (!batches && !heads)
        return;
    const auto options = batches && heads ? "--batch and --head choose"
                         : batches        ? "--batch chooses"
                                          : "--head chooses";
    printError("attnlab: note: the map is of batch " + std::to_string(batch) + " of " +
               std::to_string(inputs.batches()) + ", head " + std::to_string(head) + " of " +
               std::to_string(inputs.heads()) + ", counted from 0; " + options + " another");
}

void addOptions(CommandParser& parser) {
    parser.addPositionalArgument("INPUT", "Arrays: " + inputSuffixes() + " or a workspace; query and key are enough.",
                                 "map INPUT...");
    addSpecOptions(parser);
    parser.addOptions(
        {{"batch", "Which batch entry.", "B", "0"},
         {"head", "Which head.", "H", "0"},
         {"rows", "Queries A to B - 1; default: all. With --partial also I/N, part I of N, counted from 0.", "A:B"},
         {"cols", "Keys A to B - 1; default: all.", "A:B"},
         {"bins",
          "How many bins, at most: each has ceil(rows/R) x ceil(columns/C) cells, or a single cell if there are "
          "fewer cells than bins.",
          "RxC", "512x512"},
         {"pool", "The number of a bin, over its kept cells: max (default) or mean.", "max|mean", "max"},
         {"backend", "How to compute: auto (default), cpu or cuda.", "B", "auto"},
         {"precision",
          "How queries and keys are stored. float32: the default. bfloat16, with --backend cpu or cuda: faster, off by "
          "about 1e-2 of a weight. split, with --backend cpu: two bfloat16 numbers for each, off by about 1e-5 of |q| "
          "|k|. It can be faster than float32 if the processor has AMX.",
          "P", "float32"},
         {"partial",
          "Write only the bins of --rows, for 'attnlab merge'. Bins are those of the map of all rows, and --rows "
          "begins and ends between them. Uses the processor.",
          "FILE.npz"},
         {"b",
          "Show B - A: B is the map of these inputs, read by the same options; --with replaces some. May be given "
          "several "
          "times.",
          "FILE"},
         {"head-of-b", "Show B - A: the head of B; default: that of --head.", "H"}});
    addCompareOption(parser);
    parser.allowSeveral({"b"});
    addMapOutput(parser);
}

struct MapChoice {
    const MapEngine* engine = nullptr; ///< null for the CPU
    flash::Precision precision = flash::Precision::Float32;
};

MapChoice readMapChoice(const QCommandLineParser& parser) {
    const auto backend = parser.value("backend"), precision = parser.value("precision");
    const bool cpu = backend == QLatin1String("cpu"), cuda = backend == QLatin1String("cuda"),
               split = precision == QLatin1String("split");
    if (backend != QLatin1String("auto") && !cpu && !cuda)
        refuse("backend", backend, "auto, cpu or cuda");
    if (split && !cpu)
        throw UsageError("--precision: has 'split', which only --backend cpu can");
    const auto stored = split ? gpu::Precision::Float32 : readPrecision(parser);
    if (stored == gpu::Precision::Float16)
        throw UsageError("--precision: has 'float16', expected float32 or bfloat16, or split with --backend cpu");
    if (stored != gpu::Precision::Float32 && !cpu && !cuda)
        throw UsageError("--precision: has '" + precision.toStdString() +
                         "', which only --backend cpu or --backend cuda can");
    if (parser.isSet("partial") && precision != QLatin1String("float32"))
        refuse("precision", precision, "float32 with --partial, whose parts are put together");
    if (cuda)
        checkBackend("cuda", allBackends());
    if (cuda && parser.isSet("partial"))
        refuse("backend", backend,
               "auto or cpu with --partial, whose bins have the same bits on every machine of a kind");
    if (cpu || parser.isSet("partial"))
        return {nullptr, split ? flash::Precision::Split : precisionOfCores(stored)};
    return {&deviceMaps(stored), precisionOfCores(stored)};
}

/// The file of --partial, or none.
QString readPartial(const QCommandLineParser& parser) {
    auto file = parser.value("partial");
    for (const auto* other : {"with", "b", "head-of-b"})
        if (parser.isSet("partial") && parser.isSet(other))
            throw UsageError("--partial: cannot go with --" + std::string(other) + ", expected a part of one map");
    for (const auto* other : {"out", "json"})
        if (parser.isSet("partial") && parser.isSet(other))
            throw UsageError("--partial: cannot go with --" + std::string(other) + "; 'attnlab merge' makes the map");
    if (parser.isSet("partial") && !file.endsWith(QLatin1String(".npz"), Qt::CaseInsensitive))
        refuse("partial", file, "a file that ends in .npz");
    return file;
}

/// The rows of bins that --rows selects.
BinSpan binsWithin(const QCommandLineParser& parser, const Range& rows, const Share& share, const BinGrid& grid) {
    if (share.count > grid.rows())
        refuse("rows", parser.value("rows"),
               "at most " + std::to_string(grid.rows()) + " parts: the map has as many rows of bins");
    if (share.count > 0) // the products are below 2^53: a grid has less than 2^31 rows of bins
        return {grid.rows() * share.index / share.count, grid.rows() * (share.index + 1) / share.count};
    const bool fits =
        rows.first % grid.bin_rows == 0 && (rows.last % grid.bin_rows == 0 || rows.last == grid.cells.last_row);
    if (!fits)
        refuse("rows", parser.value("rows"),
               "multiples of " + std::to_string(grid.bin_rows) + ", the rows of a bin, or the end " +
                   std::to_string(grid.cells.last_row));
    return {rows.first / grid.bin_rows, (rows.last + grid.bin_rows - 1) / grid.bin_rows};
}

/// B of a comparison: by --b other inputs, or the same ones with its setting. `problem` keeps that setting for a
/// figure.
AttentionProblem otherSide(const QCommandLineParser& parser, AttentionProblem& problem, const QStringList& files) {
    const auto with_setting_b = [](AttentionProblem other) {
        if (other.compared_with)
            other.spec = *std::exchange(other.compared_with, std::nullopt);
        return other;
    };
    if (!files.isEmpty()) {
        auto other = readProblem(parser, files, "value");
        if (!parser.isSet("with"))
            other.compared_with.reset();
        return with_setting_b(std::move(other));
    }
    if (!problem.compared_with)
        problem.compared_with = problem.spec;
    return with_setting_b(problem);
}

void printWarningsOf(const PooledHead& head) {
    printWarnings(head.on_data);
    for (const auto& note : head.notes)
        printWarnings({{Note::Severity::Warning, note}});
}

template <class Rows, class Takes>
QString idsWhere(const Rows& rows, Takes takes) {
    std::vector<std::string_view> ids;
    for (const auto& row : rows)
        if (takes(row))
            ids.push_back(row.id);
    return QString::fromStdString(listed(ids));
}

} // namespace

int mapCommand(const QStringList& arguments) {
    CommandParser parser;
    const auto possible = idsWhere(mechanisms(), [](const Mechanism& row) { return row.dot_product_form != nullptr; });
    const auto impossible = idsWhere(scale_modes(), [](const ScaleMode& mode) { return mode.factor == nullptr; });
    parser.setApplicationDescription(
        "Pools the attention weights of one head over bins, without ever storing them all. With --with, --b or "
        "--head-of-b, the weights of B less those of A: by --pool mean their mean over all cells of a bin, where a "
        "blocked cell counts as 0; by max the largest weight of B less the largest of A.\n"
        "Weights are computed in float32. They must be a softmax of scaled dot products, projected or not: " +
        possible + ". Every mask is possible, and every scale that is one factor. Not possible: positions, " +
        impossible + ", dropout, appended keys, statistics, an added mask fill beyond 64.");
    addOptions(parser);
    addModelOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    checkModelIsGiven(parser);
    const auto partial = readPartial(parser);
    std::optional<MapOutput> output;
    if (partial.isEmpty())
        output.emplace(parser);
    auto request = readRequest(parser);
    const auto choice = readMapChoice(parser);
    if (output && output->isJson())
        checkJsonSize(request.bin_rows * request.bin_columns, "fewer --bins give fewer");

    const InputFiles files(parser.positionalArguments()), b_files(parser.values("b"));
    auto problem = readProblem(parser, files.names(), "value");
    checkTiles(parser, problem);
    if (const auto shown = output ? shownBy(files.names()) : std::nullopt)
        if (const auto drawn = ui::mapIn(shown->json)) {
            drawLike(parser, *shown, *drawn, request);
            output->drawLike(parser, *shown);
        }
    const auto read_files = files.names() + b_files.names() + modelInputFiles(parser);
    if (output)
        output->check(read_files);
    else
        checkOutput("partial", partial, read_files);
    const auto inputs = std::make_shared<const MapInputs>(problem, choice.engine, choice.precision);
    const auto batch = indexBelow("batch", request.batch, inputs->batches());
    const auto head = indexBelow("head", request.head, inputs->heads());
    reportHead(parser, *inputs, batch, head);
    const auto rows = within(parser, "rows", request.rows, inputs->rows());
    const auto columns = within(parser, "cols", request.columns, inputs->columns());
    std::shared_ptr<const MapInputs> inputs_of_b;
    if (request.compares) {
        output->takeDifference();
        const auto other = otherSide(parser, problem, b_files.names());
        checkTiles(parser, other);
        inputs_of_b = std::make_shared<const MapInputs>(other, choice.engine, choice.precision);
        require_equal_size({0, inputs->rows(), 0, inputs->columns()},
                           {0, inputs_of_b->rows(), 0, inputs_of_b->columns()});
        indexBelow("batch", request.batch, inputs_of_b->batches());
        request.head_of_b = indexBelow(parser.isSet("head-of-b") ? "head-of-b" : "head",
                                       request.head_of_b < 0 ? request.head : request.head_of_b, inputs_of_b->heads());
    }
    const auto& keys =
        problem.key_tokens.empty() && inputs->rows() == inputs->columns() ? problem.query_tokens : problem.key_tokens;
    if (!partial.isEmpty()) {
        const auto grid =
            grid_of({0, inputs->rows(), columns.first, columns.last}, request.bin_rows, request.bin_columns);
        const auto span = binsWithin(parser, rows, request.share, grid);
        auto part = part_of_head(inputs, batch, head, grid, span, request.pool);
        io::write_map_part(ui::toPath(partial), {{},
                                                 io::origin_of(problem, batch, head),
                                                 request.pool,
                                                 grid,
                                                 span,
                                                 std::move(part.bins),
                                                 problem.query_tokens,
                                                 keys});
        printWarnings(part.on_data);
        return 0;
    }
    ui::ViewState view;
    view.setBatch(static_cast<int>(batch));
    view.setHead(static_cast<int>(head));
    const CellRect cells{rows.first, rows.last, columns.first, columns.last};
    const auto side = request.compares ? MapSide::Difference : MapSide::A;
    ui::MapPicture picture{cells, request.bin_rows, request.bin_columns, request.pool, {}, {}};
    picture.side = side;
    picture.head_of_b = request.head_of_b;
    const auto origin = ui::originOfMap(ui::originOf(problem, view), picture);
    problem.tensors.clear(); // maps only need `inputs`
    const auto grid = grid_of(cells, request.bin_rows, request.bin_columns);
    output->checkBins(grid);
    auto pooled = pool_of_head(inputs, batch, head, grid, request.compares ? Pool::Mean : request.pool);
    printWarningsOf(pooled);
    if (request.compares) {
        const auto b = pool_of_head(inputs_of_b, batch, request.head_of_b, grid, Pool::Mean);
        if (!std::ranges::equal(b.on_data, pooled.on_data, {}, &Note::message, &Note::message))
            printWarningsOf(b);
        pooled.bins = difference_of(pooled.bins, b.bins, grid, request.pool);
    }
    const bool carries = b_files.names().isEmpty();
    if (!carries && output->isPicture())
        printError("attnlab: note: the picture does not carry its inputs, which are of two problems");
    output->write(
        {pooled.bins, grid, request.pool, problem.query_tokens, keys, carries ? &origin : nullptr, request.compares},
        arguments.first());
    return 0;
}

} // namespace attnlab::app
