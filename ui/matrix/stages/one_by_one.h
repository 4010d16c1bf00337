// Work on the GUI thread in small pieces.
#pragma once

#include <QTimer>

#include <functional>

namespace attnlab::ui {

/// Runs a piece in each iteration of the event loop, so that many of them do not keep the window waiting.
class OneByOne {
public:
    explicit OneByOne(std::function<void(int)> piece) : piece_(std::move(piece)) {
        timer_.setInterval(0);
        QObject::connect(&timer_, &QTimer::timeout, [this] {
            if (next_ + 1 >= count_)
                timer_.stop();
            piece_(next_++);
        });
    }

    /// Starts again with pieces 0 .. count - 1; those of an earlier start are dropped.
    void start(int count) {
        next_ = 0;
        count_ = count;
        if (count > 0)
            timer_.start();
        else
            timer_.stop();
    }

private:
    std::function<void(int)> piece_;
    QTimer timer_;
    int next_ = 0, count_ = 0;
};

} // namespace attnlab::ui
