// Tokens as chips, with arcs from one query to the keys that it reads.
#pragma once

#include "core/explain/reading.h"
#include "ui/panels/ribbon/token_chips.h"

#include <QWidget>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

class QPainter;
class QToolButton;

namespace attnlab::ui {

/// One stop for Tab: Left, Right, Home and End ask for another query, Space and Enter for the same one again, F2 for
/// its new name. What does not fit is scrolled: by the wheel, by buttons at the ends, and to the chosen query.
class TokenArcs : public QWidget {
    Q_OBJECT
public:
    using Side = RibbonTokens::Side;

    explicit TokenArcs(QWidget* parent = nullptr);

    void setTokens(RibbonTokens tokens);
    /// Flatter arcs, in a lower widget.
    void setFlat(bool flat);
    /// Muted, dashed arcs: what they show has no effect.
    void setIdle(bool idle);
    bool isIdle() const { return is_idle_; }
    /// The query that is framed, and its row; nullopt: none.
    void setQuery(std::optional<int> query, const explain::Reading& reading);

    const RibbonTokens& tokens() const { return tokens_; }
    std::optional<int> query() const { return query_; }
    /// A chip in the widget's coordinates.
    QRectF chipRect(Side side, int token) const { return places_.box(side, token).translated(-offset(side), 0); }
    /// The width of an arc, by the key's share of the weight; 0: none is drawn.
    double arcWidth(int key) const;
    bool scrolls() const { return places_.width() > width(); }
    /// True of a chip that is shown: whole, and beside the buttons. Others are absent.
    bool isInSight(Side side, int token) const;
    /// The keys with arcs that leave at the left or right edge, the largest first: a mark there names them.
    std::vector<int> keysBeyond(Qt::Edge edge) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// That of all chips, with a little more: a word that is changed for another one moves nothing beside them.
    int wholeWidth() const;

signals:
    void queryHovered(std::optional<int> query);
    void queryClicked(int query); ///< also Space and Enter
    void queryMoved(int query);   ///< by keys
    void keyClicked(int key);     ///< of a line of keys
    /// By a double click, or F2 for the framed query.
    void renameRequested(attnlab::ui::RibbonTokens::Side side, int token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Spot {
        Side side;
        int token;
        bool operator==(const Spot&) const = default;
    };
    /// The x of a line that is at the left edge. The shorter of two lines is above the middle of the longer one; where
    /// they do not fit, it moves less, so that both begin and end together.
    double offset(Side side) const;
    double longestWay() const { return std::max(0, places_.width() - width()); }
    /// Between which scrolled_ shows a chip whole.
    std::pair<double, double> inSight(Side side, int token) const;
    void scrollTo(double left);
    void showChosen();
    void showWhole(const Spot& spot);
    void place();
    void keepWidth();
    void placeButtons();
    void hover(std::optional<Spot> spot);
    void moveTo(int query);
    std::optional<Spot> spotAt(const QPointF& position) const;
    bool isQuery(const Spot& spot) const;
    double share(int key) const;
    std::pair<int, int> tokensInSight(Side side) const;
    std::vector<int> keysWithArcs() const;
    double edgeRoom(const QToolButton* button) const;
    QString markText(Qt::Edge edge) const;
    QRectF markBox(Qt::Edge edge) const;
    void paintMark(QPainter& painter, Qt::Edge edge) const;
    void paintArcs(QPainter& painter) const;
    void paintArc(QPainter& painter, int key) const;
    void paintLine(QPainter& painter, Side side) const;
    void paintToken(QPainter& painter, const Spot& spot) const;

    RibbonTokens tokens_;
    TokenPositions places_;
    std::optional<int> query_;
    std::vector<double> weights_; ///< by key; NaN where nothing may be read
    std::vector<int> largest_;    ///< keys: their arcs are drawn even where they are out of sight
    double whole_ = 1.0;          ///< the sum of the weights' magnitudes
    std::optional<Spot> hovered_;
    int kept_width_ = 0;
    double scrolled_ = 0.0; ///< of the longer line, 0 to longestWay()
    bool focus_shown_ = false, flat_ = false, is_idle_ = false;
    QToolButton *to_left_, *to_right_;
};

} // namespace attnlab::ui
