#include "ui/window/status_line.h"

#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <functional>
#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QRegularExpression>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <string>
#include <utility>

namespace attnlab::ui {
namespace {

QString timeText(double seconds) {
    return seconds < 1.0 ? StatusLine::tr("%1 ms").arg(numberText(seconds * 1e3, 2))
                         : StatusLine::tr("%1 s").arg(numberText(seconds, 3));
}

/// "exact (64-bit)", or "cpu · float32 · AVX-512 · 2 threads", in the language of the window.
QString withWords(QString engine) {
    engine.replace(QStringLiteral("reference · float64"), StatusLine::tr("exact (64-bit)"));
    engine.replace(QLatin1String("reference"), StatusLine::tr("reference"));
    static const QRegularExpression threads(QStringLiteral("(\\d+) threads?$"));
    if (const auto found = threads.match(engine); found.hasMatch()) {
        const QString count = found.captured(1);
        engine.replace(found.capturedStart(), found.capturedLength(),
                       count == QLatin1String("1") ? StatusLine::tr("1 thread")
                                                   : StatusLine::tr("%1 threads").arg(count));
    }
    return engine;
}

/// "4 heads · 9 × 9 · width 4" from the stages that have these axes.
QString sizesOf(const Trace& trace) {
    const Stage* weights = weightsBeside(trace, nullptr);
    const auto stage = [&](const std::string& name) -> const Stage* {
        const auto named = [&](const std::string& wanted) {
            return weights ? trace.beside(*weights, wanted) : trace.find(wanted);
        };
        const Stage* found = named(name);
        if (!found) // the first of two passes
            found = named(name + "_1");
        return found && found->value.rank() == 4 ? found : nullptr;
    };
    const Stage *scores = stage("scores"), *query = stage("query"), *key = stage("key");
    QStringList parts;
    const auto add = [&](const QString& one, const QString& several, std::int64_t count) {
        parts << (count == 1 ? one : several.arg(count));
    };
    // Not every mechanism has a score for each query and key.
    const bool has_cells = scores && endsWithAxes(*scores, Axis::Query, Axis::Key);
    if (const Stage* rows = has_cells ? scores : query; rows && (has_cells || key)) {
        if (const auto batches = rows->value.dim(0); batches != 1)
            parts << StatusLine::tr("%1 sequences").arg(batches);
        add(StatusLine::tr("1 head"), StatusLine::tr("%1 heads"), rows->value.dim(1));
        parts << QStringLiteral("%1 × %2")
                     .arg(rows->value.dim(2))
                     .arg(has_cells ? scores->value.dim(3) : key->value.dim(2));
    }
    if (query)
        parts << StatusLine::tr("width %1").arg(query->value.dim(3));
    return parts.join(QStringLiteral(" · "));
}

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), engine_(new ElidedLabel), shape_(new ElidedLabel), device_(new ElidedLabel),
      note_(new ElidedLabel), hint_(new ElidedLabel), progress_(new QProgressBar), cancel_(new QToolButton),
      delay_(new QTimer(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(18);
    layout->addWidget(engine_);
    layout->addWidget(shape_);
    layout->addWidget(note_, 1);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(hint_);
    layout->addWidget(device_);
    device_->hide();
    layout->addWidget(progress_);
    layout->addWidget(cancel_);
    // A long warning must not widen the window: it is cut, with a tooltip.
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    progress_->setRange(0, 1000);
    progress_->setMaximumWidth(160);
    progress_->setTextVisible(false);
    for (QWidget* part : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_)}) {
        auto keeps_room = part->sizePolicy(); // the layout does not move when work begins and ends
        keeps_room.setRetainSizeWhenHidden(true);
        part->setSizePolicy(keeps_room);
    }
    progress_->hide();
    cancel_->setFixedHeight(fontMetrics().height() + 6); // lower than other buttons: the line is always there
    progress_->setMaximumHeight(cancel_->height());
    cancel_->hide();
    delay_->setSingleShot(true);
    connect(delay_, &QTimer::timeout, this, [this] {
        progress_->show();
        cancel_->show();
    });
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    retranslate();
}

void StatusLine::setComputed(const ComputedPtr& computed) {
    computed_ = computed;
    notes_ = computed->trace.notes;
    failure_ = {};
    retranslate();
}

