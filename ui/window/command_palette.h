// The command palette: one list of everything that can be done or opened, searched by words.
#pragma once

#include "ui/panels/mechanism/picker.h"

#include <functional>
#include <QFrame>
#include <vector>

class QLineEdit;

namespace attnlab::ui {

class MainWindow;
class StateBox;

struct PaletteEntry {
    PickerItem item; ///< without an id
    std::function<void()> run;
    /// English words that find it in every language: its name, and all others. Empty: its texts are as they are.
    QString source_title = {}, source_texts = {};
};

/// Actions that apply, stages, samples, mechanisms, lessons, heads and tokens of the window.
std::vector<PaletteEntry> paletteEntries(MainWindow& window);

/// A popup in the upper third of its parent's window. With words, those entries whose texts contain all of them, in the
/// language of the window or in English, titles that begin with them first; without, everything in groups. Enter or a
/// click runs an entry.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);

    void open(std::vector<PaletteEntry> entries);

    QLineEdit* search() const { return search_; }
    PickerView* view() const { return view_; }
    /// The titles on show, in order.
    QStringList titles() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void endAtEntry();
    void run(const QString& id);

    QLineEdit* search_;
    PickerView* view_;
    StateBox* nothing_; ///< that nothing was found
    std::vector<PaletteEntry> entries_;
};

} // namespace attnlab::ui
