#include "ui/model/head_panel.h"

#include "core/explain/reading.h"
#include "core/mechanisms.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/image_view.h"
#include "ui/model/weights_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/panels/ribbon/token_chips.h"
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
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QStyle>
#include <QTextCursor>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int fewest_letters = 7, title_letters = 18;

} // namespace

HeadPanel::HeadPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session), weights_(new WeightsView), arcs_(new ArcsView), rollout_(new RolloutView),
      difference_(new DifferenceView), image_(new ImageView), views_{weights_, arcs_, rollout_, difference_, image_},
      wanted_(weights_), current_(weights_), title_(makeLineLabel(LineStyle::Bold)),
      note_(makeLineLabel(LineStyle::Muted)), effect_(makeLineLabel(LineStyle::Plain)), tabs_(new SegmentSwitch),
      stack_(new QStackedWidget),
      off_(newButton(tr("Turn this head off"),
                     tr("Replaces what this head gives, and computes what changes behind it"))),
      all_on_(newButton(tr("Turn all on"), tr("Switches every head on again"))), off_by_(new QComboBox),
      colors_(new ColorsButton(colors_state_, this)) {
    build();
    for (HeadView* view : views_) {
        connect(view, &HeadView::noteChanged, this, [this, view] {
            if (view != current_)
                return;
            showNote();
            showColors();
        });
        if (HeatmapView* heatmap = view->heatmap()) {
            colors_->popup()->openAtColorBarOf(*heatmap);
            heatmap->setCorner(new ScaleChip(colors_state_, heatmap));
        }
        connect(view, &HeadView::rowChosen, this, &HeadPanel::rowChosen);
    }
    connect(&colors_state_, &ViewState::colorsChanged, this, [this](const ColorChoice& colors) {
        for (HeadView* view : views_)
            view->setColors(colors);
        showColors();
        emit colorsChanged(colors);
    });
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        wanted_ = views_[static_cast<std::size_t>(std::max(0, index))];
        showView(wanted_);
    });
    connect(off_, &QPushButton::clicked, this, [this] {
        if (head_)
            session_.toggle(head_->heads().name, head_->place.head);
        showOff();
    });
    connect(all_on_, &QPushButton::clicked, &session_, &ModelSession::clearAblations);
    connect(off_by_, &QComboBox::currentIndexChanged, this,
            [this](int index) { session_.setOffBy(static_cast<model::Ablation::By>(index)); });
    connect(&session_, &ModelSession::offByChanged, this, &HeadPanel::showOff);
    connect(&session_, &ModelSession::runningChanged, this, &HeadPanel::showOff);
    setHead(nullptr);
}

