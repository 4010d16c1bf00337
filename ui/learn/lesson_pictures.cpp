#include "ui/learn/lesson_pictures.h"

#include "ui/learn/lab/board_frame.h"

#include <algorithm>
#include <QApplication>
#include <QPainter>
#include <utility>

namespace attnlab::ui {
namespace {

/// Room in which a board lays itself out; a picture shows all of it.
constexpr QSize room_of_board(520, 330);
constexpr int picture_look_milliseconds = 30;
constexpr int most_picture_looks = 60'000 / picture_look_milliseconds;

/// A board without the parts that cannot be seen in a small picture.
lab::BoardSpec bareView(lab::BoardSpec view) {
    view.show.clear();
    view.live.clear();
    view.pin.reset();
    view.highlight.clear();
    return view;
}

} // namespace

LessonPictures::LessonPictures(QObject* parent) : QObject(parent) {
    timer_.setInterval(picture_look_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &LessonPictures::look);
}

LessonPictures::~LessonPictures() = default;

void LessonPictures::want(int index, LessonPtr lesson) {
    if (wanted_.contains(index) || lesson->stepCount() == 0)
        return;
    wanted_.insert(index);
    waiting_.push_back({index, std::move(lesson)});
    if (!timer_.isActive())
        timer_.start();
}

void LessonPictures::clear() {
    timer_.stop();
    waiting_.clear();
    wanted_.clear();
    frame_.reset();
    looks_ = 0;
}

void LessonPictures::begin() {
    if (!frame_) {
        frame_ = std::make_unique<BoardFrame>();
        frame_->resize(room_of_board);
        connect(frame_.get(), &BoardFrame::failed, this, [this] { failed_ = true; });
    }
    failed_ = false;
    const auto& lesson = *waiting_.front().lesson;
    frame_->begin(lesson.scene(0), bareView(lesson.view(0)));
}

void LessonPictures::look() {
    if (waiting_.empty()) {
        timer_.stop();
        frame_.reset();
        return;
    }
    if (looks_++ == 0) {
        begin();
        return;
    }
    const auto& model = frame_->model();
    const bool patient = looks_ < most_picture_looks && !failed_;
    if (patient && (!model.result() || model.isComputing() || !frame_->board()->isSettled()))
        return;
    finish(model.result() ? frame_->board()->picture() : nullptr);
}

void LessonPictures::finish(std::shared_ptr<const Drawing> picture) {
    const int index = waiting_.front().index;
    waiting_.pop_front();
    looks_ = 0;
    frame_->clear();
    if (picture)
        emit drawn(index, std::move(picture));
}

QPixmap LessonPictures::thumbnail(const Drawing& picture, const QSize& size, double pixel_ratio) {
    QPixmap pixmap(size * pixel_ratio);
    pixmap.setDevicePixelRatio(pixel_ratio);
    pixmap.fill(Qt::transparent);
    const QFont font = QApplication::font();
    const QSizeF area = picture.smallest(font, room_of_board.width()).expandedTo(room_of_board);
    const double scale = std::min(size.width() / area.width(), size.height() / area.height());
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate((size.width() - scale * area.width()) / 2.0, (size.height() - scale * area.height()) / 2.0);
    painter.scale(scale, scale);
    picture.paint(painter, QRectF(QPointF(), area), {theme(), font});
    return pixmap;
}

} // namespace attnlab::ui
