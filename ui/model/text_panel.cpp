#include "ui/model/text_panel.h"

#include "core/explain/reading.h"
#include "ui/model/model_result.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

namespace attnlab::ui {
namespace {

constexpr int text_lines = 2, beside_lines = 18, beside_line = 12, progress_width = 190;
constexpr std::chrono::milliseconds busy_delay{300};

QPlainTextEdit* newText(const QString& name, const QString& placeholder, const QFontMetrics& metrics) {
    auto* text = new TextEdit;
    text->setAccessibleName(name);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setFixedHeight(text_lines * metrics.lineSpacing() + beside_lines);
    return text;
}

} // namespace

TextPanel::TextPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session),
      text_(newText(tr("Text that the model reads"), tr("Type a text for the model"), fontMetrics())),
      other_(newText(tr("Second text, to compare with"), tr("Type a second text to compare with"), fontMetrics())),
      target_(new QLineEdit), image_(newButton(tr("Choose an image…"), tr("The image that the model reads"))),
      compare_(newButton(tr("Compare texts"), tr("A second text beside the first: what every head reads in both, token "
                                                 "by token by position, and the difference"))),
      sequence_(new QSpinBox), busy_(new QWidget), beside_(new QVBoxLayout), progress_(new QProgressBar),
      cancel_(new QToolButton), busy_delay_(new QTimer(this)) {
    sequence_->setPrefix(tr("Sequence "));
    sequence_->setAccessibleName(tr("Sequence of the batch"));
    sequence_->setKeyboardTracking(false);
    target_->setAccessibleName(tr("Text of the decoder"));
    target_->setPlaceholderText(tr("Text of the decoder, for example the translation so far"));
    compare_->setCheckable(true);
    progress_->setRange(0, 100);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Stops the model; what is on show stays, marked as out of date"));
    busy_delay_->setSingleShot(true);
    busy_delay_->setInterval(busy_delay);
    busy_->setFixedWidth(progress_width);
    auto* busy = new QHBoxLayout(busy_);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(progress_, 1);
    busy->addWidget(cancel_);
    progress_->setAccessibleName(tr("Progress of the model"));
    auto* both = new QHBoxLayout;
    both->addWidget(text_, 1, Qt::AlignTop);
    both->addWidget(other_, 1, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->addLayout(both);
    texts->addWidget(target_);
    auto* image = new QHBoxLayout;
    image->addWidget(image_);
    image->addWidget(sequence_);
    image->addStretch(1);
    texts->addLayout(image);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(texts, 1);
    row->setAlignment(texts, Qt::AlignTop);
    beside_->addWidget(compare_);
    beside_->addWidget(busy_);
    beside_->addStretch(1);
    row->addLayout(beside_);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] { session_.setText(text_->toPlainText()); });
    connect(other_, &QPlainTextEdit::textChanged, this, [this] {
        if (compare_->isChecked())
            session_.setOther(other_->toPlainText());
    });
    connect(target_, &QLineEdit::textEdited, &session_, &ModelSession::setTarget);
    connect(image_, &QPushButton::clicked, this, &TextPanel::imageRequested);
    connect(sequence_, &QSpinBox::valueChanged, &session_, &ModelSession::setSequence);
    connect(compare_, &QPushButton::toggled, this, &TextPanel::compare);
    connect(cancel_, &QToolButton::clicked, &session_, &ModelSession::cancel);
    connect(busy_delay_, &QTimer::timeout, this, [this] { busy_->setVisible(session_.isRunning()); });
    connect(&session_, &ModelSession::opened, this, &TextPanel::showModel);
    connect(&session_, &ModelSession::runningChanged, this, &TextPanel::showProgress);
    connect(&session_, &ModelSession::progressed, this,
            [this](double fraction) { progress_->setValue(static_cast<int>(std::lround(100.0 * fraction))); });
    showModel();
    showProgress();
}

