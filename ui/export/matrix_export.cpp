#include "ui/export/matrix_export.h"

#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "ui/document/local_files.h"
#include "ui/export/export.h"
#include "ui/export/web_page_export.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

struct StageExport {
    Q_DECLARE_TR_FUNCTIONS(StageExport)
};

/// As wide as a slide.
constexpr QSizeF playing_points(680, 382.5);

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

std::string settingsAlone(AttentionProblem problem) {
    problem.tensors.clear();
    problem.query_tokens = problem.key_tokens = {};
    return io::spec_to_json(problem);
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
        const auto words = settings.origin ? settingsAlone(settings.origin->problem) : std::string();
        exportStages(path, computed->trace, stages, settings.choices.value(labels) > 0, control, words);
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

namespace {

constexpr QLatin1String picture_id("picture"), heads_id("heads"), stages_id("stages"), query_id("query"), row_id("row"),
    answer_id("answer");
constexpr std::int64_t most_drawn_tokens = 256; ///< of lines, arcs and bars

/// The parts of a trace that a figure may show.
struct StageParts {
    ComputedPtr computed;
    FigureSubject shown; ///< chosen at first
    QString title;       ///< of `shown`

    const Trace& trace() const { return computed->trace; }
    int heads() const { return sizeOf(trace()).heads; }
    int initialHead() const { return shown.head == ViewState::mean_of_heads ? heads() : shown.head; }

    std::vector<int> headsIn(const ExportSettings& settings) const {
        std::vector<int> chosen;
        for (const int index : settings.selections.value(heads_id, {initialHead()}))
            chosen.push_back(index == heads() ? int{ViewState::mean_of_heads} : index);
        return chosen;
    }
    std::vector<const Stage*> stagesIn(const ExportSettings& settings) const {
        std::vector<const Stage*> chosen;
        for (const int index : settings.selections.value(stages_id))
            chosen.push_back(&trace().stages[static_cast<std::size_t>(index)]);
        if (chosen.empty())
            if (const Stage* stage = trace().find(shown.stage))
                chosen = {stage};
        return chosen;
    }

    Figure figure(const ExportSettings& settings) const {
        const auto colors = colorsOf(settings.figure);
        const auto stages = stagesIn(settings);
        if (stages.empty())
            matrixOf(trace(), shown); // throws
        const auto scale = [&](const Stage& stage) { return scaleFor(trace(), stage, shown.batch, colors); };
        Figure drawn(panelsOf(trace(), stages, headsIn(settings), shown.batch, scale), scale(*stages.front()));
        if (drawn.panels.empty())
            matrixOf(trace(), {stages.front()->name, shown.batch, headsIn(settings).front(), colors});
        drawn.quantity = stageWordsInPass(stages.front()->name);
        return drawn;
    }

    QString titleOf(const ExportSettings& settings) const {
        const auto heads = headsIn(settings);
        const auto stages = stagesIn(settings);
        if (stages.size() == 1 && heads.size() == 1)
            return stages.front()->name == shown.stage && heads.front() == shown.head
                       ? title
                       : stageTitle(trace(), *stages.front(), shown.batch, heads.front());
        if (stages.size() == 1)
            return stageWordsInPass(stages.front()->name);
        return heads.size() == 1 && heads.front() >= 0 && this->heads() > 1 ? headTitle(heads.front()) : QString();
    }

    QString nameOf(const ExportSettings& settings) const {
        QStringList words;
        const auto stages = stagesIn(settings);
        for (const Stage* stage : stages)
            words << QString::fromStdString(stage->name);
        const auto heads = headsIn(settings);
        const bool has_heads = this->heads() > 1 && std::ranges::any_of(stages, [](const Stage* stage) {
                                   return hasAxis(*stage, Axis::Head);
                               });
        if (has_heads && static_cast<int>(heads.size()) == this->heads() && heads.back() >= 0)
            words << QStringLiteral("all-heads");
        else if (has_heads && heads.front() == ViewState::mean_of_heads)
            words << QStringLiteral("mean");
        else if (has_heads) {
            words << (heads.size() > 1 ? QStringLiteral("heads") : QStringLiteral("head"));
            for (const int head : heads)
                words << (head == ViewState::mean_of_heads ? QStringLiteral("mean") : QString::number(head));
        }
        return words.join(QLatin1Char('-'));
    }
};

ExportSelection headsSelection(const StageParts& parts) {
    ExportSelection selection{heads_id, StageExport::tr("&Heads"), {}, {parts.initialHead()}};
    for (int head = 0; head < parts.heads(); ++head)
        selection.names << headTitle(head);
    selection.names << StageExport::tr("Mean of the heads");
    selection.all = StageExport::tr("All heads");
    selection.others = 1;
    selection.outputs = {picture_id};
    return selection;
}

ExportSelection stagesSelection(const StageParts& parts) {
    ExportSelection selection{stages_id, StageExport::tr("&Stages")};
    const auto& stages = parts.trace().stages;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        selection.names << stageWordsInPass(stages[i].name);
        if (stages[i].name == parts.shown.stage)
            selection.chosen << static_cast<int>(i);
    }
    selection.outputs = {picture_id};
    return selection;
}

/// "3 · fox"
QStringList queryNames(const MatrixData& matrix) {
    QStringList names;
    for (std::int64_t row = 0; row < matrix.view().rows; ++row) {
        const QString number = QString::number(row), label = matrix.rowLabel(row);
        names << (label == number ? number : number + QStringLiteral(" · ") + label);
    }
    return names;
}

bool canBeDrawn(const Trace& trace, const FigureSubject& shown) {
    const Stage* stage = trace.find(shown.stage);
    if (!stage || !endsWithAxes(*stage, Axis::Query, Axis::Key))
        return false;
    const auto rows = stage->value.dim(-2), columns = stage->value.dim(-1);
    return rows > 0 && columns > 0 && std::max(rows, columns) <= most_drawn_tokens;
}

ExportOutput drawingOutput(const ComputedPtr& computed, const FigureSubject& shown, const HeadDrawing& way) {
    const auto drawn = [&way, answer = shown.answer](const ExportSettings& settings) {
        std::optional<int> query;
        if (way.query == HeadDrawing::Query::Needed)
            query = settings.choices.value(row_id);
        else if (const int chosen = settings.choices.value(query_id);
                 way.query == HeadDrawing::Query::Optional && chosen > 0)
            query = chosen - 1;
        return DrawnHead{&way, query, settings.choices.value(answer_id) > 0 ? answer : QString()};
    };
    const auto figure = [computed, shown, drawn, &way](const ExportSettings& settings) -> Figure {
        const auto matrix = matrixOf(computed->trace, shown);
        const auto as = drawn(settings);
        Figure made(way.make(matrix, as.query, as.answer));
        made.labels = matrix.row_labels + matrix.column_labels;
        return made;
    };
    ExportOutput output = pictureOutput(translated(way.title), QLatin1String(way.id), figure);
    output.id = QLatin1String(way.id);
    output.is_drawing = true;
    output.write = [figure, drawn](const QString& path, const ExportSettings& settings, const RunControl& control) {
        const auto origin = settings.origin ? std::optional(drawnAs(*settings.origin, drawn(settings))) : std::nullopt;
        writeFigure(path, figure(settings), settings.figure, origin ? &*origin : nullptr, control);
    };
    return output;
}

} // namespace

