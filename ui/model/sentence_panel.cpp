#include "ui/model/sentence_panel.h"

#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAccessible>
#include <QCoreApplication>
#include <QEvent>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSlider>
#include <QStackedWidget>
#include <QStyle>
#include <QTextCursor>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

/// What takes the place of the head's output; nullopt: it is on.
std::optional<model::Ablation::By> ablationOf(const SelectedHead& head) {
    const auto& off = head.result->result->ablations;
    const auto found = std::ranges::find_if(off, [&head](const model::Ablation& one) {
        return one.head == head.place.head && one.pass == head.heads().name;
    });
    return found == off.end() ? std::nullopt : std::optional(found->by);
}

} // namespace

SentencePanel::SentencePanel(Text text, QWidget* parent)
    : QWidget(parent), which_(text), card_(new PlainCard(QBoxLayout::TopToBottom)), line_(new QHBoxLayout),
      letter_(new Label(text == Text::First ? tr("A") : tr("B"))), chips_(new QStackedWidget), arcs_(new TokenArcs),
      surplus_(new ElidedLabel), next_(new AnswerChip), answer_(new AnswerBox), written_line_(new QWidget),
      written_(new QSlider(Qt::Horizontal)), written_words_(makeLineLabel(LineStyle::Muted)) {
    constexpr int much = 1000; // only what the tokens do not need is left empty
    chips_->addWidget(arcs_);
    card_->content()->addLayout(line_);
    line_->setSpacing(card_->content()->spacing());
    QFont bold = letter_->font();
    bold.setBold(true);
    letter_->setFont(bold);
    letter_->setAlignment(Qt::AlignCenter);
    letter_->setMinimumWidth(
        QFontMetrics(bold).horizontalAdvance(QLatin1Char('W'))); // words of both texts begin at one place
    letter_->hide();
    surplus_->hide();
    answer_->setYields(true);
    line_->addWidget(letter_);
    line_->addWidget(chips_, much);
    line_->addWidget(surplus_, 0, Qt::AlignBottom);
    line_->addWidget(next_);
    line_->addStretch(1);
    line_->addWidget(answer_, 0, Qt::AlignVCenter);
    constexpr int narrowest_slider = 80, widest_slider = 240;
    written_->setMinimumWidth(narrowest_slider);
    written_->setMaximumWidth(widest_slider);
    written_->setPageStep(1);
    written_->setAccessibleName(tr("Token that the model wrote"));
    written_->setToolTip(tr("Goes through the tokens that the model wrote, and shows what was read to write each"));
    auto* written = new QHBoxLayout(written_line_);
    written->setContentsMargins(0, 0, 0, 0);
    written->addWidget(written_, 1);
    written->addWidget(written_words_, 2);
    written_line_->hide();
    card_->content()->addWidget(written_line_);
    connect(written_, &QSlider::valueChanged, this, [this](int value) {
        if (result_ && result_->first_written)
            setQuery(static_cast<int>(*result_->first_written) + value - 1);
    });
    connect(next_, &AnswerChip::taken, this, &SentencePanel::answerTaken);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    declareShortcuts(*this, {tr("Text of a model"),
                             {{tr("F2"), tr("Edit the word")},
                              {tr("Enter"), tr("Back to the words")},
                              {tr("Escape"), tr("Back to the words, with the text as it was")}}});
    connect(arcs_, &TokenArcs::queryClicked, this, &SentencePanel::setQuery);
    connect(arcs_, &TokenArcs::queryMoved, this, &SentencePanel::setQuery);
    connect(arcs_, &TokenArcs::renameRequested, this, [this](RibbonTokens::Side, int token) { change(token); });
}

void SentencePanel::setField(QPlainTextEdit* field) {
    if (field_ == field)
        return;
    if (field_)
        field_->removeEventFilter(this);
    field_ = field;
    is_editing_ = false;
    if (field_) {
        field_->setMinimumHeight(0);
        field_->setMaximumHeight(QWIDGETSIZE_MAX);
        field_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // as high as the chips
        chips_->addWidget(field_);
        field_->installEventFilter(this);
    }
    showField();
}

void SentencePanel::edit() {
    if (!field_)
        return;
    field_->moveCursor(QTextCursor::End);
    beginEditing();
    field_->setFocus(Qt::OtherFocusReason);
}

