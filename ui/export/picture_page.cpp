#include "ui/export/picture_page.h"

#include "ui/document/settings.h"
#include "ui/widgets/label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDoubleValidator>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int least_font = 4; ///< points
constexpr int usual_dpi = 200;

QDoubleSpinBox* makeLength(double points, const char* name, QWidget* parent) {
    auto* field = new QDoubleSpinBox(parent);
    field->setObjectName(QLatin1String(name));
    field->setRange(36.0, 14400.0);
    field->setDecimals(1);
    field->setSingleStep(12.0);
    field->setValue(points);
    field->setSuffix(PicturePage::tr(" pt"));
    field->setToolTip(PicturePage::tr("1 point is 1/72 inch; a column of a paper is often 252 points wide"));
    return field;
}

QSpinBox* makeNumber(int least, int most, int value, const char* name, QWidget* parent) {
    auto* field = new QSpinBox(parent);
    field->setObjectName(QLatin1String(name));
    field->setRange(least, most);
    field->setValue(value);
    return field;
}

/// Empty: automatic.
QLineEdit* makeEnd(std::optional<double> end, const char* name, QWidget* parent) {
    auto* field = new QLineEdit(parent);
    field->setObjectName(QLatin1String(name));
    auto* validator = new QDoubleValidator(field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
    field->setText(end ? QString::number(*end, 'g', QLocale::FloatingPointShortest) : QString());
    field->setPlaceholderText(PicturePage::tr("Automatic"));
    return field;
}

std::optional<double> numberIn(const QLineEdit& field) {
    bool ok = false;
    const double value = field.text().toDouble(&ok);
    return ok && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

QCheckBox* makeCheck(const QString& text, bool on, const char* name, QWidget* parent) {
    auto* check = new QCheckBox(text, parent);
    check->setObjectName(QLatin1String(name));
    check->setChecked(on);
    return check;
}

QString inputsWords(const ExportSubject& subject) {
    if (!subject.origin)
        return {};
    const auto bytes = settingsText(*subject.origin, subject.figure).size();
    return PicturePage::tr("Keep the inputs, so that the file opens here (%1 kB)").arg((bytes + 999) / 1000);
}

} // namespace

PicturePage::PicturePage(const ExportSubject& subject, QWidget* parent)
    : QWidget(parent), begun_(subject.figure), title_(new QLineEdit(begun_.title, this)),
      width_(makeLength(begun_.size_points.width(), "width", this)),
      height_(makeLength(begun_.size_points.height(), "height", this)),
      dpi_(makeNumber(36, 1200, subject.has_dpi ? begun_.dpi : usual_dpi, "dpi", this)), pixels_(new Label(this)),
      family_(new QComboBox(this)),
      font_size_(makeNumber(least_font - 1, 72, begun_.font_points, "font_size", this)), // the minimum means automatic
      low_(makeEnd(begun_.low, "low", this)), high_(makeEnd(begun_.high, "high", this)),
      logarithm_(makeCheck(tr("Logarithmic colours"), begun_.logarithmic, "logarithm", this)),
      numbers_(makeCheck(tr("Numbers in the cells, where they fit"), begun_.numbers, "numbers", this)),
      color_bar_(makeCheck(tr("Colour bar"), begun_.color_bar, "color_bar", this)),
      dark_(makeCheck(tr("Dark"), begun_.dark, "dark", this)),
      transparent_(makeCheck(tr("Transparent background"), begun_.transparent, "transparent", this)),
      inputs_(makeCheck(inputsWords(subject), settings::keepsInputs(), "keeps_inputs", this)),
      form_(new QFormLayout(this)) {
    build();
    has_origin_ = subject.origin != nullptr;
    inputs_->setVisible(has_origin_);
    inputs_->setToolTip(tr("The settings of the figure, and its arrays where they are small. Whoever has the file has "
                           "them too."));
    connect(inputs_, &QCheckBox::toggled, this, [](bool keeps) { settings::setKeepsInputs(keeps); });
    for (QWidget* choice : std::initializer_list<QWidget*>{numbers_, color_bar_})
        choice->setVisible(subject.is_heatmap);
    logarithm_->setVisible(subject.is_heatmap && subject.has_logarithm);
    form_->setRowVisible(low_->parentWidget(), subject.is_heatmap);
    const auto notify = [this] {
        showPixels();
        emit changed();
    };
    for (auto* length : {width_, height_})
        connect(length, &QDoubleSpinBox::valueChanged, this, notify);
    for (auto* number : {dpi_, font_size_})
        connect(number, &QSpinBox::valueChanged, this, notify);
    connect(family_, &QComboBox::currentIndexChanged, this, notify);
    for (auto* line : {title_, low_, high_})
        connect(line, &QLineEdit::textChanged, this, notify);
    for (auto* check : {logarithm_, numbers_, color_bar_, dark_, transparent_})
        connect(check, &QCheckBox::toggled, this, notify);
    showPixels();
}

void PicturePage::build() {
    title_->setObjectName(QStringLiteral("title"));
    dpi_->setSuffix(tr(" dots per inch"));
    family_->setObjectName(QStringLiteral("font"));
    family_->addItem(tr("Sans-serif of the system"), QString());
    for (const auto& family : QFontDatabase::families())
        family_->addItem(family, family);
    family_->setCurrentIndex(std::max(0, family_->findData(begun_.font_family)));
    family_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    family_->setMinimumContentsLength(12);
    font_size_->setSpecialValueText(tr("Automatic"));
    font_size_->setSuffix(tr(" pt"));
    font_size_->setToolTip(tr("Of labels and numbers. Automatic: 10 points, or down to 6 where more labels have room "
                              "then."));
    pixels_->setForegroundRole(QPalette::PlaceholderText);
    auto* range = new QWidget(this);
    auto* ends = new QHBoxLayout(range);
    ends->setContentsMargins(0, 0, 0, 0);
    ends->addWidget(low_);
    ends->addWidget(high_);
    form_->setContentsMargins(0, 0, 0, 0);
    const auto add = [this](const QString& text, QWidget* field) {
        auto* label = new Label(text, this);
        label->setBuddy(field);
        form_->addRow(label, field);
        field->setAccessibleName(text);
    };
    add(tr("Title"), title_);
    add(tr("Width"), width_);
    add(tr("Height"), height_);
    add(tr("Resolution"), dpi_);
    form_->addRow(QString(), pixels_);
    add(tr("Font"), family_);
    add(tr("Font size"), font_size_);
    add(tr("Colours from, to"), range);
    low_->setAccessibleName(tr("Colours from"));
    high_->setAccessibleName(tr("Colours to"));
    for (auto* check : {logarithm_, numbers_, color_bar_, dark_, transparent_, inputs_})
        form_->addRow(QString(), check);
}

void PicturePage::setFormat(const Format& format) {
    has_pixels_ = format.has_pixels;
    dpi_->setEnabled(has_pixels_);
    transparent_->setVisible(format.kind == FormatKind::Picture);
    inputs_->setVisible(has_origin_ && format.kind == FormatKind::Picture);
    showPixels();
}

void PicturePage::exchangeTitles(const QString& first, const QString& second, bool to_second) {
    if (title_->text() == (to_second ? first : second))
        title_->setText(to_second ? second : first);
}

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
    options.keeps_inputs = inputs_->isChecked();
    return options;
}

void PicturePage::showPixels() {
    const QSizeF pixels = options().size_points * (dpi_->value() / points_per_inch);
    pixels_->setText(has_pixels_
                         ? tr("%1 × %2 pixels").arg(std::lround(pixels.width())).arg(std::lround(pixels.height()))
                         : tr("Vectors: sharp at any size"));
}

} // namespace attnlab::ui
