#include "ui/model/predictions_panel.h"

#include "ui/model/model_input.h"
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
#include <cmath>
#include <limits>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int most_written = 999;
constexpr double least_of_two = 0.001; ///< of an outcome, where two lists share the room
constexpr std::size_t fewest_of_two = 4;
const QString usual_name =
    QStringLiteral("Hannah"); ///< of which all bars leave room, so that they stay for another word

} // namespace

PredictionsPanel::PredictionsPanel(QWidget* parent)
    : QWidget(parent), hint_(new WrappedLabel), pinned_(makeLineLabel(LineStyle::Muted)),
      unpin_(newButton(tr("Unpin"), tr("The wall shows the change of the answer again"))), writing_(makeWriting()) {
    auto* list = new QWidget;
    column_ = new QVBoxLayout(list);
    column_->setContentsMargins(0, 0, 0, 0);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(hint_);
    column_->addStretch(1);
    connect(unpin_, &QPushButton::clicked, this, [this] {
        pins_.clear();
        showPins();
    });
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addWidget(new FittingScrollArea(list, FittingScrollArea::Scrolls::Down));
    card->content()->addWidget(pinned_);
    card->content()->addWidget(unpin_, 0, Qt::AlignLeft);
    card->content()->addWidget(writing_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

void PredictionsPanel::addBelow(QWidget* part) { layout()->addWidget(part); }

QWidget* PredictionsPanel::makeWriting() {
    write_ =
        newButton(tr("Go on"), tr("The model writes on. A double click on a next token, or Enter, takes that one"));
    count_ = new QSpinBox;
    count_->setRange(1, most_written);
    count_->setValue(10);
    count_->setAccessibleName(tr("How many tokens the model writes"));
    how_ = new QComboBox;
    how_->addItem(tr("The likeliest"));
    how_->addItem(tr("By chance"));
    how_->setAccessibleName(tr("Which token is written"));
    how_->setToolTip(tr("The likeliest token each time, or one that is drawn by its probability"));
    temperature_ = new QDoubleSpinBox;
    temperature_->setRange(0.05, 10.0);
    temperature_->setSingleStep(0.1);
    temperature_->setValue(1.0);
    temperature_->setPrefix(tr("T "));
    temperature_->setAccessibleName(tr("Temperature"));
    temperature_->setToolTip(
        tr("Temperature: logits are divided by it before a token is drawn. Lower ones prefer likely "
           "tokens"));
    seed_ = new QSpinBox;
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setPrefix(tr("Seed "));
    seed_->setAccessibleName(tr("Seed"));
    seed_->setToolTip(tr("The same seed draws the same tokens"));
    auto* panel = new QWidget;
    auto* grid = new QGridLayout(panel);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(metrics::gap);
    grid->addWidget(write_, 0, 0);
    grid->addWidget(count_, 0, 1);
    grid->addWidget(how_, 1, 0, 1, 2);
    grid->addWidget(temperature_, 2, 0);
    grid->addWidget(seed_, 2, 1);
    const auto show_choice = [this](int index) {
        temperature_->setVisible(index == 1);
        seed_->setVisible(index == 1);
    };
    show_choice(0);
    connect(how_, &QComboBox::currentIndexChanged, this, show_choice);
    connect(write_, &QPushButton::clicked, this, [this] {
        const bool draws = how_->currentIndex() == 1;
        emit writeRequested({.count = count_->value(),
                             .temperature = draws ? temperature_->value() : 0.0,
                             .seed = static_cast<std::uint64_t>(seed_->value())});
    });
    return panel;
}

QString PredictionsPanel::titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                                  const ModelPredictions& guesses) const {
    if (guesses.of != ModelPredictions::Of::Outcome)
        return guesses.of == ModelPredictions::Of::Begin ? tr("The answer begins at") : tr("The answer ends at");
    if (!guesses.position)
        return result.result->is_of_classes ? tr("Classes") : tr("Next token");
    return tr("%1 at %2")
        .arg(displayToken(textOf(tokens[static_cast<std::size_t>(*guesses.position)])))
        .arg(*guesses.position);
}

void PredictionsPanel::show(std::size_t index, const QString& title, const ModelPredictions& guesses) {
    if (index == sections_.size()) {
        sections_.push_back({makeLineLabel(LineStyle::Bold), new OutcomeBars});
        sections_.back().title->setBuddy(sections_.back().bars);
        connect(sections_.back().bars, &OutcomeBars::outcomeClicked, this, &PredictionsPanel::togglePin);
        if (index == 0) // behind the second text nothing is written
            connect(sections_.back().bars, &OutcomeBars::outcomeTaken, this, [this](const model::Outcome& outcome) {
                if (result_ && result_->model->description().predicts_next())
                    emit appendRequested(outcome.id);
            });
        column_->insertWidget(column_->count() - 1, sections_.back().title);
        constexpr int before_the_rest = 100;
        column_->insertWidget(column_->count() - 1, sections_.back().bars, before_the_rest);
    }
    sections_[index].name = title;
    sections_[index].bars->setOutcomes(title, guesses.now, guesses.before);
}

void PredictionsPanel::showTitles() {
    for (const auto& section : sections_)
        section.title->setText(is_outdated_ ? tr("%1 · not updated").arg(section.name) : section.name);
}

void PredictionsPanel::setOutdated(bool outdated) {
    if (std::exchange(is_outdated_, outdated) != outdated)
        showTitles();
}

void PredictionsPanel::togglePin(const model::Outcome& outcome) {
    if (const auto found = std::ranges::find(pins_, outcome.id, &NamedOutcome::id); found != pins_.end()) {
        pins_.erase(found);
    } else {
        if (pins_.size() == 2)
            pins_.pop_back();
        pins_.push_back(namedOutcome(*result_->model, *result_->plain, outcome.id, outcome.probability));
    }
    showPins();
}

void PredictionsPanel::showPins() {
    if (unpin_->hasFocus() && pins_.empty() && shown_ > 0) // the button is about to go
        sections_.front().bars->setFocus(Qt::OtherFocusReason);
    for (const auto& section : sections_)
        section.bars->setPinned(pins_);
    const auto two = pair();
    pinned_->setText(two             ? tr("%1 against %2").arg(two->a.name, two->b.name)
                     : pins_.empty() ? tr("Click two to compare them")
                                     : tr("%1 against …").arg(pins_.front().name));
    pinned_->setToolTip(tr("Of two pinned outcomes the wall shows how the difference of their logits changes without "
                           "each head"));
    const bool has_answer = result_ && answerRow(*result_);
    pinned_->setVisible(has_answer);
    unpin_->setVisible(has_answer && !pins_.empty());
    emit pairChanged();
}

std::optional<NamedPair> PredictionsPanel::pair() const {
    return pins_.size() == 2 ? std::optional(NamedPair{pins_[0], pins_[1]}) : std::nullopt;
}

namespace {

/// Outcomes that are unlikely now and were so before, behind the first few. What a head makes unlikely stays.
void leaveOut(ModelPredictions& guesses) {
    const auto is_unlikely = [](const auto& outcomes, std::int64_t id) {
        const auto found = std::ranges::find(outcomes, id, [](const auto& outcome) { return outcome.id; });
        return found == outcomes.end() || found->probability < least_of_two;
    };
    while (guesses.now.size() > fewest_of_two && is_unlikely(guesses.now, guesses.now.back().id) &&
           is_unlikely(guesses.before, guesses.now.back().id))
        guesses.now.pop_back();
    while (guesses.before.size() > fewest_of_two && is_unlikely(guesses.before, guesses.before.back().id) &&
           is_unlikely(guesses.now, guesses.before.back().id))
        guesses.before.pop_back();
}

} // namespace

void PredictionsPanel::setResult(const ModelResultPtr& result) {
    if (!result || !result_ || result->model != result_->model) // an id means another token there
        pins_.clear();
    result_ = result;
    shown_ = 0;
    hint_->clear();
    if (result && result->model && !result->passes.empty()) {
        const bool two = result->compared && result->compared->of == ComparedRuns::Of::Texts;
        const auto add = [&](const QString& form, const std::vector<ModelPredictions>& all,
                             const std::vector<std::string>& tokens) {
            for (ModelPredictions guesses : all) {
                if (two)
                    leaveOut(guesses);
                show(shown_++, form.arg(titleOf(*result, tokens, guesses)), guesses);
            }
        };
        add(two ? tr("A · %1") : QStringLiteral("%1"), result->guesses, result->passes.front().tokens.queries);
        if (two)
            add(tr("B · %1"), result->compared->other, result->compared->passes.front().tokens_b.queries);
        if (shown_ == 0 && result->mask_spelling)
            hint_->setText(tr("Write %1 for a word in the text, to see what the model expects there")
                               .arg(textOf(*result->mask_spelling)));
    }
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        sections_[i].title->setVisible(i < shown_);
        sections_[i].bars->setVisible(i < shown_);
    }
    showTitles();
    QStringList names;
    for (const auto* bars : this->bars())
        names << bars->names();
    for (auto* bars : this->bars())
        bars->setAllNames(shown_ > 1 ? names + QStringList{usual_name} : QStringList());
    hint_->setVisible(!hint_->text().isEmpty());
    setVisible(shown_ > 0 || !hint_->text().isEmpty());
    writing_->setVisible(result && result->model && result->model->description().predicts_next());
    showPins();
}

