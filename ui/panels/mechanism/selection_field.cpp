#include "ui/panels/mechanism/selection_field.h"

#include "ui/panels/mechanism/more_popup.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/picker.h"

#include <QBoxLayout>

namespace attnlab::ui {

SelectionField::SelectionField(QBoxLayout& row, MorePopup& more, int group, QWidget* bar)
    : QObject(bar), picker_(new Picker(bar)), row_(new ParameterForm(ParameterForm::Arrangement::Row, bar)),
      column_(new ParameterForm(ParameterForm::Arrangement::Column, &more)) {
    for (auto* form : {row_, column_}) {
        form->hide();
        connect(form, &ParameterForm::valuesChanged, this, &SelectionField::merge);
    }
    row.addWidget(picker_);
    row.addWidget(row_);
    more.add(group, column_);
}

void SelectionField::setParameters(std::span<const Parameter> declared, std::size_t in_row,
                                   const ParameterValues& values) {
    declared_ = declared;
    values_ = completed(declared, values);
    const auto first = declared.first(std::min(in_row, declared.size()));
    row_->setParameters(first, values_);
    column_->setParameters(declared.subspan(first.size()), values_);
    // Parameters of a choice that is not made are irrelevant.
    for (const auto& parameter : declared)
        for (auto* form : {row_, column_})
            form->setShown(parameter.name, holds(parameter.when, declared, values_));
    row_->setVisible(!row_->parameters().empty());
    column_->setVisible(!column_->parameters().empty());
}

QWidget* SelectionField::field(std::string_view name) const {
    QWidget* in_row = row_->field(name);
    return in_row ? in_row : column_->field(name);
}

void SelectionField::merge(const ParameterValues& changed, int gesture) {
    auto values = values_;
    for (const auto& [name, value] : changed.all())
        values.set(name, value);
    values_ = values;
    emit valuesChanged(values, gesture);
}

} // namespace attnlab::ui
