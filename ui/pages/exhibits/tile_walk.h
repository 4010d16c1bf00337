// The steps of tiled attention for one batch and head: the order of tiles, the state of every row, and their
// description.
#pragma once

#include "ui/document/computation.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/matrix_data.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <QCoreApplication>
#include <QString>
#include <span>
#include <vector>

namespace attnlab::ui {

/// The queries and keys of a tile: indices of tiles, not of tokens.
struct TileIndex {
    std::int64_t query = 0;
    std::int64_t key = 0;
    bool operator==(const TileIndex&) const = default;
};

/// From the first token to the last, inclusive.
struct TokenSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last - first + 1; }
};

enum class TileState {
    Done,
    Reading,
    ToCome,
    Skipped, ///< every cell is blocked: no step reads it
};

/// A step reads one tile; query tiles are processed one by one, each with all its key tiles.
class TileSteps {
public:
    TileSteps() = default;
    /// There are no steps if the stages of the walk are missing or do not fit it.
    TileSteps(ComputedPtr computed, const TileWalk& walk, int batch, int head);

    bool empty() const { return read_.empty(); }
    int count() const { return static_cast<int>(read_.size()); }
    TileIndex tile(int step) const { return read_[static_cast<std::size_t>(step)]; }
    /// The step that reads a tile.
    std::optional<int> stepOf(TileIndex tile) const;
    /// Number of tiles skipped between a step and the previous one.
    int skippedBefore(int step) const;
    int skippedCount() const;

    std::int64_t queries() const { return queries_; }
    std::int64_t keys() const { return keys_; }
    std::int64_t queryTiles() const { return walk_.query_tiles; }
    std::int64_t keyTiles() const { return walk_.key_tiles; }
    std::int64_t features() const { return features_; } ///< of an output row; 0: the trace does not contain outputs
    TokenSpan querySpan(std::int64_t query_tile) const;
    TokenSpan keySpan(std::int64_t key_tile) const;
    TileState state(TileIndex tile, int step) const;

    /// The number of rows, from the first, that have been reached by a step.
    std::int64_t rowsReached(int step) const;
    /// The running maximum m and sum l after the step of a row that has been reached; otherwise -inf and 0.
    double rowMax(std::int64_t row, int step) const;
    double rowSum(std::int64_t row, int step) const;
    /// The same before the step.
    double rowMaxBefore(std::int64_t row, int step) const;
    /// exp(m_old - m_new): the factor by which the step multiplies the sums of a row of its tile. 1 if m does not
    /// change.
    double rescale(std::int64_t row, int step) const;
    /// The output of a row so far, not divided by l.
    std::span<const double> output(std::int64_t row, int step) const;

private:
    /// The key tile of a row's state after a step; -1: none yet.
    std::int64_t keyTileOf(std::int64_t row, int step) const;
    /// The index of row `row` in a (tiles,B,H,L) stage.
    std::size_t indexOf(std::int64_t key_tile, std::int64_t row) const;
    bool isSkipped(TileIndex tile) const;

    ComputedPtr computed_;
    TileWalk walk_;
    const Stage* max_ = nullptr;
    const Stage* sum_ = nullptr;
    const Stage* output_ = nullptr;
    std::vector<TileIndex> read_;
    std::int64_t queries_ = 0;
    std::int64_t keys_ = 0;
    std::int64_t features_ = 0;
    std::int64_t matrix_ = 0;   ///< index among the B * H matrices
    std::int64_t matrices_ = 1; ///< B * H
};

/// Describes a step of a TileWalk.
/// `labels` has the steps' queries as rows and keys as columns.
class TileWalkDescription {
    Q_DECLARE_TR_FUNCTIONS(TileWalkDescription)
public:
    /// The tile being read, and its effect on the maximum of a row: of `row` if it is in the tile, else of the row
    /// whose maximum rises most.
    static QString ofStep(const TileSteps& steps, int step, const MatrixData& labels,
                          std::optional<std::int64_t> row = std::nullopt);
    static QString ofState(TileState state);

private:
    static QString ofRow(const TileSteps& steps, int step, const MatrixData& labels, std::int64_t row, bool chosen);
};

} // namespace attnlab::ui

// Marks that distinguish tiles and boxes in drawings, also without colour.

class QPainter;

namespace attnlab::ui {

/// Paints the mark of a tile's state over its cells: an edge when done, a double line while being read, a veil and dots
/// before, a cross when skipped.
void paintTileMark(QPainter& painter, const QRectF& tile, TileState state, const Theme& look);
/// The colours that are left of a map under the veil of tiles that are not read.
Colormap veiled(const Colormap& map, const Theme& look);
/// The outline of the tile that is being read.
void paintReadingOutline(QPainter& painter, const QRectF& rect, const Theme& look);

/// Samples with text side by side, from the left of `area`.
struct LegendEntry {
    std::function<void(QPainter&, const QRectF&)> sample;
    QString text;
};
/// The sample of a tile in a state.
LegendEntry tileEntry(TileState state, const QString& text, const Theme& look);
double legendWidth(const std::vector<LegendEntry>& entries, const QFont& font);
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const DrawingStyle& style);

} // namespace attnlab::ui
