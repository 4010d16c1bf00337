#include "ui/model/model_page.h"

#include "core/io/saved/figure_file.h"
#include "core/model/untrained.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/export/web_page_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/answers_view.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_figures.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/text_panel.h"
#include "ui/model/try_this.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int heads_width = 464, low_heads_width = 360, guesses_width = 210;
constexpr double heads_share = 0.38, guesses_share = 0.13; ///< of a wide page
constexpr double tall_heads_share = 0.43;                  ///< where a page is so high that tiles may grow
constexpr int tall_height = 950, beside_tabs = 28;
constexpr QSizeF comparison_points(900, 320); ///< of three panels beside each other

/// Where all layers have as many.
std::optional<std::int64_t> headsOfEach(const Capture& capture) {
    const auto heads = capture.passes.front().heads;
    const bool alike = std::ranges::all_of(capture.passes, [&](const auto& pass) { return pass.heads == heads; });
    return alike ? std::optional(heads) : std::nullopt;
}

/// Its proposed name begins with `stem`.
void nameFile(ExportOutput& output, const QString& stem) {
    const auto named = [stem](const QString& name) { return stem + QLatin1Char('-') + name; };
    output.name = named(output.name);
    if (output.name_of)
        output.name_of = [named, of = output.name_of](const ExportSettings& settings) { return named(of(settings)); };
}

} // namespace

ModelPage::ModelPage(ModelSession& session, QWidget* parent)
    : Page(parent), session_(session), reading_([this](SelectedHeadPtr head) { show(std::move(head)); }, drag_grace),
      overlay_(new OutdatedOverlay(this)), stack_(new PageStack), start_(new StartPanel), tools_(new QWidget),
      effects_(new HeadEffects(this)), texts_(new TextPanel(session)), sentence_(new SentencePanel),
      second_(new SentencePanel(SentencePanel::Text::Second)), heads_(new HeadsPanel), head_(new HeadPanel(session)),
      guesses_(new PredictionsPanel), try_(new TryThis(session, *effects_, this)) {
    build();
    connectParts();
    heads_->setEffects(effects_);
    head_->setEffects(effects_);
    effects_->setBy(session_.offBy());
    heads_->setBy(session_.offBy());
    // Pictures alone: words stay as easy to read as before.
    for (QWidget* part : std::initializer_list<QWidget*>{heads_->scatter(), heads_->lens(), heads_->words(),
                                                         sentence_->arcs(), second_->arcs()})
        overlay_->cover(part, OutdatedOverlay::Words::None);
    overlay_->cover(head_->views(), OutdatedOverlay::Words::Shown);
    connect(overlay_, &OutdatedOverlay::dimmedChanged, this, [this](bool dimmed) {
        const bool is_outdated = dimmed && session_.result() != nullptr;
        wall()->setDimmed(is_outdated);
        sentence_->next()->setOutdated(is_outdated);
        second_->next()->setOutdated(is_outdated);
        guesses_->setOutdated(is_outdated);
    });
    showModel();
    showResult();
    showBusy();
}

void ModelPage::build() {
    guesses_->addBelow(try_);
    body_ = new Splitter(Qt::Horizontal);
    for (QWidget* part : std::initializer_list<QWidget*>{heads_, head_, guesses_})
        body_->addWidget(part);
    body_->setStretchFactor(1, 1);
    body_->setCollapsible(1, false);
    body_->setDividerName(1, tr("Width of the heads"));
    body_->setDividerName(2, tr("Width of the head on show"));
    connect(body_, &QSplitter::splitterMoved, this, [this] { user_divides_ = true; });
    divide();
    auto* open = new QWidget;
    auto* column = new QVBoxLayout(open);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    makeTools();
    notes_ = makeLineLabel(LineStyle::Muted);
    column->addWidget(notes_);
    column->addWidget(texts_);
    column->addWidget(sentence_);
    column->addWidget(second_);
    second_->setCompares(true);
    column->addWidget(body_, 1);
    stack_->addWidget(start_);
    stack_->addWidget(open);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(8, 0, 8, 8);
    whole->addWidget(stack_);
}

