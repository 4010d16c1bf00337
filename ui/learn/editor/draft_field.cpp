#include "ui/learn/editor/draft_field.h"

#include "ui/learn/editor/lesson_document.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/typed_text.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

/// Of the text that is being typed, in whichever field: one has the keyboard.
TypingRun& typingRunNow() {
    static TypingRun run;
    return run;
}

} // namespace

DraftField::DraftField(Lines lines, const QString& title, QWidget* parent)
    : QWidget(parent), heading_(new QHBoxLayout), error_(new ErrorLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* label = new ElidedLabel(this);
    label->setText(title);
    label->setVisible(!title.isEmpty());
    heading_->addWidget(label, 1);
    column->addLayout(heading_);
    if (lines == Lines::One) {
        line_ = new QLineEdit(this);
        connect(line_, &QLineEdit::textEdited, this, &DraftField::typed);
    } else {
        lines_ = new TextEdit(this);
        lines_->setTabChangesFocus(true);
        lines_->setUndoRedoEnabled(false);
        connect(lines_, &QPlainTextEdit::textChanged, this, &DraftField::typed);
    }
    editor()->installEventFilter(this);
    editor()->setAccessibleName(title);
    setAccessibleLabelOf(*label, *editor());
    column->addWidget(editor(), 1);
    column->addWidget(error_);
}

QWidget* DraftField::editor() const { return line_ ? static_cast<QWidget*>(line_) : lines_; }

QString DraftField::text() const { return line_ ? line_->text() : lines_->toPlainText(); }

QString DraftField::error() const { return error_->said(); }

void DraftField::show(const std::string& text, const Message* error) {
    const QString words = textOf(text);
    const bool is_same = words == this->text();
    if (!is_same) {
        if (line_)
            showText(*line_, words);
        else
            showText(*lines_, words);
    }
    last_ = words;
    keepRoom(!error && is_same && editor()->hasFocus() &&
             (error_->sizePolicy().retainSizeWhenHidden() || !error_->isHidden()));
    if (error)
        error_->say(*error);
    else
        error_->hide(); // with its text, which keeps the room
    editor()->setAccessibleDescription(error_->said());
}

void DraftField::insert(const QString& text) {
    editor()->setFocus();
    if (lines_) {
        lines_->insertPlainText(text);
        return;
    }
    line_->insert(text);
    typed();
}

void DraftField::typed() {
    const QString words = text();
    typingRunNow().take(changeOf(std::exchange(last_, words), words));
    emit edited(words);
}

int DraftField::typingRun() { return typingRunNow().number(); }

void DraftField::setPlaceholder(const QString& text) {
    if (line_)
        line_->setPlaceholderText(text);
    else
        lines_->setPlaceholderText(text);
}

void DraftField::addButton(QAbstractButton* button) { heading_->addWidget(button); }

/// What is below the field stays where it is while a mistake is mended.
void DraftField::keepRoom(bool on) {
    auto policy = error_->sizePolicy();
    policy.setRetainSizeWhenHidden(on);
    error_->setSizePolicy(policy);
}

bool DraftField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut)
        keepRoom(false);
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

QString EditedLesson::exampleStatement() const {
    if (!board || !board->scene || board->scene->cache || board->scene->settings.empty())
        return {};
    const auto& settings = board->scene->settings;
    const QString first = textOf(settings.front().id);
    return settings.size() > 1 ? QStringLiteral("entropy(%1) < entropy(%2)").arg(first, textOf(settings[1].id))
                               : QStringLiteral("max_weight(%1) > 0.5").arg(first);
}

const lessons::DraftText& EditedLesson::text() const {
    static const lessons::DraftText none;
    const auto* one = edited();
    if (!one)
        return none;
    const auto found = one->texts.find(language);
    return found == one->texts.end() ? none : found->second;
}

DraftChecker::DraftChecker(const LessonDocument& document, QObject* parent)
    : QObject(parent), document_(document),
      resources_(std::make_shared<const lessons::LessonFiles>(lessonFiles(QStringLiteral(":/attnlab")))),
      job_([this](Checked checked) {
          std::erase_if(checked_, [&](const Checked& old) {
              return old.step.id == checked.step.id ||
                     std::ranges::none_of(document_.draft().steps,
                                          [&](const auto& step) { return step.id == old.step.id; });
          });
          checked_.push_back(std::move(checked));
          emit this->checked();
          next();
      }) {
    constexpr int wait_milliseconds = 150; // for the end of a word
    timer_.setSingleShot(true);
    timer_.setInterval(wait_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &DraftChecker::next);
    connect(&document_, &LessonDocument::changed, this, &DraftChecker::begin);
    begin();
}

void DraftChecker::begin() {
    job_.cancel();
    lesson_mistakes_ = lessons::check_draft_lesson(document_.draft());
    timer_.start();
}

std::vector<std::string> DraftChecker::languages() const {
    std::vector<std::string> written;
    for (const auto language : lessons::languages)
        if (document_.draft().has_language(language))
            written.emplace_back(language);
    return written;
}

const DraftChecker::Checked* DraftChecker::find(int step) const {
    if (step < 0 || step >= static_cast<int>(document_.draft().steps.size()))
        return nullptr;
    const auto& id = document_.draft().steps[static_cast<std::size_t>(step)].id;
    const auto found = std::ranges::find_if(checked_, [&](const Checked& one) { return one.step.id == id; });
    return found == checked_.end() ? nullptr : &*found;
}

DraftChecker::ReportPtr DraftChecker::report(int step) const {
    const auto* found = find(step);
    return found && found->step == document_.draft().steps[static_cast<std::size_t>(step)] &&
                   found->languages == languages()
               ? found->report
               : nullptr;
}

DraftChecker::ReportPtr DraftChecker::reportOfBoard(int step) const {
    const auto* found = find(step);
    return found && found->step.board == document_.draft().steps[static_cast<std::size_t>(step)].board ? found->report
                                                                                                       : nullptr;
}

bool DraftChecker::isStale(int step) const {
    const auto found = report(step);
    return !found || (step == document_.step() && found->scene && !found->result);
}

bool DraftChecker::isSettled() const {
    if (timer_.isActive() || job_.isRunning())
        return false;
    for (int step = 0; step < static_cast<int>(document_.draft().steps.size()); ++step)
        if (isStale(step))
            return false;
    return true;
}

void DraftChecker::next() {
    const auto& steps = document_.draft().steps;
    int stale = document_.step();
    if (stale < 0 || !isStale(stale))
        for (stale = 0; stale < static_cast<int>(steps.size()) && !isStale(stale);)
            ++stale;
    if (stale == static_cast<int>(steps.size()))
        return;
    const bool keep_result = stale == document_.step();
    job_.request([draft = document_.draft(), stale, keep_result, languages = languages(),
                  resources = resources_](const RunControl& control) {
        const auto index = static_cast<std::size_t>(stale);
        auto report = lessons::check_draft_step(draft, index, *resources, control);
        if (!keep_result)
            report.result.reset();
        return Checked{draft.steps[index], languages,
                       std::make_shared<const lessons::DraftStepReport>(std::move(report))};
    });
}

} // namespace attnlab::ui
