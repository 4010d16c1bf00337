#include "ui/model/heads_panel.h"

#include "ui/drawing/colormap.h"
#include "ui/model/answers_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_figures.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <span>
#include <tuple>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr const char *first_x = "entropy", *first_y = "induction";
constexpr const char* effect_order = "effect";
constexpr int direct_measure = -1; ///< beside the values of Ablation::By
constexpr int measure_letters = 7;

QComboBox* newChoice(const QString& name) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(name);
    choice->setToolTip(name);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(6);
    return choice;
}

/// Another one where there is no such figure.
void choose(QComboBox& choice, const QVariant& id, int otherwise) {
    const int found = choice.findData(id);
    choice.setCurrentIndex(found >= 0 ? found : std::min(otherwise, choice.count() - 1));
}

} // namespace

/// Six tabs, which may be narrower, so that they stay in a narrow card.
class HeadsTabs : public SegmentSwitch {
public:
    void setDense(bool dense) {
        if (std::exchange(is_dense_, dense) == dense)
            return;
        setTabText(0, tabText(0)); // places all tabs
        updateGeometry();
    }

protected:
    QSize tabSizeHint(int index) const override {
        constexpr int less = 5;
        const QSize size = SegmentSwitch::tabSizeHint(index);
        return is_dense_ ? size - QSize(less, 0) : size;
    }

private:
    bool is_dense_ = false;
};

/// The colours of differences, from the most negative to the most positive.
class DifferenceKey : public QWidget {
public:
    DifferenceKey() {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setAccessibleRole(*this, QAccessible::Graphic);
        setAccessibleName(HeadsPanel::tr("Colours of differences"));
        setToolTip(HeadsPanel::tr("From below zero at the left to above zero at the right"));
    }
    QSize sizeHint() const override {
        constexpr int lines = 5;
        return {lines * fontMetrics().height(), fontMetrics().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        ValueRange range;
        range.include(-1.0);
        range.include(1.0);
        const auto scale = shownOn(theme(), colorScale(ColorChoice(), range, true, true));
        QPainter painter(this);
        const int edge = height() / 5;
        const QRect bar = rect().adjusted(0, edge, 0, -edge);
        for (int x = 0; x < bar.width(); ++x)
            painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                             QColor(scale.color(2.0 * (x + 0.5) / bar.width() - 1.0)));
        painter.setPen(theme().border);
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
    }
};

HeadsPanel::HeadsPanel(QWidget* parent)
    : QWidget(parent), title_(makeLineLabel(LineStyle::Bold)), tabs_(new HeadsTabs), choices_(new PageStack),
      pictures_(new QStackedWidget), order_(newChoice(tr("Order of the heads"))), x_(newChoice(tr("Figure along x"))),
      y_(newChoice(tr("Figure along y"))), measure_(newChoice(tr("What is measured of each head"))),
      key_(new DifferenceKey), note_(makeLineLabel(LineStyle::Muted)), legend_(makeLineLabel(LineStyle::Muted)),
      effects_button_(
          newButton(tr("Try all heads"), tr("Takes out each head, one at a time, and computes the answer"))),
      wall_(new HeadsWall), scatter_(new HeadsScatter), lens_(new AnswersView(AnswerRows::Of::Layers)),
      words_(new AnswersView(AnswerRows::Of::Words)) {
    build();
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab == Wall || tab == Changes)
            wants_effects_ = tab == Changes;
        showTab();
        showDifference();
    });
    connect(order_, &QComboBox::currentIndexChanged, this, &HeadsPanel::chooseOrder);
    connect(effects_button_, &QPushButton::clicked, this, [this] {
        if (effects_->state() == HeadEffects::State::Running)
            effects_->cancel();
        else
            effects_->start();
    });
    connect(order_, &QComboBox::activated, wall_, &HeadsWall::chooseFirst);
    connect(measure_, &QComboBox::activated, this, &HeadsPanel::chooseMeasure);
    for (const auto* answers : {lens_, words_})
        connect(answers, &AnswersView::changed, this, &HeadsPanel::showNote);
    for (QComboBox* axis : {x_, y_})
        connect(axis, &QComboBox::currentIndexChanged, this, &HeadsPanel::showAxes);
    connect(wall_, &HeadsWall::chosenChanged, this, [this] {
        scatter_->choose(wall_->chosen());
        emit chosenChanged();
    });
    connect(scatter_, &HeadsScatter::chosenByUser, wall_, &HeadsWall::choose);
    connect(wall_, &HeadsWall::toggled, this, &HeadsPanel::toggled);
    connect(scatter_, &HeadsScatter::toggled, this, &HeadsPanel::toggled);
    fillFigures();
    fillMeasures();
    tabs_->showTab(Changes, false);
    tabs_->showTab(Layers, false);
    tabs_->showTab(Words, false);
    showTab();
    wants_effects_ = true;
}