/// In a low window the pictures of the heads are small, and need no width.
void ModelPage::divide() {
    const auto share = [this](double of) { return static_cast<int>(std::lround(of * width())); };
    const int tabs = heads_->tabs()->sizeHint().width() + beside_tabs; // wider with large letters
    const double wide = height() >= tall_height ? tall_heads_share : heads_share;
    const int heads = std::max(tabs, low_ ? low_heads_width : std::max(heads_width, share(wide)));
    const int guesses = std::max(guesses_width, share(guesses_share));
    body_->setSizes({heads, std::max(0, width() - heads - guesses), guesses});
}

/// In a low window words and what is said of them take one line each, and the picture the rest.
void ModelPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    constexpr int low_height = 520, low_lines = 34;
    const bool is_low = height() < std::max(low_height, low_lines * fontMetrics().height());
    sentence_->setLow(is_low);
    texts_->setLow(is_low, sentence_->answer());
    if (!is_low)
        texts_->placeWritten(sentence_->writtenLine());
    kind_->setVisible(!is_low); // the answer stands there
    second_->setLow(is_low);
    heads_->setLow(is_low);
    head_->setLow(is_low, width() < 2 * height()); // a narrow picture leaves room above it
    try_->setLow(is_low);
    const bool was_low = std::exchange(low_, is_low);
    const auto is_tall = [](const QSize& size) { return size.height() >= tall_height; };
    const bool divides_anew =
        was_low != is_low || event->oldSize().width() != width() || is_tall(event->oldSize()) != is_tall(event->size());
    if (divides_anew && !user_divides_)
        divide();
}

void ModelPage::makeTools() {
    tools_of_open_ = new QWidget;
    auto* around = new QHBoxLayout(tools_);
    around->setContentsMargins(0, 0, 0, 0);
    around->addWidget(tools_of_open_);
    auto* row = new QHBoxLayout(tools_of_open_);
    row->setContentsMargins(0, 0, 0, 0);
    take_ = new BarButton;
    take_->setContent(tr("Open head in workspace"), icon(QStringLiteral("workspace")));
    kind_ = new Badge;
    precision_ = new Badge;
    bfloat16_ = new QAction(tr("Compute in bfloat16"), this);
    bfloat16_->setCheckable(true);
    bfloat16_->setToolTip(
        tr("Computes products with weights in bfloat16, which is faster on some processors. Weights and "
           "activations are rounded to 8 bits, so every number changes a little."));
    copy_ = new QAction(tr("Copy the weights as a table"), head_->views());
    row->addWidget(kind_);
    row->addWidget(precision_);
    row->addWidget(texts_->tools(), 1);
    row->addWidget(take_);
    row->addWidget(texts_->compareButton());
}

