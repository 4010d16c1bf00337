// What the commands of the window do.
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QAction;

namespace attnlab {
struct Contents;
}

namespace attnlab::ui {

class MainWindow;
class Page;
class ReferenceDialog;

/// Connects the window's actions: those of the page in front act on that page.
class Commands : public QObject {
    Q_OBJECT
public:
    /// A child of `window`, all of whose parts exist.
    explicit Commands(MainWindow& window);

    /// The help page of the present mechanism.
    void showReference();

private:
    void connectFile();
    void connectEdit();
    void connectView();
    void connectAttention();
    void connectPainting();
    void connectHelp();
    void on(QAction* action, std::function<void()> run);

    void stepStage(int by);
    void stepHead(int by);
    void allowPainting();
    void allowZooming();
    void toggleComparison();
    /// The setting of a saved workspace becomes B; its arrays do not matter.
    void takeSettingOf(const Contents& contents, const QString& file);
    /// True when what is on show is the present problem's; says why nothing may be exported otherwise.
    bool mayExport();
    /// Does it on the page on show, when that may leave the program, and shows what it returns.
    void copy(QString (Page::*take)());
    void askForLargeInputs();
    void askForKeyGrid();

    MainWindow& window_;
    QPointer<ReferenceDialog> reference_; ///< made when asked for
};

} // namespace attnlab::ui