void SentencePanel::beginEditing() {
    if (!is_editing_)
        text_before_ = field_->toPlainText();
    setEditing(true);
}

/// Of a letter that is cut into several tokens, each has the whole.
std::pair<qsizetype, qsizetype> SentencePanel::lettersOf(int token) const {
    const QString text = field_->toPlainText();
    auto at = static_cast<std::size_t>(token);
    if (at < special_.size() && special_[at])
        return {0, 0};
    qsizetype first = at > 0 && at <= ends_.size() ? std::min(ends_[at - 1], text.size()) : 0, end = first;
    for (; at < ends_.size() && end == first; ++at)
        end = std::min(ends_[at], text.size());
    while (first < end && text[first].isSpace())
        ++first;
    return {first, end};
}

void SentencePanel::change(int token) {
    if (!field_)
        return;
    const auto& tokens = arcs_->tokens();
    const QString text = field_->toPlainText();
    const auto [first, end] = lettersOf(token);
    // Of a text that is too long the chips are those of the text before.
    const bool are_of_text = static_cast<int>(ends_.size()) == tokens.count(RibbonTokens::Side::Queries);
    if (first == end || !are_of_text || tokens.isStart(RibbonTokens::Side::Queries, token))
        return edit();
    if (word_)
        word_->drop();
    word_ = new TokenField(*arcs_, RibbonTokens::Side::Queries, token, text.mid(first, end - first));
    word_->setAccessibleName(tr("Token %1").arg(token));
    connect(word_, &TokenField::taken, this, [this, text, first = first, end = end](const QString& words) {
        if (field_ && field_->toPlainText() == text) // else the letters may be elsewhere
            replace(first, end, words);
    });
}

void SentencePanel::replace(qsizetype first, qsizetype end, const QString& words) {
    const QString text = field_->toPlainText();
    if (words.isEmpty() && first > 0 && text[first - 1].isSpace())
        --first;
    else if (words.isEmpty() && end < text.size() && text[end].isSpace())
        ++end;
    if (text.mid(first, end - first) == words)
        return;
    QTextCursor caret(field_->document());
    caret.setPosition(static_cast<int>(first));
    caret.setPosition(static_cast<int>(end), QTextCursor::KeepAnchor);
    caret.insertText(words);
    chooseLast();
}

std::optional<int> SentencePanel::tellingToken() const {
    if (!field_)
        return std::nullopt;
    const QString text = field_->toPlainText();
    std::vector<std::pair<int, QString>> words;
    for (int token = 0; token < arcs_->tokens().count(RibbonTokens::Side::Queries); ++token) {
        const auto [first, end] = lettersOf(token);
        if (const QString word = text.mid(first, end - first); !word.isEmpty() && word.front().isLetter())
            words.emplace_back(token, word);
    }
    if (words.size() < 2)
        return words.empty() ? std::nullopt : std::optional(words.front().first);
    for (auto i = words.size() - 1; i-- > 0;) {
        const auto first = words.begin(), here = first + static_cast<std::ptrdiff_t>(i);
        if (std::find_if(first, here, [&](const auto& word) { return word.second == here->second; }) != here)
            return here->first;
    }
    return words[words.size() - 2].first;
}

/// The word that was chosen is of the text before.
void SentencePanel::chooseLast() {
    was_chosen_ = false;
    query_.reset();
    showRow();
}

void SentencePanel::setEditing(bool on) {
    if (is_editing_ == on)
        return;
    is_editing_ = on;
    if (!on && field_ && field_->toPlainText() != text_before_)
        chooseLast();
    showField();
    emit editingChanged(on);
}

void SentencePanel::takeFocus() {
    if (field_)
        chips_->currentWidget()->setFocus();
}

/// The chips, or the field while it is edited and where there are no tokens of its text.
void SentencePanel::showField() {
    const bool has_tokens = arcs_->tokens().count(RibbonTokens::Side::Queries) > 0 && !is_too_long_;
    const bool had_focus = field_ && field_->hasFocus();
    chips_->setCurrentWidget(field_ && (is_editing_ || !has_tokens) ? static_cast<QWidget*>(field_) : arcs_);
    chips_->setVisible(field_ || (head_ && head_->stage()));
    giveRoom();
    if (had_focus && chips_->currentWidget() == arcs_)
        arcs_->setFocus(Qt::OtherFocusReason);
}

namespace {

bool isTyped(const QKeyEvent& event) {
    return !event.text().isEmpty() && event.text().front().isPrint() &&
           !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

/// The field is shown without being edited where there are no chips: then its user begins.
bool beginsEditing(const QEvent& event) {
    if (event.type() == QEvent::FocusIn) {
        const auto reason = static_cast<const QFocusEvent&>(event).reason();
        return reason == Qt::MouseFocusReason || reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
    }
    if (event.type() == QEvent::InputMethod) {
        const auto& typed = static_cast<const QInputMethodEvent&>(event);
        return !typed.preeditString().isEmpty() || !typed.commitString().isEmpty();
    }
    if (event.type() != QEvent::KeyPress)
        return false;
    const auto& key = static_cast<const QKeyEvent&>(event);
    return isTyped(key) || key.key() == Qt::Key_Backspace || key.key() == Qt::Key_Delete ||
           key.matches(QKeySequence::Paste) || key.matches(QKeySequence::Cut);
}

} // namespace

bool SentencePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_)
        return QWidget::eventFilter(watched, event);
    if (!is_editing_ && beginsEditing(*event))
        beginEditing();
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<const QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            setEditing(false);
    } else if (event->type() == QEvent::KeyPress) {
        const auto& key = *static_cast<const QKeyEvent*>(event);
        const bool is_enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (is_enter && key.modifiers().testFlag(Qt::ShiftModifier)) {
            field_->insertPlainText(QStringLiteral("\n"));
            return true;
        }
        if (key.key() == Qt::Key_Escape && is_editing_)
            field_->setPlainText(text_before_);
        if (is_enter || (key.key() == Qt::Key_Escape && is_editing_)) {
            setEditing(false);
            return true;
        }
    }
    return false;
}

/// A letter on the chips is text, also where it is the key of a command.
bool SentencePanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && field_ && arcs_->hasFocus() &&
        isTyped(*static_cast<const QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

/// Keys that the chips do not take: what is typed goes to the end of the text, as another word.
void SentencePanel::keyPressEvent(QKeyEvent* event) {
    const bool is_text = isTyped(*event);
    if (!field_ || !arcs_->hasFocus() ||
        !(is_text || event->key() == Qt::Key_Backspace || event->matches(QKeySequence::Paste)))
        return QWidget::keyPressEvent(event);
    edit();
    const QString text = field_->toPlainText();
    if (is_text && !text.isEmpty() && text.back().isLetterOrNumber() && event->text().front().isLetterOrNumber())
        field_->insertPlainText(QStringLiteral(" "));
    QCoreApplication::sendEvent(field_, event);
}

void SentencePanel::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (field_ && event->button() == Qt::LeftButton && childAt(at) == card_ && at.x() > chips_->geometry().right())
        edit();
    else
        QWidget::mousePressEvent(event);
}

void SentencePanel::setLow(bool low) {
    if (low_ == low)
        return;
    low_ = low;
    arcs_->setFlat(low_ || compares_);
    answer_->setOneLine(low);
    if (low)
        line_->removeWidget(answer_);
    else
        line_->addWidget(answer_, 0, Qt::AlignVCenter);
    if (low)
        card_->content()->addWidget(written_line_);
    showRow();
    giveRoom();
}

void SentencePanel::setCompares(bool compares) {
    if (std::exchange(compares_, compares) == compares)
        return;
    letter_->setVisible(compares);
    arcs_->setFlat(low_ || compares_);
    showRow();
    giveRoom();
}

void SentencePanel::setSurplus(std::int64_t tokens) {
    surplus_->setText(tokens > 0 ? tr("… %n not read", nullptr, static_cast<int>(tokens)) : QString());
    surplus_->setForegroundRole(QPalette::BrightText);
    surplus_->setMinimumWidth(tokens > 0 ? surplus_->sizeHint().width() : 0);
    surplus_->setVisible(tokens > 0);
    is_too_long_ = tokens > 0;
    showField();
}

QString SentencePanel::surplus() const { return surplus_->text(); }

