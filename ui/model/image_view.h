// The row of a head over the image that the model reads, alone or in a text.
#pragma once

#include "ui/model/head_view.h"
#include "ui/model/model_result.h"
#include "ui/widgets/accessible.h"

#include <optional>
#include <QImage>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

class PatchMap;

class ImageView : public HeadView {
    Q_OBJECT
public:
    explicit ImageView(QWidget* parent = nullptr);

    PatchMap* map() const { return map_; }

    QString name() const override { return tr("Image"); }
    bool canShow(const SelectedHead& head) const override;
    void setHead(const SelectedHeadPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override { return note_; }
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return head_ ? head_->weights : nullptr; }

private:
    PatchMap* map_;
    SelectedHeadPtr head_;
    QString note_;
};

/// An image with the weights of one row on its patches.
/// The more a patch is read, the brighter it is: the largest weight of the row is the image itself. One stop of the Tab
/// key: arrow keys choose the patch that reads, Home the first token.
class PatchMap : public QWidget, public AccessibleTable {
    Q_OBJECT
public:
    explicit PatchMap(QWidget* parent = nullptr);

    void setImage(const QImage& image, const PatchPlace& patches);
    /// Of each key; empty: nothing is laid over the image.
    void setRow(std::optional<int> query, std::vector<double> weights, const QString& words);

    QRectF patchRect(int row, int column) const;
    std::optional<int> query() const { return query_; }
    /// 0: dark, 1: the image itself.
    double brightness(int key) const;

    int tableRows() const override { return weights_.empty() ? 0 : patches_.rows; }
    int tableColumns() const override { return patches_.columns; }
    QString tableRowName(int row) const override { return QString::number(row); }
    QString tableColumnName(int column) const override { return QString::number(column); }
    QString tableCellText(int row, int column) const override { return textOf(row, column); }
    QRect tableCellRect(int row, int column) const override { return patchRect(row, column).toAlignedRect(); }
    std::optional<std::pair<int, int>> tableCursor() const override;
    void pressTableCell(int row, int column) override { emit queryChosen(patches_.position(row, column)); }

    QSize sizeHint() const override { return {320, 320}; }
    QSize minimumSizeHint() const override { return {120, 120}; }

signals:
    void queryChosen(int query);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF place() const;
    std::optional<int> keyAt(const QPointF& position) const;
    /// Empty where its weight is not known.
    QString textOf(int row, int column) const;

    QImage image_;
    PatchPlace patches_;
    std::optional<int> query_;
    std::vector<double> weights_;
    double largest_ = 0.0;
};

} // namespace attnlab::ui
