// Exports a map as a figure or as numbers, at any resolution, with its colour bar.
#pragma once

#include "core/map/attention_map.h"
#include "ui/document/view_state.h"
#include "ui/export/export_subject.h"

#include <memory>

namespace attnlab::ui {

struct MapPicture {
    CellRect cells;
    std::int64_t rows = 512; ///< bins, at most one for each cell
    std::int64_t columns = 512;
    Pool pool = Pool::Max;
    ColorChoice colors;
    FigureOptions figure;
    std::shared_ptr<const FigureOrigin> origin = nullptr; ///< that the figure carries; null: none
};

/// Writes by extension: a figure, or the pooled weights. Blocks while it computes. Throws Error, Cancelled.
void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control = {});

/// The cells of `viewport` or all, as a picture or as numbers.
ExportSubject mapExport(const std::shared_ptr<const AttentionMap>& map, const CellRect& viewport,
                        const MapPicture& like);

} // namespace attnlab::ui
