// Where the user is in the window, beyond the document and the view state: saved and restored, and the actions that go
// to a place.
#pragma once

#include "ui/matrix/viewport.h"
#include "ui/model/model_page.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/window/learn_mode.h"
#include "ui/window/panel_docks.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

#include <optional>

namespace attnlab::ui {

class MainWindow;

/// Taken from the widgets of a window before they are deleted, and restored in those made instead.
class WindowState {
public:
    /// The lessons are empty afterwards: their scenes are moved.
    explicit WindowState(MainWindow& window);

    /// Once; the widgets must have received the result.
    void restore(MainWindow& window);
    /// Scrolls, zooms and plays where the user was, and focuses; the widgets must have their final sizes.
    void restoreViews(MainWindow& window) const;

private:
    QByteArray layout_;
    PanelDocks::Hidden hidden_; ///< of the inspector
    bool shows_model_, at_map_;
    QString page_;
    bool full_screen_;
    bool painting_;
    bool fill_form_, all_remarks_;
    InputsPanel::State inputs_;
    CompareWithFilePage::State compare_with_file_;
    ModelPage::State model_;
    // By the place of the widget in the window: pages may be made in another order.
    QHash<QString, int> choices_, sliders_, tabs_;
    QHash<QString, bool> checks_;
    QHash<QString, ViewPosition> zooms_;
    QString focus_; ///< the place of the focused widget
    LearnMode::State learn_;
};

} // namespace attnlab::ui

class QStackedWidget;

namespace attnlab::ui {

class MainWindow;

/// Connects the actions of the places (menu Go, rail, Ctrl+1 to Ctrl+4), and checks the one where the user is. Each
/// place keeps its state while another one is on show. A document that is shown as a map opens in the place Map, which
/// shows all of a head; Workspace then shows cells of it, at first those around the chosen one, or in the middle.
class Places : public QObject {
    Q_OBJECT
public:
    /// `modes` fills the centre of the window: the workspace is its first page. A child of `window`.
    Places(MainWindow& window, const QStackedWidget& modes);

    /// Whether a document that is shown as a map is at the place Map, and not at the workspace.
    bool isAtMap() const { return at_map_; }
    void setAtMap(bool at_map);

private:
    void goToWorkspace(bool map);
    void follow();

    MainWindow& window_;
    const QStackedWidget& modes_;
    bool is_large_ = false;                             ///< the document is shown as a map
    bool at_map_ = true;                                ///< the place of a map, rather than the workspace
    std::optional<ViewPosition> map_seen_, cells_seen_; ///< of a map, where these places were left
};

} // namespace attnlab::ui
