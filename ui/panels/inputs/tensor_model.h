// A tensor as matrices: names of its axes and tokens, the pickers that choose a matrix, the table
// model of it, and how numbers are typed.
#pragma once

#include "core/edit/cells.h"
#include "core/edit/resize.h"
#include "core/inputs.h"
#include "core/io/csv.h"
#include "core/run_control.h"
#include "ui/document/document.h"
#include "ui/document/view_state.h"

#include <optional>
#include <QAbstractTableModel>
#include <QLineEdit>
#include <QLocale>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

class QSpinBox;

namespace attnlab::ui {

/// "Rows (L)", "Columns (num_heads*E)", "Batch (B)", "Head (H)"; without a declaration (empty `dims`) "Rows", "Axis 0".
QString axisTitle(int axis, int rank, const std::vector<Dim>& dims);
bool isBatch(const Dim& dim);
bool isHead(const Dim& dim);

/// The labels of an axis, as far as they are given; empty ones mean row numbers.
QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);

/// "Q", "K", "V" for query, key and value; the name itself for others.
QString shortNameOf(const QString& tensor);

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

/// A table model of one matrix of one tensor of the document.
/// Reads the document and edits it: every change is one undo step. Follows the document, and reports changed cells
/// instead of a reset as long as the shape is unchanged.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TensorModel(Document& document, QObject* parent = nullptr);

    /// Shows a matrix (see matrix_at) of a tensor; empty for an unknown one.
    void show(const QString& tensor, std::int64_t leading = 0);
    const MatrixPlace& place() const { return place_; }
    QString tensorName() const { return QString::fromStdString(place_.tensor); }
    /// The whole tensor; empty if there is none.
    const Tensor& tensor() const { return tensor_; }
    Document& document() const { return document_; }
    /// The tokens that label the rows and columns, if any.
    std::optional<Axis> rowTokens() const { return row_tokens_; }
    std::optional<Axis> columnTokens() const { return column_tokens_; }
    bool isBool() const { return tensor_.dtype() == DType::Bool; }

    double number(const QModelIndex& index) const;

    /// The number of significant digits in cells; editors and the clipboard use all digits.
    int digits() const { return digits_; }
    void setDigits(int digits);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    /// Sets a token label; an empty one restores the row's number.
    bool setHeaderData(int section, Qt::Orientation orientation, const QVariant& value,
                       int role = Qt::EditRole) override;

    /// Sets every cell of the ranges to `value`, as one step called `text` (empty: "Set Q[3, 1] to 2"). Returns false
    /// (and emits inputRefused) if the type cannot hold it.
    bool setCells(const CellRanges& ranges, double value, QString text = {}, int gesture = 0);

signals:
    /// The text is not a number, or the tensor cannot hold it; the cell keeps its value.
    void inputRefused(const QString& why);

private:
    void follow(const AttentionProblem& problem);
    void readLabels(const AttentionProblem& problem);
    QString cellName(const CellRange& cell) const;
    QString editText(const CellRanges& ranges, double value) const;
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

// Entering numbers: the text of a cell, a line edit for one number, and cells from the clipboard.

/// Reads "0.5", the locale's "0,5", "1e-3", "1/3", "inf", "-inf", "∞" and "nan"; nullopt for other text. Group
/// separators are refused, since "1,000" is ambiguous.
std::optional<double> typedNumber(const QString& text, const QLocale& locale = QLocale());

/// Text that typedNumber reads back as exactly the same double, in any locale.
QString editText(double value);

/// The text of a cell: the exact number if that is short, else `digits` significant digits.
QString cellText(double value, int digits = 4);

/// A line edit for one number.
/// Accepts the same text as a cell: "0,5" in the locale, "1/3", "-inf". Invalid text is shown in the error colour.
class NumberLine : public QLineEdit {
    Q_OBJECT
public:
    explicit NumberLine(double value, QWidget* parent = nullptr);

    /// nullopt while the text is not a number.
    std::optional<double> number() const;

signals:
    void numberChanged();

private:
    void mark();
};

} // namespace attnlab::ui

// Reads cells that a spreadsheet has put on the clipboard.

namespace attnlab::ui {

/// Clipboard text as a table: a single number in the user's locale, or a table of io::read_table. Throws Error,
/// Cancelled.
io::Table tableFrom(const QString& text, const RunControl& control = {});

} // namespace attnlab::ui
