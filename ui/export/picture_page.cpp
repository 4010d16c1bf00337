#include "ui/export/picture_page.h"

#include "ui/document/settings.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDoubleValidator>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <string_view>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int least_font = 4; ///< points
constexpr int usual_dpi = 200;

QDoubleSpinBox* makeLength(double points, const char* name, QWidget* parent) {
    auto* field = new QDoubleSpinBox(parent);
    field->setObjectName(QLatin1String(name));
    field->setRange(smallest_figure_side, largest_figure_side);
    field->setDecimals(1);
    field->setSingleStep(12.0);
    field->setValue(points);
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

QLineEdit* makeText(const QString& text, const char* id, QWidget* parent) {
    auto* field = new QLineEdit(text, parent);
    field->setObjectName(QLatin1String(id));
    return field;
}

/// The name of an axis or a bar; empty: as in the window; a blank: none.
QLineEdit* makeName(const std::optional<QString>& name, const char* id, QWidget* parent) {
    const QString shown = name && name->isEmpty() ? QStringLiteral(" ") : name.value_or(QString());
    auto* field = makeText(shown, id, parent);
    field->setPlaceholderText(PicturePage::tr("Automatic"));
    field->setToolTip(PicturePage::tr("A blank leaves the name out"));
    return field;
}

std::optional<QString> nameIn(const QLineEdit& field) {
    return field.text().isEmpty() ? std::nullopt : std::optional(field.text().trimmed());
}

/// Empty: automatic.
QLineEdit* makeEnd(std::optional<double> end, const char* name, QWidget* parent) {
    auto* field = makeText(end ? QString::number(*end, 'g', QLocale::FloatingPointShortest) : QString(), name, parent);
    auto* validator = new QDoubleValidator(field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
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
    if (!subject.origin->has_arrays)
        return PicturePage::tr("Keep the settings (%1 kB); the inputs are too large for a figure")
            .arg((bytes + 999) / 1000);
    return PicturePage::tr("Keep the inputs, so that the file opens here (%1 kB)").arg((bytes + 999) / 1000);
}

/// The unit in which a style has its width: that which makes it a round number.
QString roundUnit(double points) {
    for (const auto& [id, steps] : {std::pair("in", 4.0), {"mm", 1.0}}) {
        const auto unit = std::ranges::find_if(
            lengthUnits(), [name = std::string_view(id)](const LengthUnit& one) { return one.id == name; });
        const double count = points / unit->points * steps;
        if (std::abs(count - std::round(count)) < 1e-6)
            return QLatin1String(id);
    }
    return QStringLiteral("pt");
}

/// Fields in one row.
QWidget* beside(std::initializer_list<QWidget*> fields, QWidget* parent) {
    auto* all = new QWidget(parent);
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* field : fields)
        row->addWidget(field, qobject_cast<QComboBox*>(field) || qobject_cast<QLabel*>(field) ? 0 : 1);
    return all;
}

} // namespace

