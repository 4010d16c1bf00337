// The preferences: all settings of the program that outlive a document, in one dialog.
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace attnlab::ui {

class MainWindow;

/// Writes the settings, and applies them to the window, when accepted.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(MainWindow& window);

    QComboBox* themes() const { return theme_; }
    QComboBox* languages() const { return language_; }
    QCheckBox* reducedMotion() const { return motion_; }
    QCheckBox* reopensLast() const { return reopens_; }
    QSpinBox* mapCells() const { return cells_; }   ///< thousands of cells
    QSpinBox* mapMemory() const { return memory_; } ///< MiB
    QSpinBox* undoMemory() const { return undo_; }  ///< MiB

    void accept() override;

private:
    void fill();

    MainWindow& window_;
    QComboBox *theme_, *language_;
    QCheckBox *motion_, *reopens_;
    QSpinBox *cells_, *memory_, *undo_;
};

} // namespace attnlab::ui