void HeadPanel::build() {
    off_->setCheckable(true);
    tabs_->setUsesScrollButtons(false);
    off_by_->addItem(tr("Replace by zero")); // in the order of Ablation::By
    off_by_->addItem(tr("Replace by its average"));
    off_by_->setMinimumContentsLength(fewest_letters);
    off_by_->setAccessibleName(tr("What a head gives that is switched off"));
    off_by_->setToolTip(tr("Zeros, the head's output averaged over the positions of this text, or what it gives for a "
                           "second text"));
    tabs_->setAccessibleName(tr("How this head is shown"));
    for (HeadView* view : views_) {
        tabs_->addTab(menuText(view->name()));
        stack_->addWidget(view);
    }
    auto* first = new QHBoxLayout;
    first->addWidget(title_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{off_, off_by_})
        first->addWidget(part);
    tools_ = new FlowLayout(nullptr, metrics::gap, metrics::gap); // in a narrow panel, colours have a line below
    tools_->addWidget(tabs_);
    for (HeadView* view : views_)
        if (QWidget* tool = view->headingTool())
            tools_->addWidget(tool);
    tools_->addWidget(colors_);
    for (int i = 0; i < tools_->count(); ++i)
        tools_->itemAt(i)->setAlignment(Qt::AlignVCenter);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addLayout(first);
    card->content()->addLayout(tools_);
    card->content()->addWidget(note_); // whole, which it would not be beside the colours
    card->content()->addWidget(stack_, 1);
    last_ = new QWidget; // where the button that comes and goes moves nothing
    auto* line = new QHBoxLayout(last_);
    line->setContentsMargins(0, 0, 0, 0);
    line->addStrut(controlHeight(font()));
    line->addWidget(effect_, 1);
    line->addStretch();
    line->addWidget(all_on_);
    card->content()->addWidget(last_);
    effect_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

void HeadPanel::setEffects(const HeadEffects* effects) {
    effects_ = effects;
    connect(effects_, &HeadEffects::changed, this, &HeadPanel::showEffect);
    showEffect();
}

QString HeadPanel::effect() const { return effect_->text(); }

/// The line keeps its place while the effects are computed.
void HeadPanel::showEffect() {
    const bool has_effects = effects_ && effects_->state() != HeadEffects::State::None;
    effect_->setText(has_effects && head_ ? effectWords() : QString());
    effect_->setVisible(has_effects);
    showNote();
}

QString HeadPanel::effectWords() const {
    const auto& pair = effects_->pair();
    if (effects_->measure() == HeadEffects::Measure::Direct) {
        const auto direct = effects_->directOf(head_->place);
        if (!direct)
            return {};
        return pair ? tr("By itself this head adds %1 to the logit of “%2” minus that of “%3”")
                          .arg(numberText(*direct, 3), pair->a.name, pair->b.name)
                    : tr("By itself this head adds %1 to the logit of “%2”")
                          .arg(numberText(*direct, 3), effects_->answer()->name);
    }
    const auto* one = effects_->of(head_->place);
    if (!one || !effects_->answer())
        return {};
    const auto& answer = *effects_->answer();
    // Others that are off now are on in this comparison.
    const bool others_are_off = std::ranges::any_of(session_.request().ablations, [this](const auto& off) {
        return off.head != head_->place.head || off.pass != head_->heads().name;
    });
    const bool is_other = effects_->by() == model::Ablation::By::Other;
    const QString what = is_other && others_are_off ? tr("With all other heads on, and this one as in text B")
                         : is_other                 ? tr("This head alone as in text B")
                         : others_are_off           ? tr("With all other heads on, and this one off")
                                                    : tr("This head alone off");
    if (const auto& change = one->numbers.difference_change; change && pair)
        return tr("%1: “%2” against “%3” changes by %4; the answer is “%5”, %6")
            .arg(what, pair->a.name, pair->b.name, numberText(*change, 3), one->answer.name,
                 probabilityText(one->answer.probability));
    if (one->answer.id == answer.id)
        return tr("%1: the answer stays “%2”, %3 instead of %4")
            .arg(what, answer.name, probabilityText(one->answer.probability), probabilityText(answer.probability));
    return tr("%1: the answer is “%2”, %3; “%4” falls from %5 to %6")
        .arg(what, one->answer.name, probabilityText(one->answer.probability), answer.name,
             probabilityText(answer.probability), probabilityText(one->numbers.probability));
}

QString HeadPanel::title() const {
    if (!head_)
        return {};
    const QString title = headTitle(*head_->result, head_->place);
    return head_->result->isOff(head_->place) ? tr("%1 · off").arg(title) : title;
}

QString HeadPanel::message() const {
    if (const auto& size = session_.size(); size.isTooLong())
        return tr("This model reads at most %1 tokens; the text has %2.").arg(size.most).arg(size.tokens);
    if (session_.hasInput() || session_.capture())
        return tr("Nothing computed yet");
    const auto& opened = session_.model();
    if (!opened || opened->description().first().embedding.reads_tokens())
        return tr("Type a text above");
    return opened->description().first().embedding.frames ? tr("Choose a sound above") : tr("Choose an image above");
}

void HeadPanel::setHead(const SelectedHeadPtr& head) {
    head_ = head;
    title_->setText(title());
    giveTitleRoom();
    showOff();
    const auto* compared = head_ && head_->result->compared ? &*head_->result->compared : nullptr;
    const bool compares_texts = compared && compared->of == ComparedRuns::Of::Texts;
    if (compares_texts && !compares_texts_) // two texts are compared to see their difference
        wanted_ = difference_;
    else if (head_ && !compared && wanted_ == difference_) // it does not come back by itself
        wanted_ = weights_;
    if (head_)
        compares_texts_ = compares_texts;
    HeadView* next = head_ && wanted_->canShow(*head_) ? wanted_ : weights_;
    {
        const QSignalBlocker quiet(tabs_);
        for (std::size_t i = 0; i < views_.size(); ++i) {
            tabs_->showTab(static_cast<int>(i), head_ ? views_[i]->canShow(*head_) : views_[i] == weights_);
            if (views_[i] == next)
                tabs_->setCurrentIndex(static_cast<int>(i));
        }
    }
    showView(next);
    showEffect();
}

/// Which head it is stays in sight beside the buttons.
void HeadPanel::giveTitleRoom() {
    const int most = title_letters * title_->fontMetrics().averageCharWidth();
    title_->setMinimumWidth(std::min(title_->sizeHint().width(), most));
}

void HeadPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        giveTitleRoom();
}