/// The answer has what the chips leave.
void SentencePanel::giveRoom() {
    const QMargins around = card_->content()->contentsMargins();
    const int spacing = line_->spacing();
    const int line = width() - around.left() - around.right() - spacing;
    int next = 0; // the room of what stands beside the chips
    for (const QWidget* beside : std::initializer_list<const QWidget*>{letter_, surplus_, next_})
        next += beside->isHidden() ? 0 : beside->sizeHint().expandedTo(beside->minimumSize()).width() + spacing;
    const bool is_field = chips_->currentWidget() == field_;
    const int tokens = is_field ? std::max(arcs_->wholeWidth(), line / 2) : arcs_->wholeWidth();
    chips_->setMaximumWidth(is_field ? QWIDGETSIZE_MAX : std::max(tokens, arcs_->minimumSizeHint().width()));
    if (arcs_->tokens().count(RibbonTokens::Side::Queries) > 0)
        next_->setChipTop(static_cast<int>(arcs_->chipRect(RibbonTokens::Side::Queries, 0).top()));
    if (low_) // it stands elsewhere
        answer_->setRoom(line, line, 0);
    else
        answer_->setRoom(line - tokens - next - spacing, line - next, arcs_->sizeHint().height());
}

void SentencePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        giveRoom();
}

void SentencePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    giveRoom();
}

void SentencePanel::setHead(const SelectedHeadPtr& head) {
    head_ = head && head->weights ? head : nullptr;
    auto tokens = head_ ? RibbonTokens(head_->weights->trace, *head_->stage()) : RibbonTokens();
    const auto* compared = head_ ? head_->result->comparedHeads(head_->place) : nullptr;
    if (compared && head_->result->compared->of == ComparedRuns::Of::Texts) {
        auto [first, second] = differingTokens(compared->tokens_a.queries, compared->tokens_b.queries);
        tokens.setDiffering(which_ == Text::First ? std::move(first) : std::move(second));
    }
    if (!(tokens == arcs_->tokens())) {
        answer_->beginAnew();
        if (word_)
            word_->drop(); // its chip is another
        if (!keepsQuery(tokens)) {
            query_.reset();
            was_chosen_ = false;
        }
    }
    arcs_->setTokens(tokens);
    showRow();
    showField();
}

bool SentencePanel::keepsQuery(const RibbonTokens& tokens) const {
    constexpr auto side = RibbonTokens::Side::Queries;
    const auto& before = arcs_->tokens();
    return was_chosen_ && query_ && *query_ < std::min(before.count(side), tokens.count(side)) &&
           before.full(side, *query_) == tokens.full(side, *query_);
}

void SentencePanel::setQuery(int query) {
    query_ = query;
    was_chosen_ = true;
    showRow();
}

void SentencePanel::chooseWord(qsizetype end) {
    if (const auto token = std::ranges::lower_bound(ends_, end); token != ends_.end())
        setQuery(static_cast<int>(token - ends_.begin()));
}

/// Token `first + value` was written by what the token before it read; the last value is the next token.
void SentencePanel::showWritten() {
    const bool of_decoder = head_ && head_->result == result_ && head_->heads().name.starts_with("decoder");
    const bool shows =
        of_decoder && which_ == Text::First && result_->first_written && *result_->first_written > 0 && query_;
    if (!shows && written_->hasFocus()) // it would go to any widget
        takeFocus();
    written_line_->setVisible(shows);
    if (!shows)
        return;
    const auto first = static_cast<int>(*result_->first_written);
    const int count = arcs_->tokens().count(RibbonTokens::Side::Queries) - first;
    const QSignalBlocker quiet(written_);
    written_->setRange(0, count);
    const int value = *query_ - first + 1;
    written_->setValue(std::clamp(value, 0, count));
    QString words;
    if (value == count)
        words = next_->answer() ? tr("To say “%1” next").arg(next_->answer()->name) : QString();
    else if (value >= 0 && value < count)
        words = tr("To write %1, token %2 of the %3 written")
                    .arg(arcs_->tokens().full(RibbonTokens::Side::Queries, *query_ + 1))
                    .arg(value + 1)
                    .arg(count);
    written_words_->setText(words);
}

QString SentencePanel::writtenWords() const { return written_words_->text(); }

