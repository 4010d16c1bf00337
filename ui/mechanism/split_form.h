// A form in two places: the first parameters in a row, the rest in a column elsewhere.
#pragma once

#include "core/parameter.h"

#include <QObject>

#include <span>

class QWidget;

namespace attnlab::ui {

class ParameterForm;

/// Both parts are hidden while they have no fields.
class SplitForm : public QObject {
    Q_OBJECT
public:
    /// The parts become children of these widgets.
    SplitForm(QWidget* row_parent, QWidget* column_parent, QObject* parent);

    /// As ParameterForm::setParameters; the first `in_row` of them stand in the row.
    void setParameters(std::span<const Parameter> declared, std::size_t in_row, const ParameterValues& values);
    ParameterForm* row() const { return row_; }
    ParameterForm* column() const { return column_; }
    /// Null when there is no such parameter.
    QWidget* field(std::string_view name) const;

signals:
    /// By the user; complete. Edits of one interaction share a gesture number.
    void valuesChanged(const attnlab::ParameterValues& values, int gesture);

private:
    void merge(const ParameterValues& changed, int gesture);

    ParameterForm* row_;
    ParameterForm* column_;
    ParameterValues values_;
};

} // namespace attnlab::ui
