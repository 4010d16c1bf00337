#include "ui/learn/board_cover.h"

#include "ui/panels/mechanism/row_button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/label.h"

#include <QVBoxLayout>

namespace attnlab::ui {

BoardCover::BoardCover(QWidget* parent) : QWidget(parent), button_(new RowButton(this)) {
    auto* words = new Label(tr("First a prediction: choose an answer to the question, and the board opens."), this);
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