std::vector<OutcomeBars*> PredictionsPanel::bars() const {
    std::vector<OutcomeBars*> bars;
    for (std::size_t i = 0; i < shown_; ++i)
        bars.push_back(sections_[i].bars);
    return bars;
}

QStringList PredictionsPanel::titles() const {
    QStringList titles;
    for (std::size_t i = 0; i < shown_; ++i)
        titles << sections_[i].title->text();
    return titles;
}

QString PredictionsPanel::hint() const { return hint_->text(); }

namespace {

constexpr int outcome_letters = 12, fewest_rows = 8, most_rows = 16;
constexpr double least_lines = 1.35, usual_lines = 2.0, most_lines = 3.6; ///< height of a row
constexpr int pin_colors[] = {0, 2};                                      ///< of seriesColor(), apart from the accent

/// Whether a space before it makes another token of the same word.
bool beginsWithSpace(const model::Outcome& outcome) {
    const QString text = textOf(outcome.label);
    return text.startsWith(QLatin1Char(' ')) && !text.trimmed().isEmpty();
}

QString nameOf(const model::Outcome& outcome) {
    const QString text = textOfOutcome(outcome.label, outcome.name);
    if (text.isEmpty())
        return QString::number(outcome.id);
    return displayToken(text);
}

/// With a sign for the space where the word without it is there too.
QString nameAmong(const model::Outcome& outcome, const std::vector<model::Outcome>& all) {
    const QString name = nameOf(outcome);
    const bool is_twice =
        std::ranges::any_of(all, [&](const auto& other) { return other.id != outcome.id && nameOf(other) == name; });
    return is_twice && beginsWithSpace(outcome) ? QChar(0x2423) + name : name;
}

} // namespace

