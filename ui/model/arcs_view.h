// A head as lines from each query to what it reads.
#pragma once

#include "ui/document/computation.h"
#include "ui/model/head_view.h"
#include "ui/panels/ribbon/token_chips.h"

#include <optional>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

class HeadArcs;

class ArcsView : public HeadView {
    Q_OBJECT
public:
    explicit ArcsView(QWidget* parent = nullptr);

    HeadArcs* arcs() const { return arcs_; }

    QString name() const override { return tr("Lines"); }
    /// Not of pooled weights.
    bool canShow(const SelectedHead& head) const override { return head.weights != nullptr; }
    void setHead(const SelectedHeadPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<Figure> figure() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return head_ ? head_->weights : nullptr; }

private:
    HeadArcs* arcs_;
    SelectedHeadPtr head_;
};

/// All of a head as lines: queries at the left, keys at the right.
/// The width of a line is its weight; tiny ones are not drawn. The token under the mouse, or else the chosen one, keeps
/// its lines and dims the others. One stop of the Tab key: Up, Down, Home and End choose a token, Left and Right change
/// to queries and keys. For a scroll area.
class HeadArcs : public QWidget {
    Q_OBJECT
public:
    using Side = RibbonTokens::Side;
    struct Spot {
        Side side = Side::Queries;
        int token = 0;
        bool operator==(const Spot&) const = default;
    };

    explicit HeadArcs(QWidget* parent = nullptr);

    /// With a stage `weights`; null: nothing is shown.
    void setWeights(const ComputedPtr& computed);
    /// Chosen elsewhere.
    void setQuery(std::optional<int> query);

    /// What the token in question reads, or who reads it; empty without one.
    QString words() const;
    std::optional<Spot> spot() const { return hovered_ ? hovered_ : chosen_; }
    QRectF chipRect(const Spot& spot) const;
    /// 0: no line is drawn.
    double lineWidth(int query, int key) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void queryChosen(int query);
    void wordsChanged();
    /// The chosen token is to be brought into sight.
    void moved(const QRect& chip);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Line {
        int query = 0, key = 0;
        double weight = 0.0;
    };
    double weight(int query, int key) const;
    void collect();
    void measure();
    int rowHeight() const;
    std::optional<Spot> spotAt(const QPointF& position) const;
    void hover(std::optional<Spot> spot);
    void choose(const Spot& spot);
    void describe();
    bool touches(const Line& line, const Spot& spot) const;
    void paintLines(QPainter& painter, const QRectF& exposed) const;
    void paintLine(QPainter& painter, const Line& line, bool dimmed) const;
    void paintChips(QPainter& painter, Side side, const QRectF& exposed) const;

    ComputedPtr computed_;
    RibbonTokens tokens_;
    std::vector<Line> lines_; ///< the thinnest first
    int chip_width_ = 0;
    std::optional<Spot> hovered_, chosen_;
};

} // namespace attnlab::ui
