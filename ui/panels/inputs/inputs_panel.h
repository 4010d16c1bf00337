// The inputs of the mechanism: a tab and a spreadsheet for each tensor, with actions.
#pragma once

#include "core/edit/cells.h"
#include "core/inputs.h"
#include "ui/document/document.h"
#include "ui/document/view_state.h"

#include <QMap>
#include <QWidget>

class QLabel;
class QTabBar;
class QToolButton;

namespace attnlab::ui {

class FittingScrollArea;
class SlicePickers;
class TensorModel;
class TensorTable;
class TokenGroups;

/// Shows the tensors that the mechanism and its masks read, in order of presentation, and edits them in the document,
/// which it follows. Unused tensors are available in a separate menu.
class InputsPanel : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the panel.
    InputsPanel(Document& document, ViewState& view, QWidget* parent = nullptr);

    /// Selects a tensor; ignores an unknown one.
    void showTensor(const QString& name);
    QString currentTensor() const;
    /// What is open of the inputs, for another panel of the same document.
    struct LastFill {
        Fill fill;
        FillArea area;
    };
    struct State {
        QString tensor;
        std::vector<int> slices; ///< by leading axis
        int row = -1, column = -1;
        QMap<QString, LastFill> last_fills;
    };
    State saveState() const;
    void restoreState(const State& state);
    TensorTable* table() const { return table_; }
    /// Above the table of a tensor that groups tokens, hidden for others.
    TokenGroups* groups() const { return groups_; }

public slots:
    void openFillDialog();
    void openResizeDialog();
    /// Repeats the last fill with the next seed; no effect unless the current tensor has a random fill.
    void drawAgain();

signals:
    /// One line for the status bar.
    void messageRaised(const QString& text);
    /// To read a file into this tensor, or write the tensor to one.
    void openFileRequested(const QString& tensor);
    void saveFileRequested(const QString& tensor);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    QWidget* buildButtons();
    void fitButtons();
    void setTexts();
    void follow();
    void rebuildTabs();
    void showCurrent();
    void showMatrix();
    void showGroups();
    void updateHeading();
    void updateMarks();
    void listAdd();
    void listMore();
    bool isUsed(std::string_view name) const;
    void listUnused();
    void addInput(const Input& input);
    bool fill(const QString& name, const Tensor& tensor, const LastFill& how, int gesture);
    void removeCurrent();
    const Input* currentInput() const;
    std::int64_t queryHeads() const;

    Document& document_;
    ViewState& view_;
    std::vector<Input> declared_;
    QString unused_shown_; ///< an unused tensor that the user has selected
    QMap<QString, LastFill> last_fills_;
    TensorModel* model_;
    QLabel* title_;
    QLabel* shape_;
    QTabBar* tabs_;
    QToolButton* unused_;
    QLabel* unused_note_;
    SlicePickers* slices_;
    TokenGroups* groups_;
    FittingScrollArea* groups_room_;
    TensorTable* table_;
    QToolButton* paste_;
    QToolButton* fill_;
    QToolButton* resize_;
    QToolButton* add_;
    QToolButton* more_;
};

} // namespace attnlab::ui
