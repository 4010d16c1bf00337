// The row below the menu: mechanism, scale, position, and their parameters.
#pragma once

#include "core/attention.h"
#include "ui/document/compared_side.h"

#include <QWidget>

#include <array>

class QAction;
class QCheckBox;
class QHBoxLayout;

namespace attnlab {
struct Variant;
} // namespace attnlab

namespace attnlab::ui {

class MorePopup;
class Picker;
class RowButton;
class SelectionField;

/// Shows and edits variant, scale, position and their parameters of one setting of a document, using the tables of
/// core. In a narrow row, controls move behind a button.
class MechanismBar : public QWidget {
    Q_OBJECT
public:
    /// For the displayed setting, or for ComparedSide::Side::B; the shortcuts of the pickers apply to A.
    explicit MechanismBar(const ComparedSide& setting, QWidget* parent = nullptr);

    enum class ButtonStyle { Normal, Accent };
    /// A button for `action` at the right end, after earlier ones. Follows its text, icon, state and visibility.
    void addActionButton(QAction* action, ButtonStyle style = ButtonStyle::Normal);

    /// Parts, for tests and guided tours.
    Picker* variantPicker() const { return picker(Choice::Variant); }
    Picker* scalePicker() const { return picker(Choice::Scale); }
    Picker* positionPicker() const { return picker(Choice::Position); }
    /// The visible one: in the row or behind the button.
    QCheckBox* afterSoftmax() const { return narrowness_ < WithoutScale ? after_softmax_ : more_after_softmax_; }
    /// The field of a parameter of the variant, the scale or the position, wherever it is; null if there is none.
    QWidget* parameterField(std::string_view name) const;
    /// Visible only while setting A imitates a narrower type.
    RowButton* roundingButton() const { return rounding_button_; }
    RowButton* moreButton() const { return more_button_; }

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Choice { Variant, Scale, Position };
    /// The controls that have moved behind the button; each level includes the previous ones.
    enum Narrowness { Wide, WithoutPosition, WithoutVariant, WithoutScale, NarrownessCount };

    SelectionField* field(Choice choice) const { return fields_[static_cast<std::size_t>(choice)]; }
    Picker* picker(Choice choice) const;
    void follow();
    void showSpec(const AttentionSpec& spec);
    void showNarrowness(Narrowness narrowness);
    void fit();
    void showVariant(const Variant& chosen, const AttentionSpec& spec);
    void showScale(const Variant& chosen, const AttentionSpec& spec);
    void showAfterSoftmax(const Variant& chosen, const AttentionSpec& spec);
    void showPosition(const Variant& chosen, const AttentionSpec& spec);

    void chooseVariant(const QString& id);
    void chooseScale(const QString& id);
    void choosePosition(const QString& id);
    void setParameters(Choice choice, const ParameterValues& values, int gesture);
    void setAfterSoftmax(bool on);

    ComparedSide setting_;
    QHBoxLayout* row_;
    MorePopup* more_popup_;
    std::array<SelectionField*, 3> fields_{}; ///< by Choice
    QCheckBox* after_softmax_ = nullptr;
    QCheckBox* more_after_softmax_ = nullptr; ///< the same behind the button
    RowButton* rounding_button_ = nullptr;
    RowButton* more_button_ = nullptr;
    Narrowness narrowness_ = Wide;
    std::array<int, NarrownessCount> needed_; ///< width of the row at each level; -1: not measured
    const Variant* shown_variant_ = nullptr;  ///< the variant whose default and refusals the pickers show
};

} // namespace attnlab::ui
