#include "ui/export/picture_page.h"

#include "ui/label.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double points_per_millimetre = 72.0 / 25.4;

QDoubleSpinBox* makeLength(double millimetres, const QString& name, QWidget* parent) {
    auto* field = new QDoubleSpinBox(parent);
    field->setObjectName(name);
    field->setRange(20.0, 2000.0);
    field->setDecimals(1);
    field->setSingleStep(5.0);
    field->setValue(millimetres);
    return field;
}

QCheckBox* makeCheck(bool on, const QString& name, QWidget* parent) {
    auto* check = new QCheckBox(parent);
    check->setObjectName(name);
    check->setChecked(on);
    return check;
}

} // namespace

PicturePage::PicturePage(QWidget* parent)
    : QWidget(parent), width_(makeLength(160, QStringLiteral("width"), this)),
      height_(makeLength(130, QStringLiteral("height"), this)), dpi_(new QSpinBox(this)), pixels_(new Label(this)),
      title_(new QLineEdit(this)), numbers_(makeCheck(true, QStringLiteral("numbers"), this)),
      color_bar_(makeCheck(true, QStringLiteral("color_bar"), this)),
      dark_(makeCheck(false, QStringLiteral("dark"), this)),
      transparent_(makeCheck(false, QStringLiteral("transparent"), this)), form_(new QFormLayout(this)) {
    dpi_->setObjectName(QStringLiteral("dpi"));
    dpi_->setRange(36, 1200);
    dpi_->setValue(200);
    title_->setObjectName(QStringLiteral("title"));
    pixels_->setForegroundRole(QPalette::PlaceholderText);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->addRow(new Label(this), title_);
    form_->addRow(new Label(this), width_);
    form_->addRow(new Label(this), height_);
    form_->addRow(new Label(this), dpi_);
    form_->addRow(QString(), pixels_);
    for (auto* check : {numbers_, color_bar_, dark_, transparent_})
        form_->addRow(QString(), check);

    const auto notify = [this] {
        showPixels();
        emit changed();
    };
    connect(width_, &QDoubleSpinBox::valueChanged, this, notify);
    connect(height_, &QDoubleSpinBox::valueChanged, this, notify);
    connect(dpi_, &QSpinBox::valueChanged, this, notify);
    connect(title_, &QLineEdit::textChanged, this, notify);
    for (auto* check : {numbers_, color_bar_, dark_, transparent_})
        connect(check, &QCheckBox::toggled, this, notify);
    retranslate();
}

void PicturePage::setTitle(const QString& title) { title_->setText(title); }

void PicturePage::setFormat(FigureFormat format) {
    format_ = format;
    dpi_->setEnabled(format == FigureFormat::Png);
    showPixels();
}

void PicturePage::setHeatmap(bool heatmap) {
    numbers_->setVisible(heatmap);
    color_bar_->setVisible(heatmap);
}

void PicturePage::setTransparencyOffered(bool offered) { transparent_->setVisible(offered); }

void PicturePage::setPoints(const QSizeF& size) {
    width_->setValue(size.width() / points_per_millimetre);
    height_->setValue(size.height() / points_per_millimetre);
}

FigureOptions PicturePage::options() const {
    FigureOptions options;
    options.size_points = QSizeF(width_->value(), height_->value()) * points_per_millimetre;
    options.dpi = dpi_->value();
    options.title = title_->text();
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
    width_->setSuffix(tr(" mm"));
    height_->setSuffix(tr(" mm"));
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