void HeadPanel::show(HeadView* view) {
    const auto index = static_cast<int>(std::find(views_.begin(), views_.end(), view) - views_.begin());
    if (tabs_->isTabVisible(index))
        tabs_->setCurrentIndex(index);
}

void HeadPanel::stepView(int by) {
    std::vector<int> shown;
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->isTabVisible(i))
            shown.push_back(i);
    const auto here = std::ranges::find(shown, tabs_->currentIndex());
    if (here == shown.end())
        return;
    const auto count = std::ssize(shown);
    tabs_->setCurrentIndex(shown[static_cast<std::size_t>((here - shown.begin() + by + count) % count)]);
}

/// The hidden view gives up its head, so that nothing is computed for it.
void HeadPanel::showView(HeadView* next) {
    if (next != current_)
        current_->setHead(nullptr, {});
    current_ = next;
    stack_->setCurrentWidget(current_);
    current_->setHead(head_, head_ ? QString() : message());
    current_->setRow(query_, reading_);
    showNote();
    showColors();
}

void HeadPanel::setRow(std::optional<int> query, const explain::Reading& reading) {
    query_ = query;
    reading_ = reading;
    current_->setRow(query_, reading_);
}

void HeadPanel::showOff() {
    const auto& off = session_.request().ablations;
    off_->setEnabled(head_ != nullptr);
    off_->setChecked(head_ && std::ranges::any_of(off, [this](const model::Ablation& ablation) {
                         return ablation.head == head_->place.head && ablation.pass == head_->heads().name;
                     }));
    const QString turn_on = low_ ? tr("Turn on") : tr("Turn this head on"),
                  turn_off = low_ ? tr("Turn off") : tr("Turn this head off");
    int widest = 0; // so that a second click finds it where the first one did
    for (const QString& text : off_->isChecked() ? QStringList{turn_off, turn_on} : QStringList{turn_on, turn_off}) {
        off_->setText(text);
        widest = std::max(widest, off_->sizeHint().width());
    }
    off_->setMinimumWidth(widest);
    all_on_->setVisible(!off.empty());
    const QSignalBlocker quiet(off_by_);
    const bool has_other = session_.request().other.has_value();
    constexpr int other = 2;
    if (has_other && off_by_->count() == other)
        off_by_->addItem(tr("Replace by text B"));
    else if (!has_other && off_by_->count() > other)
        off_by_->removeItem(other);
    off_by_->setCurrentIndex(static_cast<int>(session_.offBy()));
    for (QWidget* of_models : std::initializer_list<QWidget*>{off_, off_by_}) // what is recorded has run
        of_models->setVisible(!session_.capture());
}

void HeadPanel::showNote() {
    QStringList notes;
    const auto* pass = head_ && head_->result->capture ? head_->result->capture->find(head_->heads().name) : nullptr;
    if (head_ && head_->result->isOff(head_->place))
        notes << tr("off: these weights have no effect");
    else if (const auto way = head_ && effects_ ? effects_->wayOf(head_->place) : std::nullopt)
        notes << (*way == HeadEffects::Way::Directly ? tr("writes to the answer itself") : tr("later heads need it"));
    if (pass && !pass->mechanism.empty())
        notes << tr("%1 carries a state: this is the matrix that it equals")
                     .arg(translated(mechanism_of(pass->mechanism).title));
    for (const auto& remark : pass ? pass->remarks() : std::vector<Message>())
        notes << translated(remark);
    if (!current_->note().isEmpty())
        notes << current_->note();
    note_->setText(notes.join(tr(" · ")));
    QStringList lines{title_->text(), note_->text(), effect_->text()};
    lines.removeAll(QString());
    title_->setToolTip(low_ ? lines.join(QLatin1Char('\n')) : QString());
}

