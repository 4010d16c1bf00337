#include "ui/learn/lab/board_page.h"

#include "core/lab/board.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

QWidget* rowOfTools(QWidget* first, std::initializer_list<QWidget*> others) {
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    if (first)
        row->addWidget(first);
    row->addStretch(1);
    for (QWidget* other : others)
        row->addWidget(other);
    return tools;
}

BoardPage::BoardPage(QPushButton* tool, QWidget* left, QWidget* parent)
    : QWidget(parent), back_(new RowButton(this)), parts_(new QHBoxLayout) {
    auto* present = new RowButton(this);
    setBackButton(tr("◂ Lessons"), tr("All lessons"));
    present->setText(tr("Present"));
    present->setToolTip(tr("Full screen with larger type. J jumps to a step or lab, B blanks the screen, F6 opens the "
                           "presenter view, Escape leaves."));
    parts_->setSpacing(8);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    tools_ = rowOfTools(back_, {tool, present});
    column->addLayout(parts_, 1);
    if (left)
        parts_->addWidget(left);
    frame_ = new BoardFrame(this); // after the widget to its left, for the order of Tab
    room_ = new FittingScrollArea(frame_, FittingScrollArea::Scrolls::Both, this);
    parts_->addWidget(room_, 1);
    connect(back_, &QPushButton::clicked, this, &BoardPage::listRequested);
    connect(present, &QPushButton::clicked, this, &BoardPage::presentationRequested);
    connect(frame_, &BoardFrame::failed, this, &BoardPage::failed);
}

void BoardPage::setBackButton(const QString& text, const QString& name) {
    back_->setText(text);
    back_->setAccessibleName(name);
}

void BoardPage::addTool(QPushButton* button) {
    constexpr int behind_gap = 2;
    static_cast<QHBoxLayout*>(tools_->layout())->insertWidget(behind_gap, button);
}

void BoardPage::setPresenting(bool on) {
    presenting_ = on;
    fitBoard();
}

bool BoardPage::boardScrolls() const {
    return frame_->width() > room_->viewport()->width() || frame_->height() > room_->viewport()->height();
}

void BoardPage::fitBoard() {
    layout()->activate();
    frame_->setFitting(presenting_);
    room_->fit();
}

void BoardPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (presenting_)
        fitBoard();
}

LabPage::LabPage(QWidget* parent) : LabPage(new RowButton, parent) {}

LabPage::LabPage(QPushButton* reset, QWidget* parent) : BoardPage(reset, nullptr, parent), reset_(reset) {
    connect(reset_, &QPushButton::clicked, this, &LabPage::reset);
    connect(frame(), &BoardFrame::changed, this, [this] {
        reset_->setEnabled(isChanged());
        emit changed();
    });
    reset_->setText(tr("Reset"));
}

void LabPage::open(lab::BoardKind board) {
    if (lab_ == board)
        return;
    lab_ = board;
    frame()->begin(lab::free_lab_scene(board), lab::free_lab_view(board));
    reset_->setEnabled(false);
    setHeading(title());
}

void LabPage::restoreState(State state) {
    lab_ = state.lab;
    if (!lab_)
        return;
    frame()->restoreModel(std::move(state.model));
    reset_->setEnabled(isChanged());
    setHeading(title());
}

void LabPage::close() {
    lab_.reset();
    frame()->clear();
}

void LabPage::reset() {
    frame()->model().reset();
    reset_->setEnabled(false);
    emit changed();
}

bool LabPage::isChanged() const { return lab_ && frame()->model().isChanged(); }

QString LabPage::title() const { return lab_ == lab::BoardKind::MaskLab ? tr("Mask lab") : tr("Scale lab"); }

} // namespace attnlab::ui
