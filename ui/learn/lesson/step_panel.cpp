#include "ui/learn/lesson/step_panel.h"

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
#include <QEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QTextDocument>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

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
                              {QStringLiteral("0"), tr("Show the answer after a hint")},
                              {QStringLiteral("T"), tr("Hide or show the text")}}});
    connect(next_, &QPushButton::clicked, this, &StepPanel::nextRequested);
    connect(back_, &QPushButton::clicked, this, &StepPanel::backRequested);
    connect(reset_, &QPushButton::clicked, this, &StepPanel::resetRequested);
    connect(dots_, &StepDots::stepChosen, this, &StepPanel::stepRequested);
    connect(question_, &QuestionView::optionChosen, this, &StepPanel::optionChosen);
    connect(question_, &QuestionView::answerRequested, this, &StepPanel::answerRequested);
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
    hide_->setAccessibleName(hide_->text());
    hide_->setToolTip(tr("The board takes its room; T shows it again"));
    showPosition();
    setNextTarget(NextTarget::Step);
}

QWidget* StepPanel::makeText() {
    auto* content = new QWidget;
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
    title_->setText(title);
    page_ = 0;
    pages_.assign(1, TextPage());
    to_answer_ = to_hint_ = false;
    fitLater();
    scroll_->verticalScrollBar()->setValue(0);
}

void StepPanel::setBody(const QString& markdown) {
    markdown_ = markdown;
    body_->setAccessibleName(plainText(markdown));
    fit();
}

void StepPanel::setQuestion(const StepQuestion& question, const QString& chosen, const QString& tried) {
    const bool revealed = question_->chosen().isEmpty() && !chosen.isEmpty();
    const bool had_hint = question_->hasHint();
    question_->setQuestion(question, chosen, tried);
    const bool hinted = question_->hasHint() && !had_hint;
    to_answer_ = to_answer_ || revealed;
    to_hint_ = to_hint_ || hinted;
    fit();
    if (revealed || hinted) // after the layout
        QMetaObject::invokeMethod(this, &StepPanel::showAnswer, Qt::QueuedConnection);
}

void StepPanel::showAnswer() {
    const int top = question_->mapTo(scroll_->widget(), QPoint()).y(), bottom = top + question_->height();
    auto* bar = scroll_->verticalScrollBar();
    // To its end, unless the question would be scrolled away.
    bar->setValue(std::max(bar->value(), std::min(bottom - scroll_->viewport()->height(), top)));
}

void StepPanel::setSteps(const std::vector<bool>& seen, const QStringList& titles) {
    seen_ = seen;
    dots_->setSteps(seen, step_, titles);
    showPosition();
}

void StepPanel::setChanged(bool changed) {
    changed_ = changed;
    fit();
}

void StepPanel::setNextTarget(NextTarget next_target) {
    next_->setText(next_target == NextTarget::Step     ? tr("Next ▸")
                   : next_target == NextTarget::Lesson ? tr("Next lesson ▸")
                                                       : tr("All lessons ▸"));
    next_->setAccessibleName(next_target == NextTarget::Step     ? tr("Next")
                             : next_target == NextTarget::Lesson ? tr("Next lesson")
                                                                 : tr("All lessons"));
}

QString StepPanel::bodyText() const { return plainText(markdown_); }
QString StepPanel::positionText() const { return position_->text(); }
bool StepPanel::hintIsShown() const { return !hint_->isHidden(); }

/// A comfortable line length, measured in letters.
void StepPanel::fitWidth() {
    constexpr int letters = 45;
    constexpr double title_share = 1.25;
    setFixedWidth(fitted_width_ > 0 ? fitted_width_ : fontMetrics().averageCharWidth() * letters);
    QFont large; // names only size and weight: the family continues to follow the language
    if (font().pointSizeF() > 0)
        large.setPointSizeF(font().pointSizeF() * title_share);
    else
        large.setPixelSize(std::max(1, static_cast<int>(font().pixelSize() * title_share)));
    large.setBold(true);
    title_->setFont(large);
    fitLater();
}

void StepPanel::setFitting(int width) {
    if (width == fitted_width_)
        return;
    fitted_width_ = width;
    hide_->setText(width > 0 ? QStringLiteral("◂") : tr("Hide the text"));
    fitWidth();
}

