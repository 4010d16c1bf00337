// All lessons below the headings of their groups, with the user's progress and small pictures, and the labs beside
// them.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/learn/lesson/card_button.h"
#include "ui/learn/lesson/displayed_lesson.h"

#include <deque>
#include <memory>
#include <QObject>
#include <QPixmap>
#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace attnlab::ui {

class BoardFrame;
class FittingScrollArea;
class LessonPictures;
class LessonRow;

class LessonList : public QWidget {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);

    /// Labs and what opens other lessons, for the row above the list; the new parent owns them.
    QWidget* tools() const { return tools_; }
    /// The first `shipped` lessons are numbered; the others were opened from folders.
    void setLessons(std::vector<LessonPtr> lessons, int shipped);
    /// Updates the progress.
    void refresh();
    /// In the order of setLessons(); the list shows them by groups.
    const std::vector<LessonRow*>& rows() const { return rows_; }
    /// The row that was chosen last, or the first one of the list.
    void focusRow(int index);
    /// From top to bottom.
    const std::vector<QLabel*>& headings() const { return headings_; }
    QPushButton* forgetButton() const { return forget_; }
    QPushButton* writeButton() const { return write_; }

signals:
    void lessonChosen(int index);
    void labChosen(attnlab::lab::BoardKind board);
    void folderRequested();
    void forgetRequested();
    void editorRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitWidth();
    bool pressKey(const QObject* row, int key);
    void clear();

    std::vector<LessonPtr> lessons_;
    int shipped_ = 0;
    QWidget* narrow_; ///< the column of the list
    QWidget* tools_;
    QPushButton* folder_;
    QPushButton* write_;
    QPushButton* forget_;
    QVBoxLayout* column_;
    FittingScrollArea* scroll_;
    std::vector<LessonRow*> rows_;
    std::vector<LessonRow*> order_; ///< the rows from top to bottom
    std::vector<QLabel*> headings_;
    LessonPictures* pictures_;
};

/// A card that is a button: number, picture, title, summary, minutes, and the user's progress.
class LessonRow : public CardButton {
    Q_OBJECT
public:
    explicit LessonRow(QWidget* parent = nullptr);

    struct Content {
        int number = 0; ///< 0 if none
        QString group;  ///< the heading above it
        int minutes = 0;
        bool planned = false; ///< the minutes; else they are estimated
        QString title;
        QString summary;
        int steps = 0;
        int seen = 0;
        int questions = 0;
        int answered = 0;
        bool finished = false; ///< opens at its first step
    };
    void setContent(const Content& content);
    /// Of its first board; drawn small.
    void setPicture(std::shared_ptr<const Drawing> picture);
    bool hasPicture() const { return picture_ != nullptr; }
    /// "2 of 6 steps · 1 of 3 questions".
    QString progressText() const;
    /// "about 16 min"; "10 min" where they are planned.
    QString minutesText() const;
    /// What a click does: "Start", "Continue" or "Again".
    QString nextText() const;

signals:
    /// It is seen, and has no picture.
    void pictureWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    void paintPicture();

    std::shared_ptr<const Drawing> picture_;
    QPixmap small_; ///< null: to be drawn
    QLabel* number_;
    QWidget* frame_; ///< of the picture
    QLabel* title_;
    QLabel* summary_;
    QWidget* beside_; ///< the user's progress
    QLabel* next_;
    QLabel* minutes_;
    QProgressBar* bar_;
    QLabel* progress_;
};

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
