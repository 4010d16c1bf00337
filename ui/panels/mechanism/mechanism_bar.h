// The row below the menu: mechanism, scale, position, how weights are made, and their parameters.
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
class QToolButton;
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
    /// True when nothing in it would be visible.
    bool isEmpty() const;
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
    /// Moves the picker from the row into the popup, and back.
    void setInRow(bool in_row);
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

    QBoxLayout* bar_row_ = nullptr;
    OverflowPopup& more_;
    int group_;
    Picker* picker_;
    ParameterForm* row_;
    ParameterForm* column_;
    std::span<const Parameter> declared_;
    ParameterValues values_;
};

} // namespace attnlab::ui

// The row below the menu: mechanism, scale, position, and their parameters.

class QAction;
class QCheckBox;
class QHBoxLayout;

namespace attnlab {
struct Mechanism;
} // namespace attnlab

namespace attnlab::ui {

class Picker;
class RowButton;

/// Shows and edits variant, scale, position and their parameters of one setting of a document, using the tables of
/// core. In a narrow row, controls move behind a button. Beside the row of stages, whose operations are buttons, they
/// are in trays of these.
class MechanismBar : public QWidget {
    Q_OBJECT
public:
    /// For the displayed setting, or for ComparedSide::Side::B; the shortcuts of the pickers apply to A.
    explicit MechanismBar(const ComparedSide& setting, QWidget* parent = nullptr);

    /// Groups of controls: those of one operation, or all.
    enum class Tray { Scores, Scale, Weights, All };
    /// The row of stages in the middle of the bar. While it is hidden, the controls are in the row. `opens` says
    /// whether one of its operations opens a tray now; a button of the bar opens all other groups.
    void setStages(QWidget* stages, std::function<bool(Tray)> opens);
    /// Opens below `anchor`, in global coordinates.
    void openTray(Tray tray, const QRect& anchor);
    /// Above the controls of the mechanism.
    void addToTray(QWidget* part);
    /// Below those of the normaliser.
    void addToWeightsTray(QWidget* part);

    /// As the pickers do.
    void chooseVariant(const QString& id);

    enum class ButtonStyle { Normal, Accent };
    /// A button for `action` at the right end, after earlier ones. Follows its text, icon, state and visibility.
    void addActionButton(QAction* action, ButtonStyle style = ButtonStyle::Normal);

    /// A button without words, before those of addActionButton(). A narrow row beside the stages leaves it out.
    void addIconButton(QAction* action);

    /// Parts, for tests and guided tours.
    Picker* variantPicker() const { return picker(Choice::Mechanism); }
    Picker* scalePicker() const { return picker(Choice::Scale); }
    Picker* positionPicker() const { return picker(Choice::Position); }
    Picker* normaliserPicker() const { return picker(Choice::Normaliser); }
    Picker* decayPicker() const { return picker(Choice::Decay); }
    /// Visible only with a normaliser beside softmax or a decay.
    RowButton* weightsButton() const { return weights_button_; }
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
    enum class Choice { Mechanism, Scale, Position, Normaliser, Decay };
    /// The controls that have moved behind the button; each level includes the previous ones.
    enum Narrowness { Wide, WithoutPosition, WithoutVariant, WithoutScale, NarrownessCount, InTrays = NarrownessCount };

    SelectionField* field(Choice choice) const { return fields_[static_cast<std::size_t>(choice)]; }
    Picker* picker(Choice choice) const;
    void follow();
    void showSpec(const AttentionSpec& spec);
    void showNarrowness(Narrowness narrowness);
    void showMoreButton();
    void showActions();
    bool isNarrowerThan(int lines) const;
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
    QWidget* stages_ = nullptr;
    std::function<bool(Tray)> opens_; ///< by operations of the stages
    std::vector<std::pair<QAction*, RowButton*>> actions_;
    std::vector<QToolButton*> icons_;
    QHBoxLayout* icon_row_ = nullptr; ///< null without icons
    bool snug_ = false;               ///< beside the stages there is no room for icons before words
    bool cramped_ = false;            ///< the stages need the room of other buttons
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
