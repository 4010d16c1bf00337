#include "ui/model/text_panel.h"

#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/model/model_input.h"
#include "ui/model/model_result.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTextEdit>
#include <QTimer>
#include <QToolButton>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int written_letters = 120, most_written = 999;
constexpr double least_of_two = 0.001; ///< of an outcome, where two lists share the room
constexpr std::size_t fewest_of_two = 2;
constexpr int answer_stretch = 100; ///< beside what takes only what is left
constexpr int text_lines = 2, beside_lines = 18, beside_line = 12, progress_width = 180;
constexpr int letters_of_problem = 60; ///< in sight, where there is one
constexpr int letters_of_answer = 30;  ///< beside the counter
constexpr std::chrono::milliseconds busy_delay{300};

QPlainTextEdit* newText(const QString& name, const QString& placeholder, const QFontMetrics& metrics) {
    auto* text = new TextEdit;
    text->setAccessibleName(name);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setFixedHeight(text_lines * metrics.lineSpacing() + beside_lines);
    return text;
}

} // namespace

TextPanel::TextPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session),
      text_(newText(tr("Text that the model reads"), tr("Type a text for the model"), fontMetrics())),
      other_(newText(tr("Second text, to compare with"), tr("Type a second text to compare with"), fontMetrics())),
      target_(new QLineEdit), image_(newButton(tr("Choose an image…"), tr("The image that the model reads"))),
      without_image_(newButton(tr("Without the image"), tr("The model reads the text alone"))),
      sound_(newButton(tr("Choose a sound…"), tr("The sound that the model reads: WAV, FLAC, OGG or MP3"))),
      edit_(newButton(tr("Edit text"), tr("Another text for the model. The result follows each letter"))),
      cut_(newButton(tr("Read the beginning"), tr("Cuts the text where the model reads no more"))),
      compare_(new BarButton), tools_(new QWidget), line_(new QHBoxLayout(tools_)), both_(new QHBoxLayout),
      sequence_(new QSpinBox), busy_(new QWidget), hint_(makeLineLabel(LineStyle::Muted)), progress_(new QProgressBar),
      cancel_(new QToolButton), busy_delay_(new QTimer(this)), counter_(new ElidedLabel) {
    field_height_ = text_->maximumHeight();
    sequence_->setPrefix(tr("Sequence "));
    sequence_->setAccessibleName(tr("Sequence of the batch"));
    sequence_->setKeyboardTracking(false);
    target_->setAccessibleName(tr("Text of the decoder"));
    target_->setPlaceholderText(tr("Text of the decoder, for example what it has written so far"));
    compare_->setParent(tools_); // or showing it would open a window, until a row takes it
    compare_->setContent(tr("Compare texts"), icon(QStringLiteral("compare")));
    compare_->setToolTip(
        tr("A second text beside the first: what every head reads in both, token by token by position, "
           "and the difference"));
    compare_->setCheckable(true);
    progress_->setRange(0, 100);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Stops the model; what is on show stays, marked as out of date"));
    busy_delay_->setSingleShot(true);
    busy_delay_->setInterval(busy_delay);
    busy_->setFixedWidth(progress_width);
    auto* busy = new QHBoxLayout(busy_);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(progress_, 1);
    busy->addWidget(cancel_);
    progress_->setAccessibleName(tr("Progress of the model"));
    counter_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line_->setContentsMargins(0, 0, 0, 0);
    line_->addWidget(hint_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{image_, without_image_, sound_, sequence_})
        line_->addWidget(part);
    line_->addStretch();
    for (QWidget* part : std::initializer_list<QWidget*>{busy_, counter_, cut_, edit_})
        line_->addWidget(part);
    both_->addWidget(text_, 1, Qt::AlignTop);
    both_->addWidget(other_, 1, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(both_);
    column->addWidget(target_);
    connect(edit_, &QPushButton::clicked, this, &TextPanel::editRequested);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] { session_.setText(text_->toPlainText()); });
    connect(other_, &QPlainTextEdit::textChanged, this, [this] {
        if (compare_->isChecked())
            session_.setOther(other_->toPlainText());
    });
    connect(cut_, &QPushButton::clicked, this, [this] {
        for (const auto& [field, size] : {std::pair(text_, session_.size()), {other_, session_.otherSize()}})
            if (size.isTooLong() && size.readable >= 0)
                field->setPlainText(field->toPlainText().left(size.readable));
    });
    connect(target_, &QLineEdit::textEdited, &session_, &ModelSession::setTarget);
    connect(image_, &QPushButton::clicked, this, &TextPanel::imageRequested);
    connect(without_image_, &QPushButton::clicked, this, [this] { session_.setImage({}); });
    connect(&session_, &ModelSession::imageChanged, this, &TextPanel::showImage);
    connect(sound_, &QPushButton::clicked, this, &TextPanel::soundRequested);
    connect(sequence_, &QSpinBox::valueChanged, &session_, &ModelSession::setSequence);
    connect(compare_, &QPushButton::toggled, this, &TextPanel::compare);
    connect(cancel_, &QToolButton::clicked, &session_, &ModelSession::cancel);
    connect(busy_delay_, &QTimer::timeout, this, [this] {
        busy_->setVisible(session_.isRunning());
        counter_->setVisible(!session_.isRunning());
    });
    connect(&session_, &ModelSession::changed, this, &TextPanel::showSizes);
    connect(&session_, &ModelSession::opened, this, &TextPanel::showModel);
    connect(&session_, &ModelSession::runningChanged, this, &TextPanel::showProgress);
    connect(&session_, &ModelSession::textWritten, this, &TextPanel::takeWritten);
    connect(&session_, &ModelSession::textGrows, this,
            [this](const QString& text) { showHint({}, {}, tr("Writes: … %1").arg(text.right(written_letters))); });
    connect(&session_, &ModelSession::progressed, this,
            [this](double fraction) { progress_->setValue(static_cast<int>(std::lround(100.0 * fraction))); });
    showModel();
    showProgress();
    showSizes();
}

