// The mask editor: grid, tools, presets, fill and a description.
#pragma once

#include "ui/panels/mask/mask_painter.h"

#include <map>
#include <QWidget>

class QAction;
class QMenu;
class QToolButton;

namespace attnlab::ui {

class Chip;

class MaskTools : public QWidget {
    Q_OBJECT
public:
    explicit MaskTools(MaskPainter& painter, QWidget* parent = nullptr);

    /// True when strokes on the large heatmap paint.
    bool isPainting() const;
    void setPainting(bool on);
    /// For use without a large heatmap to paint on and a file to import.
    void hideWindowActions();
    QToolButton* button(MaskTool tool) const { return tools_.at(tool); }
    QToolButton* eraser() const { return erase_; }
    /// Clear, invert, patterns, import.
    QMenu* menu() const { return menu_; }

signals:
    void paintingChanged(bool on);
    void importRequested();

private:
    void makeMenu();
    void showSettings();

    MaskPainter& painter_;
    Chip* paint_;
    std::map<MaskTool, QToolButton*> tools_;
    QToolButton* erase_;
    QToolButton* more_;
    QMenu* menu_;
    QAction* import_;
};

} // namespace attnlab::ui

// The mask editor: grid, tools, presets, fill, and a description.

class QFrame;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace attnlab::ui {

class CombinationForm;
class FirstQueryForm;
class MaskChips;
class MaskFillForm;
class MaskGrid;
class FittingScrollArea;

class MaskPanel : public QWidget {
    Q_OBJECT
public:
    explicit MaskPanel(MaskPainter& painter, QWidget* parent = nullptr);

    MaskGrid* grid() const { return grid_; }
    MaskChips* chips() const { return chips_; }
    CombinationForm* combination() const { return combination_; }
    FirstQueryForm* firstQuery() const { return first_query_; }
    MaskTools* tools() const { return tools_; }
    MaskFillForm* fillForm() const { return fill_; }
    QToolButton* scopeButton() const { return scope_; }
    /// The sentence below the grid.
    QString words() const;
    QString heading() const;

    /// Asks in a dialog for the meaning of True in `mask`, then imports it. `name` is the name of the file or array.
    void offerImport(const Tensor& mask, const QString& name);
    void setPainting(bool on);
    bool isPainting() const;
    /// Hidden while the large matrix is the grid.
    void setGridShown(bool shown);
    /// Opens and closes the form of fill and meaning.
    void showMore(bool more);
    bool showsMore() const;

    QSize sizeHint() const override { return {280, 330}; }

signals:
    /// Whether strokes on the large heatmap paint.
    void paintingChanged(bool on);
    /// The user asks to choose a file: reply by offerImport().
    void importRequested();
    /// An array of the inputs has been made that the user may want to edit.
    void arrayMade(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void connectParts();
    /// The mechanism's reason why painting is not possible; empty if it is, or other masks are on.
    QString whyNone() const;
    void showWhetherPossible();
    void showWords();
    void showHeading();
    void showScope();
    void fillScopeMenu();
    void refuse(const QString& why);

    MaskPainter& painter_;
    QLabel* heading_;
    QLabel* painted_;
    QToolButton* scope_;
    QMenu* scope_menu_;
    MaskGrid* grid_;
    MaskTools* tools_;
    MaskChips* chips_;
    CombinationForm* combination_;
    FirstQueryForm* first_query_;
    QLabel* words_;
    QPushButton* fit_;
    QToolButton* more_;
    MaskFillForm* fill_;
    FittingScrollArea* room_;
    QString refusal_; ///< shown instead of the description until the next change
};

} // namespace attnlab::ui
