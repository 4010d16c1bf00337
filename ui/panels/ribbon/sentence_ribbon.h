// The ribbon that describes in one sentence what a word reads.
#pragma once

#include "core/explain/reading.h"
#include "ui/document/computation.h"
#include "ui/document/random_numbers.h"
#include "ui/document/view_state.h"
#include "ui/panels/ribbon/token_chips.h"

#include <optional>
#include <QFont>
#include <QWidget>

class QBoxLayout;
class QLineEdit;
class QPushButton;
class QResizeEvent;

namespace attnlab::ui {

class AnswerBox;
class Badge;
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
    /// The result before the setting changed, for what the answer was then; null: none.
    void setBefore(const ComputedPtr& before);
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
    /// The answer is about both settings that are compared.
    void setCompares(bool compares);

    /// Parts, for tests.
    TokenArcs* arcs() const { return arcs_; }
    AnswerBox* answer() const { return answer_; }
    QPushButton* editButton() const { return edit_; }
    /// For the words of a new document; hidden in any other.
    QLineEdit* sentenceField() const { return field_; }
    /// A trained model computed these: they are marked while they are the numbers of the document.
    void setModelNumbers(const TensorMap& numbers);
    /// "made-up numbers", of samples and random numbers, or "real model".
    Badge* madeUp() const { return made_up_mark_; }
    /// Hidden unless there are words, and random numbers.
    QPushButton* modelButton() const { return read_; }
    /// The field for a sentence gets the focus as soon as it is shown.
    void askForSentence();
    /// Pins the largest weight of a query.
    void choose(int query);
    /// Opens a field over a chip for the name of its token; no effect on a token that is not the document's.
    void rename(RibbonTokens::Side side, int token);

signals:
    /// The trained model is to read the sentence.
    void modelRequested(const QString& sentence, std::optional<qsizetype> end);
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
    QString wasWords(const explain::Reading& row) const;
    void nameButtons();
    void giveRoom();
    QString whatToDo() const;
    void refreshDocument();
    void editSentence();
    void takeSentence();
    void setName(RibbonTokens::Side side, int token, const QString& name);

    const Stage* shownStage() const;
    bool rowsAreQueries() const;
    std::optional<int> query() const;
    explain::Reading reading(int query) const;
    /// Of the setting B; none unless it is compared with.
    explain::Reading otherReading(int query) const;
    Cell cellOf(int query, std::optional<int> key) const;
    void hover(std::optional<int> query);
    void pinKey(int key);

    /// What the texts of the buttons depend on.
    struct ButtonsRoom {
        int width = -1;
        bool low = false, hides_read = false, hides_edit = false;
        QFont font = {};
        bool operator==(const ButtonsRoom&) const = default;
    };

    Document& document_;
    ViewState& view_;
    ComputedPtr computed_, before_;
    ButtonsRoom named_for_;
    const Stage* weights_ = nullptr; ///< of computed_
    std::optional<int> hovered_;     ///< in this card
    QString claim_, details_;
    RandomNumbers made_up_;
    TensorMap model_numbers_; ///< share the storage of the document's
    bool low_ = false, answer_is_under_ = false;
    bool compares_ = false;
    bool out_of_date_ = false;
    bool asks_ = false;          ///< for the words of a new document
    bool gives_focus_ = false;   ///< the field gets it as soon as it is shown
    bool chooses_first_ = false; ///< of the words that were typed
    QBoxLayout* above_;
    QBoxLayout* below_;
    ElidedLabel* hint_;
    Badge* made_up_mark_;
    QLineEdit* field_;
    TokenArcs* arcs_;
    QPushButton* read_;
    QPushButton* edit_;
    AnswerBox* answer_;
};

} // namespace attnlab::ui
