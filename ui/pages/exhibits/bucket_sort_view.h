// Tokens hashed into buckets and sorted.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/exhibits/bucket_sort_drawing.h"
#include "ui/pages/exhibits/marking_page.h"

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
