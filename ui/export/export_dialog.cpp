#include "ui/export/export_dialog.h"

#include "ui/document/background_write.h"
#include "ui/document/save_path.h"
#include "ui/document/settings.h"
#include "ui/export/animation_page.h"
#include "ui/export/picture_page.h"
#include "ui/widgets/error_label.h"
#include "ui/widgets/label.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr QSize preview_size(360, 280);
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
      preview_(new Label(this)), error_(new ErrorLabel(this)) {
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
    options_ = new ScrollRoom(options, ScrollRoom::Scrolls::Down, this);
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
    return {std::clamp(room, least_preview, preview_size.width()), preview_size.height()};
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
        if (format.kind == output().kind)
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
    preview_->setVisible(output().figure != nullptr);
    if (is_picture)
        picture_->setFormat(format);
    options_->setVisible(is_picture);
    giveRoom();
    refreshPreview();
}

void ExportDialog::refreshPreview() {
    if (!output().figure)
        return;
    const auto settings = chosen();
    const double ratio = devicePixelRatioF();
    try {
        QImage image = figurePreview(output().figure(settings), settings.figure, previewSize() * ratio,
                                     settings.format && settings.format->has_pixels);
        image.setDevicePixelRatio(ratio);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
    }
}

QString ExportDialog::description() const { return output().words ? output().words(chosen()) : QString(); }

QStringList ExportDialog::filesFor(const QString& path) const {
    return output().files ? output().files(path, chosen()) : QStringList{path};
}

bool ExportDialog::exportTo(const QString& path) {
    const auto write = [path, settings = chosen(), write = output().write](const RunControl& control) {
        write(path, settings, control);
    };
    const auto outcome = writeInBackground(this, tr("Exporting…"), write);
    error_->say(outcome.error);
    if (!outcome.ok())
        return false;
    written_ = filesFor(path);
    emit exported(written_);
    accept();
    return true;
}

void ExportDialog::reject() {
    if (!cancelWork(*this)) // exportTo() waits for it in an event loop of its own
        QDialog::reject();
}

void ExportDialog::askAndExport() {
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
    if (output().kind == FormatKind::Picture)
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
