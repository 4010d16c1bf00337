#include "ui/panels/inspector/cell_card.h"

#include "ui/panels/inspector/arithmetic_html.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wrapped_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int parts_on_show = 8, parts_in_tip = 256, tip_letters = 100;

} // namespace

CellCard::CellCard(QWidget* parent)
    : Card(parent), hint_(mutedLabel(this)), terms_(new WrappedLabel(this)), steps_(new WrappedLabel(this)),
      copy_(new QAction(this)) {
    hint_->setWordWrap(true);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    for (QLabel* label : {terms_, steps_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setMinimumWidth(40); // allows wrapping
        label->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
        label->setContextMenuPolicy(Qt::ActionsContextMenu);
        label->addAction(copy_);
    }
    for (QWidget* widget : {hint_, terms_, steps_})
        body()->addWidget(widget);
    connect(terms_, &QLabel::linkActivated, this, [this] {
        all_parts_ = !all_parts_;
        renderTerms();
    });
    connect(copy_, &QAction::triggered, this, &CellCard::copy);
    hint_->setText(tr("Point at a cell to see how its number came about. Click it, or press Enter on it, to pin it."));
    copy_->setText(tr("Copy the arithmetic"));
    terms_->setAccessibleName(tr("Terms of the sum"));
    steps_->setAccessibleName(tr("Arithmetic of the cell"));
    findFonts();
    setNoCell();
}

/// Finding the fonts of symbols takes most of a frame when they are first laid out: done in advance.
void CellCard::findFonts() {
    ArithmeticLine line;
    line.label = QStringLiteral("Σ");
    line.power = QStringLiteral("√÷·−→‖≤");
    line.value_text = QStringLiteral("0");
    line.answer = true;
    steps_->setText(tableHtml({line}));
    steps_->heightForWidth(steps_->minimumWidth());
}

void CellCard::setCell(const QString& title, const QString& place, std::vector<ArithmeticLine> lines) {
    setTitle(title);
    setAside(place);
    lines_ = std::move(lines);
    showWithin(hint_, false);
    render();
}

void CellCard::setNoCell() {
    setTitle(tr("Cell"));
    setAside({});
    lines_.clear();
    showWithin(hint_, true);
    render();
}

void CellCard::render() {
    const QString table = tableHtml(lines_);
    steps_->setText(table);
    showWithin(steps_, !table.isEmpty());
    renderTerms();
    copy_->setEnabled(!lines_.empty());
}

void CellCard::renderTerms() {
    const auto found =
        std::find_if(lines_.begin(), lines_.end(), [](const ArithmeticLine& line) { return !line.parts.isEmpty(); });
    showWithin(terms_, found != lines_.end());
    terms_->setToolTip({});
    if (found == lines_.end())
        return;
    const auto count = static_cast<int>(found->parts.size());
    const QFontMetrics metrics = terms_->fontMetrics();
    QString html = wrappedLines(partsText(*found, all_parts_ ? count : parts_on_show), termsWidth(), metrics)
                       .join(QLatin1Char('\n'))
                       .toHtmlEscaped()
                       .replace(QLatin1Char('\n'), QLatin1String("<br>"));
    if (count > parts_on_show + 1) {
        html += QStringLiteral(" <a href=\"fold\" style=\"color:%1\">%2</a>")
                    .arg(theme().accent.name(), all_parts_ ? tr("fewer") : tr("all"));
        const QString all = found->parts.mid(0, parts_in_tip).join(found->separator);
        terms_->setToolTip(
            wrappedLines(all, tip_letters * metrics.averageCharWidth(), metrics).join(QLatin1Char('\n')));
    }
    terms_->setText(html);
}

int CellCard::termsWidth() const {
    const auto margins = layout()->contentsMargins();
    return width() - margins.left() - margins.right();
}

QString CellCard::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

QString CellCard::arithmeticText() const {
    return lines_.empty() ? QString() : QStringLiteral("%1 (%2)\n%3\n").arg(title(), aside(), plainText(lines_));
}

void CellCard::copy() const {
    if (!lines_.empty())
        QApplication::clipboard()->setText(arithmeticText());
}

void CellCard::changeEvent(QEvent* event) {
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && steps_)
        render();
}

void CellCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        renderTerms();
}

} // namespace attnlab::ui
