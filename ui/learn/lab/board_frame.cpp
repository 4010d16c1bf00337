#include "ui/learn/lab/board_frame.h"

#include "core/lab/cover.h"
#include "ui/learn/lab/arrows_board.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/costs_board.h"
#include "ui/learn/lab/setting_board.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QHBoxLayout>
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
    layout->setSpacing(6);
    layout->addWidget(cover_);
    cover_->hide();
    connect(cover_, &BoardCover::lifted, this, &BoardFrame::boardUncovered);
    connectModel();
}

void BoardFrame::connectModel() {
    connect(model_.get(), &SceneModel::computed, this, [this] {
        if (asking_)
            remakeBoard();
    });
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

void BoardFrame::begin(const lab::Scene& scene, const lab::BoardSpec& view, std::optional<lab::BoardSpec> asking) {
    setUpdatesEnabled(false);
    clear();
    words_.clear();
    model_->begin(scene, view);
    asking_ = std::move(asking);
    makeBoard();
    setUpdatesEnabled(true);
}

/// A covered board has a model of its own, which does not have the answer.
void BoardFrame::makeBoard() {
    covered_.reset();
    if (asking_) {
        covered_ = std::make_unique<SceneModel>();
        const auto result = model_->result();
        const auto& scene = model_->computedScene();
        const auto view = result ? lab::covered_view(*asking_, scene, *result) : *asking_;
        covered_->showOnly(result ? scene : model_->scene(), view,
                           result ? std::make_shared<const lab::SceneResult>(lab::covered(scene, *result, view))
                                  : nullptr);
    }
    cover_->setVisible(asking_.has_value());
    board_ = ui::makeBoard(asking_ ? *covered_ : *model_, this);
    layout()->addWidget(board_);
    board_->setFitting(fitting_);
    board_->setWords(shownWords());
    board_->show();
}

void BoardFrame::remakeBoard() {
    setUpdatesEnabled(false);
    clear();
    makeBoard();
    setUpdatesEnabled(true);
}

QMap<QString, QString> BoardFrame::shownWords() const {
    if (!asking_)
        return words_;
    QMap<QString, QString> shown = words_;
    for (const auto& card : words_.keys())
        if (lab::hides(card.toStdString(), "words", asking_->hidden))
            shown.remove(card);
    return shown;
}

void BoardFrame::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    if (board_)
        board_->setWords(shownWords());
}

void BoardFrame::setCover(std::optional<lab::BoardSpec> asking) {
    if (asking == asking_)
        return;
    asking_ = std::move(asking);
    if (board_)
        remakeBoard();
    else
        cover_->setVisible(asking_.has_value());
}

void BoardFrame::setFitting(bool on) {
    fitting_ = on;
    cover_->setFitting(on);
    if (board_)
        board_->setFitting(on);
}

/// A board is made for one font size.
void BoardFrame::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange || !board_)
        return;
    remakeBoard();
}

void BoardFrame::clear() {
    delete board_;
    board_ = nullptr;
    covered_.reset();
}

BoardCover::BoardCover(QWidget* parent) : QWidget(parent), button_(new RowButton(this)) {
    auto* words = new Label(tr("Predict first: the right answer shows what is covered."), this);
    words->setWordWrap(true);
    button_->setText(tr("Open without an answer"));
    button_->setAutoDefault(true);
    auto* row = new QHBoxLayout(this);
    setFitting(false);
    row->setSpacing(12);
    row->addWidget(words, 1);
    row->addWidget(button_);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    connect(button_, &QPushButton::clicked, this, &BoardCover::lifted);
}

void BoardCover::setFitting(bool on) {
    constexpr int beside = 10, above = 6;
    layout()->setContentsMargins(beside, on ? 0 : above, beside, on ? 0 : above);
}

void BoardCover::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