void addHeadDrawings(ExportSubject& subject, const ComputedPtr& computed, const FigureSubject& shown) {
    if (!canBeDrawn(computed->trace, shown))
        return;
    auto place = std::ranges::find_if(subject.outputs,
                                      [](const ExportOutput& output) { return output.kind != FormatKind::Picture; });
    for (const auto& way : headDrawings())
        place = std::next(subject.outputs.insert(place, drawingOutput(computed, shown, way)));
    const auto names = queryNames(matrixOf(computed->trace, shown));
    const int query = std::clamp(shown.query.value_or(-1), -1, static_cast<int>(names.size()) - 1);
    ExportChoice some{
        query_id, StageExport::tr("&Query"), query + 1, 0, 1, QStringList{StageExport::tr("All queries")} + names};
    some.outputs = {QStringLiteral("lines"), QStringLiteral("arcs")};
    ExportChoice one{row_id, StageExport::tr("&Query"), std::max(0, query), 0, 1, names};
    one.outputs = {QStringLiteral("bars")};
    subject.choices.push_back(std::move(some));
    subject.choices.push_back(std::move(one));
    if (shown.answer.isEmpty())
        return;
    ExportChoice answer{answer_id, StageExport::tr("The &answer behind the last word"), 1};
    answer.outputs = {QStringLiteral("arcs")};
    subject.choices.push_back(std::move(answer));
}

