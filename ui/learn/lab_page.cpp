#include "ui/learn/lab_page.h"

#include "core/lab/free_labs.h"
#include "ui/panels/mechanism/row_button.h"

#include <utility>

namespace attnlab::ui {

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

void LabPage::resume(Place place) {
    lab_ = place.lab;
    if (!lab_)
        return;
    frame()->resume(std::move(place.model));
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
