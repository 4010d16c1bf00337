// The tour: short words at the parts of the window that they are about, one after the other.
#pragma once

#include <functional>
#include <QPointer>
#include <QString>
#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class MainWindow;

/// A part of the window, and what to say about it. A part that is hidden or gone is passed over.
struct CoachMark {
    std::function<QWidget*()> part; ///< asked when its turn comes; may return null
    QString title, text;
};

/// Of the workspace.
std::vector<CoachMark> tourOf(MainWindow& window);

/// Covers the window but for the part, with the words in a card beside it. Next (Enter) and Back go through them; Skip,
/// Escape or the end closes, and deletes this.
class CoachMarks : public QWidget {
    Q_OBJECT
public:
    CoachMarks(QWidget& window, std::vector<CoachMark> marks);

    int current() const { return current_; }
    QString words() const;
    QPushButton* nextButton() const { return next_; }
    QPushButton* backButton() const { return back_; }
    /// The part that is not covered.
    QRect hole() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void go(int by);
    void place();
    QWidget* partOf(int mark) const;

    std::vector<CoachMark> marks_;
    int current_ = -1;
    QPointer<QWidget> focus_; ///< before
    QWidget* card_;
    QLabel *title_, *text_, *count_;
    QPushButton *skip_, *back_, *next_;
};

} // namespace attnlab::ui
