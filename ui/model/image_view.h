// The row of a head over the image that the model reads.
#pragma once

#include "ui/model/head_view.h"

namespace attnlab::ui {

class PatchMap;

class ImageView : public HeadView {
    Q_OBJECT
public:
    explicit ImageView(QWidget* parent = nullptr);

    PatchMap* map() const { return map_; }

    QString name() const override { return tr("Image"); }
    bool canShow(const HeadOnShow& head) const override;
    void setHead(const HeadOnShowPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override { return note_; }
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return head_ ? head_->weights : nullptr; }

private:
    PatchMap* map_;
    HeadOnShowPtr head_;
    QString note_;
};

} // namespace attnlab::ui
