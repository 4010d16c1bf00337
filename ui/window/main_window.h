// The main window: what lives as long as it, and the parts that are made for one language.
#pragma once

#include "ui/document/document.h"
#include "ui/document/view_state.h"
#include "ui/window/results.h"

#include <QMainWindow>

namespace attnlab {
class MapEngine;
}

namespace attnlab::ui {

class Actions;
class Commands;
class FileController;
class HeadsView;
class InputsPanel;
class LearnMode;
class MaskPainter;
class MaskPanel;
class MatrixPage;
class MechanismBar;
class Menus;
class MessageBar;
class ModelMode;
class ModelSession;
class PanelDocks;
class Places;
class ShownFiles;
class StageStrip;
class OutdatedOverlay;
class StatusLine;
class WindowPages;
class WorkArea;
class Workspace;

/// What is no widget (document, view, results, files), and what reports, lives as long as the window. Everything else
/// is made for one language, and made anew for another.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `backends` must outlive the window.
    explicit MainWindow(Backends backends, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// See Windows::setDeviceLine().
    void setDeviceLine(const Message& line);
    /// Sets the engine for maps of large problems; null: the CPU. Must outlive the window.
    void setMapEngine(const MapEngine* engine) { results_->large().session().setEngine(engine); }
    /// What the program is made of, a line each, for a report of a problem.
    void setBuildReport(const QString& report) { build_report_ = report; }
    const QString& buildReport() const { return build_report_; }

    Document& document() { return document_; }
    ViewState& viewState() { return view_; }
    Actions& actions() { return *actions_; }
    FileController& files() { return *files_; }
    Results& results() { return *results_; }
    /// The latest result; null before the first.
    ComputedPtr computed() const { return results_->computed(); }
    /// For the document, or for a capture that covers it.
    bool isComputing() const;

    MaskPainter* maskPainter() const { return painter_; }
    MechanismBar* mechanismBar() const;
    WorkArea* workArea() const;
    StageStrip* stageStrip() const;
    WindowPages* centre() const;
    MatrixPage* matrixPage() const;
    LargeInputs* largeInputs() const { return &results_->large(); }
    InputsPanel* inputs() const;
    /// That of the workspace; cards of a lab have others.
    MaskPanel* masks() const;
    HeadsView* heads() const;
    LearnMode* learnMode() const { return learn_; }
    ModelMode* modelMode() const { return model_mode_; }
    /// Opens files: a model, a lesson, or a document.
    void open(const QStringList& paths);
    /// True for a model or a lesson, which leaves the document as it is.
    static bool isOpenedAlone(const QStringList& paths);
    /// Files of other programs, and the file that is watched.
    ShownFiles& shownFiles() { return *shown_files_; }
    MessageBar* messageBar() const { return messages_; }
    OutdatedOverlay* outdatedOverlay() const { return overlay_; }
    MessageBar* offers() const { return offers_; }
    PanelDocks* panelDocks() const;

signals:
    /// Every view shows the latest result.
    void settled();
    /// The user asks for another window with a document of its own.
    void newWindowRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    /// Tab follows the reading order.
    bool focusNextPrevChild(bool next) override;

private:
    bool openAlone(const QStringList& paths);
    void build();
    void tearDown();
    void rebuild();
    void showTitle();

    QString build_report_;
    Document document_;
    ViewState view_;
    MessageBar* messages_;
    MessageBar* offers_; ///< of unsaved work; above the messages, which do not replace it
    FileController* files_;
    MaskPainter* painter_;
    OutdatedOverlay* overlay_;
    StatusLine* status_;
    Results* results_;
    ModelSession* model_;
    ShownFiles* shown_files_;

    Actions* actions_;
    Commands* commands_;
    Menus* menus_;
    Workspace* workspace_ = nullptr; ///< null while another language is made
    LearnMode* learn_;
    ModelMode* model_mode_;
    Places* places_;
};

} // namespace attnlab::ui
