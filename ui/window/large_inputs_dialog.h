// From which size on heads are drawn as maps, and how much memory their tiles may take.
#pragma once

#include <QDialog>

class QSpinBox;

namespace attnlab::ui {

/// Writes the settings when it is accepted.
class LargeInputsDialog : public QDialog {
    Q_OBJECT
public:
    explicit LargeInputsDialog(QWidget* parent = nullptr);

    QSpinBox* cells() const { return cells_; }   ///< thousands of cells
    QSpinBox* memory() const { return memory_; } ///< MB

    void accept() override;

private:
    QSpinBox* cells_;
    QSpinBox* memory_;
};

} // namespace attnlab::ui
