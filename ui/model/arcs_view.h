// A head as lines from each query to what it reads.
#pragma once

#include "ui/model/head_view.h"

namespace attnlab::ui {

class HeadArcs;

class ArcsView : public HeadView {
    Q_OBJECT
public:
    explicit ArcsView(QWidget* parent = nullptr);

    HeadArcs* arcs() const { return arcs_; }

    QString name() const override { return tr("Lines"); }
    /// Not of pooled weights.
    bool canShow(const HeadOnShow& head) const override { return head.weights != nullptr; }
    void setHead(const HeadOnShowPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return head_ ? head_->weights : nullptr; }

private:
    HeadArcs* arcs_;
    HeadOnShowPtr head_;
};

} // namespace attnlab::ui