void SentencePanel::setResult(const ModelResultPtr& result) {
    result_ = result;
    const bool is_first = which_ == Text::First; // behind the second text nothing is written
    next_->setTakeable(is_first && result && result->model && result->model->description().predicts_next());
    const auto row = result ? answerRow(*result) : std::nullopt;
    const bool two = result && result->other && result->compared;
    const auto* all = !row ? nullptr : is_first ? &result->guesses : two ? &result->compared->other : nullptr;
    const auto* guesses =
        all && !all->empty() ? &all->at(std::min(all->size() - 1, static_cast<std::size_t>(*row))) : nullptr;
    next_->setAnswer(guesses ? outcomeOf(guesses->now) : std::nullopt,
                     guesses ? outcomeOf(guesses->before) : std::nullopt);
    next_->setVisible(guesses);
    giveRoom();
    showWritten();
}

std::optional<NamedOutcome> SentencePanel::outcomeOf(const std::vector<model::Outcome>& likeliest) const {
    const auto& run = which_ == Text::First ? result_->plain : result_->other;
    return namedOutcome(*result_->model, *run, likeliest.front().id, likeliest.front().probability);
}

void SentencePanel::setAllHeads(const ComputedPtr& all, const std::string& stage, const QString& title) {
    if (all_.trace == all && all_.stage == stage)
        return;
    all_ = {all, stage, title};
    showRow();
}

/// Not while they are of the text before.
bool SentencePanel::showsAllHeads() const {
    const Stage* all = all_.trace && head_ && head_->stage() ? all_.trace->trace.find(all_.stage) : nullptr;
    return all && all->value.shape() == head_->stage()->value.shape();
}

std::optional<model::Ablation::By> SentencePanel::ablation() const {
    if (showsAllHeads())
        return std::nullopt;
    const auto off = head_ && head_->result->result ? ablationOf(*head_) : std::nullopt;
    const bool is_own = which_ == Text::Second && off == model::Ablation::By::Other; // it gives what it gives there
    return is_own ? std::nullopt : off;
}

void SentencePanel::showRow() {
    const Trace* trace = !head_ || !head_->weights ? nullptr
                         : showsAllHeads()         ? &all_.trace->trace
                                                   : &head_->weights->trace;
    const Stage* weights = !trace ? nullptr : trace->find(showsAllHeads() ? all_.stage : "weights");
    if (weights && (!query_ || *query_ >= weights->value.dim(-2)))
        query_ = static_cast<int>(weights->value.dim(-2)) - 1;
    chips_->setVisible(weights || field_);
    next_->setVisible(next_->answer().has_value());
    if (!weights || *query_ < 0) {
        reading_ = {};
        answer_->setAnswer({}, {});
        answer_->hide();
        arcs_->setQuery({}, {});
        showWritten();
        emit rowChanged();
        return;
    }
    reading_ = explain::reading_of(*trace, *weights, 0, 0, *query_);
    arcs_->setQuery(query_, reading_);
    const auto words = explain::words_of(reading_, arcs_->tokens().names(*query_, 0));
    QStringList parts;
    for (const auto& detail : words.details)
        parts << translated(detail);
    if (showsAllHeads())
        parts << all_.title;
    QString claim = translated(words.claim);
    const auto off = ablation();
    if (off) {
        parts = {tr("Weights without effect: %1").arg(claim)};
        claim = *off == model::Ablation::By::Zero   ? tr("This head is off: nothing is read through it")
                : *off == model::Ablation::By::Mean ? tr("This head is off: it gives its average instead")
                                                    : tr("This head gives what it gives for text B");
    }
    arcs_->setIdle(off.has_value());
    answer_->setAnswer(claim, parts);
    answer_->setTips(claim, parts.join(QStringLiteral(" · ")));
    answer_->setVisible(!low_ || which_ == Text::First);
    showWritten();
    arcs_->setAccessibleName(compares_ ? tr("Text %1, token %2: %3").arg(letter_->text()).arg(*query_).arg(claim)
                                       : tr("Token %1: %2").arg(*query_).arg(claim));
    emit rowChanged();
}

namespace {

constexpr int arrow_room = 26, chips_gap = 4, chip_padding = 9;
constexpr int usual_letters = 14; ///< of an answer with its probability

QFont fontOf(QFont font, bool bold, bool crossed) {
    font.setBold(bold);
    font.setStrikeOut(crossed);
    return font;
}

} // namespace

AnswerChip::AnswerChip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setAccessibleRole(*this, QAccessible::StaticText);
}

QString AnswerChip::textOf(const NamedOutcome& outcome) { return answerText(outcome, QStringLiteral("  ")); }

