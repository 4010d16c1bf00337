#include "ui/panels/inputs/token_groups.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int within = 2, between_groups = 12,
              group_line_gap = 4; ///< pixels between tokens of one group, of two, and between lines
constexpr int padding = 5;

/// Neighbouring numbers get very different hues.
QColor groupColor(double id) {
    constexpr double golden_ratio = 0.61803398875;
    const double hue = std::isfinite(id) ? id * golden_ratio - std::floor(id * golden_ratio) : 0.0;
    QColor color = QColor::fromHsvF(static_cast<float>(hue), 0.55f, theme().dark ? 0.75f : 0.85f);
    color.setAlpha(theme().dark ? 90 : 110);
    return color;
}

} // namespace

std::vector<double> withBorderToggled(std::vector<double> ids, int token) {
    const auto at = static_cast<std::size_t>(token);
    if (token <= 0 || at >= ids.size())
        return ids;
    const double step = ids[at] == ids[at - 1] ? 1.0 : ids[at - 1] - ids[at];
    for (std::size_t j = at; j < ids.size(); ++j)
        ids[j] += step;
    return ids;
}

TokenGroups::TokenGroups(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    declareShortcuts(*this, {tr("Groups of tokens"),
                             {{tr("Left, Right, Home, End"), tr("Move between the tokens")},
                              {tr("Space"), tr("Begin a group at the token, or join it to the one before")},
                              {tr("Up, Down, 0 … 9"), tr("Set the group of this token alone")}}});
}

void TokenGroups::setTokens(const QStringList& tokens, const Tensor& ids) {
    tokens_ = tokens;
    ids_.assign(ids.values().begin(), ids.values().end());
    current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(ids_.size()) - 1));
    setAccessibleName(ids_.empty() ? QString() : textOf(current_));
    updateGeometry();
    relayout();
}

QString TokenGroups::textOf(int token) const {
    const QString name = token < tokens_.size() && !tokens_[token].isEmpty() ? tokens_[token] : QString::number(token);
    return tr("%1: group %2").arg(name, exactText(ids_[static_cast<std::size_t>(token)]));
}

bool TokenGroups::beginsGroup(int token) const {
    const auto at = static_cast<std::size_t>(token);
    return token > 0 && ids_[at] != ids_[at - 1];
}

int TokenGroups::place(int width, std::vector<QRect>* boxes) const {
    const QFontMetrics metrics(font());
    const int height = metrics.height() * 2 + padding;
    int x = 0, y = 0;
    for (int token = 0; token < static_cast<int>(ids_.size()); ++token) {
        const QString text =
            token < tokens_.size() && !tokens_[token].isEmpty() ? tokens_[token] : QString::number(token);
        const int number = metrics.horizontalAdvance(exactText(ids_[static_cast<std::size_t>(token)]));
        const int box = std::min(std::max(metrics.horizontalAdvance(text), number) + 2 * padding, std::max(1, width));
        x += token == 0 ? 0 : beginsGroup(token) ? between_groups : within;
        if (x > 0 && x + box > width) {
            x = 0;
            y += height + group_line_gap;
        }
        if (boxes)
            boxes->push_back(QRect(x, y, box, height));
        x += box;
    }
    return y + height;
}

void TokenGroups::relayout() {
    boxes_.clear();
    place(width(), &boxes_);
    update();
}

int TokenGroups::heightForWidth(int width) const { return place(width, nullptr); }
QSize TokenGroups::sizeHint() const { return {240, heightForWidth(240)}; }

std::optional<int> TokenGroups::tokenAt(const QPoint& position) const {
    const auto found =
        std::find_if(boxes_.begin(), boxes_.end(), [&](const QRect& box) { return box.contains(position); });
    return found == boxes_.end() ? std::nullopt : std::optional(static_cast<int>(found - boxes_.begin()));
}

void TokenGroups::setCurrent(int token) {
    if (token < 0 || token >= static_cast<int>(ids_.size()))
        return;
    current_ = token;
    setAccessibleName(textOf(token));
    update();
}

void TokenGroups::setId(int token, double id) {
    auto ids = ids_;
    ids[static_cast<std::size_t>(token)] = id;
    emit idsEdited(ids);
}

void TokenGroups::mousePressEvent(QMouseEvent* event) {
    const auto token = tokenAt(event->pos());
    if (!token || event->button() != Qt::LeftButton)
        return;
    setCurrent(*token);
    emit idsEdited(withBorderToggled(ids_, *token));
}

void TokenGroups::keyPressEvent(QKeyEvent* event) {
    if (ids_.empty())
        return QWidget::keyPressEvent(event);
    const double id = ids_[static_cast<std::size_t>(current_)];
    const int key = event->key();
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        setCurrent(current_ + (key == Qt::Key_Right ? 1 : -1));
    else if (key == Qt::Key_Home || key == Qt::Key_End)
        setCurrent(key == Qt::Key_Home ? 0 : static_cast<int>(ids_.size()) - 1);
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        setId(current_, id + (key == Qt::Key_Up ? 1.0 : -1.0));
    else if (key >= Qt::Key_0 && key <= Qt::Key_9 && event->modifiers() == Qt::NoModifier)
        setId(current_, key - Qt::Key_0);
    else if (key == Qt::Key_Space)
        emit idsEdited(withBorderToggled(ids_, current_));
    else
        QWidget::keyPressEvent(event);
}

void TokenGroups::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(font());
    for (int token = 0; token < static_cast<int>(boxes_.size()); ++token) {
        const QRect box = boxes_[static_cast<std::size_t>(token)];
        const double id = ids_[static_cast<std::size_t>(token)];
        const bool focused = token == current_ && hasFocus();
        painter.setPen(focused                 ? QPen(theme().accent, 2)
                       : theme().high_contrast ? QPen(theme().outline, 1)
                                               : QPen(Qt::NoPen));
        painter.setBrush(groupColor(id));
        painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 4, 4);
        const QRect text = box.adjusted(padding, 2, -padding, 0);
        const QString name =
            token < tokens_.size() && !tokens_[token].isEmpty() ? tokens_[token] : QString::number(token);
        painter.setPen(theme().text);
        painter.drawText(text, Qt::AlignHCenter | Qt::AlignTop, metrics.elidedText(name, Qt::ElideRight, text.width()));
        painter.setPen(theme().muted);
        painter.drawText(text.adjusted(0, metrics.height(), 0, 0), Qt::AlignHCenter | Qt::AlignTop, exactText(id));
    }
}

void TokenGroups::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void TokenGroups::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
}

bool TokenGroups::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto token = tokenAt(tipPosition(*event));
        showTip(*event,
                !token                ? QString()
                : *token == 0         ? textOf(0)
                : beginsGroup(*token) ? tr("%1. Click: join it to the group before").arg(textOf(*token))
                                      : tr("%1. Click: a group begins here").arg(textOf(*token)),
                *this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace attnlab::ui
