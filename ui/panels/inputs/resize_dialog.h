// Asks for a new size of a tensor.
#pragma once

#include "core/attention.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// One number for each axis, named by the mechanism's declaration; lists the other inputs that change with it.
class ResizeDialog : public QDialog {
    Q_OBJECT
public:
    ResizeDialog(const AttentionProblem& problem, const QString& tensor, QWidget* parent = nullptr);

    /// The current sizes.
    Shape shape() const;
    /// The problem with the tensor, and if chosen the others, at their new size.
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
