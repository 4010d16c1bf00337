// One matrix of one tensor of the document as a table.
#pragma once

#include "core/edit/cells.h"
#include "core/inputs.h"
#include "ui/document/document.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>

namespace attnlab::ui {

/// Reads the document and edits it: every change is one undo step. Follows the document, and tells views of changed
/// cells rather than of a new table as long as the shape stays.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TensorModel(Document& document, QObject* parent = nullptr);

    /// Shows a matrix (see matrix_at) of a tensor; of one that the document does not have, nothing.
    void show(const QString& tensor, std::int64_t leading = 0);
    const MatrixPlace& place() const { return place_; }
    QString tensorName() const { return QString::fromStdString(place_.tensor); }
    /// The whole tensor; empty if there is none.
    const Tensor& tensor() const { return tensor_; }
    Document& document() const { return document_; }
    /// Whose tokens label the rows and columns, if tokens do.
    std::optional<Axis> rowTokens() const { return row_tokens_; }
    std::optional<Axis> columnTokens() const { return column_tokens_; }
    bool isBool() const { return tensor_.dtype() == DType::Bool; }

    double number(const QModelIndex& index) const;

    /// How many significant digits cells show; editors and the clipboard have all of them.
    int digits() const { return digits_; }
    void setDigits(int digits);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    /// Writes a token label; an empty one gives the row its number back.
    bool setHeaderData(int section, Qt::Orientation orientation, const QVariant& value,
                       int role = Qt::EditRole) override;

    /// Every cell of the ranges set to `value`, as one step. False (and inputRefused) where the type cannot hold it.
    bool setCells(const CellRanges& ranges, double value, const QString& text);
    /// "Edit query".
    QString editText() const;

signals:
    /// Text that is no number, or a number that the tensor cannot hold; the cell keeps its value.
    void inputRefused(const QString& why);

private:
    void follow(const AttentionProblem& problem);
    void readLabels(const AttentionProblem& problem);
    std::optional<Axis> tokensOf(Qt::Orientation orientation) const;
    QVariant cellData(const QModelIndex& index, int role) const;

    Document& document_;
    MatrixPlace place_;
    Tensor tensor_;
    int digits_ = 4;
    std::optional<Axis> row_tokens_;
    std::optional<Axis> column_tokens_;
    QStringList row_labels_;
    QStringList column_labels_;
};

} // namespace attnlab::ui
