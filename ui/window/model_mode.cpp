#include "ui/window/model_mode.h"

#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/model/model_page.h"
#include "ui/model/try_this.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/top_bar.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QImageReader>
#include <QMainWindow>
#include <QMenu>
#include <QStatusBar>

namespace attnlab::ui {

namespace {

const QString model_topic = QStringLiteral("model");

} // namespace

ModelMode::ModelMode(const ModeContext& parts, ModelSession& session, FileController& files, MessageBar& messages)
    : QObject(&parts.window), parts_(parts), session_(session), files_(files), messages_(messages),
      page_(new ModelPage(session)), status_(new ElidedLabel),
      cover_(new ExclusiveMode(parts, page_, status_, this,
                               {parts.actions.print, parts.actions.export_shown, parts.actions.copy_matrix,
                                parts.actions.copy_picture, parts.actions.zoom_in, parts.actions.zoom_out,
                                parts.actions.zoom_fit, parts.actions.next_head, parts.actions.previous_head,
                                parts.actions.next_page, parts.actions.previous_page},
                               session.undoStack())) {
    parts_.top.addPage(page_, makeMenu(), page_->tools());
    parts_.window.statusBar()->addWidget(status_, 1);
    status_->setContentsMargins(8, 0, 8, 0);
    status_->hide();
    connect(&session_, &ModelSession::changed, this, &ModelMode::showNumbers);
    showNumbers();
    connect(parts_.actions.open_model, &QAction::triggered, this, &ModelMode::choose);
    connect(parts_.actions.sample_model, &QAction::triggered, this, [this] { openSample(); });
    connect(page_->start(), &StartPanel::openRequested, this, &ModelMode::choose);
    connect(page_, &ModelPage::imageRequested, this, &ModelMode::chooseImage);
    connect(page_, &ModelPage::soundRequested, this, &ModelMode::chooseSound);
    connect(page_, &ModelPage::leaveRequested, this, &ModelMode::leave);
    connect(page_, &ModelPage::taken, this, &ModelMode::take);
    connect(page_, &ModelPage::failed, this, &ModelMode::report);
    connect(page_, &ModelPage::said, this,
            [this](const QString& words) { messages_.showMessage(MessageBar::Kind::Notice, words, model_topic); });
    connect(&session_, &ModelSession::failed, this, [this](const Message& why) {
        if (session_.failure() != why) // otherwise the page says why there is no result, in its place
            report(why);
    });
    connect(&session_, &ModelSession::changed, this, [this] { messages_.clear(model_topic); });
    connect(page_, &ModelPage::recentChosen, this, &ModelMode::open);
    connect(&session_, &ModelSession::opened, this, [this] {
        if (session_.model() && toPath(session_.path()) != sampleModelFolder())
            settings::addRecentModel(session_.path());
        if (!stays_away_)
            enter();
    });
    connect(&parts_.document, &Document::titleChanged, this, &ModelMode::showTitle, Qt::QueuedConnection);
    // A replaced document becomes visible.
    connect(&parts_.document, &Document::problemChanged, this, [this] {
        if (!keeps_on_)
            leave();
    });
}

ModelMode::~ModelMode() { delete status_; }

QMenu* ModelMode::makeMenu() const {
    const Actions& actions = parts_.actions;
    auto* menu = new QMenu;
    menu->addActions({actions.open_model, actions.recent_models->menuAction(), actions.sample_model});
    menu->addSeparator();
    menu->addAction(page_->bfloat16());
    return menu;
}

void ModelMode::showNumbers() {
    const auto& result = session_.result();
    if (!result || result->passes.empty()) {
        status_->clear();
        return;
    }
    constexpr double milliseconds = 1000.0;
    const auto arithmetic = result->model ? result->model->description().arithmetic : model::Arithmetic::Float32;
    const auto name = model::name_of(arithmetic);
    status_->setText(tr("%1 · %2 ms · %3 tokens")
                         .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
                         .arg(numberText(result->seconds * milliseconds, 2))
                         .arg(result->passes.front().queries));
}

bool ModelMode::isModel(const QString& path) {
    const QFileInfo file(path);
    if (file.isDir())
        return QFileInfo::exists(path + QStringLiteral("/config.json"));
    return file.suffix().compare(QStringLiteral("gguf"), Qt::CaseInsensitive) == 0 ||
           file.fileName() == QStringLiteral("config.json");
}

void ModelMode::enter() {
    if (!isOn()) {
        emit entering();
        cover_->cover();
    }
    showTitle();
    page_->takeFocus();
}

void ModelMode::leave() {
    if (!isOn())
        return;
    messages_.clear(model_topic);
    parts_.actions.export_shown->setVisible(true); // not so without a model
    cover_->uncover();
    emit parts_.document.titleChanged(); // the window is the document's again
}

void ModelMode::showTitle() {
    const QString contents = session_.isOpen() ? page_->contents() : title();
    parts_.top.setTitle(page_, contents, contents);
    if (!isOn())
        return;
    parts_.actions.export_shown->setVisible(session_.isOpen());
    parts_.window.setWindowModified(false);
    parts_.window.setWindowTitle(title() + QStringLiteral("[*] — AttnLab"));
}

/// Folders of models are often called alike: the kind of model is said too, unless the name has it.
QString ModelMode::title() const {
    if (!session_.isOpen())
        return tr("No model");
    const QString name = titleText(modelName(session_.path()));
    const QString kind = session_.model() ? QString::fromStdString(session_.model()->description().type) : QString();
    return kind.isEmpty() || name.contains(kind, Qt::CaseInsensitive) ? name : tr("%1 (%2)").arg(name, kind);
}

void ModelMode::restoreState(bool on) {
    if (on)
        enter();
}

void ModelMode::show() {
    if (isOn())
        return;
    if (session_.isOpen())
        enter();
    else
        openSample();
}

void ModelMode::openSample(const QString& text, std::optional<qsizetype> end) {
    const auto folder = sampleModelFolder();
    if (folder.empty()) {
        enter(); // the empty page offers other models
        return;
    }
    messages_.clear(model_topic);
    const bool is_open = session_.model() && toPath(session_.path()) == folder;
    const QString words = text.isEmpty() ? QString::fromLatin1(sample_model_text) : text;
    if (!is_open) {
        page_->chooseWord(text, end);
        session_.open(fromPath(folder), words);
        return;
    }
    session_.startAgain(words); // Undo brings the text before back
    page_->chooseWord(text, end, true);
    enter();
}

void ModelMode::open(const QString& path) {
    messages_.clear(model_topic);
    session_.open(path);
}

void ModelMode::showCapture(const CapturePtr& capture, const QString& path, bool may_stay) {
    const auto& before = session_.capture();
    messages_.clear(model_topic);
    stays_away_ = may_stay && !isOn() && before && before->pass_names() == capture->pass_names();
    keeps_on_ = true;
    session_.open(capture, path);
    stays_away_ = false;
}

void ModelMode::choose() {
    const QString file = QFileDialog::getOpenFileName(&parts_.window, tr("Open a model"), settings::lastFolder(),
                                                      tr("Models (config.json *.gguf);;All files (*)"));
    if (file.isEmpty())
        return;
    settings::setLastFolder(QFileInfo(file).absolutePath());
    open(file);
}

void ModelMode::chooseImage() {
    const QString file =
        QFileDialog::getOpenFileName(&parts_.window, tr("Choose an image"), settings::lastFolder(),
                                     tr("Images (*.png *.jpg *.jpeg *.webp *.bmp *.gif);;All files (*)"));
    if (!file.isEmpty())
        session_.setImage(file);
}

void ModelMode::chooseSound() {
    const QString file =
        QFileDialog::getOpenFileName(&parts_.window, tr("Choose a sound"), settings::lastFolder(),
                                     tr("Sounds (*.wav *.flac *.ogg *.oga *.opus *.mp3 *.aiff *.au);;All files (*)"));
    if (!file.isEmpty())
        session_.setSound(file);
}

bool ModelMode::takeInput(const QString& file) {
    const auto& opened = session_.model();
    if (!isOn() || !opened || isModel(file))
        return false;
    const auto& description = opened->description();
    const bool is_image = !QImageReader::imageFormat(file).isEmpty();
    if (description.first().embedding.reads_tokens() && !(description.image_tokens && is_image))
        return false;
    if (description.first().embedding.frames)
        session_.setSound(file);
    else
        session_.setImage(file);
    return true;
}

void ModelMode::take(const AttentionProblem& problem, const QString& title, int batch, int head,
                     std::optional<Cell> cell) {
    // Replacing the document leaves this mode.
    const bool is_of_model = session_.capture() == nullptr;
    if (!files_.openProblem(problem, title, QStringLiteral("weights"), batch, head, cell))
        return;
    page_->tryThis()->noteOpened();
    if (!is_of_model)
        return;
    session_.setTakenNumbers(problem.tensors);
    emit headTaken(problem.tensors);
}

void ModelMode::report(const Message& why) { messages_.showMessage(MessageBar::Kind::Error, why, model_topic); }

} // namespace attnlab::ui
