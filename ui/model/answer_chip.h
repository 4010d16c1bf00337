// The answer of a model behind the last token.
#pragma once

#include "ui/model/head_effects.h"

#include <optional>
#include <QWidget>

namespace attnlab::ui {

/// An arrow and the answer; while heads are switched off and another answer comes, the one before it too, crossed out.
class AnswerChip : public QWidget {
    Q_OBJECT
public:
    explicit AnswerChip(QWidget* parent = nullptr);

    /// `before` is the answer with all heads on, with its probability then.
    void setAnswer(const std::optional<NamedOutcome>& now, const std::optional<NamedOutcome>& before);
    /// Where the chips beside it begin.
    void setChipTop(int top);
    const std::optional<NamedOutcome>& answer() const { return now_; }
    /// The answer is not that with all heads on.
    bool isFlipped() const { return now_ && before_ && now_->id != before_->id; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static QString textOf(const NamedOutcome& outcome);
    int widthOf(const QString& text) const;

    std::optional<NamedOutcome> now_, before_;
    int top_ = 0;
};

} // namespace attnlab::ui
