// One row of attention step by step: the drawing, its player, and pickers of query and key.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/step/step_drawing.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;
class QVariantAnimation;

namespace attnlab::ui {

class Player;

class StepView : public ExhibitPage {
    Q_OBJECT
public:
    explicit StepView(QWidget* parent = nullptr);

    /// Shows the pass of the stage `weights`, first batch and head.
    void setTrace(ComputedPtr computed) override;
    /// Another trace or pass; query, key and step are kept if the row has them. `trace` may be null.
    void setPass(TracePtr trace, const StepPass& pass);
    bool hasExhibit() const override { return !drawing_.walk.empty(); }
    std::shared_ptr<const Drawing> picture() const override;
    std::optional<DrawingSequence> sequence() const override;

    const StepDrawing& drawing() const { return drawing_; }
    const std::vector<WalkStep>& steps() const { return steps_; }
    int query() const { return query_; }
    int key() const { return static_cast<int>(drawing_.key); }
    /// The id of the displayed part, one of stepIds().
    QString stepId() const;

    Player* player() const { return player_; }
    QComboBox* queryBox() const { return query_box_; }
    QComboBox* keyBox() const { return key_box_; }
    QCheckBox* termsBox() const { return terms_; }
    QToolButton* exportButton() const { return export_; }

public slots:
    void setQuery(int query);
    void setKey(int key);
    void setByTerms(bool by_terms);
    /// Disables the choice of the query.
    void setQueryFixed(bool fixed);
    /// The first step of a part, or of the next one if this row has no such part.
    void setStep(const QString& id);

signals:
    /// Chosen here, by mouse or keyboard.
    void queryChosen(int query);
    void keyChosen(int key);

protected:
    void changeEvent(QEvent* event) override;
    bool pressKey(int key) override;
    void click(QPointF position) override;

private:
    void colorLabels();
    void chooseQuery(int query);
    void chooseKey(int key);
    void renew();
    void renewSteps(const QString& id);
    void refreshChoices();
    void showStep();
    /// Lets the bars move from a line to those of the step, faster than the player goes on.
    void moveBars(StepOperation from);

    StepDrawing drawing_;
    std::vector<WalkStep> steps_;
    TracePtr trace_;
    StepPass pass_;
    int query_ = 0;
    bool query_fixed_ = false;
    QStringList query_texts_, key_texts_; ///< the current texts of the boxes
    QLabel* query_label_;
    QLabel* key_label_;
    QComboBox* query_box_;
    QComboBox* key_box_;
    QCheckBox* terms_;
    QToolButton* export_;
    Player* player_;
    QVariantAnimation* motion_; ///< of the bars
};

/// The step-through of the document: follows the ViewState.
/// The row and key are those of the pinned cell, the pass that of the chosen stage.
class StepPage : public StepView {
    Q_OBJECT
public:
    explicit StepPage(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;

private:
    void refresh();
    /// True when the pinned cell is one of queries and keys.
    bool pinsKeys() const;
    void followPin();
    void pin();

    ViewState& view_;
    ComputedPtr computed_;
};

} // namespace attnlab::ui