void TextPanel::setLow(bool low, QWidget* answer) {
    low_ = low;
    if (low && answer->parentWidget() != this)
        line_->insertWidget(0, answer, answer_stretch);
    answer->setMinimumWidth(low ? letters_of_answer * fontMetrics().averageCharWidth() : 0);
    placeHint();
    const int line = fontMetrics().lineSpacing();
    field_height_ = low ? line + beside_line : text_lines * line + beside_lines;
    if (!field_is_elsewhere_)
        for (auto* field : {text_, other_})
            field->setFixedHeight(field_height_);
}

void TextPanel::placeWritten(QWidget* line) {
    if (line->parentWidget() == tools_)
        return;
    written_ = line;
    line_->insertWidget(0, line, answer_stretch);
    line->removeEventFilter(this);
    line->installEventFilter(this);
    placeHint();
}

bool TextPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == written_ && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        placeHint();
    return QWidget::eventFilter(watched, event);
}

void TextPanel::placeHint() {
    const auto& opened = session_.model();
    const bool is_sound = opened && opened->description().first().embedding.frames;
    const bool has_problem = !counter_problem_.isEmpty();
    const bool is_written_here = written_ && written_->parentWidget() == tools_ && !written_->isHidden();
    hint_->setVisible(is_sound || (field_is_elsewhere_ && (has_problem || !(low_ || is_written_here))));
    line_->setStretchFactor(hint_, low_ && has_problem ? 2 * answer_stretch : 1);
    const int most = letters_of_problem * fontMetrics().averageCharWidth();
    hint_->setMinimumWidth(has_problem ? std::min(most, fontMetrics().horizontalAdvance(counter_problem_)) : 0);
    edit_->setVisible(field_is_elsewhere_ && cut_->isHidden()); // of which one is needed
}

/// Where tokens take the place of the fields, nothing is left here.
void TextPanel::showPanel() {
    const auto& opened = session_.model();
    const bool reads_text = opened && opened->description().first().embedding.reads_tokens();
    setVisible((reads_text && !field_is_elsewhere_) || !target_->isHidden());
}

void TextPanel::placeField() {
    const auto& opened = session_.model();
    const bool reads_text = opened && opened->description().first().embedding.reads_tokens();
    const bool has_chips = reads_text && !(opened->description().encoder && opened->description().decoder);
    const bool moves = has_chips != field_is_elsewhere_;
    field_is_elsewhere_ = has_chips;
    placeHint();
    if (!has_chips) {
        if (moves)
            for (auto* field : {text_, other_}) {
                both_->addWidget(field, 1, Qt::AlignTop);
                field->setFixedHeight(field_height_);
            }
        text_->setVisible(reads_text);
        other_->setVisible(reads_text && compare_->isChecked());
    }
    showPanel();
    if (moves)
        emit fieldMoved();
}

