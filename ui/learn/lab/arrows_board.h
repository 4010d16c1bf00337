// One head as arrows: queries and keys in a plane, values and output in another, and the weights of one query as bars.
#pragma once

#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/name_placement.h"

#include <optional>
#include <QCoreApplication>
#include <QPointF>
#include <QStringList>
#include <vector>

namespace attnlab {
struct Trace;
} // namespace attnlab

class QLabel;

namespace attnlab::ui {

class LabControls;
class MarkdownLabel;
class SceneModel;
class StateBox;

enum class ArrowKind { Query, Key, Value };

/// The tip of an arrow that can be taken.
struct ArrowTip {
    ArrowKind kind = ArrowKind::Query;
    int row = 0;
    bool operator==(const ArrowTip&) const = default;
};

/// Queries, keys and values have the colours of their roles; the output has the colour of text.
class ArrowsDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(ArrowsDrawing)
public:
    std::vector<QPointF> queries, keys, values;
    QStringList query_names, key_names;
    std::vector<double> scores, weights; ///< of the chosen query, one for each key; scores after the scale
    QPointF output;
    int query = 0;      ///< the chosen one
    double reach = 3.0; ///< both planes go from -reach to reach
    std::optional<ArrowTip> marked;
    bool hides_scores = false, hides_weights = false, hides_output = false; ///< shown as "?", and not as arrows

    /// Of a trace for which lab::arrows_unsupported_reason() has nothing to say.
    static ArrowsDrawing of(const Trace& trace, int query, double reach);

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    /// The nearest tip to a position within reach of a finger.
    std::optional<ArrowTip> tipAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// Where a tip is painted, and what of the plane of a tip is at a position.
    QPointF positionOf(const ArrowTip& tip, const QRectF& area, const QFont& font) const;
    QPointF pointAt(const QPointF& position, ArrowKind kind, const QRectF& area, const QFont& font) const;
    QPointF tipOf(const ArrowTip& tip) const;
    /// "key cat (1, 0.5): score 2, weight 0.7".
    QString textOf(const ArrowTip& tip) const;
    /// All arrows, the query and the output in words.
    QString words() const;
    /// In the order of the keyboard.
    std::vector<ArrowTip> tips() const;

    /// The names of arrows in one plane.
    enum class Ink { Query, Key, Value, Output };
    struct PlacedNames {
        struct Name {
            QString text;
            QRectF place;
            Ink ink = Ink::Key;
        };
        std::vector<Name> names;
        NameSurroundings around;

        void place(const std::vector<ArrowName>& wanted, const QRectF& plane, const QFontMetricsF& metrics);
    };
    /// Of the left plane and of the right one, as painted into `area`.
    std::vector<PlacedNames> placedNames(const QRectF& area, const QFont& font) const;

private:
    struct Places {
        QRectF left, right, bars;
        double unit = 1.0; ///< pixels
    };
    Places placesIn(const QRectF& area, const QFont& font) const;
    static QPointF placed(const QPointF& point, const QRectF& plane, double unit);
    void paintPlane(QPainter& painter, const QRectF& plane, double unit, const QString& title,
                    const DrawingStyle& style) const;
    void paintScores(QPainter& painter, const Places& places, const DrawingStyle& style) const;
    void paintMean(QPainter& painter, const Places& places, const DrawingStyle& style) const;
    PlacedNames keyNames(const Places& places, const QFont& font) const;
    PlacedNames valueNames(const Places& places, const QFont& font) const;
    void paintNames(QPainter& painter, const PlacedNames& placed, const DrawingStyle& style) const;
    BarsDrawing bars() const;
    QString scoreText(std::size_t key) const;
    QString weightText(std::size_t key) const;
};

// One head as arrows that can be dragged.

/// Takes tips by the mouse or the keyboard: Enter goes to the next one, the arrow keys move it. With Shift, all arrows
/// of its kind move together.
class ArrowsCanvas : public DrawingCanvas {
    Q_OBJECT
public:
    explicit ArrowsCanvas(QWidget* parent = nullptr);

    /// Without arrows it is empty.
    void setArrows(std::optional<ArrowsDrawing> arrows);
    const ArrowsDrawing& arrows() const { return arrows_; }
    bool hasArrows() const { return shown_; }
    /// Whether tips can be moved; queries can be chosen in any case.
    void setMovable(bool on);

signals:
    void queryChosen(int row);
    /// By the user, to a point of its plane.
    void moved(attnlab::ui::ArrowTip tip, QPointF to, bool all);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void mark(std::optional<ArrowTip> tip);

    ArrowsDrawing arrows_;
    bool shown_ = false;
    bool movable_ = false;
    std::optional<ArrowTip> held_;
};

/// Shows the setting view().setting, its query view().query in the planes of view().axis. Tips can be moved where the
/// view makes `cells` live.
class ArrowsBoard : public Board {
    Q_OBJECT
public:
    explicit ArrowsBoard(SceneModel& model, QWidget* parent = nullptr);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ArrowsCanvas* canvas() const { return canvas_; }
    /// Why nothing is shown; empty if something is.
    QString error() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    double reach() const;

    SceneModel& model_;
    QMap<QString, QString> words_;
    MarkdownLabel* caption_;
    QWidget* error_; ///< in the place of the arrows
    StateBox* error_words_;
    QLabel* hint_;
    ArrowsCanvas* canvas_;
};

} // namespace attnlab::ui
