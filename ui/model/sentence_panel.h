// The text of a model whose tokens read each other, with the answer behind them.
#pragma once

#include "core/explain/reading.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_view.h"
#include "ui/model/model_session.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/panels/ribbon/token_field.h"

#include <cstdint>
#include <optional>
#include <QPointer>
#include <QWidget>
#include <utility>
#include <vector>

class QBoxLayout;
class QLabel;
class QPlainTextEdit;
class QSlider;
class QStackedWidget;

namespace attnlab::ui {

class AnswerBox;
class AnswerChip;
class ElidedLabel;
class PlainCard;
class TokenArcs;

/// What one token reads in the head on show, as arcs and in words; and the text itself, whose field takes the place of
/// the chips while it is edited. Of two texts that are compared, each has a panel: words that differ are marked.
class SentencePanel : public QWidget {
    Q_OBJECT
public:
    enum class Text { First, Second };
    explicit SentencePanel(Text text = Text::First, QWidget* parent = nullptr);

    TokenArcs* arcs() const { return arcs_; }
    AnswerBox* answer() const { return answer_; }
    AnswerChip* next() const { return next_; }
    const std::optional<int>& query() const { return query_; }
    const explain::Reading& reading() const { return reading_; }

    /// Null, or weights that are pooled: nothing is shown. Of other tokens the last is chosen, unless the chosen one is
    /// where it was.
    void setHead(const SelectedHeadPtr& head);
    void setQuery(int query);
    /// What the tokens read through many heads, as a stage (1,1,query,key) of this trace, in the place of what they
    /// read in the head. Null: the head.
    void setAllHeads(const ComputedPtr& all, const std::string& stage, const QString& title);
    /// The answer behind the last token; null: none.
    void setResult(const ModelResultPtr& result);
    /// Two texts are compared: this one has its letter, and takes less height.
    void setCompares(bool compares);
    /// Tokens of the text that the model does not read, whose number is shown; the text itself has the place of the
    /// chips, which are those of another text. 0: all are read.
    void setSurplus(std::int64_t tokens);
    QString surplus() const;
    /// Chips with flat arcs. The words, in one line, are placed by the owner; those of the second text are left out.
    /// Otherwise the owner places writtenLine(), so that nothing below moves when it is shown.
    void setLow(bool low);
    /// Goes through the tokens that the model wrote; hidden while there are none.
    QSlider* writtenSlider() const { return written_; }
    QString writtenWords() const;
    QWidget* writtenLine() const { return written_line_; }
    /// The field of the text whose tokens are shown; null: it is elsewhere.
    void setField(QPlainTextEdit* field);
    /// Opens it, with the caret at the end. Enter, Escape or leaving closes it; it stays open where there are no
    /// tokens, or more than the model reads. Behind another text the last token is chosen.
    void edit();
    bool isEditing() const { return is_editing_; }
    /// Opens a field on the chip of a token for other letters in its place: those of several words, or none, which
    /// takes the space before it, too. One step of Undo; then the last token is chosen. Tokens without letters, and
    /// those of another text, open edit().
    void change(int token);
    TokenField* wordField() const { return word_; }
    /// The token whose change is likely to tell most: the last one before the end that was there before, as a name;
    /// else the last one before the end.
    std::optional<int> tellingToken() const;
    /// Where the tokens end in the text.
    void setEnds(const TextSize& size) {
        ends_ = size.ends;
        special_ = size.special;
    }
    /// The token with which the word ends that ends behind so many letters of the text.
    void chooseWord(qsizetype end);
    void takeFocus();

signals:
    /// The field is open, or was closed.
    void editingChanged(bool on);
    void rowChanged();
    /// The answer was clicked, to be the next token.
    void answerTaken(std::int64_t token);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRow();
    bool showsAllHeads() const;
    void giveRoom();
    void setEditing(bool on);
    void beginEditing();
    void chooseLast();
    /// Where the letters of a token are in the text, without the space before them.
    std::pair<qsizetype, qsizetype> lettersOf(int token) const;
    void replace(qsizetype first, qsizetype end, const QString& words);
    void showField();
    void showWritten();
    bool keepsQuery(const RibbonTokens& tokens) const;
    /// The head is off for this text; nullopt: it is on.
    std::optional<model::Ablation::By> ablation() const;
    std::optional<NamedOutcome> outcomeOf(const std::vector<model::Outcome>& likeliest) const;

    Text which_;
    bool compares_ = false;
    SelectedHeadPtr head_;
    struct AllHeads {
        ComputedPtr trace;
        std::string stage;
        QString title;
    };
    AllHeads all_; ///< null: the head is shown
    std::optional<int> query_;
    bool was_chosen_ = false; ///< the query, by the user
    explain::Reading reading_;
    bool low_ = false;
    PlainCard* card_;
    QBoxLayout* line_;      ///< chips, the next token and, unless the window is low, the answer
    QLabel* letter_;        ///< "A" or "B"
    QStackedWidget* chips_; ///< or the field
    TokenArcs* arcs_;
    QPlainTextEdit* field_ = nullptr;
    bool is_editing_ = false; ///< by the user
    bool is_too_long_ = false;
    QString text_before_; ///< the editing
    QPointer<TokenField> word_;
    std::vector<qsizetype> ends_;
    std::vector<bool> special_; ///< TextSize::special
    ElidedLabel* surplus_;      ///< hidden without any
    AnswerChip* next_;
    AnswerBox* answer_;
    ModelResultPtr result_;
    QWidget* written_line_;
    QSlider* written_;
    ElidedLabel* written_words_;
};

// The answer of a model behind the last token.

/// An arrow and the answer; while heads are switched off and another answer comes, the one before it too, crossed out,
/// above it where there is room: the words beside it do not move.
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
    /// Of the text before: an outline instead of its colour.
    void setOutdated(bool outdated);
    bool isOutdated() const { return is_outdated_; }
    /// A click takes it as the next token, which a sign says.
    void setTakeable(bool takeable);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void taken(std::int64_t token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    static QString textOf(const NamedOutcome& outcome);
    QString textOfNow() const;
    int widthOf(const QString& text) const;
    bool isStacked() const;

    std::optional<NamedOutcome> now_, before_;
    bool is_takeable_ = false, is_outdated_ = false;
    int top_ = 0;
};

} // namespace attnlab::ui
