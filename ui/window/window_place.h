// Where the user is in the window, beyond the document and the view state.
#pragma once

#include "ui/matrix/stages/head_order.h"
#include "ui/matrix/viewport.h"
#include "ui/pages/compare/against_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/window/learn_mode.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace attnlab::ui {

class MainWindow;

/// Taken from the widgets of a window before they are deleted, and restored in those made instead.
class WindowPlace {
public:
    /// The lessons are empty afterwards: their scenes are moved.
    explicit WindowPlace(MainWindow& window);

    /// Once; the widgets must have received the result.
    void restore(MainWindow& window);
    /// Scrolls, zooms and plays where the user was, and focuses; the widgets must have their final sizes.
    void restoreViews(MainWindow& window) const;

private:
    QByteArray layout_;
    bool inspector_aside_;
    bool shows_model_;
    QString page_;
    bool full_screen_;
    bool painting_;
    bool fill_form_, all_remarks_;
    HeadOrder order_;
    InputsPanel::Place inputs_;
    AgainstPage::Place against_;
    // In the order of the widgets.
    std::vector<int> choices_, sliders_;
    std::vector<bool> checks_;
    std::vector<ViewPosition> zooms_;
    const QMetaObject* focus_class_;
    qsizetype focus_; ///< index in its class
    LearnMode::Place learn_;
};

} // namespace attnlab::ui
