#include "ui/widgets/controls.h"

#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QFontInfo>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOption>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr double usual_text_pixels = 13.0;
constexpr double hover_share = 0.07, press_share = 0.16; ///< of the text's colour in the fill

QColor mixed(const QColor& a, const QColor& b, double share_of_b) {
    const auto mix = [&](float x, float y) { return x + (y - x) * static_cast<float>(share_of_b); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

void paintFrame(QPainter& painter, const QRectF& rect, const QColor& edge, double width, const QBrush& fill,
                double radius = metrics::radius) {
    painter.setPen(QPen(edge, width));
    painter.setBrush(fill);
    const double inset = width / 2;
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);
}

} // namespace

int controlHeight(const QFont& font) {
    constexpr int least_padding = 4;
    const int scaled = qRound(QFontInfo(font).pixelSize() * metrics::control_height / usual_text_pixels);
    return std::max(scaled, QFontMetrics(font).height() + 2 * least_padding);
}

ControlLook ControlLook::of(const QStyleOption& option, Kind kind) {
    const auto is = [&](QStyle::StateFlag flag) { return option.state.testFlag(flag); };
    return {.kind = kind,
            .enabled = is(QStyle::State_Enabled),
            .hovered = is(QStyle::State_MouseOver),
            .pressed = is(QStyle::State_Sunken),
            .chosen = is(QStyle::State_On),
            .focused = is(QStyle::State_HasFocus)};
}

QColor ControlLook::text() const {
    const Theme& colors = theme();
    if (!enabled)
        return colors.muted;
    return kind == Kind::Accent ? colors.on_accent : chosen ? colors.accent : colors.text;
}

QColor ControlLook::fill() const {
    const Theme& colors = theme();
    if (!enabled)
        return chosen ? colors.border : colors.window;
    if (kind == Kind::Field)
        return colors.card;
    const QColor base = kind == Kind::Accent ? colors.accent : chosen ? colors.accent_soft : colors.control;
    const QColor& towards = kind == Kind::Accent ? colors.card : chosen ? colors.accent : colors.text;
    return pressed ? mixed(base, towards, press_share) : hovered ? mixed(base, towards, hover_share) : base;
}

QColor ControlLook::edge() const {
    const Theme& colors = theme();
    if (wrong)
        return colors.error_text;
    if (!enabled)
        return colors.border;
    return chosen || kind == Kind::Accent ? colors.accent : hovered ? colors.muted : colors.outline;
}

void paintControl(QPainter& painter, const QRectF& rect, const ControlLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool ring = look.focused && look.enabled;
    if (ring && look.kind == ControlLook::Kind::Accent) {
        // A ring in the colour of the fill would not show: there is a gap between them.
        const double inset = metrics::focus_ring + 1.0;
        paintFrame(painter, rect, theme().card, inset, theme().card);
        paintFrame(painter, rect.adjusted(inset, inset, -inset, -inset), look.fill(), metrics::border, look.fill(),
                   metrics::radius - metrics::focus_ring);
    } else {
        paintFrame(painter, rect, look.edge(), look.wrong ? metrics::focus_ring : metrics::border, look.fill());
    }
    if (ring)
        paintFocusRing(painter, rect);
    painter.restore();
}

void paintFocusRing(QPainter& painter, const QRectF& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrame(painter, rect, theme().accent, metrics::focus_ring, Qt::NoBrush);
    painter.restore();
}

void paintChevron(QPainter& painter, const QRectF& area, Qt::ArrowType direction, const QColor& color) {
    constexpr double half_width = 3.5, half_height = 1.75;
    QPainterPath path(QPointF(-half_width, -half_height));
    path.lineTo(0, half_height);
    path.lineTo(half_width, -half_height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.center());
    painter.rotate(direction == Qt::UpArrow      ? 180
                   : direction == Qt::LeftArrow  ? 90
                   : direction == Qt::RightArrow ? -90
                                                 : 0);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.restore();
}

