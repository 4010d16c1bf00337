// Tokens hashed into buckets and sorted.
#pragma once

#include "ui/exhibits/bucket_sort_drawing.h"
#include "ui/exhibits/exhibit_page.h"
#include "ui/view_state.h"

class QComboBox;

namespace attnlab::ui {

/// The mouse or Up and Down mark a token and all that it may read; Left and Right choose the round of hashing.
class BucketSortView : public ExhibitPage {
    Q_OBJECT
public:
    explicit BucketSortView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    bool hasExhibit() const override { return shown_; }
    std::shared_ptr<const Drawing> picture() const override;

    QComboBox* roundPicker() const { return round_; }
    const BucketSortDrawing& drawing() const { return drawing_; }
    void mark(std::optional<std::int64_t> token);

protected:
    void retranslate() override;
    bool pressKey(int key) override;
    void point(std::optional<QPointF> position) override;

private:
    void refresh();
    void markAndReveal(std::int64_t token);
    void refreshWords();
    bool readBuckets(int head);
    void chooseRound(int round);
    QString bucketsText() const;

    ViewState& view_;
    ComputedPtr computed_;
    BucketSortDrawing drawing_;
    QComboBox* round_;
    bool shown_ = false;
};

} // namespace attnlab::ui