PicturePage::PicturePage(const ExportSubject& subject, QWidget* parent)
    : QWidget(parent), begun_(subject.figure), has_origin_(subject.origin != nullptr),
      has_logarithm_(subject.has_logarithm), tabs_(new SegmentSwitch(this)), pages_(new QStackedWidget(this)),
      title_(makeText(begun_.title, "title", this)), style_(new QComboBox(this)),
      width_(makeLength(begun_.size_points.width(), "width", this)),
      height_(makeLength(begun_.size_points.height(), "height", this)), units_(new QComboBox(this)),
      automatic_height_(
          makeCheck(tr("Height as the content needs"), begun_.automatic_height, "automatic_height", this)),
      dpi_(makeNumber(36, 1200, subject.has_dpi ? begun_.dpi : usual_dpi, "dpi", this)), pixels_(new Label(this)),
      family_(new QComboBox(this)),
      font_size_(makeNumber(least_font - 1, 72, begun_.font_points, "font_size", this)), // the minimum means automatic
      issues_(new Label(this)), dark_(makeCheck(tr("Dark background"), begun_.dark, "dark", this)),
      transparent_(makeCheck(tr("Transparent background"), begun_.transparent, "transparent", this)),
      inputs_(makeCheck(inputsWords(subject), settings::keepsInputs(), "keeps_inputs", this)),
      colormap_(new QComboBox(this)),
      logarithm_(makeCheck(tr("Logarithmic colours"), begun_.logarithmic, "logarithm", this)),
      low_(makeEnd(begun_.low, "low", this)), high_(makeEnd(begun_.high, "high", this)),
      color_bar_(makeCheck(tr("Colour bar"), begun_.color_bar, "color_bar", this)),
      bar_title_(makeName(begun_.bar_title, "bar_title", this)),
      column_title_(makeName(begun_.column_title, "column_title", this)),
      row_title_(makeName(begun_.row_title, "row_title", this)),
      axis_labels_(makeCheck(tr("Labels of rows and columns"), begun_.labels, "axis_labels", this)),
      numbers_(makeCheck(tr("Numbers in the cells, where they fit"), begun_.numbers, "numbers", this)),
      profiles_(makeCheck(tr("Profiles beside the heatmap"), begun_.profiles, "profiles", this)),
      digits_(makeNumber(1, 4, begun_.digits, "digits", this)),
      columns_(makeNumber(0, 64, begun_.columns, "columns_of_heads", this)),
      panel_names_(makeText(begun_.panel_names.join(QStringLiteral(", ")), "panel_names", this)),
      letters_(makeCheck(tr("Letters a, b, c"), begun_.letters, "letters", this)) {
    const FigureOptions usual;
    has_chosen_height_ = begun_.automatic_height || begun_.size_points != usual.size_points;
    build();
    connectAll();
    refresh();
}

void PicturePage::build() {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(12);
    all->addWidget(tabs_, 0, Qt::AlignLeft);
    all->addWidget(pages_);
    tabs_->setAccessibleName(tr("Options"));
    addTab(tr("Size and text"));
    buildSize();
    addTab(tr("Colours"));
    buildColors();
    addTab(tr("Axes and cells"));
    buildCells();
}

void PicturePage::addTab(const QString& title) {
    auto* page = new QWidget;
    form_ = new QFormLayout(page);
    form_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(page);
    tabs_->addTab(title);
}

void PicturePage::add(const QString& text, QWidget* field) {
    auto* label = new Label(text, this);
    label->setBuddy(field);
    form_->addRow(label, field);
    field->setAccessibleName(text);
}

void PicturePage::addCheck(QCheckBox* check) { form_->addRow(QString(), check); }

void PicturePage::buildSize() {
    dpi_->setSuffix(tr(" dots per inch"));
    family_->setObjectName(QStringLiteral("font"));
    family_->addItem(tr("System font"), QString());
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
    style_->setObjectName(QStringLiteral("style"));
    style_->addItem(tr("Own"), QString());
    for (const auto& style : figureStyles())
        style_->addItem(translated(style.title), QLatin1String(style.id));
    style_->setCurrentIndex(std::max(0, style_->findData(begun_.style)));
    units_->setObjectName(QStringLiteral("units"));
    for (const auto& unit : lengthUnits())
        units_->addItem(QLatin1String(unit.id));
    automatic_height_->setToolTip(tr("The height follows from the width"));
    issues_->setObjectName(QStringLiteral("issues"));
    issues_->setWordWrap(true);
    inputs_->setToolTip(tr("The settings of the figure, and its arrays where they are small. Whoever has the file has "
                           "them too."));
    add(tr("Title"), title_);
    add(tr("Style"), style_);
    add(tr("Size"), beside({width_, new Label(QStringLiteral("×"), this), height_, units_}, this));
    width_->setAccessibleName(tr("Width"));
    height_->setAccessibleName(tr("Height"));
    units_->setAccessibleName(tr("Unit of length"));
    addCheck(automatic_height_);
    add(tr("Resolution"), dpi_);
    form_->addRow(QString(), pixels_);
    add(tr("Font"), family_);
    add(tr("Font size"), font_size_);
    form_->addRow(QString(), issues_);
    addCheck(dark_);
    addCheck(transparent_);
    addCheck(inputs_);
}

