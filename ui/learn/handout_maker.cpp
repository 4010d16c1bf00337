#include "ui/learn/handout_maker.h"

#include "ui/lab/board.h"
#include "ui/language.h"
#include "ui/learn/board_frame.h"

#include <QEventLoop>

namespace attnlab::ui {
namespace {

/// Room for a board as in the window, so that it lays out what it would show there.
constexpr QSize board_size(1000, 680);
constexpr int handout_look_milliseconds = 15;
constexpr int most_looks = 60'000 / handout_look_milliseconds; ///< then a page goes out with what its board has

} // namespace

HandoutMaker::HandoutMaker(LessonPtr lesson, QObject* parent)
    : QObject(parent), lesson_(std::move(lesson)), frame_(std::make_unique<BoardFrame>()),
      measuring_([this](StepQuestion measured) { question_ = std::move(measured); }) {
    handout_.title = lesson_->title();
    handout_.summary = lesson_->summary();
    frame_->resize(board_size);
    timer_.setInterval(handout_look_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &HandoutMaker::look);
    // A step that cannot be computed still has its words.
    connect(frame_.get(), &BoardFrame::failed, this, [this] { failed_ = true; });
}

HandoutMaker::~HandoutMaker() = default;

void HandoutMaker::start() { begin(0); }

void HandoutMaker::begin(int step) {
    step_ = step;
    if (step_ == lesson_->stepCount()) {
        timer_.stop();
        frame_->clear();
        emit finished();
        return;
    }
    failed_ = false;
    looks_ = 0;
    question_ = lesson_->question(step);
    measuring_.request([lesson = lesson_, step, language = currentLanguage()](const RunControl& control) {
        return lesson->measuredQuestion(step, language, control);
    });
    frame_->begin(lesson_->scene(step), lesson_->view(step));
    timer_.start();
}

/// Boards go on with parts of their picture after the scene is computed.
void HandoutMaker::look() {
    const auto& model = frame_->model();
    const bool patient = ++looks_ < most_looks;
    if (patient && ((!model.result() && !failed_) || model.isComputing() || measuring_.isRunning() ||
                    !frame_->board()->isSettled()))
        return;
    frame_->setWords(lesson_->cardWords(step_, model.computedScene(), model.result().get()));
    HandoutStep step;
    step.title = lesson_->stepTitle(step_);
    step.formula = lesson_->formula(step_);
    step.text = lesson_->text(step_, model.computedScene(), model.result().get());
    step.picture = frame_->board()->picture();
    step.question = question_;
    handout_.steps.push_back(std::move(step));
    emit progressed(static_cast<double>(step_ + 1) / lesson_->stepCount());
    begin(step_ + 1);
}

Handout makeHandout(const LessonPtr& lesson) {
    HandoutMaker maker(lesson);
    QEventLoop loop;
    QObject::connect(&maker, &HandoutMaker::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    maker.start();
    loop.exec();
    return maker.handout();
}

} // namespace attnlab::ui
