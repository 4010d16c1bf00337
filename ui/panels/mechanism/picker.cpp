#include "ui/panels/mechanism/picker.h"

#include "core/lookup.h"
#include "ui/drawing/formula_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

enum Role { IdRole = Qt::UserRole, HelpRole, BadgeRole, FormulaRole, FormulaTextRole, ChosenRole, RefusedRole };

constexpr int list_margin_x = 14;
constexpr int list_margin_y = 6;
constexpr int list_gap = 8;
constexpr qreal formula_scale = 0.95;

QFont smallFont(const QFont& font) {
    QFont smaller = font;
    smaller.setPointSizeF(font.pointSizeF() * 0.9);
    return smaller;
}

QFont boldFont(const QFont& font) {
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

bool isRefused(const QModelIndex& index) { return index.data(RefusedRole).toBool(); }

bool isHeading(const QModelIndex& index) { return !(index.flags() & Qt::ItemIsEnabled); }

class PickerDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QFontMetrics title(boldFont(option.font));
        const QFontMetrics help(smallFont(option.font));
        if (isHeading(index))
            return {title.horizontalAdvance(index.data().toString()) + 2 * list_margin_x,
                    help.height() + 2 * list_margin_y};
        const int titles = title.horizontalAdvance(index.data().toString()) +
                           help.horizontalAdvance(index.data(BadgeRole).toString()) + 3 * list_gap;
        const int helps = help.horizontalAdvance(index.data(HelpRole).toString());
        const QSizeF formula = formulaSize(option, index);
        const int text_height = title.height() + (helps > 0 ? help.height() + 2 : 0);
        const int formula_width = formula.isEmpty() ? 0 : static_cast<int>(formula.width()) + 2 * list_gap;
        return {std::max(titles, helps) + formula_width + 2 * list_margin_x,
                std::max(text_height, static_cast<int>(formula.height())) + 2 * list_margin_y};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        QRect area = option.rect.adjusted(list_margin_x, list_margin_y, -list_margin_x, -list_margin_y);
        if (isHeading(index)) {
            painter->setFont(boldFont(smallFont(option.font)));
            painter->setPen(theme().muted);
            painter->drawText(area, Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
            painter->restore();
            return;
        }
        if (option.state & QStyle::State_Selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(theme().accent, metrics::border));
            painter->setBrush(theme().accent_soft);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4.5, 0.5, -4.5, -0.5), metrics::radius,
                                     metrics::radius);
        }
        if (index.data(ChosenRole).toBool())
            painter->fillRect(QRect(option.rect.left() + 6, area.top(), 3, area.height()), theme().accent);
        area.setRight(area.right() - paintFormula(*painter, option, index, area));
        paintTexts(*painter, option, index, area);
        painter->restore();
    }

private:
    static QSizeF formulaSize(const QStyleOptionViewItem& option, const QModelIndex& index) {
        const QString id = index.data(FormulaRole).toString();
        if (hasFormula(id))
            return Formula(id, Qt::black).size(QFontInfo(option.font).pixelSize() * formula_scale);
        const QString text = index.data(FormulaTextRole).toString();
        return text.isEmpty() ? QSizeF() : QFontMetricsF(option.font).size(0, text);
    }

    /// Returns the width.
    static int paintFormula(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            const QRect& area) {
        const QSizeF size = formulaSize(option, index);
        if (size.isEmpty())
            return 0;
        const QRectF place(QPointF(area.right() + 1 - size.width(), area.center().y() + 0.5 - size.height() / 2), size);
        const QString id = index.data(FormulaRole).toString();
        if (hasFormula(id)) {
            const auto formula = isRefused(index) ? Formula(id, theme().muted) : Formula(id, theme().text, theme());
            formula.paint(painter, place);
        } else {
            painter.setPen(isRefused(index) ? theme().muted : theme().text);
            painter.drawText(place, Qt::AlignCenter, index.data(FormulaTextRole).toString());
        }
        return static_cast<int>(size.width()) + 2 * list_gap;
    }

    static void paintTexts(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                           const QRect& area) {
        const QFont bold = boldFont(option.font);
        const QFont small = smallFont(option.font);
        const QFontMetrics title_metrics(bold);
        const QFontMetrics help_metrics(small);
        const QString help = index.data(HelpRole).toString();
        const int height = title_metrics.height() + (help.isEmpty() ? 0 : help_metrics.height() + 2);
        QRect line(area.left(), area.center().y() - height / 2 + 1, area.width(), title_metrics.height());

        const QString title = title_metrics.elidedText(index.data().toString(), Qt::ElideRight, line.width());
        painter.setFont(bold);
        painter.setPen(isRefused(index) ? theme().muted : theme().text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
        painter.setFont(small);
        painter.setPen(theme().accent);
        const QRect badge = line.adjusted(title_metrics.horizontalAdvance(title) + list_gap, 0, 0, 0);
        painter.drawText(badge, Qt::AlignLeft | Qt::AlignVCenter, index.data(BadgeRole).toString());
        line = QRect(area.left(), line.bottom() + 3, area.width(), help_metrics.height());
        painter.setPen(theme().muted);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         help_metrics.elidedText(help, Qt::ElideRight, line.width()));
    }
};

} // namespace

PickerView::PickerView(QWidget* parent) : QListView(parent), model_(new QStandardItemModel(this)) {
    setFrameShape(QFrame::NoFrame);
    setModel(model_);
    setItemDelegate(new PickerDelegate(this));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    connect(this, &QListView::clicked, this, &PickerView::pick);
    connect(this, &QListView::entered, this, [this](const QModelIndex& index) {
        if (!isHeading(index))
            setCurrentIndex(index);
    });
}