/// With the sign that a click adds it.
QString AnswerChip::textOfNow() const { return is_takeable_ ? textOf(*now_) + QStringLiteral("  +") : textOf(*now_); }

void AnswerChip::setAnswer(const std::optional<NamedOutcome>& now, const std::optional<NamedOutcome>& before) {
    const bool was_flipped = isFlipped();
    now_ = now;
    before_ = before;
    QString words;
    if (now_)
        words =
            isFlipped() ? tr("The answer is now %1, and was %2").arg(textOf(*now_), textOf(*before_))
            : now_->probability < least_sure
                ? tr("The model is unsure; the likeliest is %1, %2").arg(now_->name, probabilityText(now_->probability))
                : tr("The answer is %1").arg(textOf(*now_));
    setAccessibleName(words);
    setToolTip(is_takeable_ ? words + QLatin1Char('\n') + tr("Click to add it to the text") : words);
    if (isFlipped() != was_flipped) { // screen readers say it at once
        QAccessibleEvent flipped(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&flipped);
    }
    updateGeometry();
    update();
}

void AnswerChip::setOutdated(bool outdated) {
    if (std::exchange(is_outdated_, outdated) != outdated)
        update();
}

void AnswerChip::setTakeable(bool takeable) {
    is_takeable_ = takeable;
    setCursor(takeable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAttribute(Qt::WA_Hover, takeable);
    updateGeometry();
    update();
}

void AnswerChip::mousePressEvent(QMouseEvent* event) {
    if (is_takeable_ && now_ && event->button() == Qt::LeftButton)
        emit taken(now_->id);
}

void AnswerChip::setChipTop(int top) {
    top_ = top;
    update();
}

int AnswerChip::widthOf(const QString& text) const {
    return QFontMetrics(fontOf(font(), true, false)).horizontalAdvance(text) + 2 * chip_padding;
}

/// The old answer stands above the new one, where the chips have arcs.
bool AnswerChip::isStacked() const { return top_ >= chipHeight(fontMetrics()) + chips_gap; }

QSize AnswerChip::sizeHint() const {
    if (!now_)
        return {0, chipHeight(fontMetrics())};
    int width = arrow_room + widthOf(textOfNow());
    // Room for another answer, or the chips would move when a head is switched off.
    width = std::max(width, arrow_room + usual_letters * fontMetrics().averageCharWidth() + 2 * chip_padding);
    if (isFlipped())
        width = isStacked() ? std::max(width, arrow_room + widthOf(textOf(*before_)))
                            : width + chips_gap + widthOf(textOf(*before_));
    return {width, top_ + chipHeight(fontMetrics())};
}

void AnswerChip::paintEvent(QPaintEvent*) {
    if (!now_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int chip = chipHeight(fontMetrics());
    int left = 0, top = top_;
    const auto take = [&](int width) {
        const QRect part(left, top, width, chip);
        left += width;
        return QStyle::visualRect(layoutDirection(), rect(), part);
    };
    painter.setPen(theme().muted);
    painter.drawText(take(arrow_room), Qt::AlignCenter,
                     layoutDirection() == Qt::RightToLeft ? QStringLiteral("←") : QStringLiteral("→"));
    const auto draw = [&](const QString& text, const ChipLook& look, bool crossed) {
        painter.setFont(fontOf(font(), !crossed, crossed));
        paintChip(painter, take(widthOf(text)), text, look);
    };
    const Theme& look = theme();
    const QColor ink = contrastOf(look.card, look.pin) > contrastOf(look.text, look.pin) ? look.card : look.text;
    const QPen border(is_takeable_ && underMouse() ? look.text : look.pin, is_takeable_ && underMouse() ? 2.0 : 1.0);
    const QPen dashes(look.outline, 1.0, Qt::DashLine);
    draw(textOfNow(),
         is_outdated_ ? ChipLook{.border = dashes, .fill = look.card, .text = look.muted}
                      : ChipLook{.border = border, .fill = look.pin, .text = ink},
         false);
    if (!isFlipped())
        return;
    if (isStacked()) {
        left = arrow_room;
        top = top_ - chips_gap - chip;
    } else {
        left += chips_gap;
    }
    draw(textOf(*before_), {.border = dashes, .fill = look.card, .text = look.muted}, true);
}

} // namespace attnlab::ui