OutcomeBars::OutcomeBars(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setFocusPolicy(Qt::StrongFocus);
    declareShortcuts(*this, {tr("Next token"),
                             {{tr("Up, Down"), tr("Go from outcome to outcome")},
                              {tr("Space"), tr("Pin the outcome, to compare two")},
                              {tr("Enter"), tr("Take it as the next token of the text")}}});
    bars_.names = BarsDrawing::Names::AtLeftEdge;
    bars_.widest_number = QStringLiteral("< 0.1%");
}

void OutcomeBars::setOutcomes(const QString& title, const std::vector<model::Outcome>& outcomes,
                              const std::vector<model::Outcome>& before) {
    title_ = title;
    const bool compares =
        outcomes.size() != before.size() ||
        !std::equal(outcomes.begin(), outcomes.end(), before.begin(),
                    [](const auto& a, const auto& b) { return a.id == b.id && a.probability == b.probability; });
    candidates_.clear();
    for (const auto& outcome : outcomes) {
        Candidate one{.outcome = outcome, .now = outcome.probability};
        const auto earlier = std::ranges::find(before, outcome.id, &model::Outcome::id);
        if (compares && earlier != before.end())
            one.before = earlier->probability;
        candidates_.push_back(std::move(one));
    }
    showRows();
    setMaximumHeight(std::max(1, heightWith(mostRows(), most_lines)));
    updateGeometry();
}

int OutcomeBars::mostRows() const { return std::min(most_rows, static_cast<int>(candidates_.size())); }

int OutcomeBars::rowsIn(int height) const {
    const int fitting = height / std::max(1, heightWith(1, usual_lines));
    return std::min(std::max(fitting, fewest_rows), mostRows());
}

