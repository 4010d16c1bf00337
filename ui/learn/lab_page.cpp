#include "ui/learn/lab_page.h"

#include "ui/elided_label.h"
#include "ui/lab/board.h"
#include "ui/lab/free_labs.h"
#include "ui/label.h"
#include "ui/learn/board_frame.h"
#include "ui/mechanism/row_button.h"
#include "ui/scroll_room.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnlab::ui {

LabPage::LabPage(QWidget* parent)
    : QWidget(parent), list_(new RowButton(this)), heading_(new ElidedLabel(this)), reset_(new RowButton(this)),
      present_(new RowButton(this)), frame_(new BoardFrame(this)) {
    auto* header = new QWidget(this);
    header->setObjectName(QStringLiteral("header"));
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(list_);
    row->addWidget(heading_, 1);
    row->addWidget(reset_);
    row->addWidget(present_);
    QFont bold = heading_->font();
    bold.setBold(true);
    heading_->setFont(bold);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    column->addWidget(header);
    column->addWidget(new ScrollRoom(frame_, ScrollRoom::Scrolls::Both, this), 1);
    connect(list_, &QPushButton::clicked, this, &LabPage::listRequested);
    connect(reset_, &QPushButton::clicked, this, &LabPage::reset);
    connect(present_, &QPushButton::clicked, this, &LabPage::presentationRequested);
    connect(frame_, &BoardFrame::failed, this, &LabPage::failed);
    connect(frame_, &BoardFrame::changed, this, [this] {
        reset_->setEnabled(isChanged());
        emit changed();
    });
    retranslate();
}

void LabPage::open(const QString& board) {
    if (lab_ == board)
        return;
    lab_ = board;
    const auto lab = board == QLatin1String("mask_lab") ? FreeLab::Mask : FreeLab::Scale;
    frame_->begin(freeLabScene(lab), freeLabView(lab));
    reset_->setEnabled(false);
    retranslate();
}

void LabPage::close() {
    lab_.clear();
    frame_->clear();
}

void LabPage::reset() {
    frame_->model().reset();
    reset_->setEnabled(false);
    emit changed();
}

bool LabPage::isChanged() const { return !lab_.isEmpty() && frame_->model().isChanged(); }

QString LabPage::title() const { return lab_ == QLatin1String("mask_lab") ? tr("Mask lab") : tr("Scale lab"); }

void LabPage::retranslate() {
    list_->setText(tr("◂ Lessons"));
    list_->setAccessibleName(tr("All lessons"));
    heading_->setText(title());
    reset_->setText(tr("Reset"));
    present_->setText(tr("Present"));
    present_->setToolTip(tr("Full screen with larger type; Escape leaves"));
}

void LabPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
