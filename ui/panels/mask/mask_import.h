// Masks from files: which sense True has is asked, never guessed.
#pragma once

#include "core/stages/mask.h"
#include "ui/document/document.h"

#include <QDialog>
#include <QRadioButton>

#include <array>
#include <optional>

class QDialogButtonBox;
class QLabel;

namespace attnlab::ui {

/// What an array from a file may mean as a mask.
struct MaskReading {
    bool can_be_boolean = false; ///< only 0 and 1
    bool can_be_bias = false;    ///< not stored as bool; finite numbers and −inf
    std::int64_t ones = 0;       ///< cells that hold something else than 0
    std::int64_t cells = 0;
};
MaskReading readingOf(const Tensor& mask);

/// True when the shape is one that cell_strides() takes.
bool suits(const Shape& shape, const MaskContext& context);

/// Stores `mask` as attn_mask, says what True means in it and applies it: one undo step.
void importMask(Document& document, const Tensor& mask, MaskTrue meaning);
/// Stores `bias` as attn_bias and applies it: one undo step.
void importBias(Document& document, const Tensor& bias);

/// Shows an array in each sense and asks which is meant.
class MaskImportDialog : public QDialog {
    Q_OBJECT
public:
    enum class Choice { TrueBlocks, TrueKeeps, Bias };

    /// `name` is what the file or array is called; without `context` any shape is taken.
    MaskImportDialog(Tensor mask, const QString& name, const std::optional<MaskContext>& context,
                     QWidget* parent = nullptr);

    /// Nothing while the array cannot be used.
    std::optional<Choice> choice() const;
    void setChoice(Choice choice);
    /// Carries out the choice.
    void apply(Document& document) const;

    QRadioButton* button(Choice choice) const { return buttons_[static_cast<std::size_t>(choice)]; }
    /// What keeps the array from being used, or empty.
    QString complaint() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    class Preview;
    void retranslate();
    void showChoice();

    Tensor mask_;
    QString name_;
    std::optional<MaskContext> context_;
    MaskReading reading_;
    QLabel* summary_;
    QLabel* question_;
    QLabel* complaint_label_;
    std::array<QRadioButton*, 3> buttons_{};
    Preview* preview_;
    QDialogButtonBox* box_;
};

} // namespace attnlab::ui
