#include "ui/export/export_dialog.h"

#include "ui/document/background_files.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/export/selection_button.h"
#include "ui/export/web_page_export.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QAction>
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
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

constexpr QSize preview_size(540, 480); ///< 5.5 inches wide on a screen of 96 dots per inch
constexpr QSize page_preview_size(360, 420);
constexpr int least_preview = 160, largest_preview = 4096, beside_preview = 16;

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
      preview_(new Label(this)), preview_note_(new Label(this)), error_(new ErrorLabel(this)),
      making_pages_([this](QByteArray pages) { showPages(std::move(pages)); }, JobOptions({}, WorkPool::Files)),
      making_preview_([this](QImage image) { showPreview(std::move(image), chosen().figure.size_points.width()); }) {
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
    for (const auto& selection : subject_.selections)
        addSelection(selection);
    for (const auto& choice : subject_.choices)
        addChoice(choice);
    description_->setWordWrap(true);
    description_->setForegroundRole(QPalette::PlaceholderText);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setAccessibleName(tr("Preview"));
    preview_note_->setAlignment(Qt::AlignCenter);
    preview_note_->setForegroundRole(QPalette::PlaceholderText);
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
    auto* seen = new QVBoxLayout;
    seen->addWidget(preview_, 1);
    seen->addWidget(preview_note_);
    row->addLayout(seen, 1);
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
    // Below the fields, and above the errors and the buttons.
    const int lines = 8 * fontMetrics().lineSpacing();
    const int high = roomOn(*screen()).height() - form_->sizeHint().height() - lines;
    return {std::clamp(room, least_preview, largest.width()), std::clamp(high, least_preview, largest.height())};
}