void ModelPage::connectParts() {
    connect(start_, &StartPanel::leaveRequested, this, &ModelPage::leaveRequested);
    connect(start_, &StartPanel::chosen, this, &ModelPage::recentChosen);
    connect(texts_, &TextPanel::imageRequested, this, &ModelPage::imageRequested);
    connect(texts_, &TextPanel::soundRequested, this, &ModelPage::soundRequested);
    connect(texts_, &TextPanel::editRequested, this, [this] { sentence_->edit(); });
    connect(take_, &QPushButton::clicked, this, &ModelPage::openHeadInWorkspace);
    connect(bfloat16_, &QAction::toggled, this,
            [this](bool on) { session_.setArithmetic(on ? model::Arithmetic::BFloat16 : model::Arithmetic::Float32); });
    connect(copy_, &QAction::triggered, this, [this] { emit said(copyMatrix()); });
    const auto offer = [this](QWidget* shown, const QString& output) {
        offerExport(*shown, [this, output] {
            if (canExport())
                askForExport(output, origin());
        });
    };
    offer(head_->views(), {});
    head_->views()->addAction(copy_);
    offer(sentence_->arcs(), QStringLiteral("arcs"));
    offer(heads_->scatter(), QStringLiteral("plot"));
    offer(heads_->lens(), QStringLiteral("layers"));
    offer(heads_->words(), QStringLiteral("words"));
    offerExport(*heads_->wall(), [this] {
        const auto& result = session_.result();
        const bool differs = heads_->tabs()->currentIndex() == HeadsPanel::Differences && result && result->compared &&
                             result->compared->largest > 0.0;
        if (canExport())
            askForExport(differs ? QStringLiteral("differences") : QStringLiteral("wall"), origin());
    });
    connect(this, &Page::exported, this, [this](const QStringList& files) {
        emit said(tr("Exported: %1").arg(QDir::toNativeSeparators(files.join(QStringLiteral(", ")))));
    });
    connect(heads_, &HeadsPanel::chosenChanged, this, &ModelPage::showHead);
    connect(heads_, &HeadsPanel::toggled, this, [this](HeadIndex place) {
        if (!session_.isTooLong())
            session_.toggle(place);
    });
    connect(head_, &HeadPanel::colorsChanged, heads_, &HeadsPanel::setColors);
    connectTexts();
    connect(head_, &HeadPanel::viewChanged, this, [this] {
        const HeadView& view = *head_->view();
        const QString title = view.ownTitle();
        sentence_->setAllHeads(title.isEmpty() ? nullptr : view.stages(), view.displayedStage(), title);
    });
    connect(sentence_, &SentencePanel::rowChanged, this,
            [this] { head_->setRow(shown_ ? sentence_->query() : std::nullopt, sentence_->reading()); });
    connect(sentence_, &SentencePanel::answerTaken, &session_, &ModelSession::append);
    connect(guesses_, &PredictionsPanel::appendRequested, &session_, &ModelSession::append);
    connect(guesses_, &PredictionsPanel::writeRequested, &session_, &ModelSession::writeOn);
    connect(&session_, &ModelSession::writingStopped, this, &ModelPage::said);
    connect(guesses_, &PredictionsPanel::pairChanged, this, [this] { effects_->setPair(guesses_->pair()); });
    connect(try_, &TryThis::turnOffRequested, this, [this](HeadIndex head) {
        wall()->choose(head);
        const auto& result = session_.result();
        if (result && !result->isOff(head))
            session_.toggle(head);
    });
    connect(try_, &TryThis::textRequested, &session_, &ModelSession::setText);
    connect(try_, &TryThis::openRequested, this, &ModelPage::openHeadInWorkspace);
    connect(effects_, &HeadEffects::failed, this, &ModelPage::failed);
    connect(heads_, &HeadsPanel::byChosen, &session_, &ModelSession::setOffBy);
    connect(&session_, &ModelSession::offByChanged, this, [this] {
        effects_->setBy(session_.offBy());
        heads_->setBy(session_.offBy());
    });
    // Who types sees the page follow.
    connect(&session_, &ModelSession::inputsChanged, overlay_, &OutdatedOverlay::followed);
    connect(&session_, &ModelSession::opened, this, &ModelPage::expectAskedWord);
    connect(&session_, &ModelSession::opened, this, &ModelPage::showModel);
    connect(&session_, &ModelSession::arithmeticChanged, this, &ModelPage::showModel);
    connect(&session_, &ModelSession::changed, this, &ModelPage::showResult);
    connect(&session_, &ModelSession::runningChanged, this, &ModelPage::showBusy);
    connect(&reading_, &LatestJobBase::started, this, &ModelPage::showBusy);
    connect(&reading_, &LatestJobBase::failed, this, [this](const Message& why) {
        show(nullptr);
        emit failed(why);
    });
}

/// A token of one text chooses that of the same position in the other: so they are compared.
void ModelPage::connectTexts() {
    const auto place_fields = [this] {
        sentence_->setField(texts_->isFieldElsewhere() ? text() : nullptr);
        second_->setField(texts_->isFieldElsewhere() ? texts_->other() : nullptr);
    };
    connect(texts_, &TextPanel::fieldMoved, this, place_fields);
    place_fields();
    connect(texts_, &TextPanel::otherRequested, this, [this] {
        asks_for_change_ = true;
        showSecond();
    });
    for (const SentencePanel* panel : {sentence_, second_})
        connect(panel, &SentencePanel::editingChanged, &session_,
                [this](bool on) { on ? session_.beginEditing() : session_.endEditing(); });
    const auto choose = [](SentencePanel* panel, int query) {
        if (query < panel->arcs()->tokens().count(RibbonTokens::Side::Queries))
            panel->setQuery(query);
    };
    connect(head_, &HeadPanel::rowChosen, this, [this, choose](int query) {
        choose(sentence_, query);
        choose(second_, query);
    });
    const auto follow = [this, choose](SentencePanel* from, SentencePanel* to) {
        for (const auto signal : {&TokenArcs::queryClicked, &TokenArcs::queryMoved})
            connect(from->arcs(), signal, this, [to, choose](int query) { choose(to, query); });
    };
    follow(sentence_, second_);
    follow(second_, sentence_);
    connect(&session_, &ModelSession::inputsChanged, this, &ModelPage::showSecond);
}

