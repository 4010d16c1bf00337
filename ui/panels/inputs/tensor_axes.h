// Names of tensors, axes and tokens, and the pickers that choose one matrix of a tensor.
#pragma once

#include "core/edit/resize.h"
#include "ui/document/view_state.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

/// "Rows (L)", "Columns (num_heads*E)", "Batch (B)", "Head (H)"; without a declaration (empty `dims`) "Rows", "Axis 0".
QString axisTitle(int axis, int rank, const std::vector<Dim>& dims);
bool isBatch(const Dim& dim);
bool isHead(const Dim& dim);

/// The labels of an axis, as far as they are given; empty ones mean row numbers.
QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);

/// "Q", "K", "V" for query, key and value; the name itself for others.
QString shortNameOf(const QString& tensor);

} // namespace attnlab::ui

// Chooses the matrix of a tensor of three or more axes.

class QSpinBox;

namespace attnlab::ui {

/// One number box for each leading axis. Batch and head axes are synchronized with the view state; for key and value
/// heads it is the one that the query head reads. Empty without leading axes.
class SlicePickers : public QWidget {
    Q_OBJECT
public:
    explicit SlicePickers(ViewState& view, QWidget* parent = nullptr);

    /// `query_heads` is the number of heads in the view state.
    void setAxes(const Shape& leading, const std::vector<Dim>& dims, std::int64_t query_heads);
    /// The chosen matrix (see matrix_at).
    std::int64_t leading() const;
    /// "head 2", "batch 1 · head 2", counted from one; empty without leading axes.
    QString text() const;
    QSpinBox* picker(int axis) const { return pickers_.at(static_cast<std::size_t>(axis)); }
    int count() const { return static_cast<int>(pickers_.size()); }

signals:
    void leadingChanged(std::int64_t leading);

private:
    enum class Kind { Batch, Head, Other };
    void rebuild();
    void readView();
    void picked(std::size_t axis);

    ViewState& view_;
    Shape sizes_;
    std::vector<Dim> dims_;
    std::vector<Kind> kinds_;
    std::int64_t query_heads_ = 1;
    std::vector<QSpinBox*> pickers_;
    QWidget* row_ = nullptr;
};

} // namespace attnlab::ui
