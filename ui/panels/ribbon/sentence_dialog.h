// Asks for other words.
#pragma once

#include "core/edit/sentence.h"

#include <QDialog>

class QDialogButtonBox;
class QLineEdit;

namespace attnlab::ui {

class ErrorLabel;
class TokenPreview;
class WrappedLabel;

/// A line for the words of the queries, and one for those of the keys where they are others. Says which are known.
class SentenceDialog : public QDialog {
    Q_OBJECT
public:
    /// Of a problem whose sentences can be edited.
    explicit SentenceDialog(const AttentionProblem& problem, QWidget* parent = nullptr);

    /// The problem with the words; for an accepted dialog.
    AttentionProblem result() const;

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
    Sentences words() const;

    AttentionProblem problem_;
    Part query_, key_;
    WrappedLabel* told_;
    ErrorLabel* error_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui
