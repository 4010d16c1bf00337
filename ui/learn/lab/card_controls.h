// What the reader may change about one setting, in the heading of its card.
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

    /// Whether a view leaves anything of a setting to change.
    static bool any(const lab::BoardSpec& view, const lab::SceneSetting& setting);
    /// Whether they say what the setting is called.
    static bool sayTitle(const lab::BoardSpec& view);

    /// Shows what may be changed of the setting `index` of the scene; `drawn` is what the draw gave. `removable`: it
    /// may be taken away.
    void follow(const lab::Scene& scene, std::size_t index, const lab::BoardSpec& view, const TensorMap& drawn,
                const Trace* trace, bool removable);

    Picker* scale() const { return scale_; }
    ParameterForm* scaleForm() const { return scale_form_; }
    Chip* masks() const { return masks_; }
    /// What the button of the masks opens.
    MaskEditor* maskEditor() const { return editor_; }
    QComboBox* fillMode() const { return fill_mode_; }
    QComboBox* fill() const { return fill_; }
    QComboBox* precision() const { return precision_; }
    QToolButton* removeButton() const { return remove_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    /// By the user: another setting in its place.
    void edited(const attnlab::lab::SceneSetting& setting);
    void removeRequested();
    /// A text that is no number, in words.
    void refused(const QString& why);

private:
    void build();
    void showSetting();
    void chooseScale(const QString& id);
    void applyFill();
    void openMasks();
    void emitEdited(lab::SceneSetting setting);

    lab::SceneSetting setting_;
    std::string_view listed_; ///< the mechanism whose scales the picker lists
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
