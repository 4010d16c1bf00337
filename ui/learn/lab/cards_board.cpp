#include "ui/learn/lab/cards_board.h"

#include "core/lab/leak.h"
#include "core/lab/scene.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/card_controls.h"
#include "ui/learn/lab/curve_card.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

std::optional<std::size_t> indexOf(const lab::Scene& scene, const QString& setting) {
    const auto found = std::ranges::find(scene.settings, setting.toStdString(), &lab::SceneSetting::id);
    if (found == scene.settings.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - scene.settings.begin());
}

Cell cellOf(const lab::BoardCell& cell) { return {static_cast<int>(cell.query), static_cast<int>(cell.key)}; }

} // namespace

CardsBoard::CardsBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), controls_room_(new QWidget(this)),
      controls_(new LabControls(model, controls_room_)), folder_(new RowButton(this)), caption_(mutedLabel(this)),
      legend_(new ColorLegend(this)), pager_(new RowButton(this)), error_(new ErrorLabel(this)),
      lower_(new CardsAndCurve(model, this)), area_(lower_->area()), curve_(lower_->curve()),
      leak_job_([this](Leaks leaks) {
          leaks_ = std::move(leaks);
          refresh();
      }) {
    build();
    connect(&model_, &SceneModel::computed, this, &CardsBoard::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &CardsBoard::refresh);
    connect(&model_, &SceneModel::sceneChanged, this, &CardsBoard::refreshControls);
    connect(&model_, &SceneModel::failed, this, [this](const Message& why) {
        error_->say(why);
        refresh();
    });
    connect(area_, &CardsArea::cellClicked, this, [this](Cell cell) {
        auto view = model_.view();
        const lab::BoardCell clicked{cell.row, cell.column};
        view.pin = view.pin == clicked ? std::nullopt : std::optional(clicked);
        model_.setView(std::move(view));
    });
    connect(area_, &CardsArea::rowClicked, this, [this](int row) {
        if (!model_.view().shows(lab::BoardPart::Leak) || !model_.view().is_live(lab::BoardControl::Token))
            return;
        auto view = model_.view();
        view.token = row;
        model_.setView(std::move(view));
    });
    connect(controls_, &LabControls::addCardRequested, this, &CardsBoard::addCard);
    refresh();
}

void CardsBoard::build() {
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(caption_, 1);
    line->addWidget(legend_);
    line->addWidget(folder_);
    line->addWidget(pager_);
    folder_->setText(tr("Controls"));
    folder_->setToolTip(tr("Show or hide what can be changed on this board"));
    folder_->setCheckable(true);
    folder_->hide();
    connect(folder_, &QPushButton::toggled, this, &CardsBoard::foldControls);
    pager_->hide();
    pager_->setToolTip(tr("What has no room here; M"));
    auto* key = new QShortcut(QKeySequence(Qt::Key_M), this);
    connect(key, &QShortcut::activated, lower_, &CardsAndCurve::turnPage);
    connect(pager_, &QPushButton::clicked, lower_, &CardsAndCurve::turnPage);
    connect(lower_, &CardsAndCurve::turned, this, [this] { sought_.clear(); });
    connect(lower_, &CardsAndCurve::pagesChanged, this, [this] {
        pager_->setVisible(lower_->pageCount() > 1);
        pager_->setText(tr("More: %1 of %2 ▸", "page of a board").arg(lower_->page() + 1).arg(lower_->pageCount()));
    });
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* room = new QVBoxLayout(controls_room_);
    room->setContentsMargins(0, 0, 0, 0);
    room->addWidget(controls_);
    column->addWidget(controls_room_);
    column->addWidget(error_);
    column->addLayout(line);
    column->addWidget(lower_, 1);
}

void CardsBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

QString CardsBoard::caption() const { return caption_->text(); }
QString CardsBoard::error() const { return error_->said(); }

bool CardsBoard::isSettled() const {
    return !model_.isComputing() && !leak_job_.isRunning() && (curve_->isHidden() || !curve_->isComputing());
}

void CardsBoard::setFitting(bool on) {
    // The legend is reduced rather than the caption cut.
    caption_->setSizePolicy(on ? QSizePolicy::Minimum : QSizePolicy::Preferred, QSizePolicy::Preferred);
    fitting_ = on;
    foldControls();
    lower_->setFitting(on);
}

/// Controls that would take more than two rows of a presentation leave their room to the cards.
void CardsBoard::foldControls() {
    constexpr double most_rows = 2.5;
    const bool any = !controls_->isHidden();
    const bool tall =
        fitting_ && any && controls_->heightForWidth(width()) > most_rows * controls_->drawAgain()->sizeHint().height();
    folder_->setVisible(tall);
    controls_room_->setVisible(any && (!tall || folder_->isChecked()));
}

void CardsBoard::resizeEvent(QResizeEvent* event) {
    Board::resizeEvent(event);
    foldControls();
}

bool CardsBoard::turnPage(int by) {
    const int page = lower_->page() + by;
    if (page < 0 || page >= lower_->pageCount())
        return false;
    lower_->turnTo(page);
    return true;
}

bool CardsBoard::hasNextPage() const { return lower_->page() + 1 < lower_->pageCount(); }

void CardsBoard::turnToCards(const QSet<QString>& ids) {
    sought_ = ids;
    seekCards();
}

void CardsBoard::seekCards() {
    const auto& cards = area_->cards();
    const auto found =
        std::ranges::find_if(cards, [this](const CardView* card) { return sought_.contains(card->content().id); });
    if (found != cards.end())
        lower_->seek(static_cast<std::size_t>(found - cards.begin()));
}

void CardsBoard::refresh() {
    if (model_.result() && model_.computedScene() == model_.scene())
        error_->say(std::nullopt);
    std::vector<CardContent> contents;
    const auto view = viewWithAxis();
    if (model_.result()) {
        refreshLeaks();
        const bool leaks_fit = leaks_.settings.size() == model_.computedScene().settings.size();
        contents = CardContents(model_.computedScene(), view, *model_.result(),
                                leaks_fit ? leaks_.settings : std::vector<SettingLeak>())
                       .make();
    }
    showLegend(contents);
    const bool colored = model_.view().shows(lab::BoardPart::Curve) || model_.view().shows(lab::BoardPart::Histogram);
    area_->setContents(std::move(contents), colored, legend_->isHidden());
    for (CardView* card : area_->cards())
        card->setWords(words_.value(card->content().id));
    std::vector<Cell> highlighted;
    for (const auto& cell : model_.view().highlight)
        highlighted.push_back(cellOf(cell));
    const auto& pin = model_.view().pin;
    area_->setMarks(pin ? std::optional(cellOf(*pin)) : std::nullopt, highlighted);
    refreshControls();
    lower_->place();
    seekCards();
}

lab::BoardSpec CardsBoard::viewWithAxis() {
    auto view = model_.view();
    if (!model_.result())
        kept_axis_.reset();
    if (!model_.result() || view.axis || !view.shows(lab::BoardPart::Histogram) || !model_.computedScene().draw)
        return view;
    const auto& scene = model_.computedScene();
    if (!kept_axis_ || kept_axis_->settings != scene.settings || kept_axis_->distribution != scene.draw->distribution)
        kept_axis_ = KeptAxis{scene.settings, scene.draw->distribution,
                              CardContents(scene, view, *model_.result(), {}).scoreAxis()};
    view.axis = kept_axis_->axis;
    return view;
}

void CardsBoard::showLegend(const std::vector<CardContent>& contents) {
    std::optional<ColorScale> scale;
    QString name;
    bool one = model_.view().shared_colors;
    for (const auto& card : contents) {
        if (card.id.isEmpty() || !card.matrix || isWhollyHidden(*card.matrix))
            continue;
        one = one && (!scale || *scale == card.scale);
        scale = card.scale;
        // Weights and their approximations share one scale; different other stages have no common name.
        name = !name.isNull() && name != card.stage_kind ? QStringLiteral("") : card.stage_kind;
    }
    legend_->setScale(one ? scale : std::nullopt, name);
}

