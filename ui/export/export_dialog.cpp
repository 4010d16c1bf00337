#include "ui/export/export_dialog.h"

#include "ui/document/background_files.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QDoubleValidator>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QtPdf/QPdfDocument>
#include <QVBoxLayout>

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

/// The name of an axis or a bar; empty: as in the window.
QLineEdit* makeName(const std::optional<QString>& name, const char* id, QWidget* parent) {
    auto* field = new QLineEdit(name.value_or(QString()), parent);
    field->setObjectName(QLatin1String(id));
    field->setPlaceholderText(PicturePage::tr("Automatic"));
    return field;
}

std::optional<QString> nameIn(const QLineEdit& field) {
    return field.text().isEmpty() ? std::nullopt : std::optional(field.text());
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
    if (!subject.origin->has_arrays)
        return PicturePage::tr("Keep the settings (%1 kB); the inputs are too large for a figure")
            .arg((bytes + 999) / 1000);
    return PicturePage::tr("Keep the inputs, so that the file opens here (%1 kB)").arg((bytes + 999) / 1000);
}

} // namespace

PicturePage::PicturePage(const ExportSubject& subject, QWidget* parent)
    : QWidget(parent), begun_(subject.figure), style_(new QComboBox(this)), units_(new QComboBox(this)),
      automatic_height_(
          makeCheck(tr("Height as the content needs"), begun_.automatic_height, "automatic_height", this)),
      column_title_(makeName(begun_.column_title, "column_title", this)),
      row_title_(makeName(begun_.row_title, "row_title", this)),
      bar_title_(makeName(begun_.bar_title, "bar_title", this)),
      digits_(makeNumber(1, 4, begun_.digits, "digits", this)),
      columns_(makeNumber(0, 64, begun_.columns, "columns_of_heads", this)), colormap_(new QComboBox(this)),
      letters_(makeCheck(tr("Letters a, b, c"), begun_.letters, "letters", this)), issues_(new Label(this)),
      title_(new QLineEdit(begun_.title, this)), width_(makeLength(begun_.size_points.width(), "width", this)),
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
    for (QWidget* choice : std::initializer_list<QWidget*>{numbers_, color_bar_, letters_})
        choice->setVisible(subject.is_heatmap);
    for (QWidget* choice : std::initializer_list<QWidget*>{column_title_, row_title_, bar_title_, digits_, columns_})
        form_->setRowVisible(choice, subject.is_heatmap);
    form_->setRowVisible(colormap_, subject.is_heatmap && subject.has_logarithm);
    logarithm_->setVisible(subject.is_heatmap && subject.has_logarithm);
    form_->setRowVisible(low_->parentWidget(), subject.is_heatmap);
    const auto notify = [this] {
        showPixels();
        emit changed();
    };
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
    for (auto* line : {title_, low_, high_, column_title_, row_title_, bar_title_})
        connect(line, &QLineEdit::textChanged, this, notify);
    for (auto* check : {logarithm_, numbers_, color_bar_, dark_, transparent_, automatic_height_, letters_})
        connect(check, &QCheckBox::toggled, this, notify);
    showPixels();
}

void PicturePage::build() {
    title_->setObjectName(QStringLiteral("title"));
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
    digits_->setSpecialValueText(tr("Automatic"));
    columns_->setSpecialValueText(tr("Automatic"));
    colormap_->setObjectName(QStringLiteral("colormap"));
    colormap_->addItem(tr("Automatic"), QString());
    for (const auto& map : colormaps())
        colormap_->addItem(map.id, map.id);
    colormap_->setCurrentIndex(std::max(0, colormap_->findData(begun_.colormap)));
    issues_->setObjectName(QStringLiteral("issues"));
    issues_->setWordWrap(true);
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
    add(tr("Style"), style_);
    auto* sides = new QWidget(this);
    auto* lengths = new QHBoxLayout(sides);
    lengths->setContentsMargins(0, 0, 0, 0);
    lengths->addWidget(width_, 1);
    lengths->addWidget(new Label(QStringLiteral("×"), sides));
    lengths->addWidget(height_, 1);
    lengths->addWidget(units_);
    add(tr("Size"), sides);
    width_->setAccessibleName(tr("Width"));
    height_->setAccessibleName(tr("Height"));
    units_->setAccessibleName(tr("Unit of length"));
    form_->addRow(QString(), automatic_height_);
    add(tr("Resolution"), dpi_);
    form_->addRow(QString(), pixels_);
    add(tr("Font"), family_);
    add(tr("Font size"), font_size_);
    form_->addRow(QString(), issues_);
    add(tr("Colours"), colormap_);
    add(tr("Colour range"), range);
    add(tr("Horizontal axis"), column_title_);
    add(tr("Vertical axis"), row_title_);
    add(tr("Name of the colour bar"), bar_title_);
    add(tr("Digits, at most"), digits_);
    add(tr("Heads in a row"), columns_);
    low_->setAccessibleName(tr("Colours from"));
    high_->setAccessibleName(tr("Colours to"));
    for (auto* check : {logarithm_, numbers_, letters_, color_bar_, dark_, transparent_, inputs_})
        form_->addRow(QString(), check);
}

