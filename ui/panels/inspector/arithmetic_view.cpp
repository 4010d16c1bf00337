#include "ui/panels/inspector/arithmetic_view.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int rung_side = 8, rung_above = 3, rung_gap = 8, mark_width = 14;
constexpr double rung_small_font = 0.9, rung_value_font = 1.1;
constexpr int spoken_parts = 8, parts_in_tip = 256, tip_letters = 100, longest_tip = 4000;

QFont scaledBy(QFont font, double factor) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

/// Breaks only between words, not inside "(1.83·1.33)".
QStringList wrappedWords(const QString& text, int width, const QFontMetrics& metrics) {
    QStringList lines{QString()};
    for (const QString& word : text.split(QLatin1Char(' '))) {
        QString& line = lines.last();
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width)
            lines << word;
        else
            line = longer;
    }
    return lines;
}

/// The first addends that fit, and the last one if it is known: "2.81 + 0.20 + … + 0.61".
QString elidedSum(const ArithmeticLine& terms, int width, const QFontMetrics& metrics) {
    const QStringList& parts = shortParts(terms);
    constexpr qsizetype most_tried = 48; // more do not fit any panel
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    if (parts.size() <= most_tried && terms.left_out == 0)
        if (QString all = sumText(parts, terms.separator); fits(all))
            return all;
    QStringList end{QStringLiteral("…")};
    if (terms.left_out == 0)
        end << parts.last();
    for (qsizetype first = std::min(parts.size() - 2, most_tried); first > 0; --first)
        if (QString some = sumText(parts.mid(0, first) + end, terms.separator); fits(some))
            return some;
    return metrics.elidedText(parts.first().left(longest_tip) + terms.separator + QStringLiteral("…"), Qt::ElideRight,
                              width);
}

} // namespace

struct ArithmeticStep::Places {
    QRect name, terms, value;
    int height = 0;
};

ArithmeticStep::ArithmeticStep(QWidget* parent) : Label(parent) {}

void ArithmeticStep::setLine(const ArithmeticLine& line, const ArithmeticLine& terms) {
    if (line == line_ && terms == terms_)
        return;
    line_ = line;
    terms_ = terms;
    setAccessibleName(spokenText(line, terms, spoken_parts));
    update();
}

/// The tooltip is written when it is asked for: its lines take longer to measure than all else of a rung.
bool ArithmeticStep::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const QFontMetrics metrics = fontMetrics();
        setToolTip(
            wrappedWords(wholeText(), tip_letters * metrics.averageCharWidth(), metrics).join(QLatin1Char('\n')));
    }
    return Label::event(event);
}

void ArithmeticStep::setNameColumn(int width) {
    if (std::exchange(name_column_, width) != width)
        update();
}

void ArithmeticStep::setUnfolded(bool unfolded) {
    if (std::exchange(unfolded_, unfolded) != unfolded)
        update();
}

void ArithmeticStep::setCurrent(bool current) {
    if (std::exchange(current_, current) != current)
        update();
}

/// With the factors of products.
QString ArithmeticStep::wholeText() const {
    const QString text = hasParts() ? partsText(terms_, parts_in_tip) : line_.expression;
    const QString cut = text.size() > longest_tip ? text.left(longest_tip) + QStringLiteral("…") : text;
    if (cut.isEmpty() || line_.value_text.isEmpty())
        return line_.label.isEmpty() ? cut : QStringLiteral("%1 %2").arg(line_.label, cut + line_.value_text);
    return QStringLiteral("%1 = %2 = %3").arg(line_.label, cut, line_.value_text);
}

QFont ArithmeticStep::nameFont() const { return scaledBy(font(), rung_small_font); }

QFont ArithmeticStep::valueFont() const {
    QFont large = scaledBy(font(), rung_value_font);
    large.setBold(line_.answer);
    return large;
}

QString ArithmeticStep::value() const {
    return line_.step == ArithmeticLine::Step::Mask ? numberText(line_.value, 5) : line_.value_text;
}

int ArithmeticStep::nameWidth() const {
    return isRemark() ? 0 : QFontMetrics(nameFont()).horizontalAdvance(line_.label) + 1;
}

Notation ArithmeticStep::termsNotation() const {
    if (!line_.power.isEmpty())
        return {{QStringLiteral("e"), 0}, {line_.power, 1}};
    const QString& text = line_.reason.isEmpty() ? line_.expression : line_.reason;
    return text.isEmpty() ? Notation() : Notation{{text, 0}};
}

