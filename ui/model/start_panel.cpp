#include "ui/model/start_panel.h"

#include "ui/document/settings.h"
#include "ui/model/page_parts.h"
#include "ui/widgets/card.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wrapped_label.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

namespace attnlab::ui {
namespace {

constexpr int widest = 460, most_letters = 60;

} // namespace

StartPanel::StartPanel(QWidget* parent)
    : QWidget(parent), open_(newButton(tr("Open a model…"), tr("A folder with config.json, weights and a tokenizer, or "
                                                               "a GGUF file"))),
      leave_(newButton(tr("Back to the workspace"), tr("Back to the document"))), heading_(mutedLabel(this, true)) {
    auto* words = new WrappedLabel;
    words->setWordWrap(true);
    words->setText(tr("A model on this computer: a folder with config.json, weights and a tokenizer, or one GGUF file. "
                      "Nothing is downloaded, and nothing leaves the machine."));
    heading_->setText(tr("Recent models"));
    auto* middle = new QWidget;
    middle->setMaximumWidth(widest);
    column_ = new QVBoxLayout(middle);
    column_->addWidget(words);
    column_->addWidget(open_);
    column_->addWidget(leave_);
    column_->addSpacing(8);
    column_->addWidget(heading_);
    auto* column = new QVBoxLayout(this);
    column->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(middle, 4);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(2);
    connect(open_, &QPushButton::clicked, this, &StartPanel::openRequested);
    connect(leave_, &QPushButton::clicked, this, &StartPanel::leaveRequested);
    fill();
}

void StartPanel::fill() {
    for (QPushButton* button : recent_)
        removeLater(button);
    recent_.clear();
    for (const auto& path : settings::recentModels()) {
        const QFileInfo file(path);
        QString name = file.fileName();
        if (name.size() > most_letters)
            name = name.left(most_letters - 1) + QChar(0x2026);
        auto* button = newButton(menuText(name), path);
        connect(button, &QPushButton::clicked, this, [this, path] { emit chosen(path); });
        column_->addWidget(button);
        recent_.push_back(button);
    }
    heading_->setVisible(!recent_.empty());
}

void StartPanel::showEvent(QShowEvent* event) {
    fill(); // other windows open models too
    QWidget::showEvent(event);
}

void StartPanel::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