void PicturePage::setFormat(const Format& format) {
    has_pixels_ = format.has_pixels;
    dpi_->setEnabled(has_pixels_);
    transparent_->setVisible(format.kind == FormatKind::Picture);
    inputs_->setVisible(has_origin_ && format.kind == FormatKind::Picture && format.any_picture);
    showPixels();
}

void PicturePage::setKeepsInputs(bool keeps) { inputs_->setChecked(keeps); }

void PicturePage::exchangeTitles(const QString& first, const QString& second, bool to_second) {
    if (title_->text() == (to_second ? first : second))
        title_->setText(to_second ? second : first);
}

FigureOptions PicturePage::options() const {
    FigureOptions options = begun_;
    options.size_points = lengths();
    options.automatic_height = automatic_height_->isChecked();
    options.style = style_->currentData().toString();
    options.column_title = nameIn(*column_title_);
    options.row_title = nameIn(*row_title_);
    options.bar_title = nameIn(*bar_title_);
    options.digits = digits_->value() < 2 ? 0 : digits_->value();
    options.columns = columns_->value();
    options.colormap = colormap_->currentData().toString();
    options.letters = letters_->isChecked();
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
    setLengths(styled.size_points);
    automatic_height_->setChecked(styled.automatic_height);
    dpi_->setValue(styled.dpi);
    font_size_->setValue(font_size_->minimum());
    dark_->setChecked(styled.dark);
}

void PicturePage::showPixels() {
    height_->setEnabled(!automatic_height_->isChecked());
    QStringList issues;
    for (const auto& issue : styleIssues(options(), has_pixels_))
        issues << translated(issue);
    issues_->setText(issues.join(QLatin1Char('\n')));
    form_->setRowVisible(issues_, !issues.isEmpty());
    const QSizeF pixels = options().size_points * (dpi_->value() / points_per_inch);
    pixels_->setText(
        has_pixels_ && automatic_height_->isChecked() ? tr("%1 pixels wide").arg(std::lround(pixels.width()))
        : has_pixels_ ? tr("%1 × %2 pixels").arg(std::lround(pixels.width())).arg(std::lround(pixels.height()))
                      : tr("Vectors: sharp at any size"));
}

AnimationPage::AnimationPage(int steps, QWidget* parent)
    : QWidget(parent), seconds_(new QDoubleSpinBox(this)), first_(new QSpinBox(this)), last_(new QSpinBox(this)),
      loop_(new QCheckBox(tr("Loop"), this)), length_(new Label(this)) {
    seconds_->setObjectName(QStringLiteral("seconds"));
    first_->setObjectName(QStringLiteral("first"));
    last_->setObjectName(QStringLiteral("last"));
    loop_->setObjectName(QStringLiteral("loop"));
    seconds_->setRange(0.05, 60.0);
    seconds_->setSingleStep(0.25);
    seconds_->setValue(1.5);
    seconds_->setSuffix(tr(" s"));
    for (auto* end : {first_, last_})
        end->setRange(1, std::max(1, steps));
    last_->setValue(steps);
    loop_->setChecked(true);
    length_->setForegroundRole(QPalette::PlaceholderText);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    const auto add = [this, form](const QString& text, QWidget* field) {
        auto* label = new Label(text, this);
        label->setBuddy(field);
        form->addRow(label, field);
        field->setAccessibleName(text);
    };
    add(tr("Time a step"), seconds_);
    add(tr("First step"), first_);
    add(tr("Last step"), last_);
    form->addRow(QString(), loop_);
    form->addRow(QString(), length_);
    connect(seconds_, &QDoubleSpinBox::valueChanged, this, &AnimationPage::showLength);
    connect(first_, &QSpinBox::valueChanged, this, [this](int first) {
        last_->setMinimum(first);
        showLength();
    });
    connect(last_, &QSpinBox::valueChanged, this, &AnimationPage::showLength);
    showLength();
}

