#include "ui/pages/jump_field.h"

#include "ui/widgets/theme.h"

#include <QPalette>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// A number within the axis, or the first token with that text.
std::optional<int> indexOf(const QString& word, const MatrixAxis& axis) {
    bool number = false;
    const qlonglong index = word.toLongLong(&number);
    if (number)
        return index >= 0 && index < axis.count ? std::optional(static_cast<int>(index)) : std::nullopt;
    const auto found = axis.labels.indexOf(word);
    return found < 0 ? std::nullopt : std::optional(static_cast<int>(found));
}

} // namespace

std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes) {
    const auto words = text.split(QLatin1Char(','));
    if (words.size() > 2)
        return std::nullopt;
    const auto row = indexOf(words[0].trimmed(), axes.rows);
    const auto column = words.size() == 2
                            ? indexOf(words[1].trimmed(), axes.columns)
                            : std::optional(std::min(row.value_or(0), static_cast<int>(axes.columns.count) - 1));
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

JumpField::JumpField(QWidget* parent) : QLineEdit(parent) {
    setPlaceholderText(tr("Row, column"));
    setAccessibleName(tr("Jump to a cell"));
    setToolTip(tr("Jump to a cell: row and column by number or token, separated by a comma"));
    connect(this, &QLineEdit::textEdited, this, [this] { setPalette(parentWidget()->palette()); });
}

std::optional<Cell> JumpField::cellIn(const MatrixAxes& axes) {
    const auto cell = cellOfText(text(), axes);
    QPalette colors = parentWidget()->palette();
    if (!cell)
        colors.setColor(QPalette::Text, theme().error_text);
    setPalette(colors);
    return cell;
}

} // namespace attnlab::ui
