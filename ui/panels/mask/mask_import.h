// Imports masks from files: asks for the meaning of True instead of guessing it.
#pragma once

#include "core/run_control.h"
#include "core/stages/mask.h"
#include "ui/document/document.h"

#include <QDialog>
#include <QRadioButton>

#include <array>
#include <optional>

class QDialogButtonBox;
class QLabel;

namespace attnlab::ui {

/// The possible readings of an array as a mask.
struct MaskReading {
    bool can_be_boolean = false; ///< only 0 and 1
    bool can_be_bias = false;    ///< not stored as bool; finite numbers and −inf
    std::int64_t ones = 0;       ///< number of nonzero cells
    std::int64_t cells = 0;
};
/// Reads every cell. Throws Error, Cancelled.
MaskReading readingOf(const Tensor& mask, const RunControl& control = {});

/// True when cell_strides() accepts the shape.
bool suits(const Shape& shape, const MaskContext& context);

/// Stores `mask` as attn_mask, sets the meaning of True and applies it: one undo step.
void importMask(Document& document, const Tensor& mask, MaskTrue meaning);
/// Stores `bias` as attn_bias and applies it: one undo step.
void importBias(Document& document, const Tensor& bias);

/// Shows an array in each possible reading and asks for one.
class MaskImportDialog : public QDialog {
    Q_OBJECT
public:
    enum class Choice { TrueBlocks, TrueKeeps, Bias };

    /// `name` is the name of the file or array; without `context` any shape is accepted. `reading` belongs to `mask`.
    MaskImportDialog(Tensor mask, const QString& name, const std::optional<MaskContext>& context,
                     const MaskReading& reading, QWidget* parent = nullptr);

    /// nullopt while the array cannot be used.
    std::optional<Choice> choice() const;
    void setChoice(Choice choice);
    /// Applies the choice.
    void apply(Document& document) const;

    QRadioButton* button(Choice choice) const { return buttons_[static_cast<std::size_t>(choice)]; }
    /// Why the array cannot be used, or empty.
    QString complaint() const;

private:
    class Preview;
    void showChoice();

    Tensor mask_;
    QString name_;
    std::optional<MaskContext> context_;
    MaskReading reading_;
    QLabel* complaint_label_;
    std::array<QRadioButton*, 3> buttons_{};
    Preview* preview_;
    QDialogButtonBox* box_;
};

} // namespace attnlab::ui
