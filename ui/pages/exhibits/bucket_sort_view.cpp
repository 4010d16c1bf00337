#include "ui/pages/exhibits/bucket_sort_view.h"

#include "ui/drawing/arcs.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QComboBox>
#include <QFontMetricsF>
#include <QPainter>
#include <set>

namespace attnlab::ui {
namespace {

constexpr double bucket_gap = 8.0;
constexpr double dimmed = 0.22;
constexpr std::int64_t tokens_in_words = 12;

} // namespace

std::vector<std::int64_t> Buckets::sorted(std::int64_t round) const {
    std::vector<std::int64_t> order(static_cast<std::size_t>(tokens));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at(round, a) < at(round, b); });
    return order;
}

bool Buckets::share(std::int64_t one, std::int64_t other) const {
    for (std::int64_t round = 0; round < rounds; ++round)
        if (at(round, one) == at(round, other))
            return true;
    return false;
}

std::vector<std::int64_t> Buckets::readBy(std::int64_t token) const {
    std::vector<std::int64_t> others;
    for (std::int64_t other = 0; other < tokens; ++other)
        if (other != token && share(token, other))
            others.push_back(other);
    return others.empty() ? std::vector{token} : others;
}

QColor bucketColor(std::int64_t bucket, std::int64_t count, const Theme& look) {
    const double hue = static_cast<double>(bucket) / static_cast<double>(std::max<std::int64_t>(1, count));
    constexpr double least_contrast = 3.2; // lines are drawn with it
    float lightness = look.dark ? 0.48F : 0.56F;
    const auto color = [&] {
        return QColor::fromHslF(static_cast<float>(std::fmod(hue + 0.58, 1.0)), 0.62F, lightness);
    };
    while (contrastOf(color(), look.card) < least_contrast && lightness > 0.1F && lightness < 0.9F)
        lightness += look.dark ? 0.02F : -0.02F;
    return color();
}

/// Two columns of rows with lines between them.
struct BucketSortDrawing::Layout {
    double line = 0.0;
    double row = 0.0;   ///< height of a token's row
    double chip = 0.0;  ///< width of a bucket's number
    double top = 0.0;   ///< of the first row on the left
    double label = 0.0; ///< width of the tokens
    double left = 0.0;
    double right = 0.0;                      ///< left edge of the sorted column
    double split = 0.0;                      ///< gap between buckets on the right
    std::vector<std::int64_t> order;         ///< sorted tokens
    std::vector<std::int64_t> place;         ///< of a token in `order`
    std::vector<std::int64_t> groups_before; ///< for each position: how many buckets end before it

    QRectF inOrder(std::int64_t token) const {
        return QRectF(left, top + static_cast<double>(token) * row, label, row);
    }
    QRectF chipOf(std::int64_t token, std::int64_t round) const {
        return QRectF(left + label + bucket_gap + static_cast<double>(round) * (chip + 3), inOrder(token).top(), chip,
                      row);
    }
    QRectF sorted(std::int64_t index) const {
        return QRectF(right,
                      top + static_cast<double>(index) * row +
                          static_cast<double>(groups_before[static_cast<std::size_t>(index)]) * split,
                      label, row);
    }
    double linksFrom(std::int64_t rounds) const { return chipOf(0, rounds - 1).right() + 4; }
    double linksTo() const { return right - chip - bucket_gap - 4; }
};

struct BucketSortDrawing::Pen {
    QPainter& painter;
    const DrawingStyle& style;
    const Layout& at;

