// A field for a short list of whole numbers that a mask reads from an array, such as valid_lens.
#pragma once

#include "ui/document/document.h"

#include <QLineEdit>
#include <string>

namespace attnlab {
struct MaskContext;
}

namespace attnlab::ui {

/// "2, 3": one number for each sequence of the batch, or "1, 2; 3, 3" for each query. The array belongs to both
/// compared settings. Read-only where there are more numbers than anybody types.
class LengthsField : public QLineEdit {
    Q_OBJECT
public:
    LengthsField(const ComparedSide& setting, std::string array, QWidget* parent = nullptr);
    ~LengthsField() override;

    /// Shows the array; nothing while there is none.
    void showArray();

private:
    void store();
    /// The shape for that many numbers, (B) or (B,L); nullopt where none fits.
    std::optional<Shape> shapeFor(std::size_t count, const MaskContext& sizes) const;
    std::optional<MaskContext> sizes() const;
    void refuse(const QString& why);

    ComparedSide setting_;
    const std::string array_;
    QString shown_;
};

} // namespace attnlab::ui