void HeadsPanel::build() {
    tabs_->setUsesScrollButtons(false);
    tabs_->addTab(tr("Reads"));
    tabs_->addTab(tr("Changes"));
    tabs_->addTab(tr("B − A"));
    tabs_->addTab(tr("Plot"));
    tabs_->addTab(tr("Layers"));
    tabs_->addTab(tr("Words"));
    tabs_->setAccessibleName(tr("How heads are shown"));
    tabs_->setTabToolTip(Wall, tr("The weights of every head"));
    tabs_->setTabToolTip(Changes, tr("Which heads matter: what the answer becomes without each head"));
    tabs_->setTabToolTip(Scatter, tr("Heads by two figures"));
    tabs_->setTabToolTip(Layers, tr("What the model would answer after each layer (logit lens): the last norm and the "
                                    "unembedding applied to what is there"));
    tabs_->setTabToolTip(Words, tr("Which words matter: what the answer becomes while no attention reads a word"));
    auto* axes = new QWidget;
    auto* both = new QHBoxLayout(axes);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(x_, 1);
    both->addWidget(y_, 1);
    choices_->addWidget(order_);
    choices_->addWidget(axes);
    choices_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    pictures_->addWidget(wall_);
    pictures_->addWidget(scatter_);
    pictures_->addWidget(lens_);
    pictures_->addWidget(words_);
    measure_->setMinimumContentsLength(measure_letters);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    auto* row =
        new FlowLayout(nullptr, metrics::gap, metrics::gap); // with large letters, the measure is below the tabs
    for (QWidget* part : std::initializer_list<QWidget*>{tabs_, measure_}) {
        row->addWidget(part);
        row->setAlignment(part, Qt::AlignVCenter);
    }
    auto* first = new QHBoxLayout;
    first->addStrut(controlHeight(font())); // also without choices
    first->addWidget(title_, 1);
    first->addWidget(choices_);
    card->content()->addLayout(first);
    card->content()->addLayout(row);
    auto* line = new QHBoxLayout;
    line->addWidget(note_, 1);
    line->addWidget(key_);
    line->addWidget(effects_button_);
    note_->installEventFilter(this);
    card->content()->addLayout(line);
    card->content()->addWidget(legend_);
    card->content()->addWidget(pictures_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

void HeadsPanel::setLow(bool low) {
    low_ = low;
    tabs_->setDense(low);
    showNote();
}

QString HeadsPanel::title() const { return title_->text(); }

/// What the pictures below answer.
QString HeadsPanel::question() const {
    switch (tabs_->currentIndex()) {
    case Changes:
        return tr("Which heads matter?");
    case Differences:
        return tr("What changes in every head?");
    case Scatter:
        return tr("How do heads differ?");
    case Layers:
        return tr("What would each layer answer?");
    case Words:
        return tr("Which words does the answer depend on?");
    default:
        return tr("What does every head read?");
    }
}

std::optional<HeadIndex> HeadsPanel::chosen() const { return wall_->chosen(); }

/// The tab B − A has its place before there is anything to compare, so that what is beside and below stays.
void HeadsPanel::offerDifferences() {
    const bool compares = result_ && result_->compared;
    tabs_->showTab(Differences, compares || (result_ && result_->model));
    tabs_->setTabEnabled(Differences, compares);
    tabs_->setTabToolTip(Differences, compares ? tr("What changes in every head")
                                               : tr("What changes in every head, once one is turned off or two texts "
                                                    "are compared"));
}

namespace {

/// The second text is another one than before, and not the first.
bool hasNewOther(const ModelResult* before, const ModelResult& now) {
    return now.comparesOtherTexts() &&
           !(before && before->other && before->model == now.model && before->other->input.ids == now.other->input.ids);
}

/// With the largest difference of a weight, by its picture; of equal ones that which moved most of its attention.
HeadIndex mostChanged(const ComparedRuns& compared) {
    HeadIndex most;
    std::pair largest(-1.0, -1.0);
    for (std::size_t pass = 0; pass < compared.passes.size(); ++pass)
        for (std::size_t head = 0; head < compared.passes[pass].pictures.size(); ++head) {
            const QImage& picture = compared.passes[pass].pictures[head];
            constexpr double middle = 127.5;
            double difference = 0.0;
            for (int row = 0; row < picture.height(); ++row)
                for (const uchar level :
                     std::span(picture.constScanLine(row), static_cast<std::size_t>(picture.width())))
                    difference = std::max(difference, std::abs(level - middle));
            if (const std::pair one(difference, compared.passes[pass].distances[head]); one > largest) {
                largest = one;
                most = {static_cast<int>(pass), static_cast<int>(head)};
            }
        }
    return most;
}

} // namespace

void HeadsPanel::setResult(const ModelResultPtr& result) {
    const bool is_new_other = result && hasNewOther(result_.get(), *result);
    result_ = result;
    fillFigures();
    const bool compares = result_ && result_->compared;
    if (!compares && tabs_->currentIndex() == Differences)
        tabs_->setCurrentIndex(had_effects_ && wants_effects_ ? Changes : Wall);
    offerDifferences();
    const bool compares_texts = compares && result_->comparesOtherTexts();
    if (compares_texts && !compares_texts_) // two texts are compared to see their difference
        tabs_->setCurrentIndex(Differences);
    if (result_)
        compares_texts_ = compares_texts;
    scatter_->setResult(result_);
    wall_->setResult(result_);
    if (is_new_other)
        wall_->choose(mostChanged(*result_->compared));
    for (auto* answers : {lens_, words_})
        answers->setResult(result_ && result_->model ? result_ : nullptr);
    offerAnswers();
    fillMeasures();
    showTab();
}

/// A head that is off reads what it read before: the one that changed most shows what there is to see.
void HeadsPanel::showDifference() {
    const bool compares = tabs_->currentIndex() == Differences && result_ && result_->compared;
    if (compares && result_->compared->largest > 0.0 && wall_->chosen() && result_->isOff(*wall_->chosen()))
        wall_->choose(mostChanged(*result_->compared));
}

void HeadsPanel::setColors(const ColorChoice& colors) {
    colors_ = colors;
    wall_->setColors(colors);
    showNote();
}

void HeadsPanel::setBy(model::Ablation::By by) {
    by_ = by;
    fillMeasures();
}

/// The second text is offered while there is one, and the direct part where it can be told apart.
void HeadsPanel::fillMeasures() {
    using By = model::Ablation::By;
    struct Choice {
        QString title, tip;
        int measure;
    };
    std::vector<Choice> choices{
        {tr("Without it"), tr("The answer while the head gives zeros"), static_cast<int>(By::Zero)},
        {tr("Its average"), tr("The answer while the head gives its average over positions"),
         static_cast<int>(By::Mean)}};
    if (result_ && result_->other)
        choices.push_back({tr("As in text B"), tr("The answer while the head gives what it gives for the second text"),
                           static_cast<int>(By::Other)});
    const bool is_direct = effects_ && effects_->measure() == HeadEffects::Measure::Direct;
    if (effects_ && (effects_->hasDirect() || is_direct))
        choices.push_back({tr("Directly"),
                           tr("What the head adds to the logit of the answer, or to the difference of the two that are "
                              "pinned, by itself, not through later layers"),
                           direct_measure});
    bool same = std::ssize(choices) == measure_->count();
    for (int i = 0; same && i < measure_->count(); ++i)
        same = measure_->itemData(i) == choices[static_cast<std::size_t>(i)].measure;
    if (!same) {
        measure_->clear();
        for (const auto& choice : choices) {
            measure_->addItem(choice.title, choice.measure);
            measure_->setItemData(measure_->count() - 1, choice.tip, Qt::ToolTipRole);
        }
    }
    measure_->setCurrentIndex(std::max(0, measure_->findData(is_direct ? direct_measure : static_cast<int>(by_))));
}

void HeadsPanel::chooseMeasure(int index) {
    const int chosen = measure_->itemData(index).toInt();
    effects_->setMeasure(chosen == direct_measure ? HeadEffects::Measure::Direct : HeadEffects::Measure::Without);
    if (chosen != direct_measure)
        emit byChosen(static_cast<model::Ablation::By>(chosen));
}

void HeadsPanel::setEffects(HeadEffects* effects) {
    effects_ = effects;
    wall_->setEffects(effects);
    connect(effects_, &HeadEffects::changed, this, &HeadsPanel::showEffects);
    showEffects();
}

/// The wall of effects comes into sight as soon as there are any.
void HeadsPanel::showEffects() {
    const bool has_effects = effects_ && effects_->state() != HeadEffects::State::None;
    if (had_effects_ != has_effects) {
        had_effects_ = has_effects;
        const bool wanted = wants_effects_;
        // Before its tab goes: the bar would choose another one.
        if (!has_effects && tabs_->currentIndex() == Changes)
            tabs_->setCurrentIndex(Wall);
        tabs_->showTab(Changes, has_effects);
        offerAnswers();
        if (has_effects && wanted && tabs_->currentIndex() == Wall)
            tabs_->setCurrentIndex(Changes);
        wants_effects_ = wanted;
        fillFigures();
    }
    for (auto* answers : {lens_, words_})
        answers->setPair(effects_ ? effects_->pair() : std::nullopt);
    fillMeasures();
    showNote();
}

/// The tabs of layers and words, where there are any.
void HeadsPanel::offerAnswers() {
    const auto offer = [this](Tab tab, AnswerRows::Of rows) {
        const bool is_there = had_effects_ && result_ && result_->model && AnswersView::canShow(rows, *result_);
        if (!is_there && tabs_->currentIndex() == tab)
            tabs_->setCurrentIndex(Wall);
        tabs_->showTab(tab, is_there);
    };
    offer(Layers, AnswerRows::Of::Layers);
    offer(Words, AnswerRows::Of::Words);
}

/// What was chosen stays chosen while there is such a figure.
void HeadsPanel::fillFigures() {
    for (QComboBox* choice : {order_, x_, y_})
        choice->setEnabled(result_ != nullptr);
    const auto present = result_ ? headFiguresIn(*result_) : figures_;
    const bool has_entry = order_->findData(QLatin1String(effect_order)) >= 0;
    if (present == figures_ && order_->count() > 0 && has_entry == had_effects_)
        return;
    figures_ = present;
    const QVariant order = order_->currentData();
    const QVariant x = x_->count() > 0 ? x_->currentData() : QVariant(QLatin1String(first_x));
    const QVariant y = y_->count() > 0 ? y_->currentData() : QVariant(QLatin1String(first_y));
    {
        const QSignalBlocker quiet_order(order_), quiet_x(x_), quiet_y(y_);
        for (QComboBox* choice : {order_, x_, y_})
            choice->clear();
        order_->addItem(tr("By layer"), QString());
        for (const auto* figure : figures_) {
            const QString id = QLatin1String(figure->id);
            order_->addItem(tr("Sort by: %1").arg(figure->displayTitle()), id);
            x_->addItem(tr("x: %1").arg(figure->displayTitle()), id);
            y_->addItem(tr("y: %1").arg(figure->displayTitle()), id);
        }
        if (had_effects_)
            order_->addItem(tr("Sort by: change of the answer"), QLatin1String(effect_order));
        choose(*order_, order, 0);
        choose(*x_, x, 0);
        choose(*y_, y, 1);
    }
    chooseOrder();
    showAxes();
}

void HeadsPanel::chooseOrder() {
    const auto index = static_cast<std::size_t>(std::max(0, order_->currentIndex()));
    if (order_->currentData() == QVariant(QLatin1String(effect_order)))
        wall_->setOrderByEffect();
    else
        wall_->setOrder(index > 0 ? figures_[index - 1] : nullptr);
    showNote();
}

void HeadsPanel::showAxes() {
    const auto figure = [this](const QComboBox& choice) {
        const int index = choice.currentIndex();
        return index < 0 ? nullptr : figures_[static_cast<std::size_t>(index)];
    };
    scatter_->setFigures(figure(*x_), figure(*y_));
}

void HeadsPanel::showTab() {
    const int tab = tabs_->currentIndex();
    choices_->setCurrentIndex(tab == Scatter ? 1 : 0);
    const bool of_answers = tab == Layers || tab == Words;
    choices_->setVisible(!of_answers);
    pictures_->setCurrentIndex(tab == Scatter ? 1 : tab == Layers ? 2 : tab == Words ? 3 : 0);
    measure_->setVisible(tab == Changes);
    wall_->setPictures(tab == Differences ? HeadsWall::Pictures::Differences
                       : tab == Changes   ? HeadsWall::Pictures::Effects
                                          : HeadsWall::Pictures::Weights);
    showNote();
}

void HeadsPanel::showNote() {
    const int tab = tabs_->currentIndex();
    QString note =
        tab == Scatter ? tr("Each dot is a head")
        : colors_.locked
            ? tr("All heads on one scale, %1 to %2").arg(numberText(colors_.low, 2), numberText(colors_.high, 2))
        : colors_.logarithmic ? tr("All heads on one logarithmic scale, up to 1")
                              : tr("All heads on one scale, 0 to 1");
    if (tab == Differences && result_ && result_->compared) {
        const QString largest = numberText(result_->compared->largest, 2);
        const bool of_texts = result_->compared->of == ComparedRuns::Of::Texts;
        note = of_texts && !result_->comparesOtherTexts() ? tr("A and B are the same text")
               : result_->compared->largest == 0.0        ? tr("Every head reads what it read before")
               : of_texts                                 ? tr("Second text minus first, −%1 to %1").arg(largest)
                                                          : tr("With heads off minus all on, −%1 to %1").arg(largest);
    }
    key_->setVisible(tab == Differences && result_ && result_->compared && result_->compared->largest > 0.0);
    const bool of_effects = tab == Changes && effects_;
    if (tab == Layers || tab == Words)
        note = (tab == Layers ? lens_ : words_)->note();
    legend_->setText(of_effects ? effectsLegend() : QString());
    whole_note_ = of_effects ? ofAllOn(effectsNote()) : note;
    brief_note_ = of_effects ? ofAllOn(briefEffectsNote()) : QString();
    fitNote();
    legend_->setVisible(had_effects_ && !low_); // has its line in all tabs, so that the pictures stay
    title_->setText(question());
    const bool is_direct = of_effects && effects_->measure() == HeadEffects::Measure::Direct;
    const auto state = of_effects && !is_direct ? effects_->state() : HeadEffects::State::None;
    const bool runs = state == HeadEffects::State::Running;
    effects_button_->setVisible(runs || state == HeadEffects::State::Offered || state == HeadEffects::State::Stopped);
    effects_button_->setText(runs                                ? tr("Stop")
                             : effects_ && effects_->found() > 0 ? tr("Try the rest")
                                                                 : tr("Try all heads"));
}

/// The tiles show the heads as they are now, what stands below them the model with all heads on.
QString HeadsPanel::ofAllOn(const QString& note) const {
    const bool are_off = result_ && result_->model && result_->result != result_->plain;
    return note.isEmpty() || !are_off ? note : tr("Of all heads on: %1").arg(note);
}

/// The brief one, rather than a part of the whole one.
void HeadsPanel::fitNote() {
    const bool is_brief = !brief_note_.isEmpty() && fontMetrics().horizontalAdvance(whole_note_) > note_->width();
    note_->setText(is_brief ? brief_note_ : whole_note_);
    QStringList tip;
    if (is_brief || (low_ && !legend_->text().isEmpty()))
        tip << whole_note_;
    if (low_ && !legend_->text().isEmpty())
        tip << legend_->text();
    note_->setToolTip(tip.join(u'\n'));
}

bool HeadsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == note_ && event->type() == QEvent::Resize)
        fitNote();
    return QWidget::eventFilter(watched, event);
}

