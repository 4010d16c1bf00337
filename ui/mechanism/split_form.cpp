#include "ui/mechanism/split_form.h"

#include "ui/mechanism/parameter_form.h"

namespace attnlab::ui {

SplitForm::SplitForm(QWidget* row_parent, QWidget* column_parent, QObject* parent)
    : QObject(parent), row_(new ParameterForm(ParameterForm::Arrangement::Row, row_parent)),
      column_(new ParameterForm(ParameterForm::Arrangement::Column, column_parent)) {
    for (auto* form : {row_, column_}) {
        form->hide();
        connect(form, &ParameterForm::valuesChanged, this, &SplitForm::merge);
    }
}

void SplitForm::setParameters(std::span<const Parameter> declared, std::size_t in_row, const ParameterValues& values) {
    values_ = completed(declared, values);
    const auto first = declared.first(std::min(in_row, declared.size()));
    row_->setParameters(first, values_);
    column_->setParameters(declared.subspan(first.size()), values_);
    // Those of a choice that is not made have nothing to say.
    for (const auto& parameter : declared)
        for (auto* form : {row_, column_})
            form->setShown(parameter.name, holds(parameter.when, declared, values_));
    row_->setVisible(!row_->parameters().empty());
    column_->setVisible(!column_->parameters().empty());
}

QWidget* SplitForm::field(std::string_view name) const {
    QWidget* in_row = row_->field(name);
    return in_row ? in_row : column_->field(name);
}

void SplitForm::merge(const ParameterValues& changed, int gesture) {
    auto values = values_;
    for (const auto& [name, value] : changed.all())
        values.set(name, value);
    values_ = values;
    emit valuesChanged(values, gesture);
}

} // namespace attnlab::ui
