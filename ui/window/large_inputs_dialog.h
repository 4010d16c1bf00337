// Sets the size from which heads are shown as maps, and the memory limit of their tiles.
#pragma once

#include <QDialog>

class QSpinBox;

namespace attnlab::ui {

/// Writes the settings when accepted.
class LargeInputsDialog : public QDialog {
    Q_OBJECT
public:
    explicit LargeInputsDialog(QWidget* parent = nullptr);

    QSpinBox* cells() const { return cells_; }   ///< thousands of cells
    QSpinBox* memory() const { return memory_; } ///< MiB

    void accept() override;

private:
    QSpinBox* cells_;
    QSpinBox* memory_;
};

} // namespace attnlab::ui