SegmentSwitch* HeadsPanel::tabs() const { return tabs_; }
QString HeadsPanel::note() const { return note_->text(); }
QString HeadsPanel::legend() const { return legend_->text(); }
QWidget* HeadsPanel::differenceKey() const { return key_; }

/// Which heads write the answer, and which work through others; empty: not known.
QString HeadsPanel::waysWords() const {
    const bool is_known = result_ && effects_->state() == HeadEffects::State::Done && effects_->answer() &&
                          effects_->answer()->probability >= least_sure && !effects_->pair() &&
                          effects_->measure() == HeadEffects::Measure::Without;
    if (!is_known)
        return {};
    QStringList direct, later;
    for (int pass = 0; pass < static_cast<int>(result_->passes.size()); ++pass)
        for (int head = 0; head < result_->heads({pass, 0}).heads; ++head)
            if (const auto way = effects_->wayOf({pass, head}); way && effects_->helps({pass, head}))
                (*way == HeadEffects::Way::Directly ? direct : later) << shortTitle(*result_, {pass, head});
    const auto named = [](const QStringList& heads) {
        constexpr int most_named = 3;
        const QString words = heads.mid(0, most_named).join(tr(", "));
        return heads.size() > most_named ? tr("%1 heads (%2, …)").arg(heads.size()).arg(words) : words;
    };
    const QString& answer = effects_->answer()->name;
    if (!direct.isEmpty() && !later.isEmpty())
        return (direct.size() > 1 ? tr("%1 write “%2” themselves; %3 through later heads (hollow)")
                                  : tr("%1 writes “%2” itself; %3 through later heads (hollow)"))
            .arg(named(direct), answer, named(later));
    if (!direct.isEmpty())
        return (direct.size() > 1 ? tr("%1 write “%2” themselves") : tr("%1 writes “%2” itself"))
            .arg(named(direct), answer);
    return later.isEmpty()
               ? QString()
               : tr("No head writes “%1” itself; %2 through later heads (hollow)").arg(answer, named(later));
}

