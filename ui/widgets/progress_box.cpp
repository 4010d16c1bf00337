#include "ui/widgets/progress_box.h"

#include "ui/widgets/latest_job.h"

#include <QCoreApplication>
#include <QProgressBar>
#include <QProgressDialog>

#include <utility>

namespace attnlab::ui {

ProgressBox::ProgressBox(LatestJobBase& job, QWidget* window, QString text, Qt::WindowModality modality)
    : job_(job), window_(window), text_(std::move(text)), modality_(modality) {
    patience_.setSingleShot(true);
    patience_.setInterval(patience_milliseconds);
    connect(&patience_, &QTimer::timeout, this, &ProgressBox::show);
    connect(&job, &LatestJobBase::started, this, [this] {
        if (!box_ && !patience_.isActive())
            patience_.start();
    });
    connect(&job, &LatestJobBase::progressed, this, [this](double fraction) {
        constexpr int steps = 1000;
        if (!box_)
            return;
        bar_->setMaximum(steps);
        bar_->setValue(static_cast<int>(fraction * steps));
    });
    connect(&job, &LatestJobBase::settled, this, &ProgressBox::close);
}

ProgressBox::~ProgressBox() { close(); }

void ProgressBox::show() {
    if (job_.isHeld()) {
        patience_.start();
        return;
    }
    box_ = new QProgressDialog(text_, QCoreApplication::translate("FileController", "Cancel"), 0, 0, window_);
    box_->setWindowModality(modality_);
    box_->setMinimumDuration(0);
    box_->setAutoClose(false);
    box_->setAutoReset(false);
    bar_ = new QProgressBar; // QProgressDialog::setValue() would run the event loop
    bar_->setRange(0, 0);
    box_->setBar(bar_);
    const auto cancel = [this] {
        if (!box_)
            return;
        box_->deleteLater(); // it still emits
        box_ = nullptr;
        job_.cancel();
    };
    connect(box_, &QProgressDialog::canceled, this, cancel);
    connect(box_, &QDialog::rejected, this, cancel); // Escape in a window that is not active yet only hides the box
    box_->show();
}

void ProgressBox::close() {
    patience_.stop();
    delete box_;
}

} // namespace attnlab::ui
