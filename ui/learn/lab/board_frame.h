// Boards of lessons and labs: their interface, the frame that holds one with its model, and its cover.
#pragma once

#include "core/message.h"
#include "ui/drawing/drawing.h"
#include "ui/learn/lab/scene_model.h"

#include <memory>
#include <optional>
#include <QMap>
#include <QSet>
#include <QString>
#include <QWidget>

class QPushButton;

namespace attnlab::ui {

class BoardCover;

/// Made for one font size: its frame replaces it when that changes.
class Board : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Texts of a lesson beside the cards, by card id (Markdown in one line).
    virtual void setWords(const QMap<QString, QString>& words) = 0;
    /// The displayed content, for a picture or a handout; null while there is none.
    virtual std::shared_ptr<const Drawing> picture() const = 0;
    /// False while parts of the picture (a curve) are still being computed.
    virtual bool isSettled() const { return true; }
    /// Whether parts that do not fit are shown page by page rather than scroll.
    virtual void setFitting(bool) {}
    /// To the next of these pages (1) or the previous one (-1). False if there is none.
    virtual bool turnPage(int) { return false; }
    virtual bool hasNextPage() const { return false; }
    /// Turns to the first page with one of these cards, by id.
    virtual void turnToCards(const QSet<QString>&) {}
};

// The board of a step or a lab, with its model.

/// Makes the board for view().board of `model`, which must outlive it.
Board* makeBoard(SceneModel& model, QWidget* parent = nullptr);

/// Makes a new board for each scene; the scene's model lives as long as the frame.
class BoardFrame : public QWidget {
    Q_OBJECT
public:
    explicit BoardFrame(QWidget* parent = nullptr);
    ~BoardFrame() override;

    void begin(const lab::Scene& scene, const lab::BoardSpec& view,
               std::optional<lab::BoardSpec> asking = std::nullopt);
    void setWords(const QMap<QString, QString>& words);
    /// Shows this view instead, with its hidden parts covered and nothing to edit, until the user or nullopt lifts the
    /// cover.
    void setCover(std::optional<lab::BoardSpec> asking);
    bool isCovered() const { return asking_.has_value(); }
    BoardCover* cover() const { return cover_; }
    /// For presentations: see Board::setFitting().
    void setFitting(bool on);
    /// Shows nothing.
    void clear();
    /// Gives away the scene with the user's changes and its results; no other function may be called afterwards.
    std::unique_ptr<SceneModel> takeModel();
    /// Shows the scene that another frame had.
    void restoreModel(std::unique_ptr<SceneModel> model);

    SceneModel& model() { return *model_; }
    const SceneModel& model() const { return *model_; }
    Board* board() const { return board_; }

signals:
    void boardUncovered();
    /// There are new results; or the user has changed something.
    void computed();
    void changed();
    void failed(const attnlab::Message& why);

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectModel();
    void makeBoard();

    void remakeBoard();
    QMap<QString, QString> shownWords() const;

    std::unique_ptr<SceneModel> model_;
    std::unique_ptr<SceneModel> covered_; ///< without what `asking_` hides
    std::optional<lab::BoardSpec> asking_;
    QMap<QString, QString> words_;
    Board* board_ = nullptr;
    BoardCover* cover_;
    bool fitting_ = false;
};

// Stands above a covered board until the reader has made a prediction.

class BoardCover : public QWidget {
    Q_OBJECT
public:
    explicit BoardCover(QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }
    /// As low as possible, for presentations.
    void setFitting(bool on);

signals:
    /// To see the board without a prediction.
    void lifted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* button_;
};

} // namespace attnlab::ui