void TextPanel::showModel() {
    const auto& opened = session_.model();
    const bool image = opened && opened->description().first().embedding.patches;
    const bool image_in_text = opened && opened->description().image_tokens;
    const bool sound = opened && opened->description().first().embedding.frames;
    const auto& request = session_.request();
    const auto& capture = session_.capture();
    const int sequences = capture ? sequencesOf(*capture) : 1;
    {
        const QSignalBlocker quiet(sequence_);
        sequence_->setRange(0, std::max(0, sequences - 1));
        sequence_->setValue(request.sequence);
        sequence_->setVisible(sequences > 1);
    }
    const QSignalBlocker quiet_text(text_), quiet_other(other_), quiet_compare(compare_);
    text_->setPlainText(request.text);
    other_->setPlainText(request.other.value_or(QString()));
    target_->setText(request.target);
    compare_->setChecked(request.other.has_value());
    const bool reads_text = !image && !sound && !capture;
    compare_->setVisible(reads_text);
    image_->setVisible(image || image_in_text);
    showImage();
    sound_->setVisible(sound);
    target_->setVisible(opened && opened->description().encoder && opened->description().decoder);
    placeField();
}

void TextPanel::showImage() {
    const auto& opened = session_.model();
    without_image_->setVisible(opened && opened->description().image_tokens && !session_.request().image.isEmpty());
}

/// As an edit, which can be undone. Qt merges one that follows another at its end, as long as the document counts as
/// modified.
void TextPanel::takeWritten() {
    const auto& request = session_.request();
    if (session_.model()->description().encoder)
        return target_->setText(request.target);
    const QSignalBlocker quiet(text_);
    QTextCursor end(text_->document());
    end.movePosition(QTextCursor::End);
    const QString now = text_->toPlainText();
    if (!request.text.startsWith(now))
        end.select(QTextCursor::Document);
    text_->document()->setModified(false);
    end.insertText(request.text.startsWith(now) ? request.text.mid(now.size()) : request.text);
    text_->document()->setModified(false);
}

/// Begins with the same text, so that what is changed in it is all that differs.
void TextPanel::compare(bool on) {
    placeField();
    if (!on) {
        session_.setOther({});
        return;
    }
    if (other_->toPlainText().isEmpty()) {
        const QSignalBlocker quiet(other_);
        other_->setPlainText(text_->toPlainText());
        other_->moveCursor(QTextCursor::End);
    }
    session_.setOther(other_->toPlainText());
    if (field_is_elsewhere_)
        emit otherRequested();
    else
        other_->setFocus();
}

/// The counter is in its place, or the text would move.
void TextPanel::showProgress() {
    if (!session_.isRunning()) {
        busy_delay_->stop();
        busy_->hide();
        counter_->show();
    } else if (busy_->isHidden() && !busy_delay_->isActive()) {
        progress_->setValue(0);
        busy_delay_->start();
    }
}

namespace {

/// The texts of the tokens.
std::vector<std::string> piecesOf(const QString& text, const TextSize& size) {
    std::vector<std::string> pieces;
    qsizetype first = 0;
    for (const auto end : size.ends) {
        pieces.push_back(text.mid(first, end - first).toStdString());
        first = end;
    }
    return pieces;
}

/// Marks what the other text has not, and underlines what the model does not read.
void markText(QPlainTextEdit& text, const TextSize& size, const std::vector<bool>& differing) {
    QList<QTextEdit::ExtraSelection> marks;
    const qsizetype letters = text.document()->characterCount() - 1;
    for (std::size_t token = 0; token < std::min(differing.size(), size.ends.size()); ++token) {
        const qsizetype first = token > 0 ? size.ends[token - 1] : 0, end = size.ends[token];
        if (!differing[token] || end <= first || end > letters)
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = text.textCursor();
        mark.cursor.setPosition(static_cast<int>(first));
        mark.cursor.setPosition(static_cast<int>(end), QTextCursor::KeepAnchor);
        mark.format.setBackground(theme().accent_soft);
        marks << mark;
    }
    if (size.isTooLong() && size.readable >= 0 && size.readable < text.document()->characterCount()) {
        QTextEdit::ExtraSelection surplus;
        surplus.cursor = text.textCursor();
        surplus.cursor.setPosition(static_cast<int>(size.readable));
        surplus.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        surplus.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        surplus.format.setUnderlineColor(theme().error_text);
        marks << surplus;
    }
    text.setExtraSelections(marks);
}

} // namespace

