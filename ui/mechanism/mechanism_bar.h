// The row under the menu: which mechanism, which scale, and their parameters.
#pragma once

#include "core/attention.h"
#include "ui/setting.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;

namespace attnlab {
struct Variant;
struct ScaleMode;
} // namespace attnlab

namespace attnlab::ui {

class ParameterForm;
class Picker;
class RowButton;

/// Shows and edits variant, scale and parameters of one setting of a document. Everything comes from the tables of
/// core.
class MechanismBar : public QWidget {
    Q_OBJECT
public:
    /// For what the document shows, or for Setting::Side::B; the keys that open the pickers are those of A.
    explicit MechanismBar(const Setting& setting, QWidget* parent = nullptr);

    enum class ButtonStyle { Normal, Accent };
    /// A button for `action` at the right end, after those added before. Follows its text, icon, state and visibility.
    void addActionButton(QAction* action, ButtonStyle style = ButtonStyle::Normal);

    /// Parts, for tests and guided tours.
    Picker* variantPicker() const { return variant_picker_; }
    Picker* scalePicker() const { return scale_picker_; }
    QCheckBox* afterSoftmax() const { return after_softmax_; }
    /// The field of a parameter of the variant or the scale, wherever it is; null when there is none.
    QWidget* parameterField(std::string_view name) const;
    RowButton* moreButton() const { return more_button_; }

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void showSpec(const AttentionSpec& spec);
    /// Moves all parameters of the variant behind the button where the row is too narrow, and back.
    void fit();
    void showVariant(const Variant& chosen, const AttentionSpec& spec);
    void showScale(const Variant& chosen, const AttentionSpec& spec);
    void retranslate();
    void openMore();

    void chooseVariant(const QString& id);
    void chooseScale(const QString& id);
    void setVariantParameters(const ParameterValues& values, int gesture);
    void setScaleParameters(const ParameterValues& values, int gesture);
    void setAfterSoftmax(bool on);

    Setting setting_;
    QHBoxLayout* row_;
    Picker* variant_picker_;
    ParameterForm* variant_form_; ///< the first parameters, in the row
    RowButton* more_button_;      ///< opens the rest
    QWidget* more_popup_;
    ParameterForm* more_form_;
    Picker* scale_picker_;
    ParameterForm* scale_form_;
    QCheckBox* after_softmax_;
    bool compact_ = false;
    int full_width_ = 0;                     ///< what the row needs when it is not compact
    const Variant* shown_variant_ = nullptr; ///< whose default scale the scale picker marks
};

} // namespace attnlab::ui
