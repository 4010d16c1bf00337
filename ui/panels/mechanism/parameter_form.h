// A form generated from parameter declarations.
#pragma once

#include "core/parameter.h"

#include <QWidget>

#include <span>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace attnlab::ui {

class NumberField;

/// One field for each parameter. Emits only complete, valid values.
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    enum class Arrangement { Column, Row };
    explicit ParameterForm(Arrangement arrangement = Arrangement::Column, QWidget* parent = nullptr);
    ~ParameterForm() override;

    /// `declared` must outlive the form. `values` may be incomplete or invalid: the declared defaults are shown
    /// instead. The same declarations keep the fields, their focus and text being typed.
    void setParameters(std::span<const Parameter> declared, const ParameterValues& values);
    std::span<const Parameter> parameters() const { return declared_; }
    /// Complete.
    const ParameterValues& values() const { return values_; }

    /// The field of a parameter: a NumberField, QCheckBox, QComboBox or, for a list, QLineEdit. Null for an unknown
    /// parameter.
    QWidget* field(std::string_view name) const;
    /// Shows or hides a field with its label; ignores an unknown name.
    void setShown(std::string_view name, bool shown);

signals:
    /// By the user. Edits of one interaction (typing in a field, repeated steps) share a gesture number.
    void valuesChanged(const attnlab::ParameterValues& values, int gesture);

private:
    struct Row {
        const Parameter* parameter;
        QLabel* label = nullptr;     ///< null for check boxes, which show their title
        QLabel* complaint = nullptr; ///< only in a column
        NumberField* number = nullptr;
        QCheckBox* check = nullptr;
        QComboBox* combo = nullptr;
        QLineEdit* list = nullptr;

        QWidget* field() const;
    };

    void build();
    Row makeRow(const Parameter& parameter);
    void connectNumber(const Row& row);
    void connectList(const Row& row);
    void complain(const Row& row, const QString& text);
    void edited(const Parameter& parameter, const ParameterValue& value, bool run);
    void showValues();

    Arrangement arrangement_;
    std::span<const Parameter> declared_;
    ParameterValues values_;
    std::vector<Row> rows_;
    int gesture_ = 0; ///< of the current interaction, or 0
    const Parameter* running_ = nullptr;
};

/// `values` where declared and allowed, defaults otherwise.
ParameterValues completed(std::span<const Parameter> declared, const ParameterValues& values);

} // namespace attnlab::ui