    void chip(const QRectF& row, const QColor& color, const QString& text, bool lit) const {
        const QRectF box = row.adjusted(0, 1, 0, -1);
        painter.setOpacity(lit ? 1.0 : dimmed);
        painter.fillRect(box, color);
        if (row.height() >= at.line - 2) {
            painter.setPen(textColorOn(color.rgb()));
            painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
        }
        painter.setOpacity(1.0);
    }
    void token(const QRectF& row, const QString& text, Qt::Alignment alignment, bool strong, bool lit) const {
        QFont font = painter.font();
        font.setBold(strong);
        painter.setFont(font);
        painter.setOpacity(lit ? 1.0 : 0.45);
        painter.setPen(strong ? style.look.accent : style.look.text);
        painter.drawText(row, alignment | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, row.width()));
        painter.setOpacity(1.0);
        font.setBold(false);
        painter.setFont(font);
    }
    void caption(double x, double width, const QString& text, Qt::Alignment alignment) const {
        painter.setPen(style.look.muted);
        painter.drawText(QRectF(x, at.top - at.line * 1.4, width, at.line),
                         alignment | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
};

QString BucketSortDrawing::tokenLabel(std::int64_t token) const {
    return token < tokens.size() && !tokens[token].isEmpty() ? tokens[token] : QString::number(token);
}

bool BucketSortDrawing::isLit(std::int64_t token) const {
    return !marked || *marked == token || buckets.share(*marked, token);
}

QSizeF BucketSortDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    const auto rows = static_cast<double>(buckets.tokens), groups = static_cast<double>(buckets.count);
    return QSizeF(320.0 + static_cast<double>(buckets.rounds) * (line * 1.6 + 3),
                  2.0 * line + rows * line + std::min(groups, rows) * 3.0);
}

BucketSortDrawing::Layout BucketSortDrawing::layout(const QRectF& area, const QFont& font) const {
    const QFont small = labelFont(font);
    const QFontMetricsF metrics(small);
    Layout at;
    at.order = buckets.sorted(round);
    at.place.resize(at.order.size());
    for (std::size_t i = 0; i < at.order.size(); ++i) {
        at.place[static_cast<std::size_t>(at.order[i])] = static_cast<std::int64_t>(i);
        const bool other = i > 0 && buckets.at(round, at.order[i]) != buckets.at(round, at.order[i - 1]);
        at.groups_before.push_back(i == 0 ? 0 : at.groups_before.back() + (other ? 1 : 0));
    }
    at.line = std::ceil(metrics.height());
    at.chip = std::max(metrics.horizontalAdvance(QString::number(buckets.count)) + 8, 20.0);
    double label = metrics.horizontalAdvance(QString::number(buckets.tokens));
    for (const auto& token : tokens)
        label = std::max(label, metrics.horizontalAdvance(token));
    at.label = std::min(label * 1.12 + 4, area.width() * 0.22);

    const double caption = 1.8 * at.line;
    const auto groups = static_cast<double>(at.groups_before.empty() ? 0 : at.groups_before.back());
    const double room = area.height() - caption;
    at.split =
        groups == 0.0 ? 0.0 : std::clamp((room - static_cast<double>(buckets.tokens) * at.line) / groups, 3.0, 14.0);
    at.row = std::min((room - groups * at.split) / static_cast<double>(std::max<std::int64_t>(1, buckets.tokens)),
                      2.0 * at.line);
    const double height = static_cast<double>(buckets.tokens) * at.row + groups * at.split;
    at.top = area.top() + caption + std::max(0.0, (room - height) / 2);
    const double chips = static_cast<double>(buckets.rounds) * (at.chip + 3);
    const double links = std::min(area.width() - 2 * at.label - chips - at.chip - 4 * bucket_gap, 340.0);
    const double width = 2 * at.label + chips + at.chip + 4 * bucket_gap + links;
    at.left = area.left() + std::max(0.0, (area.width() - width) / 2);
    at.right = at.left + width - at.label;
    return at;
}

void BucketSortDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const Layout at = layout(area, style.font);
    const Pen pen{painter, style, at};
    painter.save();
    painter.setFont(labelFont(style.font));
    paintLinks(pen);
    paintInOrder(pen);
    paintSorted(pen);
    painter.restore();
}