void TextPanel::showSizes() {
    const bool second = session_.otherSize().isTooLong() && !session_.size().isTooLong();
    const TextSize& size = second ? session_.otherSize() : session_.size();
    std::pair<std::vector<bool>, std::vector<bool>> differing;
    if (compare_->isChecked() && !session_.isOutdated())
        differing = differingTokens(piecesOf(text_->toPlainText(), session_.size()),
                                    piecesOf(other_->toPlainText(), session_.otherSize()));
    markText(*text_, session_.size(), differing.first);
    markText(*other_, session_.otherSize(), differing.second);
    QString words, tip;
    if (size.tokens > 0)
        words = size.most > 0 ? tr("%1 of %2 tokens").arg(size.tokens).arg(size.most)
                              : tr("%n tokens", nullptr, static_cast<int>(size.tokens));
    if (size.isTooLong())
        tip = (second ? tr("This model reads at most %1 tokens; the second text has %2.")
                      : tr("This model reads at most %1 tokens; the text has %2."))
                  .arg(size.most)
                  .arg(size.tokens);
    counter_problem_ = tip;
    if (size.in_bytes > 0) {
        const int letters = static_cast<int>(size.in_bytes);
        if (isSample()) {
            words = tr("%1 · %n unreadable", nullptr, letters).arg(words);
            if (tip.isEmpty())
                tip = counter_problem_ = tr("The sample model has not learned “%1”").arg(size.first_in_bytes);
        } else {
            words = tr("%1 · %n letters read as bytes", nullptr, letters).arg(words);
            if (tip.isEmpty())
                tip = tr("The vocabulary has no token for “%1”: each of these letters is read as the bytes of its code")
                          .arg(size.first_in_bytes);
        }
    }
    if (size.unknown > 0) {
        words = tr("%1 · %2 unknown").arg(words).arg(size.unknown);
        if (tip.isEmpty())
            tip = tr("%n tokens stand for words that the vocabulary does not have", nullptr,
                     static_cast<int>(size.unknown));
    }
    if (size.spelled > 0 && !(size.in_bytes > 0 && isSample())) { // whose words are such, too
        words = tr("%1 · %n words read letter by letter", nullptr, static_cast<int>(size.spelled)).arg(words);
        if (tip.isEmpty())
            tip = tr("The vocabulary does not have them: the model hardly knows these words, and its answer after them "
                     "may mean little");
    }
    counter_->setText(words);
    const QString longest = tr("%1 of %2 tokens").arg(size.most).arg(size.most); // a letter more moves nothing
    counter_->setMinimumWidth(size.most > 0 ? fontMetrics().horizontalAdvance(longest) : 0);
    counter_->setToolTip(tip);
    cut_->setVisible(size.isTooLong() && size.readable >= 0);
    showHint(counter_problem_, size.isTooLong() && size.readable >= 0
                                   ? (second ? other_ : text_)->toPlainText().mid(size.readable)
                                   : QString());
    showSound();
    placeHint();
    counter_->setForegroundRole(size.isTooLong() ? QPalette::BrightText : QPalette::PlaceholderText);
    for (auto* text : {text_, other_})
        text->setAccessibleDescription(tip);
}

bool TextPanel::isSample() const { return session_.model() && toPath(session_.path()) == sampleModelFolder(); }

/// The file, what is not read of it, and its letters where the model gives such.
void TextPanel::showSound() {
    const auto& opened = session_.model();
    if (!opened || !opened->description().first().embedding.frames)
        return;
    QStringList words;
    if (!session_.request().sound.isEmpty())
        words << displayName(QFileInfo(session_.request().sound).fileName());
    if (const auto& result = session_.result()) {
        if (result->spelled)
            words << tr("Spelled: “%1”").arg(displayToken(*result->spelled));
        for (const auto& note : result->sound_notes)
            words << translated(note);
    }
    showHint({}, {}, words.isEmpty() ? tr("Choose a sound file, or drop one here.") : words.join(tr(" · ")));
}

/// Where tokens take the place of the field, nothing marks in it what is too much.
void TextPanel::showHint(const QString& problem, const QString& surplus, const QString& words) {
    const bool is_same = compare_->isChecked() && other_->toPlainText() == text_->toPlainText();
    const QString usual =
        is_same ? tr("Change a word in B to see what it changes") : tr("Click a word, or double-click it to change it");
    hint_->setText(!words.isEmpty()              ? words
                   : problem.isEmpty()           ? usual
                   : surplus.trimmed().isEmpty() ? problem
                                                 : tr("%1 Not read: “%2”").arg(problem, surplus.simplified()));
    QPalette colors; // of the program: it follows the theme
    if (!problem.isEmpty())
        colors.setColor(QPalette::PlaceholderText, theme().error_text);
    hint_->setPalette(colors);
}

QString TextPanel::counter() const { return counter_->text(); }
QPushButton* TextPanel::compareButton() const { return compare_; }

PredictionsPanel::PredictionsPanel(QWidget* parent)
    : QWidget(parent), hint_(new WrappedLabel), pinned_(makeLineLabel(LineStyle::Muted)),
      unpin_(newButton(tr("Unpin"), tr("The wall shows the change of the answer again"))), writing_(makeWriting()) {
    auto* list = new QWidget;
    column_ = new QVBoxLayout(list);
    column_->setContentsMargins(0, 0, 0, 0);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(hint_);
    column_->addStretch(1);
    connect(unpin_, &QPushButton::clicked, this, [this] {
        pins_.clear();
        showPins();
    });
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addWidget(new FittingScrollArea(list, FittingScrollArea::Scrolls::Down));
    card->content()->addWidget(pinned_);
    card->content()->addWidget(unpin_, 0, Qt::AlignLeft);
    card->content()->addWidget(writing_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

void PredictionsPanel::addBelow(QWidget* part) { layout()->addWidget(part); }

QWidget* PredictionsPanel::makeWriting() {
    write_ =
        newButton(tr("Go on"), tr("The model writes on. A double click on a next token, or Enter, takes that one"));
    count_ = new QSpinBox;
    count_->setRange(1, most_written);
    count_->setValue(10);
    count_->setAccessibleName(tr("How many tokens the model writes"));
    how_ = new QComboBox;
    how_->addItem(tr("The likeliest"));
    how_->addItem(tr("By chance"));
    how_->setAccessibleName(tr("Which token is written"));
    how_->setToolTip(tr("The likeliest token each time, or one that is drawn by its probability"));
    temperature_ = new QDoubleSpinBox;
    temperature_->setRange(0.05, 10.0);
    temperature_->setSingleStep(0.1);
    temperature_->setValue(1.0);
    temperature_->setPrefix(tr("T "));
    temperature_->setAccessibleName(tr("Temperature"));
    temperature_->setToolTip(
        tr("Temperature: logits are divided by it before a token is drawn. Lower ones prefer likely "
           "tokens"));
    seed_ = new QSpinBox;
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setPrefix(tr("Seed "));
    seed_->setAccessibleName(tr("Seed"));
    seed_->setToolTip(tr("The same seed draws the same tokens"));
    auto* panel = new QWidget;
    auto* grid = new QGridLayout(panel);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(metrics::gap);
    grid->addWidget(write_, 0, 0);
    grid->addWidget(count_, 0, 1);
    grid->addWidget(how_, 1, 0, 1, 2);
    grid->addWidget(temperature_, 2, 0);
    grid->addWidget(seed_, 2, 1);
    const auto show_choice = [this](int index) {
        temperature_->setVisible(index == 1);
        seed_->setVisible(index == 1);
    };
    show_choice(0);
    connect(how_, &QComboBox::currentIndexChanged, this, show_choice);
    connect(write_, &QPushButton::clicked, this, [this] {
        const bool draws = how_->currentIndex() == 1;
        emit writeRequested({.count = count_->value(),
                             .temperature = draws ? temperature_->value() : 0.0,
                             .seed = static_cast<std::uint64_t>(seed_->value())});
    });
    return panel;
}

QString PredictionsPanel::titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                                  const ModelPredictions& guesses) const {
    if (guesses.of != ModelPredictions::Of::Outcome)
        return guesses.of == ModelPredictions::Of::Begin ? tr("The answer begins at") : tr("The answer ends at");
    if (!guesses.position)
        return result.result->is_of_classes ? tr("Classes") : tr("Next token");
    return tr("%1 at %2")
        .arg(displayToken(textOf(tokens[static_cast<std::size_t>(*guesses.position)])))
        .arg(*guesses.position);
}

void PredictionsPanel::show(std::size_t index, const QString& title, const ModelPredictions& guesses) {
    if (index == sections_.size()) {
        sections_.push_back({makeLineLabel(LineStyle::Bold), new OutcomeBars});
        sections_.back().title->setBuddy(sections_.back().bars);
        connect(sections_.back().bars, &OutcomeBars::outcomeClicked, this, &PredictionsPanel::togglePin);
        if (index == 0) // behind the second text nothing is written
            connect(sections_.back().bars, &OutcomeBars::outcomeTaken, this, [this](const model::Outcome& outcome) {
                if (result_ && result_->model->description().predicts_next())
                    emit appendRequested(outcome.id);
            });
        column_->insertWidget(column_->count() - 1, sections_.back().title);
        constexpr int before_the_rest = 100;
        column_->insertWidget(column_->count() - 1, sections_.back().bars, before_the_rest);
    }
    sections_[index].title->setText(title);
    sections_[index].bars->setOutcomes(title, guesses.now, guesses.before);
}

void PredictionsPanel::togglePin(const model::Outcome& outcome) {
    if (const auto found = std::ranges::find(pins_, outcome.id, &NamedOutcome::id); found != pins_.end()) {
        pins_.erase(found);
    } else {
        if (pins_.size() == 2)
            pins_.pop_back();
        pins_.push_back(namedOutcome(*result_->model, *result_->plain, outcome.id, outcome.probability));
    }
    showPins();
}

void PredictionsPanel::showPins() {
    if (unpin_->hasFocus() && pins_.empty() && shown_ > 0) // the button is about to go
        sections_.front().bars->setFocus(Qt::OtherFocusReason);
    for (const auto& section : sections_)
        section.bars->setPinned(pins_);
    const auto two = pair();
    pinned_->setText(two             ? tr("%1 against %2").arg(two->a.name, two->b.name)
                     : pins_.empty() ? tr("Click two to compare them")
                                     : tr("%1 against …").arg(pins_.front().name));
    pinned_->setToolTip(tr("Of two pinned outcomes the wall shows how the difference of their logits changes without "
                           "each head"));
    const bool has_answer = result_ && answerRow(*result_);
    pinned_->setVisible(has_answer);
    unpin_->setVisible(has_answer && !pins_.empty());
    emit pairChanged();
}

std::optional<NamedPair> PredictionsPanel::pair() const {
    return pins_.size() == 2 ? std::optional(NamedPair{pins_[0], pins_[1]}) : std::nullopt;
}

namespace {

/// Outcomes that are unlikely now and were so before, behind the first few. What a head makes unlikely stays.
void leaveOut(ModelPredictions& guesses) {
    const auto is_unlikely = [](const auto& outcomes, std::int64_t id) {
        const auto found = std::ranges::find(outcomes, id, [](const auto& outcome) { return outcome.id; });
        return found == outcomes.end() || found->probability < least_of_two;
    };
    while (guesses.now.size() > fewest_of_two && is_unlikely(guesses.now, guesses.now.back().id) &&
           is_unlikely(guesses.before, guesses.now.back().id))
        guesses.now.pop_back();
    while (guesses.before.size() > fewest_of_two && is_unlikely(guesses.before, guesses.before.back().id) &&
           is_unlikely(guesses.now, guesses.before.back().id))
        guesses.before.pop_back();
}

} // namespace

void PredictionsPanel::setResult(const ModelResultPtr& result) {
    if (!result || !result_ || result->model != result_->model) // an id means another token there
        pins_.clear();
    result_ = result;
    shown_ = 0;
    hint_->clear();
    if (result && result->model && !result->passes.empty()) {
        const bool two = result->compared && result->compared->of == ComparedRuns::Of::Texts;
        const auto add = [&](const QString& form, const std::vector<ModelPredictions>& all,
                             const std::vector<std::string>& tokens) {
            for (ModelPredictions guesses : all) {
                if (two)
                    leaveOut(guesses);
                show(shown_++, form.arg(titleOf(*result, tokens, guesses)), guesses);
            }
        };
        add(two ? tr("A · %1") : QStringLiteral("%1"), result->guesses, result->passes.front().tokens.queries);
        if (two)
            add(tr("B · %1"), result->compared->other, result->compared->passes.front().tokens_b.queries);
        if (shown_ == 0 && result->mask_spelling)
            hint_->setText(tr("Write %1 for a word in the text, to see what the model expects there")
                               .arg(textOf(*result->mask_spelling)));
    }
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        sections_[i].title->setVisible(i < shown_);
        sections_[i].bars->setVisible(i < shown_);
    }
    QStringList names;
    for (const auto* bars : this->bars())
        names << bars->names();
    for (auto* bars : this->bars())
        bars->setAllNames(shown_ > 1 ? names : QStringList());
    hint_->setVisible(!hint_->text().isEmpty());
    setVisible(shown_ > 0 || !hint_->text().isEmpty());
    writing_->setVisible(result && result->model && result->model->description().predicts_next());
    showPins();
}