/// What fills lines of its own: words, or the factors of an unfolded sum.
std::vector<Notation> ArithmeticStep::linesIn(int width) const {
    const QFont small = nameFont();
    if (isRemark())
        return notationLines(notationOf(line_.expression), width, small);
    std::vector<Notation> lines;
    if (hasParts() && unfolded_)
        for (const auto& text :
             wrappedWords(partsText(terms_, static_cast<int>(terms_.parts.size())), width, QFontMetrics(small)))
            lines.push_back({{text, 0}});
    return lines;
}

/// What the terms need; a sum that does not fit `widest` is elided anyway.
int ArithmeticStep::termsWidth(int widest) const {
    const QFontMetrics metrics(nameFont());
    if (!hasParts())
        return static_cast<int>(std::ceil(notationWidth(termsNotation(), nameFont()))) + 1;
    constexpr qsizetype most_measured = 24; // more fit no panel
    if (terms_.left_out == 0 && shortParts(terms_).size() <= most_measured)
        if (const int all = metrics.horizontalAdvance(sumText(shortParts(terms_), terms_.separator)) + mark_width;
            all <= widest)
            return all;
    return metrics.horizontalAdvance(QStringLiteral("0.00 + … + 0.00")) + mark_width;
}

ArithmeticStep::Places ArithmeticStep::placesIn(int width) const {
    const QFontMetrics small(nameFont()), large(valueFont());
    const int inner = std::max(0, width - 2 * rung_side), row = large.height();
    Places at;
    if (!isRemark()) {
        const QString number = value();
        const int value_width = number.isEmpty() ? 0 : std::min(inner, large.horizontalAdvance(number) + 1);
        const int room = std::max(0, inner - value_width - (value_width > 0 ? rung_gap : 0));
        const bool has_terms = hasParts() || !termsNotation().empty();
        const int name = std::min(nameWidth(), room), terms = termsWidth(inner);
        const auto fits_after = [&](int left) { return has_terms && left + rung_gap + terms <= room; };
        const int aligned = std::max(name, std::min(name_column_, room));
        const int column = fits_after(aligned) ? aligned : name; // rather out of line than in a second one
        const bool beside = fits_after(column);
        at.name = QRect(rung_side, rung_above, has_terms && beside ? name : room, row);
        at.value = QRect(rung_side + inner - value_width, rung_above, value_width, row);
        at.height = 2 * rung_above + row;
        if (beside) {
            at.terms = QRect(rung_side + column + rung_gap, rung_above, room - column - rung_gap, row);
        } else if (has_terms) {
            at.terms = QRect(rung_side, at.height - rung_above, inner, small.height());
            at.height += small.height();
        }
    } else {
        at.height = 2 * rung_above;
    }
    at.height += static_cast<int>(linesIn(inner).size()) * small.height();
    return at;
}

int ArithmeticStep::heightOfLine(const QFont& font, bool answer) {
    QFont large = scaledBy(font, rung_value_font);
    large.setBold(answer);
    return 2 * rung_above + QFontMetrics(large).height();
}

int ArithmeticStep::heightForWidth(int width) const { return placesIn(width).height; }

QSize ArithmeticStep::sizeHint() const { return {width(), heightForWidth(width())}; }

QString ArithmeticStep::shownTerms() const {
    const QFontMetrics metrics(nameFont());
    const int room = placesIn(width()).terms.width();
    if (hasParts())
        return elidedSum(terms_, room - mark_width, metrics);
    QString text;
    for (const auto& run : termsNotation())
        text += run.text;
    return line_.power.isEmpty() ? metrics.elidedText(text, Qt::ElideMiddle, room) : text;
}

