#include "ui/export/picture_page.h"

#include "ui/label.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDoubleValidator>
#include <QEvent>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int least_font = 4; ///< points

QDoubleSpinBox* makeLength(double points, const QString& name, QWidget* parent) {
    auto* field = new QDoubleSpinBox(parent);
    field->setObjectName(name);
    field->setRange(36.0, 14400.0);
    field->setDecimals(1);
    field->setSingleStep(12.0);
    field->setValue(points);
    return field;
}

/// Empty: automatic.
QLineEdit* makeEnd(const QString& name, QWidget* parent) {
    auto* field = new QLineEdit(parent);
    field->setObjectName(name);
    auto* validator = new QDoubleValidator(field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
    return field;
}

std::optional<double> numberIn(const QLineEdit& field) {
    bool ok = false;
    const double value = field.text().toDouble(&ok);
    return ok && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

QCheckBox* makeCheck(bool on, const QString& name, QWidget* parent) {
    auto* check = new QCheckBox(parent);
    check->setObjectName(name);
    check->setChecked(on);
    return check;
}

} // namespace

PicturePage::PicturePage(QWidget* parent)
    : QWidget(parent), width_(makeLength(480, QStringLiteral("width"), this)),
      height_(makeLength(400, QStringLiteral("height"), this)), dpi_(new QSpinBox(this)), pixels_(new Label(this)),
      title_(new QLineEdit(this)), family_(new QComboBox(this)), font_size_(new QSpinBox(this)),
      low_(makeEnd(QStringLiteral("low"), this)), high_(makeEnd(QStringLiteral("high"), this)),
      range_(new QWidget(this)), logarithm_(makeCheck(false, QStringLiteral("logarithm"), this)),
      heads_(makeCheck(false, QStringLiteral("all_heads"), this)),
      numbers_(makeCheck(true, QStringLiteral("numbers"), this)),
      color_bar_(makeCheck(true, QStringLiteral("color_bar"), this)),
      dark_(makeCheck(false, QStringLiteral("dark"), this)),
      transparent_(makeCheck(false, QStringLiteral("transparent"), this)), form_(new QFormLayout(this)) {
    dpi_->setObjectName(QStringLiteral("dpi"));
    dpi_->setRange(36, 1200);
    dpi_->setValue(200);
    title_->setObjectName(QStringLiteral("title"));
    family_->setObjectName(QStringLiteral("font"));
    family_->addItem(QString(), QString());
    for (const auto& family : QFontDatabase::families())
        family_->addItem(family, family);
    family_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    family_->setMinimumContentsLength(12);
    font_size_->setObjectName(QStringLiteral("font_size"));
    font_size_->setRange(least_font - 1, 72); // the first one: automatic
    pixels_->setForegroundRole(QPalette::PlaceholderText);
    form_->setContentsMargins(0, 0, 0, 0);
    auto* ends = new QHBoxLayout(range_);
    ends->setContentsMargins(0, 0, 0, 0);
    ends->addWidget(low_);
    ends->addWidget(high_);
    for (QWidget* field : std::initializer_list<QWidget*>{title_, width_, height_, dpi_})
        form_->addRow(new Label(this), field);
    form_->addRow(QString(), pixels_);
    for (QWidget* field : std::initializer_list<QWidget*>{family_, font_size_, range_})
        form_->addRow(new Label(this), field);
    const auto checks = {logarithm_, numbers_, color_bar_, heads_, dark_, transparent_};
    for (auto* check : checks)
        form_->addRow(QString(), check);

    const auto notify = [this] {
        showPixels();
        emit changed();
    };
    connect(width_, &QDoubleSpinBox::valueChanged, this, notify);
    connect(height_, &QDoubleSpinBox::valueChanged, this, notify);
    connect(dpi_, &QSpinBox::valueChanged, this, notify);
    connect(font_size_, &QSpinBox::valueChanged, this, notify);
    connect(family_, &QComboBox::currentIndexChanged, this, notify);
    for (auto* line : {title_, low_, high_})
        connect(line, &QLineEdit::textChanged, this, notify);
    for (auto* check : checks)
        connect(check, &QCheckBox::toggled, this, notify);
    heads_->hide();
    retranslate();
}

void PicturePage::setTitle(const QString& title) { title_->setText(title); }

void PicturePage::setColors(const ColorChoice& colors) {
    ui::setColors(begun_, colors);
    const auto show = [](QLineEdit& field, std::optional<double> end) {
        field.setText(end ? QString::number(*end, 'g', QLocale::FloatingPointShortest) : QString());
    };
    show(*low_, begun_.low);
    show(*high_, begun_.high);
    logarithm_->setChecked(begun_.logarithmic);
}

void PicturePage::setFormat(FigureFormat format) {
    format_ = format;
    dpi_->setEnabled(format == FigureFormat::Png);
    showPixels();
}

void PicturePage::setHeatmap(bool heatmap) {
    for (QWidget* choice : std::initializer_list<QWidget*>{numbers_, color_bar_, logarithm_})
        choice->setVisible(heatmap);
    form_->setRowVisible(range_, heatmap);
    if (!heatmap)
        setHeadsOffered(false);
}

void PicturePage::setLogarithmOffered(bool offered) { logarithm_->setVisible(offered); }

void PicturePage::setHeadsOffered(bool offered) {
    heads_->setVisible(offered);
    if (!offered)
        heads_->setChecked(false);
}

bool PicturePage::allHeads() const { return heads_->isChecked(); }

void PicturePage::setTransparencyOffered(bool offered) { transparent_->setVisible(offered); }

void PicturePage::setPoints(const QSizeF& size) {
    width_->setValue(size.width());
    height_->setValue(size.height());
}

void PicturePage::setDark(bool dark) { dark_->setChecked(dark); }

FigureOptions PicturePage::options() const {
    FigureOptions options = begun_;
    options.size_points = QSizeF(width_->value(), height_->value());
    options.dpi = dpi_->value();
    options.title = title_->text();
    options.font_family = family_->currentData().toString();
    options.font_points = font_size_->value() < least_font ? 0 : font_size_->value();
    options.logarithmic = logarithm_->isChecked();
    options.low = numberIn(*low_);
    options.high = numberIn(*high_);
    options.numbers = numbers_->isChecked();
    options.color_bar = color_bar_->isChecked();
    options.dark = dark_->isChecked();
    options.transparent = transparent_->isChecked();
    return options;
}

void PicturePage::showPixels() {
    const QSizeF pixels = options().size_points * (dpi_->value() / 72.0);
    pixels_->setText(format_ == FigureFormat::Png
                         ? tr("%1 × %2 pixels").arg(std::lround(pixels.width())).arg(std::lround(pixels.height()))
                         : tr("Vectors: sharp at any size"));
}

void PicturePage::retranslate() {
    const auto name = [this](QWidget* field, const QString& text) {
        if (auto* label = qobject_cast<QLabel*>(form_->labelForField(field)))
            label->setText(text);
        field->setAccessibleName(text);
    };
    name(title_, tr("Title"));
    name(width_, tr("Width"));
    name(height_, tr("Height"));
    name(dpi_, tr("Resolution"));
    for (auto* length : {width_, height_}) {
        length->setSuffix(tr(" pt"));
        length->setToolTip(tr("1 point is 1/72 inch; a column of a paper is often 252 points wide"));
    }
    name(family_, tr("Font"));
    family_->setItemText(0, tr("Sans-serif of the system"));
    name(font_size_, tr("Font size"));
    font_size_->setSpecialValueText(tr("Automatic"));
    font_size_->setSuffix(tr(" pt"));
    font_size_->setToolTip(tr("Of labels and numbers. Automatic: 10 points, or down to 6 where more labels have room "
                              "then."));
    name(range_, tr("Colours from, to"));
    low_->setAccessibleName(tr("Colours from"));
    high_->setAccessibleName(tr("Colours to"));
    for (auto* end : {low_, high_})
        end->setPlaceholderText(tr("Automatic"));
    logarithm_->setText(tr("Logarithmic colours"));
    heads_->setText(tr("All heads, on shared axes"));
    dpi_->setSuffix(tr(" dots per inch"));
    numbers_->setText(tr("Numbers in the cells, where they fit"));
    color_bar_->setText(tr("Colour bar"));
    dark_->setText(tr("Dark"));
    transparent_->setText(tr("Transparent background"));
    showPixels();
}

void PicturePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
