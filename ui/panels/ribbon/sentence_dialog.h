// The dialog for another sentence, with a preview of its tokens.
#pragma once

#include "core/edit/sentence.h"
#include "core/message.h"
#include "ui/widgets/latest_job.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <QDialog>
#include <QRect>
#include <QWidget>
#include <string>
#include <vector>

namespace attnlab::ui {

/// Outlines the new ones.
class TokenPreview : public QWidget {
    Q_OBJECT
public:
    explicit TokenPreview(QWidget* parent = nullptr);

    /// `rows` has -1 for each new word.
    void setWords(const std::vector<std::string>& words, const std::vector<std::int64_t>& rows);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Word {
        QString text;
        bool is_new;
    };
    std::vector<QRect> placed(int width) const;

    std::vector<Word> words_;
};

} // namespace attnlab::ui

// Asks for other words.

class QDialogButtonBox;
class QLineEdit;

namespace attnlab::ui {

class ErrorLabel;
class WrappedLabel;

/// A line for the words of the queries, and one for the words of the keys if they differ. Shows which words are known.
class SentenceDialog : public QDialog {
    Q_OBJECT
public:
    /// Of a problem whose sentences can be edited.
    explicit SentenceDialog(const AttentionProblem& problem, QWidget* parent = nullptr);

    /// For Document::editBy() after the dialog was accepted.
    std::function<void(AttentionProblem&, const RunControl&)> edit() const;
    /// About how many numbers edit() makes.
    double newNumbers() const;

    /// Parts, for tests. The line of keys is null where the keys are the queries' tokens.
    QLineEdit* queryLine() const { return query_.line; }
    QLineEdit* keyLine() const { return key_.line; }
    TokenPreview* queryPreview() const { return query_.preview; }
    QDialogButtonBox* buttons() const { return buttons_; }
    QString said() const;

private:
    struct Part {
        QLineEdit* line = nullptr;
        TokenPreview* preview = nullptr;
        std::vector<std::string> tokens; ///< before
    };
    Part addPart(const std::vector<std::string>& tokens, const QString& title);
    void settle();
    void showCheck(const std::optional<Message>& refusal);
    Sentences words() const;

    AttentionProblem problem_;
    Part query_, key_;
    WrappedLabel* summary_;
    ErrorLabel* error_;
    QDialogButtonBox* buttons_;
    LatestJob<std::optional<Message>> check_; ///< of large problems
};

} // namespace attnlab::ui
