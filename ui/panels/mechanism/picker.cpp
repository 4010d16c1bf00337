#include "ui/panels/mechanism/picker.h"

#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int picker_gap = 8;
constexpr int readable_characters = 7;

} // namespace

Picker::Picker(QWidget* parent) : RowButton(parent), list_(new PickerList(this)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(this, &QPushButton::clicked, this, &Picker::openList);
    connect(list_, &PickerList::picked, this, &Picker::picked);
}

void Picker::setLabel(const QString& label, const QKeySequence& opens_with) {
    label_ = label;
    opens_with_ = opens_with;
    renew();
}

void Picker::setSpokenLabel(const QString& label) {
    spoken_label_ = label;
    renew();
}

void Picker::setItems(std::vector<PickerItem> items) {
    items_ = std::move(items);
    list_->setItems(items_);
    renew();
}

void Picker::setCurrent(const QString& id) {
    current_ = id;
    renew();
}

void Picker::setRefusal(const QString& why) {
    refusal_ = why;
    setEnabled(why.isEmpty());
    renew();
}

QString Picker::currentTitle() const {
    const auto found =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item.id == current_; });
    return found == items_.end() ? current_ : found->title;
}

void Picker::renew() {
    // Not painted: for screen readers.
    setText((label_.isEmpty() ? spoken_label_ : label_) + QStringLiteral(": ") + currentTitle());
    setAccessibleName(text());
    setShortcut(opens_with_);
    const auto found =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item.id == current_; });
    const QString help = !refusal_.isEmpty() ? refusal_ : found == items_.end() ? QString() : found->help;
    setAccessibleDescription(help);
    const QString keys = opens_with_.toString(QKeySequence::NativeText);
    const QString head = keys.isEmpty() ? text() : QStringLiteral("%1 (%2)").arg(text(), keys);
    setToolTip(help.isEmpty() ? head : head + QLatin1Char('\n') + help);
    updateGeometry();
    update();
}

void Picker::openList() {
    if (!items_.empty())
        list_->open(*this, current_);
}

QString Picker::titleAlone() const {
    const auto found = std::ranges::find(items_, current_, &PickerItem::id);
    QString title = found == items_.end() || found->alone.isEmpty() ? currentTitle() : found->alone;
    if (!terse_)
        return title;
    static const QRegularExpression brackets(QStringLiteral("\\s*[(（].*$"));
    const QString short_title = QString(title).remove(brackets);
    return short_title.isEmpty() ? title : short_title;
}

void Picker::setTerse(bool terse) {
    if (terse == terse_)
        return;
    terse_ = terse;
    updateGeometry();
    update();
}

QString Picker::shownTitle() const {
    const QRect area = titleRect();
    const int label = fontMetrics().horizontalAdvance(label_) + picker_gap;
    const bool labelled = !terse_ && area.width() - label >= fontMetrics().horizontalAdvance(currentTitle());
    return labelled ? currentTitle() : fontMetrics().elidedText(titleAlone(), Qt::ElideRight, area.width());
}

QRect Picker::titleRect() const { return contentRect().adjusted(0, 0, -picker_gap - arrowWidth(), 0); }

QSize Picker::sizeFor(int label_width, int title_width) const {
    const int label = label_width > 0 ? label_width + picker_gap : 0;
    return {label + title_width + picker_gap + arrowWidth() + 1 + 2 * metrics::side_padding, controlHeight(font())};
}

QSize Picker::sizeHint() const {
    ensurePolished();
    if (terse_)
        return sizeFor(0, fontMetrics().horizontalAdvance(titleAlone()) + 1);
    return sizeFor(fontMetrics().horizontalAdvance(label_), fontMetrics().horizontalAdvance(currentTitle()));
}

QSize Picker::minimumSizeHint() const {
    ensurePolished();
    const int title = fontMetrics().horizontalAdvance(currentTitle());
    const int alone = fontMetrics().horizontalAdvance(titleAlone());
    return sizeFor(0, std::min(std::max(title, alone), fontMetrics().averageCharWidth() * readable_characters));
}

void Picker::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFrame(painter);
    paintArrow(painter);
    QRect area = titleRect();
    const int label = fontMetrics().horizontalAdvance(label_) + picker_gap;
    if (!terse_ && area.width() - label >= fontMetrics().horizontalAdvance(currentTitle())) {
        painter.setPen(theme().muted);
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, label_);
        area.setLeft(area.left() + label);
    }
    painter.setPen(textColor());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, shownTitle());
}

void Picker::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_F4:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        openList();
        return;
    default:
        RowButton::keyPressEvent(event);
    }
}

} // namespace attnlab::ui