void PickerView::setItems(const std::vector<PickerItem>& items) {
    model_->clear();
    QString heading;
    for (const auto& item : items) {
        if (item.heading != heading) {
            heading = item.heading;
            auto* row = new QStandardItem(heading);
            row->setFlags(Qt::NoItemFlags);
            model_->appendRow(row);
        }
        auto* row = new QStandardItem(item.title);
        row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        row->setData(item.id, IdRole);
        const bool refused = !item.refusal.isEmpty();
        const QString help = refused ? item.refusal : item.help;
        row->setData(help, HelpRole);
        row->setData(refused, RefusedRole);
        if (refused)
            row->setToolTip(item.refusal);
        row->setData(item.badge, BadgeRole);
        row->setData(item.formula, FormulaRole);
        row->setData(item.formula_text, FormulaTextRole);
        row->setAccessibleDescription(item.badge.isEmpty() ? help : item.badge + QStringLiteral(". ") + help);
        model_->appendRow(row);
    }
}

void PickerView::setChosen(const QString& id) {
    for (int row = 0; row < model_->rowCount(); ++row) {
        const auto index = model_->index(row, 0);
        const bool chosen = !isHeading(index) && index.data(IdRole).toString() == id;
        model_->setData(index, chosen, ChosenRole);
        if (chosen)
            setCurrentIndex(index);
    }
}

void PickerView::step(int by) {
    for (int row = currentIndex().row() + by; row >= 0 && row < model_->rowCount(); row += by)
        if (const auto index = model_->index(row, 0); !isHeading(index)) {
            setCurrentIndex(index);
            return;
        }
}

void PickerView::pickCurrent() { pick(currentIndex()); }

QSize PickerView::contentsSize() const {
    QStyleOptionViewItem option;
    option.initFrom(this);
    option.font = font();
    QSize all;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QSize size = itemDelegate()->sizeHint(option, model_->index(row, 0));
        all = QSize(std::max(all.width(), size.width()), all.height() + size.height());
    }
    return all;
}

void PickerView::pick(const QModelIndex& index) {
    if (index.isValid() && !isHeading(index) && !isRefused(index))
        emit picked(index.data(IdRole).toString());
}

void PickerView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        doItemsLayout();
    QListView::changeEvent(event);
}

PickerList::PickerList(QWidget* parent) : QFrame(parent, Qt::Popup), view_(new PickerView(this)) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 5, 1, 5);
    column->addWidget(view_);
    view_->installEventFilter(this);
    setFocusProxy(view_);
    connect(view_, &PickerView::picked, this, [this](const QString& id) {
        close();
        emit picked(id);
    });
}

void PickerList::open(const QWidget& anchor, const QString& current) {
    view_->setChosen(current);
    const QSize content = view_->contentsSize().expandedTo(QSize(280, 0));
    const QRect screen = anchor.screen()->availableGeometry();
    QRect place(anchor.mapToGlobal(QPoint(0, anchor.height() + 3)), content + QSize(12, 14));
    place.setWidth(std::min({place.width(), screen.width(), 800}));
    const int below = screen.bottom() - place.top();
    const int above = anchor.mapToGlobal(QPoint()).y() - 3 - screen.top();
    if (place.height() > below && above > below) {
        place.setHeight(std::min(place.height(), above));
        place.moveBottom(anchor.mapToGlobal(QPoint()).y() - 3);
    } else {
        place.setHeight(std::min(place.height(), below));
    }
    place.moveLeft(
        std::clamp(place.left(), screen.left(), std::max(screen.left(), screen.right() - place.width() + 1)));
    setGeometry(place);
    show();
    view_->setFocus(Qt::PopupFocusReason);
    view_->scrollTo(view_->currentIndex());
}

bool PickerList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            view_->pickCurrent();
            return true;
        case Qt::Key_Escape:
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
            close();
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

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

const PickerItem* Picker::currentItem() const { return lookup(items_, current_, &PickerItem::id); }

QString Picker::currentTitle() const {
    const PickerItem* item = currentItem();
    return item ? item->title : current_;
}

void Picker::renew() {
    // Not painted: for screen readers.
    setText((label_.isEmpty() ? spoken_label_ : label_) + QStringLiteral(": ") + currentTitle());
    setAccessibleName(text());
    setShortcut(opens_with_);
    const PickerItem* item = currentItem();
    const QString help = !refusal_.isEmpty() ? refusal_ : item ? item->help : QString();
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
    const PickerItem* item = currentItem();
    QString title = !item || item->alone.isEmpty() ? currentTitle() : item->alone;
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

namespace {

/// Room for every short title, so that choosing another of them moves nothing: 1/√d, 1/d, None.
int widestShort(const std::vector<PickerItem>& items, const QFontMetrics& metrics) {
    constexpr qsizetype is_short = 6;
    int widest = 0;
    for (const PickerItem& item : items)
        if (item.title.size() <= is_short)
            widest = std::max(widest, metrics.horizontalAdvance(item.title));
    return widest;
}

} // namespace

QSize Picker::sizeHint() const {
    ensurePolished();
    if (terse_)
        return sizeFor(0, fontMetrics().horizontalAdvance(titleAlone()) + 1);
    return sizeFor(fontMetrics().horizontalAdvance(label_),
                   std::max(fontMetrics().horizontalAdvance(currentTitle()), widestShort(items_, fontMetrics())));
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