void ModelPage::showSecond() {
    const bool compares = session_.model() && session_.request().other.has_value();
    if (!compares && second_->isAncestorOf(window()->focusWidget())) // it would go to any widget
        sentence_->takeFocus();
    second_->setVisible(compares);
    sentence_->setCompares(compares);
}

/// A result that is still of the model before is not what was asked for.
void ModelPage::expectAskedWord() {
    if (asked_word_ && session_.request().text == asked_word_->text)
        asked_word_->is_open = true;
    else
        asked_word_.reset();
}

void ModelPage::showModel() {
    stack_->setCurrentIndex(session_.isOpen() ? 1 : 0);
    showSecond();
    tools_of_open_->setVisible(session_.isOpen());
    if (session_.capture())
        kind_->say(tr("recorded"), tr("The attention that another program computed, as it was recorded there."));
    else if (session_.model() && model::is_untrained(session_.model()->description()))
        kind_->say(tr("random weights"),
                   tr("This model was probably not trained: its norms are as they were created. Its answers then "
                      "mean nothing, but they are computed as those of a trained model."));
    else
        kind_->say(tr("real model"), tr("The weights of this model were learned from data. It runs on this computer."));
    kind_->setVisible(!low_);
    const QSignalBlocker quiet(bfloat16_);
    bfloat16_->setVisible(!session_.capture());
    bfloat16_->setChecked(session_.model() &&
                          session_.model()->description().arithmetic == model::Arithmetic::BFloat16);
    showNotes();
    take_->setToolTip(session_.capture()
                          ? tr("Opens all heads of this pass as a document that can be edited")
                          : tr("Opens queries, keys, values, scale and mask of this head as a document that can be "
                               "edited"));
}

void ModelPage::showNotes() {
    QStringList notes;
    if (const auto& model = session_.model()) {
        for (const auto& note : model->arithmetic_notes())
            notes << translated(note);
        for (const auto& note : model->description().unread.notes())
            notes << translated(note);
    }
    notes_->setText(notes.join(QStringLiteral(" · ")));
    notes_->setToolTip(notes.join(u'\n'));
    notes_->setVisible(!notes.isEmpty());
}

void ModelPage::showPrecision() {
    const auto& result = session_.result();
    const bool rounds =
        result && result->model && result->model->description().arithmetic == model::Arithmetic::BFloat16;
    precision_->say(rounds ? QStringLiteral("bfloat16") : QString(),
                    tr("All numbers on this page were computed with products in bfloat16."));
}

QString ModelPage::contents() const {
    if (const auto& capture = session_.capture()) {
        QString words = displayName(QFileInfo(session_.path()).fileName());
        if (!capture->title.empty())
            words = tr("%1 · %2").arg(words, textOf(capture->title));
        const auto heads = headsOfEach(*capture);
        const auto passes = static_cast<int>(capture->passes.size());
        return heads ? tr("%1 · %2 × %3 heads").arg(words, tr("%n attention blocks", nullptr, passes)).arg(*heads)
                     : tr("%1 · %2").arg(words, tr("%n attention blocks", nullptr, passes));
    }
    const auto& description = session_.model()->description();
    QString words = tr("%1 · %2").arg(modelName(session_.path()), textOf(description.type));
    for (const auto* stack :
         {description.encoder ? &*description.encoder : nullptr, description.decoder ? &*description.decoder : nullptr})
        if (stack && !stack->blocks.empty())
            words += tr(" · %1: %2 layers × %3 heads")
                         .arg(stack->name == "encoder"   ? tr("encoder")
                              : stack->name == "decoder" ? tr("decoder")
                                                         : textOf(stack->name))
                         .arg(stack->blocks.size())
                         .arg(stack->attention().heads);
    return words;
}

