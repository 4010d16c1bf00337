// The stages from scores to output as a row of live thumbnails.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/matrix_tile.h"

#include <QWidget>

#include <vector>

class QFrame;
class QLabel;
class QMenu;
class QScrollArea;
class QToolButton;

namespace attnlab::ui {

/// A thumbnail for every stage of role Step (of the chosen pass, if there are several), each preceded by its operation;
/// after a divider those of role Exact; all other stages are in a menu. Clicks and arrow keys choose the stage in the
/// ViewState.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed);

    /// What is displayed, from left to right: names, and the operation before each ("" if there is no room).
    QStringList stageNames() const;
    QStringList operations() const;
    MatrixTile* tile(const QString& name) const;
    QToolButton* moreButton() const { return more_; }
    QMenu* moreMenu() const { return menu_; }
    /// The caption before the stages of role Exact; empty if there are none.
    QString exactCaption() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Item {
        std::string stage;
        MatrixTile* tile;
        QLabel* operation; ///< before the tile
        QString operation_text;
        QSize shape; ///< columns x rows
        bool exact = false;
    };
    struct Fit;

    void rebuild();
    std::string prefixToShow() const;
    void addItem();
    void refreshItem(Item& item, const Stage& stage);
    void refreshColors();
    void fillMenu();
    void showChosen();
    void relayout();
    Fit fit(int width, int height) const;
    void scrollToChosen();
    int operationWidth(const QString& text) const;
    int dividerWidth() const;
    bool isFirstExact(const Item& item) const;
    int placeDivider(int x, int height);
    int operationRoom(const QString& text, const Fit& fit) const;
    int heightFor(int picture) const;
    bool moveChoice(int key);
    QString toolTipOf(const Stage& stage) const;

    ViewState& view_;
    ComputedPtr computed_;
    std::vector<Item> items_;
    std::string prefix_; ///< of the stages on show
    QScrollArea* scroll_;
    QWidget* content_;
    QToolButton* more_;
    QMenu* menu_;
    QFrame* divider_;
    QLabel* exact_caption_;
    bool scrolls_ = false; ///< not all stages fit side by side
};

} // namespace attnlab::ui
