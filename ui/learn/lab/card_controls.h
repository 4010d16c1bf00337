// Controls of one setting in the header of its card, and the editor of its masks.
#pragma once

#include "core/lab/board.h"
#include "core/lab/scene.h"
#include "ui/document/document.h"
#include "ui/document/view_state.h"
#include "ui/panels/mask/mask_painter.h"

#include <map>
#include <QFrame>
#include <QWidget>
#include <string_view>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QToolButton;

namespace attnlab::ui {

class Chip;
class MaskEditor;
class MaskPanel;
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
    static bool replacesTitle(const lab::BoardSpec& view);

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

// Edits the masks of one setting of a scene: presets, a grid to paint on, and the arrays that they read.

/// A popup. Edits a private document that represents the setting, so that all mask widgets can be used here.
class MaskEditor : public QFrame {
    Q_OBJECT
public:
    explicit MaskEditor(QWidget* parent);

    void follow(const lab::Scene& scene, const lab::SceneSetting& setting, const TensorMap& drawn, const Trace* trace);
    /// Opens below `anchor`.
    void open(const QWidget& anchor);

    MaskPanel* panel() const { return panel_; }
    /// The field of a small array that a mask reads ("valid_lens"); null if no mask reads it.
    QLineEdit* line(const std::string& array) const;

signals:
    /// By the user.
    void edited(const attnlab::lab::SceneSetting& setting);

private:
    void takeEdit();
    void showArrays();
    void applyArray(const std::string& name, QLineEdit* line);

    Document document_;
    ViewState view_;
    MaskPainter painter_;
    MaskPanel* panel_;
    QFormLayout* arrays_;
    std::map<std::string, QLineEdit*> lines_;
    lab::SceneSetting setting_;
    TensorMap shared_; ///< those of the scene and its draw
    bool following_ = false;
};

} // namespace attnlab::ui
