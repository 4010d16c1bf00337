#include "ui/learn/step_panel.h"

#include "ui/drawing/formula_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

/// Text whose height follows from its width: the least heights of wrapped labels may be those of another width.
class Reading : public QWidget {
public:
    QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 0}; }
};

/// The rounded panel around a layout.
class Around : public QWidget {
public:
    explicit Around(QWidget* content) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(10, 9, 4, 9);
        layout->addWidget(content);
    }

protected:
    void paintEvent(QPaintEvent*) override { paintCard(*this); }
};

} // namespace

StepPanel::StepPanel(QWidget* parent)
    : QWidget(parent), position_(mutedLabel(this, true)), hide_(new RowButton(this)), title_(new Label(this)),
      formula_(new FormulaView(this)), body_(new MarkdownLabel(this, TextSpacing::Reading)),
      question_(new QuestionView(this)), hint_(new QWidget(this)), hint_text_(mutedLabel(this)),
      reset_(new RowButton(this)), back_(new RowButton(this)), next_(new RowButton(this, RowButton::Style::Accent)),
      dots_(new StepDots(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeText(), 1);
    layout->addWidget(makeNavigation());
    const auto key = [this](int code, void (StepPanel::*signal)()) {
        auto* shortcut = new QShortcut(QKeySequence(code), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, signal);
    };
    key(Qt::Key_Right, &StepPanel::nextRequested);
    key(Qt::Key_Left, &StepPanel::backRequested);
    declareShortcuts(*this, {tr("Lesson"),
                             {{QStringLiteral("→"), tr("Next step")},
                              {QStringLiteral("←"), tr("Previous step")},
                              {QStringLiteral("1 … 9"), tr("Choose an answer")},
                              {QStringLiteral("T"), tr("Hide or show the text")}}});
    connect(next_, &QPushButton::clicked, this, &StepPanel::nextRequested);
    connect(back_, &QPushButton::clicked, this, &StepPanel::backRequested);
    connect(reset_, &QPushButton::clicked, this, &StepPanel::resetRequested);
    connect(dots_, &StepDots::stepChosen, this, &StepPanel::stepRequested);
    connect(question_, &QuestionView::optionChosen, this, &StepPanel::optionChosen);
    connect(hide_, &QPushButton::clicked, this, &StepPanel::hideRequested);
    for (auto* button : {next_, back_, reset_, hide_})
        button->setAutoDefault(true); // Enter works like Space
    setChanged(false);
    fitWidth();
    body_->setAccessibleDescription(tr("Text of the step"));
    hint_text_->setText(tr("The board shows something else than at first. The numbers in the text follow."));
    reset_->setText(tr("Reset the step"));
    back_->setText(tr("◂ Back"));
    back_->setToolTip(tr("Page Up"));
    back_->setAccessibleName(tr("Back"));
    next_->setToolTip(tr("Page Down"));
    hide_->setText(tr("Hide the text"));
    hide_->setToolTip(tr("The board takes its room; T shows it again"));
    showPosition();
    setNextTarget(NextTarget::Step);
}

QWidget* StepPanel::makeText() {
    auto* content = new Reading;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 6, 0);
    column->setSpacing(10);
    auto* first = new QHBoxLayout;
    first->addWidget(position_, 1);
    first->addWidget(hide_);
    column->addLayout(first);
    for (QWidget* part : std::initializer_list<QWidget*>{title_, formula_, body_, question_, hint_})
        column->addWidget(part);
    column->addStretch(1);
    title_->setWordWrap(true);
    body_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    formula_->setMaximumScale(1.3);

    auto* hint = new QVBoxLayout(hint_);
    hint->setContentsMargins(0, 6, 0, 0);
    hint->addWidget(hint_text_);
    hint->addWidget(reset_, 0, Qt::AlignLeft);
    hint_text_->setWordWrap(true);

    scroll_ = new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, this);
    return new Around(scroll_);
}

QWidget* StepPanel::makeNavigation() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->addWidget(back_);
    layout->addWidget(dots_, 1);
    layout->addWidget(next_);
    return new Around(row);
}