void HeadPanel::showColors() {
    const HeatmapView* heatmap = head_ ? current_->heatmap() : nullptr;
    colors_->setVisible(heatmap != nullptr);
    if (!heatmap || !heatmap->colorScale().map) // null while the rollout is computed
        return;
    colors_->setScale(heatmap->colorScale());
    heatmap->findChild<ScaleChip*>()->setScale(heatmap->colorScale());
}

QString HeadPanel::note() const { return note_->text(); }

void HeadPanel::setLow(bool low) {
    if (std::exchange(low_, low) != low) {
        last_->setVisible(!low);
        last_->layout()->removeWidget(all_on_);
        tools_->removeWidget(all_on_);
        if (low) {
            tools_->addWidget(all_on_);
            tools_->setAlignment(all_on_, Qt::AlignVCenter);
        } else {
            last_->layout()->addWidget(all_on_);
        }
        note_->setVisible(!low);
    }
    showOff();
    showEffect();
}

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
    constexpr int slider_width = 240;
    written_->setFixedWidth(slider_width);
    written_->setPageStep(1);
    written_->setAccessibleName(tr("Token that the model wrote"));
    written_->setToolTip(tr("Goes through the tokens that the model wrote, and shows what was read to write each"));
    auto* written = new QHBoxLayout(written_line_);
    written->setContentsMargins(0, 0, 0, 0);
    written->addWidget(written_);
    written->addWidget(written_words_, 1);
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
    connect(arcs_, &TokenArcs::renameRequested, this, [this](RibbonTokens::Side, int token) { edit(token); });
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

void SentencePanel::edit(std::optional<int> token) {
    if (!field_)
        return;
    const auto at = token && *token >= 0 ? static_cast<std::size_t>(*token) : ends_.size();
    const QString text = field_->toPlainText();
    qsizetype first = text.size(), end = text.size();
    if (at < ends_.size()) { // its letters, without the space that belongs to it
        end = std::min(ends_[at], text.size());
        first = at > 0 ? std::min(ends_[at - 1], end) : 0;
        while (first < end && text[first].isSpace())
            ++first;
    }
    QTextCursor caret = field_->textCursor();
    caret.setPosition(static_cast<int>(first));
    caret.setPosition(static_cast<int>(end), QTextCursor::KeepAnchor);
    field_->setTextCursor(caret);
    if (!is_editing_)
        text_before_ = text;
    setEditing(true);
    field_->setFocus(Qt::OtherFocusReason);
}

void SentencePanel::setEditing(bool on) {
    if (is_editing_ == on)
        return;
    const bool had_focus = field_ && field_->hasFocus();
    is_editing_ = on;
    if (!on && field_ && field_->toPlainText() != text_before_) { // the word that was chosen is of the text before
        was_chosen_ = false;
        query_.reset();
        showRow();
    }
    showField();
    if (!on && had_focus && chips_->currentWidget() == arcs_)
        arcs_->setFocus(Qt::OtherFocusReason);
}

void SentencePanel::takeFocus() {
    if (field_)
        chips_->currentWidget()->setFocus();
}

/// The chips, or the field while it is edited and where there are no tokens.
void SentencePanel::showField() {
    const bool has_tokens = arcs_->tokens().count(RibbonTokens::Side::Queries) > 0;
    chips_->setCurrentWidget(field_ && (is_editing_ || !has_tokens) ? static_cast<QWidget*>(field_) : arcs_);
    chips_->setVisible(field_ || (head_ && head_->stage()));
    giveRoom();
}

bool SentencePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<const QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            setEditing(false);
    } else if (event->type() == QEvent::KeyPress && is_editing_) {
        const auto& key = *static_cast<const QKeyEvent*>(event);
        const bool is_enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (is_enter && key.modifiers().testFlag(Qt::ShiftModifier)) {
            field_->insertPlainText(QStringLiteral("\n"));
            return true;
        }
        if (key.key() == Qt::Key_Escape && field_->toPlainText() != text_before_) {
            QTextCursor all(field_->document()); // keeps what can be undone
            all.select(QTextCursor::Document);
            all.insertText(text_before_);
        }
        if (is_enter || key.key() == Qt::Key_Escape) {
            setEditing(false);
            return true;
        }
    }
    return false;
}