void paintCheckBox(QPainter& painter, const QRectF& box, Qt::CheckState state, const ControlLook& look) {
    const Theme& colors = theme();
    const bool on = state != Qt::Unchecked;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor strong = look.enabled ? colors.accent : colors.outline;
    ControlLook plain = look;
    plain.kind = ControlLook::Kind::Field;
    plain.chosen = false;
    paintFrame(painter, box,
               on             ? strong
               : look.enabled ? plain.edge()
                              : colors.outline,
               metrics::border, on ? strong : plain.fill(), metrics::small_radius);
    const auto at = [&](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    painter.setPen(QPen(look.enabled ? colors.on_accent : colors.window, box.width() / 7.0, Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    if (state == Qt::Checked)
        painter.drawPolyline(QPolygonF{at(0.24, 0.52), at(0.43, 0.71), at(0.77, 0.3)});
    else if (state == Qt::PartiallyChecked)
        painter.drawLine(at(0.27, 0.5), at(0.73, 0.5));
    painter.restore();
}

namespace {

constexpr double font_share = 0.93; ///< relative to the surrounding text: several chips fit a line

} // namespace

Chip::Chip(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QFont smaller = font();
    if (smaller.pointSizeF() > 0.0)
        smaller.setPointSizeF(smaller.pointSizeF() * font_share);
    setFont(smaller);
}

QSize Chip::sizeHint() const {
    // As high as other controls in its row, whose font is larger.
    QFont usual = font();
    if (usual.pointSizeF() > 0.0)
        usual.setPointSizeF(usual.pointSizeF() / font_share);
    return {fontMetrics().horizontalAdvance(text()) + 2 * metrics::field_padding, controlHeight(usual)};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ControlLook look{.enabled = isEnabled(),
                           .hovered = underMouse(),
                           .pressed = isDown(),
                           .chosen = isChecked(),
                           .focused = showsFocus(*this)};
    paintControl(painter, rect(), look);
    painter.setPen(look.text());
    painter.drawText(rect(), Qt::AlignCenter, text());
}

namespace {

constexpr int link_margin = 3; ///< at the sides, for the focus ring

} // namespace

LinkButton::LinkButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize LinkButton::sizeHint() const {
    return fontMetrics().size(Qt::TextSingleLine, text()) + QSize(2 * link_margin, 0);
}

void LinkButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont underlined = font();
    underlined.setUnderline(true);
    painter.setFont(underlined);
    painter.setPen(isEnabled() ? theme().accent : theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, text());
    if (showsFocus(*this))
        paintFocusRing(painter, rect());
}

SegmentSwitch::SegmentSwitch(QWidget* parent) : QTabBar(parent) {
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void SegmentSwitch::showTab(int index, bool shown) {
    if (isTabVisible(index) == shown)
        return;
    setTabVisible(index, shown);
    setTabText(index, tabText(index)); // places all tabs
    updateGeometry();
}

QSize SegmentSwitch::tabSizeHint(int index) const {
    return {fontMetrics().horizontalAdvance(tabText(index)) + 2 * metrics::side_padding, controlHeight(font())};
}

void SegmentSwitch::paintEvent(QPaintEvent*) {
    if (count() == 0)
        return;
    QPainter painter(this);
    QRect all;
    for (int i = 0; i < count(); ++i)
        all |= isTabVisible(i) ? tabRect(i) : QRect();
    paintControl(painter, all & rect(), {.enabled = isEnabled()});
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i))
            continue;
        const ControlLook look{.enabled = isTabEnabled(i),
                               .hovered = underMouse() && tabRect(i).contains(mouse),
                               .chosen = i == currentIndex(),
                               .focused = showsFocus(*this) && i == currentIndex()};
        if (look.chosen)
            paintControl(painter, tabRect(i), look);
        painter.setPen(look.chosen || look.hovered || !look.enabled ? look.text() : theme().muted);
        painter.setOpacity(look.enabled ? 1.0 : 0.5); // the others are muted, too
        painter.drawText(tabRect(i), Qt::AlignCenter, tabText(i));
        painter.setOpacity(1.0);
    }
}

