#include "ui/model/head_panel.h"

#include "core/explain/reading.h"
#include "core/mechanisms.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/model/arcs_view.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/image_view.h"
#include "ui/model/weights_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int fewest_letters = 7, title_letters = 18;

} // namespace

HeadPanel::HeadPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session), weights_(new WeightsView), arcs_(new ArcsView), rollout_(new RolloutView),
      difference_(new DifferenceView), image_(new ImageView), views_{weights_, arcs_, rollout_, difference_, image_},
      wanted_(weights_), current_(weights_), title_(makeLineLabel(LineStyle::Bold)),
      note_(makeLineLabel(LineStyle::Muted)), effect_(new WrappedLabel), tabs_(new SegmentSwitch),
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
            emit viewChanged();
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
            session_.toggle(head_->place);
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
    tabs_->setTabToolTip(static_cast<int>(std::ranges::find(views_, difference_) - views_.begin()),
                         tr("What changes in this head, once one is turned off or two texts are compared"));
    auto* first = new QHBoxLayout;
    first->addStrut(controlHeight(font())); // also while the buttons are hidden
    first->addWidget(title_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{off_, off_by_})
        first->addWidget(part);
    tools_ = new FlowLayout(nullptr, metrics::gap, metrics::gap); // in a narrow panel, colours have a line below
    tools_->addWidget(tabs_);
    tools_->addWidget(colors_); // before the pickers of single views, so that it stays
    for (HeadView* view : views_)
        if (QWidget* tool = view->headingTool())
            tools_->addWidget(tool);
    for (int i = 0; i < tools_->count(); ++i)
        tools_->itemAt(i)->setAlignment(Qt::AlignVCenter);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addLayout(first);
    card->content()->addLayout(tools_);
    card->content()->addWidget(note_); // whole, which it would not be beside the colours
    card->content()->addWidget(stack_, 1);
    last_ = new QWidget; // has room for the button that comes and goes
    auto* line = new QHBoxLayout(last_);
    line->setContentsMargins(0, 0, 0, 0);
    line->addStrut(controlHeight(font()));
    effect_->setWordWrap(true);
    effect_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    line->addWidget(effect_, 1);
    line->addWidget(all_on_);
    QSizePolicy kept = all_on_->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    all_on_->setSizePolicy(kept);
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
    const bool is_of_head = current_->ownTitle().isEmpty();
    QString words = has_effects && head_ && is_of_head ? effectWords() : QString();
    if (!words.isEmpty() && session_.request().other && effects_->by() != model::Ablation::By::Other)
        words = tr("A · %1").arg(words); // the second text has other effects
    effect_->setText(words);
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
    if (one->answer.id == answer.id) {
        const QString without = probabilityText(one->answer.probability), before = probabilityText(answer.probability);
        return without == before
                   ? tr("%1: the answer stays “%2”, %3").arg(what, answer.name, before)
                   : tr("%1: the answer stays “%2”, %3 instead of %4").arg(what, answer.name, without, before);
    }
    return tr("%1: the answer is “%2”, %3; “%4” falls from %5 to %6")
        .arg(what, one->answer.name, probabilityText(one->answer.probability), answer.name,
             probabilityText(answer.probability), probabilityText(one->numbers.probability));
}

QString HeadPanel::title() const {
    if (!head_)
        return {};
    if (QString all = current_->ownTitle(); !all.isEmpty())
        return all;
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
    showOff();
    const auto* compared = head_ && head_->result->compared ? &*head_->result->compared : nullptr;
    const bool compares_texts = head_ && head_->result->comparesOtherTexts();
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
            const int tab = static_cast<int>(i);
            tabs_->showTab(tab, head_ ? views_[i]->isOffered(*head_) : views_[i] == weights_);
            tabs_->setTabEnabled(tab, !head_ || views_[i]->canShow(*head_));
            if (views_[i] == next)
                tabs_->setCurrentIndex(static_cast<int>(i));
        }
    }
    showView(next);
}

void HeadPanel::showTitle() {
    showOff(); // a view of all heads has no switch
    title_->setText(title());
    giveTitleRoom();
}

/// Which head it is stays in sight beside the buttons.
void HeadPanel::giveTitleRoom() {
    const int most = title_letters * title_->fontMetrics().averageCharWidth();
    title_->setMinimumWidth(std::min(title_->sizeHint().width(), most));
    effect_->setFixedHeight(2 * fontMetrics().lineSpacing()); // whatever it says
}

void HeadPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        giveTitleRoom();
}

void HeadPanel::show(HeadView* view) {
    const auto index = static_cast<int>(std::find(views_.begin(), views_.end(), view) - views_.begin());
    if (tabs_->isTabVisible(index) && tabs_->isTabEnabled(index))
        tabs_->setCurrentIndex(index);
}

void HeadPanel::stepView(int by) {
    std::vector<int> shown;
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->isTabVisible(i) && tabs_->isTabEnabled(i))
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
    showTitle();
    showEffect(); // with the note
    showColors();
    emit viewChanged();
}

void HeadPanel::setRow(std::optional<int> query, const explain::Reading& reading) {
    query_ = query;
    reading_ = reading;
    current_->setRow(query_, reading_);
}

void HeadPanel::showOff() {
    const auto& off = session_.request().ablations;
    const bool can_act = head_ && !session_.isTooLong(); // else nothing is computed
    for (QWidget* part : std::initializer_list<QWidget*>{off_, off_by_, all_on_})
        part->setEnabled(can_act);
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
    const bool is_of_head = current_->ownTitle().isEmpty();
    for (QWidget* of_models : std::initializer_list<QWidget*>{off_, off_by_}) // what is recorded has run
        of_models->setVisible(!session_.capture() && is_of_head);
}

void HeadPanel::showNote() {
    QStringList notes;
    const auto* pass = head_ && head_->result->capture ? head_->result->capture->find(head_->heads().name) : nullptr;
    const SelectedHead* one =
        head_ && current_->ownTitle().isEmpty() ? head_.get() : nullptr; // null: all heads are shown
    if (one && one->result->isOff(one->place))
        notes << tr("off: these weights have no effect");
    else if (const QString way = one && effects_ ? wayWords(*effects_, one->place) : QString(); !way.isEmpty())
        notes << way;
    if (pass && !pass->mechanism.empty())
        notes << tr("%1 carries a state: this is the matrix that it equals")
                     .arg(translated(mechanism_of(pass->mechanism).title));
    for (const auto& remark : pass ? pass->remarks() : std::vector<Message>())
        notes << translated(remark);
    if (!current_->note().isEmpty())
        notes << current_->note();
    if (low_ && has_line_ && !effect_->text().isEmpty())
        notes.prepend(effect_->text());
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

void HeadPanel::setLow(bool low, bool has_line) {
    has_line_ = has_line;
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
    }
    note_->setVisible(!low || has_line_);
    showOff();
    showEffect();
}

} // namespace attnlab::ui