std::vector<OutcomeBars*> PredictionsPanel::bars() const {
    std::vector<OutcomeBars*> bars;
    for (std::size_t i = 0; i < shown_; ++i)
        bars.push_back(sections_[i].bars);
    return bars;
}

QStringList PredictionsPanel::titles() const {
    QStringList titles;
    for (std::size_t i = 0; i < shown_; ++i)
        titles << sections_[i].title->text();
    return titles;
}

QString PredictionsPanel::hint() const { return hint_->text(); }

namespace {

constexpr int outcome_letters = 12, fewest_rows = 8, most_rows = 16;
constexpr double least_lines = 1.35, usual_lines = 2.0, most_lines = 3.6; ///< height of a row
constexpr int pin_colors[] = {0, 2};                                      ///< of seriesColor(), apart from the accent

/// Whether a space before it makes another token of the same word.
bool beginsWithSpace(const model::Outcome& outcome) {
    const QString text = textOf(outcome.label);
    return text.startsWith(QLatin1Char(' ')) && !text.trimmed().isEmpty();
}

QString nameOf(const model::Outcome& outcome) {
    const QString text = textOfOutcome(outcome.label, outcome.name);
    if (text.isEmpty())
        return QString::number(outcome.id);
    return displayToken(text);
}

/// With a sign for the space where the word without it is there too.
QString nameAmong(const model::Outcome& outcome, const std::vector<model::Outcome>& all) {
    const QString name = nameOf(outcome);
    const bool is_twice =
        std::ranges::any_of(all, [&](const auto& other) { return other.id != outcome.id && nameOf(other) == name; });
    return is_twice && beginsWithSpace(outcome) ? QChar(0x2423) + name : name;
}

} // namespace

OutcomeBars::OutcomeBars(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setFocusPolicy(Qt::StrongFocus);
    declareShortcuts(*this, {tr("Next token"),
                             {{tr("Up, Down"), tr("Go from outcome to outcome")},
                              {tr("Space"), tr("Pin the outcome, to compare two")},
                              {tr("Enter"), tr("Take it as the next token of the text")}}});
    bars_.names = BarsDrawing::Names::AtLeftEdge;
    bars_.widest_number = QStringLiteral("< 0.1%");
}

void OutcomeBars::setOutcomes(const QString& title, const std::vector<model::Outcome>& outcomes,
                              const std::vector<model::Outcome>& before) {
    title_ = title;
    const bool compares =
        outcomes.size() != before.size() ||
        !std::equal(outcomes.begin(), outcomes.end(), before.begin(),
                    [](const auto& a, const auto& b) { return a.id == b.id && a.probability == b.probability; });
    candidates_.clear();
    for (const auto& outcome : outcomes) {
        Candidate one{.outcome = outcome, .now = outcome.probability};
        const auto earlier = std::ranges::find(before, outcome.id, &model::Outcome::id);
        if (compares && earlier != before.end())
            one.before = earlier->probability;
        candidates_.push_back(std::move(one));
    }
    showRows();
    setMaximumHeight(std::max(1, heightWith(mostRows(), most_lines)));
    updateGeometry();
}

int OutcomeBars::mostRows() const { return std::min(most_rows, static_cast<int>(candidates_.size())); }

int OutcomeBars::rowsIn(int height) const {
    const int fitting = height / std::max(1, heightWith(1, usual_lines));
    return std::min(std::max(fitting, fewest_rows), mostRows());
}

