#include "ui/learn/board_frame.h"

#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/exhibit_board.h"
#include "ui/learn/lab/step_board.h"

#include <QEvent>
#include <QVBoxLayout>

namespace attnlab::ui {

Board* makeBoard(SceneModel& model, QWidget* parent) {
    switch (model.view().board) {
    case lab::BoardKind::Matrices:
    case lab::BoardKind::ScaleLab:
    case lab::BoardKind::MaskLab:
        return new CardsBoard(model, parent);
    case lab::BoardKind::StepThrough:
        return new StepBoard(model, parent);
    default:
        return new ExhibitBoard(model, parent);
    }
}

BoardFrame::BoardFrame(QWidget* parent) : QWidget(parent), model_(std::make_unique<SceneModel>()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connectModel();
}

void BoardFrame::connectModel() {
    connect(model_.get(), &SceneModel::computed, this, &BoardFrame::computed);
    connect(model_.get(), &SceneModel::failed, this, &BoardFrame::failed);
    connect(model_.get(), &SceneModel::sceneChanged, this, &BoardFrame::changed);
    connect(model_.get(), &SceneModel::viewChanged, this, &BoardFrame::changed);
}

std::unique_ptr<SceneModel> BoardFrame::takeModel() {
    clear();
    model_->disconnect(this);
    return std::move(model_);
}

void BoardFrame::resume(std::unique_ptr<SceneModel> model) {
    clear();
    model_ = std::move(model);
    connectModel();
    makeBoard();
}

BoardFrame::~BoardFrame() { clear(); } // before the displayed model

void BoardFrame::begin(const lab::Scene& scene, const lab::BoardSpec& view) {
    setUpdatesEnabled(false);
    clear();
    model_->begin(scene, view);
    makeBoard();
    setUpdatesEnabled(true);
}

void BoardFrame::makeBoard() {
    board_ = ui::makeBoard(*model_, this);
    layout()->addWidget(board_);
}

void BoardFrame::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    if (board_)
        board_->setWords(words);
}

/// A board is made for one font size.
void BoardFrame::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange || !board_)
        return;
    clear();
    makeBoard();
    board_->setWords(words_);
}

void BoardFrame::clear() {
    delete board_;
    board_ = nullptr;
}

} // namespace attnlab::ui
