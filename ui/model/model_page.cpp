#include "ui/model/model_page.h"

#include "ui/export/stage_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/guesses_panel.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/page_parts.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/start_panel.h"
#include "ui/model/text_panel.h"
#include "ui/model/weights_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/stale_marks.h"
#include "ui/widgets/text.h"

#include <QFileInfo>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

namespace attnlab::ui {
namespace {

constexpr int heads_width = 380, guesses_width = 210;
constexpr std::int64_t most_cells_at_once = 256 * 256; ///< of a head, while the window waits
constexpr QSizeF comparison_points(900, 320);          ///< of three panels beside each other

} // namespace

ModelPage::ModelPage(ModelSession& session, QWidget* parent)
    : Page(parent), session_(session), stale_(new StaleMarks(this)), stack_(new PageStack), start_(new StartPanel),
      texts_(new TextPanel(session)), sentence_(new SentencePanel), heads_(new HeadsPanel),
      head_(new HeadPanel(session)), guesses_(new GuessesPanel),
      showing_([this](const HeadOnShowPtr& head) { show(head); }) {
    build();
    connectParts();
    for (QWidget* part : std::initializer_list<QWidget*>{heads_->pictures(), sentence_, guesses_})
        stale_->cover(part, StaleMarks::Words::None);
    stale_->cover(head_->views(), StaleMarks::Words::Shown);
    showModel();
    showResult();
    showBusy();
}

void ModelPage::build() {
    auto* body = new QSplitter(Qt::Horizontal);
    for (QWidget* part : std::initializer_list<QWidget*>{heads_, head_, guesses_})
        body->addWidget(part);
    body->setSizes({heads_width, 3 * heads_width, guesses_width});
    body->setStretchFactor(1, 1);
    body->setCollapsible(1, false);
    auto* open = new QWidget;
    auto* column = new QVBoxLayout(open);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    column->addWidget(texts_);
    column->addWidget(sentence_);
    column->addWidget(body, 1);
    stack_->addWidget(start_);
    stack_->addWidget(open);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(8, 0, 8, 8);
    whole->addWidget(stack_);
}

QWidget* ModelPage::makeHeader() {
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    name_ = newLine(LineLook::Bold);
    open_ = newButton(tr("Open a model…"), tr("A folder with config.json, weights and a tokenizer, or a GGUF file"));
    copy_ = newButton(tr("Copy weights"), tr("Copies the numbers on show as a table"));
    export_ = newButton(tr("Export…"), tr("Writes what is on show as a picture or as numbers"));
    take_ = newButton(tr("Take to the workspace"),
                      tr("Opens queries, keys, values, scale and mask of this head as a document that can be edited"));
    leave_ = newButton(tr("Back to the workspace"), tr("Back to the document; the model stays open"));
    row->addWidget(name_, 1);
    for (QPushButton* shown : {open_, copy_, export_, take_, leave_})
        row->addWidget(shown);
    return header;
}

void ModelPage::connectParts() {
    connect(open_, &QPushButton::clicked, this, &ModelPage::openRequested);
    connect(start_, &StartPanel::openRequested, this, &ModelPage::openRequested);
    connect(start_, &StartPanel::chosen, this, &ModelPage::recentChosen);
    connect(texts_, &TextPanel::imageRequested, this, &ModelPage::imageRequested);
    connect(leave_, &QPushButton::clicked, this, &ModelPage::leaveRequested);
    connect(take_, &QPushButton::clicked, this, &ModelPage::takeHead);
    connect(export_, &QPushButton::clicked, this, [this] { askForExport(); });
    connect(copy_, &QPushButton::clicked, this, [this] { copyMatrix(); });
    connect(heads_, &HeadsPanel::chosenChanged, this, &ModelPage::showHead);
    connect(heads_, &HeadsPanel::toggled, this, [this](HeadPlace place) {
        if (const auto& result = session_.result())
            session_.toggle(result->heads(place).pass->name, place.head);
    });
    connect(head_, &HeadPanel::rowChosen, sentence_, &SentencePanel::setQuery);
    connect(sentence_, &SentencePanel::rowChanged, this,
            [this] { head_->setRow(shown_ ? sentence_->query() : std::nullopt, sentence_->reading()); });
    connect(&session_, &ModelSession::opened, this, &ModelPage::showModel);
    connect(&session_, &ModelSession::changed, this, &ModelPage::showResult);
    connect(&session_, &ModelSession::runningChanged, this, &ModelPage::showBusy);
}

void ModelPage::showModel() {
    const auto& opened = session_.model();
    stack_->setCurrentIndex(opened ? 1 : 0);
    if (!opened)
        return;
    const auto& description = opened->description();
    QString words = tr("%1 · %2").arg(QFileInfo(session_.path()).fileName(), textOf(description.type));
    for (const auto* stack :
         {description.encoder ? &*description.encoder : nullptr, description.decoder ? &*description.decoder : nullptr})
        if (stack && !stack->blocks.empty())
            words += tr(" · %1: %2 layers × %3 heads")
                         .arg(textOf(stack->name))
                         .arg(stack->blocks.size())
                         .arg(stack->blocks.front().self.heads);
    name_->setText(words);
}

void ModelPage::showResult() {
    if (!session_.model())
        stack_->setCurrentIndex(0);
    {
        const QSignalBlocker quiet(heads_);
        heads_->setResult(session_.result());
    }
    showHead();
    guesses_->setResult(session_.result());
}

void ModelPage::showHead() {
    const auto place = heads_->chosen();
    const auto result = session_.result();
    showing_.cancel();
    if (!result || !place) {
        show(nullptr);
    } else if (const auto& pass = *result->heads(*place).pass; pass.queries * pass.keys <= most_cells_at_once) {
        show(headOnShow(result, *place));
    } else { // the head before stays for the blink that this takes
        for (QPushButton* of_head : {copy_, export_, take_})
            of_head->setEnabled(false);
        showing_.request([result, place = *place](const RunControl&) { return headOnShow(result, place); });
    }
}

void ModelPage::show(const HeadOnShowPtr& head) {
    shown_ = head;
    for (QPushButton* of_head : {copy_, export_, take_})
        of_head->setEnabled(shown_ != nullptr);
    head_->setHead(shown_);
    sentence_->setHead(shown_);
}

void ModelPage::showBusy() {
    const bool running = session_.isRunning();
    if (running)
        stale_->wait();
    else if (!session_.hasInput() || (session_.result() && !session_.isOutdated()))
        stale_->clear();
    else
        stale_->giveUp();
    for (QPushButton* of_result : {copy_, export_, take_})
        of_result->setEnabled(!running && shown_ && !session_.isOutdated());
}

void ModelPage::takeHead() {
    if (!shown_)
        return;
    const auto& heads = shown_->heads();
    try {
        emit taken(model::problem_of(*heads.pass, shown_->place.head, heads.tokens),
                   tr("%1, %2").arg(QFileInfo(session_.path()).fileName(), title()));
    } catch (const Error& error) {
        emit failed(error.message());
    }
}

void ModelPage::takeFocus() {
    if (session_.model())
        text()->setFocus();
    else
        start_->openButton()->setFocus();
}

QString ModelPage::title() const {
    if (head_->title().isEmpty() || head_->view() == head_->weights())
        return head_->title();
    return tr("%1 · %2").arg(head_->title(), head_->view()->name());
}

void ModelPage::zoom(Zoom how) {
    if (head_->view() == head_->weights())
        Page::zoom(*heatmap(), how);
}

std::optional<NamedMatrix> ModelPage::shownMatrix() const {
    const auto matrix = head_->view()->matrix();
    return matrix ? std::optional(NamedMatrix{*matrix, title()}) : std::nullopt;
}

std::optional<StyledFigure> ModelPage::shownFigure() const {
    auto figure = head_->view()->figure();
    if (!figure)
        return std::nullopt;
    StyledFigure shown{std::move(*figure), {}};
    shown.options.title = title();
    if (shown.figure.panels.size() > 1)
        shown.options.size_points = comparison_points;
    return shown;
}

std::optional<ExportSubject> ModelPage::exportSubject() const {
    const auto stages = head_->view()->stages();
    if (!stages)
        return std::nullopt;
    const auto shown = shownFigure();
    return shown && shown->figure.panels.size() > 1
               ? figureExport(stages, head_->view()->stageOnShow(), shown->figure, shown->options)
               : stageExport(stages, {head_->view()->stageOnShow(), 0, 0, {}}, title());
}

QPlainTextEdit* ModelPage::text() const { return texts_->text(); }
HeadsWall* ModelPage::wall() const { return heads_->wall(); }
HeatmapView* ModelPage::heatmap() const { return head_->weights()->heatmap(); }
TokenArcs* ModelPage::arcs() const { return sentence_->arcs(); }
QPushButton* ModelPage::offButton() const { return head_->offButton(); }
QComboBox* ModelPage::order() const { return heads_->order(); }

OutcomeBars* ModelPage::outcomes() const {
    const auto bars = guesses_->bars();
    return bars.empty() ? nullptr : bars.front();
}

} // namespace attnlab::ui