void PicturePage::buildColors() {
    colormap_->setObjectName(QStringLiteral("colormap"));
    const int height = fontMetrics().ascent();
    colormap_->setIconSize(QSize(height * 3, height));
    colormap_->addItem(tr("Automatic"), QString());
    for (const auto& map : colormaps())
        colormap_->addItem(colormapIcon(map, colormap_->iconSize()), colormapTitle(map), map.id);
    colormap_->setCurrentIndex(std::max(0, colormap_->findData(begun_.colormap)));
    colormap_->setToolTip(tr("All of them can be read by colour-blind eyes"));
    add(tr("Colours"), colormap_);
    addCheck(logarithm_);
    add(tr("Colour range"), beside({low_, high_}, this));
    low_->setAccessibleName(tr("Colour range from"));
    high_->setAccessibleName(tr("Colour range to"));
    addCheck(color_bar_);
    add(tr("Name of the colour bar"), bar_title_);
}

void PicturePage::buildCells() {
    digits_->setSpecialValueText(tr("Automatic"));
    columns_->setSpecialValueText(tr("Automatic"));
    panel_names_->setPlaceholderText(tr("Automatic"));
    panel_names_->setToolTip(tr("Above the heatmaps, in their order, with commas between them"));
    addCheck(axis_labels_);
    add(tr("Horizontal axis"), column_title_);
    add(tr("Vertical axis"), row_title_);
    addCheck(numbers_);
    add(tr("Digits, at most"), digits_);
    profiles_->setToolTip(
        tr("At the right the entropy of each query, below the mean weight of each key over the queries "
           "that may read it; of a map the largest or the mean of each row and column"));
    addCheck(profiles_);
    add(tr("Names of the heatmaps"), panel_names_);
    add(tr("Heatmaps in a row"), columns_);
    addCheck(letters_);
}

void PicturePage::connectAll() {
    const auto notify = [this] {
        refresh();
        emit changed();
    };
    connect(tabs_, &QTabBar::currentChanged, pages_, &QStackedWidget::setCurrentIndex);
    for (auto* length : {width_, height_})
        connect(length, &QDoubleSpinBox::valueChanged, this, notify);
    for (auto* number : {dpi_, font_size_, digits_, columns_})
        connect(number, &QSpinBox::valueChanged, this, notify);
    for (auto* choice : {family_, colormap_})
        connect(choice, &QComboBox::currentIndexChanged, this, notify);
    connect(style_, &QComboBox::activated, this, [this, notify] {
        chooseStyle(style_->currentData().toString());
        notify();
    });
    connect(units_, &QComboBox::currentIndexChanged, this, &PicturePage::chooseUnit);
    for (auto* line : {title_, low_, high_, column_title_, row_title_, bar_title_, panel_names_})
        connect(line, &QLineEdit::textChanged, this, notify);
    for (auto* check :
         {logarithm_, numbers_, color_bar_, dark_, transparent_, automatic_height_, letters_, axis_labels_, profiles_})
        connect(check, &QCheckBox::toggled, this, notify);
    const auto choose_height = [this] { has_chosen_height_ = true; };
    connect(height_, &QDoubleSpinBox::valueChanged, this, choose_height);
    connect(automatic_height_, &QCheckBox::toggled, this, choose_height);
    connect(style_, &QComboBox::activated, this, choose_height);
    connect(inputs_, &QCheckBox::toggled, this, [](bool keeps) { settings::setKeepsInputs(keeps); });
}

void PicturePage::showRow(QWidget* field, bool shown) {
    for (int page = 0; page < pages_->count(); ++page)
        if (auto* form = qobject_cast<QFormLayout*>(pages_->widget(page)->layout()); form->indexOf(field) >= 0)
            form->setRowVisible(field, shown);
}

void PicturePage::setOutput(const Format& format, bool is_heatmap, bool carries_origin, bool follows_tokens) {
    has_pixels_ = format.has_pixels;
    is_heatmap_ = is_heatmap;
    dpi_->setEnabled(has_pixels_);
    if (!is_heatmap)
        tabs_->setCurrentIndex(0);
    if (!has_chosen_height_) { // arcs and bars of few tokens need little
        const QSignalBlocker quiet(this);
        automatic_height_->setChecked(follows_tokens);
        has_chosen_height_ = false;
    }
    tabs_->setVisible(is_heatmap);
    showRow(transparent_, format.kind == FormatKind::Picture);
    showRow(inputs_, has_origin_ && carries_origin && format.has_settings);
    showRow(colormap_, has_logarithm_);
    showRow(logarithm_, has_logarithm_);
    refresh();
}

