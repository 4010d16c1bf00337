// A question with its answers, for a prediction before the explanation.
#pragma once

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
    QString measured; ///< the engine's result for it; shown after a choice

    bool operator==(const QuestionOption&) const = default;
};

struct StepQuestion {
    QString text; ///< Markdown; empty: there is no question
    std::vector<QuestionOption> options;
    QString answer; ///< Markdown; shown after a choice

    bool operator==(const StepQuestion&) const = default;
};

class QuestionView : public QWidget {
    Q_OBJECT
public:
    explicit QuestionView(QWidget* parent = nullptr);

    /// `chosen`: the id of an option, or empty while nothing is revealed.
    void setQuestion(const StepQuestion& question, const QString& chosen);
    QString chosen() const { return chosen_; }
    const std::vector<OptionButton*>& options() const { return buttons_; }
    /// The displayed text of the answer; empty before a choice.
    QString answerText() const;
    /// As a click on the option; ignores an invalid index.
    void choose(int option);

signals:
    void optionChosen(const QString& id);

private:
    void renew();
    void makeButtons();

    StepQuestion question_;
    QString chosen_;
    MarkdownLabel* text_;
    QVBoxLayout* column_;
    MarkdownLabel* answer_;
    std::vector<OptionButton*> buttons_;
};

} // namespace attnlab::ui
