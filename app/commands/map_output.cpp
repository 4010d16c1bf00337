#include "app/commands/map_output.h"

#include "app/commands/page_output.h"
#include "app/figure_choices.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "ui/document/local_files.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/export/matrix_export.h"
#include "ui/export/web_page.h"

#include <algorithm>

namespace attnlab::app {
namespace {

using namespace attnlab::ui;

void printAsJson(const MapResult& result) {
    const auto& bins = result.bins;
    const auto& grid = result.grid;
    const auto values = bins.values(result.is_difference ? Pool::Mean : result.pool);
    QJsonArray rows;
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        QJsonArray cells;
        for (std::int64_t column = 0; column < bins.columns; ++column) {
            const auto bin = static_cast<std::size_t>(row * bins.columns + column);
            cells.append(bins.masked(bin) ? QJsonValue() : jsonOf(static_cast<double>(values[bin])));
        }
        rows.append(cells);
    }
    QJsonObject json{{"pool", result.pool == Pool::Max ? "max" : "mean"},
                     {"first_row", static_cast<qint64>(grid.cells.first_row)},
                     {"first_column", static_cast<qint64>(grid.cells.first_column)},
                     {"bin_rows", static_cast<qint64>(grid.bin_rows)},
                     {"bin_columns", static_cast<qint64>(grid.bin_columns)},
                     {"bins", rows}};
    if (result.is_difference)
        json["of"] = "B - A";
    printJson(json);
}

/// Where bins begin, and where the last one ends.
Tensor edgesOf(std::int64_t first, std::int64_t last, std::int64_t step, std::int64_t count) {
    Tensor edges({count + 1}, 0.0, DType::Int64);
    for (std::int64_t i = 0; i <= count; ++i)
        edges.set({i}, static_cast<double>(std::min(last, first + i * step)));
    return edges;
}

} // namespace

void addMapOutput(CommandParser& parser) {
    parser.addOptions(
        {{"out",
          "The map: float32 weights (of .npz float64, with the edges of the bins), a picture, or a page of HTML with "
          "these "
          "bins and coarser ones. A bin whose cells "
          "are all masked is NaN, or hatched in a picture. "
          "If a weight is NaN, its bin is NaN and a warning says so.",
          "FILE.npy|npz|" + suffixWords(FormatKind::Picture) + '|' + suffixWords(FormatKind::WebPage) + "|-"},
         {"json",
          "Print the bins as JSON: rows of weights, null where every cell of a bin is masked, beside the tokens that "
          "they begin at."}});
    addFormatOption(parser);
    addFigureOptions(parser);
    addPageOptions(parser);
}

MapOutput::MapOutput(const CommandParser& parser) : json_(parser.isSet("json")) {
    if (parser.isSet("out") || !json_)
        out_.emplace(parser,
                     QStringList{"npy", "npz"} + suffixesOf(FormatKind::Picture) + suffixesOf(FormatKind::WebPage));
    if (isPage(parser, out_ ? out_->suffix() : QString()))
        page_ = readPageOptions(parser);
    if (json_ && parser.value("out") == QLatin1String("-"))
        throw UsageError("--json: goes to standard output, as --out - does");
    options_ = readFigureOptions(parser);
    noteIdleFigureOptions(parser, out_ ? out_->suffix() : QStringLiteral("json"));
}

void MapOutput::drawLike(const CommandParser& parser, const Shown& shown) {
    options_ = readFigureOptions(parser, figureOf(shown, true));
    if (!page_)
        return;
    page_->title = options_.title;
    page_->colormap = options_.colormap;
    page_->logarithmic = options_.logarithmic;
}

bool MapOutput::isPicture() const { return out_ && ui::findFormat(FormatKind::Picture, out_->suffix()); }

void MapOutput::takeDifference() const {
    if (page_)
        throw UsageError("--out: has '" + out_->path().toStdString() +
                         "', expected numbers or a picture of a difference: a page of HTML has coarser bins, too");
}

void MapOutput::check(const QStringList& inputs) const {
    if (out_)
        checkOutput("out", out_->path(), inputs);
}

void MapOutput::checkBins(const BinGrid& grid) const {
    if (page_)
        requirePageBins(grid);
}

void MapOutput::write(const MapResult& result, const QString& program) {
    const auto& [bins, grid, pool, query_tokens, key_tokens, origin, is_difference] = result;
    const auto shown = is_difference ? Pool::Mean : pool;
    if (json_)
        printAsJson(result);
    if (!out_)
        return;
    if (out_->suffix() == QLatin1String("npy")) {
        io::write_file(toPath(out_->path()), io::write_npy({bins.rows, bins.columns}, bins.values(shown)));
        out_->finish();
        return;
    }
    if (out_->suffix() == QLatin1String("npz")) {
        const auto values = bins.values(shown);
        const auto& cells = grid.cells;
        io::write_npz(
            toPath(out_->path()),
            {{{is_difference ? "difference" : "weights",
               Tensor({bins.rows, bins.columns}, {values.begin(), values.end()})},
              {"row_edges", edgesOf(cells.first_row, cells.last_row, grid.bin_rows, bins.rows)},
              {"column_edges", edgesOf(cells.first_column, cells.last_column, grid.bin_columns, bins.columns)}},
             {}});
        out_->finish();
        return;
    }
    if (page_) {
        writePage(out_->path(), mapPage(bins, grid, pool, query_tokens, key_tokens, *page_), *page_);
        out_->finish();
        return;
    }
    const OffscreenApplication application(program);
    checkFont(options_);
    const auto draw = is_difference ? differenceFigure : binsFigure;
    const auto figure = draw(bins, grid, pool, colorsOf(options_), query_tokens, key_tokens);
    writeFigure(out_->path(), figure, options_, origin);
    out_->finish();
    if (origin)
        noteInputs(options_, *origin, out_->suffix());
    noteStyle(options_, out_->suffix());
    noteLetters(figure, options_, out_->suffix());
}

} // namespace attnlab::app