void ModelPage::showResult() {
    if (!session_.isOpen())
        stack_->setCurrentIndex(0);
    {
        const QSignalBlocker quiet(heads_);
        heads_->setResult(session_.result());
    }
    showPrecision();
    showHead();
    effects_->setResult(session_.result());
    sentence_->setResult(session_.result());
    sentence_->setEnds(session_.size());
    showAskedWord();
    second_->setResult(session_.result());
    second_->setEnds(session_.otherSize());
    const auto surplus = [](const TextSize& size) { return size.isTooLong() ? size.tokens - size.most : 0; };
    sentence_->setSurplus(surplus(session_.size()));
    second_->setSurplus(surplus(session_.otherSize()));
    showSecond();
    askForChange();
    guesses_->setResult(session_.result());
}

/// As long as both texts are the same there is nothing to see: a word of the second one is ready to be changed.
void ModelPage::askForChange() {
    const auto& result = session_.result();
    if (!session_.request().other)
        asks_for_change_ = false;
    if (!asks_for_change_ || !result || !result->other || session_.isOutdated())
        return;
    asks_for_change_ = false;
    if (result->comparesOtherTexts())
        return;
    const auto token = second_->tellingToken();
    if (token && second_->arcs()->tokens().count(RibbonTokens::Side::Queries) > 0)
        second_->change(*token);
    else
        second_->edit();
}

void ModelPage::showHead() {
    const auto place = heads_->chosen();
    const auto& result = session_.result();
    if (!result || !place)
        return show(nullptr);
    if (isLong(*result, *place))
        reading_.request(
            [result, place = *place](const RunControl& control) { return ui::headOnShow(result, place, control); });
    else
        show(ui::headOnShow(result, *place));
}

void ModelPage::show(SelectedHeadPtr head) {
    if (!head || !isLong(*head->result, head->place))
        reading_.cancel();
    shown_ = std::move(head);
    head_->setHead(shown_);
    sentence_->setHead(shown_);
    second_->setHead(shown_ ? headOfOther(*shown_) : nullptr);
    showBusy();
}

void ModelPage::chooseWord(const QString& text, std::optional<qsizetype> end, bool is_open) {
    asked_word_ = end ? std::optional(AskedWord{text, *end, is_open}) : std::nullopt;
    showAskedWord();
}

void ModelPage::showAskedWord() {
    if (!asked_word_ || !asked_word_->is_open || !session_.result() || session_.isOutdated())
        return;
    if (const auto word = std::exchange(asked_word_, {}); session_.request().text == word->text)
        sentence_->chooseWord(word->end);
}

ModelPage::State ModelPage::saveState() const { return {heads_->chosen(), sentence_->query()}; }

void ModelPage::restoreState(const State& state) {
    if (state.head)
        heads_->wall()->choose(*state.head);
    if (state.query)
        sentence_->setQuery(*state.query);
}

void ModelPage::showBusy() {
    const auto place = heads_->chosen();
    const bool reads =
        reading_.isRunning() && !(shown_ && shown_->result == session_.result() && place == shown_->place);
    const bool running = session_.isRunning() || reads;
    effects_->setPaused(session_.isRunning()); // typing comes first
    heads_->words()->setPaused(session_.isRunning());
    overlay_->setHasPicture(session_.result() != nullptr);
    if (running)
        overlay_->wait();
    else if (!session_.hasInput() || (session_.result() && !session_.isOutdated()))
        overlay_->clear();
    else
        overlay_->abandon([this] { return stateWithoutResult(); }, [this] { session_.runAgain(); });
    can_export_ = !running && shown_ && !session_.isOutdated(); // a file says what the page says
    copy_->setEnabled(can_export_);
    take_->setEnabled(can_export_);
}

PictureState ModelPage::stateWithoutResult() const {
    using Look = PictureState::Look;
    const QString what = session_.result() ? OutdatedOverlay::words() : tr("There is no result");
    if (session_.isTooLong()) // the line above the words says why
        return session_.result() ? PictureState() : PictureState{Look::Error, what, texts_->problem()};
    if (const auto& why = session_.failure())
        return {Look::Error, what, translated(*why)};
    return {Look::Empty, what, tr("The model was stopped."), tr("Compute")};
}

