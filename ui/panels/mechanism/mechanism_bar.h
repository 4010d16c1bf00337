// The controls of a mechanism: which it is, scale, position, how weights are made, and their parameters.
#pragma once

#include "core/attention.h"
#include "core/parameter.h"
#include "ui/document/document.h"
#include "ui/widgets/popups.h"

#include <array>
#include <functional>
#include <optional>
#include <QList>
#include <QObject>
#include <QWidget>
#include <span>
#include <utility>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace attnlab::ui {

/// Groups of controls with headings, in a popup. A group without visible controls has no heading either.
class OverflowPopup : public Popup {
    Q_OBJECT
public:
    explicit OverflowPopup(QWidget* parent);

    /// Appends a control, or inserts it before the others.
    void add(int group, QWidget* part, bool first = false);
    /// Inserts a text before the controls; the focus begins below it.
    void addText(int group, QWidget* text);
    void setHeading(int group, const QString& text);
    /// True when nothing in it would be visible, or nothing in these groups.
    bool isEmpty() const;
    bool isEmpty(const std::vector<int>& shown) const;
    /// Opens below `anchor`, in global coordinates, with these groups alone.
    void openWith(const std::vector<int>& groups, const QRect& anchor);

private:
    struct Group {
        QWidget* box;
        QLabel* heading;
        QVBoxLayout* column;
    };
    Group& group(int index);
    static bool shows(const Group& group);

    QVBoxLayout* column_;
    std::vector<Group> groups_;
    QList<const QWidget*> texts_; ///< parts that explain
};

} // namespace attnlab::ui

// One choice of the mechanism bar: the picker, and the parameters of the picked item.

class QBoxLayout;

namespace attnlab::ui {

class ParameterForm;
class Picker;

/// The first parameters are in the row beside the picker, the rest in a group of the popup. A form without fields is
/// hidden.
class SelectionField : public QObject {
    Q_OBJECT
public:
    SelectionField(QBoxLayout& row, OverflowPopup& more, int group, QWidget* bar);
    /// All of it in the popup.
    SelectionField(OverflowPopup& more, int group, QWidget* bar);

    Picker* picker() const { return picker_; }
    /// Moves picker and first parameters into another row, before what stands in it from `index` on.
    void moveTo(QBoxLayout& row, int index);
    /// The same without the picker.
    void moveParametersTo(QBoxLayout& row, int index);
    void moveToPopup();
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

    OverflowPopup& more_;
    int group_;
    Picker* picker_;
    ParameterForm* row_;
    ParameterForm* column_;
    std::span<const Parameter> declared_;
    ParameterValues values_;
};

} // namespace attnlab::ui

// A row with the controls of one setting.

class QCheckBox;
class QHBoxLayout;

namespace attnlab {
struct Mechanism;
} // namespace attnlab

namespace attnlab::ui {

class Picker;
class RowButton;
class ToolTray;

/// Shows and edits variant, scale, position and their parameters of one setting of a document, using the tables of
/// core. In a narrow row, controls move behind a button. Beside the row of stages, whose operations are buttons, they
/// are in trays of these.
class MechanismBar : public QWidget {
    Q_OBJECT
public:
    /// For the displayed setting, or for ComparedSide::Side::B; the shortcuts of the pickers apply to A.
    explicit MechanismBar(const ComparedSide& setting, QWidget* parent = nullptr);

    /// Groups of controls: those of one operation, or of the mechanism with all that no operation has.
    enum class Tray { Scores, Scale, Weights, Mechanism };
    /// Beside a row of stages the controls are in trays of its operations; what has no room in one is behind its button
    /// "More". `has_button` says whether an operation is a button now. Before: one popup has all that the row has not.
    void setStages(std::function<bool(Tray)> has_button);
    /// Opens the tray of `opener`, or closes it.
    void openTray(Tray tray, QWidget& opener);
    /// Null before setStages().
    ToolTray* tray(Tray which) const { return trays_[static_cast<std::size_t>(which)]; }
    std::vector<ToolTray*> trays() const;
    /// At the left of the tray.
    void addToTray(Tray which, QWidget* part);
    /// Behind "More" of the mechanism, above its controls.
    void addExplanation(QWidget* text);

    /// As the pickers do.
    void chooseVariant(const QString& id);

    /// Parts, for tests and guided tours.
    Picker* variantPicker() const { return picker(Choice::Mechanism); }
    Picker* scalePicker() const { return picker(Choice::Scale); }
    Picker* positionPicker() const { return picker(Choice::Position); }
    Picker* normaliserPicker() const { return picker(Choice::Normaliser); }
    Picker* decayPicker() const { return picker(Choice::Decay); }
    /// Visible only with a normaliser beside softmax or a decay.
    RowButton* weightsButton() const { return weights_button_; }
    /// The visible one: in the row or behind the button.
    QCheckBox* afterSoftmax() const { return isInRow(WithoutScale) ? after_softmax_ : more_after_softmax_; }
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
    enum class Choice { Mechanism, Scale, Position, Normaliser, Decay };
    /// The controls that have moved behind the button; each level includes the previous ones.
    enum Narrowness { Wide, WithoutPosition, WithoutVariant, WithoutScale, NarrownessCount, InTrays = NarrownessCount };

    SelectionField* field(Choice choice) const { return fields_[static_cast<std::size_t>(choice)]; }
    Picker* picker(Choice choice) const;
    void follow();
    void showSpec(const AttentionSpec& spec);
    void showNarrowness(Narrowness narrowness);
    void showMoreButton();
    void makeTray(Tray which, const QString& name);
    void placeControls();
    void showMoreOfTrays();
    std::vector<int> groupsOf(Tray tray) const;
    static Tray trayOf(Choice choice);
    bool isInRow(Narrowness level) const { return narrowness_ < level || narrowness_ == InTrays; }
    void fit();
    void showVariant(const Mechanism& chosen, const AttentionSpec& spec);
    void showScale(const Mechanism& chosen, const AttentionSpec& spec);
    void showAfterSoftmax(const Mechanism& chosen, const AttentionSpec& spec);
    void showPosition(const Mechanism& chosen, const AttentionSpec& spec);
    void showWeights(const Mechanism& chosen, const AttentionSpec& spec);

    void choose(AttentionSpec spec, const QString& text, int gesture = 0);
    void chooseScale(const QString& id);
    void choosePosition(const QString& id);
    void chooseWeights(Choice choice, const QString& id);
    void setParameters(Choice choice, const ParameterValues& values, int gesture);
    void setAfterSoftmax(bool on);

    ComparedSide setting_;
    QHBoxLayout* row_;
    std::function<bool(Tray)> has_button_; ///< null without a row of stages
    std::array<ToolTray*, 4> trays_{};     ///< by Tray
    std::array<RowButton*, 4> more_of_trays_{};
    OverflowPopup* more_popup_;
    std::array<SelectionField*, 5> fields_{}; ///< by Choice
    QCheckBox* after_softmax_ = nullptr;
    QCheckBox* more_after_softmax_ = nullptr; ///< the same behind the button
    RowButton* weights_button_ = nullptr;
    RowButton* rounding_button_ = nullptr;
    RowButton* more_button_ = nullptr;
    Narrowness narrowness_ = Wide;
    std::array<int, NarrownessCount> needed_; ///< width of the row at each level; -1: not measured
    std::optional<AttentionSpec> shown_;
    const Mechanism* shown_variant_ = nullptr; ///< the variant whose default and refusals the pickers show
};

} // namespace attnlab::ui
