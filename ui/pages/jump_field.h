// Where the user writes which cell to go to.
#pragma once

#include "ui/document/view_state.h"
#include "ui/matrix/matrix_source.h"

#include <QLineEdit>

#include <optional>

namespace attnlab::ui {

/// "1200, 34" or "1200" (a row), or token labels instead of numbers; nullopt for a number out of range or an unknown
/// token.
std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes);

class JumpField : public QLineEdit {
    Q_OBJECT
public:
    explicit JumpField(QWidget* parent);

    /// The cell of the text, which is marked as wrong where there is none.
    std::optional<Cell> cellIn(const MatrixAxes& axes);
};

} // namespace attnlab::ui
