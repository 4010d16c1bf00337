// Edits the input numbers of a scene in a separate window.
#pragma once

#include "ui/document/document.h"

#include <QDialog>

class QTabBar;

namespace attnlab::ui {

class SceneModel;
class TensorModel;
class TensorTable;

/// A table for each tensor. The first edit of drawn numbers makes them the scene's own and ends the draw.
class InputsEditor : public QDialog {
    Q_OBJECT
public:
    /// `model` must outlive the editor.
    InputsEditor(SceneModel& model, QWidget* parent);

    void open() override;
    TensorTable* table() const { return table_; }
    QTabBar* tabs() const { return tabs_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void takeEdit();
    void showTabs();
    void colorTabs();

    SceneModel& model_;
    Document document_;
    TensorModel* numbers_;
    QTabBar* tabs_;
    TensorTable* table_;
    bool following_ = false;
};

} // namespace attnlab::ui
