// Asks for the arrangement of keys in an image, and for the image.
#pragma once

#include "core/attention.h"

#include <QDialog>

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

/// The grid of `keys` cells closest to a square.
KeyGrid squarestGrid(std::int64_t keys);

} // namespace attnlab::ui
