// Controls of one setting, in the header of its card.
#pragma once

#include "core/lab/board.h"

#include <QWidget>

#include <string_view>

class QComboBox;
class QToolButton;

namespace attnlab::ui {

class Chip;
class MaskEditor;
class ParameterForm;
class Picker;

class CardControls : public QWidget {
    Q_OBJECT
public:
    explicit CardControls(QWidget* parent = nullptr);
    ~CardControls() override;

    /// True when a view enables controls for a setting.
    static bool any(const lab::BoardSpec& view, const lab::SceneSetting& setting);
    /// True when they show the setting's title.
    static bool sayTitle(const lab::BoardSpec& view);

    /// Shows the enabled controls for the setting `index` of the scene; `drawn` is the result of the draw. `removable`:
    /// the setting may be removed.
    void follow(const lab::Scene& scene, std::size_t index, const lab::BoardSpec& view, const TensorMap& drawn,
                const Trace* trace, bool removable);

    Picker* scale() const { return scale_; }
    ParameterForm* scaleForm() const { return scale_form_; }
    Chip* masks() const { return masks_; }
    /// The popup of the masks' button.
    MaskEditor* maskEditor() const { return editor_; }
    QComboBox* fillMode() const { return fill_mode_; }
    QComboBox* fill() const { return fill_; }
    QComboBox* precision() const { return precision_; }
    QToolButton* removeButton() const { return remove_; }

signals:
    /// Edited by the user: the new setting.
    void edited(const attnlab::lab::SceneSetting& setting);
    void removeRequested();
    /// A text that is not a number; an explanation.
    void refused(const QString& why);

private:
    void build();
    void showSetting();
    void chooseScale(const QString& id);
    void applyFill();
    void emitEdited(lab::SceneSetting setting);

    lab::SceneSetting setting_;
    std::string_view listed_; ///< the mechanism whose scales are listed
    Picker* scale_;
    ParameterForm* scale_form_;
    Chip* masks_;
    MaskEditor* editor_;
    QComboBox* fill_mode_;
    QComboBox* fill_;
    QComboBox* precision_;
    QToolButton* remove_;
};

} // namespace attnlab::ui
