#include "ui/matrix/stages/colors_button.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <cmath>
#include <QComboBox>
#include <QDoubleValidator>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {

namespace {

constexpr int swatch_gap = 5;

QString colorsHelp() { return ColorsButton::tr("Colours: map, logarithm and range"); }

} // namespace

ColorsPopup::ColorsPopup(ViewState& view, QWidget* parent) : Popup(parent), bar_(new RangeBar(view, this)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(bar_);
}

void ColorsPopup::openAtColorBarOf(HeatmapView& heatmap) {
    heatmap.setColorBarTip(colorsHelp());
    connect(&heatmap, &HeatmapView::colorBarClicked, this,
            [this, &heatmap](const QRect& bar) { openAt(QRect(heatmap.mapToGlobal(bar.topLeft()), bar.size())); });
}

ColorsButton::ColorsButton(ViewState& view, QWidget* parent)
    : QToolButton(parent), view_(view), popup_(new ColorsPopup(view, this)) {
    scale_.map = &colormap({});
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    const int height = fontMetrics().ascent();
    setIconSize(QSize(height * 2 + swatch_gap, height));
    setToolTip(colorsHelp());
    connect(this, &QToolButton::clicked, this, [this] { popup_->openBelow(*this); });
    connect(&view_, &ViewState::colorsChanged, this, &ColorsButton::refresh);
    refresh();
}

void ColorsButton::setScale(const ColorScale& scale) {
    scale_ = scale;
    rangeBar()->setScale(scale);
    refresh();
}

void ColorsButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void ColorsButton::refresh() {
    const ColorChoice& colors = view_.colors();
    const Colormap& map = *shownOn(theme(), scale_).map;
    QStringList words{colormapTitle(map)};
    if (scale_.logarithmic)
        words << tr("log");
    if (colors.locked)
        words << tr("locked");
    // With the gap to the text, which a tool button does not have.
    QPixmap swatch(iconSize());
    swatch.fill(Qt::transparent);
    const QSize colored(iconSize().width() - swatch_gap, iconSize().height());
    QPainter(&swatch).drawPixmap(0, 0, colormapIcon(map, colored).pixmap(colored, 1.0));
    setIcon(swatch);
    setText(words.join(QStringLiteral(" · ")));
    setAccessibleName(tr("Colours: %1").arg(text()));
}

