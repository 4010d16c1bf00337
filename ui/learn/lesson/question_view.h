// A question with its options, for a prediction before the explanation, and a second one after a hint.
#pragma once

#include "ui/learn/lesson/card_button.h"

#include <QString>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace attnlab::ui {

class MarkdownLabel;
class OptionButton;

struct QuestionOption {
    QString id;
    QString text;
    bool right = false;
    QString measured; ///< why it is right or not: the lesson's words, or what was measured; shown after a choice

    bool operator==(const QuestionOption&) const = default;
};

struct StepQuestion {
    QString text; ///< Markdown; empty: there is no question
    std::vector<QuestionOption> options;
    QString hint;   ///< Markdown; shown after a first wrong choice
    QString answer; ///< Markdown; shown once it is revealed
    QString notes;  ///< Markdown; a longer answer, for who presents

    bool operator==(const StepQuestion&) const = default;
};

class QuestionView : public QWidget {
    Q_OBJECT
public:
    explicit QuestionView(QWidget* parent = nullptr);

    /// `chosen`: the id of an option, or empty while nothing is revealed. `tried`: an option that was chosen before, or
    /// empty: it is marked as wrong, and until the answer is revealed it is disabled and the hint is shown.
    void setQuestion(const StepQuestion& question, const QString& chosen, const QString& tried = {});
    QString chosen() const { return chosen_; }
    const std::vector<OptionButton*>& options() const { return buttons_; }
    /// The displayed text of the answer; empty before a choice.
    QString answerText() const;
    /// As a click on the option; ignores an invalid index.
    void choose(int option);
    /// As a click on "Show the answer", while it is there.
    void requestAnswer();
    /// After a wrong choice, while another one is awaited.
    bool hasHint() const { return chosen_.isEmpty() && !tried_.isEmpty(); }
    /// As displayed; empty if there is none.
    QString hintText() const;
    QPushButton* answerButton() const { return show_; }
    bool isEmpty() const { return question_.text.isEmpty(); }
    /// The Markdown of the revealed answer; empty before a choice.
    QString answer() const { return chosen_.isEmpty() ? QString() : question_.answer; }
    /// The options below the question: none of them and no question, all, those that an answer is about (the right one
    /// and the chosen one), or the right one.
    enum class Options { None, All, Answered, Right };
    /// The options with their reasons below them, once the answer is revealed.
    enum class Reasons { None, Chosen, All };
    /// For pages of a presentation: what is visible of the question, and of the answer.
    void showParts(Options options, Reasons reasons, const QString& answer);
    /// Of the question with these options; 0 if there is none.
    int optionsHeight(int width, Options options, Reasons reasons) const;

signals:
    void optionChosen(const QString& id);
    void answerRequested();

private:
    void renew();
    void makeButtons();
    bool shows(std::size_t option, Options options) const;
    bool hasReason(std::size_t option, Reasons reasons) const;

    StepQuestion question_;
    QString chosen_, tried_;
    MarkdownLabel* text_;
    QVBoxLayout* column_;
    MarkdownLabel* hint_;
    QPushButton* show_;
    MarkdownLabel* answer_;
    std::vector<OptionButton*> buttons_;
};

/// One answer of a question: a line that can be chosen, and then the engine's result for it.
class OptionButton : public CardButton {
    Q_OBJECT
public:
    enum class Mark { None, Right, Wrong }; ///< Wrong: chosen, but not the right one

    /// `number`: the key that chooses it, shown before the words up to 9.
    OptionButton(int number, const QString& words, QWidget* parent = nullptr);

    void setMark(Mark mark, const QString& measured);
    Mark mark() const { return mark_; }
    QString measured() const;
    void showMeasured(bool on);
    /// With the text of setMark() below the words, or without it.
    int heightWith(bool measured, int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Mark mark_ = Mark::None;
    bool shows_measured_ = true;
    int number_;
    QLabel* words_;
    QLabel* measured_;
};

} // namespace attnlab::ui
