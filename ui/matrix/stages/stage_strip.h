// The stages from scores to output as a row of live thumbnails, with the operations between them.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/widgets/labels.h"

#include <array>
#include <QAbstractButton>
#include <QLineF>
#include <QTextLayout>
#include <vector>

class QFrame;
class QLabel;
class QMenu;
class QToolButton;

namespace attnlab::ui {

class OperationLabel;
class OperatorButton;

/// One low row: a thumbnail and its name for every stage of role Step (of the chosen pass, if there are several), each
/// preceded by its operation; after a divider those of role Exact. A menu has every stage. Operations that the user
/// chooses are buttons. Where the row is too narrow, other operations go first; beside buttons the names of stages
/// follow, from the left; then the stages farthest from the chosen one. The choice is the stage of the ViewState.
class StageStrip : public ThumbnailGrid {
    Q_OBJECT
public:
    explicit StageStrip(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed);
    /// Beside a map: the operations of stage_outline() between names without pictures. The weights are on show, and no
    /// other stage can be chosen.
    void setOutline(const Trace& outline);
    /// A stage that is computed on request, by a parameter of the mechanism.
    struct Addable {
        QString parameter, title, stage;
    };
    /// Offered at the end of the menu.
    void setAddable(std::vector<Addable> addable);
    /// With smaller pictures, in less height.
    void setLow(bool low);
    /// An operation that the user chooses.
    enum class Operator { Scores, Scale, Mask, Weights };
    /// The buttons beside that of the scale.
    struct Controls {
        bool scores = false, weights = false;
        QString mask = {}; ///< "causal", "no mask"; empty: without a button
        bool operator==(const Controls&) const = default;
    };
    void setControls(const Controls& controls);

    /// The stages from left to right, and the operation before each ("" if there is no room).
    QStringList stageNames() const;
    QStringList operations() const;
    /// Those of stageNames() that the row has room for: one after the other, the chosen one among them.
    QStringList shownStages() const;
    MatrixTile* tile(const QString& name) const;
    /// The operation of the stage `scaled`, which has room however narrow the row is; hidden without that stage.
    OperatorButton* scaleButton() const { return button(Operator::Scale); }
    /// The same of another one; hidden where there is nothing to choose.
    OperatorButton* button(Operator which) const { return buttons_[static_cast<std::size_t>(which)]; }
    /// The stage that the operation makes; empty without that operation.
    QString stageOf(Operator which) const;
    QToolButton* moreButton() const { return more_; }
    QMenu* moreMenu() const { return menu_; }
    /// The caption before the stages of role Exact; empty if there are none.
    QString exactCaption() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The user wants to change the operation that makes this stage; `at` is the button in global coordinates.
    void operatorRequested(attnlab::ui::StageStrip::Operator which, const QString& stage, const QRect& at);
    void addRequested(const QString& parameter, const QString& title, const QString& stage);

protected:
    void chooseTile(MatrixTile& tile) override;
    void relayout() override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Item {
        std::string stage;
        MatrixTile* tile;
        OperationLabel* operation; ///< before the tile
        QString name, operation_text;
        QSize shape; ///< columns x rows
        bool exact = false;
        OperatorButton* button = nullptr; ///< instead of the operation
        bool is_idle = false;             ///< its operation changes nothing
        int operation_width = 0;
    };
    struct Fit;

    void rebuild();
    std::string prefixToShow() const;
    void addItem();
    void refreshItem(Item& item, const Stage& stage);
    void refreshColors();
    void fillMenu();
    void showChosen();
    Fit fit(int width) const;
    void fitStages(Fit& fit, int width) const;
    void fitOperations(Fit& fit, int width) const;
    int tileWidth(std::size_t item, const Fit& fit) const;
    int widthOf(const Fit& fit) const;
    int operationRoom(std::size_t item, const Fit& fit) const;
    bool startsExact(std::size_t item, const Fit& fit) const;
    int dividerWidth() const;
    int markWidth() const;
    OperatorButton* buttonOf(const Stage& stage) const;
    bool hasButtons() const { return controls_ != Controls(); }
    void placeOperation(const Item& item, const QRect& at);
    void placeMark(OperationLabel* mark, bool shown, int& x);
    int placeDivider(int x, int height);
    QString toolTipOf(const Stage& stage) const;

    std::vector<Addable> addable_;
    ViewState& view_;
    ComputedPtr computed_; ///< has no numbers in an outline
    std::vector<Item> items_;
    std::string prefix_; ///< of the stages on show
    static constexpr int margin = 6, margin_above = 2;
    bool low_ = false;
    bool is_outline_ = false;
    std::size_t first_ = 0;                  ///< of the stages in sight
    OperationLabel* left_out_[2] = {};       ///< before and after those in sight
    std::array<OperatorButton*, 4> buttons_; ///< by Operator
    Controls controls_;
    QToolButton* more_;
    QMenu* menu_;
    QFrame* divider_;
    QLabel* exact_caption_;
};

/// An operation that is a control, with its text in a frame.
class OperatorButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit OperatorButton(QWidget* parent);

    /// What it takes beside the operation.
    static constexpr int left = 5, right = 13;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// The operation between two stages, typeset.
/// Shows "÷ √4", "Q·Kᵀ", "W_o" as formulas: matrices in italics, the bar of a root over what is under it, subscripts
/// lowered. Where the width is too small it ends in an ellipsis; text() stays whole.
class OperationLabel : public Label {
public:
    explicit OperationLabel(QWidget* parent);

    /// The width that shows all of it.
    static int widthOf(const QString& operation, const QFont& font);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// What is painted: the text without marks of subscripts, and the formats of its parts.
struct TypesetOperation {
    struct Root {
        int start, end; ///< of the sign, and after what is under it
    };
    QString text;
    QList<QTextLayout::FormatRange> formats;
    std::vector<Root> roots;
};
TypesetOperation typeset(const QString& operation);

/// The bar of a root in the coordinates of a layout of one line: it begins in the sign, at its top.
QLineF rootBar(const QTextLayout& layout, const TypesetOperation::Root& root);
double rootBarThickness(const QFont& font);

} // namespace attnlab::ui