ExportSubject stageExport(const ComputedPtr& computed, const FigureSubject& shown, const QString& title) {
    const StageParts parts{computed, shown, title};
    auto picture = pictureOutput(pictureTitle(stageWordsInPass(shown.stage)), QString::fromStdString(shown.stage),
                                 [parts](const ExportSettings& settings) { return parts.figure(settings); });
    picture.title_of = [parts](const ExportSettings& settings) { return parts.titleOf(settings); };
    picture.name_of = [parts](const ExportSettings& settings) { return parts.nameOf(settings); };
    auto subject = withNumbers(computed, shown.stage, std::move(picture), shown.batch, shown.head);
    if (parts.heads() > 1)
        subject.selections.push_back(headsSelection(parts));
    if (computed->trace.stages.size() > 1 && computed->trace.find(shown.stage))
        subject.selections.push_back(stagesSelection(parts));
    addHeadDrawings(subject, computed, shown);
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
    // Of two and their difference, the difference alone has a scale of its own.
    constexpr std::string_view difference = "difference.";
    const bool beside = stage.starts_with(difference) && figure.panels.haveOwnScales();
    for (auto& panel : figure.panels)
        if (beside && panel.scale)
            panel.scale->title = stageWordsInPass(stage);
    if (figure.quantity.isEmpty())
        figure.quantity = stageWordsInPass(beside ? stage.substr(difference.size()) : stage);
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

/// The numbers that a profile shows; NaN where all cells are masked.
std::vector<double> profileNumbers(const MapBins& profile, Pool pool) {
    std::vector<double> numbers;
    for (std::size_t bin = 0; bin < profile.kept.size(); ++bin)
        numbers.push_back(binValue(profile, bin, pool));
    return numbers;
}

/// Labels of bins of one token; others have the number of their first one.
QStringList labelsOf(std::span<const std::string> tokens, std::int64_t first, std::int64_t last, std::int64_t bin) {
    QStringList labels;
    for (auto token = first; bin == 1 && token < std::min<std::int64_t>(last, std::ssize(tokens)); ++token)
        labels << QString::fromStdString(tokens[static_cast<std::size_t>(token)]);
    return labels;
}

} // namespace

namespace {

MatrixData labelledBins(const MapBins& bins, const BinGrid& grid, Pool pool, std::span<const std::string> query_tokens,
                        std::span<const std::string> key_tokens) {
    auto matrix = matrixOfBins(bins, grid, pool);
    matrix.row_labels = labelsOf(query_tokens, grid.cells.first_row, grid.cells.last_row, grid.bin_rows);
    matrix.column_labels = labelsOf(key_tokens, grid.cells.first_column, grid.cells.last_column, grid.bin_columns);
    return matrix;
}

/// The bins of what a picture shows: of one map, or of B − A.
MapBins pooledFor(const AttentionMap& map, const MapPicture& picture, const BinGrid& grid, const RunControl& control) {
    if (!picture.a)
        return map.pool(grid, picture.pool, control);
    require_equal_size(picture.a->all(), map.all());
    const auto a = picture.a->pool(grid, Pool::Mean, control.part(0.0, 0.5));
    return difference_of(a, map.pool(grid, Pool::Mean, control.part(0.5, 1.0)), grid, picture.pool);
}

Figure figureOf(const MapBins& bins, const BinGrid& grid, const MapPicture& picture) {
    return picture.a ? differenceFigure(bins, grid, picture.pool, picture.colors)
                     : binsFigure(bins, grid, picture.pool, picture.colors);
}

} // namespace