namespace {

bool isTyped(const QKeyEvent& event) {
    return !event.text().isEmpty() && event.text().front().isPrint() &&
           !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

} // namespace

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
    if (field_ && event->matches(QKeySequence::Undo))
        return field_->undo();
    if (field_ && event->matches(QKeySequence::Redo))
        return field_->redo();
    const bool is_text = isTyped(*event);
    if (!field_ || !arcs_->hasFocus() ||
        !(is_text || event->key() == Qt::Key_Backspace || event->matches(QKeySequence::Paste)))
        return QWidget::keyPressEvent(event);
    edit({});
    const QString text = field_->toPlainText();
    if (is_text && !text.isEmpty() && text.back().isLetterOrNumber() && event->text().front().isLetterOrNumber())
        field_->insertPlainText(QStringLiteral(" "));
    QCoreApplication::sendEvent(field_, event);
}

void SentencePanel::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (field_ && event->button() == Qt::LeftButton && childAt(at) == card_ && at.x() > chips_->geometry().right())
        edit({});
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
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, theme().error_text);
    surplus_->setPalette(colors);
    surplus_->setMinimumWidth(tokens > 0 ? surplus_->sizeHint().width() : 0);
    surplus_->setVisible(tokens > 0);
    giveRoom();
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

/// Token `first + value` was written by what the token before it read; the last value is the next token.
void SentencePanel::showWritten() {
    const bool of_decoder = head_ && head_->result == result_ && head_->heads().name.starts_with("decoder");
    const bool shows =
        of_decoder && which_ == Text::First && result_->first_written && *result_->first_written > 0 && query_;
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

std::optional<model::Ablation::By> SentencePanel::ablation() const {
    const auto off = head_ && head_->result->result ? ablationOf(*head_) : std::nullopt;
    const bool is_own = which_ == Text::Second && off == model::Ablation::By::Other; // it gives what it gives there
    return is_own ? std::nullopt : off;
}

void SentencePanel::showRow() {
    const Stage* weights = head_ ? head_->stage() : nullptr;
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
    reading_ = explain::reading_of(head_->weights->trace, *weights, 0, 0, *query_);
    arcs_->setQuery(query_, reading_);
    const auto words = explain::words_of(reading_, arcs_->tokens().names(*query_, 0));
    QStringList parts;
    for (const auto& detail : words.details)
        parts << translated(detail);
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

QString AnswerChip::textOf(const NamedOutcome& outcome) {
    return QStringLiteral("%1  %2").arg(outcome.name.left(24), probabilityText(outcome.probability));
}

void AnswerChip::setAnswer(const std::optional<NamedOutcome>& now, const std::optional<NamedOutcome>& before) {
    const bool was_flipped = isFlipped();
    now_ = now;
    before_ = before;
    QString words;
    if (now_)
        words = isFlipped() ? tr("The answer is now %1, and was %2").arg(textOf(*now_), textOf(*before_))
                            : tr("The answer is %1").arg(textOf(*now_));
    setAccessibleName(words);
    setToolTip(is_takeable_ ? words + QLatin1Char('\n') + tr("A click takes it as the next token of the text") : words);
    if (isFlipped() != was_flipped) { // screen readers say it at once
        QAccessibleEvent flipped(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&flipped);
    }
    updateGeometry();
    update();
}

void AnswerChip::setTakeable(bool takeable) {
    is_takeable_ = takeable;
    setCursor(takeable ? Qt::PointingHandCursor : Qt::ArrowCursor);
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
    int width = arrow_room + widthOf(textOf(*now_));
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
    const auto draw = [&](const NamedOutcome& outcome, const ChipLook& look, bool crossed) {
        painter.setFont(fontOf(font(), !crossed, crossed));
        paintChip(painter, take(widthOf(textOf(outcome))), textOf(outcome), look);
    };
    const Theme& look = theme();
    const QColor ink = contrastOf(look.card, look.pin) > contrastOf(look.text, look.pin) ? look.card : look.text;
    draw(*now_, {.border = QPen(look.pin, 1.0), .fill = look.pin, .text = ink}, false);
    if (!isFlipped())
        return;
    if (isStacked()) {
        left = arrow_room;
        top = top_ - chips_gap - chip;
    } else {
        left += chips_gap;
    }
    draw(*before_, {.border = QPen(look.outline, 1.0, Qt::DashLine), .fill = look.card, .text = look.muted}, true);
}

} // namespace attnlab::ui