void CardsBoard::refreshControls() {
    const auto& view = model_.view();
    const auto& scene = model_.scene();
    // The caption omits sizes that the controls show.
    caption_->setText(view.is_live(lab::BoardControl::E) && view.is_live(lab::BoardControl::S)
                          ? QString()
                          : CardContents::ofDraw(model_.scene()));
    const bool removable = view.is_lab() &&
                           (view.is_live(lab::BoardControl::Scale) || view.is_live(lab::BoardControl::Masks)) &&
                           scene.settings.size() > 1;
    static const TensorMap nothing;
    for (std::size_t k = 0; k < area_->cards().size(); ++k) {
        CardView* card = area_->cards()[k];
        const auto index = indexOf(scene, card->content().setting);
        if (card->content().id.isEmpty() || !index || !CardControls::any(view, scene.settings[*index])) {
            card->setControls(nullptr);
            continue;
        }
        const Trace* trace =
            model_.result() ? model_.result()->trace_of(model_.computedScene(), scene.settings[*index].id) : nullptr;
        controlsOf(k)->follow(scene, *index, view, model_.result() ? model_.result()->drawn : nothing, trace,
                              removable);
    }
    foldControls();
    orderTabs();
}

/// Widgets made later are last in the order of Tab: the curves come after all cards.
void CardsBoard::orderTabs() {
    QWidget* last = nullptr;
    for (CardView* card : area_->cards()) {
        if (auto* made = qobject_cast<CardControls*>(card->controls()))
            setTabOrder(made->removeButton(), card->heatmap());
        last = card->heatmap();
    }
    if (!last)
        return;
    for (QWidget* next : std::initializer_list<QWidget*>{curve_->measure(), curve_->over(), curve_->chart()}) {
        setTabOrder(last, next);
        last = next;
    }
}

CardControls* CardsBoard::controlsOf(std::size_t k) {
    CardView* card = area_->cards()[k];
    const bool replaces_title = CardControls::replacesTitle(model_.view());
    if (auto* there = qobject_cast<CardControls*>(card->controls())) {
        card->setControls(there, replaces_title);
        return there;
    }
    auto* made = new CardControls(card);
    connect(made, &CardControls::edited, this, [this, card](const lab::SceneSetting& setting) {
        if (const auto index = indexOf(model_.scene(), card->content().setting))
            model_.setSetting(*index, setting);
        emit card->contentChanged();
    });
    connect(made, &CardControls::removeRequested, this, [this, card] {
        const auto found = std::ranges::find(area_->cards(), card);
        if (found != area_->cards().end())
            removeCard(static_cast<std::size_t>(found - area_->cards().begin()));
    });
    connect(made, &CardControls::refused, this, &CardsBoard::refused);
    card->setControls(made, replaces_title);
    return made;
}

void CardsBoard::addCard() {
    auto scene = model_.scene();
    if (scene.settings.size() >= lab::most_settings)
        return;
    auto view = model_.view();
    scene.settings.push_back(lab::new_setting(scene, view.is_live(lab::BoardControl::Scale)));
    if (!view.cards.empty()) {
        auto card = view.cards.back();
        card.id = card.setting = scene.settings.back().id;
        view.cards.push_back(std::move(card));
    }
    model_.setScene(std::move(scene));
    model_.setView(std::move(view));
}

void CardsBoard::removeCard(std::size_t k) {
    const QString id = area_->cards().at(k)->content().id;
    const std::string setting = area_->cards().at(k)->content().setting.toStdString();
    auto scene = model_.scene();
    auto view = model_.view();
    std::erase_if(view.cards, [&](const lab::Card& card) { return card.id == id.toStdString(); });
    if (std::ranges::find(view.cards, setting, &lab::Card::setting) == view.cards.end())
        std::erase_if(scene.settings, [&](const lab::SceneSetting& one) { return one.id == setting; });
    model_.setScene(std::move(scene));
    model_.setView(std::move(view));
}

/// Recomputes the effect of editing the token when the result or the token has changed.
void CardsBoard::refreshLeaks() {
    if (!model_.view().shows(lab::BoardPart::Leak)) {
        leak_job_.cancel();
        leaks_ = {};
        return;
    }
    const auto token = model_.view().token;
    if (leaks_.result == model_.result() && leaks_.token == token)
        return;
    leaks_.result = model_.result(); // requested; the previous bars stay until the new ones are ready
    leaks_.token = token;
    leak_job_.request([scene = model_.computedScene(), result = model_.result(), token](const RunControl& control) {
        Leaks leaks{result, token, {}};
        for (const auto& setting : scene.settings) {
            SettingLeak leak;
            try {
                leak.effect = lab::effect_of_token(lab::problem_of(scene, setting, result->drawn), token, control,
                                                   setting.precision);
            } catch (const Error& error) {
                leak.error = translated(error.message());
            }
            leaks.settings.push_back(std::move(leak));
        }
        return leaks;
    });
}