Figure differenceFigure(const MapBins& difference, const BinGrid& grid, Pool pool, const ColorChoice& colors,
                        std::span<const std::string> query_tokens, std::span<const std::string> key_tokens) {
    const auto matrix = labelledBins(difference, grid, Pool::Mean, query_tokens, key_tokens);
    ValueRange range;
    includeBins(range, difference, Pool::Mean);
    std::vector<double> numbers;
    appendBins(numbers, difference, Pool::Mean);
    Figure figure(matrix, differenceScale(colors, range, usualDifference(std::move(numbers))));
    const QString cells = QStringLiteral("%1 × %2").arg(grid.bin_rows).arg(grid.bin_columns);
    figure.quantity = grid.bin_rows == 1 && grid.bin_columns == 1 ? MapExport::tr("B − A of the weights")
                      : pool == Pool::Max ? MapExport::tr("largest weight of B − largest of A, %1 cells").arg(cells)
                                          : MapExport::tr("mean of B − A over %1 cells").arg(cells);
    return figure;
}

Figure binsFigure(const MapBins& bins, const BinGrid& grid, Pool pool, const ColorChoice& colors,
                  std::span<const std::string> query_tokens, std::span<const std::string> key_tokens) {
    const auto matrix = labelledBins(bins, grid, pool, query_tokens, key_tokens);
    ValueRange range;
    includeBins(range, bins, pool);
    Figure figure(matrix, mapScale(colors, range));
    const bool largest = pool == Pool::Max;
    FigureMargins margins{profileNumbers(row_profile(bins), pool), profileNumbers(column_profile(bins), pool),
                          largest ? MapExport::tr("largest of each query") : MapExport::tr("mean of each query"),
                          largest ? MapExport::tr("largest of each key") : MapExport::tr("mean of each key")};
    figure.panels.front().margins = [margins = std::move(margins)] { return margins; };
    figure.quantity = grid.bin_rows == 1 && grid.bin_columns == 1 ? stageWordsInPass("weights")
                      : largest
                          ? MapExport::tr("largest weight of %1 × %2 cells").arg(grid.bin_rows).arg(grid.bin_columns)
                          : MapExport::tr("mean weight of %1 × %2 cells").arg(grid.bin_rows).arg(grid.bin_columns);
    return figure;
}

Figure mapFigure(const AttentionMap& map, const MapPicture& picture, const RunControl& control) {
    const auto grid = grid_of(picture.cells, picture.rows, picture.columns);
    return figureOf(pooledFor(map, picture, grid, control), grid, picture);
}

FigureOrigin originOfMap(FigureOrigin origin, const MapPicture& picture) {
    auto json = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
    const auto pair = [](std::int64_t first, std::int64_t second) {
        return QJsonArray{static_cast<double>(first), static_cast<double>(second)};
    };
    json["map"] = QJsonObject{{"rows", pair(picture.cells.first_row, picture.cells.last_row)},
                              {"columns", pair(picture.cells.first_column, picture.cells.last_column)},
                              {"bins", pair(picture.rows, picture.columns)},
                              {"pool", picture.pool == Pool::Max ? "max" : "mean"}};
    if (picture.side == MapSide::B && origin.problem.compared_with) { // the only map of the figure
        origin.problem.spec = *std::exchange(origin.problem.compared_with, std::nullopt);
        json["head"] = picture.head_of_b;
    }
    if (picture.side == MapSide::Difference) {
        auto map = json["map"].toObject();
        map["head_of_b"] = picture.head_of_b;
        json["map"] = map;
    }
    origin.view_json = QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
    return origin;
}

std::optional<MapPicture> mapIn(const std::string& view_json) {
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(view_json)).object()["map"].toObject();
    if (json.isEmpty())
        return std::nullopt;
    const auto number = [&](const char* name, int index) {
        return json[QLatin1String(name)].toArray()[index].toInteger(-1);
    };
    MapPicture picture;
    picture.cells = {number("rows", 0), number("rows", 1), number("columns", 0), number("columns", 1)};
    picture.rows = number("bins", 0);
    picture.columns = number("bins", 1);
    picture.pool = json["pool"].toString() == QLatin1String("mean") ? Pool::Mean : Pool::Max;
    picture.side = json.contains(QLatin1String("head_of_b")) ? MapSide::Difference : MapSide::A;
    picture.head_of_b = std::max(0, json["head_of_b"].toInt());
    const auto& cells = picture.cells;
    const bool holds = cells.first_row >= 0 && cells.first_row < cells.last_row && cells.first_column >= 0 &&
                       cells.first_column < cells.last_column && picture.rows >= 1 && picture.columns >= 1;
    return holds ? std::optional(picture) : std::nullopt;
}

