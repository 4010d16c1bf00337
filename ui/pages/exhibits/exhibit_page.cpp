#include "ui/pages/exhibits/exhibit_page.h"

#include "core/lookup.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/centre_pages.h"
#include "ui/pages/exhibits/player.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <QEvent>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace attnlab::ui {

ExhibitPage::ExhibitPage(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), tools_(new FlowLayout(nullptr, 10, 4)),
      column_(new QVBoxLayout(this)), canvas_(new DrawingCanvas),
      scroll_(new FittingScrollArea(canvas_, FittingScrollArea::Scrolls::Both, this)), words_(new WrappedLabel(this)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Always two lines: the text changes with every step, and the drawing must not move.
    words_->setMinimumHeight(2 * words_->fontMetrics().lineSpacing());
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    canvas_->installEventFilter(this);
    connect(canvas_, &DrawingCanvas::pointed, this, [this](std::optional<QPointF> position) { point(position); });
    connect(canvas_, &DrawingCanvas::clicked, this, [this](QPointF position) { click(position); });

    tools_->addWidget(title_);
    tools_->setAlignment(title_, Qt::AlignVCenter);
    tools_->setFilling(title_);
    column_->setContentsMargins(10, 8, 10, 8);
    column_->setSpacing(6);
    column_->addLayout(tools_);
    column_->addWidget(scroll_, 1);
    column_->addWidget(words_);
}

QString ExhibitPage::title() const { return title_->text(); }
void ExhibitPage::setTitleShown(bool shown) { title_->setVisible(shown); }
QString ExhibitPage::words() const { return words_->text(); }

void ExhibitPage::setTitle(const QString& title) {
    title_->setText(title);
    canvas_->setAccessibleName(title);
}

void ExhibitPage::setWords(const QString& words) {
    words_->setText(words);
    canvas_->setAccessibleDescription(words);
}

void ExhibitPage::reveal(const QRectF& part) {
    scroll_->fit();
    const QPoint centre = part.center().toPoint();
    scroll_->ensureVisible(centre.x(), centre.y(), static_cast<int>(part.width() / 2) + 10,
                           static_cast<int>(part.height() / 2) + 10);
}

std::optional<DrawingSequence> ExhibitPage::sequence() const { return std::nullopt; }

bool ExhibitPage::pressKey(int) { return false; }
void ExhibitPage::point(std::optional<QPointF>) {}
void ExhibitPage::click(QPointF) {}

void ExhibitPage::paintEvent(QPaintEvent*) { paintCard(*this); }

void ExhibitPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        words_->setMinimumHeight(2 * words_->fontMetrics().lineSpacing());
}

bool ExhibitPage::eventFilter(QObject* watched, QEvent* event) {
    // Otherwise the scroll area would consume the arrow keys.
    if (watched == canvas_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & ~Qt::KeypadModifier) && pressKey(key->key()))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

ExhibitCentrePage::ExhibitCentrePage(const QString& id, ExhibitPage* exhibit, ViewState& view)
    : id_(id), exhibit_(exhibit), view_(view) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(exhibit_);
    setFocusProxy(exhibit_->canvas());
    connect(exhibit_, &ExhibitPage::animationRequested, this, &Page::animationRequested);
}

QString ExhibitCentrePage::title() const { return exhibit_->title(); }

void ExhibitCentrePage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    exhibit_->setTrace(computed_);
}

const Stage* ExhibitCentrePage::stage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

std::optional<NamedMatrix> ExhibitCentrePage::shownMatrix() const {
    const Stage* shown = stage();
    auto matrix = shown ? sliceOf(computed_->trace, *shown, view_.batch(), view_.head()) : std::nullopt;
    if (!matrix)
        return std::nullopt;
    return NamedMatrix{std::move(*matrix), stageTitle(computed_->trace, *shown, view_.batch(), view_.head())};
}

std::optional<StyledFigure> ExhibitCentrePage::shownFigure() const {
    std::shared_ptr<const Drawing> drawing = exhibit_->picture();
    if (!drawing)
        return std::nullopt;
    StyledFigure shown{std::move(drawing), {}};
    shown.options.title = title();
    return shown;
}

std::optional<ExportSubject> ExhibitCentrePage::exportSubject() const {
    const Stage* shown = stage();
    if (!shown)
        return std::nullopt;
    if (auto drawing = exhibit_->picture())
        return drawingExport(computed_, shown->name, {std::move(drawing), id_, title(), exhibit_->sequence()});
    return stageExport(computed_,
                       {shown->name, view_.batch(), view_.head(),
                        choiceLike(view_.colors(), shownScale(computed_->trace, *shown, view_.batch(), view_))},
                       stageTitle(computed_->trace, *shown, view_.batch(), view_.head()));
}

#define ATTNLAB_EXHIBIT(view)                                                                                          \
    namespace view {                                                                                                   \
    ExhibitKind kind();                                                                                                \
    }
#include "exhibit_list.inc"
#undef ATTNLAB_EXHIBIT

std::span<const ExhibitKind> exhibitKinds() {
    static const auto kinds = [] {
        std::vector<ExhibitKind> all = {
#define ATTNLAB_EXHIBIT(view) view::kind(),
#include "exhibit_list.inc"
#undef ATTNLAB_EXHIBIT
        };
        std::ranges::sort(all, {}, [](const ExhibitKind& kind) { return std::ranges::find(exhibits::ids, kind.id); });
        return all;
    }();
    return kinds;
}

const ExhibitKind* findExhibitKind(std::string_view id) { return lookup(exhibitKinds(), id); }

namespace {

/// Space on the switch of pages plays or pauses the page.
class PlayKey : public QObject {
public:
    explicit PlayKey(CentrePages& pages) : QObject(&pages), pages_(pages) {
        pages.segments()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool is_space =
            event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
        auto* player = is_space && pages_.currentPage() ? pages_.currentPage()->findChild<Player*>() : nullptr;
        return player ? player->pressKey(Qt::Key_Space) : QObject::eventFilter(watched, event);
    }

private:
    CentrePages& pages_;
};

} // namespace

ExhibitPages::ExhibitPages(ViewState& view, CentrePages& centre, ExhibitPage* steps)
    : QObject(&centre), view_(view), centre_(centre) {
    new PlayKey(centre);
    add("steps", QT_TRANSLATE_NOOP("CentrePages", "Steps"), steps);
    for (const auto& kind : exhibitKinds())
        add(kind.id, kind.title, kind.make(view));
}

void ExhibitPages::add(std::string_view id, const char* title, ExhibitPage* exhibit) {
    const QString name = textOf(id);
    auto* page = new ExhibitCentrePage(name, exhibit, view_);
    centre_.addPage(name, title, page);
    centre_.setAvailable(name, false);
    rooms_.push_back({name, page});
}

void ExhibitPages::setTrace(const ComputedPtr& computed) {
    for (const auto& [id, page] : rooms_) {
        page->setTrace(computed);
        centre_.setAvailable(id, page->exhibit()->hasExhibit());
    }
}

ExhibitPage* ExhibitPages::current() const {
    const auto* room = qobject_cast<const ExhibitCentrePage*>(centre_.currentPage());
    return room ? room->exhibit() : nullptr;
}

} // namespace attnlab::ui