AnimationOptions AnimationPage::options(const FigureOptions& figure) const {
    AnimationOptions options;
    options.figure = figure;
    options.seconds = seconds_->value();
    options.loop = loop_->isChecked();
    options.first = first_->value() - 1;
    options.last = last_->value() - 1;
    return options;
}

void AnimationPage::showLength() {
    const int steps = last_->value() - first_->value() + 1;
    const double seconds = (steps - 1) * seconds_->value() + std::max(seconds_->value(), least_last);
    length_->setText(tr("%n steps, %1 seconds", nullptr, steps).arg(seconds, 0, 'f', 1));
}

namespace {

constexpr QSize preview_size(540, 320); ///< 5.5 inches wide on a screen of 96 dots per inch
constexpr QSize page_preview_size(360, 420);
constexpr int least_preview = 160, beside_preview = 16;

/// Without the frame of the window.
QSize roomOn(const QScreen& screen) { return screen.availableGeometry().size() * 0.94; }

int mostSteps(const ExportSubject& subject) {
    int steps = 1;
    for (const auto& output : subject.outputs)
        steps = std::max(steps, output.steps);
    return steps;
}

/// The value of the field of a choice.
int valueOf(const QWidget& field) {
    if (const auto* names = qobject_cast<const QComboBox*>(&field))
        return names->currentIndex();
    if (const auto* number = qobject_cast<const QSpinBox*>(&field))
        return number->value();
    return qobject_cast<const QCheckBox*>(&field)->isChecked();
}

} // namespace

ExportDialog::ExportDialog(ExportSubject subject, QWidget* parent)
    : QDialog(parent), subject_(std::move(subject)), what_(new QComboBox(this)), format_(new QComboBox(this)),
      form_(new QFormLayout), picture_(new PicturePage(subject_, this)),
      animation_(new AnimationPage(mostSteps(subject_), this)), description_(new Label(this)),
      preview_(new Label(this)), error_(new ErrorLabel(this)),
      making_pages_([this](QByteArray pages) { showPages(std::move(pages)); }, JobOptions({}, WorkPool::Files)) {
    setWindowTitle(subject_.title);
    what_->setObjectName(QStringLiteral("what"));
    what_->setAccessibleName(tr("What"));
    for (const auto& output : subject_.outputs)
        what_->addItem(output.title);
    format_->setObjectName(QStringLiteral("format"));
    format_->setAccessibleName(tr("Format"));
    layOut();
    connectAll();
    refreshFormats();
}

void ExportDialog::layOut() {
    form_->addRow(tr("&What"), what_);
    form_->setRowVisible(what_, subject_.outputs.size() > 1);
    form_->addRow(tr("&Format"), format_);
    for (const auto& choice : subject_.choices)
        addChoice(choice);
    description_->setWordWrap(true);
    description_->setForegroundRole(QPalette::PlaceholderText);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setAccessibleName(tr("Preview"));
    auto* buttons = new QDialogButtonBox(this);
    export_button_ = buttons->addButton(tr("&Export…"), QDialogButtonBox::AcceptRole);
    export_button_->setDefault(true);
    buttons->addButton(QDialogButtonBox::Cancel);
    // export_button_ has the accept role only for its position: the dialog stays until the file is written.
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* row = new QHBoxLayout;
    row->setSpacing(beside_preview);
    auto* options = new QWidget(this);
    auto* pages = new QVBoxLayout(options);
    pages->setContentsMargins({});
    pages->addWidget(picture_);
    pages->addWidget(animation_);
    pages->addStretch(1);
    options_ = new FittingScrollArea(options, FittingScrollArea::Scrolls::Down, this);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    options_->setSizePolicy(policy);
    row->addWidget(options_);
    row->addWidget(preview_, 1);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(12);
    all->addLayout(form_);
    all->addWidget(description_);
    all->addLayout(row, 1);
    all->addWidget(error_);
    all->addWidget(buttons);
    all->addStrut(fontMetrics().averageCharWidth() * 70);
}

/// As large as the options, where the screen has room; it does not become smaller with fewer of them.
void ExportDialog::giveRoom() {
    preview_->setMinimumSize(previewSize());
    layout()->activate();
    const int width = std::max(this->width(), sizeHint().width());
    const QSize wanted = size().expandedTo({width, layout()->totalHeightForWidth(width)});
    resize(wanted.boundedTo(roomOn(*screen())));
}

QSize ExportDialog::previewSize() const {
    const QMargins margins = layout()->contentsMargins();
    const int beside = options_->minimumSizeHint().width() + beside_preview + margins.left() + margins.right();
    const int room = roomOn(*screen()).width() - beside;
    const QSize largest = output().bytes ? page_preview_size : preview_size;
    return {std::clamp(room, least_preview, largest.width()), largest.height()};
}