/// What the marks of the wall mean.
QString HeadsPanel::effectsLegend() const {
    if (!effects_ || effects_->state() == HeadEffects::State::None || wall_->showsColors())
        return {};
    if (QString ways = waysWords(); !ways.isEmpty())
        return ways;
    QStringList marks;
    if (effects_->measure() == HeadEffects::Measure::Without) {
        marks << tr("bold: another answer");
        if (effects_->hasDirect() && effects_->by() == model::Ablation::By::Zero)
            marks << tr("hollow bar: works through later heads");
    }
    return marks.join(tr(" · "));
}

namespace {

QString durationText(double of) {
    constexpr int minute = 60;
    const auto seconds = static_cast<int>(std::lround(of));
    return seconds < 2 * minute ? HeadsPanel::tr("%1 s").arg(std::max(1, seconds))
                                : HeadsPanel::tr("%1 min").arg((seconds + minute / 2) / minute);
}

} // namespace

QString HeadsPanel::effectsNote() const {
    if (effects_->measure() == HeadEffects::Measure::Direct && effects_->state() != HeadEffects::State::None) {
        if (!effects_->hasDirect())
            return tr("A norm stands behind each attention, or a layer before the logits: nothing is added directly");
        if (const auto& pair = effects_->pair())
            return tr("Each head adds to %1 against %2 directly, logits").arg(pair->a.name, pair->b.name);
        return tr("Each head adds to the logit of “%1” directly").arg(effects_->answer()->name);
    }
    const auto found = static_cast<int>(effects_->found()), count = static_cast<int>(effects_->count());
    constexpr double worth_saying = 1.5; // seconds
    const double seconds = effects_->secondsExpected();
    const QString tried = tr("%1 of %2 heads tried").arg(found).arg(count);
    const QString tried_and_left =
        tr("%1 of %2 heads tried; the rest takes about %3").arg(found).arg(count).arg(durationText(seconds));
    switch (effects_->state()) {
    case HeadEffects::State::None:
        return {};
    case HeadEffects::State::Blocked:
        return tr("No head can be taken from text B: it has %1 tokens, and text A %2")
            .arg(result_->other->input.ids.size())
            .arg(result_->plain->input.ids.size());
    case HeadEffects::State::Offered:
        if (found == 0)
            return seconds > 0.0 ? tr("To try all %1 heads takes about %2").arg(count).arg(durationText(seconds))
                                 : tr("%1 heads are not tried yet").arg(count);
        return seconds > 0.0 ? tried_and_left : tried;
    case HeadEffects::State::Running:
    case HeadEffects::State::Stopped:
        return seconds > worth_saying ? tried_and_left : tried;
    case HeadEffects::State::Done:
        break;
    }
    const bool is_other = effects_->by() == model::Ablation::By::Other;
    if (const auto& pair = effects_->pair())
        return (is_other ? tr("Change of %1 against %2, logits, with each head as in text B")
                         : tr("Change of %1 against %2, logits, without each head"))
            .arg(pair->a.name, pair->b.name);
    if (is_other && !wall_->showsColors())
        return tr("%1 of %2 heads matter: alone as in text B, 5% or more of all probability moves")
            .arg(effects_->matter())
            .arg(count);
    if (wall_->showsColors())
        return tr("%1 of %2 heads move 5% or more of the probability · strongest colour: %3")
            .arg(effects_->matter())
            .arg(count)
            .arg(probabilityText(std::max(effects_->largestMove(), HeadEffects::least_share)));
    return tr("%1 of %2 heads matter: alone off, 5% or more of all probability moves")
        .arg(effects_->matter())
        .arg(count);
}

