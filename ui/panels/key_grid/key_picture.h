// A row of weights arranged as the image that the keys came from, and the dialog for that arrangement.
#pragma once

#include "core/attention.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"

#include <optional>
#include <QDialog>
#include <QImage>

class QLabel;

namespace attnlab::ui {

/// The picture from a tensor (rows, columns), (rows, columns, 1) or (rows, columns, 3); numbers are 0 .. 1, or 0 .. 255
/// if one is above 1. A null image for other shapes.
QImage imageOf(const Tensor& tensor);
/// The inverse: (rows, columns, 3), 0 .. 1, reduced to at most `longest` pixels along a side.
Tensor tensorOf(const QImage& image, int longest = 512);
/// The tensor with the picture behind the keys.
inline constexpr const char* key_image_name = "key_image";

/// The cells of a key grid, over the image if there is one. Arrow keys and clicks choose a key, hovering shows its
/// weight.
class KeyPicture : public QWidget, public AccessibleTable {
    Q_OBJECT
public:
    explicit KeyPicture(QWidget* parent = nullptr);

    /// `weights` is a matrix with at least grid.rows * grid.columns keys in a row (appended keys are ignored).
    void setRow(const MatrixData& weights, int row, KeyGrid grid, const ColorScale& scale);
    void setImage(const QImage& image);
    void setMarked(std::optional<int> key);

    /// For tests: the rectangle of a key's cell, and the key at a position.
    QRectF cellRect(int key) const;
    std::optional<int> keyAt(const QPointF& position) const;
    std::optional<int> marked() const { return marked_; }
    double weightOf(int key) const;

    int tableRows() const override { return weights_.values.size() == 0 ? 0 : static_cast<int>(grid_.rows); }
    int tableColumns() const override { return static_cast<int>(grid_.columns); }
    QString tableRowName(int row) const override { return QString::number(row); }
    QString tableColumnName(int column) const override { return QString::number(column); }
    QString tableCellText(int row, int column) const override { return textOf(keyIn(row, column)); }
    QRect tableCellRect(int row, int column) const override { return cellRect(keyIn(row, column)).toAlignedRect(); }
    std::optional<std::pair<int, int>> tableCursor() const override;
    void pressTableCell(int row, int column) override { emit keyClicked(keyIn(row, column)); }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

signals:
    void keyClicked(int key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    int keyIn(int row, int column) const { return row * static_cast<int>(grid_.columns) + column; }
    QString textOf(int key) const;

    MatrixData weights_;
    int row_ = 0;
    KeyGrid grid_;
    ColorScale scale_;
    QImage image_;
    std::optional<int> marked_;
};

/// The card around it: hidden if the problem has no key grid.
class KeyPictureCard : public Card {
    Q_OBJECT
public:
    explicit KeyPictureCard(QWidget* parent = nullptr);

    void setProblem(const AttentionProblem& problem);
    /// The row to show; null hides the card.
    void setRow(const MatrixData* weights, int row, std::optional<int> key, const ColorScale& scale);

    KeyPicture* picture() const { return picture_; }
    /// Why there is no picture; empty if there is one.
    QString complaint() const;

private:
    KeyPicture* picture_;
    QLabel* complaint_;
    std::optional<KeyGrid> grid_;
    Tensor image_;
};

} // namespace attnlab::ui

// Asks for the arrangement of keys in an image, and for the image.

class QCheckBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

class KeyGridDialog : public QDialog {
    Q_OBJECT
public:
    /// `keys` is S of the current problem.
    KeyGridDialog(const AttentionProblem& problem, std::int64_t keys, QWidget* parent = nullptr);

    /// The problem with the grid and picture as chosen.
    AttentionProblem result() const;

    QCheckBox* enabledBox() const { return enabled_; }
    QSpinBox* rows() const { return rows_; }
    QSpinBox* columns() const { return columns_; }
    QLabel* verdict() const { return verdict_; }
    QDialogButtonBox* buttons() const { return buttons_; }
    /// Reads the picture behind the keys from a file; shows an error in the dialog.
    void readImage(const QString& path);

private:
    void build();
    void settle();
    void chooseImage();

    AttentionProblem problem_;
    std::int64_t keys_;
    QCheckBox* enabled_;
    QSpinBox* rows_;
    QSpinBox* columns_;
    QLabel* verdict_;
    QLabel* image_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui
