// The window: places the panels, hands each what it shows, and nothing more.
#pragma once

#include "ui/computation.h"
#include "ui/document.h"
#include "ui/view_state.h"

#include <QMainWindow>

class QDockWidget;
class QStackedWidget;
class QToolBar;

namespace attnlab {
class MapEngine;
struct Contents;
} // namespace attnlab

namespace attnlab::ui {

class Actions;
class AgainstPage;
class CentrePages;
class ComparePage;
class ExhibitPages;
class FileController;
class FormulaPanel;
class HeadsView;
class InputsPanel;
class InspectorPanel;
class LargeInputs;
class LearnMode;
class MaskPainter;
class MaskPanel;
class MatrixPage;
class MechanismBar;
class MessageBar;
class Page;
class ReferenceDialog;
class RemarksBar;
class StageStrip;
class StaleMarks;
class StatusLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `backends` must outlive the window.
    explicit MainWindow(Backends backends, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// What computes the maps of large problems from now on, where it can; null: the cores. Must outlive the window.
    void setMapEngine(const MapEngine* engine);

    Document& document() { return document_; }
    ViewState& viewState() { return view_; }
    Actions& actions() { return *actions_; }
    FileController& files() { return *files_; }
    /// The newest result; null before the first.
    ComputedPtr computed() const { return computed_; }
    bool isComputing() const { return computation_.isRunning(); }

    InputsPanel* inputsPanel() const { return inputs_; }
    MaskPanel* maskPanel() const { return mask_; }
    MechanismBar* mechanismBar() const { return mechanism_; }
    StageStrip* stageStrip() const { return strip_; }
    CentrePages* centre() const { return centre_; }
    ExhibitPages* exhibits() const { return exhibits_; }
    ComparePage* comparePage() const { return compare_; }
    AgainstPage* againstPage() const { return against_; }
    MatrixPage* matrixPage() const { return matrix_; }
    HeadsView* headsView() const { return heads_; }
    LargeInputs* largeInputs() const { return large_; }
    LearnMode* learnMode() const { return learn_; }
    InspectorPanel* inspector() const { return inspector_; }
    StatusLine* statusLine() const { return status_; }
    MessageBar* messageBar() const { return messages_; }
    RemarksBar* remarksBar() const { return remarks_; }
    StaleMarks* staleMarks() const { return stale_; }
    MessageBar* offers() const { return offers_; }
    ReferenceDialog* reference() const { return reference_; }

signals:
    /// Every view shows the newest result.
    void settled();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void addPage(const char* id, const char* title, Page* page, bool available = true);
    QDockWidget* addPanel(const char* id, QWidget* content, Qt::DockWidgetArea area);
    void layOutPanels();
    void connectComputation();
    void connectMaps();
    void connectActions();
    void connectEditing();
    void connectPainting();
    void fillMenus();
    void retranslate();

    void compute(const AttentionProblem& problem);
    void showMap(bool map);
    void present(const ComputedPtr& computed);
    void fitView(const Trace& trace);
    void stepStage(int by);
    void stepHead(int by);
    void allowPainting();
    void allowZooming();
    void offerInputsThatFit();
    void toggleComparison();
    /// The setting of a saved workspace becomes B; its arrays do not matter.
    void takeSettingOf(const Contents& contents, const QString& file);
    /// True when what is on show is the present problem's; says why nothing may be exported otherwise.
    bool mayExport();
    /// Does it on the page on show, when that may leave the program, and shows what it returns.
    void copy(QString (Page::*take)());
    void askForKeyGrid();
    /// The help page of the present mechanism.
    void showReference();

    Document document_;
    ViewState view_;
    Computation computation_;
    ComputedPtr computed_;

    Actions* actions_;
    FileController* files_;
    MaskPainter* painter_;
    QToolBar* bar_;
    MechanismBar* mechanism_;
    MessageBar* messages_;
    RemarksBar* remarks_;
    StaleMarks* stale_;
    MessageBar* offers_; ///< of work that was not saved; above the messages, which do not take its place
    StageStrip* strip_;
    CentrePages* centre_;
    ExhibitPages* exhibits_;
    MatrixPage* matrix_;
    ComparePage* compare_;
    AgainstPage* against_;
    HeadsView* heads_;
    LargeInputs* large_;
    LearnMode* learn_;
    QStackedWidget* modes_; ///< the workspace, or lessons and labs
    QStackedWidget* heads_page_;
    InputsPanel* inputs_;
    MaskPanel* mask_;
    FormulaPanel* formula_;
    InspectorPanel* inspector_;
    StatusLine* status_;
    ReferenceDialog* reference_ = nullptr; ///< made when asked for
    QList<QDockWidget*> docks_;
};

} // namespace attnlab::ui
