// One choice of the mechanism bar: the picker, and the parameters of the picked item.
#pragma once

#include "core/parameter.h"

#include <QObject>

#include <span>

class QBoxLayout;

namespace attnlab::ui {

class MorePopup;
class ParameterForm;
class Picker;

/// The first parameters are in the row beside the picker, the rest in a group of the popup. A form without fields is
/// hidden.
class SelectionField : public QObject {
    Q_OBJECT
public:
    SelectionField(QBoxLayout& row, MorePopup& more, int group, QWidget* bar);

    Picker* picker() const { return picker_; }
    /// `declared` must outlive the field.
    void setParameters(std::span<const Parameter> declared, std::size_t in_row, const ParameterValues& values);
    std::span<const Parameter> parameters() const { return declared_; }
    /// The field of a parameter; null for an unknown parameter.
    QWidget* field(std::string_view name) const;

signals:
    /// By the user; complete. Edits of one interaction share a gesture number.
    void valuesChanged(const attnlab::ParameterValues& values, int gesture);

private:
    void merge(const ParameterValues& changed, int gesture);

    Picker* picker_;
    ParameterForm* row_;
    ParameterForm* column_;
    std::span<const Parameter> declared_;
    ParameterValues values_;
};

} // namespace attnlab::ui
