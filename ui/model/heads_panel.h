// Every head: as small pictures of weights, of effects or of differences, or as dots by two figures; and what the model
// would answer after each layer.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/dots_drawing.h"
#include "ui/model/model_result.h"

#include <optional>
#include <QWidget>
#include <vector>

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace attnlab::ui {

class ElidedLabel;
class HeadEffects;
class HeadsScatter;
class AnswersView;
class DifferenceKey;
class HeadsTabs;
class HeadsWall;
class SegmentSwitch;

class HeadsPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadsPanel(QWidget* parent = nullptr);

    void setResult(const ModelResultPtr& result);
    /// They live as long as the panel.
    void setEffects(HeadEffects* effects);
    std::optional<HeadIndex> chosen() const;
    /// Of the pictures of weights.
    void setColors(const ColorChoice& colors);

    /// What takes the place of a head on the wall of effects.
    void setBy(model::Ablation::By by);

    enum Tab { Wall, Changes, Differences, Scatter, Layers, Words };
    SegmentSwitch* tabs() const;
    /// Where the wall and the plot are.
    QStackedWidget* pictures() const { return pictures_; }
    HeadsWall* wall() const { return wall_; }
    HeadsScatter* scatter() const { return scatter_; }
    AnswersView* lens() const { return lens_; }
    /// The answer while each word is hidden.
    AnswersView* words() const { return words_; }
    QComboBox* order() const { return order_; }
    /// What Changes measures: the answer with zeros for a head, with its average, with what it gives for the second
    /// text, or what the head adds to the answer directly.
    QComboBox* measure() const { return measure_; }
    /// Tries all heads, or stops.
    QPushButton* effectsButton() const { return effects_button_; }
    /// In a low window: without the legend.
    void setLow(bool low);
    ElidedLabel* titleLine() const { return title_; }
    /// The question that the pictures answer.
    QString title() const;
    QString note() const;
    /// The colours of differences, in sight with them.
    QWidget* differenceKey() const;
    /// Which heads write the answer and which work through later ones, or what bold words and hollow bars mean.
    QString legend() const;
    QComboBox* axis(Qt::Orientation along) const { return along == Qt::Horizontal ? x_ : y_; }

signals:
    void chosenChanged();
    void toggled(attnlab::ui::HeadIndex place); ///< to switch it off, or on
    void byChosen(attnlab::model::Ablation::By by);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void fitNote();
    void fillFigures();
    void fillMeasures();
    void offerDifferences();
    void offerAnswers();
    void chooseMeasure(int index);
    void showTab();
    void showAxes();
    void showEffects();
    void showNote();
    void chooseOrder();
    QString question() const;
    QString effectsNote() const;
    QString ofAllOn(const QString& note) const;
    void showDifference();
    QString briefEffectsNote() const;
    QString effectsLegend() const;
    QString waysWords() const;

    ModelResultPtr result_;
    std::vector<const HeadFigure*> figures_; ///< of the choices below
    ElidedLabel* title_;
    HeadsTabs* tabs_;
    QStackedWidget* choices_;
    QStackedWidget* pictures_;
    QComboBox *order_, *x_, *y_, *measure_;
    ColorChoice colors_;
    model::Ablation::By by_ = model::Ablation::By::Zero;
    DifferenceKey* key_;
    ElidedLabel *note_, *legend_;
    QString whole_note_, brief_note_;
    QPushButton* effects_button_;
    HeadEffects* effects_ = nullptr;
    bool low_ = false, compares_texts_ = false;
    bool had_effects_ = false;
    bool wants_effects_ = true; ///< the user has not turned back to what heads read
    HeadsWall* wall_;
    HeadsScatter* scatter_;
    AnswersView *lens_, *words_;
};

/// Every head as a dot, by two of its figures.
/// One stop of the Tab key: Left and Right go to the head with the next smaller or larger figure along x, Up and Down
/// along y, Home and End to the ends of x; Space switches the head off. Heads without one of the figures are not shown.
class HeadsScatter : public QWidget {
    Q_OBJECT
public:
    explicit HeadsScatter(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setResult(ModelResultPtr result);
    void setFigures(const HeadFigure* x, const HeadFigure* y);
    void choose(std::optional<HeadIndex> place);
    std::optional<HeadIndex> chosen() const { return chosen_; }

    /// Where a head is; nullopt where it is not shown.
    std::optional<QPointF> positionOf(HeadIndex place) const;
    /// The nearest within reach of a click.
    std::optional<HeadIndex> placeAt(const QPointF& point) const;
    std::size_t count() const { return places_.size(); }
    /// What it shows, for files.
    DotsDrawing picture() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosenByUser(attnlab::ui::HeadIndex place);
    void toggled(attnlab::ui::HeadIndex place); ///< to switch it off, or on

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void collect();
    void describe();
    /// The head that comes next along an axis.
    std::optional<HeadIndex> neighbour(bool along_x, bool forward) const;
    QString textOf(std::size_t dot) const;
    std::optional<std::size_t> find(std::optional<HeadIndex> place) const;

    ModelResultPtr result_;
    const HeadFigure *x_ = nullptr, *y_ = nullptr;
    DotsDrawing drawing_;
    std::vector<HeadIndex> places_; ///< of the dots
    std::optional<HeadIndex> chosen_;
};

} // namespace attnlab::ui
