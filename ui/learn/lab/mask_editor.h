// Edits the masks of one setting of a scene: presets, a grid to paint on, and the arrays that they read.
#pragma once

#include "core/lab/scene.h"
#include "ui/document/document.h"
#include "ui/document/view_state.h"
#include "ui/panels/mask/mask_painter.h"

#include <QFrame>

#include <map>

class QFormLayout;
class QLineEdit;

namespace attnlab::ui {

class MaskPanel;

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
