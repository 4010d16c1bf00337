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

BoardFrame::BoardFrame(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&model_, &SceneModel::computed, this, &BoardFrame::computed);
    connect(&model_, &SceneModel::failed, this, &BoardFrame::failed);
    connect(&model_, &SceneModel::sceneChanged, this, &BoardFrame::changed);
    connect(&model_, &SceneModel::viewChanged, this, &BoardFrame::changed);
}

BoardFrame::~BoardFrame() { clear(); } // before the displayed model

void BoardFrame::begin(const lab::Scene& scene, const lab::BoardSpec& view) {
    setUpdatesEnabled(false);
    clear();
    model_.begin(scene, view);
    makeBoard();
    setUpdatesEnabled(true);
}

void BoardFrame::makeBoard() {
    board_ = ui::makeBoard(model_, this);
    layout()->addWidget(board_);
}

void BoardFrame::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    if (board_)
        board_->setWords(words);
}

/// A board is made for one language and font size.
void BoardFrame::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if ((event->type() != QEvent::FontChange && event->type() != QEvent::LanguageChange) || !board_)
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
