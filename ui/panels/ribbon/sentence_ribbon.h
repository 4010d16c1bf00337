// The ribbon that describes in one sentence what a word reads.
#pragma once

#include "core/explain/reading.h"
#include "ui/document/computation.h"
#include "ui/document/random_numbers.h"
#include "ui/document/view_state.h"

#include <optional>
#include <QStringList>
#include <QWidget>

namespace attnlab::ui {

class ElidedLabel;

/// A sentence, and below it details in one line, or in two where one is too short and the height allows it. Asks for
/// the width of a usual answer, whatever the present one is, for more where there is room, and for half of the line
/// where the words do not all fit. Its room is kept while it is hidden.
class AnswerBox : public QWidget {
public:
    explicit AnswerBox(QWidget* parent = nullptr);

    void setAnswer(const QString& claim, const QStringList& details);
    /// Before answers about other words. The box does not become narrower from one answer to the next, or the words
    /// would move under the mouse.
    void beginAnew() { widest_claim_ = 0; }
    /// The whole of an answer that is abridged.
    void setTips(const QString& claim, const QString& details);
    /// The width that nothing else needs, that of the line, and the height that it may take without making its card
    /// higher.
    void setRoom(int width, int line, int height);
    /// The lines as they are shown; none while it is hidden.
    QStringList shownLines() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeFor(fewest_letters); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int most_letters = 84, usual_letters = 54, fewest_letters = 24;
    static constexpr int least_usual_letters = 46;    ///< where all chips are then in sight
    static constexpr int letters_of_three_lines = 40; ///< the least width where details may take two lines
    static constexpr int letters_of_a_claim = 30;     ///< the least width beside words that do not all fit
    QSize sizeFor(int letters) const;
    bool hasThreeLines() const;
    void wrap();

    ElidedLabel *claim_, *details_;
    ElidedLabel* more_; ///< the end of the details, where one line is too short
    QStringList parts_;
    int room_ = 0, line_ = 0, height_ = 0;
    int widest_claim_ = 0;
    QSize hinted_; ///< the size hint at the last updateGeometry()
};

} // namespace attnlab::ui

// The card that describes in one sentence what a word reads.

class QBoxLayout;
class QResizeEvent;
class QPushButton;

namespace attnlab::ui {

class Document;
class ElidedLabel;
class TokenArcs;

/// Shows a row of the weights of the pass, head and batch on show: the row under the mouse in this card, else the
/// pinned one, else the one pointed at elsewhere. Choosing a word pins its largest key.
class SentenceRibbon : public QWidget {
    Q_OBJECT
public:
    SentenceRibbon(Document& document, ViewState& view, QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setTrace(const ComputedPtr& computed);
    /// The trace does not belong to the present inputs: a notice replaces the numbers.
    void setOutOfDate(bool out_of_date);
    /// False where there are no weights to read: then the card is empty.
    bool hasTokens() const { return weights_ != nullptr; }

    /// The answer, unabridged; empty without a chosen word.
    const QString& claim() const { return claim_; }
    const QString& details() const { return details_; }
    QString hint() const;
    /// Takes less height: the hint becomes a tool tip, and arcs are flatter.
    void setLow(bool low);

    /// Parts, for tests.
    TokenArcs* arcs() const { return arcs_; }
    AnswerBox* answer() const { return answer_; }
    QPushButton* editButton() const { return edit_; }

signals:
    void hasTokensChanged(bool has_tokens);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void traceChanged();
    void refresh();
    void refreshAnswer(const explain::Reading& reading);
    void giveRoom();
    QString whatToDo() const;
    void refreshDocument();
    void editSentence();

    const Stage* shownStage() const;
    bool rowsAreQueries() const;
    std::optional<int> query() const;
    explain::Reading reading(int query) const;
    Cell cellOf(int query, std::optional<int> key) const;
    void hover(std::optional<int> query);
    void choose(int query);
    void pinKey(int key);

    Document& document_;
    ViewState& view_;
    ComputedPtr computed_;
    const Stage* weights_ = nullptr; ///< of computed_
    std::optional<int> hovered_;     ///< in this card
    QString claim_, details_;
    RandomNumbers made_up_;
    bool low_ = false;
    bool out_of_date_ = false;
    QBoxLayout* above_;
    QBoxLayout* below_;
    ElidedLabel* hint_;
    TokenArcs* arcs_;
    QPushButton* edit_;
    AnswerBox* answer_;
};

} // namespace attnlab::ui
