// Asks for another size of a tensor.
#pragma once

#include "core/attention.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// One number an axis, called by what the mechanism declares it to be; says which other inputs change along.
class ResizeDialog : public QDialog {
    Q_OBJECT
public:
    ResizeDialog(const AttentionProblem& problem, const QString& tensor, QWidget* parent = nullptr);

    /// The sizes as they stand.
    Shape shape() const;
    /// The problem with the tensor, and the others if that is chosen, at their new size.
    AttentionProblem result() const;

private:
    void settle();

    AttentionProblem problem_;
    QString tensor_;
    std::vector<QSpinBox*> sizes_;
    QCheckBox* along_;
    QLabel* others_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui
