#include "ui/window/window_pages.h"

#include "ui/document/document.h"
#include "ui/document/made_up.h"
#include "ui/pages/compare/against_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/exhibits/exhibit_pages.h"
#include "ui/pages/matrix_page.h"
#include "ui/pages/step/step_page.h"

namespace attnlab::ui {
namespace {

const QString compare_id = QStringLiteral("compare"), against_id = QStringLiteral("against");

} // namespace

WindowPages::WindowPages(Document& document, ViewState& view, LargeInputs* large, QWidget* parent)
    : CentrePages(view, parent), matrix_(new MatrixPage(view, large)), compare_(new ComparePage(document, view)),
      against_(new AgainstPage(document, view)) {
    add(QStringLiteral("matrix"), QT_TRANSLATE_NOOP("CentrePages", "Matrix"), matrix_);
    add(compare_id, QT_TRANSLATE_NOOP("CentrePages", "Compare"), compare_);
    add(against_id, QT_TRANSLATE_NOOP("CentrePages", "With a file"), against_);
    setAvailable(compare_id, document.problem().compared_with.has_value());
    setAvailable(against_id, false);
    exhibits_ = new ExhibitPages(view, *this, new StepPage(view));
    connect(&document, &Document::problemChanged, this,
            [this](const AttentionProblem& problem) { setAvailable(compare_id, problem.compared_with.has_value()); });
    const auto mark = [this, &document] { setMadeUp(MadeUp(document.problem())); };
    connect(&document, &Document::problemChanged, this, mark);
    mark();
    connect(against_, &AgainstPage::opened, this, [this] {
        setAvailable(against_id, true);
        setCurrent(against_id);
    });
    connect(against_, &AgainstPage::closed, this, [this] {
        setAvailable(against_id, false);
        showMatrix();
    });
}

void WindowPages::add(const QString& id, const char* title, Page* page) {
    addPage(id, title, page);
    of_any_trace_.push_back(page);
}

void WindowPages::setTrace(const ComputedPtr& computed) {
    for (Page* page : of_any_trace_)
        page->setTrace(computed);
    exhibits_->setTrace(computed);
}

} // namespace attnlab::ui
