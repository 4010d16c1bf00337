// Exhibit of hashed attention: tokens, their buckets, and the tokens sorted by bucket.
#pragma once

#include "core/tensor.h"
#include "ui/document/view_state.h"
#include "ui/drawing/drawing.h"
#include "ui/pages/exhibits/exhibit_page.h"

#include <optional>
#include <QCoreApplication>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

/// The bucket of every token in every hashing round.
struct Buckets {
    std::int64_t rounds = 0;
    std::int64_t count = 0; ///< number of buckets of a round
    std::int64_t tokens = 0;
    std::vector<std::int64_t> bucket; ///< [round * tokens + token]

    std::int64_t at(std::int64_t round, std::int64_t token) const {
        return bucket[static_cast<std::size_t>(round * tokens + token)];
    }
    /// Tokens by bucket; the sort is stable.
    std::vector<std::int64_t> sorted(std::int64_t round) const;
    /// Two tokens share a bucket in some round: one may read the other.
    bool share(std::int64_t one, std::int64_t other) const;
    /// All other tokens that share a bucket with this one; only itself if there are none.
    std::vector<std::int64_t> readBy(std::int64_t token) const;
};

/// A colour for each bucket, in both themes; the number is always shown too.
QColor bucketColor(std::int64_t bucket, std::int64_t count, const Theme& look);

class BucketSortDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(BucketSortDrawing)
public:
    Buckets buckets;
    QStringList tokens;
    std::int64_t round = 0;
    std::optional<std::int64_t> marked; ///< a token

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    const DrawnTable* drawnTable() const override { return this; }
    int rows() const override;
    int columns() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellWords(int row, int column) const override;
    QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const override;

    std::optional<std::int64_t> tokenAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// The position of a token in the unsorted column.
    QRectF rectOf(std::int64_t token, const QRectF& area, const QFont& font) const;
    QString tokenLabel(std::int64_t token) const;
    QString tokenText(std::int64_t token) const;

private:
    struct Layout;
    struct Pen;
    Layout layout(const QRectF& area, const QFont& font) const;
    void paintInOrder(const Pen& pen) const;
    void paintSorted(const Pen& pen) const;
    void paintLinks(const Pen& pen) const;
    /// Marked, or read by the marked token, or nothing is marked.
    bool isLit(std::int64_t token) const;
};

} // namespace attnlab::ui

// Tokens hashed into buckets and sorted.

class QComboBox;

namespace attnlab::ui {

/// Up and Down mark a token and all that it may read; Left and Right choose the hashing round.
class BucketSortView : public MarkingPage<BucketSortDrawing> {
    Q_OBJECT
public:
    explicit BucketSortView(ViewState& view, QWidget* parent = nullptr);

    QComboBox* roundPicker() const { return round_; }

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::int64_t> markAt(const QPointF& position) const override;
    QRectF rectOf(std::int64_t token) const override;
    bool pressKey(int key) override;

private:
    bool readBuckets(int head);
    void chooseRound(int round);
    QString bucketsText() const;

    ViewState& view_;
    QComboBox* round_;
};

} // namespace attnlab::ui