void ArithmeticStep::paintTerms(QPainter& painter, const Places& at) const {
    const QFont small = nameFont();
    const QFontMetrics metrics(small);
    painter.setPen(theme().text);
    // On the baseline of the number beside it.
    const int baseline = at.terms.top() == at.value.top() ? rung_above + QFontMetrics(valueFont()).ascent()
                                                          : at.terms.top() + metrics.ascent();
    const Notation shown = line_.power.isEmpty() ? Notation{{shownTerms(), 0}} : termsNotation();
    paintNotation(painter, QPointF(at.terms.left(), baseline), shown, small);
    if (!hasParts())
        return;
    const double x = at.terms.right() - 5.0, y = baseline - metrics.xHeight() / 2.0;
    const double out = unfolded_ ? -2.0 : 2.0;
    QPainterPath mark(QPointF(x - 3.5, y - out));
    mark.lineTo(x, y + out);
    mark.lineTo(x + 3.5, y - out);
    painter.setPen(QPen(theme().muted, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(mark);
}

void ArithmeticStep::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    const Places at = placesIn(width());
    const QFont small = nameFont();
    const QFontMetrics metrics(small);
    if (!isRemark()) {
        painter.setPen(current_ ? QPen(look.accent, 1.2) : QPen(Qt::NoPen));
        painter.setBrush(line_.answer ? look.accent_soft : look.window);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.7, 0.7, -0.7, -0.7), 5, 5);
        const int baseline = rung_above + QFontMetrics(valueFont()).ascent();
        painter.setFont(small);
        painter.setPen(look.muted);
        painter.drawText(at.name.left(), baseline, metrics.elidedText(line_.label, Qt::ElideRight, at.name.width()));
        painter.setFont(valueFont());
        painter.setPen(line_.answer ? look.accent : look.text);
        painter.drawText(at.value, Qt::AlignRight | Qt::AlignTop, value());
        if (!at.terms.isEmpty())
            paintTerms(painter, at);
    }
    painter.setPen(isRemark() ? look.muted : look.text);
    const auto lines = linesIn(std::max(0, width() - 2 * rung_side));
    int top = at.height - rung_above - static_cast<int>(lines.size()) * metrics.height();
    for (const auto& line : lines) {
        paintNotation(painter, QPointF(isRemark() ? 0 : rung_side, top + metrics.ascent()), line, small);
        top += metrics.height();
    }
}

namespace {

constexpr int between_rungs = 3, ladder_narrowest = 120, ladder_usual = 280;

} // namespace

ArithmeticView::ArithmeticView(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::List);
    declareShortcuts(*this, {tr("Arithmetic of a cell"),
                             {{tr("Up, Down"), tr("Go from line to line")},
                              {tr("Space, Enter"), tr("Show every term of a long sum")}}});
    // Not Fixed: the height of sizeHint(), which is for another width, would be the largest one.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Arithmetic of the cell"));
}

void ArithmeticView::setLines(const std::vector<ArithmeticLine>& lines) {
    std::size_t count = 0;
    ArithmeticLine terms;
    QStringList spoken;
    for (const auto& line : lines) {
        if (!line.parts.isEmpty()) {
            terms = line;
            continue;
        }
        if (count == rungs_.size()) {
            rungs_.push_back(new ArithmeticStep(this));
            rungs_.back()->setUnfolded(unfolded_);
            rungs_.back()->show();
        }
        rungs_[count]->setLine(line, std::exchange(terms, {}));
        spoken << rungs_[count++]->accessibleName();
    }
    for (; rungs_.size() > count; rungs_.pop_back())
        removeSafely(rungs_.back());
    most_rungs_ = std::max(most_rungs_, rungs_.size());
    setAccessibleName(spoken.isEmpty() ? tr("Arithmetic of the cell")
                                       : tr("Arithmetic of the cell: %1").arg(spoken.join(QStringLiteral("; "))));
    setCurrent(current_);
    alignNames();
    updateGeometry();
    place();
}

void ArithmeticView::forgetRoom() {
    most_rungs_ = rungs_.size();
    updateGeometry();
}

/// A very long name does not push the others aside.
void ArithmeticView::alignNames() {
    int column = 0;
    for (const auto* rung : rungs_)
        if (rung->nameWidth() <= fontMetrics().averageCharWidth() * 12)
            column = std::max(column, rung->nameWidth());
    for (auto* rung : rungs_)
        rung->setNameColumn(column);
}

void ArithmeticView::setUnfolded(bool unfolded) {
    unfolded_ = unfolded;
    for (auto* rung : rungs_)
        rung->setUnfolded(unfolded);
    updateGeometry();
    place();
}

void ArithmeticView::setCurrent(int index) {
    current_ = std::clamp(index, 0, std::max(0, static_cast<int>(rungs_.size()) - 1));
    for (int i = 0; i < static_cast<int>(rungs_.size()); ++i)
        rungs_[static_cast<std::size_t>(i)]->setCurrent(hasFocus() && i == current_);
    const bool has_rung = hasFocus() && !rungs_.empty();
    const QString words = has_rung ? rungs_[static_cast<std::size_t>(current_)]->accessibleName() : QString();
    if (words != accessibleDescription())
        setAccessibleDescription(words);
}