/// Those with the largest probabilities, now or before, in the order of the present ones.
void OutcomeBars::showRows() {
    std::vector<const Candidate*> chosen;
    for (const auto& one : candidates_)
        chosen.push_back(&one);
    std::ranges::stable_sort(chosen, std::greater<>(), &Candidate::largest);
    chosen.resize(static_cast<std::size_t>(rowsIn(height())));
    std::ranges::stable_sort(chosen, std::greater<>(), &Candidate::now);
    outcomes_.clear();
    for (const auto* one : chosen)
        outcomes_.push_back(one->outcome);
    bars_.rows.clear();
    QStringList spoken;
    for (const auto* one : chosen) {
        auto& row = bars_.rows.emplace_back(BarsDrawing::Row{.name = nameAmong(one->outcome, outcomes_),
                                                             .value = one->now,
                                                             .numbers = {probabilityText(one->now)},
                                                             .reference = one->before});
        spoken
            << (one->before
                    ? tr("%1: %2, %3 with all heads").arg(row.name, row.numbers.front(), probabilityText(*one->before))
                    : tr("%1: %2").arg(row.name, row.numbers.front()));
    }
    setAccessibleName(tr("%1: %2").arg(title_, spoken.join(QStringLiteral(", "))));
    setAccessibleDescription(tr("The most likely outcomes")); // else it would be the tooltip, which has tags
    setToolTip(spoken.join(QLatin1Char('\n'))
                   .toHtmlEscaped()
                   .prepend(QStringLiteral("<qt>"))
                   .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    bars_.selected = std::min(bars_.selected, static_cast<int>(outcomes_.size()) - 1);
    colorRows();
    shareRoom();
}

QRectF OutcomeBars::wholeBar(int row) const {
    auto whole = bars_;
    for (auto& one : whole.rows)
        one.value = whole.high;
    return whole.barRect(row, rect(), font());
}

QStringList OutcomeBars::names() const {
    QStringList names;
    for (const auto& one : candidates_)
        names << nameOf(one.outcome);
    return names;
}

void OutcomeBars::setAllNames(const QStringList& names) {
    bars_.other_names = names;
    update();
}

int OutcomeBars::heightWith(int rows, double row_lines) const {
    return rows * static_cast<int>(std::lround(row_lines * fontMetrics().height()));
}

/// Rows share the room, within limits.
void OutcomeBars::shareRoom() {
    const double rows = std::max(1.0, static_cast<double>(bars_.rows.size()));
    bars_.row_lines = std::clamp(std::floor(height() / rows) / fontMetrics().height(), least_lines, most_lines);
    update();
}

void OutcomeBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (rowsIn(height()) != static_cast<int>(bars_.rows.size()))
        showRows();
    else
        shareRoom();
}

void OutcomeBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        setMaximumHeight(std::max(1, heightWith(mostRows(), most_lines)));
        showRows();
        updateGeometry();
    }
}

void OutcomeBars::setPinned(const std::vector<NamedOutcome>& pins) {
    pins_ = pins;
    colorRows();
}

void OutcomeBars::colorRows() {
    for (std::size_t row = 0; row < outcomes_.size(); ++row) {
        const auto found = std::ranges::find(pins_, outcomes_[row].id, &NamedOutcome::id);
        bars_.rows[row].color = found == pins_.end() ? -1 : pin_colors[found - pins_.begin()];
    }
    bars_.colored_names = !pins_.empty();
    update();
}

void OutcomeBars::choose(int row) {
    bars_.selected = row;
    setAccessibleDescription(row < 0 ? tr("The most likely outcomes")
                                     : tr("%1: %2").arg(bars_.rows[static_cast<std::size_t>(row)].name,
                                                        bars_.rows[static_cast<std::size_t>(row)].numbers.value(0)));
    update();
}

void OutcomeBars::mousePressEvent(QMouseEvent* event) {
    const int row = bars_.rowAt(event->position(), rect(), font());
    if (event->button() == Qt::LeftButton && row >= 0)
        emit outcomeClicked(outcomes_[static_cast<std::size_t>(row)]);
}

/// Its first click has pinned the outcome, or taken the pin away; this takes that back.
void OutcomeBars::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = bars_.rowAt(event->position(), rect(), font());
    if (event->button() != Qt::LeftButton || row < 0)
        return;
    const auto outcome = outcomes_[static_cast<std::size_t>(row)];
    emit outcomeClicked(outcome);
    emit outcomeTaken(outcome);
}

void OutcomeBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(outcomes_.size()) - 1, row = bars_.selected;
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(std::max(0, row - 1));
    case Qt::Key_Down:
        return choose(std::min(last, row + 1));
    case Qt::Key_Space:
        if (row >= 0 && row <= last)
            emit outcomeClicked(outcomes_[static_cast<std::size_t>(row)]);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row >= 0 && row <= last)
            emit outcomeTaken(outcomes_[static_cast<std::size_t>(row)]);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void OutcomeBars::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (event->reason() != Qt::MouseFocusReason && !outcomes_.empty())
        choose(std::max(0, std::min(bars_.selected, static_cast<int>(outcomes_.size()) - 1)));
}

void OutcomeBars::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    choose(-1);
}

QSize OutcomeBars::sizeHint() const {
    const int width = 2 * outcome_letters * fontMetrics().averageCharWidth();
    return {width, heightWith(rowsIn(0), least_lines)};
}

QSize OutcomeBars::minimumSizeHint() const {
    return {outcome_letters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void OutcomeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    bars_.paint(painter, rect(), {theme(), font()});
}

} // namespace attnlab::ui
