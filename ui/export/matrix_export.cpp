#include "ui/export/matrix_export.h"

#include "core/io/file_formats.h"
#include "ui/document/local_files.h"
#include "ui/export/export.h"
#include "ui/export/web_page_export.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace attnlab::ui {
namespace {

struct StageExport {
    Q_DECLARE_TR_FUNCTIONS(StageExport)
};

/// As wide as a slide.
constexpr QSizeF playing_points(680, 382.5);

constexpr QLatin1String all_heads("all_heads");
constexpr QLatin1String labels("labels");

QString wordsAbout(const QStringList& files, const Format& format, std::size_t arrays) {
    if (files.size() > 1) {
        QStringList shown;
        for (const auto& file : files.mid(0, 3))
            shown << QFileInfo(file).fileName();
        if (files.size() > 3)
            shown << QStringLiteral("…");
        return StageExport::tr("Writes %n files beside each other, one for each matrix or array: %1", nullptr,
                               static_cast<int>(files.size()))
            .arg(shown.join(QStringLiteral(", ")));
    }
    if (format.tensors->holds == io::TensorFormat::Holds::Tensors)
        return StageExport::tr("Writes one file with %n arrays; every digit is kept.", nullptr,
                               static_cast<int>(arrays));
    return StageExport::tr("Writes one file; every digit is kept.");
}

ExportOutput numbersOutput(const ComputedPtr& computed, const QString& id, const QString& title, const QString& name,
                           const std::vector<std::string>& stages) {
    ExportOutput output{id, FormatKind::Numbers, title, name};
    output.files = [computed, stages](const QString& path, const ExportSettings&) {
        return stageFiles(path, computed->trace, stages);
    };
    output.words = [files = output.files, name, stages](const ExportSettings& settings) {
        const QString path = name + QLatin1Char('.') + settings.format->suffix;
        return wordsAbout(files(path, settings), *settings.format, stages.size());
    };
    output.write = [computed, stages](const QString& path, const ExportSettings& settings, const RunControl& control) {
        exportStages(path, computed->trace, stages, settings.choices.value(labels) > 0, control);
    };
    return output;
}

QString pictureTitle(const QString& title) { return StageExport::tr("The picture of %1").arg(title); }

ExportSubject withNumbers(const ComputedPtr& computed, const std::string& stage, ExportOutput picture, int batch = 0,
                          int head = 0) {
    ExportSubject subject;
    subject.title = StageExport::tr("Export");
    ExportChoice with_labels{labels, StageExport::tr("Tokens as the first row and column")};
    with_labels.fits = [](const Format& format) { return format.tensors && format.tensors->has_labels; };
    subject.choices.push_back(std::move(with_labels));
    std::vector<std::string> all;
    for (const auto& other : computed->trace.stages)
        all.push_back(other.name);
    subject.outputs.push_back(std::move(picture));
    subject.outputs.push_back(numbersOutput(computed, QStringLiteral("stage"),
                                            StageExport::tr("The numbers of %1").arg(stageWordsInPass(stage)),
                                            QString::fromStdString(stage), {stage}));
    subject.outputs.push_back(numbersOutput(computed, QStringLiteral("stages"),
                                            StageExport::tr("The numbers of all stages"), QStringLiteral("stages"),
                                            all));
    subject.outputs.push_back(stagePageOutput(computed, {stage, batch, head}));
    subject.choices.push_back(everyNumberChoice());
    return subject;
}

} // namespace

ExportSubject stageExport(const ComputedPtr& computed, const FigureSubject& shown, const QString& title) {
    const auto figure = [computed, shown](const ExportSettings& settings) -> Figure {
        FigureSubject subject = shown;
        subject.colors = colorsOf(settings.figure);
        const auto& trace = computed->trace;
        Figure drawn(settings.choices.value(all_heads) > 0 ? allHeadsOf(trace, subject)
                                                           : FigurePanels(matrixOf(trace, subject)),
                     scaleOf(trace, subject));
        drawn.quantity = stageWordsInPass(shown.stage);
        return drawn;
    };
    const Stage* stage = computed->trace.find(shown.stage);
    const bool has_heads = stage && hasAxis(*stage, Axis::Head) && sizeOf(computed->trace).heads > 1;
    const QString name = QString::fromStdString(shown.stage);
    const QString of_head = !has_heads ? name
                            : shown.head == ViewState::mean_of_heads
                                ? name + QStringLiteral("-mean")
                                : name + QStringLiteral("-head-%1").arg(shown.head);
    auto subject =
        withNumbers(computed, shown.stage, pictureOutput(pictureTitle(stageWordsInPass(shown.stage)), of_head, figure),
                    shown.batch, shown.head);
    if (has_heads) {
        ExportChoice heads{all_heads, StageExport::tr("All heads, on shared axes")};
        heads.fits = [](const Format& format) { return format.kind == FormatKind::Picture; };
        heads.title = stageWordsInPass(shown.stage);
        heads.name = name + QStringLiteral("-all-heads");
        subject.choices.push_back(std::move(heads));
    }
    subject.is_heatmap = true;
    subject.figure.title = title;
    setColors(subject.figure, shown.colors);
    return subject;
}

ExportSubject drawingExport(const ComputedPtr& computed, const std::string& stage, const NamedDrawing& shown) {
    Figure figure(shown.drawing);
    auto subject = withNumbers(
        computed, stage,
        pictureOutput(pictureTitle(shown.title), shown.id, [figure](const ExportSettings&) { return figure; }));
    subject.figure.title = shown.title;
    if (shown.steps && shown.steps->count > 1) {
        subject.figure.size_points = playing_points;
        subject.outputs.push_back(
            animationOutput(StageExport::tr("All steps, animated"), shown.id, figure, *shown.steps));
    }
    return subject;
}

ExportSubject figureExport(const ComputedPtr& computed, const std::string& stage, Figure figure,
                           const FigureOptions& options) {
    if (figure.quantity.isEmpty())
        figure.quantity = stageWordsInPass(stage);
    auto subject = withNumbers(computed, stage,
                               pictureOutput(pictureTitle(stageWordsInPass(stage)), QString::fromStdString(stage),
                                             [figure](const ExportSettings&) { return figure; }));
    subject.figure = options;
    subject.is_heatmap = true;
    subject.has_logarithm = false;
    return subject;
}

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
    subject.outputs.push_back(mapPageOutput(map, like.pool, [map, viewport](const ExportSettings& settings) {
        return grid_of(settings.choices.value(QStringLiteral("extent")) == 0 ? viewport : map->all(),
                       settings.choices.value(QStringLiteral("rows")),
                       settings.choices.value(QStringLiteral("columns")));
    }));
    subject.choices.push_back(everyNumberChoice());
    return subject;
}

} // namespace attnlab::ui