void PicturePage::setLostLetters(const QStringList& words) {
    if (std::exchange(lost_letters_, words) != words)
        refresh();
}

void PicturePage::setHeatmaps(std::size_t count, bool have_margins) {
    have_margins_ = have_margins;
    showRow(profiles_, have_margins);
    for (QWidget* field : std::initializer_list<QWidget*>{panel_names_, columns_, letters_})
        showRow(field, count > 1);
}

void PicturePage::setKeepsInputs(bool keeps) { inputs_->setChecked(keeps); }

void PicturePage::proposeTitle(const QString& title) {
    const auto before = std::exchange(proposed_, title);
    if (before && *before != title && title_->text() == *before)
        title_->setText(title);
}

FigureOptions PicturePage::options() const {
    FigureOptions options = begun_;
    options.size_points = lengths();
    options.automatic_height = automatic_height_->isChecked();
    options.style = style_->currentData().toString();
    options.column_title = nameIn(*column_title_);
    options.row_title = nameIn(*row_title_);
    options.bar_title = nameIn(*bar_title_);
    options.panel_names.clear();
    if (!panel_names_->text().trimmed().isEmpty())
        for (const auto& name : panel_names_->text().split(QLatin1Char(',')))
            options.panel_names << name.trimmed();
    options.digits = digits_->value() < 2 ? 0 : digits_->value();
    options.columns = columns_->value();
    options.colormap = colormap_->currentData().toString();
    options.letters = letters_->isChecked();
    options.labels = axis_labels_->isChecked();
    options.profiles = profiles_->isChecked() && have_margins_;
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

QSizeF PicturePage::lengths() const {
    const double points = lengthUnits()[static_cast<std::size_t>(unit_)].points;
    return QSizeF(width_->value() * points, height_->value() * points);
}

void PicturePage::setLengths(const QSizeF& points) {
    const double unit = lengthUnits()[static_cast<std::size_t>(unit_)].points;
    for (auto [field, length] : {std::pair(width_, points.width()), {height_, points.height()}}) {
        const QSignalBlocker quiet(field);
        field->setDecimals(unit > 10.0 ? 2 : 1);
        field->setRange(smallest_figure_side / unit, largest_figure_side / unit);
        field->setSingleStep(unit > 30.0 ? 0.25 : unit > 10.0 ? 0.5 : unit > 1.5 ? 5.0 : 12.0);
        field->setValue(length / unit);
    }
}

void PicturePage::chooseUnit(int unit) {
    const QSizeF points = lengths();
    unit_ = unit;
    setLengths(points);
}

/// Of no style: the fields stay.
void PicturePage::chooseStyle(const QString& id) {
    begun_.style = id;
    begun_.largest_points = FigureOptions().largest_points;
    if (id.isEmpty())
        return;
    auto styled = options();
    applyStyle(styled, figureStyle(id));
    begun_.largest_points = styled.largest_points;
    const QSignalBlocker quiet(this);
    units_->setCurrentIndex(units_->findText(roundUnit(styled.size_points.width())));
    setLengths(styled.size_points);
    automatic_height_->setChecked(styled.automatic_height);
    dpi_->setValue(styled.dpi);
    font_size_->setValue(font_size_->minimum());
    dark_->setChecked(styled.dark);
}

/// What follows from other fields.
void PicturePage::refresh() {
    height_->setEnabled(!automatic_height_->isChecked());
    column_title_->setEnabled(axis_labels_->isChecked());
    row_title_->setEnabled(axis_labels_->isChecked());
    bar_title_->setEnabled(color_bar_->isChecked());
    digits_->setEnabled(numbers_->isChecked());
    QStringList issues = lost_letters_;
    for (const auto& issue : styleIssues(options(), has_pixels_))
        issues << translated(issue);
    issues_->setText(issues.join(QLatin1Char('\n')));
    showRow(issues_, !issues.isEmpty());
    const QSizeF pixels = options().size_points * (dpi_->value() / points_per_inch);
    pixels_->setText(
        has_pixels_ && automatic_height_->isChecked() ? tr("%1 pixels wide").arg(std::lround(pixels.width()))
        : has_pixels_ ? tr("%1 × %2 pixels").arg(std::lround(pixels.width())).arg(std::lround(pixels.height()))
                      : tr("Vectors: sharp at any size"));
}

} // namespace attnlab::ui