int ArithmeticView::heightForWidth(int width) const {
    int height = 0;
    for (const auto* rung : rungs_)
        height += rung->heightForWidth(width) + between_rungs;
    const int most = static_cast<int>(most_rungs_);
    const int kept = most == 0 ? 0
                               : (most - 1) * (ArithmeticStep::heightOfLine(font(), false) + between_rungs) +
                                     ArithmeticStep::heightOfLine(font(), true);
    return std::max({0, height - between_rungs, kept});
}

QSize ArithmeticView::sizeHint() const { return {ladder_usual, heightForWidth(ladder_usual)}; }
QSize ArithmeticView::minimumSizeHint() const { return {ladder_narrowest, 0}; }

void ArithmeticView::place() {
    int top = 0;
    for (auto* rung : rungs_) {
        rung->setGeometry(0, top, width(), rung->heightForWidth(width()));
        top += rung->height() + between_rungs;
    }
}

void ArithmeticView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void ArithmeticView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    alignNames();
    updateGeometry();
    place();
}

void ArithmeticView::mousePressEvent(QMouseEvent* event) {
    for (int i = 0; i < static_cast<int>(rungs_.size()); ++i) {
        const auto* rung = rungs_[static_cast<std::size_t>(i)];
        if (!rung->geometry().contains(event->position().toPoint()))
            continue;
        setCurrent(i);
        if (rung->hasParts() && event->button() == Qt::LeftButton)
            return setUnfolded(!unfolded_);
    }
    QWidget::mousePressEvent(event);
}

void ArithmeticView::keyPressEvent(QKeyEvent* event) {
    const bool has_rung = !rungs_.empty();
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        setCurrent(current_ + (event->key() == Qt::Key_Up ? -1 : 1));
    } else if (has_rung && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) &&
               std::ranges::any_of(rungs_, &ArithmeticStep::hasParts)) {
        setUnfolded(!unfolded_);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ArithmeticView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    setCurrent(current_);
}

void ArithmeticView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    setCurrent(current_);
}

CellCard::CellCard(QWidget* parent)
    : Card(parent), hint_(mutedLabel(this)), place_(mutedLabel(this)), ladder_(new ArithmeticView(this)),
      copy_(new QAction(this)) {
    hint_->setWordWrap(true);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QFont small = place_->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    place_->setFont(small);
    body()->setSpacing(4);
    for (QWidget* widget : std::initializer_list<QWidget*>{hint_, place_, ladder_})
        body()->addWidget(widget);
    connect(copy_, &QAction::triggered, this, &CellCard::copy);
    hint_->setText(tr("Point at a cell to see its arithmetic. Click or press Enter to keep it."));
    copy_->setText(tr("Copy the arithmetic"));
    // Finding the fonts of symbols takes most of a frame when they are first painted: done in advance.
    fontMetrics().horizontalAdvance(QStringLiteral("Σ√÷·−→‖≤…"));
    setNoCell();
}

void CellCard::setCell(const Name& name, const QString& place, std::vector<ArithmeticLine> lines) {
    lines_ = std::move(lines);
    name_ = name.full;
    setTitle(heading());
    setHeadingNote(name.brief, name.full);
    place_->setText(place);
    ladder_->setLines(lines_);
    copy_->setEnabled(!lines_.empty());
    showWithin(hint_, false);
    showWithin(place_, true);
    showWithin(ladder_, !lines_.empty());
}

void CellCard::setNoCell() {
    lines_.clear();
    name_.clear();
    setTitle(tr("Cell"));
    setHeadingNote({});
    place_->clear();
    ladder_->setLines({});
    copy_->setEnabled(false);
    showWithin(hint_, true);
    showWithin(place_, false);
    showWithin(ladder_, false);
}

/// Says how a number came about only where the lines do.
QString CellCard::heading() const {
    const auto answer = std::ranges::find_if(lines_, &ArithmeticLine::answer);
    if (answer == lines_.end())
        return lines_.empty() ? tr("Cell") : tr("Why this weight?");
    const bool explained =
        lines_.front().step != ArithmeticLine::Step::Value && (lines_.size() > 1 || !answer->expression.isEmpty());
    return (explained ? tr("Why %1?") : tr("The number %1")).arg(answer->value_text);
}

QString CellCard::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

QString CellCard::place() const { return place_->text(); }

QString CellCard::arithmeticText() const {
    return lines_.empty() ? QString() : QStringLiteral("%1 (%2)\n%3\n").arg(name_, place(), plainText(lines_));
}

void CellCard::copy() const {
    if (!lines_.empty())
        QApplication::clipboard()->setText(arithmeticText());
}

} // namespace attnlab::ui