void ExportDialog::addSelection(const ExportSelection& selection) {
    auto* field = new SelectionButton(selection, this);
    connect(field, &SelectionButton::changed, this, &ExportDialog::refresh);
    form_->addRow(selection.label, field);
    selections_.push_back({&selection, field});
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
        connect(check, &QCheckBox::toggled, this, &ExportDialog::refresh);
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
    for (LatestJobBase* making : std::initializer_list<LatestJobBase*>{&making_pages_, &making_preview_})
        connect(making, &LatestJobBase::failed, this, [this](const Message& why) {
            preview_->setText(translated(why));
            preview_note_->clear();
        });
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

bool ExportDialog::isHeatmap() const { return subject_.is_heatmap && !output().is_drawing; }

ExportSettings ExportDialog::chosen() const {
    ExportSettings settings;
    settings.format = findFormat(output().kind, suffix());
    settings.figure = picture_->options();
    if (output().adjusted)
        settings.figure = output().adjusted(settings.figure);
    settings.origin = output().has_origin ? subject_.origin : nullptr;
    settings.animation = animation_->options(settings.figure);
    for (const auto& [selection, field] : selections_)
        settings.selections.insert(selection->id, field->chosen());
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
        if (format.kind == output().kind && (!format.heatmaps_only || isHeatmap()))
            format_->addItem(translated(format.title), format.suffix);
    format_->setCurrentIndex(std::max(0, format_->findData(before)));
    refresh();
}

void ExportDialog::refresh() {
    const auto& format = *chosen().format;
    const bool is_picture = format.kind == FormatKind::Picture || format.kind == FormatKind::Animation;
    error_->say(std::nullopt);
    const auto applies = [this](const QStringList& outputs) {
        return outputs.isEmpty() || outputs.contains(output().id);
    };
    for (const auto& [selection, field] : selections_)
        form_->setRowVisible(field, applies(selection->outputs));
    for (const auto& [choice, field] : choices_)
        form_->setRowVisible(field, applies(choice->outputs) && (!choice->fits || choice->fits(format)));
    picture_->proposeTitle(output().title_of ? output().title_of(chosen()) : subject_.figure.title);
    picture_->setVisible(is_picture);
    animation_->setVisible(format.kind == FormatKind::Animation);
    description_->setText(description());
    description_->setVisible(!description_->text().isEmpty());
    preview_->setVisible(output().figure || output().bytes || output().slow_preview);
    preview_note_->setVisible(output().figure || output().slow_preview);
    if (is_picture)
        picture_->setOutput(format, isHeatmap(), output().has_origin, findHeadDrawing(output().id) != nullptr);
    options_->setVisible(is_picture);
    giveRoom();
    refreshPreview();
}

void ExportDialog::refreshPreview() {
    if (output().bytes)
        return makePages();
    const auto settings = chosen();
    if (!settings.format->preview)
        return;
    if (output().slow_preview)
        return requestPreview(settings);
    if (!output().figure)
        return;
    try {
        showPicture(settings);
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
        preview_note_->clear();
    }
}

/// In its true size, where it has room.
void ExportDialog::showPicture(const ExportSettings& settings) {
    const Figure figure = output().figure(settings);
    picture_->setHeatmaps(figure.drawing ? 0 : figure.panels.size(), figure.panels.haveMargins());
    QStringList lost;
    for (const auto& what : lostLetters(*settings.format, figure, settings.figure))
        lost << translated(what);
    picture_->setLostLetters(lost);
    const QSizeF points = sized(figure, settings.figure).size_points;
    const QSizeF whole = points * (logicalDpiX() / points_per_inch);
    const QSize room = previewSize();
    const double factor = std::min({1.0, room.width() / whole.width(), room.height() / whole.height()});
    const double ratio = devicePixelRatioF();
    showPreview(settings.format->preview(figure, settings.figure, (whole * factor * ratio).toSize()), points.width());
}

void ExportDialog::requestPreview(const ExportSettings& settings) {
    if (!isVisible())
        return;
    const double pixels = devicePixelRatioF() * logicalDpiX() / points_per_inch;
    const QSize whole = (settings.figure.size_points * pixels).toSize();
    const QSize largest =
        (previewSize() * devicePixelRatioF())
            .boundedTo({whole.width(), settings.figure.automatic_height ? largest_preview : whole.height()});
    making_preview_.request([settings, largest, make = output().slow_preview](const RunControl& control) {
        return make(settings, largest, control);
    });
}

/// `width`: of the figure in points.
void ExportDialog::showPreview(QImage image, double width) {
    const double ratio = devicePixelRatioF();
    image.setDevicePixelRatio(ratio);
    preview_->setPixmap(QPixmap::fromImage(image));
    const double factor = image.width() / ratio / (width * logicalDpiX() / points_per_inch);
    preview_note_->setText(factor > 0.99 ? tr("Preview in its true size")
                                         : tr("Preview at %1% of its size").arg(std::lround(100.0 * factor)));
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
    if (!chosen().origin || !chosen().format->has_settings || settings::hasChosenInputs())
        return true;
    const int chosen_answer =
        askForChoice(this,
                     {tr("Inputs in figures"),
                      tr("Should figures carry their inputs? Files then open here again, and whoever has them has the "
                         "inputs too. The dialog shows this choice from now on.")},
                     {{tr("Keep them"), QMessageBox::AcceptRole}, {tr("Leave them out"), QMessageBox::AcceptRole}});
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
    if (output().name_of)
        return output().name_of(chosen());
    if (output().kind == FormatKind::Picture || output().kind == FormatKind::Pages)
        for (const auto& [choice, field] : choices_)
            if (!choice->name.isEmpty() && valueOf(*field) > 0)
                return choice->name;
    return output().name;
}

QString ExportDialog::errorText() const { return error_->said(); }

void offerExport(QWidget& shown, const std::function<void()>& open) {
    auto* action = new QAction(ExportDialog::tr("Export this picture…"), &shown);
    QObject::connect(action, &QAction::triggered, &shown, open);
    shown.addAction(action);
    shown.setContextMenuPolicy(Qt::ActionsContextMenu);
}

ExportDialog* openExport(ExportSubject subject, QWidget* window) {
    addLivePage(subject);
    auto* dialog = new ExportDialog(std::move(subject), window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

} // namespace attnlab::ui