/// Without what it means to matter; empty: there is none.
QString HeadsPanel::briefEffectsNote() const {
    const bool has_one = effects_->state() == HeadEffects::State::Done && !effects_->pair() &&
                         effects_->measure() == HeadEffects::Measure::Without;
    if (!has_one)
        return {};
    return (effects_->by() == model::Ablation::By::Other ? tr("%1 of %2 heads matter as in text B")
                                                         : tr("%1 of %2 heads matter"))
        .arg(effects_->matter())
        .arg(effects_->count());
}

HeadsScatter::HeadsScatter(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    declareShortcuts(*this, {tr("Heads by two figures"),
                             {{tr("Arrow keys, Home, End"), tr("Go to the next head along an axis")},
                              {tr("Space"), tr("Switch the head of the dot off, or on again")}}});
    setAccessibleRole(*this, QAccessible::Chart);
    setAccessibleDescription(tr("Arrow keys choose a head, Space switches it off or on"));
    describe();
}

void HeadsScatter::setResult(ModelResultPtr result) {
    result_ = std::move(result);
    collect();
}

void HeadsScatter::setFigures(const HeadFigure* x, const HeadFigure* y) {
    x_ = x;
    y_ = y;
    collect();
}

void HeadsScatter::choose(std::optional<HeadIndex> place) {
    chosen_ = place;
    describe();
    update();
}

