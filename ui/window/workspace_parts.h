// The workspace: the row of its tools, the pages and the panels, and what connects them with the document.
#pragma once

#include "core/stages/scale.h"

#include <optional>
#include <QObject>
#include <QToolBar>

class QMainWindow;
class QStackedWidget;
class QToolBar;

namespace attnlab::ui {

class Actions;
class Document;
class FileController;
class FormulaPanel;
class InputsPanel;
class InspectorPanel;
class MaskPainter;
class MaskPanel;
class MaskTray;
class MechanismBar;
class MessageBar;
class PanelDocks;
class Rail;
class RemarksBar;
class Results;
class ScaleSlider;
class TopBar;
class OutdatedOverlay;
class ViewState;
class WorkArea;

/// What the workspace shows and edits, and the window that gets its bars and panels. All must outlive the workspace.
struct WorkspaceParts {
    QMainWindow& window;
    Actions& actions;
    Document& document;
    ViewState& view;
    FileController& files;
    Results& results;
    MaskPainter& painter;
    OutdatedOverlay& overlay;
    MessageBar& messages;
};

/// Made for one language.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(const WorkspaceParts& parts);
    /// Deletes the widgets.
    ~Workspace() override;

    /// The row above every page.
    TopBar& top() const { return *top_; }
    /// Of the document; there is room for `longer`.
    void setTitle(const QString& title, const QString& longer);
    MechanismBar* mechanism() const { return mechanism_; }
    WorkArea* area() const { return area_; }
    MaskTray* maskTray() const { return mask_tray_; }
    MaskPanel* masks() const { return masks_; }
    PanelDocks* panels() const { return panels_; }
    InputsPanel* inputs() const { return inputs_; }
    /// What fills the centre of the window: the workspace is its first page, others cover it.
    QStackedWidget& modes() const { return *modes_; }

    /// Arranges the panels as the user left them, and gives one of the widgets the focus.
    void start();
    /// Fits panels and margins to the size of the window.
    void fit();

signals:
    /// The user asks what the mechanism computes.
    void referenceRequested();

private:
    void buildPanels();
    void markStale();
    void connectResults();
    void connectEditing();
    void offerStages();
    void showWeightsAs(const QString& view);
    void offerOperators();
    void connectOperators();
    void connectScrubs();
    void connectBefore();
    std::optional<ScaleContext> scaleContext() const;
    void showSlider(ScaleSlider& slider);
    void connectPanels();

    WorkspaceParts parts_;
    TopBar* top_;
    MechanismBar* mechanism_;
    RemarksBar* remarks_;
    WorkArea* area_;
    QStackedWidget* modes_;
    PanelDocks* panels_;
    Rail* rail_;
    InputsPanel* inputs_;
    FormulaPanel* formula_;
    InspectorPanel* inspector_;
    MaskPanel* masks_;
    MaskTray* mask_tray_;
    ScaleContext large_context_{}; ///< of a map
};

class Actions;
class PanelDocks;

/// The bar at the left edge of the window: its places, and in the workspace the panels of the inputs.
class Rail : public QToolBar {
    Q_OBJECT
public:
    Rail(const Actions& actions, const PanelDocks& panels);

    /// Shows what opens panels.
    void showTools(bool shown);

private:
    QList<QAction*> tools_;
};

} // namespace attnlab::ui
