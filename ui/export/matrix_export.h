// Exports stages of a trace and maps, as pictures and as numbers.
#pragma once

#include "core/map/attention_map.h"
#include "core/map/map_pyramid.h"
#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/export/export.h"
#include "ui/export/export_subject.h"

#include <memory>
#include <span>
#include <string>

namespace attnlab::ui {

/// A drawing shown instead of a stage.
struct NamedDrawing {
    std::shared_ptr<const Drawing> drawing;
    QString id;                                          ///< for file names
    QString title;                                       ///< for the user
    std::optional<DrawingSequence> steps = std::nullopt; ///< if it is one of a sequence
};

/// The heatmap of the chosen stage, also of several heads and stages; lines, arcs and bars of the head; and numbers.
/// `title` is the initial title of the picture.
ExportSubject stageExport(const ComputedPtr& computed, const FigureSubject& shown, const QString& title);
/// Adds lines, arcs and bars of the head, if its stage is queries x keys of at most 256 tokens.
void addHeadDrawings(ExportSubject& subject, const ComputedPtr& computed, const FigureSubject& shown);
/// The drawing, all its steps, and numbers of the chosen stage and of all stages.
ExportSubject drawingExport(const ComputedPtr& computed, const std::string& stage, const NamedDrawing& shown);
/// An existing figure, with the size of `options`, and numbers.
ExportSubject figureExport(const ComputedPtr& computed, const std::string& stage, Figure figure,
                           const FigureOptions& options);

struct MapPicture {
    CellRect cells;
    std::int64_t rows = 512; ///< bins, at most one for each cell
    std::int64_t columns = 512;
    Pool pool = Pool::Max;
    ColorChoice colors;
    FigureOptions figure;
    std::shared_ptr<const FigureOrigin> origin = nullptr; ///< that the figure carries; null: none
    std::shared_ptr<const AttentionMap> a = nullptr;      ///< the map is B, and the picture is of B − A; null: no
    MapSide side = MapSide::A;                            ///< of a comparison with the setting B of the origin
    int head_of_b = 0;                                    ///< where it is not A
};

/// The same origin with what a figure of a map shows of it, and that from its view: cells,
/// bins and pool.
FigureOrigin originOfMap(FigureOrigin origin, const MapPicture& picture);
/// nullopt for a view of anything else.
std::optional<MapPicture> mapIn(const std::string& view_json);

/// Bins of a map as a heatmap with profiles. Bins of one token have its text, if the tokens of all rows or columns are
/// given.
Figure binsFigure(const MapBins& bins, const BinGrid& grid, Pool pool, const ColorChoice& colors,
                  std::span<const std::string> query_tokens = {}, std::span<const std::string> key_tokens = {});
/// The same of difference_of(), without profiles, centred on 0.
Figure differenceFigure(const MapBins& difference, const BinGrid& grid, Pool pool, const ColorChoice& colors,
                        std::span<const std::string> query_tokens = {}, std::span<const std::string> key_tokens = {});
/// Blocks while it computes. Throws Error, Cancelled.
Figure mapFigure(const AttentionMap& map, const MapPicture& picture, const RunControl& control = {});
/// Writes by extension: a figure, or the pooled weights. Blocks while it computes. Throws Error, Cancelled.
void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control = {});

/// The cells of `viewport` or all, as a picture or as numbers.
ExportSubject mapExport(const std::shared_ptr<const AttentionMap>& map, const CellRect& viewport,
                        const MapPicture& like);

} // namespace attnlab::ui