void StepPanel::begin(int step, const QString& title, const QString& formula) {
    step_ = step;
    formula_->setFormula(formula);
    formula_->setVisible(!formula.isEmpty());
    title_->setText(title);
    fitFontSizeLater();
    scroll_->verticalScrollBar()->setValue(0);
}

void StepPanel::setBody(const QString& markdown) {
    body_->setSource(markdown);
    body_->setAccessibleName(plainText(markdown));
    fitFontSizeLater();
}

void StepPanel::setQuestion(const StepQuestion& question, const QString& chosen) {
    const bool revealed = question_->chosen().isEmpty() && !chosen.isEmpty();
    question_->setVisible(!question.text.isEmpty());
    question_->setQuestion(question, chosen);
    fitFontSizeLater();
    if (revealed) // after the layout
        QMetaObject::invokeMethod(this, &StepPanel::showAnswer, Qt::QueuedConnection);
}

void StepPanel::showAnswer() {
    QRect answer = question_->rect();
    answer.translate(question_->mapTo(scroll_->widget(), QPoint()));
    scroll_->ensureVisible(answer.left(), answer.bottom(), 0, 0);
}

void StepPanel::setSteps(const std::vector<bool>& seen, const QStringList& titles) {
    seen_ = seen;
    dots_->setSteps(seen, step_, titles);
    back_->setEnabled(step_ > 0);
    showPosition();
}

void StepPanel::setChanged(bool changed) {
    hint_->setVisible(changed);
    fitFontSizeLater();
}

void StepPanel::setNextTarget(NextTarget next_target) {
    next_->setText(next_target == NextTarget::Step     ? tr("Next ▸")
                   : next_target == NextTarget::Lesson ? tr("Next lesson ▸")
                                                       : tr("All lessons ▸"));
    next_->setAccessibleName(next_target == NextTarget::Step     ? tr("Next")
                             : next_target == NextTarget::Lesson ? tr("Next lesson")
                                                                 : tr("All lessons"));
}

QString StepPanel::bodyText() const { return plainText(body_->source()); }
QString StepPanel::positionText() const { return position_->text(); }
bool StepPanel::hintIsShown() const { return !hint_->isHidden(); }

/// A comfortable line length, measured in letters.
void StepPanel::fitWidth() {
    constexpr int letters = 45;
    setFixedWidth(fitted_width_ > 0 ? fitted_width_ : fontMetrics().averageCharWidth() * letters);
    setFontScale(1.0);
    fitFontSizeLater();
}

/// Sets the size of the letters of everything that could scroll.
void StepPanel::setFontScale(double share) {
    constexpr double title_share = 1.25;
    const auto sized = [&](double of_usual) {
        QFont letters; // names only a size: the family continues to follow the language
        if (font().pointSizeF() > 0)
            letters.setPointSizeF(font().pointSizeF() * of_usual);
        else
            letters.setPixelSize(std::max(1, static_cast<int>(font().pixelSize() * of_usual)));
        return letters;
    };
    scroll_->widget()->setFont(share < 1.0 ? sized(share) : QFont());
    QFont large = sized(share * title_share);
    large.setBold(true);
    title_->setFont(large);
}

void StepPanel::setFitting(int width) {
    if (width == fitted_width_)
        return;
    fitted_width_ = width;
    fitWidth();
}

void StepPanel::fitFontSize() {
    constexpr double step = 0.94;
    constexpr int smallest = 16; // step^16 of the usual size
    fitting_later_ = false;
    if (fitted_width_ == 0)
        return;
    // Sizes that layouts remember are those of other letters, and of labels that had another width.
    const auto renew = [this] {
        for (auto* part : scroll_->widget()->findChildren<QWidget*>())
            part->updateGeometry();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        scroll_->fit();
    };
    const auto scrolls_at = [&](int power) {
        setFontScale(std::pow(step, power));
        renew();
        renew();
        return scrolls();
    };
    if (!scrolls_at(0))
        return;
    // The largest letters with which nothing scrolls, in few layouts.
    int too_large = 0, least = smallest;
    while (least - too_large > 1) {
        const int middle = (too_large + least) / 2;
        (scrolls_at(middle) ? too_large : least) = middle;
    }
    scrolls_at(least);
}