void ModelPage::openHeadInWorkspace() {
    if (!shown_)
        return;
    const auto& heads = shown_->heads();
    const auto& capture = shown_->result->capture;
    const QString file = displayName(modelName(session_.path()));
    const auto& keys = sentence_->reading().keys;
    std::optional<Cell> cell;
    if (sentence_->query() && !keys.empty())
        cell = Cell{*sentence_->query(), static_cast<int>(keys.front().key)};
    try {
        if (capture) {
            emit taken(problem_of(*capture, *capture->find(heads.name)), tr("%1, %2").arg(file, textOf(heads.name)),
                       shown_->result->sequence, shown_->place.head, cell);
            return;
        }
        const auto one = heads.one(shown_->place.head);
        emit taken(model::problem_of(*one.pass, one.index, heads.tokens),
                   tr("%1, %2").arg(file, headTitle(*shown_->result, shown_->place)), 0, 0, cell);
    } catch (const Error& error) {
        emit failed(error.message());
    }
}

std::shared_ptr<const FigureOrigin> ModelPage::origin() const {
    if (!shown_ || head_->view() != head_->weights())
        return nullptr;
    const auto& heads = shown_->heads();
    const auto& capture = shown_->result->capture;
    if (heads.queries * heads.keys > io::largest_figure_arrays) // its masks may be as large
        return nullptr;
    ViewState view;
    try {
        if (capture) {
            view.setBatch(shown_->result->sequence);
            view.setHead(shown_->place.head);
            return std::make_shared<const FigureOrigin>(
                originOf(problem_of(*capture, *capture->find(heads.name)), view));
        }
        const auto one = heads.one(shown_->place.head);
        return std::make_shared<const FigureOrigin>(
            originOf(model::problem_of(*one.pass, one.index, heads.tokens), view));
    } catch (const Error&) { // what is too large for the workspace is too large for a picture
        return nullptr;
    }
}

bool ModelPage::canExport() const { return can_export_; }

void ModelPage::exportShown() { askForExport({}, origin()); }

void ModelPage::stepHead(int by) {
    const auto& shown = wall()->shown();
    const auto now = wall()->chosen();
    const auto here = now ? std::ranges::find(shown, *now) : shown.end();
    if (here == shown.end())
        return;
    const auto place = std::clamp<std::ptrdiff_t>(here - shown.begin() + by, 0, std::ssize(shown) - 1);
    wall()->choose(shown[static_cast<std::size_t>(place)]);
}

void ModelPage::stepView(int by) { head_->stepView(by); }

void ModelPage::takeFocus() {
    if (session_.capture())
        wall()->takeFocus();
    else if (session_.model() && texts_->isFieldElsewhere())
        sentence_->takeFocus();
    else if (session_.model())
        text()->setFocus();
    else
        start_->openButton()->setFocus();
}

QString ModelPage::title() const {
    if (head_->title().isEmpty() || head_->view() == head_->weights() || !head_->view()->ownTitle().isEmpty())
        return head_->title();
    return tr("%1 · %2").arg(head_->title(), head_->view()->figureName());
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
    const bool are_several = shown.figure.panels.size() > 1; // with titles of their own
    shown.options.title = are_several ? head_->title() : title();
    if (are_several)
        shown.options.size_points = comparison_points;
    return shown;
}

QString ModelPage::fileStem(bool with_head) const {
    const QFileInfo file(session_.path());
    QString stem = file.isDir() ? file.fileName() : file.completeBaseName();
    if (session_.model() && toPath(session_.path()) == sampleModelFolder())
        stem = QString::fromStdString(session_.model()->description().type);
    if (!with_head || !shown_)
        return stem;
    const auto& result = *shown_->result;
    const QString pass = passTitle(result, shown_->place.pass);
    stem +=
        result.are_layers ? QStringLiteral("-layer%1").arg(pass) : QLatin1Char('-') + QString(pass).replace(u'.', u'-');
    return stem + QStringLiteral("-head%1").arg(shown_->place.head);
}

WallEffects ModelPage::wallEffects() const {
    const auto& result = session_.result();
    if (!result || !result->model || effects_->state() == HeadEffects::State::None)
        return {};
    if (effects_->measure() == HeadEffects::Measure::Direct ? !effects_->hasDirect() : effects_->found() == 0)
        return {};
    return {std::make_shared<const EffectMarks>(effectMarks(*effects_, *result)),
            heads_->tabs()->currentIndex() == HeadsPanel::Changes};
}

