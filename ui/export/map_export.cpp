#include "ui/export/map_export.h"

#include "core/io/file_formats.h"
#include "ui/document/file_name.h"
#include "ui/export/export.h"
#include "ui/matrix/map/map_colors.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace attnlab::ui {
namespace {

struct MapExport {
    Q_DECLARE_TR_FUNCTIONS(MapExport)
};

} // namespace

void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control) {
    const auto grid = grid_of(picture.cells, picture.rows, picture.columns);
    const auto bins = map.pool(grid, picture.pool, control);
    const auto matrix = matrixOfBins(bins, grid, picture.pool);
    if (!findFormat(FormatKind::Picture, QFileInfo(path).suffix())) {
        io::write_tensors(toPath(path), {{"weights", matrix.values}}, control);
        return;
    }
    ValueRange range;
    includeBins(range, bins, picture.pool);
    writeFigure(path, {matrix, mapScale(picture.colors, range)}, picture.figure, picture.origin.get(), control);
}

ExportSubject mapExport(const std::shared_ptr<const AttentionMap>& map, const CellRect& viewport,
                        const MapPicture& like) {
    const auto size = [](const QString& text, std::int64_t rows, std::int64_t columns) {
        return text.arg(rows).arg(columns);
    };
    const QStringList extents{
        size(MapExport::tr("What is in sight: %1 × %2 cells"), viewport.rows(), viewport.columns()),
        size(MapExport::tr("The whole map: %1 × %2 cells"), map->rows(), map->columns())};
    ExportSubject subject;
    subject.title = MapExport::tr("Export the map");
    subject.figure = like.figure;
    setColors(subject.figure, like.colors);
    subject.is_heatmap = true;
    constexpr int most_bins = 8192, usual_bins = 1024;
    subject.choices = {{QStringLiteral("extent"), MapExport::tr("&Extent"), 0, 0, 1, extents},
                       {QStringLiteral("rows"), MapExport::tr("&Rows, at most"), usual_bins, 1, most_bins},
                       {QStringLiteral("columns"), MapExport::tr("&Columns, at most"), usual_bins, 1, most_bins}};
    const auto write = [map, viewport, like](const QString& path, const ExportSettings& settings,
                                             const RunControl& control) {
        MapPicture picture = like;
        picture.cells = settings.choices.value(QStringLiteral("extent")) == 0 ? viewport : map->all();
        picture.rows = settings.choices.value(QStringLiteral("rows"));
        picture.columns = settings.choices.value(QStringLiteral("columns"));
        picture.figure = settings.figure;
        picture.origin = settings.origin;
        picture.colors.logarithmic = picture.figure.logarithmic;
        picture.colors.locked = false; // the figure has its own ends
        exportMap(path, *map, picture, control);
    };
    for (const auto kind : {FormatKind::Picture, FormatKind::Numbers}) {
        const bool is_picture = kind == FormatKind::Picture;
        ExportOutput output{is_picture ? QStringLiteral("picture") : QStringLiteral("numbers"), kind,
                            is_picture ? MapExport::tr("The picture of the map") : MapExport::tr("The pooled weights"),
                            QStringLiteral("weights")};
        output.write = write;
        subject.outputs.push_back(std::move(output));
    }
    return subject;
}

} // namespace attnlab::ui
