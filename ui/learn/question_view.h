// Predict, then look: a question with its answers.
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
    QString measured; ///< what the engine says about it; shown once something is chosen

    bool operator==(const QuestionOption&) const = default;
};

struct StepQuestion {
    QString text; ///< Markdown; empty: there is no question
    std::vector<QuestionOption> options;
    QString answer; ///< Markdown; shown once something is chosen

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
    /// What is on show of the answer; empty while nothing is chosen.
    QString answerText() const;
    /// As if the option had been clicked; ignores an index that is not there.
    void choose(int option);

signals:
    void optionChosen(const QString& id);

protected:
    void changeEvent(QEvent* event) override;

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
