#include "ui/model/try_this.h"

#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_session.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <QPainter>
#include <QVBoxLayout>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr std::array step_ids = {"turn_off", "change_name", "open_head"};

/// The text of the sample, where the other one gives the drink.
QString changedText() {
    const QString name = QStringLiteral("John"), other = QStringLiteral("Mary");
    QString text = QString::fromLatin1(sample_model_text);
    return text.replace(text.lastIndexOf(name), name.size(), other);
}

/// Half of the sum of |p - q|, as the wall counts what a head moves.
double movedBetween(const std::vector<double>& p, const std::vector<double>& q) {
    return std::transform_reduce(p.begin(), p.end(), q.begin(), 0.0, std::plus<>(),
                                 [](double a, double b) { return std::abs(a - b); }) /
           2.0;
}

/// Heads are off that matter by the rule of the wall.
bool answersOtherwise(const ModelResult& result) {
    const auto row = answerRow(result);
    return row && !result.result->ablations.empty() && result.result->logits.rows == result.plain->logits.rows &&
           movedBetween(model::probabilities(*result.result, *row), model::probabilities(*result.plain, *row)) >=
               HeadEffects::least_share;
}

} // namespace

TryThis::TryThis(ModelSession& session, const HeadEffects& effects, QWidget* parent)
    : QWidget(parent), session_(session), effects_(effects), was_done_(settings::triedSteps().size() >= steps) {
    auto* title = new Label(tr("Try this"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    rows_ = {new TryStep(tr("Turn off a head that matters"),
                         tr("Takes the head out that changes the answer most. “Turn all on” brings it back")),
             new TryStep(tr("Change the second John to Mary"), tr("Writes the other name into the text")),
             new TryStep(tr("Open this head in the workspace"),
                         tr("Queries, keys and values of the head on show, with scale and mask, to be changed"))};
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->setSpacing(2);
    card->content()->addWidget(title);
    for (TryStep* row : rows_)
        card->content()->addWidget(row);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
    for (const Step step : {TurnOff, ChangeName, OpenHead})
        connect(rows_[static_cast<std::size_t>(step)], &QAbstractButton::clicked, this, [this, step] { act(step); });
    connect(&session_, &ModelSession::opened, this, &TryThis::refresh);
    connect(&session_, &ModelSession::changed, this, &TryThis::refresh);
    connect(&effects_, &HeadEffects::changed, this, &TryThis::refresh);
    refresh();
}

void TryThis::act(Step step) {
    if (step == TurnOff) {
        if (const auto head = effects_.strongest())
            emit turnOffRequested(*head);
    } else if (step == ChangeName) {
        emit textRequested(changedText());
    } else {
        emit openRequested();
    }
}

void TryThis::note(Step step) {
    auto tried = settings::triedSteps();
    const auto id = QString::fromLatin1(step_ids[static_cast<std::size_t>(step)]);
    if (tried.contains(id))
        return;
    settings::setTriedSteps(tried << id);
}

void TryThis::noteOpened() {
    note(OpenHead);
    refresh();
}

void TryThis::setLow(bool low) {
    low_ = low;
    refresh();
}

void TryThis::refresh() {
    const auto& result = session_.result();
    const bool is_sample = !was_done_ && session_.model() && toPath(session_.path()) == sampleModelFolder();
    showWithin(this, is_sample && !low_);
    if (!is_sample)
        return;
    const QString text = session_.request().text, usual = QString::fromLatin1(sample_model_text);
    if (result && !session_.isOutdated()) {
        if (answersOtherwise(*result))
            note(TurnOff);
        if (text == changedText() || session_.request().other == changedText())
            note(ChangeName);
    }
    const auto tried = settings::triedSteps();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        rows_[i]->setDone(tried.contains(QString::fromLatin1(step_ids[i])));
    const bool can_act = result && !session_.isTooLong(); // else nothing is computed
    step(TurnOff)->setEnabled(can_act && effects_.strongest());
    step(OpenHead)->setEnabled(can_act);
    step(ChangeName)->setVisible(text == usual || text == changedText()); // a text of the user stays
}

namespace {

constexpr int step_margin = 5, circle = 18;

} // namespace

TryStep::TryStep(const QString& words, const QString& help, QWidget* parent) : QAbstractButton(parent) {
    setWords(*this, words);
    setToolTip(help);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setDone(false);
}

void TryStep::setDone(bool done) {
    if (std::exchange(done_, done) == done && !accessibleName().isEmpty())
        return;
    // A button of the page has the same words as a step.
    setAccessibleName((done ? tr("Experiment: %1, done") : tr("Experiment: %1")).arg(text()));
    update();
}

QRect TryStep::wordsRect(int width) const {
    const int left = step_margin + circle + metrics::gap;
    const QRect room(left, step_margin, std::max(1, width - left - step_margin), 1000);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, text());
}

int TryStep::heightForWidth(int width) const { return std::max(circle, wordsRect(width).height()) + 2 * step_margin; }

QSize TryStep::sizeHint() const {
    const int width = step_margin + circle + metrics::gap + fontMetrics().horizontalAdvance(text()) + step_margin;
    return {width, heightForWidth(width)};
}

QSize TryStep::minimumSizeHint() const { return {2 * circle, circle + 2 * step_margin}; }

/// No line of the words is cut: the bars above can scroll.
void TryStep::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

void TryStep::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    const QRect words = wordsRect(width());
    const int line = fontMetrics().height();
    const QRectF ring(step_margin, words.top() + (line - circle) / 2.0, circle, circle);
    painter.setPen(QPen(done_ ? look.accent : look.outline, 1.5));
    painter.setBrush(done_ ? QBrush(look.accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(ring.adjusted(1, 1, -1, -1));
    if (done_) {
        painter.setPen(QPen(look.on_accent, 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&](double x, double y) {
            return QPointF(ring.left() + x * ring.width(), ring.top() + y * ring.height());
        };
        painter.drawPolyline(QPolygonF{at(0.29, 0.52), at(0.44, 0.67), at(0.71, 0.35)});
    }
    painter.setPen(!isEnabled() || done_ ? look.muted : underMouse() || isDown() ? look.text : look.accent);
    painter.drawText(words, Qt::TextWordWrap, text());
    if (showsFocus(*this))
        paintFocusRing(painter, rect());
}

} // namespace attnlab::ui
