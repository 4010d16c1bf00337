#include "ui/learn/draft_checker.h"

#include "ui/learn/displayed_lesson.h"
#include "ui/learn/lesson_document.h"

#include <algorithm>
#include <utility>

namespace attnlab::ui {

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
