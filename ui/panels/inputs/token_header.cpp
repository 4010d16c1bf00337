#include "ui/panels/inputs/token_header.h"

#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Above narrow columns, the first letters are more useful than an ellipsis; the tooltip has the full text.
QString shortened(QString label, const QFontMetrics& metrics, int width) {
    constexpr int room_for_dots = 6;
    if (width >= room_for_dots * metrics.averageCharWidth())
        return metrics.elidedText(label, Qt::ElideRight, width);
    while (label.size() > 1 && metrics.horizontalAdvance(label) > width)
        label.chop(1);
    return label;
}

/// Digits are equally wide: the last number of a section is the widest.
bool isNumber(const QString& label) {
    return std::all_of(label.begin(), label.end(), [](QChar letter) { return letter >= u'0' && letter <= u'9'; });
}

} // namespace

TokenHeader::TokenHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
    setSectionsClickable(true);
    setHighlightSections(true);
    recolor();
    setSectionResizeMode(orientation == Qt::Vertical ? QHeaderView::Fixed : QHeaderView::Interactive);
}

void TokenHeader::recolor() {
    // The style paints the area without sections in the window colour; the table is on a card.
    auto colors = palette();
    colors.setColor(QPalette::Window, colors.color(QPalette::Base));
    if (colors.color(QPalette::Window) != palette().color(QPalette::Window))
        setPalette(colors);
}

void TokenHeader::changeEvent(QEvent* event) {
    QHeaderView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void TokenHeader::setMarked(std::optional<int> section) {
    if (marked_ == section)
        return;
    marked_ = section;
    viewport()->update();
}

QSize TokenHeader::sizeHint() const {
    QSize hint = QHeaderView::sizeHint();
    if (orientation() == Qt::Horizontal || !model())
        return hint;
    // A sample of labels and the largest number determine the width; a table of a million rows is not read.
    constexpr int sample = 200;
    const auto metrics = fontMetrics();
    int width = metrics.horizontalAdvance(QString::number(std::max(0, count() - 1)));
    for (int section = 0; section < std::min(count(), sample); ++section)
        if (const auto label = model()->headerData(section, orientation()).toString(); !isNumber(label))
            width = std::max(width, metrics.horizontalAdvance(label));
    const int most = metrics.averageCharWidth() * 14;
    hint.setWidth(std::min(width, most) + 2 * metrics.averageCharWidth());
    return hint;
}

void TokenHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const auto& colors = theme();
    const bool pinned = marked_ == section;
    const bool current = selectionModel() && (orientation() == Qt::Vertical
                                                  ? selectionModel()->rowIntersectsSelection(section, rootIndex())
                                                  : selectionModel()->columnIntersectsSelection(section, rootIndex()));
    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Base));
    QFont bold = font();
    bold.setBold(pinned);
    painter->setFont(bold);
    painter->setPen(pinned ? colors.accent : current ? colors.text : colors.muted);
    painter->save();
    painter->setPen(colors.outline);
    if (orientation() == Qt::Vertical)
        painter->drawLine(rect.topRight(), rect.bottomRight());
    else
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->restore();
    const int margin = fontMetrics().averageCharWidth() / 2;
    const auto inner = rect.adjusted(margin, 0, -margin, 0);
    const auto alignment = orientation() == Qt::Vertical ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignCenter;
    painter->drawText(inner, alignment,
                      shortened(model()->headerData(section, orientation()).toString(), QFontMetrics(painter->font()),
                                inner.width()));
    if (pinned) {
        const int thickness = 3;
        const auto bar = orientation() == Qt::Vertical
                             ? QRect(rect.right() - thickness + 1, rect.top(), thickness, rect.height())
                             : QRect(rect.left(), rect.bottom() - thickness + 1, rect.width(), thickness);
        painter->fillRect(bar, colors.pin);
    }
    painter->restore();
}

void TokenHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    const int section = logicalIndexAt(event->pos());
    if (renamable_ && section >= 0 && cursor().shape() == Qt::ArrowCursor)
        rename(section);
    else
        QHeaderView::mouseDoubleClickEvent(event);
}

void TokenHeader::rename(int section) {
    if (!renamable_ || section < 0 || section >= count())
        return;
    finishRename(true);
    edited_ = section;
    editor_ = new QLineEdit(viewport());
    editor_->setText(model()->headerData(section, orientation(), Qt::EditRole).toString());
    editor_->setPlaceholderText(QString::number(section));
    editor_->setAccessibleName(tr("Token label %1").arg(section));
    const int at = sectionViewportPosition(section);
    editor_->setGeometry(orientation() == Qt::Vertical ? QRect(0, at, viewport()->width(), sectionSize(section))
                                                       : QRect(at, 0, sectionSize(section), viewport()->height()));
    editor_->setFrame(false);
    editor_->installEventFilter(this);
    editor_->selectAll();
    editor_->show();
    editor_->setFocus();
}

bool TokenHeader::eventFilter(QObject* watched, QEvent* event) {
    if (watched != editor_ || !editor_)
        return QHeaderView::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape) {
            finishRename(key != Qt::Key_Escape);
            return true;
        }
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_Tab) {
            const int next = edited_ + (key == Qt::Key_Up ? -1 : 1);
            finishRename(true);
            rename(next);
            return true;
        }
    } else if (event->type() == QEvent::FocusOut) {
        finishRename(true);
    }
    return QHeaderView::eventFilter(watched, event);
}

void TokenHeader::finishRename(bool keep) {
    if (!editor_)
        return;
    // Cleared first: writing the label or hiding the editor moves its focus and calls this again.
    auto* editor = editor_;
    editor_ = nullptr;
    const bool had_focus = editor->hasFocus();
    if (keep && edited_ < count())
        model()->setHeaderData(edited_, orientation(), editor->text().trimmed());
    editor->hide();
    editor->deleteLater();
    if (had_focus && parentWidget())
        parentWidget()->setFocus();
}

} // namespace attnlab::ui
