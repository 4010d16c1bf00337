#include "app/backends.h"
#include "app/commands.h"
#include "app/device_backends.h"
#include "app/figure_choices.h"
#include "app/json.h"
#include "app/model_input.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/map/attention_map.h"
#include "ui/document/file_name.h"
#include "ui/drawing/colormap.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/widgets/text.h"

#include <limits>
#include <optional>

namespace attnlab::app {
namespace {

using namespace attnlab::ui;

struct Range {
    std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
};

/// The options of a map, before the size of the data is known.
struct Request {
    int batch = 0, head = 0;
    Range rows, columns;
    std::int64_t bin_rows = 0, bin_columns = 0; ///< number of bins
    Pool pool = Pool::Max;
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

Request readRequest(const QCommandLineParser& parser) {
    Request request;
    constexpr int most = std::numeric_limits<int>::max();
    request.batch = readNumber(parser, "batch", 0, most);
    request.head = readNumber(parser, "head", 0, most);
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

/// Labels of single tokens; bins of several are labelled by the number of their first token.
QStringList labelsOf(const std::vector<std::string>& tokens, std::int64_t first, std::int64_t last, std::int64_t bin) {
    QStringList labels;
    for (auto token = first; bin == 1 && token < std::min<std::int64_t>(last, static_cast<std::int64_t>(tokens.size()));
         ++token)
        labels << QString::fromStdString(tokens[static_cast<std::size_t>(token)]);
    return labels;
}

/// The bins as the matrix of a picture. For a logarithmic scale, maxima below the range of float32 are kept.
MatrixData pictureOf(const MapBins& bins, const BinGrid& grid, Pool pool) {
    MatrixData data;
    data.values = Tensor({bins.rows, bins.columns});
    data.blocked = Tensor({bins.rows, bins.columns}, 0.0, DType::Bool);
    const auto values = data.values.mutable_values(), blocked = data.blocked.mutable_values();
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
        values[bin] = pool == Pool::Max ? std::exp2(static_cast<double>(bins.log2_max[bin])) : bins.mean(bin);
        blocked[bin] = bins.masked(bin) ? 1.0 : 0.0;
    }
    data.row_title = translated(title_of(Axis::Query));
    data.column_title = translated(title_of(Axis::Key));
    data.first_row = grid.cells.first_row;
    data.row_step = grid.bin_rows;
    data.first_column = grid.cells.first_column;
    data.column_step = grid.bin_columns;
    return data;
}

ColorScale scaleOf(const MatrixData& picture, const ColorChoice& colors) {
    ValueRange range;
    const auto values = picture.values.values(), blocked = picture.blocked.values();
    for (std::size_t bin = 0; bin < values.size(); ++bin)
        if (blocked[bin] == 0.0)
            range.include(values[bin]);
    return colorScale(colors, range, false);
}

void printAsJson(const MapBins& bins, const BinGrid& grid, Pool pool) {
    const auto values = bins.values(pool);
    QJsonArray rows;
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        QJsonArray cells;
        for (std::int64_t column = 0; column < bins.columns; ++column) {
            const auto bin = static_cast<std::size_t>(row * bins.columns + column);
            cells.append(bins.masked(bin) ? QJsonValue() : jsonOf(static_cast<double>(values[bin])));
        }
        rows.append(cells);
    }
    printJson({{"pool", pool == Pool::Max ? "max" : "mean"},
               {"first_row", static_cast<qint64>(grid.cells.first_row)},
               {"first_column", static_cast<qint64>(grid.cells.first_column)},
               {"bin_rows", static_cast<qint64>(grid.bin_rows)},
               {"bin_columns", static_cast<qint64>(grid.bin_columns)},
               {"bins", rows}});
}

void addOptions(CommandParser& parser) {
    parser.addPositionalArgument(
        "INPUT", "Arrays: .npz, .npy, .safetensors, .pt, .csv, .tsv or a workspace; query and key are enough.",
        "map INPUT...");
    addSpecOptions(parser);
    parser.addOptions(
        {{"batch", "Which batch entry.", "B", "0"},
         {"head", "Which head.", "H", "0"},
         {"rows", "Queries A to B - 1; default: all.", "A:B"},
         {"cols", "Keys A to B - 1; default: all.", "A:B"},
         {"bins",
          "How many bins, at most: one is ceil(rows/R) x ceil(columns/C) cells, and a single cell where there are "
          "fewer cells than bins.",
          "RxC", "512x512"},
         {"pool", "What a bin shows of its kept cells: max (default) or mean.", "max|mean", "max"},
         {"backend", "What computes: auto (default), cpu or cuda.", "B", "auto"},
         {"precision",
          "What a CUDA device stores queries and keys as: float32 (default), or bfloat16, which is faster and off by "
          "about 1e-2 of a weight.",
          "P", "float32"},
         {"out", "The map: float32 weights (NaN where every cell of a bin is masked), or a picture (hatched there).",
          "FILE.npy|" + suffixWords(FormatKind::Picture) + "|-"},
         {"json",
          "Print the bins as JSON: rows of weights, null where every cell of a bin is masked, beside the tokens that "
          "they begin at."}});
    addFormatOption(parser);
    addFigureOptions(parser);
}

/// Null for the CPU.
const MapEngine* readEngine(const QCommandLineParser& parser) {
    const auto backend = parser.value("backend");
    if (backend != QLatin1String("auto") && backend != QLatin1String("cpu") && backend != QLatin1String("cuda"))
        refuse("backend", backend, "auto, cpu or cuda");
    const auto precision = readPrecision(parser);
    if (precision == gpu::Precision::Float16)
        throw UsageError("--precision: has 'float16', expected float32 or bfloat16");
    if (precision != gpu::Precision::Float32 && backend != QLatin1String("cuda"))
        throw UsageError("--precision: has '" + parser.value("precision").toStdString() +
                         "', which only --backend cuda can");
    if (backend == QLatin1String("cuda"))
        checkBackend("cuda", allBackends());
    return backend == QLatin1String("cpu") ? nullptr : &deviceMaps(precision);
}

} // namespace

int mapCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Pools the attention weights of one head over bins, without ever storing them all.\n"
        "Weights are computed in float32 and have to be a softmax of scaled dot products, projected or not: "
        "scaled_dot_product, flash, self, causal, cross, multi_head, multi_query, grouped_query, with every mask and "
        "every scale that is one factor. Not possible: positions, score_norm and softcap, dropout, appended keys, "
        "statistics, an added mask fill beyond 64.");
    addOptions(parser);
    addModelOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    const bool json = parser.isSet("json");
    std::optional<OutputFile> out;
    if (parser.isSet("out") || !json)
        out.emplace(parser, QStringList{"npy"} + suffixesOf(FormatKind::Picture));
    if (json && parser.value("out") == QLatin1String("-"))
        throw UsageError("--json: goes to standard output, as --out - does");
    const auto request = readRequest(parser);
    const auto options = readFigureOptions(parser);
    const auto* engine = readEngine(parser);

    if (json)
        checkJsonSize(request.bin_rows * request.bin_columns, "fewer --bins give fewer");

    const InputFiles files(parser.positionalArguments());
    auto problem = readProblem(parser, files.names(), "value");
    checkTiles(parser, problem);
    if (out)
        checkOutput("out", out->path(), files.names());
    const auto inputs = std::make_shared<const MapInputs>(problem, engine);
    problem.tensors.clear(); // maps only need `inputs`
    const auto batch = indexBelow("batch", request.batch, inputs->batches());
    const auto head = indexBelow("head", request.head, inputs->heads());
    const auto rows = within(parser, "rows", request.rows, inputs->rows());
    const auto columns = within(parser, "cols", request.columns, inputs->columns());
    const auto grid =
        grid_of({rows.first, rows.last, columns.first, columns.last}, request.bin_rows, request.bin_columns);
    const auto [bins, notes] = pool_of_head(inputs, batch, head, grid, request.pool);
    for (const auto& note : notes)
        printWarnings({{Note::Severity::Warning, note}});
    if (json)
        printAsJson(bins, grid, request.pool);
    if (!out)
        return 0;
    if (out->suffix() == QLatin1String("npy")) {
        io::write_file(ui::toPath(out->path()), io::write_npy({bins.rows, bins.columns}, bins.values(request.pool)));
        out->finish();
        return 0;
    }
    const OffscreenApplication application(arguments.first());
    checkFont(options);
    auto picture = pictureOf(bins, grid, request.pool);
    const auto& keys =
        problem.key_tokens.empty() && inputs->rows() == inputs->columns() ? problem.query_tokens : problem.key_tokens;
    picture.row_labels = labelsOf(problem.query_tokens, rows.first, rows.last, grid.bin_rows);
    picture.column_labels = labelsOf(keys, columns.first, columns.last, grid.bin_columns);
    writeFigure(out->path(), {picture, scaleOf(picture, colorsOf(options))}, options);
    out->finish();
    return 0;
}

} // namespace attnlab::app
