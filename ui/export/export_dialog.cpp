#include "ui/export/export_dialog.h"

#include "ui/ask.h"
#include "ui/background_write.h"
#include "ui/error_label.h"
#include "ui/export/animation_page.h"
#include "ui/export/picture_page.h"
#include "ui/label.h"
#include "ui/settings.h"
#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"
#include "ui/stages/stage_title.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QStackedWidget>

namespace attnlab::ui {
namespace {

/// As wide as a slide.
constexpr QSizeF playing_points(680, 382.5);

QString formatTitle(const QString& suffix) {
    if (suffix == QLatin1String("png"))
        return ExportDialog::tr("PNG: pixels");
    if (suffix == QLatin1String("svg"))
        return ExportDialog::tr("SVG: vectors for the web and for editing");
    if (suffix == QLatin1String("pdf"))
        return ExportDialog::tr("PDF: vectors for papers");
    if (suffix == QLatin1String("webp"))
        return ExportDialog::tr("WebP: animated, every pixel exact");
    if (suffix == QLatin1String("gif"))
        return ExportDialog::tr("GIF: animated, for slides; 256 colours a step");
    if (suffix == QLatin1String("csv"))
        return ExportDialog::tr("CSV: text, commas");
    if (suffix == QLatin1String("tsv"))
        return ExportDialog::tr("TSV: text, tabs");
    if (suffix == QLatin1String("npy"))
        return ExportDialog::tr("NPY: one NumPy array");
    if (suffix == QLatin1String("npz"))
        return ExportDialog::tr("NPZ: NumPy arrays by name");
    return ExportDialog::tr("Safetensors: tensors by name");
}

QLabel* makeNote(QWidget* parent) {
    auto* label = new Label(parent);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

ExportDialog::ExportDialog(ComputedPtr computed, FigureSubject subject, const QString& title, QWidget* parent)
    : QDialog(parent), computed_(std::move(computed)), subject_(std::move(subject)), what_(new QComboBox(this)),
      format_(new QComboBox(this)), pages_(new QStackedWidget(this)), picture_(new PicturePage(this)),
      animation_(new AnimationPage(this)), labels_(new QCheckBox(this)), description_(makeNote(this)),
      preview_(new Label(this)), error_(new ErrorLabel(this)), what_label_(new Label(this)),
      format_label_(new Label(this)), buttons_(new QDialogButtonBox(this)) {
    build(title);
    connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::refreshFormats);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(picture_, &PicturePage::changed, this, &ExportDialog::refreshPreview);
    connect(export_button_, &QPushButton::clicked, this, &ExportDialog::askAndExport);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    retranslate();
    refreshFormats();
}

void ExportDialog::build(const QString& title) {
    what_->setObjectName(QStringLiteral("what"));
    format_->setObjectName(QStringLiteral("format"));
    labels_->setObjectName(QStringLiteral("labels"));
    for (int i = 0; i < 3; ++i)
        what_->addItem(QString());
    what_label_->setBuddy(what_);
    format_label_->setBuddy(format_);
    picture_->setTitle(title);
    picture_->setColors(subject_.colors);
    const Stage* stage = computed_->trace.find(subject_.stage);
    picture_->setHeadsOffered(stage && hasAxis(*stage, Axis::Head) && sizeOf(computed_->trace).heads > 1);
    export_button_ = buttons_->addButton(QString(), QDialogButtonBox::AcceptRole);
    export_button_->setDefault(true);
    buttons_->addButton(QDialogButtonBox::Cancel);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(300, 250);

    auto* numbers = new QWidget(this);
    auto* column = new QVBoxLayout(numbers);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(labels_);
    column->addWidget(description_);
    column->addStretch(1);
    auto* picture = new QWidget(this);
    auto* row = new QHBoxLayout(picture);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    auto* choices = new QVBoxLayout;
    choices->addWidget(picture_);
    choices->addWidget(animation_);
    choices->addStretch(1);
    row->addLayout(choices);
    row->addWidget(preview_, 1);
    pages_->addWidget(picture);
    pages_->addWidget(numbers);

    auto* choice = new QFormLayout;
    choice->addRow(what_label_, what_);
    choice->addRow(format_label_, format_);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(12);
    all->addLayout(choice);
    all->addWidget(pages_, 1);
    all->addWidget(error_);
    all->addWidget(buttons_);
}

void ExportDialog::setDrawing(NamedDrawing drawing) {
    drawing_ = std::move(drawing);
    picture_->setTitle(drawing_.title);
    picture_->setHeatmap(false);
    if (drawing_.steps && drawing_.steps->count > 1 && what_->count() == static_cast<int>(What::Animation)) {
        what_->addItem(QString());
        picture_->setPoints(playing_points);
        animation_->setCount(drawing_.steps->count);
    }
    retranslate();
    refresh();
}

ExportDialog::What ExportDialog::what() const { return static_cast<What>(what_->currentIndex()); }

QString ExportDialog::suffix() const { return format_->currentData().toString(); }

void ExportDialog::choose(What what, const QString& suffix) {
    what_->setCurrentIndex(static_cast<int>(what));
    format_->setCurrentIndex(std::max(0, format_->findData(suffix)));
}

std::vector<std::string> ExportDialog::chosenStages() const {
    if (what() == What::Stage)
        return {subject_.stage};
    std::vector<std::string> names;
    for (const auto& stage : computed_->trace.stages)
        names.push_back(stage.name);
    return names;
}

void ExportDialog::refreshFormats() {
    const QString before = suffix();
    const QSignalBlocker quiet(format_);
    format_->clear();
    for (const auto& suffix : suffixes())
        format_->addItem(formatTitle(suffix), suffix);
    format_->setCurrentIndex(std::max(0, format_->findData(before)));
    refresh();
}

const QStringList& ExportDialog::suffixes() const {
    return what() == What::Animation ? animationSuffixes()
           : what() == What::Picture ? figureSuffixes()
                                     : stageSuffixes();
}

void ExportDialog::refresh() {
    const bool is_picture = isPicture();
    error_->say(std::nullopt);
    pages_->setCurrentIndex(is_picture ? 0 : 1);
    labels_->setVisible(suffix() == QLatin1String("csv") || suffix() == QLatin1String("tsv"));
    description_->setText(description());
    if (!is_picture)
        return;
    const bool animated = what() == What::Animation;
    animation_->setVisible(animated);
    picture_->setTransparencyOffered(!animated);
    picture_->setFormat(animated ? FigureFormat::Png : static_cast<FigureFormat>(figureSuffixes().indexOf(suffix())));
    refreshPreview();
}

QImage ExportDialog::preview(const FigureOptions& options) const {
    if (drawing_.drawing)
        return figureImage(*drawing_.drawing, options);
    const auto [panels, scale] = figure(options);
    return figureImage(panels, scale, options);
}

/// What a worker does, which must not ask the dialog anything.
std::function<void(const RunControl&)> ExportDialog::writerTo(const QString& path, QStringList& files) const {
    if (!isPicture())
        return [path, &files, computed = computed_, names = chosenStages(), labels = labels_->isChecked()](
                   const RunControl& control) { files = exportStages(path, computed->trace, names, labels, control); };
    const auto options = picture_->options();
    files = {path};
    if (what() == What::Animation)
        return [path, steps = *drawing_.steps, chosen = animation_->options(options)](const RunControl& control) {
            writeAnimation(path, steps, chosen, control);
        };
    if (drawing_.drawing)
        return [path, options, drawing = drawing_.drawing](const RunControl& control) {
            writeFigure(path, *drawing, options, control);
        };
    return [path, options, figure = figure(options)](const RunControl& control) {
        writeFigure(path, figure.panels, figure.scale, options, control);
    };
}

void ExportDialog::refreshPreview() {
    FigureOptions options = picture_->options();
    const double ratio = devicePixelRatioF();
    const QSizeF fitted = options.size_points.scaled(QSizeF(300, 250), Qt::KeepAspectRatio);
    options.dpi = std::max(10, static_cast<int>(72.0 * ratio * fitted.width() / options.size_points.width()));
    try {
        QImage image = preview(options);
        image.setDevicePixelRatio(ratio);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
    }
}

ExportDialog::Figure ExportDialog::figure(const FigureOptions& options) const {
    if (figure_)
        return *figure_;
    FigureSubject subject = subject_;
    subject.colors = colorsOf(options);
    const auto& trace = computed_->trace;
    return {picture_->allHeads() ? allHeadsOf(trace, subject) : FigurePanels(matrixOf(trace, subject)),
            scaleOf(trace, subject)};
}

void ExportDialog::setFigure(Figure figure, const QSizeF& points) {
    figure_ = std::move(figure);
    picture_->setLogarithmOffered(false);
    picture_->setHeadsOffered(false);
    picture_->setPoints(points);
    refresh();
}

QString ExportDialog::proposedName() const {
    const bool is_drawing = isPicture() && drawing_.drawing;
    const QString stem = what() == What::AllStages ? QStringLiteral("stages")
                         : is_drawing              ? drawing_.id
                                                   : QString::fromStdString(subject_.stage);
    return stem + QLatin1Char('.') + suffix();
}

QString ExportDialog::description() const {
    if (isPicture())
        return {};
    const auto names = chosenStages();
    const QStringList files = stageFiles(proposedName(), computed_->trace, names);
    if (files.size() > 1) {
        QStringList shown;
        for (const auto& file : files.mid(0, 3))
            shown << QFileInfo(file).fileName();
        if (files.size() > 3)
            shown << QStringLiteral("…");
        return tr("Writes %n files beside each other, one for each matrix or array: %1", nullptr,
                  static_cast<int>(files.size()))
            .arg(shown.join(QStringLiteral(", ")));
    }
    if (suffix() == QLatin1String("npz") || suffix() == QLatin1String("safetensors"))
        return tr("Writes one file with %n arrays; every digit is kept.", nullptr, static_cast<int>(names.size()));
    return tr("Writes one file; every digit is kept.");
}

bool ExportDialog::exportTo(const QString& path) {
    QStringList files;
    const auto outcome = writeInBackground(this, tr("Exporting…"), writerTo(path, files));
    error_->say(outcome.error);
    if (!outcome.ok())
        return false;
    written_ = files;
    emit exported(written_);
    accept();
    return true;
}

bool ExportDialog::mayReplace(const QString& path, const QString& confirmed) {
    QStringList existing;
    for (const auto& file : isPicture() ? QStringList{path} : stageFiles(path, computed_->trace, chosenStages()))
        if (file != confirmed && QFileInfo::exists(file))
            existing << QFileInfo(file).fileName();
    if (existing.isEmpty())
        return true;
    const QString question =
        tr("%n files are there already and will be replaced: %1", nullptr, static_cast<int>(existing.size()))
            .arg(existing.mid(0, 5).join(QStringLiteral(", ")));
    return ask(this, QMessageBox::Warning, {tr("Export"), question}, QMessageBox::Ok | QMessageBox::Cancel,
               QMessageBox::Ok) == QMessageBox::Ok;
}

void ExportDialog::askAndExport() {
    const QString folder = settings::lastFolder();
    const QString filter = tr("%1 files (*.%2)").arg(suffix().toUpper(), suffix());
    QString path = QFileDialog::getSaveFileName(
        this, windowTitle(), folder.isEmpty() ? proposedName() : folder + QLatin1Char('/') + proposedName(), filter);
    if (path.isEmpty())
        return;
    const QString confirmed = path;
    if (QFileInfo(path).suffix().compare(suffix(), Qt::CaseInsensitive) != 0)
        path += QLatin1Char('.') + suffix();
    if (mayReplace(path, confirmed) && exportTo(path))
        settings::setLastFolder(QFileInfo(path).absolutePath());
}

QString ExportDialog::errorText() const { return error_->said(); }

void ExportDialog::retranslate() {
    setWindowTitle(tr("Export"));
    what_label_->setText(tr("&What"));
    format_label_->setText(tr("&Format"));
    what_->setItemText(
        0, tr("The picture of %1").arg(drawing_.drawing ? drawing_.title : stageWordsInPass(subject_.stage)));
    what_->setItemText(1, tr("The numbers of %1").arg(stageWordsInPass(subject_.stage)));
    what_->setItemText(2, tr("The numbers of all stages"));
    if (what_->count() > static_cast<int>(What::Animation))
        what_->setItemText(static_cast<int>(What::Animation), tr("All steps, animated"));
    what_->setAccessibleName(tr("What"));
    format_->setAccessibleName(tr("Format"));
    labels_->setText(tr("Tokens as the first row and column"));
    export_button_->setText(tr("&Export…"));
    preview_->setAccessibleName(tr("Preview"));
    for (int i = 0; i < format_->count(); ++i)
        format_->setItemText(i, formatTitle(format_->itemData(i).toString()));
    description_->setText(format_->count() > 0 ? description() : QString());
}

void ExportDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