std::optional<ExportSubject> ModelPage::exportSubject() const {
    const auto stages = head_->view()->stages();
    if (!stages)
        return std::nullopt;
    const auto shown = shownFigure();
    const bool is_pooled = shown_ && stages == shown_->pooled; // whose axes count in steps
    const auto& answer = sentence_->next()->answer();
    const bool has_answer =
        answer && shown_ && answerFollows(*shown_->result, shown_->result->heads(shown_->place).name);
    const FigureSubject head{
        head_->view()->displayedStage(), 0, 0, {}, sentence_->query(), has_answer ? answerText(*answer) : QString()};
    auto subject = shown && shown->figure.drawing
                       ? drawingExport(stages, head.stage, {shown->figure.drawing, QStringLiteral("lines"), title()})
                   : shown && (is_pooled || shown->figure.panels.size() > 1)
                       ? figureExport(stages, head.stage, shown->figure, shown->options)
                       : stageExport(stages, head, title());
    if (shown && shown->figure.drawing)
        addHeadDrawings(subject, stages, head);
    for (auto& output : subject.outputs)
        nameFile(output, fileStem(head_->view()->ownTitle().isEmpty()));
    if (const auto& result = session_.result()) {
        std::vector<WebPagePass> passes;
        for (const auto& heads : result->passes)
            passes.push_back({markedTitle(*result, QString::fromStdString(heads.name)).toStdString(), heads.heads,
                              heads.queries, heads.keys, heads.whole, heads.tokens});
        setModelPage(subject, std::move(passes));
        const std::array answers{heads_->lens()->table(), heads_->words()->table()};
        addHeadsOutputs(subject, result, fileStem(false), heads_->scatter()->picture(), wallEffects(), answers);
    }
    return subject;
}

QPlainTextEdit* ModelPage::text() const { return texts_->text(); }
HeadsWall* ModelPage::wall() const { return heads_->wall(); }
HeatmapView* ModelPage::heatmap() const { return head_->weights()->heatmap(); }
TokenArcs* ModelPage::arcs() const { return sentence_->arcs(); }
QPushButton* ModelPage::workspaceButton() const { return take_; }
QPushButton* ModelPage::offButton() const { return head_->offButton(); }
QComboBox* ModelPage::order() const { return heads_->order(); }

OutcomeBars* ModelPage::outcomes() const {
    const auto bars = guesses_->bars();
    return bars.empty() ? nullptr : bars.front();
}

namespace {

constexpr int widest = 460, most_letters = 60;

} // namespace

StartPanel::StartPanel(QWidget* parent)
    : QWidget(parent), open_(newButton(tr("Open a model…"), tr("A folder with config.json, weights and a tokenizer, or "
                                                               "a GGUF file"))),
      leave_(newButton(tr("Back to the workspace"), tr("Back to the document"))), heading_(mutedLabel(this, true)) {
    auto* words = new WrappedLabel;
    words->setWordWrap(true);
    words->setText(tr("A model on this computer: a folder with config.json, weights and a tokenizer, or one GGUF file. "
                      "Nothing is downloaded, and nothing leaves the machine."));
    heading_->setText(tr("Recent models"));
    auto* middle = new QWidget;
    middle->setMaximumWidth(widest);
    column_ = new QVBoxLayout(middle);
    column_->addWidget(words);
    column_->addWidget(open_);
    column_->addWidget(leave_);
    column_->addSpacing(8);
    column_->addWidget(heading_);
    auto* column = new QVBoxLayout(this);
    column->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(middle, 4);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(2);
    connect(open_, &QPushButton::clicked, this, &StartPanel::openRequested);
    connect(leave_, &QPushButton::clicked, this, &StartPanel::leaveRequested);
    fill();
}

void StartPanel::fill() {
    for (QPushButton* button : recent_)
        removeSafely(button);
    recent_.clear();
    for (const auto& path : settings::recentModels()) {
        const QFileInfo file(path);
        QString name = file.fileName();
        if (name.size() > most_letters)
            name = name.left(most_letters - 1) + QChar(0x2026);
        auto* button = newButton(menuText(name), path);
        connect(button, &QPushButton::clicked, this, [this, path] { emit chosen(path); });
        column_->addWidget(button);
        recent_.push_back(button);
    }
    heading_->setVisible(!recent_.empty());
}

void StartPanel::showEvent(QShowEvent* event) {
    fill(); // other windows open models too
    QWidget::showEvent(event);
}

void StartPanel::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