void ExportDialog::addChoice(const ExportChoice& choice) {
    QWidget* field = nullptr;
    if (!choice.names.isEmpty()) {
        auto* names = new QComboBox(this);
        names->addItems(choice.names);
        names->setCurrentIndex(choice.value);
        connect(names, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
        field = names;
    } else if (choice.most > 1) {
        auto* number = new QSpinBox(this);
        number->setRange(choice.least, choice.most);
        number->setValue(choice.value);
        connect(number, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
        field = number;
    } else {
        auto* check = new QCheckBox(choice.label, this);
        check->setChecked(choice.value > 0);
        connect(check, &QCheckBox::toggled, this, [this, &choice](bool chosen) {
            if (!choice.title.isEmpty())
                picture_->exchangeTitles(subject_.figure.title, choice.title, chosen);
            refresh();
        });
        field = check;
    }
    field->setObjectName(choice.id);
    field->setAccessibleName(withoutMnemonic(choice.label));
    form_->addRow(qobject_cast<QCheckBox*>(field) ? QString() : choice.label, field);
    choices_.push_back({&choice, field});
}

void ExportDialog::connectAll() {
    connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::refreshFormats);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(picture_, &PicturePage::changed, this, &ExportDialog::refreshPreview);
    connect(export_button_, &QPushButton::clicked, this, &ExportDialog::askAndExport);
    connect(&making_pages_, &LatestJobBase::failed, this,
            [this](const Message& why) { preview_->setText(translated(why)); });
}

const ExportOutput& ExportDialog::output() const {
    return subject_.outputs[static_cast<std::size_t>(what_->currentIndex())];
}

QString ExportDialog::suffix() const { return format_->currentData().toString(); }

void ExportDialog::choose(const QString& output, const QString& suffix) {
    const auto found = std::ranges::find(subject_.outputs, output, &ExportOutput::id);
    if (found != subject_.outputs.end())
        what_->setCurrentIndex(static_cast<int>(found - subject_.outputs.begin()));
    if (const int index = format_->findData(suffix); index >= 0)
        format_->setCurrentIndex(index);
}

ExportSettings ExportDialog::chosen() const {
    ExportSettings settings;
    settings.format = findFormat(output().kind, suffix());
    settings.figure = picture_->options();
    settings.origin = subject_.origin;
    settings.animation = animation_->options(settings.figure);
    for (const auto& [choice, field] : choices_)
        settings.choices.insert(choice->id, valueOf(*field));
    return settings;
}

void ExportDialog::refreshFormats() {
    const QString before =
        suffix().isEmpty() && output().kind == FormatKind::Picture ? settings::pictureFormat() : suffix();
    const QSignalBlocker quiet(format_);
    format_->clear();
    for (const auto& format : formats())
        if (format.kind == output().kind && (format.any_picture || subject_.is_heatmap))
            format_->addItem(translated(format.title), format.suffix);
    format_->setCurrentIndex(std::max(0, format_->findData(before)));
    refresh();
}

void ExportDialog::refresh() {
    const auto& format = *chosen().format;
    const bool is_picture = format.kind == FormatKind::Picture || format.kind == FormatKind::Animation;
    error_->say(std::nullopt);
    for (const auto& [choice, field] : choices_)
        form_->setRowVisible(field, !choice->fits || choice->fits(format));
    picture_->setVisible(is_picture);
    animation_->setVisible(format.kind == FormatKind::Animation);
    description_->setText(description());
    description_->setVisible(!description_->text().isEmpty());
    preview_->setVisible(output().figure || output().bytes);
    if (is_picture)
        picture_->setFormat(format);
    options_->setVisible(is_picture);
    giveRoom();
    refreshPreview();
}

void ExportDialog::refreshPreview() {
    if (output().bytes)
        return makePages();
    const auto settings = chosen();
    if (!output().figure || !settings.format->preview)
        return;
    const double ratio = devicePixelRatioF();
    // In its true size, where it has room.
    const int across =
        static_cast<int>(std::ceil(settings.figure.size_points.width() * logicalDpiX() / points_per_inch));
    const QSize largest = previewSize().boundedTo({std::max(across, least_preview), preview_size.height()});
    try {
        QImage image = settings.format->preview(output().figure(settings), settings.figure, largest * ratio);
        image.setDevicePixelRatio(ratio);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
    }
}

bool ExportDialog::hasPages() const { return !pages_.isEmpty() && pages_choices_ == chosen().choices; }

/// In the background, while the dialog is visible.
void ExportDialog::makePages() {
    const auto settings = chosen();
    if (!isVisible() || pages_choices_ == settings.choices)
        return;
    pages_.clear();
    pages_choices_ = settings.choices;
    preview_->setText(tr("Making the preview…"));
    making_pages_.request(
        [settings, bytes = output().bytes](const RunControl& control) { return bytes(settings, control); });
}

namespace {

/// The first page of a PDF file on white, within `largest` pixels.
QImage firstPage(QByteArray pdf, const QSize& largest) {
    QBuffer file(&pdf);
    file.open(QIODevice::ReadOnly);
    QPdfDocument document;
    document.load(&file);
    const QImage page = document.render(0, document.pagePointSize(0).scaled(largest, Qt::KeepAspectRatio).toSize());
    if (page.isNull())
        throw Error(Message(ATTNLAB_TEXT("The PDF file cannot be read back to preview it")));
    QImage paper(page.size(), QImage::Format_RGB32);
    paper.fill(Qt::white);
    QPainter(&paper).drawImage(0, 0, page);
    return paper;
}

} // namespace

void ExportDialog::showPages(QByteArray pages) {
    pages_ = std::move(pages);
    const double ratio = devicePixelRatioF();
    try {
        QImage image = firstPage(pages_, previewSize() * ratio);
        image.setDevicePixelRatio(ratio);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
    }
}

void ExportDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    refreshPreview();
}