void StatusLine::setMap(const QString& engine, const QString& sizes) {
    computed_ = nullptr;
    notes_.clear();
    failure_ = {};
    retranslate();
    engine_->setText(withWords(engine));
    shape_->setText(sizes);
}

void StatusLine::setNotes(const std::vector<Note>& notes) {
    notes_ = notes;
    showNotes();
}

void StatusLine::setFailed(const Message& why) {
    failure_ = why;
    showNotes();
}

void StatusLine::setNoResult(const Message& why) {
    setMap({}, {});
    setFailed(why);
}

void StatusLine::begin() {
    constexpr int delay_milliseconds = 300;
    progress_->setValue(0);
    if (!progress_->isVisible() && !delay_->isActive())
        delay_->start(delay_milliseconds);
}

void StatusLine::setProgress(double fraction) { progress_->setValue(static_cast<int>(fraction * 1000.0)); }

void StatusLine::end() {
    delay_->stop();
    progress_->hide();
    cancel_->hide();
}

void StatusLine::setDevice(const Message& line) {
    device_line_ = line;
    retranslate();
}

QString StatusLine::deviceText() const { return device_->text(); }
QString StatusLine::engineText() const { return engine_->text(); }
QString StatusLine::shapeLine() const { return shape_->text(); }
QString StatusLine::noteText() const { return note_->toolTip(); }

void StatusLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::PaletteChange)
        showNotes();
    QWidget::changeEvent(event);
}

void StatusLine::retranslate() {
    cancel_->setText(tr("Cancel"));
    hint_->setText(tr("Drag any number to change it · ? shows all keys"));
    progress_->setAccessibleName(tr("Progress of the computation"));
    shape_->setToolTip(tr("Query heads, queries × keys, and the width of a head"));
    device_->setText(translated(device_line_));
    device_->setVisible(!device_line_.empty());
    if (computed_) {
        const QString engine = withWords(QString::fromStdString(computed_->backend));
        engine_->setText(QStringLiteral("%1 · %2").arg(engine, timeText(computed_->seconds)));
        shape_->setText(sizesOf(computed_->trace));
    }
    showNotes();
}

void StatusLine::showNotes() {
    QStringList lines;
    bool warning = !failure_.empty();
    if (warning)
        lines << translated(failure_);
    if (failure_.empty()) {
        std::ranges::stable_sort(notes_, std::ranges::greater(), &Note::severity);
        for (const auto& note : notes_) {
            warning = warning || note.severity == Note::Severity::Warning;
            lines << translated(note.message);
        }
    }
    note_->setText(lines.isEmpty() ? QString() : lines.first());
    note_->setToolTip(lines.join(QStringLiteral("\n")));
    auto colors = palette();
    colors.setColor(QPalette::WindowText, warning ? theme().warning_text : theme().muted);
    note_->setPalette(colors);
}

namespace {

constexpr int margin_x = 6, margin_y = 2; ///< to the edges of the area
/// Of the width: progress and Cancel of the status bar are at its right end.
constexpr double widest = 0.72;

} // namespace

Banners::Banners(std::initializer_list<MessageBar*> bars, QWidget& area) : QWidget(&area), area_(area), bars_(bars) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    for (auto* bar : bars_) {
        column->addWidget(bar);
        bar->installEventFilter(this);
    }
    area_.installEventFilter(this);
    place();
}

void Banners::place() {
    int wish = 0;
    for (const auto* bar : std::as_const(bars_))
        if (!bar->isHidden())
            wish = std::max(wish, bar->widthOnOneLine());
    setVisible(wish > 0);
    if (wish == 0)
        return;
    const QRect room = area_.rect().adjusted(margin_x, margin_y, -margin_x, -margin_y);
    const int width = std::clamp(wish, 1, std::max(1, static_cast<int>(room.width() * widest)));
    const int needed = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
    const int height = std::clamp(needed, 1, std::max(1, room.height()));
    const QRect place(room.left(), room.bottom() - height + 1, width, height);
    setGeometry(QStyle::visualRect(layoutDirection(), room, place));
    raise();
}

bool Banners::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        place();
    return done;
}

bool Banners::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    const bool places = watched == &area_ ? type == QEvent::Resize || type == QEvent::ChildAdded
                                          : type == QEvent::ShowToParent || type == QEvent::HideToParent;
    if (places)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace attnlab::ui
