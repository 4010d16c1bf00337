// Boards about one setting of a scene: an exhibit, or a row step by step.
#pragma once

#include "core/lab/board.h"
#include "ui/document/view_state.h"
#include "ui/learn/lab/board_frame.h"

#include <memory>
#include <optional>

class QVBoxLayout;

namespace attnlab {
struct Trace;
} // namespace attnlab

namespace attnlab::ui {

class ExhibitPage;
class MarkdownLabel;
class SceneModel;
class StateBox;
class TileWalkView;

/// The text of the setting view().setting above its page, or the reason why nothing is shown.
class SettingBoard : public Board {
    Q_OBJECT
public:
    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ExhibitPage* page() const { return page_; }
    /// Why nothing is shown; empty if something is.
    QString error() const;
    /// The text of the setting; may be empty.
    QString words() const;

protected:
    /// The model must outlive the board.
    SettingBoard(SceneModel& model, QWidget* parent);

    /// Called once, from the constructor.
    void setPage(ExhibitPage* page);
    QVBoxLayout* column() const { return column_; }
    SceneModel& model() const { return model_; }
    /// Shows the setting on the page; null while it has no result.
    virtual void showTrace(std::shared_ptr<const Trace> trace) = 0;
    /// The reason when the page has nothing to show for a trace.
    virtual QString emptyReason() const = 0;
    void refresh();

private:
    SceneModel& model_;
    QMap<QString, QString> words_;
    QVBoxLayout* column_;
    MarkdownLabel* caption_;
    QWidget* error_; ///< the place of the page while it has nothing to show
    StateBox* error_words_;
    ExhibitPage* page_ = nullptr;
};

/// An exhibit of one setting of a scene: tiles, pages, buckets or a curve.
class ExhibitBoard : public SettingBoard {
    Q_OBJECT
public:
    explicit ExhibitBoard(SceneModel& model, QWidget* parent = nullptr);

protected:
    void showTrace(std::shared_ptr<const Trace> trace) override;
    QString emptyReason() const override;

private:
    void showView();
    /// Goes to view().tile.
    void showTile();
    /// Stores the tile on show, so that resetting and saving a board include it.
    void storeTile();

    ViewState view_;
    TileWalkView* tiles_ = nullptr; ///< null if the board shows another exhibit
    std::optional<lab::BoardCell> shown_tile_;
    bool updating_ = false; ///< the page by the model, or the model by the page
    bool begins_ = true;    ///< the tile of the model's view is not shown yet
};

class StepView;

/// The step-through as a board of lessons and labs.
/// Shows the row view().query, starting at view().at; the key is that of view().pin.
class StepBoard : public SettingBoard {
    Q_OBJECT
public:
    explicit StepBoard(SceneModel& model, QWidget* parent = nullptr);

    StepView* steps() const { return steps_; }
    void setFitting(bool on) override;

protected:
    void showTrace(std::shared_ptr<const Trace> trace) override;
    QString emptyReason() const override;

private:
    void showView();
    void updateModel();

    StepView* steps_;
    /// The displayed view; only differences of the model's view are applied.
    std::optional<lab::BoardSpec> shown_;
    bool updating_model_ = false;
    bool begins_ = true; ///< the step of view().at is not shown yet
};

} // namespace attnlab::ui
