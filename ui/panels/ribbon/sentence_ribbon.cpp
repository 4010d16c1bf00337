#include "ui/panels/ribbon/sentence_ribbon.h"

#include "core/edit/resize.h"
#include "core/edit/sentence.h"
#include "core/explain/reading.h"
#include "ui/document/document.h"
#include "ui/document/samples.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_dialog.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/panels/ribbon/token_field.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

namespace {

using explain::Reading;

constexpr QMargins usual_margins(11, 5, 8, 4);
constexpr int lines_of_narrow = 40; ///< the width of a narrow card in lines of text
constexpr int longest_name = 16;    ///< letters of a label in the answer, whose figures are to stay in sight

bool isMapOfHeads(const Stage* stage) {
    return stage && stage->value.rank() == 4 && stage->value.size() > 0 && endsWithAxes(*stage, Axis::Query, Axis::Key);
}

/// The weights over the tokens of the pass of a stage. Where those of the mechanism are over other keys, the weights
/// over tokens that they imply.
const Stage* weightsToRead(const Trace& trace, const Stage* shown) {
    const Stage* weights = weightsBeside(trace, shown);
    if (!isMapOfHeads(weights) && weights)
        weights = trace.beside(*weights, "implied_weights");
    return isMapOfHeads(weights) ? weights : nullptr;
}

Reading readingOf(const Trace& trace, const Stage& weights, const ViewState& view, int query) {
    const auto heads = static_cast<int>(weights.value.dim(1)), batches = static_cast<int>(weights.value.dim(0));
    return explain::reading_of(trace, weights, std::min(view.batch(), batches - 1), std::min(view.head(), heads - 1),
                               query);
}

std::optional<int> largestKey(const Reading& row) {
    return row.keys.empty() ? std::nullopt : std::optional(static_cast<int>(row.keys.front().key));
}

/// The sample that the document is, or was before it was changed.
const Sample* sampleOf(const Document& document) {
    if (!document.path().isEmpty())
        return nullptr;
    const auto all = samples();
    const auto found = std::ranges::find_if(
        all, [title = document.title()](const Sample& sample) { return title == sample.displayTitle(); });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

SentenceRibbon::SentenceRibbon(Document& document, ViewState& view, QWidget* parent)
    : QWidget(parent), document_(document), view_(view), above_(new QHBoxLayout), below_(new QHBoxLayout),
      hint_(new ElidedLabel(this)), made_up_mark_(new Badge(this)), field_(new QLineEdit(this)),
      arcs_(new TokenArcs(this)), read_(new QPushButton(this)), edit_(new QPushButton(this)),
      answer_(new AnswerBox(this)) {
    build();
    connect(&view_, &ViewState::stageChanged, this, &SentenceRibbon::traceChanged);
    connect(&view_, &ViewState::sliceChanged, this, [this] {
        refreshDocument();
        refresh();
    });
    connect(&view_, &ViewState::pinnedChanged, this, &SentenceRibbon::refresh);
    connect(&view_, &ViewState::hoveredChanged, this, [this] {
        if (!view_.pinned() && !hovered_)
            refresh();
    });
    connect(arcs_, &TokenArcs::queryHovered, this, &SentenceRibbon::hover);
    connect(arcs_, &TokenArcs::queryClicked, this, &SentenceRibbon::choose);
    connect(arcs_, &TokenArcs::queryMoved, this, &SentenceRibbon::choose);
    connect(arcs_, &TokenArcs::keyClicked, this, &SentenceRibbon::pinKey);
    connect(arcs_, &TokenArcs::renameRequested, this, &SentenceRibbon::rename);
    connect(edit_, &QPushButton::clicked, this, &SentenceRibbon::editSentence);
    connect(field_, &QLineEdit::returnPressed, this, &SentenceRibbon::takeSentence);
    connect(read_, &QPushButton::clicked, this, [this] {
        const auto sentences = sentences_of(document_.problem());
        if (!sentences)
            return;
        const auto& words = sentences->queries;
        std::optional<qsizetype> end;
        if (const auto pinned = view_.pinned(); pinned && pinned->row < std::ssize(words))
            end = textOf(typed_sentence({words.begin(), words.begin() + pinned->row + 1})).size();
        emit modelRequested(textOf(typed_sentence(words)), end);
    });
    connect(&document_, &Document::problemChanged, this, [this] {
        made_up_ = RandomNumbers(document_.problem());
        refreshDocument();
    });
    made_up_ = RandomNumbers(document_.problem());
    connect(&document_, &Document::titleChanged, this, &SentenceRibbon::refreshDocument);
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Sentence"));
    traceChanged();
    refreshDocument();
}

void SentenceRibbon::build() {
    hint_->setForegroundRole(QPalette::PlaceholderText);
    hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    above_->setSpacing(8);
    above_->addWidget(hint_, 1);
    above_->addWidget(field_, 1);
    above_->addWidget(made_up_mark_, 0, Qt::AlignVCenter);
    field_->hide();
    field_->setPlaceholderText(tr("Type a sentence, and press Enter"));
    field_->setAccessibleName(tr("Words of the new document"));
    above_->addWidget(read_);
    above_->addWidget(edit_);
    below_->setSpacing(12);
    below_->addWidget(arcs_, 1);
    below_->addWidget(answer_, 0, Qt::AlignVCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(usual_margins);
    column->setSpacing(0);
    column->addLayout(above_);
    column->addLayout(below_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void SentenceRibbon::setModelNumbers(const TensorMap& numbers) {
    model_numbers_ = numbers;
    refreshDocument();
}

QString SentenceRibbon::hint() const { return hint_->text(); }

void SentenceRibbon::setLow(bool low) {
    if (low_ == low)
        return;
    low_ = low;
    arcs_->setFlat(low);
    layout()->setContentsMargins(low ? QMargins(11, 2, 8, 1) : usual_margins);
    for (QWidget* button : {read_, edit_}) {
        (low ? above_ : below_)->removeWidget(button);
        (low ? below_ : above_)->addWidget(button);
    }
    refreshDocument();
    refresh();
}

void SentenceRibbon::setCompares(bool compares) {
    if (std::exchange(compares_, compares) != compares)
        refresh();
}

void SentenceRibbon::setTrace(const ComputedPtr& computed) {
    weights_ = nullptr; // of the trace before
    computed_ = computed;
    traceChanged();
}

void SentenceRibbon::setBefore(const ComputedPtr& before) {
    if (std::exchange(before_, before) != before)
        refresh();
}

/// "was 69%": what the key of the claim had before; empty where it is as it was, and for claims about several keys.
QString SentenceRibbon::wasWords(const Reading& row) const {
    const Stage* earlier = before_ && !compares_ ? before_->trace.find(weights_->name) : nullptr;
    const bool has_share = row.kind == Reading::Kind::Shares && !row.keys.empty() && row.alike < 2;
    if (!earlier || !has_share || earlier->value.shape() != weights_->value.shape())
        return {};
    const Reading was = readingOf(before_->trace, *earlier, view_, *arcs_->query());
    const auto key = std::ranges::find(was.keys, row.keys.front().key, &explain::KeyWeight::key);
    const std::string share = explain::share_text(key == was.keys.end() ? 0.0 : key->weight);
    return was.kind != Reading::Kind::Shares || share == explain::share_text(row.largest())
               ? QString()
               : tr("was %1").arg(textOf(share));
}

void SentenceRibbon::setOutOfDate(bool out_of_date) {
    if (std::exchange(out_of_date_, out_of_date) != out_of_date)
        refresh();
}

const Stage* SentenceRibbon::shownStage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

void SentenceRibbon::traceChanged() {
    const bool before = arcs_->tokens().count(RibbonTokens::Side::Queries) > 0;
    weights_ = computed_ ? weightsToRead(computed_->trace, shownStage()) : nullptr;
    RibbonTokens tokens = weights_ ? RibbonTokens(computed_->trace, *weights_) : RibbonTokens();
    const auto counts_of = [](const RibbonTokens& of) {
        return std::pair(of.count(RibbonTokens::Side::Queries), of.count(RibbonTokens::Side::Keys));
    };
    if (counts_of(tokens) != counts_of(arcs_->tokens())) // a word that has another name leaves the rest where it is
        answer_->beginAnew();
    arcs_->setTokens(std::move(tokens));
    if (hovered_ && (!weights_ || *hovered_ >= weights_->value.dim(-2)))
        hovered_.reset();
    showWithin(arcs_, weights_ != nullptr);
    refreshDocument();
    refresh();
    if (weights_ && arcs_->tokens().haveWords() && std::exchange(chooses_first_, false))
        QMetaObject::invokeMethod(
            this, [this] { choose(0); }, Qt::QueuedConnection);
    if (before != hasTokens())
        emit hasTokensChanged(hasTokens());
}

/// True when rows of the matrix on show are the queries of the ribbon.
bool SentenceRibbon::rowsAreQueries() const {
    const Stage* shown = shownStage();
    if (!shown || !weights_ || shown->axes.empty() || prefix_of(shown->name) != prefix_of(weights_->name))
        return false;
    if (shortNameOf(*shown) == "view" && shown->value.dim(-2) != weights_->value.dim(-2))
        return false; // words
    return shown->axes.back() == Axis::Query || endsWithAxes(*shown, Axis::Query, Axis::Key) ||
           endsWithAxes(*shown, Axis::Query, Axis::Feature);
}

std::optional<int> SentenceRibbon::query() const {
    if (!weights_)
        return std::nullopt;
    if (hovered_)
        return hovered_;
    const auto cell = view_.pinned() ? view_.pinned() : view_.hovered();
    const bool inside = cell && cell->row >= 0 && cell->row < weights_->value.dim(-2);
    return inside && rowsAreQueries() ? std::optional(cell->row) : std::nullopt;
}

Reading SentenceRibbon::reading(int query) const { return readingOf(computed_->trace, *weights_, view_, query); }

Reading SentenceRibbon::otherReading(int query) const {
    if (!compares_ || !computed_->compared || computed_->compared->error)
        return {};
    const Trace& other = computed_->compared->trace;
    const Stage* weights = weightsToRead(other, stageToShow(other, view_.stage().toStdString()));
    return weights ? readingOf(other, *weights, view_, query) : Reading();
}

void SentenceRibbon::refresh() {
    const auto chosen = query();
    const Reading row = chosen && !out_of_date_ ? reading(*chosen) : Reading();
    arcs_->setQuery(chosen, row);
    refreshAnswer(row);
}

void SentenceRibbon::refreshAnswer(const Reading& row) {
    const auto chosen = arcs_->query();
    const auto say = [&](int longest, QStringList* details) {
        if (out_of_date_)
            return OutdatedOverlay::words();
        const auto names = arcs_->tokens().names(*chosen, longest);
        const auto words =
            compares_ ? explain::words_of_both(row, otherReading(*chosen), names) : explain::words_of(row, names);
        if (const QString was = wasWords(row); !was.isEmpty())
            *details << was;
        if (const QString mark = made_up_.markOf(weights_->name); !mark.isEmpty())
            *details << mark;
        for (const auto& detail : words.details)
            *details << translated(detail);
        return translated(words.claim);
    };
    QString short_claim;
    QStringList short_details;
    QStringList details;
    claim_ = chosen ? say(0, &details) : QString();
    details_ = details.join(QStringLiteral(" · "));
    if (chosen)
        short_claim = say(longest_name, &short_details);
    answer_->setAnswer(chosen ? short_claim : whatToDo(), short_details); // which is said above, unless the card is low
    answer_->setTips(claim_, details_);
    showWithin(answer_, weights_ && (chosen || low_));
    giveRoom();
    const QString answer = details_.isEmpty() ? claim_ : tr("%1, %2").arg(claim_, details_);
    arcs_->setAccessibleName(!weights_ ? QString()
                             : chosen
                                 ? tr("Word %1 of %2: %3").arg(*chosen + 1).arg(weights_->value.dim(-2)).arg(answer)
                                 : tr("%1 words, none chosen").arg(weights_->value.dim(-2)));
}

/// Buttons have their short texts where the long ones do not fit.
void SentenceRibbon::nameButtons() {
    const QRect inside = contentsRect().marginsRemoved(layout()->contentsMargins());
    const ButtonsRoom room{inside.width(), low_, read_->isHidden(), edit_->isHidden(), font()};
    if (room == named_for_)
        return;
    named_for_ = room;
    struct Named {
        QPushButton* button;
        QString whole, brief;
    };
    const Named all[] = {{read_, tr("Read it with the trained sample model"), tr("Trained model")},
                         {edit_, tr("Edit sentence…"), tr("Edit…")}};
    const auto width_with = [](const QPushButton& button, const QString& text) {
        return button.sizeHint().width() + button.fontMetrics().size(Qt::TextShowMnemonic, text).width() -
               button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width();
    };
    int wanted = 0;
    for (const auto& [button, whole, brief] : all) {
        button->setMinimumWidth(width_with(*button, brief)); // the whole text must not keep the card wide
        if (!button->isHidden())
            wanted += width_with(*button, whole) + above_->spacing();
    }
    for (const auto& [button, whole, brief] : all)
        button->setText(low_ || wanted > inside.width() ? brief : whole);
}

/// The answer has what the chips leave.
void SentenceRibbon::giveRoom() {
    const QRect inside = contentsRect().marginsRemoved(layout()->contentsMargins());
    int beside = 0;
    for (const QWidget* button : {read_, edit_})
        if (low_ && !button->isHidden())
            beside += button->sizeHint().width() + below_->spacing();
    const int line = inside.width() - beside - below_->spacing();
    // Beside few chips there are words for an answer; where the letters are large, chips have the line for themselves.
    const bool under = low_ && inside.width() < lines_of_narrow * fontMetrics().height() &&
                       line - arcs_->wholeWidth() < inside.width() / 3;
    if (under != answer_is_under_) {
        answer_is_under_ = under;
        auto* column = static_cast<QBoxLayout*>(layout());
        (under ? below_ : column)->removeWidget(answer_);
        answer_->setOneLine(under);
        if (under)
            column->addWidget(answer_);
        else
            below_->insertWidget(1, answer_, 0, Qt::AlignVCenter);
    }
    answer_->setRoom(under ? inside.width() : line - arcs_->wholeWidth(), under ? inside.width() : line,
                     low_ ? 0 : arcs_->sizeHint().height());
}

QString SentenceRibbon::whatToDo() const {
    return arcs_->tokens().haveWords() ? tr("Click a word to see what it reads")
                                       : tr("Click a query to see what it reads");
}

/// What follows from the document rather than from its result.
void SentenceRibbon::refreshDocument() {
    const Sample* sample = sampleOf(document_);
    const bool words = sentences_of(document_.problem()).has_value();
    const bool random = weights_ ? !made_up_.markOf(weights_->name).isEmpty() : !made_up_.isEmpty();
    // What is said of the sample may hold no more, and not for another head.
    const bool tells = sample && !document_.isModified() &&
                       (!sample->head || (computed_ && *sample->head == headWithin(computed_->trace, view_.head())));
    const QString hint = random  ? made_up_.sentence()
                         : tells ? tr("%1. %2", "about the sample; what to do") // the end may be cut
                                       .arg(sample->displayHelp().section(QLatin1Char('\n'), 0, 0), whatToDo())
                                 : whatToDo();
    hint_->setText(hint);
    const auto& tokens = document_.problem().query_tokens;
    const bool named = words && std::ranges::any_of(tokens, [](const std::string& token) { return !token.empty(); });
    asks_ = asks_ && !named && document_.path().isEmpty();
    const bool is_new = asks_ && words;
    showWithin(field_, weights_ && is_new);
    showWithin(hint_, weights_ && !low_ && !is_new);
    const bool is_made_up = sample || random;
    const bool is_real = !is_made_up && !model_numbers_.empty() && document_.problem().tensors == model_numbers_;
    made_up_mark_->say(!weights_ || low_ ? QString()
                       : is_made_up      ? tr("made-up numbers")
                       : is_real         ? tr("real model")
                                         : QString(),
                       sample   ? tr("The numbers of this sample are chosen to show one thing. No model was trained.")
                       : random ? made_up_.sentence()
                                : tr("Queries, keys and values were computed by a trained model."));
    if (weights_ && is_new && std::exchange(gives_focus_, false))
        QMetaObject::invokeMethod(
            field_, [this] { field_->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
    answer_->setToolTip(low_ ? hint : QString());
    edit_->setAccessibleName(tr("Edit sentence…"));
    showWithin(edit_, words && weights_);
    const Message refusal = words ? refusal_of_sentences(document_.problem()) : Message();
    edit_->setEnabled(refusal.empty());
    edit_->setToolTip(refusal.empty() ? tr("Type other words for these tokens") : translated(refusal));
    edit_->setAccessibleDescription(edit_->toolTip());
    read_->setAccessibleName(tr("Read it with the trained sample model"));
    read_->setToolTip(tr("Opens the small model that comes with the program, with this sentence. It knows few words."));
    showWithin(read_, weights_ && named && !made_up_.isEmpty() && !sampleModelFolder().empty());
    nameButtons();
}

/// The cell of a query in the matrix on show; with no key (or with columns that are none) the column stays.
Cell SentenceRibbon::cellOf(int query, std::optional<int> key) const {
    const Stage* shown = shownStage();
    if (key && shown && endsWithAxes(*shown, Axis::Query, Axis::Key))
        return {query, *key};
    const bool has_columns = shown && shown->axes.size() > 1 && shown->axes.back() != Axis::Query;
    const int columns = has_columns ? static_cast<int>(shown->value.shape().back()) : 1;
    return {query, std::min(view_.pinned() ? view_.pinned()->column : 0, columns - 1)};
}

void SentenceRibbon::hover(std::optional<int> of) {
    hovered_ = of;
    if (rowsAreQueries())
        view_.setHovered(of ? std::optional(cellOf(*of, largestKey(reading(*of)))) : std::nullopt);
    refresh();
}

/// Where the rows of the matrix are no queries, it then shows the weights.
void SentenceRibbon::choose(int of) {
    if (!weights_)
        return;
    if (!rowsAreQueries())
        view_.setStage(QString::fromStdString(weights_->name));
    view_.setPinned(cellOf(of, largestKey(reading(of))));
}

void SentenceRibbon::pinKey(int key) {
    if (const auto chosen = query())
        view_.setPinned(cellOf(*chosen, key));
}

void SentenceRibbon::askForSentence() {
    asks_ = gives_focus_ = true;
    refreshDocument();
}

/// Another result chooses the first word.
void SentenceRibbon::takeSentence() {
    const auto words = words_in(field_->text().toStdString(), {});
    if (words.empty())
        return;
    if (words.size() > static_cast<std::size_t>(longest_sentence)) {
        field_->setToolTip(
            tr("%1 words are too many: at most %2 can be typed.").arg(words.size()).arg(longest_sentence));
        QToolTip::showText(field_->mapToGlobal(QPoint(0, field_->height())), field_->toolTip(), field_);
        return;
    }
    double numbers = 0.0;
    for (const auto& [name, tensor] : document_.problem().tensors)
        numbers += static_cast<double>(tensor.size());
    chooses_first_ = true; // before the edit, which may bring the result
    if (document_.editBy(tr("Type a sentence"), document_.problem(), numbers * static_cast<double>(words.size()),
                         [words](AttentionProblem& problem, const RunControl& control) {
                             problem = with_sentences(problem, {words, {}}, control);
                         }))
        field_->clear();
    else
        chooses_first_ = false;
}

void SentenceRibbon::editSentence() {
    SentenceDialog dialog(document_.problem(), window());
    if (dialog.exec() == QDialog::Accepted)
        document_.editBy(tr("Edit sentence"), document_.problem(), dialog.newNumbers(), dialog.edit());
}

void SentenceRibbon::rename(RibbonTokens::Side side, int token) {
    if (!weights_ || weights_->tokens) // labels of one pass alone
        return;
    const auto axis = side == RibbonTokens::Side::Queries ? Axis::Query : Axis::Key;
    const auto& problem = document_.problem();
    if (token >= token_count(problem, declared_inputs(problem.spec), axis))
        return; // the mechanism appended it
    const auto& labels = axis == Axis::Query || problem.key_tokens.empty() ? problem.query_tokens : problem.key_tokens;
    const auto index = static_cast<std::size_t>(token);
    auto* field = new TokenField(*arcs_, side, token, index < labels.size() ? textOf(labels[index]) : QString());
    field->setAccessibleName(tr("Name of token %1").arg(token));
    connect(field, &TokenField::taken, this, [this, side, token](const QString& name) { setName(side, token, name); });
}

void SentenceRibbon::setName(RibbonTokens::Side side, int token, const QString& name) {
    const auto& problem = document_.problem();
    const auto declared = declared_inputs(problem.spec);
    auto next = problem;
    const auto write = [&](Axis axis) {
        next = with_token_labels(std::move(next), declared, axis, token, {name.toStdString()});
    };
    const bool is_query = side == RibbonTokens::Side::Queries, one_line = arcs_->tokens().oneLine();
    if (is_query || one_line)
        write(Axis::Query);
    if (one_line ? !problem.key_tokens.empty() : !is_query)
        write(Axis::Key);
    document_.edit(name.isEmpty() ? tr("Remove the name of token %1").arg(token)
                                  : tr("Name token %1 “%2”").arg(QString::number(token), name),
                   std::move(next));
}

void SentenceRibbon::paintEvent(QPaintEvent*) { paintCard(*this); }

void SentenceRibbon::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        giveRoom();
}

void SentenceRibbon::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    nameButtons();
    giveRoom();
    layout()->invalidate(); // the row of words has the height of before where it was laid out for other words
}

} // namespace attnlab::ui