namespace {

constexpr int least_margin_y = 4;

} // namespace

RowButton::RowButton(QWidget* parent, Style style) : QPushButton(parent), style_(style) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int RowButton::arrowWidth() const { return 8; }

QRect RowButton::contentRect() const {
    return rect().adjusted(metrics::side_padding, least_margin_y, -metrics::side_padding, -least_margin_y);
}

QSize RowButton::sizeHint() const {
    ensurePolished();
    QSize size(fontMetrics().horizontalAdvance(text()), 0);
    if (!icon().isNull()) {
        size.rwidth() += iconSize().width() + (text().isEmpty() ? 0 : metrics::gap);
        size.setHeight(iconSize().height());
    }
    if (menu())
        size.rwidth() += metrics::gap + arrowWidth();
    return {size.width() + 2 * metrics::side_padding,
            std::max(controlHeight(font()), size.height() + 2 * least_margin_y)};
}

QSize RowButton::minimumSizeHint() const { return sizeHint(); }

QColor RowButton::textColor() const { return look().text(); }

ControlLook RowButton::look() const {
    return {.kind = style_ == Style::Accent ? ControlLook::Kind::Accent : ControlLook::Kind::Button,
            .enabled = isEnabled(),
            .hovered = underMouse(),
            .pressed = isDown(),
            .chosen = isChecked(),
            .focused = showsFocus(*this)};
}

void RowButton::paintFrame(QPainter& painter) const { paintControl(painter, rect(), look()); }

void RowButton::paintArrow(QPainter& painter) const {
    QRect place = contentRect();
    place.setLeft(place.right() + 1 - arrowWidth());
    paintChevron(painter, QStyle::visualRect(layoutDirection(), rect(), place), Qt::DownArrow,
                 isEnabled() ? textColor() : theme().outline);
}

void RowButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFrame(painter);
    QRect content = contentRect();
    if (menu()) {
        paintArrow(painter);
        content.adjust(0, 0, -metrics::gap - arrowWidth(), 0);
    }
    if (!icon().isNull()) {
        const QRect place(QPoint(content.left(), content.center().y() - iconSize().height() / 2 + 1), iconSize());
        icon().paint(&painter, place, Qt::AlignCenter,
                     !isEnabled()              ? QIcon::Disabled
                     : style_ == Style::Accent ? QIcon::Selected
                                               : QIcon::Normal);
        content.setLeft(place.right() + 1 + metrics::gap);
    }
    painter.setPen(textColor());
    painter.drawText(content, Qt::AlignCenter | Qt::TextShowMnemonic, text());
}

BarButton::BarButton(QWidget* parent, Style style) : RowButton(parent, style) {}

void BarButton::setContent(const QString& words, const QIcon& icon, bool beside_words) {
    words_ = words;
    icon_ = icon;
    beside_words_ = beside_words;
    setAccessibleName(words);
    showContent();
}

void BarButton::setWithoutWords(bool without) {
    if (std::exchange(without_words_, without) != without)
        showContent();
}

void BarButton::showContent() {
    const bool icon_alone = without_words_ && !icon_.isNull();
    setText(icon_alone ? QString() : words_);
    setIcon(icon_alone || beside_words_ ? icon_ : QIcon());
    updateGeometry();
}

int BarButton::widthOfWords() const {
    if (icon_.isNull())
        return 0;
    const int words = fontMetrics().horizontalAdvance(words_);
    return beside_words_ ? words + metrics::gap : words - iconSize().width();
}

QPushButton* newButton(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    return button;
}

namespace {

constexpr int steps_to_a_doubling = 8;
constexpr int slider_lines = 10; ///< length of the slider in text lines

} // namespace