QPixmap ExportDialog::previewPicture() const { return preview_->pixmap(); }

QString ExportDialog::description() const { return output().words ? output().words(chosen()) : QString(); }

QStringList ExportDialog::filesFor(const QString& path) const {
    return output().files ? output().files(path, chosen()) : QStringList{path};
}

bool ExportDialog::exportTo(const QString& path) {
    const auto write = [path, settings = chosen(), write = output().write,
                        made = hasPages() ? pages_ : QByteArray()](const RunControl& control) {
        if (made.isEmpty())
            write(path, settings, control);
        else
            writeBytes(path, made, control);
    };
    if (!hasPages()) {
        making_pages_.cancel();
        pages_choices_.clear();
    }
    const auto outcome = writeInBackground(this, tr("Exporting…"), write);
    error_->say(outcome.error);
    if (!outcome.ok()) {
        if (!hasPages()) // which would be long at work again, after Cancel
            preview_->clear();
        return false;
    }
    written_ = filesFor(path);
    emit exported(written_);
    accept();
    return true;
}

void ExportDialog::reject() {
    if (!cancelWork(*this)) // exportTo() waits for it in an event loop of its own
        QDialog::reject();
}

/// True unless the user cancels. The answer is remembered, and stands in the dialog from then on.
bool ExportDialog::askAboutInputs() {
    if (!subject_.origin || output().kind != FormatKind::Picture || !chosen().format->any_picture ||
        settings::hasChosenInputs())
        return true;
    const int chosen_answer = askForChoice(
        this,
        {tr("Inputs in figures"),
         tr("Should figures carry their inputs? Files then open here again, and whoever has them has the "
            "inputs too. The dialog shows this choice from now on.")},
        {{tr("Keep the inputs"), QMessageBox::AcceptRole}, {tr("Leave them out"), QMessageBox::AcceptRole}});
    if (chosen_answer < 0)
        return false;
    settings::setKeepsInputs(chosen_answer == 0);
    picture_->setKeepsInputs(chosen_answer == 0);
    return true;
}

void ExportDialog::askAndExport() {
    if (!askAboutInputs())
        return;
    const QString filter = tr("%1 files (*.%2)").arg(suffix().toUpper(), suffix());
    const QString path = choosePathToSave(
        this,
        {windowTitle(), proposedName(), {suffix()}, filter, [this](const QString& file) { return filesFor(file); }});
    if (path.isEmpty())
        return;
    const auto kind = output().kind;
    const QString format = suffix();
    if (!exportTo(path))
        return;
    settings::setLastFolder(QFileInfo(path).absolutePath());
    if (kind == FormatKind::Picture)
        settings::setPictureFormat(format);
}

QString ExportDialog::proposedName() const {
    if (output().kind == FormatKind::Picture || output().kind == FormatKind::Pages)
        for (const auto& [choice, field] : choices_)
            if (!choice->name.isEmpty() && valueOf(*field) > 0)
                return choice->name;
    return output().name;
}

QString ExportDialog::errorText() const { return error_->said(); }

ExportDialog* openExport(ExportSubject subject, QWidget* window) {
    auto* dialog = new ExportDialog(std::move(subject), window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

} // namespace attnlab::ui