void HeadsScatter::collect() {
    places_.clear();
    drawing_ = result_ && x_ && y_ ? dotsOf(*result_, *x_, *y_, &places_) : DotsDrawing();
    describe();
    update();
}

std::optional<std::size_t> HeadsScatter::find(std::optional<HeadIndex> place) const {
    const auto found = place ? std::ranges::find(places_, *place) : places_.end();
    return found == places_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - places_.begin()));
}

std::optional<QPointF> HeadsScatter::positionOf(HeadIndex place) const {
    const auto dot = find(place);
    const auto positions = drawing_.positions(rect(), font());
    return dot && *dot < positions.size() ? std::optional(positions[*dot]) : std::nullopt;
}

std::optional<HeadIndex> HeadsScatter::placeAt(const QPointF& point) const {
    const auto dot = drawing_.dotAt(point, rect(), font());
    return dot ? std::optional(places_[*dot]) : std::nullopt;
}

DotsDrawing HeadsScatter::picture() const {
    DotsDrawing drawing = drawing_;
    drawing.chosen = find(chosen_);
    return drawing;
}

QString HeadsScatter::textOf(std::size_t index) const {
    const auto& dot = drawing_.dots[index];
    return tr("%1: %2 %3, %4 %5")
        .arg(dot.name, drawing_.x_title, numberText(dot.numbers.x(), 3), drawing_.y_title,
             numberText(dot.numbers.y(), 3));
}