void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control) {
    const auto figure = mapFigure(map, picture, control);
    const auto origin = picture.origin ? std::optional(originOfMap(*picture.origin, picture)) : std::nullopt;
    if (findFormat(FormatKind::Picture, QFileInfo(path).suffix()))
        writeFigure(path, figure, picture.figure, origin ? &*origin : nullptr, control);
    else
        io::write_tensors(toPath(path), {{picture.a ? "difference" : "weights", figure.panels.front().matrix.values}},
                          control);
}

namespace {

/// The bins that the last preview was made of. Used by one worker at a time.
struct PooledMap {
    std::optional<BinGrid> grid;
    MapBins bins;
};

} // namespace

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
    subject.has_logarithm = !like.a;
    constexpr int most_bins = 8192, usual_bins = 1024;
    subject.choices = {{QStringLiteral("extent"), MapExport::tr("E&xtent"), 0, 0, 1, extents},
                       {QStringLiteral("rows"), MapExport::tr("&Rows, at most"), usual_bins, 1, most_bins},
                       {QStringLiteral("columns"), MapExport::tr("&Columns, at most"), usual_bins, 1, most_bins}};
    const auto picture_of = [map, viewport, like](const ExportSettings& settings) {
        MapPicture picture = like;
        picture.cells = settings.choices.value(QStringLiteral("extent")) == 0 ? viewport : map->all();
        picture.rows = settings.choices.value(QStringLiteral("rows"));
        picture.columns = settings.choices.value(QStringLiteral("columns"));
        picture.figure = settings.figure;
        picture.origin = settings.origin;
        picture.colors.logarithmic = picture.figure.logarithmic;
        picture.colors.locked = false; // the figure has its own ends
        picture.colors.colormap = picture.figure.colormap;
        return picture;
    };
    const auto write = [map, picture_of](const QString& path, const ExportSettings& settings,
                                         const RunControl& control) {
        exportMap(path, *map, picture_of(settings), control);
    };
    const auto preview = [map, picture_of, pooled = std::make_shared<PooledMap>()](
                             const ExportSettings& settings, const QSize& largest, const RunControl& control) {
        const MapPicture picture = picture_of(settings);
        const auto grid = grid_of(picture.cells, std::min<std::int64_t>(picture.rows, usual_bins),
                                  std::min<std::int64_t>(picture.columns, usual_bins));
        if (pooled->grid != grid) {
            pooled->grid.reset();
            pooled->bins = pooledFor(*map, picture, grid, control);
            pooled->grid = grid;
        }
        return pngPreview(figureOf(pooled->bins, grid, picture), picture.figure, largest);
    };
    for (const auto kind : {FormatKind::Picture, FormatKind::Numbers}) {
        const bool is_picture = kind == FormatKind::Picture;
        ExportOutput output{is_picture ? QStringLiteral("picture") : QStringLiteral("numbers"), kind,
                            is_picture ? MapExport::tr("The picture of the map")
                            : like.a   ? MapExport::tr("The pooled difference B − A")
                                       : MapExport::tr("The pooled weights"),
                            like.a ? QStringLiteral("difference") : QStringLiteral("weights")};
        output.write = write;
        if (is_picture)
            output.slow_preview = preview;
        subject.outputs.push_back(std::move(output));
    }
    if (like.a) // whose coarser bins are no means of these, as a page would make them
        return subject;
    subject.outputs.push_back(mapPageOutput(map, like.pool, [map, viewport](const ExportSettings& settings) {
        return grid_of(settings.choices.value(QStringLiteral("extent")) == 0 ? viewport : map->all(),
                       settings.choices.value(QStringLiteral("rows")),
                       settings.choices.value(QStringLiteral("columns")));
    }));
    subject.choices.push_back(everyNumberChoice());
    return subject;
}

} // namespace attnlab::ui
