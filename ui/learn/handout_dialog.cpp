#include "ui/learn/handout_dialog.h"

#include "ui/background_write.h"
#include "ui/error_label.h"
#include "ui/file_bytes.h"
#include "ui/label.h"
#include "ui/learn/handout.h"
#include "ui/learn/handout_maker.h"
#include "ui/save_path.h"
#include "ui/settings.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int whole_pages = 1000; ///< of the progress bar

} // namespace

HandoutDialog::HandoutDialog(LessonPtr lesson, QString file_name, QWidget* parent)
    : QDialog(parent), lesson_(std::move(lesson)), file_name_(std::move(file_name)), words_(new Label(this)),
      paper_label_(new Label(this)), paper_(new QComboBox(this)), progress_(new QProgressBar(this)),
      error_(new ErrorLabel(this)) {
    auto* buttons = new QDialogButtonBox(this);
    export_button_ = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
    cancel_ = buttons->addButton(QDialogButtonBox::Cancel);
    export_button_->setDefault(true);
    paper_->setObjectName(QStringLiteral("paper"));
    for (const auto paper : {QPageSize::A4, QPageSize::Letter})
        paper_->addItem(QPageSize::name(paper), static_cast<int>(paper));
    if (QLocale::system().measurementSystem() == QLocale::ImperialUSSystem)
        paper_->setCurrentIndex(1);
    paper_label_->setBuddy(paper_);
    words_->setWordWrap(true);
    progress_->setRange(0, whole_pages);
    progress_->hide();

    auto* form = new QFormLayout;
    form->addRow(paper_label_, paper_);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(12);
    all->addWidget(words_);
    all->addLayout(form);
    all->addWidget(progress_);
    all->addWidget(error_);
    all->addWidget(buttons);
    setMinimumWidth(420);
    // export_button_ has the accept role for its place alone: the dialog stays until the file is written.
    connect(export_button_, &QPushButton::clicked, this, &HandoutDialog::askAndExport);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, &HandoutDialog::endWork);
    retranslate();
}

HandoutDialog::~HandoutDialog() = default;

void HandoutDialog::exportTo(const QString& path) {
    path_ = path;
    error_->say(std::nullopt);
    progress_->setValue(0);
    progress_->show();
    export_button_->setEnabled(false);
    paper_->setEnabled(false);
    maker_ = std::make_unique<HandoutMaker>(lesson_);
    connect(maker_.get(), &HandoutMaker::progressed, this,
            [this](double done) { progress_->setValue(static_cast<int>(done * whole_pages)); });
    connect(maker_.get(), &HandoutMaker::finished, this, &HandoutDialog::write, Qt::QueuedConnection);
    maker_->start();
}

void HandoutDialog::write() {
    if (!maker_)
        return; // cancelled in the last moment
    const auto paper = static_cast<QPageSize::PageSizeId>(paper_->currentData().toInt());
    const auto outcome = writeInBackground(
        this, tr("Writing the pages…"), [path = path_, handout = maker_->handout(), paper](const RunControl& control) {
            const auto pdf = handoutData(handout, paper, [&control](double done) {
                control.report(done);
                control.checkpoint();
                return true;
            });
            writeBytes(path, pdf, control);
        });
    endWork();
    error_->say(outcome.error);
    if (!outcome.ok())
        return;
    emit exported(path_);
    accept();
}

void HandoutDialog::endWork() {
    maker_.reset();
    progress_->hide();
    export_button_->setEnabled(true);
    paper_->setEnabled(true);
}

void HandoutDialog::askAndExport() {
    const QString path =
        choosePathToSave(this, {windowTitle(), file_name_, {QStringLiteral("pdf")}, tr("PDF files (*.pdf)")});
    if (path.isEmpty())
        return;
    settings::setLastFolder(QFileInfo(path).absolutePath());
    exportTo(path);
}

QString HandoutDialog::errorText() const { return error_->said(); }

void HandoutDialog::retranslate() {
    setWindowTitle(tr("Export the lesson as a handout"));
    words_->setText(tr("A PDF of “%1” with every step, its picture and question, and the answers at the end.")
                        .arg(lesson_->title()));
    paper_label_->setText(tr("&Paper"));
    paper_->setAccessibleName(tr("Paper"));
    progress_->setAccessibleName(tr("Progress"));
    export_button_->setText(tr("&Export…"));
}

void HandoutDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