/// Once for all changes of a step.
void StepPanel::fitFontSizeLater() {
    if (fitted_width_ > 0 && !std::exchange(fitting_later_, true))
        QMetaObject::invokeMethod(this, &StepPanel::fitFontSize, Qt::QueuedConnection);
}

bool StepPanel::scrolls() const { return scroll_->widget()->height() > scroll_->viewport()->height(); }

void StepPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitFontSizeLater();
}

void StepPanel::setTimes(const QString& times) {
    times_ = times;
    showPosition();
}

void StepPanel::showPosition() {
    const QString step = tr("Step %1 of %2").arg(step_ + 1).arg(seen_.size());
    position_->setText(times_.isEmpty() ? step : tr("%1 · %2", "step, times").arg(step, times_));
    dots_->setAccessibleName(position_->text());
}

void StepPanel::keyPressEvent(QKeyEvent* event) {
    const int option = event->key() - Qt::Key_1;
    if (event->modifiers() == Qt::NoModifier && option >= 0 && option < 9 && question_->isVisible())
        question_->choose(option);
    else
        QWidget::keyPressEvent(event);
}

void StepPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitWidth();
}

StepDots::StepDots(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void StepDots::setSteps(std::vector<bool> seen, int current, const QStringList& titles) {
    seen_ = std::move(seen);
    current_ = current;
    titles_ = titles;
    updateGeometry();
    update();
}

/// Distance of dots: smaller with little room.
double StepDots::pitch() const {
    const double usual = fontMetrics().height() * 1.05;
    return seen_.empty() ? usual : std::min(usual, width() / static_cast<double>(seen_.size()));
}

QRectF StepDots::dotRect(int step) const {
    const double size = std::min(fontMetrics().height() * 0.62, pitch() * 0.75);
    const double left = (width() - pitch() * static_cast<double>(seen_.size())) / 2.0;
    const QPointF centre(left + (step + 0.5) * pitch(), height() / 2.0);
    return {centre.x() - size / 2.0, centre.y() - size / 2.0, size, size};
}

int StepDots::stepAt(const QPointF& position) const {
    for (int step = 0; step < static_cast<int>(seen_.size()); ++step) {
        const QRectF dot = dotRect(step);
        if (position.x() >= dot.center().x() - pitch() / 2.0 && position.x() < dot.center().x() + pitch() / 2.0)
            return step;
    }
    return -1;
}

QSize StepDots::sizeHint() const {
    const int height = fontMetrics().height();
    return {static_cast<int>(height * 1.05 * static_cast<double>(seen_.size())), height + 6};
}

QSize StepDots::minimumSizeHint() const {
    const int height = fontMetrics().height();
    return {static_cast<int>(height * 0.5 * static_cast<double>(seen_.size())), height + 6};
}

bool StepDots::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const int step = stepAt(tipPosition(*event));
        showTip(*event, step < 0 ? QString() : titles_.value(step), *this, step < 0 ? QRect() : dotRect(step).toRect());
        return true;
    }
    return QWidget::event(event);
}

void StepDots::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int step = 0; step < static_cast<int>(seen_.size()); ++step) {
        const bool here = step == current_;
        const QColor color = here ? theme().accent : theme().muted;
        painter.setPen(QPen(color, 1.4));
        painter.setBrush(here || seen_[static_cast<std::size_t>(step)] ? QBrush(color) : QBrush(Qt::NoBrush));
        const double inset = here ? 0.0 : 1.0;
        painter.drawEllipse(dotRect(step).adjusted(inset, inset, -inset, -inset));
    }
}

void StepDots::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    if (event->button() == Qt::LeftButton && step >= 0)
        emit stepChosen(step);
}

} // namespace attnlab::ui
