#include "ui/lab/exhibit_board.h"

#include "ui/card.h"
#include "ui/exhibits/bucket_sort_view.h"
#include "ui/exhibits/curve_view.h"
#include "ui/exhibits/page_reads_view.h"
#include "ui/exhibits/page_table_view.h"
#include "ui/exhibits/tile_walk_view.h"
#include "ui/lab/scene_model.h"
#include "ui/markdown_label.h"
#include "ui/text.h"
#include "ui/wrapped_label.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace attnlab::ui {
namespace {

constexpr std::array<std::string_view, 5> boards = {"tiles", "page_table", "page_reads", "buckets", "curve"};

ExhibitPage* pageFor(std::string_view board, ViewState& view) {
    if (board == "page_table")
        return new PageTableView;
    if (board == "page_reads")
        return new PageReadsView(view);
    if (board == "buckets")
        return new BucketSortView(view);
    if (board == "curve")
        return new CurveView;
    return new TileWalkView(view);
}

} // namespace

bool ExhibitBoard::isFor(std::string_view board) { return std::ranges::find(boards, board) != boards.end(); }

ExhibitBoard::ExhibitBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), caption_(new MarkdownLabel(this)), problem_(mutedLabel(this)),
      page_(pageFor(model.view().board, view_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(caption_);
    column->addWidget(page_, 1);
    column->addWidget(problem_, 1);
    problem_->setWordWrap(true);
    problem_->setAlignment(Qt::AlignCenter);
    connect(&model_, &SceneModel::computed, this, &ExhibitBoard::refresh);
    connect(&model_, &SceneModel::failed, this, &ExhibitBoard::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &ExhibitBoard::refresh);
    connect(&view_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        auto view = model_.view();
        view.pin = cell ? std::optional(lab::BoardCell{cell->row, cell->column}) : std::nullopt;
        model_.setView(std::move(view));
    });
    refresh();
}

void ExhibitBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

std::shared_ptr<const Drawing> ExhibitBoard::picture() const { return page_->picture(); }

QString ExhibitBoard::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void ExhibitBoard::refresh() {
    const auto& scene = model_.computedScene();
    const auto& view = model_.view();
    QString why;
    ComputedPtr computed;
    if (model_.result() && !scene.settings.empty()) {
        const auto wanted = std::ranges::find(scene.settings, view.setting, &lab::SceneSetting::id);
        const auto index = wanted == scene.settings.end() ? 0 : wanted - scene.settings.begin();
        const auto& result = model_.result()->settings.at(static_cast<std::size_t>(index));
        const QString id = QString::fromStdString(scene.settings[static_cast<std::size_t>(index)].id);
        caption_->setSource(words_.value(id));
        caption_->setVisible(!caption_->source().isEmpty());
        if (result.error) {
            why = translated(*result.error);
        } else {
            auto made = std::make_shared<Computed>();
            made->trace = result.trace;
            computed = made;
        }
    }
    showPin();
    page_->setTrace(computed);
    if (computed && !page_->hasExhibit())
        why = tr("This setting has nothing to show here.");
    page_->setVisible(page_->hasExhibit());
    problem_->setText(why);
    problem_->setVisible(!page_->hasExhibit());
}

void ExhibitBoard::showPin() {
    const auto& pin = model_.view().pin;
    view_.setPinned(pin ? std::optional(Cell{static_cast<int>(pin->query), static_cast<int>(pin->key)}) : std::nullopt);
}

void ExhibitBoard::changeEvent(QEvent* event) {
    Board::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        refresh();
}

} // namespace attnlab::ui
