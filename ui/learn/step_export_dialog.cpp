#include "ui/learn/step_export_dialog.h"

#include "ui/background_write.h"
#include "ui/error_label.h"
#include "ui/export/picture_page.h"
#include "ui/label.h"
#include "ui/learn/step_picture.h"
#include "ui/plot/figure.h"
#include "ui/save_path.h"
#include "ui/settings.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// A board is wider than a heatmap.
constexpr QSizeF usual_points(760, 520);
constexpr QSize preview_size(420, 300);

} // namespace

StepExportDialog::StepExportDialog(ExportedStep step, QWidget* parent)
    : QDialog(parent), step_(std::move(step)), format_(new QComboBox(this)), format_label_(new Label(this)),
      with_text_(new QCheckBox(this)), picture_(new PicturePage(this)), preview_(new Label(this)),
      error_(new ErrorLabel(this)), buttons_(new QDialogButtonBox(this)),
      export_button_(buttons_->addButton(QString(), QDialogButtonBox::AcceptRole)) {
    format_->setObjectName(QStringLiteral("format"));
    format_label_->setBuddy(format_);
    for (const auto& suffix : figureSuffixes())
        format_->addItem(suffix.toUpper(), suffix);
    with_text_->setObjectName(QStringLiteral("text"));
    with_text_->setChecked(!step_.text.isEmpty());
    with_text_->setVisible(!step_.text.isEmpty());
    picture_->setTitle(step_.title);
    picture_->setHeatmap(false);
    picture_->setPoints(usual_points);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(preview_size);
    export_button_->setDefault(true);
    buttons_->addButton(QDialogButtonBox::Cancel);

    auto* choice = new QFormLayout;
    choice->addRow(format_label_, format_);
    choice->addRow(QString(), with_text_);
    auto* left = new QVBoxLayout;
    left->addLayout(choice);
    left->addWidget(picture_);
    left->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addLayout(left);
    row->addWidget(preview_, 1);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(12);
    all->addLayout(row, 1);
    all->addWidget(error_);
    all->addWidget(buttons_);

    connect(format_, &QComboBox::currentIndexChanged, this, &StepExportDialog::refresh);
    connect(with_text_, &QCheckBox::toggled, this, &StepExportDialog::refresh);
    connect(picture_, &PicturePage::changed, this, &StepExportDialog::refresh);
    connect(export_button_, &QPushButton::clicked, this, &StepExportDialog::askAndExport);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    retranslate();
    refresh();
}

std::unique_ptr<Drawing> StepExportDialog::drawing() const {
    return std::make_unique<StepPicture>(step_.board, with_text_->isChecked() ? step_.text : QString());
}

void StepExportDialog::refresh() {
    picture_->setFormat(static_cast<FigureFormat>(format_->currentIndex()));
    FigureOptions options = picture_->options();
    const double ratio = devicePixelRatioF();
    const QSizeF fitted = options.size_points.scaled(QSizeF(preview_size), Qt::KeepAspectRatio);
    options.dpi = std::max(10, static_cast<int>(72.0 * ratio * fitted.width() / options.size_points.width()));
    try {
        QImage image = figureImage(*drawing(), options);
        image.setDevicePixelRatio(ratio);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const Error& error) {
        preview_->setText(translated(error.message()));
    }
}

bool StepExportDialog::exportTo(const QString& path) {
    const auto outcome =
        writeInBackground(this, tr("Exporting…"),
                          [path, options = picture_->options(), picture = std::shared_ptr<const Drawing>(drawing())](
                              const RunControl& control) { writeFigure(path, *picture, options, control); });
    error_->say(outcome.error);
    if (!outcome.ok())
        return false;
    emit exported(path);
    accept();
    return true;
}

void StepExportDialog::askAndExport() {
    const QString suffix = format_->currentData().toString();
    const QString path = choosePathToSave(
        this, {windowTitle(), step_.file_name, {suffix}, tr("%1 files (*.%2)").arg(suffix.toUpper(), suffix)});
    if (!path.isEmpty() && exportTo(path))
        settings::setLastFolder(QFileInfo(path).absolutePath());
}

QString StepExportDialog::errorText() const { return error_->said(); }

void StepExportDialog::retranslate() {
    setWindowTitle(tr("Export this step"));
    format_label_->setText(tr("&Format"));
    format_->setAccessibleName(tr("Format"));
    with_text_->setText(tr("The text of the step below"));
    preview_->setAccessibleName(tr("Preview"));
    export_button_->setText(tr("&Export…"));
}

void StepExportDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
