#include "ui/learn/lab/board_frame.h"

#include "ui/learn/lab/arrows_board.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/costs_board.h"
#include "ui/learn/lab/setting_board.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QLayout>
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
    case lab::BoardKind::Arrows:
        return new ArrowsBoard(model, parent);
    case lab::BoardKind::Costs:
        return new CostsBoard(model, parent);
    default:
        return new ExhibitBoard(model, parent);
    }
}

BoardFrame::BoardFrame(QWidget* parent)
    : QWidget(parent), model_(std::make_unique<SceneModel>()), cover_(new BoardCover(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(cover_);
    cover_->hide();
    connect(cover_, &BoardCover::lifted, this, &BoardFrame::boardUncovered);
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

void BoardFrame::restoreModel(std::unique_ptr<SceneModel> model) {
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
    board_->setVisible(!covered_);
    board_->setFitting(fitting_);
}

void BoardFrame::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    if (board_)
        board_->setWords(words);
}

void BoardFrame::setCovered(bool covered) {
    covered_ = covered;
    cover_->setVisible(covered);
    if (board_)
        board_->setVisible(!covered);
}

void BoardFrame::setFitting(bool on) {
    fitting_ = on;
    if (board_)
        board_->setFitting(on);
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

BoardCover::BoardCover(QWidget* parent) : QWidget(parent), button_(new RowButton(this)) {
    auto* words = new Label(tr("Predict first, then the picture appears."), this);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignCenter);
    button_->setText(tr("Open the board without an answer"));
    button_->setAutoDefault(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(12);
    column->addStretch(1);
    column->addWidget(words);
    column->addWidget(button_, 0, Qt::AlignCenter);
    column->addStretch(1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(button_, &QPushButton::clicked, this, &BoardCover::lifted);
}

void BoardCover::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