std::shared_ptr<const Drawing> CardsBoard::picture() const {
    if (area_->cards().empty())
        return nullptr;
    auto picture = std::make_shared<BoardPicture>();
    picture->caption = CardContents::ofDraw(model_.computedScene());
    if (!legend_->isHidden() && legend_->scale()) {
        picture->scale = legend_->scale();
        picture->scale_name = legend_->name();
    }
    const bool colored = model_.view().shows(lab::BoardPart::Curve) || model_.view().shows(lab::BoardPart::Histogram);
    for (const CardView* card : area_->cards())
        picture->cards.push_back({card->content(), words_.value(card->content().id),
                                  colored && !card->content().id.isEmpty(), card->heatmap()->pinned(),
                                  card->heatmap()->highlighted()});
    if (!curve_->isHidden() && !curve_->chart()->chart().isEmpty()) {
        picture->curve = curve_->chart()->chart();
        picture->curve->hovered.reset();
        picture->curve_title =
            curve_->note().isEmpty()
                ? curve_->title()
                : tr("%1 · %2", "title of the curves, what they show").arg(curve_->title(), curve_->note());
    }
    return picture;
}

namespace {

constexpr int cards_spacing = 6;
constexpr double curve_share = 0.34; ///< minimum share of the height, if the cards leave it

} // namespace

CardsAndCurve::CardsAndCurve(SceneModel& model, QWidget* parent)
    : QWidget(parent), area_(new CardsArea(this)), curve_room_(new QWidget(this)) {
    curve_ = new CurveCard(model, curve_room_);
    auto* layout = new QVBoxLayout(curve_room_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(curve_);
    connect(area_, &CardsArea::contentChanged, this, &CardsAndCurve::place);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CardsAndCurve::place() {
    const bool has_curve = !curve_->isHidden();
    const int room = height() - cards_spacing;
    const int lowest = curve_->minimumSizeHint().height();
    const int first_row = has_curve && !fitting_ ? area_->firstRowHeight({width(), room - lowest}) : 0;
    const bool together = has_curve && !fitting_ && first_row <= room - lowest;
    const int least = std::max(lowest, std::min(static_cast<int>(curve_share * room), room - first_row));
    const int cards_pages = together ? 1 : area_->pagesIn(size());
    const int before = pages_, page_before = page_;
    pages_ = cards_pages + (has_curve && !together ? 1 : 0);
    if (sought_)
        page_ = area_->pageOf(*sought_, size());
    page_ = std::min(page_, pages_ - 1);
    const bool cards = page_ < cards_pages;
    area_->setVisible(cards);
    curve_room_->setVisible(has_curve && (together || !cards));
    if (together) {
        const int cards_height = area_->preferredHeight({width(), std::max(1, room - least)});
        const int curve = std::clamp(room - cards_height, least, std::max(least, 2 * room / 3));
        area_->setGeometry(0, 0, width(), room - curve);
        curve_room_->setGeometry(0, room - curve + cards_spacing, width(), curve);
    } else {
        area_->setGeometry(rect());
        curve_room_->setGeometry(rect());
    }
    if (cards)
        area_->showPage(page_);
    if (pages_ != before || page_ != page_before)
        emit pagesChanged();
}

void CardsAndCurve::setFitting(bool on) {
    fitting_ = on;
    area_->setFitting(on);
    place();
}

void CardsAndCurve::turnPage() {
    if (pages_ > 1)
        turnTo((page_ + 1) % pages_);
}

void CardsAndCurve::turnTo(int page) {
    sought_.reset();
    page_ = page;
    place();
    emit turned();
    emit pagesChanged();
}

void CardsAndCurve::seek(std::size_t card) {
    if (card == sought_)
        return;
    sought_ = card;
    place();
}

QSize CardsAndCurve::minimumSizeHint() const {
    const QSize cards = area_->minimumSizeHint();
    if (curve_->isHidden() || fitting_)
        return cards;
    return cards.expandedTo(curve_->minimumSizeHint());
}

bool CardsAndCurve::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() != QEvent::LayoutRequest)
        return done;
    if (const QSize least = minimumSizeHint(); least != least_) {
        least_ = least;
        updateGeometry();
    }
    place();
    return done;
}

void CardsAndCurve::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

} // namespace attnlab::ui
