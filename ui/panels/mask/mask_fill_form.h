// The value of blocked cells, and the meaning of True in attn_mask.
#pragma once

#include "ui/document/compared_side.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class MaskFillForm : public QWidget {
    Q_OBJECT
public:
    explicit MaskFillForm(const ComparedSide& setting, QWidget* parent = nullptr);
    ~MaskFillForm() override;

    QComboBox* mode() const { return mode_; }
    /// Editable: one of the usual fills or any other number.
    QComboBox* value() const { return value_; }
    QComboBox* meaning() const { return meaning_; }

    /// Reads "-1e9", "−∞", "-inf", "−0,5". nullopt for NaN, +∞ and text that is not a number.
    static std::optional<double> parseFill(QString text);

signals:
    void refused(const QString& why);

private:
    void applyValue();
    void showSetting();

    ComparedSide setting_;
    QComboBox* mode_;
    QComboBox* value_;
    QLabel* meaning_label_;
    QComboBox* meaning_;
    QLabel* meaning_words_;
};

} // namespace attnlab::ui