std::vector<TextPage> StepPanel::makePages() const {
    const auto& column = *static_cast<const QVBoxLayout*>(scroll_->widget()->layout());
    const QMargins margins = column.contentsMargins();
    const int width = fitted_width_ - (this->width() - scroll_->viewport()->width()) - margins.left() - margins.right();
    constexpr double most_between = 0.6; ///< paragraphs, in letters
    TextMeasures measures;
    measures.gap =
        std::max(column.spacing(), static_cast<int>(std::ceil(most_between * QFontInfo(font()).pixelSize())));
    const int above = std::max(position_->sizeHint().height(), hide_->sizeHint().height()) + measures.gap +
                      title_->heightForWidth(width) + measures.gap;
    measures.room = scroll_->viewport()->height() - above;
    measures.formula = formula_->id().isEmpty() ? 0 : formula_->heightForWidth(width);
    measures.paragraph = [this, width](const QString& paragraph) {
        const auto document = textDocument(paragraph, font(), {}, TextSpacing::Reading);
        document->setTextWidth(width);
        return static_cast<int>(std::ceil(document->size().height()));
    };
    measures.options = [this, width](QuestionView::Options options, QuestionView::Reasons reasons) {
        return question_->optionsHeight(width, options, reasons);
    };
    return textPages(markdown_, question_->answer(), measures);
}

void StepPanel::fit() {
    fitting_later_ = false;
    const bool at_answer = has_pages_ && pages_[static_cast<std::size_t>(page_)].isAnswer();
    has_pages_ = fitted_width_ > 0;
    if (has_pages_)
        pages_ = makePages();
    else
        pages_.assign(1, {!formula_->id().isEmpty(),
                          {markdown_},
                          QuestionView::Options::All,
                          QuestionView::Reasons::All,
                          {question_->answer()}});
    page_ = std::min(page_, pageCount() - 1);
    const auto turn_to = [this](auto&& is_wanted) {
        page_ = static_cast<int>(std::ranges::find_if(pages_, is_wanted) - pages_.begin());
    };
    // The text before it may have become longer.
    const bool has_moved = at_answer && !pages_[static_cast<std::size_t>(page_)].isAnswer();
    if (std::exchange(to_answer_, false) || has_moved)
        turn_to(&TextPage::isAnswer);
    if (std::exchange(to_hint_, false))
        turn_to([](const TextPage& page) { return page.options == QuestionView::Options::All; });
    page_ = std::clamp(page_, 0, pageCount() - 1);
    showPage();
}

void StepPanel::showPage() {
    const TextPage& page = pages_[static_cast<std::size_t>(page_)];
    formula_->setVisible(page.formula);
    body_->setSource(page.paragraphs.join(QStringLiteral("\n\n")));
    body_->setVisible(!page.paragraphs.isEmpty());
    question_->showParts(page.options, page.reasons, page.answer.join(QStringLiteral("\n\n")));
    question_->setVisible(!question_->isEmpty() && (page.options != QuestionView::Options::None || page.isAnswer()));
    hint_->setVisible(changed_ && fitted_width_ == 0);
    // Layouts remember heights of parts that were hidden or had another text.
    for (QWidget* part : std::initializer_list<QWidget*>{title_, formula_, body_, question_, hint_})
        part->updateGeometry();
    scroll_->fit();
    showPosition();
}

bool StepPanel::turnPage(int by) {
    const int page = page_ + by;
    if (page < 0 || page >= pageCount())
        return false;
    page_ = page;
    showPage();
    scroll_->verticalScrollBar()->setValue(0);
    return true;
}

/// Once for all changes of a step.
void StepPanel::fitLater() {
    if (!std::exchange(fitting_later_, true))
        QMetaObject::invokeMethod(this, &StepPanel::fit, Qt::QueuedConnection);
}

bool StepPanel::scrolls() const { return scroll_->widget()->height() > scroll_->viewport()->height(); }

void StepPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLater();
}

void StepPanel::setTimes(const QString& times) {
    times_ = times;
    showPosition();
}

void StepPanel::showPosition() {
    QString step = tr("Step %1 of %2").arg(step_ + 1).arg(seen_.size());
    if (pageCount() > 1)
        step = tr("%1, page %2 of %3", "step, page of its text").arg(step).arg(page_ + 1).arg(pageCount());
    back_->setEnabled(step_ > 0 || page_ > 0);
    position_->setText(times_.isEmpty() ? step : tr("%1 · %2", "step, times").arg(step, times_));
    dots_->setAccessibleName(position_->text());
}

void StepPanel::keyPressEvent(QKeyEvent* event) {
    const int option = event->key() - Qt::Key_1;
    if (event->modifiers() == Qt::NoModifier && option >= 0 && option < 9 && question_->isVisible())
        question_->choose(option);
    else if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_0 && question_->hasHint())
        question_->requestAnswer();
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

/// The room of a dot in which it can be hit.
int StepDots::target() const { return std::max(24, fontMetrics().height()); }

/// Distance of dots: smaller with little room.
double StepDots::pitch() const {
    const double usual = target();
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

QSize StepDots::sizeHint() const { return {target() * static_cast<int>(seen_.size()), target()}; }

QSize StepDots::minimumSizeHint() const {
    const int height = fontMetrics().height();
    return {static_cast<int>(height * 0.5 * static_cast<double>(seen_.size())), target()};
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