/// Those with the largest probabilities, now or before, in the order of the present ones.
void OutcomeBars::showRows() {
    std::vector<const Candidate*> chosen;
    for (const auto& one : candidates_)
        chosen.push_back(&one);
    std::ranges::stable_sort(chosen, std::greater<>(), &Candidate::largest);
    chosen.resize(static_cast<std::size_t>(rowsIn(height())));
    std::ranges::stable_sort(chosen, std::greater<>(), &Candidate::now);
    outcomes_.clear();
    for (const auto* one : chosen)
        outcomes_.push_back(one->outcome);
    bars_.rows.clear();
    QStringList spoken;
    for (const auto* one : chosen) {
        auto& row = bars_.rows.emplace_back(BarsDrawing::Row{.name = nameAmong(one->outcome, outcomes_),
                                                             .value = one->now,
                                                             .numbers = {probabilityText(one->now)},
                                                             .reference = one->before});
        spoken
            << (one->before
                    ? tr("%1: %2, %3 with all heads").arg(row.name, row.numbers.front(), probabilityText(*one->before))
                    : tr("%1: %2").arg(row.name, row.numbers.front()));
    }
    setAccessibleName(tr("%1: %2").arg(title_, spoken.join(QStringLiteral(", "))));
    setAccessibleDescription(tr("The most likely outcomes")); // else it would be the tooltip, which has tags
    setToolTip(spoken.join(QLatin1Char('\n'))
                   .toHtmlEscaped()
                   .prepend(QStringLiteral("<qt>"))
                   .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    bars_.selected = std::min(bars_.selected, static_cast<int>(outcomes_.size()) - 1);
    colorRows();
    shareRoom();
}

QRectF OutcomeBars::wholeBar(int row) const {
    auto whole = bars_;
    for (auto& one : whole.rows)
        one.value = whole.high;
    return whole.barRect(row, rect(), font());
}

QStringList OutcomeBars::names() const {
    QStringList names;
    for (const auto& one : candidates_)
        names << nameOf(one.outcome);
    return names;
}

void OutcomeBars::setAllNames(const QStringList& names) {
    bars_.other_names = names;
    update();
}

int OutcomeBars::heightWith(int rows, double row_lines) const {
    return rows * static_cast<int>(std::lround(row_lines * fontMetrics().height()));
}

/// Rows share the room, within limits.
void OutcomeBars::shareRoom() {
    const double rows = std::max(1.0, static_cast<double>(bars_.rows.size()));
    bars_.row_lines = std::clamp(std::floor(height() / rows) / fontMetrics().height(), least_lines, most_lines);
    update();
}

void OutcomeBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (rowsIn(height()) != static_cast<int>(bars_.rows.size()))
        showRows();
    else
        shareRoom();
}

void OutcomeBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        setMaximumHeight(std::max(1, heightWith(mostRows(), most_lines)));
        showRows();
        updateGeometry();
    }
}

void OutcomeBars::setPinned(const std::vector<NamedOutcome>& pins) {
    pins_ = pins;
    colorRows();
}

void OutcomeBars::colorRows() {
    for (std::size_t row = 0; row < outcomes_.size(); ++row) {
        const auto found = std::ranges::find(pins_, outcomes_[row].id, &NamedOutcome::id);
        bars_.rows[row].color = found == pins_.end() ? -1 : pin_colors[found - pins_.begin()];
    }
    bars_.colored_names = !pins_.empty();
    update();
}

void OutcomeBars::choose(int row) {
    bars_.selected = row;
    setAccessibleDescription(row < 0 ? tr("The most likely outcomes")
                                     : tr("%1: %2").arg(bars_.rows[static_cast<std::size_t>(row)].name,
                                                        bars_.rows[static_cast<std::size_t>(row)].numbers.value(0)));
    update();
}

void OutcomeBars::mousePressEvent(QMouseEvent* event) {
    const int row = bars_.rowAt(event->position(), rect(), font());
    if (event->button() == Qt::LeftButton && row >= 0)
        emit outcomeClicked(outcomes_[static_cast<std::size_t>(row)]);
}

/// Its first click has pinned the outcome, or taken the pin away; this takes that back.
void OutcomeBars::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = bars_.rowAt(event->position(), rect(), font());
    if (event->button() != Qt::LeftButton || row < 0)
        return;
    const auto outcome = outcomes_[static_cast<std::size_t>(row)];
    emit outcomeClicked(outcome);
    emit outcomeTaken(outcome);
}

void OutcomeBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(outcomes_.size()) - 1, row = bars_.selected;
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(std::max(0, row - 1));
    case Qt::Key_Down:
        return choose(std::min(last, row + 1));
    case Qt::Key_Space:
        if (row >= 0 && row <= last)
            emit outcomeClicked(outcomes_[static_cast<std::size_t>(row)]);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row >= 0 && row <= last)
            emit outcomeTaken(outcomes_[static_cast<std::size_t>(row)]);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void OutcomeBars::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (event->reason() != Qt::MouseFocusReason && !outcomes_.empty())
        choose(std::max(0, std::min(bars_.selected, static_cast<int>(outcomes_.size()) - 1)));
}

void OutcomeBars::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    choose(-1);
}

QSize OutcomeBars::sizeHint() const {
    const int width = 2 * outcome_letters * fontMetrics().averageCharWidth();
    return {width, heightWith(rowsIn(0), least_lines)};
}

QSize OutcomeBars::minimumSizeHint() const {
    return {outcome_letters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void OutcomeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    bars_.paint(painter, rect(), {theme(), font()});
}

} // namespace attnlab::ui