void HeadsScatter::describe() {
    const auto dot = find(chosen_);
    setAccessibleName(dot ? textOf(*dot) : tr("%n heads by two figures", nullptr, static_cast<int>(places_.size())));
}

void HeadsScatter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (result_)
        picture().paint(painter, rect(), {theme(), font()});
    if (showsFocus(*this))
        paintFocusFrame(painter, *this);
}

void HeadsScatter::mousePressEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->position()); place && event->button() == Qt::LeftButton)
        emit chosenByUser(*place);
}

std::optional<HeadIndex> HeadsScatter::neighbour(bool along_x, bool forward) const {
    // Of equal figures the earlier head comes first, so that every head can be reached.
    const auto order = [this, along_x](std::size_t dot) {
        const auto& numbers = drawing_.dots[dot].numbers;
        return std::tuple(along_x ? numbers.x() : numbers.y(), places_[dot].pass, places_[dot].head);
    };
    const auto from = find(chosen_);
    if (!from)
        return places_.empty() ? std::nullopt : std::optional(places_.front());
    std::optional<std::size_t> next;
    for (std::size_t dot = 0; dot < places_.size(); ++dot) {
        const bool beyond = forward ? order(dot) > order(*from) : order(dot) < order(*from);
        if (beyond && (!next || (forward ? order(dot) < order(*next) : order(dot) > order(*next))))
            next = dot;
    }
    return next ? std::optional(places_[*next]) : std::nullopt;
}

