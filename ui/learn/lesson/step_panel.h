// The left side of a lesson: the text and the question of the step, and navigation.
#pragma once

#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/text_pages.h"

#include <QStringList>
#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class FormulaView;
class MarkdownLabel;
class FittingScrollArea;
class StepDots;

/// Left and Right go back and forward while it has the focus; digits choose an option, 0 shows the answer after a hint.
class StepPanel : public QWidget {
    Q_OBJECT
public:
    explicit StepPanel(QWidget* parent = nullptr);

    /// Scrolls to the top for a new step.
    void begin(int step, const QString& title, const QString& formula);
    /// Of a lecture, from when to when the step takes; empty for none.
    void setTimes(const QString& times);
    void setBody(const QString& markdown);
    /// As QuestionView::setQuestion().
    void setQuestion(const StepQuestion& question, const QString& chosen, const QString& tried = {});
    void setSteps(const std::vector<bool>& seen, const QStringList& titles);
    /// The user has changed something.
    void setChanged(bool changed);
    /// The target of the forward button.
    enum class NextTarget { Step, Lesson, List };
    void setNextTarget(NextTarget next_target);

    QString bodyText() const;
    QString positionText() const;
    QuestionView* question() const { return question_; }
    StepDots* dots() const { return dots_; }
    QPushButton* nextButton() const { return next_; }
    QPushButton* backButton() const { return back_; }
    QPushButton* resetButton() const { return reset_; }
    bool hintIsShown() const;
    QPushButton* hideButton() const { return hide_; }
    /// Takes this width, and divides a text that would scroll into pages; 0: as usual.
    void setFitting(int width);
    /// The text is higher than the panel.
    bool scrolls() const;
    /// Lays out changes of the text now; otherwise this happens in the event loop.
    void fit();
    int pageCount() const { return static_cast<int>(pages_.size()); }
    int page() const { return page_; }
    /// To the next page (1) or the previous one (-1). False if there is none.
    bool turnPage(int by);

signals:
    void nextRequested();
    void backRequested();
    void stepRequested(int step);
    void resetRequested();
    void hideRequested();
    void optionChosen(const QString& id);
    void answerRequested();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeText();
    QWidget* makeNavigation();
    void showPosition();
    void fitWidth();
    void fitLater();
    void showAnswer();
    std::vector<TextPage> makePages() const;
    void showPage();

    int step_ = 0;
    std::vector<bool> seen_;
    int fitted_width_ = 0;   ///< 0: not fitting
    bool has_pages_ = false; ///< the text was divided into pages when it was last fitted
    bool fitting_later_ = false;
    QString markdown_; ///< of the body
    std::vector<TextPage> pages_ = std::vector<TextPage>(1);
    int page_ = 0;
    bool to_answer_ = false; ///< the next layout turns to the answer
    bool to_hint_ = false;   ///< or to the options with the hint
    bool changed_ = false;
    QLabel* position_;
    QString times_;
    QPushButton* hide_;
    QLabel* title_;
    FormulaView* formula_;
    MarkdownLabel* body_;
    QuestionView* question_;
    QWidget* hint_;
    QLabel* hint_text_;
    QPushButton* reset_;
    FittingScrollArea* scroll_ = nullptr;
    QPushButton* back_;
    QPushButton* next_;
    StepDots* dots_;
};

/// Shows the position among the steps of a lesson.
/// A dot for each step, filled if seen; a click opens the step. (The keys for next and back serve the keyboard, so the
/// dots take no focus.)
class StepDots : public QWidget {
    Q_OBJECT
public:
    explicit StepDots(QWidget* parent = nullptr);

    void setSteps(std::vector<bool> seen, int current, const QStringList& titles);
    QRectF dotRect(int step) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepChosen(int step);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int stepAt(const QPointF& position) const;
    int target() const;
    double pitch() const;

    std::vector<bool> seen_;
    QStringList titles_;
    int current_ = 0;
};

} // namespace attnlab::ui
