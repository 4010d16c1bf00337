// What the commands of the window do.
#pragma once

#include <functional>
#include <memory>
#include <QObject>

class QAction;

namespace attnlab {
struct Contents;
}

namespace attnlab::ui {

class CommandPalette;
class MainWindow;
struct FigureOrigin;
class Page;
class PanelDividers;

/// Connects the window's actions; actions of pages act on the current page.
class Commands : public QObject {
    Q_OBJECT
public:
    /// A child of `window`, whose workspace must be there.
    explicit Commands(MainWindow& window);
    ~Commands() override;

    CommandPalette* palette() const { return palette_; }

    /// The help page of the present mechanism.
    void showReference();

private:
    void connectFile();
    void connectEdit();
    void connectView();
    void connectAttention();
    void connectPainting();
    void connectHelp();
    /// What shows the head beside the page is exported from where it is.
    void connectPictures();
    void on(QAction* action, std::function<void()> run);

    /// The page on show: of the workspace, or of a model.
    Page* page() const;
    void stepPage(int by);
    void stepStage(int by);
    void stepHead(int by);
    void allowPainting();
    void allowZooming();
    void toggleComparison();
    /// Uses the setting of a saved workspace as B; its arrays are ignored.
    static void takeSettingOf(const Contents& contents, const QString& file, MainWindow& window);
    /// True if the displayed result belongs to the current problem; otherwise shows why it cannot be exported.
    bool mayExport();
    /// Calls it on the current page if its content may be exported, and shows the returned message.
    void copy(QString (Page::*take)());
    /// Asks for a printer and prints the picture of the page.
    void print();
    void showPreferences();
    void showGallery();
    void chooseWatched();
    /// Opens the export of the weights of the head on show; `output`: "arcs", "bars".
    void exportWeights(const QString& output);
    /// What figures of the workspace carry.
    std::shared_ptr<const FigureOrigin> origin() const;
    void askForKeyGrid();
    void checkAnswer();

    MainWindow& window_;
    PanelDividers* dividers_;
    CommandPalette* palette_;
};

} // namespace attnlab::ui
