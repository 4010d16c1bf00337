// Small pictures of lessons for their list.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/learn/displayed_lesson.h"

#include <deque>
#include <memory>
#include <QObject>
#include <QPixmap>
#include <QTimer>

namespace attnlab::ui {

class BoardFrame;

/// Draws the first board of lessons, one after another, while the window is used: the boards are computed in the
/// background, and nobody sees them.
class LessonPictures : public QObject {
    Q_OBJECT
public:
    explicit LessonPictures(QObject* parent = nullptr);
    ~LessonPictures() override;

    /// Emits drawn(index) when the picture of the lesson is there; a second call for the same index does nothing.
    void want(int index, LessonPtr lesson);
    /// Forgets all.
    void clear();

    /// The matrices and lines of `picture`, as small as `size` (in device-independent pixels).
    static QPixmap thumbnail(const Drawing& picture, const QSize& size, double pixel_ratio);

signals:
    void drawn(int index, std::shared_ptr<const attnlab::ui::Drawing> picture);

private:
    void begin();
    void look();
    void finish(std::shared_ptr<const Drawing> picture);

    struct Wanted {
        int index = 0;
        LessonPtr lesson;
    };
    std::deque<Wanted> waiting_; ///< the first one is on the board
    QSet<int> wanted_;
    std::unique_ptr<BoardFrame> frame_;
    bool failed_ = false;
    int looks_ = 0;
    QTimer timer_;
};

} // namespace attnlab::ui
