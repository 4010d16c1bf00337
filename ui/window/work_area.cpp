#include "ui/window/work_area.h"

#include "ui/document/document.h"
#include "ui/document/random_numbers.h"
#include "ui/document/settings.h"
#include "ui/matrix/map/head_overview.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/pages/step/step_view.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <QWidget>

namespace attnlab::ui {

HideablePart::HideablePart(const QString& id, const QString& title, QWidget* part)
    : QObject(part), part_(part), action_(new QAction(title, this)) {
    action_->setCheckable(true);
    action_->setChecked(settings::isPartShown(id));
    connect(action_, &QAction::toggled, this, [this, id](bool on) {
        settings::setPartShown(id, on);
        refresh();
    });
    refresh();
}

void HideablePart::setNeeded(bool needed) {
    needed_ = needed;
    refresh();
}

void HideablePart::setRoom(bool room) {
    room_ = room;
    action_->setEnabled(room);
    refresh();
}

void HideablePart::refresh() {
    const bool visible = needed_ && room_ && action_->isChecked();
    part_->setVisible(visible);
    emit shown(visible);
}

namespace {

const QString compare_id = QStringLiteral("compare"), against_id = QStringLiteral("against");

} // namespace

WindowPages::WindowPages(Document& document, ViewState& view, LargeInputs* large, QWidget* parent)
    : CentrePages(view, parent), matrix_(new MatrixPage(view, large)), compare_(new ComparePage(document, view, large)),
      compare_with_file_page_(new CompareWithFilePage(document, view)) {
    add(QStringLiteral("matrix"), QT_TRANSLATE_NOOP("CentrePages", "Matrix"), matrix_);
    add(compare_id, QT_TRANSLATE_NOOP("CentrePages", "Compare"), compare_);
    add(against_id, QT_TRANSLATE_NOOP("CentrePages", "With a file"), compare_with_file_page_);
    setAvailable(compare_id, document.problem().compared_with.has_value());
    setAvailable(against_id, false);
    exhibits_ = new ExhibitPages(view, *this, new StepPage(view));
    connect(&document, &Document::problemChanged, this,
            [this](const AttentionProblem& problem) { setAvailable(compare_id, problem.compared_with.has_value()); });
    const auto mark = [this, &document] { setMadeUp(RandomNumbers(document.problem())); };
    connect(&document, &Document::problemChanged, this, mark);
    mark();
    connect(compare_with_file_page_, &CompareWithFilePage::opened, this, [this] {
        setAvailable(against_id, true);
        setCurrent(against_id);
    });
    connect(compare_with_file_page_, &CompareWithFilePage::closed, this, [this] {
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

namespace {

// In pixels and in lines of text, so that large letters count as a small window.
constexpr int low_height = 520, low_lines = 35;      ///< below, what surrounds the picture takes less height
constexpr int narrow_width = 500, narrow_lines = 31; ///< below, the heads have no column
constexpr int wide_width = 1300, wide_lines = 76;    ///< from here on, it has larger pictures
constexpr int gap = 6;                               ///< the width of the dividers between panels

} // namespace

WorkArea::WorkArea(Document& document, ViewState& view, LargeInputs& large, QWidget* parent)
    : QWidget(parent), large_(large), column_(new QVBoxLayout(this)), strip_(new StageStrip(view, this)),
      ribbon_(new SentenceRibbon(document, view, this)), pages_(new WindowPages(document, view, &large, this)),
      heads_(new HeadsView(view)), overview_(new HeadOverview(large, view)), heads_column_(new PageStack(this)),
      ribbon_part_(new HideablePart(QStringLiteral("sentence"), tr("Sentence"), ribbon_)),
      heads_part_(new HideablePart(QStringLiteral("heads"), tr("Heads"), heads_column_)) {
    heads_column_->addWidget(heads_);
    heads_column_->addWidget(overview_);
    auto* below = new QHBoxLayout;
    below->setSpacing(6);
    below->addWidget(pages_, 1);
    below->addWidget(heads_column_);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->addWidget(strip_);
    column_->addWidget(ribbon_);
    column_->addLayout(below, 1);

    const auto enlarge = [this] {
        pages_->showMatrix();
        pages_->matrix()->heatmap()->setFocus();
    };
    connect(overview_, &HeadOverview::enlargeRequested, pages_, enlarge);
    connect(heads_, &HeadsView::enlargeRequested, pages_, enlarge);
    connect(heads_part_, &HideablePart::shown, pages_->matrix(), &MatrixPage::setHeadsBeside);
    connect(ribbon_, &SentenceRibbon::hasTokensChanged, ribbon_part_, &HideablePart::setNeeded);
    ribbon_part_->setNeeded(ribbon_->hasTokens());
    connect(heads_, &HeadsView::hasChoiceChanged, this, &WorkArea::needHeads);
    connect(&large, &LargeInputs::opened, this, &WorkArea::needHeads);
    connect(&large, &LargeInputs::closed, this, &WorkArea::needHeads);
    connect(pages_, &WindowPages::currentChanged, this, &WorkArea::fit);
    needHeads();
    fit();
}

void WorkArea::needHeads() { heads_part_->setNeeded(large_.isOpen() ? large_.heads() > 1 : heads_->hasChoice()); }

void WorkArea::fit() {
    const int line = fontMetrics().height();
    is_low_ = height() < std::max(low_height, low_lines * line);
    column_->setSpacing(is_low_ ? 3 : 6);
    ribbon_->setLow(is_low_);
    ribbon_->setCompares(pages_->currentPage() == pages_->compare());
    strip_->setLow(is_low_);
    pages_->setLow(is_low_);
    const bool compares = pages_->currentPage() == pages_->compare(); // three matrices beside each other
    ribbon_part_->setRoom(!is_low_ || pages_->currentPage() == pages_->matrix());
    heads_->setRoomy(!compares && width() >= std::max(wide_width, wide_lines * line));
    heads_part_->setRoom(width() >= std::max(narrow_width, narrow_lines * line) && !(is_low_ && compares));
}

QSize WorkArea::minimumSizeHint() const {
    QSize least = QWidget::minimumSizeHint();
    if (heads_column_->isHidden())
        return least;
    int width = 0;
    for (const QWidget* part : {static_cast<const QWidget*>(ribbon_), static_cast<const QWidget*>(pages_)})
        if (!part->isHidden() && part->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored)
            width = std::max(width, part->minimumSizeHint().expandedTo(part->minimumSize()).width());
    const QMargins around = column_->contentsMargins();
    least.setWidth(std::min(least.width(), width + around.left() + around.right()));
    return least;
}

void WorkArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void WorkArea::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void WorkArea::setTrace(const ComputedPtr& computed) {
    pages_->setTrace(computed);
    ribbon_->setTrace(computed);
    if (!computed)
        return; // beside a map
    strip_->setTrace(computed);
    heads_->setMark(pages_->madeUp().markOf("weights"));
    heads_->setTrace(computed);
}

void WorkArea::showMap(bool map) {
    const bool opens = map && heads_column_->currentIndex() == 0;
    heads_column_->setCurrentIndex(map ? 1 : 0);
    if (opens)
        pages_->showMatrix();
}

namespace {

/// Keeps a tray below a row, over what is there. It touches the row: the words that follow a drag are not far below. In
/// a low area the words are themselves a row, which it would cover whole: then it is below them, over the names of
/// pages.
class TrayPlace : public QObject {
public:
    TrayPlace(QWidget& tray, QWidget& row, QWidget& words, QWidget& area)
        : QObject(&tray), tray_(tray), row_(row), words_(words), area_(area) {
        for (QWidget* part : {&area, &row, &words, &tray})
            part->installEventFilter(this);
        place();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto type = event->type();
        if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::LayoutRequest || type == QEvent::Show)
            place();
        return QObject::eventFilter(watched, event);
    }

private:
    void place() {
        const QMargins sides = area_.layout()->contentsMargins();
        const int height = tray_.sizeHint().height();
        const bool covers_words = !words_.isHidden() && words_.height() < 2 * height;
        const int top = (covers_words ? words_ : row_).geometry().bottom() + 1;
        tray_.setGeometry(sides.left(), top, area_.width() - sides.left() - sides.right(), height);
    }

    QWidget& tray_;
    const QWidget &row_, &words_;
    QWidget& area_;
};

} // namespace

void WorkArea::addTray(QWidget* tray) {
    tray->setParent(this);
    tray->hide();
    new TrayPlace(*tray, *strip_, *ribbon_, *this);
}

QWidget* WorkArea::headsColumn() const { return heads_column_; }

QList<QAction*> WorkArea::actions() const { return {ribbon_part_->action(), heads_part_->action()}; }

void WorkArea::setOpenSides(bool left, bool right) {
    column_->setContentsMargins(left ? gap : 0, 0, right ? gap : 0, 0);
}

void WorkArea::showAllParts() {
    for (QAction* action : actions())
        action->setChecked(true);
}

} // namespace attnlab::ui