void TextPanel::setLow(bool low) {
    const int line = fontMetrics().lineSpacing();
    for (auto* text : {text_, other_})
        text->setFixedHeight(low ? line + beside_line : text_lines * line + beside_lines);
    beside_->setDirection(low ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void TextPanel::showModel() {
    const auto& opened = session_.model();
    const bool image = opened && opened->description().first().embedding.patches;
    const auto& request = session_.request();
    const auto& capture = session_.capture();
    const int sequences = capture ? sequencesOf(*capture) : 1;
    {
        const QSignalBlocker quiet(sequence_);
        sequence_->setRange(0, std::max(0, sequences - 1));
        sequence_->setValue(request.sequence);
        sequence_->setVisible(sequences > 1);
    }
    const QSignalBlocker quiet_text(text_), quiet_other(other_), quiet_compare(compare_);
    text_->setPlainText(request.text);
    other_->setPlainText(request.other.value_or(QString()));
    target_->setText(request.target);
    compare_->setChecked(request.other.has_value());
    const bool reads_text = !image && !capture;
    text_->setVisible(reads_text);
    other_->setVisible(reads_text && compare_->isChecked());
    compare_->setVisible(reads_text);
    image_->setVisible(image);
    target_->setVisible(opened && opened->description().encoder && opened->description().decoder);
}

/// Begins with the same text, so that what is changed in it is all that differs.
void TextPanel::compare(bool on) {
    other_->setVisible(on);
    if (!on) {
        session_.setOther({});
        return;
    }
    if (other_->toPlainText().isEmpty()) {
        const QSignalBlocker quiet(other_);
        other_->setPlainText(text_->toPlainText());
        other_->moveCursor(QTextCursor::End);
    }
    session_.setOther(other_->toPlainText());
    other_->setFocus();
}

/// It keeps its place, or the text would move.
void TextPanel::showProgress() {
    QSizePolicy policy = busy_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    busy_->setSizePolicy(policy);
    if (!session_.isRunning()) {
        busy_delay_->stop();
        busy_->hide();
    } else if (busy_->isHidden() && !busy_delay_->isActive()) {
        progress_->setValue(0);
        busy_delay_->start();
    }
}

PredictionsPanel::PredictionsPanel(QWidget* parent) : QWidget(parent), hint_(new WrappedLabel) {
    auto* list = new QWidget;
    column_ = new QVBoxLayout(list);
    column_->setContentsMargins(0, 0, 0, 0);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(hint_);
    column_->addStretch(1);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addWidget(new FittingScrollArea(list, FittingScrollArea::Scrolls::Down));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

QString PredictionsPanel::titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                                  const ModelPredictions& guesses) const {
    if (!guesses.position)
        return result.result->is_of_classes ? tr("Classes") : tr("Next token");
    return tr("%1 at %2")
        .arg(displayToken(textOf(tokens[static_cast<std::size_t>(*guesses.position)])))
        .arg(*guesses.position);
}

void PredictionsPanel::show(std::size_t index, const QString& title, const ModelPredictions& guesses) {
    if (index == sections_.size()) {
        sections_.push_back({makeLineLabel(LineStyle::Bold), new OutcomeBars});
        column_->insertWidget(column_->count() - 1, sections_.back().title);
        column_->insertWidget(column_->count() - 1, sections_.back().bars);
    }
    sections_[index].title->setText(title);
    sections_[index].bars->setOutcomes(guesses.now, guesses.before);
}

void PredictionsPanel::setResult(const ModelResultPtr& result) {
    shown_ = 0;
    hint_->clear();
    if (result && result->model && !result->passes.empty()) {
        const bool two = result->compared && result->compared->of == ComparedRuns::Of::Texts;
        const auto add = [&](const QString& form, const std::vector<ModelPredictions>& all,
                             const std::vector<std::string>& tokens) {
            for (const auto& guesses : all)
                show(shown_++, form.arg(titleOf(*result, tokens, guesses)), guesses);
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
    hint_->setVisible(!hint_->text().isEmpty());
    setVisible(shown_ > 0 || !hint_->text().isEmpty());
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

constexpr int outcome_letters = 12;

QString shareOf(double probability) { return textOf(explain::share_text(probability)); }

/// With a sign for the space before it, which makes another token of the same word.
QString nameOf(const model::Outcome& outcome) {
    const bool is_part_of_a_letter = outcome.label.find("\xEF\xBF\xBD") != std::string::npos;
    const QString text = textOf(outcome.label.empty() || is_part_of_a_letter ? outcome.name : outcome.label);
    if (text.isEmpty())
        return QString::number(outcome.id);
    const QString shown = displayToken(text);
    const bool leads = text.startsWith(QLatin1Char(' ')) && !text.trimmed().isEmpty();
    return leads ? QChar(0x2423) + shown : shown;
}

} // namespace

OutcomeBars::OutcomeBars(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    bars_.names = BarsDrawing::Names::AtLeftEdge;
    bars_.row_lines = 1.35;
    // Those of several positions are aligned.
    bars_.name_letters = outcome_letters;
    bars_.widest_number = QStringLiteral("< 0.1%");
}

void OutcomeBars::setOutcomes(const std::vector<model::Outcome>& outcomes, const std::vector<model::Outcome>& before) {
    const bool compares =
        outcomes.size() != before.size() ||
        !std::equal(outcomes.begin(), outcomes.end(), before.begin(),
                    [](const auto& a, const auto& b) { return a.id == b.id && a.probability == b.probability; });
    const auto is_of = [](const model::Outcome& one) {
        return [id = one.id](const model::Outcome& other) { return other.id == id; };
    };
    bars_.rows.clear();
    QStringList spoken;
    for (const auto& outcome : outcomes) {
        auto& row = bars_.rows.emplace_back(BarsDrawing::Row{
            .name = nameOf(outcome), .value = outcome.probability, .numbers = {shareOf(outcome.probability)}});
        const auto earlier = std::ranges::find_if(before, is_of(outcome));
        if (compares && earlier != before.end()) {
            row.reference = earlier->probability;
            spoken << tr("%1: %2, %3 with all heads").arg(row.name, row.numbers.front(), shareOf(*row.reference));
        } else {
            spoken << tr("%1: %2").arg(row.name, row.numbers.front());
        }
    }
    for (const auto& outcome : before)
        if (std::ranges::none_of(outcomes, is_of(outcome))) {
            bars_.rows.push_back(
                {.name = nameOf(outcome), .numbers = {QStringLiteral("–")}, .reference = outcome.probability});
            spoken << tr("%1: %2, %3 with all heads")
                          .arg(bars_.rows.back().name, tr("less"), shareOf(outcome.probability));
        }
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setAccessibleDescription(tr("The most likely outcomes")); // else it would be the tooltip, which has tags
    setToolTip(spoken.join(QLatin1Char('\n'))
                   .toHtmlEscaped()
                   .prepend(QStringLiteral("<qt>"))
                   .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    updateGeometry();
    update();
}

QSize OutcomeBars::sizeHint() const {
    const int width = 2 * outcome_letters * fontMetrics().averageCharWidth();
    return {width, static_cast<int>(bars_.smallest(font(), width).height())};
}

QSize OutcomeBars::minimumSizeHint() const {
    return {outcome_letters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void OutcomeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    bars_.paint(painter, rect(), {theme(), font()});
}

} // namespace attnlab::ui