std::vector<std::int64_t> logarithmicChoices(std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> choices{least};
    for (int step = 0; choices.back() < most; ++step) {
        const double next = static_cast<double>(least) * std::exp2(static_cast<double>(step) / steps_to_a_doubling);
        if (const std::int64_t choice = std::llround(next); choice > choices.back())
            choices.push_back(std::min(choice, most));
    }
    return choices;
}

namespace {

/// A field for whole numbers that leaves letters to shortcuts, such as those of a presentation.
class WholeNumberField : public QSpinBox {
public:
    using QSpinBox::QSpinBox;

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            const auto& key = static_cast<const QKeyEvent&>(*event);
            const QString text = key.text();
            const bool is_command = key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
            if (!is_command && text.size() == 1 && (text[0].isLetter() || text[0] == QLatin1Char('.'))) {
                event->ignore();
                return true;
            }
        }
        return QSpinBox::event(event);
    }
};

} // namespace

ValueSlider::ValueSlider(Value value, QWidget* parent)
    : QWidget(parent), title_(new Label(this)),
      number_(value == Value::Editable ? new WholeNumberField(this) : nullptr),
      slider_(new QSlider(Qt::Horizontal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title_);
    if (number_) {
        number_->setKeyboardTracking(false); // typing 1024 must not give 1, 10 and 102 first
        title_->setBuddy(number_);
        row->addWidget(number_);
        slider_->setPageStep(steps_to_a_doubling);
        slider_->setMinimumWidth(slider_lines * fontMetrics().height());
        connect(number_, &QSpinBox::valueChanged, this, &ValueSlider::choose);
    } else {
        text_ = new Label(this);
        text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        title_->setBuddy(slider_);
        row->addWidget(text_);
        slider_->setPageStep(1);
    }
    row->addWidget(slider_, 1);
    connect(slider_, &QSlider::valueChanged, this,
            [this](int step) { choose(choices_[static_cast<std::size_t>(step)]); });
    setChoices({0});
}

void ValueSlider::setTitles(const QString& title, const QString& name) {
    title_->setText(title);
    if (number_)
        number_->setAccessibleName(name);
    slider_->setAccessibleName(name);
    setToolTip(name); // not of its parts: a screen reader would say it twice
}

void ValueSlider::setChoices(std::vector<std::int64_t> choices) {
    if (choices.empty() || choices == choices_)
        return;
    choices_ = std::move(choices);
    const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
    slider_->setRange(0, static_cast<int>(choices_.size()) - 1);
    if (number_)
        number_->setRange(static_cast<int>(choices_.front()), static_cast<int>(choices_.back()));
    else
        text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(QString::number(choices_.back())));
    setValue(value_);
}

int ValueSlider::nearest(std::int64_t value) const {
    const auto above = std::ranges::lower_bound(choices_, value);
    if (above == choices_.end() || *above == value || above == choices_.begin())
        return static_cast<int>(std::min(above - choices_.begin(), std::ssize(choices_) - 1));
    // As near as on a logarithmic scale.
    const auto below = std::prev(above);
    const bool is_below = static_cast<double>(value) * static_cast<double>(value) <
                          static_cast<double>(*below) * static_cast<double>(*above);
    return static_cast<int>((is_below ? below : above) - choices_.begin());
}

void ValueSlider::setValue(std::int64_t value) {
    const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
    const int at = nearest(value);
    value_ = number_ ? std::clamp(value, choices_.front(), choices_.back()) : choices_[static_cast<std::size_t>(at)];
    slider_->setValue(at);
    if (number_)
        number_->setValue(static_cast<int>(value_));
    else
        text_->setText(QString::number(value_));
}

void ValueSlider::choose(std::int64_t value) {
    if (value == value_)
        return;
    setValue(value);
    emit chosen(value_);
}

} // namespace attnlab::ui
