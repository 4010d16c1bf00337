#include "ui/pages/step/step_view.h"

#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/role_color.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/step/row_walk.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QCheckBox>
#include <QComboBox>
#include <QEasingCurve>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVariantAnimation>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

QStringList textsOf(const QStringList& labels, std::int64_t count) {
    QStringList texts;
    for (std::int64_t i = 0; i < count; ++i) {
        const QString label = labels.value(static_cast<qsizetype>(i));
        texts << (label.isEmpty() ? QString::number(i) : QStringLiteral("%1  %2").arg(i).arg(label));
    }
    return texts;
}

/// `filled` are the current texts of the box: replacing thousands of tokens at every edit would be slow.
void fill(QComboBox& box, QStringList& filled, const QStringList& texts, int chosen) {
    const QSignalBlocker quiet(&box);
    if (texts != filled) {
        filled = texts;
        box.clear();
        box.addItems(texts);
    }
    box.setCurrentIndex(chosen);
    box.setEnabled(texts.size() > 1);
}

} // namespace

StepView::StepView(QWidget* parent)
    : ExhibitPage(parent), query_label_(mutedLabel(this)), key_label_(mutedLabel(this)),
      query_box_(new QComboBox(this)), key_box_(new QComboBox(this)), terms_(new QCheckBox(this)),
      export_(new QToolButton(this)), player_(new Player(this)), motion_(new QVariantAnimation(this)) {
    query_label_->setText(tr("query"));
    key_label_->setText(tr("key"));
    colorLabels();
    for (auto* box : {query_box_, key_box_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
    }
    query_label_->setBuddy(query_box_);
    key_label_->setBuddy(key_box_);
    export_->setIcon(icon(QStringLiteral("export")));
    export_->setAutoRaise(true);
    export_->setFocusPolicy(Qt::TabFocus);
    for (auto* tool :
         std::initializer_list<QWidget*>{query_label_, query_box_, key_label_, key_box_, terms_, export_}) {
        tools()->addWidget(tool);
        tools()->setAlignment(tool, Qt::AlignVCenter);
    }
    column()->addWidget(player_);
    drawing_.sentences = false;
    setTabOrder(query_box_, key_box_);
    setTabOrder(key_box_, terms_);
    setTabOrder(terms_, export_);
    setTabOrder(export_, canvas());
    setTabOrder(canvas(), player_);
    connect(query_box_, &QComboBox::activated, this, &StepView::chooseQuery);
    connect(key_box_, &QComboBox::activated, this, &StepView::chooseKey);
    connect(terms_, &QCheckBox::toggled, this, [this](bool by_terms) {
        const QString id = stepId();
        drawing_.by_terms = by_terms;
        renewSteps(id);
    });
    connect(export_, &QToolButton::clicked, this, &ExhibitPage::animationRequested);
    connect(player_, &Player::positionChanged, this, &StepView::showStep);
    motion_->setStartValue(0.0);
    motion_->setEndValue(1.0);
    motion_->setEasingCurve(QEasingCurve::InOutCubic);
    connect(motion_, &QVariantAnimation::valueChanged, this, [this](const QVariant& progress) {
        drawing_.progress = progress.toDouble();
        canvas()->update();
    });
    query_box_->setAccessibleName(tr("Query"));
    query_box_->setToolTip(tr("The row that is walked (Up, Down)"));
    key_box_->setAccessibleName(tr("Key"));
    key_box_->setToolTip(tr("The key whose arithmetic is written out (Page Up, Page Down)"));
    terms_->setText(tr("term by term"));
    terms_->setToolTip(tr("Products one by one, sums and values key by key"));
    export_->setAccessibleName(tr("Export all steps"));
    export_->setToolTip(tr("Export all steps as an animated picture"));
    showStep();
}

void StepView::setTrace(ComputedPtr computed) {
    setPass(computed ? TracePtr(computed, &computed->trace) : nullptr, {});
}

void StepView::setPass(TracePtr trace, const StepPass& pass) {
    trace_ = std::move(trace);
    pass_ = pass;
    renew();
}

void StepView::renew() {
    const QString id = stepId();
    canvas()->setDrawing(nullptr);
    drawing_.walk = RowWalk(trace_, pass_, query_);
    if (drawing_.walk.empty() && query_ != 0) {
        query_ = 0;
        drawing_.walk = RowWalk(trace_, pass_, query_);
    }
    if (!drawing_.walk.empty())
        drawing_.key = std::clamp<std::int64_t>(drawing_.key, 0, drawing_.walk.keys() - 1);
    refreshChoices();
    renewSteps(id);
}

/// Keeps the step if its number still exists, else goes to the first step of its part.
void StepView::renewSteps(const QString& id) {
    const auto before = std::move(steps_);
    const int position = player_->position();
    steps_ = drawing_.walk.steps(drawing_.by_terms);
    const QSignalBlocker quiet(player_);
    player_->setCount(static_cast<int>(steps_.size()));
    const bool stays =
        steps_.size() == before.size() && position < static_cast<int>(steps_.size()) &&
        steps_[static_cast<std::size_t>(position)].operation == before[static_cast<std::size_t>(position)].operation;
    player_->setPosition(stays ? position : stepAt(steps_, id));
    showStep();
    canvas()->setDrawing(drawing_.walk.empty() ? nullptr : &drawing_);
}

void StepView::refreshChoices() {
    const auto& walk = drawing_.walk;
    const bool any = !walk.empty();
    fill(*query_box_, query_texts_, any ? textsOf(walk.labels().row_labels, walk.queries()) : QStringList(), query_);
    fill(*key_box_, key_texts_, any ? textsOf(walk.labels().column_labels, walk.keys()) : QStringList(), key());
    setQueryFixed(query_fixed_);
    terms_->setEnabled(any);
    export_->setEnabled(any);
}

QString StepView::stepId() const {
    const auto position = static_cast<std::size_t>(player_->position());
    return position < steps_.size() ? stepIdOf(steps_[position].operation) : stepIds().front();
}

void StepView::setStep(const QString& id) { player_->setPosition(stepAt(steps_, id)); }

void StepView::setQuery(int query) {
    if (query == query_ || query < 0 || (hasExhibit() && query >= drawing_.walk.queries()))
        return;
    query_ = query;
    renew();
}

void StepView::setKey(int key) {
    if (key == drawing_.key || key < 0 || (hasExhibit() && key >= drawing_.walk.keys()))
        return;
    drawing_.key = key;
    {
        const QSignalBlocker quiet(key_box_);
        key_box_->setCurrentIndex(key);
    }
    showStep();
}

void StepView::setQueryFixed(bool fixed) {
    query_fixed_ = fixed;
    query_box_->setEnabled(!fixed && query_box_->count() > 1);
}

void StepView::setByTerms(bool by_terms) { terms_->setChecked(by_terms); }

void StepView::colorLabels() {
    for (const auto& [label, role] :
         {std::pair{query_label_, AttentionRole::Query}, {key_label_, AttentionRole::Key}}) {
        QPalette colors;
        colors.setColor(label->foregroundRole(), roleColor(role, theme()));
        label->setPalette(colors);
    }
}

void StepView::changeEvent(QEvent* event) {
    ExhibitPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colorLabels();
}

void StepView::chooseQuery(int query) {
    if (query_fixed_)
        return;
    setQuery(query);
    emit queryChosen(query_);
}

void StepView::chooseKey(int key) {
    setKey(key);
    emit keyChosen(static_cast<int>(drawing_.key));
}

void StepView::showStep() {
    const auto& walk = drawing_.walk;
    if (walk.empty() || steps_.empty()) {
        setTitle(tr("Steps"));
        setWords({});
        canvas()->refresh();
        return;
    }
    const RowLine* before = drawing_.barLine();
    drawing_.step = steps_[static_cast<std::size_t>(player_->position())];
    if (const RowLine* now = drawing_.barLine(); before && now && before != now)
        moveBars(before->operation);
    const QString query = nameOf(walk.labels().row_labels, query_);
    setTitle(sizeOf(walk.trace()).heads > 1 ? tr("Steps of %1 · head %2").arg(query, QString::number(pass_.head))
                                            : tr("Steps of %1").arg(query));
    setWords(StepWords::sentences(walk, drawing_.step, drawing_.key));
    canvas()->setAccessibleDescription(StepWords::arithmetic(walk, drawing_.step, drawing_.key) + QLatin1Char('\n') +
                                       words());
    canvas()->refresh();
}

void StepView::moveBars(StepOperation from) {
    constexpr double longest = 600.0, share = 0.7; // milliseconds; of the time between two steps
    motion_->stop();
    drawing_.from = from;
    drawing_.progress = 1.0;
    if (reducedMotion() || !isVisible())
        return;
    drawing_.progress = 0.0;
    motion_->setDuration(static_cast<int>(std::min(longest, share * 1000.0 / player_->stepsPerSecond())));
    motion_->start();
}

std::shared_ptr<const Drawing> StepView::picture() const {
    if (!hasExhibit())
        return nullptr;
    auto picture = std::make_shared<StepDrawing>(drawing_);
    picture->progress = 1.0;
    picture->sentences = true;
    return picture;
}

std::optional<DrawingSequence> StepView::sequence() const {
    if (!hasExhibit())
        return std::nullopt;
    return sequenceOf(drawing_, steps_);
}

bool StepView::pressKey(int key) {
    switch (key) {
    case Qt::Key_Up:
        chooseQuery(query_ - 1);
        return true;
    case Qt::Key_Down:
        chooseQuery(query_ + 1);
        return true;
    case Qt::Key_PageUp:
        chooseKey(static_cast<int>(drawing_.key) - 1);
        return true;
    case Qt::Key_PageDown:
        chooseKey(static_cast<int>(drawing_.key) + 1);
        return true;
    default:
        return player_->pressKey(key);
    }
}

/// A click selects the key, and on a line of the ledger also the step that makes it.
void StepView::click(QPointF position) {
    if (!hasExhibit())
        return;
    const auto key = drawing_.keyAt(position, canvas()->area(), canvas()->font());
    const auto operation = drawing_.operationAt(position, canvas()->area(), canvas()->font());
    if (operation) {
        const auto found = std::ranges::find(steps_, *operation, &WalkStep::operation);
        player_->setPosition(static_cast<int>(found - steps_.begin()));
    }
    if (key)
        chooseKey(static_cast<int>(*key));
}

StepPage::StepPage(ViewState& view, QWidget* parent) : StepView(parent), view_(view) {
    connect(&view_, &ViewState::sliceChanged, this, &StepPage::refresh);
    connect(&view_, &ViewState::stageChanged, this, &StepPage::refresh);
    connect(&view_, &ViewState::pinnedChanged, this, &StepPage::followPin);
    connect(this, &StepView::queryChosen, this, &StepPage::pin);
    connect(this, &StepView::keyChosen, this, &StepPage::pin);
}

/// Begins with the first row of the table: before it, the picture is empty.
void StepPage::setTrace(ComputedPtr computed) {
    const bool begins = !hasExhibit();
    computed_ = std::move(computed);
    refresh();
    if (begins && hasExhibit())
        setStep(QStringLiteral("sum"));
}

void StepPage::refresh() {
    if (!computed_) {
        setPass(nullptr, {});
        return;
    }
    const Trace& trace = computed_->trace;
    const Stage* weights = weightsBeside(trace, trace.find(view_.stage().toStdString()));
    StepPass pass;
    if (weights)
        pass.prefix = prefix_of(weights->name);
    pass.batch = view_.batch();
    pass.head = std::max(0, headWithin(trace, view_.head()));
    setPass(TracePtr(computed_, &trace), pass);
    followPin();
}

bool StepPage::pinsKeys() const {
    const Stage* stage = computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
    return stage && endsWithAxes(*stage, Axis::Query, Axis::Key);
}

void StepPage::followPin() {
    if (!view_.pinned() || !pinsKeys())
        return;
    setQuery(view_.pinned()->row);
    setKey(view_.pinned()->column);
}

void StepPage::pin() {
    if (pinsKeys())
        view_.setPinned(Cell{query(), key()});
}

} // namespace attnlab::ui