void BucketSortDrawing::paintInOrder(const Pen& pen) const {
    const auto& at = pen.at;
    pen.caption(at.left, at.label, tr("in order"), Qt::AlignRight);
    for (std::int64_t r = 0; r < buckets.rounds; ++r) {
        const QRectF column = at.chipOf(0, r);
        pen.caption(column.left(), column.width(), QString::number(r + 1), Qt::AlignHCenter);
    }
    for (std::int64_t token = 0; token < buckets.tokens; ++token) {
        pen.token(at.inOrder(token), tokenLabel(token), Qt::AlignRight, token == marked, isLit(token));
        for (std::int64_t r = 0; r < buckets.rounds; ++r) {
            const auto bucket = buckets.at(r, token);
            // Fades tokens that do not share a bucket with the marked one in this round.
            const bool lit = !marked || *marked == token || buckets.at(r, *marked) == bucket;
            pen.chip(at.chipOf(token, r), bucketColor(bucket, buckets.count, pen.style.look), QString::number(bucket),
                     lit);
        }
    }
    const QRectF first = at.chipOf(0, round), last = at.chipOf(buckets.tokens - 1, round);
    pen.painter.setBrush(Qt::NoBrush);
    pen.painter.setPen(QPen(pen.style.look.text, 1.6));
    pen.painter.drawRect(QRectF(first.topLeft(), last.bottomRight()).adjusted(-1.5, -1.5, 1.5, 1.5));
}

void BucketSortDrawing::paintSorted(const Pen& pen) const {
    const auto& at = pen.at;
    pen.caption(at.right - at.chip - bucket_gap, at.label + at.chip + bucket_gap, tr("sorted by bucket"),
                Qt::AlignLeft);
    for (std::size_t i = 0; i < at.order.size();) {
        const auto bucket = buckets.at(round, at.order[i]);
        const QRectF first = at.sorted(static_cast<std::int64_t>(i));
        bool lit = false;
        for (; i < at.order.size() && buckets.at(round, at.order[i]) == bucket; ++i) {
            const auto token = at.order[i];
            lit = lit || isLit(token);
            pen.token(at.sorted(static_cast<std::int64_t>(i)), tokenLabel(token), Qt::AlignLeft, token == marked,
                      isLit(token));
        }
        const QRectF last = at.sorted(static_cast<std::int64_t>(i) - 1);
        const QRectF band(at.right - bucket_gap - at.chip, first.top(), at.chip, last.bottom() - first.top());
        const QColor color = bucketColor(bucket, buckets.count, pen.style.look);
        pen.painter.setOpacity(lit ? 1.0 : dimmed);
        pen.painter.fillRect(band.adjusted(0, 1, 0, -1), color);
        pen.painter.setPen(textColorOn(color.rgb()));
        pen.painter.drawText(band, Qt::AlignCenter | Qt::TextDontClip, QString::number(bucket));
        pen.painter.setOpacity(1.0);
    }
}

void BucketSortDrawing::paintLinks(const Pen& pen) const {
    const auto& at = pen.at;
    const double from_x = at.linksFrom(buckets.rounds), to_x = at.linksTo();
    if (to_x <= from_x)
        return;
    pen.painter.setRenderHint(QPainter::Antialiasing);
    pen.painter.setBrush(Qt::NoBrush);
    for (std::int64_t token = 0; token < buckets.tokens; ++token) {
        const QPointF from(from_x, at.inOrder(token).center().y());
        const QPointF to(to_x, at.sorted(at.place[static_cast<std::size_t>(token)]).center().y());
        pen.painter.setOpacity(isLit(token) ? 1.0 : dimmed);
        pen.painter.setPen(
            QPen(bucketColor(buckets.at(round, token), buckets.count, pen.style.look), token == marked ? 3.0 : 1.5));
        pen.painter.drawPath(curveBetween(from, to, Qt::Horizontal));
    }
    pen.painter.setOpacity(1.0);
    pen.painter.setRenderHint(QPainter::Antialiasing, false);
}