void HeadsScatter::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    std::optional<HeadIndex> to;
    if (key == Qt::Key_Space && find(chosen_)) {
        emit toggled(*chosen_);
        return;
    }
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        to = neighbour(true, key == Qt::Key_Right);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        to = neighbour(false, key == Qt::Key_Up);
    } else if ((key == Qt::Key_Home || key == Qt::Key_End) && !places_.empty()) {
        const auto& dots = drawing_.dots;
        const auto x = [](const DotsDrawing::Dot& dot) { return dot.numbers.x(); };
        const auto end =
            key == Qt::Key_Home ? std::ranges::min_element(dots, {}, x) : std::ranges::max_element(dots, {}, x);
        to = places_[static_cast<std::size_t>(end - dots.begin())];
    } else {
        QWidget::keyPressEvent(event);
        return;
    }
    if (to)
        emit chosenByUser(*to);
}

bool HeadsScatter::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto place = placeAt(tipPosition(*event));
        showTip(*event, place ? headText(*result_, *place) : QString(), *this);
        return true;
    }
    return QWidget::event(event);
}

QSize HeadsScatter::sizeHint() const { return QSize(18, 16) * fontMetrics().height(); }
QSize HeadsScatter::minimumSizeHint() const { return QSize(10, 8) * fontMetrics().height(); }

} // namespace attnlab::ui