namespace {

/// Short, but precise enough that locking does not visibly change the picture.
QString fieldText(double value) { return QString::number(value, 'g', 6); }

/// Makes a pressed button distinguishable on a dark card.
void showPressed(QToolButton* button) {
    QPalette colors;
    if (button->isChecked())
        colors.setColor(QPalette::Button, theme().accent_soft);
    button->setPalette(colors);
}

QLineEdit* makeField(QWidget* parent) {
    auto* field = new QLineEdit(parent);
    auto* validator = new QDoubleValidator(field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
    field->setFixedWidth(field->fontMetrics().averageCharWidth() * 10);
    return field;
}

} // namespace

QString colormapTitle(const Colormap& map) {
    // The other ids are proper names.
    return map.id == QLatin1String("blue_red")        ? RangeBar::tr("blue–red")
           : map.id == QLatin1String("blue_red_dark") ? RangeBar::tr("blue–red, dark")
           : map.id == QLatin1String("purple_orange") ? RangeBar::tr("purple–orange")
           : map.id == QLatin1String("greys")         ? RangeBar::tr("greys")
           : map.id == QLatin1String("blues")         ? RangeBar::tr("blues")
                                                      : map.id;
}

QIcon colormapIcon(const Colormap& map, QSize size) {
    QImage line(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i)
        line.setPixel(i, 0, map.colors[static_cast<std::size_t>(i)]);
    return QPixmap::fromImage(line.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
}

RangeBar::RangeBar(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), map_(new QComboBox(this)), logarithm_(new QToolButton(this)),
      lock_(new QToolButton(this)), fit_(new QToolButton(this)), low_(makeField(this)), high_(makeField(this)) {
    scale_.map = &colormap({});
    const int height = fontMetrics().ascent();
    map_->setIconSize(QSize(height * 3, height));
    map_->addItem(tr("Automatic colours"), QString());
    for (const auto& map : colormaps())
        map_->addItem(colormapIcon(map, map_->iconSize()), colormapTitle(map), map.id);
    logarithm_->setCheckable(true);
    lock_->setCheckable(true);
    lock_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    auto* row = new FlowLayout(this);
    for (QWidget* tool : std::initializer_list<QWidget*>{map_, logarithm_, lock_, fit_, low_, high_})
        row->addWidget(tool);
    new RovingFocus({logarithm_, lock_, fit_}, this);
    connectAll();
    map_->setAccessibleName(tr("Colour map"));
    map_->setToolTip(tr("Colour map. Automatic: blue–red for signed numbers, viridis for the rest"));
    logarithm_->setText(tr("log"));
    logarithm_->setAccessibleName(tr("Logarithmic colours"));
    logarithm_->setToolTip(tr("Logarithmic colours: each factor of ten is the same step"));
    lock_->setAccessibleName(tr("Lock the colour range"));
    lock_->setToolTip(tr("Keep the range of colours while the numbers change"));
    fit_->setObjectName(QStringLiteral("fit"));
    fit_->setText(tr("Fit smallest to largest"));
    fit_->setAccessibleName(fit_->text());
    fit_->setToolTip(tr("From the smallest to the largest number of the stage: small differences are seen, though the "
                        "colours no longer start at 0"));
    low_->setAccessibleName(tr("Lower end of the colour range"));
    low_->setToolTip(low_->accessibleName());
    high_->setAccessibleName(tr("Upper end of the colour range"));
    high_->setToolTip(high_->accessibleName());
    refresh();
}

RangeBar::~RangeBar() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    low_->disconnect(this);
    high_->disconnect(this);
}

void RangeBar::connectAll() {
    connect(&view_, &ViewState::colorsChanged, this, &RangeBar::refresh);
    connect(map_, &QComboBox::activated, this, [this](int index) {
        ColorChoice colors = view_.colors();
        colors.colormap = map_->itemData(index).toString();
        view_.setColors(colors);
    });
    connect(logarithm_, &QToolButton::clicked, this, [this](bool on) {
        ColorChoice colors = view_.colors();
        colors.logarithmic = on;
        colors.linear = !on;
        view_.setColors(colors);
    });
    connect(lock_, &QToolButton::clicked, this, &RangeBar::setLocked);
    connect(fit_, &QToolButton::clicked, this, &RangeBar::fitToNumbers);
    connect(low_, &QLineEdit::editingFinished, this, &RangeBar::readFields);
    connect(high_, &QLineEdit::editingFinished, this, &RangeBar::readFields);
}

void RangeBar::setScale(const ColorScale& scale) {
    scale_ = scale;
    logarithm_->setChecked(scale.logarithmic); // it may be by itself
    showPressed(logarithm_);
    fit_->setEnabled(scale.data_low < scale.data_high);
    showEnds();
}

void RangeBar::showEnds() {
    const auto show = [](QLineEdit* field, double value) {
        // Keeps text being typed: results may arrive meanwhile.
        if (!field->isModified() && field->text() != fieldText(value))
            field->setText(fieldText(value));
    };
    show(low_, scale_.low);
    show(high_, scale_.high);
}

void RangeBar::setLocked(bool locked) {
    ColorChoice colors = view_.colors();
    colors.locked = locked;
    // Colours that are logarithmic by themselves stay so while the numbers change.
    if (locked)
        colors.logarithmic = scale_.logarithmic;
    else if (scale_.linear_hides && !colors.linear)
        colors.logarithmic = false;
    if (locked) {
        // The displayed numbers become the effective ones.
        colors.low = fieldText(scale_.low).toDouble();
        colors.high = fieldText(scale_.high).toDouble();
    }
    view_.setColors(colors);
}

void RangeBar::fitToNumbers() {
    ColorChoice colors = view_.colors();
    colors.locked = true;
    colors.logarithmic = false;
    colors.linear = true;
    colors.low = scale_.data_low;
    colors.high = scale_.data_high;
    view_.setColors(colors);
}

void RangeBar::readFields() {
    if (!low_->isModified() && !high_->isModified())
        return;
    ColorChoice colors = view_.colors();
    const auto read = [](QLineEdit* field, double in_force) {
        bool ok = false;
        const double value = field->text().toDouble(&ok);
        // An untouched number keeps the digits that its field does not show.
        const bool touched = field->isModified() && field->text() != fieldText(in_force);
        field->setModified(false);
        return ok && touched ? value : in_force;
    };
    colors.low = read(low_, scale_.low);
    colors.high = read(high_, scale_.high);
    if (std::isfinite(colors.low) && std::isfinite(colors.high) && colors.low < colors.high &&
        (!scale_.logarithmic || colors.low > 0.0))
        view_.setColors(colors);
    showEnds();
}

void RangeBar::refresh() {
    const ColorChoice& colors = view_.colors();
    const QString id = colors.colormap.isEmpty() ? QString() : colormap(colors.colormap).id;
    map_->setCurrentIndex(map_->findData(id));
    logarithm_->setChecked(colors.logarithmic || (scale_.logarithmic && !colors.linear));
    lock_->setChecked(colors.locked);
    showPressed(logarithm_);
    showPressed(lock_);
    lock_->setIcon(icon(colors.locked ? QStringLiteral("lock") : QStringLiteral("unlock")));
    lock_->setText(colors.locked ? tr("Hold colours") : tr("Refit colours"));
    low_->setVisible(colors.locked);
    high_->setVisible(colors.locked);
}

void RangeBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace attnlab::ui