std::optional<std::int64_t> BucketSortDrawing::tokenAt(const QPointF& position, const QRectF& area,
                                                       const QFont& font) const {
    const Layout at = layout(area, font);
    const double middle = (at.linksFrom(buckets.rounds) + at.linksTo()) / 2;
    for (std::int64_t i = 0; i < buckets.tokens; ++i) {
        const bool is_left = position.x() < middle;
        const QRectF row = is_left ? at.inOrder(i) : at.sorted(i);
        if (position.y() >= row.top() && position.y() < row.bottom())
            return is_left ? i : at.order[static_cast<std::size_t>(i)];
    }
    return std::nullopt;
}

QRectF BucketSortDrawing::rectOf(std::int64_t token, const QRectF& area, const QFont& font) const {
    return layout(area, font).inOrder(token);
}

QString BucketSortDrawing::tokenText(std::int64_t token) const {
    const auto others = buckets.readBy(token);
    QStringList buckets_of, names;
    for (std::int64_t r = 0; r < buckets.rounds; ++r)
        buckets_of << QString::number(buckets.at(r, token));
    for (std::size_t i = 0; i < others.size() && static_cast<std::int64_t>(i) < tokens_in_words; ++i)
        names << tokenLabel(others[i]);
    if (static_cast<std::int64_t>(others.size()) > tokens_in_words)
        names << QStringLiteral("…");
    if (others == std::vector{token})
        return tr("%1 is in bucket %2, where no other token ever is: it reads itself.")
            .arg(nameOf(tokens, token), buckets_of.join(QStringLiteral(", ")));
    return tr("%1 is in bucket %2 and may read the tokens that share one with it in any round: %3.")
        .arg(nameOf(tokens, token), buckets_of.join(QStringLiteral(", ")), names.join(QStringLiteral(", ")));
}

QString BucketSortDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto token = tokenAt(position, area, font);
    return token ? tokenText(*token) : QString();
}

int BucketSortDrawing::rows() const { return static_cast<int>(buckets.tokens); }
int BucketSortDrawing::columns() const { return static_cast<int>(buckets.rounds); }
QString BucketSortDrawing::rowName(int row) const { return tokenLabel(row); }
QString BucketSortDrawing::columnName(int column) const { return tr("round %1").arg(column + 1); }

QString BucketSortDrawing::cellWords(int row, int column) const {
    return tr("%1, %2: bucket %3", "token, round, number")
        .arg(nameOf(tokens, row), columnName(column))
        .arg(buckets.at(column, row));
}

QRectF BucketSortDrawing::cellPlace(int row, int column, const QRectF& area, const QFont& font) const {
    return layout(area, font).chipOf(row, column);
}

BucketSortView::BucketSortView(ViewState& view, QWidget* parent)
    : MarkingPage(Qt::Key_Down, Qt::Key_Up, parent), view_(view), round_(new QComboBox(this)) {
    tools()->addWidget(round_);
    setTabOrder(round_, canvas());
    connect(&view_, &ViewState::sliceChanged, this, &BucketSortView::renew);
    connect(round_, &QComboBox::activated, this, &BucketSortView::chooseRound);
    round_->setAccessibleName(tr("Round of hashing"));
    round_->setToolTip(round_->accessibleName());
    renew();
}

bool BucketSortView::readBuckets(int head) {
    const auto* sort = computed_ ? exhibitOf<BucketSort>(computed_->trace) : nullptr;
    const Stage* stage = sort ? computed_->trace.find("buckets") : nullptr;
    if (!stage || stage->value.rank() != 4 || stage->value.dim(0) != sort->n_hashes || stage->value.size() == 0 ||
        view_.batch() >= stage->value.dim(1) || head >= stage->value.dim(2))
        return false;
    auto& buckets = drawing_.buckets;
    buckets.rounds = sort->n_hashes;
    buckets.count = sort->n_buckets;
    buckets.tokens = stage->value.dim(3);
    buckets.bucket.clear();
    for (std::int64_t round = 0; round < buckets.rounds; ++round)
        for (std::int64_t token = 0; token < buckets.tokens; ++token)
            buckets.bucket.push_back(static_cast<std::int64_t>(stage->value.at({round, view_.batch(), head, token})));
    return true;
}

