// One head as a drawing for files: lines between tokens, arcs over a sentence, bars of one query or of all keys.
#pragma once

#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/matrix_data.h"

#include <memory>
#include <optional>
#include <QCoreApplication>
#include <span>

namespace attnlab::ui {

/// Queries at the left, keys at the right. The width of a line is its weight; weights below 0.02 have none.
class LinesDrawing : public Drawing {
public:
    MatrixData matrix;
    std::optional<int> query = std::nullopt; ///< whose lines stand out; nullopt: all do

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    struct Layout;
    Layout layoutIn(const QRectF& area, const QFont& font) const;
};

/// The tokens in one line with arcs above them from a query to what it reads, and the weights below. Where keys are
/// other tokens: queries above keys. Tokens stand as far from each other as the longest needs, or as their own widths
/// need, or upright.
class ArcsDrawing : public Drawing {
public:
    MatrixData matrix;
    std::optional<int> query = std::nullopt; ///< nullopt: the arcs of all
    QString answer;                          ///< of the model, in a chip behind the last query; empty: none

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    struct Layout;
    Layout layoutIn(const QRectF& area, const QFont& font) const;
    bool hasOneLine() const;
};

class AttentionBars {
    Q_DECLARE_TR_FUNCTIONS(AttentionBars)
public:
    /// What a query reads, the largest first, at most `most`; a line says how many are left out.
    static std::shared_ptr<const BarsDrawing> ofQuery(const MatrixData& matrix, int query, int most = 24);
    /// The mean of each column over the queries that may read it: how much each key is read.
    static std::shared_ptr<const BarsDrawing> ofKeys(const MatrixData& matrix);
};

/// A way of drawing a head other than as a heatmap.
struct HeadDrawing {
    const char* id;    ///< "arcs"
    const char* title; ///< for the user; ATTNLAB_TEXT
    enum class Query { None, Optional, Needed } query;
    /// `answer`: ArcsDrawing::answer; other drawings have none.
    std::shared_ptr<const Drawing> (*make)(const MatrixData& matrix, std::optional<int> query, const QString& answer);
};
std::span<const HeadDrawing> headDrawings();
/// Null for an unknown id.
const HeadDrawing* findHeadDrawing(const QString& id);

} // namespace attnlab::ui