std::int64_t BucketSortView::read() {
    // Buckets have no mean.
    const int head = computed_ ? std::max(0, headWithin(computed_->trace, view_.head())) : 0;
    const bool shown = readBuckets(head);
    const auto& buckets = drawing_.buckets;
    const auto rounds = static_cast<int>(shown ? buckets.rounds : 0);
    if (round_->count() != rounds) {
        round_->clear();
        for (int i = 0; i < rounds; ++i)
            round_->addItem(tr("Round %1").arg(i + 1));
    }
    round_->setVisible(rounds > 1);
    setTitle(tr("Buckets"));
    if (!shown)
        return 0;
    if (sizeOf(computed_->trace).heads > 1)
        setTitle(tr("Buckets · head %1").arg(head));
    drawing_.round = std::clamp<std::int64_t>(drawing_.round, 0, buckets.rounds - 1);
    round_->setCurrentIndex(static_cast<int>(drawing_.round));
    drawing_.tokens.clear();
    for (const auto& token : computed_->trace.query_tokens)
        drawing_.tokens << QString::fromStdString(token);
    return buckets.tokens;
}

QString BucketSortView::bucketsText() const {
    const auto& buckets = drawing_.buckets;
    std::set<std::int64_t> used;
    for (std::int64_t token = 0; token < buckets.tokens; ++token)
        used.insert(buckets.at(drawing_.round, token));
    double pairs = 0.0;
    for (std::int64_t token = 0; token < buckets.tokens; ++token)
        pairs += static_cast<double>(buckets.readBy(token).size());
    return tr("Round %1 of %2 puts %3 tokens into %4 of %5 buckets. A token reads those that share a bucket with it in "
              "any "
              "round: %6 of %7 pairs.")
        .arg(drawing_.round + 1)
        .arg(buckets.rounds)
        .arg(buckets.tokens)
        .arg(used.size())
        .arg(buckets.count)
        .arg(pairs)
        .arg(buckets.tokens * buckets.tokens);
}

QString BucketSortView::wordsNow() const {
    return drawing_.marked ? drawing_.tokenText(*drawing_.marked) : bucketsText();
}

std::optional<std::int64_t> BucketSortView::markAt(const QPointF& position) const {
    return drawing_.tokenAt(position, canvas()->area(), canvas()->font());
}

QRectF BucketSortView::rectOf(std::int64_t token) const {
    return drawing_.rectOf(token, canvas()->area(), canvas()->font());
}

void BucketSortView::chooseRound(int round) {
    if (!hasExhibit())
        return;
    drawing_.round = std::clamp<std::int64_t>(round, 0, drawing_.buckets.rounds - 1);
    round_->setCurrentIndex(static_cast<int>(drawing_.round));
    renewWords();
}

bool BucketSortView::pressKey(int key) {
    if (!hasExhibit() || (key != Qt::Key_Right && key != Qt::Key_Left))
        return MarkingPage::pressKey(key);
    chooseRound(static_cast<int>(drawing_.round) + (key == Qt::Key_Right ? 1 : -1));
    return true;
}

namespace bucket_sort_view {

ExhibitKind kind() {
    return {BucketSort::id, QT_TRANSLATE_NOOP("CentrePages", "Buckets"),
            [](ViewState& view) -> ExhibitPage* { return new BucketSortView(view); }};
}

} // namespace bucket_sort_view

} // namespace attnlab::ui
