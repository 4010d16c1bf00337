// The parts of a card.
#include "ui/learn/lab/card_source.h"

#include "core/statistics.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_colors.h"
#include "ui/pages/exhibits/names.h"
#include "ui/panels/inspector/measures_card.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

/// The first few names and how many more there are.
QString listed(const QStringList& names) {
    constexpr qsizetype most = 6;
    const QString shown = names.mid(0, most).join(QStringLiteral(", "));
    return names.size() > most ? shown + QStringLiteral(", …") : shown;
}

bool isEmptyRow(std::span<const double> weights) {
    return std::ranges::all_of(weights, [](double weight) { return weight == 0.0; });
}

} // namespace

void CardContents::addHistograms(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    constexpr std::size_t bins = 41; // odd: one of them stands around 0
    std::vector<std::span<const double>> sets(sources.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
        const Source& source = sources[k];
        const Stage* scaled = source.trace ? source.trace->find("scaled") : nullptr;
        if (scaled && scaled->value.rank() == 4)
            sets[k] = lab::cells_of(*scaled, source.batch, source.headNumber());
    }
    const auto range = lab::common_range(sets);
    for (std::size_t k = 0; k < sources.size(); ++k) {
        if (sets[k].empty())
            continue;
        auto part = std::make_shared<HistogramPart>();
        const auto axis = sources[k].card.axis ? sources[k].card.axis : view_.axis;
        part->histogram = lab::histogram(sets[k], axis ? std::pair{axis->low, axis->high} : range, bins);
        part->color = cards[k].color;
        try {
            part->theory =
                lab::numbers_of(*sources[k].trace, sources[k].setting->spec, sources[k].batch, sources[k].headNumber())
                    .theory;
        } catch (const Error&) { // weights of several passes: the scores are there all the same
        }
        cards[k].above.push_back(std::move(part));
    }
}

PartPtr CardContents::numbersOf(const Source& source) const {
    lab::SettingNumbers numbers;
    try {
        numbers = lab::numbers_of(*source.trace, source.setting->spec, source.batch, source.headNumber());
    } catch (const Error&) {
        return nullptr; // a mechanism without weights of one pass
    }
    auto part = std::make_shared<NumbersPart>();
    part->heading = tr("Numbers of the setting");
    const auto add = [&](const char* id, const QString& name, std::optional<double> value, const QString& help) {
        part->entries.push_back(
            {name, value ? significantText(*value) : QStringLiteral("–"), help, QString::fromLatin1(id)});
    };
    add("variance", tr("variance"), numbers.variance, tr("Of the scaled scores."));
    add("theory", tr("theory"), numbers.theory,
        tr("The variance that theory predicts for independent entries of variance 1."));
    add("entropy", tr("entropy"), numbers.rows.entropy, tr("−Σ a log a of a row in nats; mean of the rows."));
    add("effective_keys", tr("eff. keys"), numbers.rows.effective_keys,
        tr("exp(entropy): as many keys with equal weights would have this entropy; mean of the rows."));
    add("max_weight", tr("mean max weight"), numbers.rows.max_weight,
        tr("The largest weight of a row, on average over the rows."));
    add("jacobian_norm", QStringLiteral("‖∂a/∂s‖"), numbers.rows.jacobian_norm,
        tr("How much the weights follow the scores, that is, how much gradient softmax lets through; mean of the "
           "rows."));
    if (numbers.median_gradient)
        add("median_gradient", tr("median gradient"), numbers.median_gradient,
            tr("‖∂a/∂(q·k)‖ of the row in the middle: the slope of softmax times the factor of the scale. A few "
               "undecided "
               "rows lift the mean; the median shows what most rows let through."));
    return part;
}

PartPtr CardContents::rowsOf(const Source& source) const {
    const Stage* weights = source.trace->find("weights");
    const auto matrix = weights ? sliceOf(*source.trace, *weights, source.batch, source.head) : std::nullopt;
    if (!matrix || matrix->view().columns == 0)
        return nullptr;
    auto part = std::make_shared<RowsPart>();
    part->heading = tr("entropy of each row");
    part->number_headings = {QString(), tr("eff. keys")};
    const auto view = matrix->view();
    part->longest = std::max(1e-9, std::log(static_cast<double>(view.columns)));
    double entropy = 0.0, keys = 0.0;
    int counted = 0;
    for (std::int64_t i = 0; i < view.rows; ++i) {
        RowsPart::Row row{.label = matrix->rowLabel(i), .numbers = {}, .help = {}};
        if (isEmptyRow(view.row(i))) {
            row.numbers = {QStringLiteral("–"), QStringLiteral("0")};
            row.help = tr("%1: every weight is 0").arg(row.label);
        } else {
            const auto numbers = row_statistics(view.row(i));
            row.bar = numbers.entropy;
            row.numbers = {numberText(numbers.entropy, 3), numberText(numbers.effective_keys, 3)};
            row.help = tr("%1: entropy %2 nats, effective keys %3")
                           .arg(row.label, exactText(numbers.entropy), exactText(numbers.effective_keys));
            entropy += numbers.entropy;
            keys += numbers.effective_keys;
            ++counted;
        }
        part->rows.push_back(std::move(row));
    }
    if (counted > 0)
        part->footer = tr("Mean: entropy %1, effective keys %2")
                           .arg(numberText(entropy / counted, 3), numberText(keys / counted, 3));
    return part;
}

/// 0 and the bias where a cell is kept, what fills it where it is blocked.
PartPtr CardContents::additiveOf(const Source& source) const {
    const Stage* scaled = source.trace->find("scaled");
    const Stage* masked = source.trace->find("masked");
    const Stage* blocked = source.trace->find("blocked");
    if (!scaled || !masked || scaled->value.shape() != masked->value.shape())
        return nullptr;
    const auto before = sliceOf(*source.trace, *scaled, source.batch, std::max(0, source.head));
    auto matrix = sliceOf(*source.trace, *masked, source.batch, std::max(0, source.head));
    const auto closed =
        blocked ? sliceOf(*source.trace, *blocked, source.batch, std::max(0, source.head)) : std::nullopt;
    if (!before || !matrix)
        return nullptr;
    const auto from = before->view(), to = matrix->view();
    const MaskFill& fill = source.setting->spec.mask_fill;
    Tensor added({to.rows, to.columns});
    auto cell = added.mutable_values().begin();
    double largest = 1.0;
    for (std::int64_t i = 0; i < to.rows; ++i)
        for (std::int64_t j = 0; j < to.columns; ++j, ++cell) {
            const bool is_closed = closed && closed->view()(i, j) != 0.0;
            *cell = is_closed ? fill.value : from(i, j) == to(i, j) ? 0.0 : to(i, j) - from(i, j);
            if (!is_closed && std::isfinite(*cell))
                largest = std::max(largest, std::abs(*cell));
        }
    auto part = std::make_shared<MatrixPart>();
    const bool adds = fill.mode == MaskFill::Mode::Add || std::isinf(fill.value) || !closed;
    part->heading = adds ? tr("M, added to the scaled scores") : tr("M, in place of the blocked scores");
    part->matrix = untitledMatrix(std::move(*matrix));
    part->keys = part->matrix.column_labels;
    part->matrix.column_labels.clear();
    part->matrix.values = std::move(added);
    part->matrix.leading = 0;
    part->matrix.blocked = {};
    part->matrix.columns_unnamed = true;
    part->scale =
        colorScale({}, {.low = -largest, .high = largest, .smallest_positive = largest, .empty = false}, true);
    return part;
}

void CardContents::addOutputs(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    ValueRange range;
    for (const auto& source : sources)
        if (const Stage* output = source.trace ? source.trace->find("output") : nullptr)
            if (const auto own = rangeOf(*source.trace, *output, source.batch); !own.empty)
                for (const double end : {own.low, own.high})
                    range.include(end);
    for (std::size_t k = 0; k < sources.size(); ++k) {
        const Source& source = sources[k];
        const Stage* output = source.trace ? source.trace->find("output") : nullptr;
        auto matrix = output ? sliceOf(*source.trace, *output, source.batch, source.head) : std::nullopt;
        if (!matrix)
            continue;
        auto part = std::make_shared<MatrixPart>();
        part->heading = tr("output");
        part->matrix = untitledMatrix(std::move(*matrix));
        part->scale = colorScale({}, range, range.low < 0.0);
        cards[k].below.push_back(std::move(part));
    }
}

PartPtr CardContents::measuresOf(const Source& source) const {
    // They are about the approximation, not about the exact weights beside it.
    if (source.trace->measures.empty() || source.card.stage.starts_with("exact"))
        return nullptr;
    auto part = std::make_shared<NumbersPart>();
    part->heading = tr("Error and cost");
    for (const auto& measure : source.trace->measures) {
        const QString own = amountText(measure.value, measure.unit);
        part->entries.push_back(
            {translated(measure.title),
             measure.exact ? tr("%1 (exact %2)").arg(own, amountText(*measure.exact, measure.unit)) : own,
             {},
             QString::fromStdString(measure.name)});
    }
    return part;
}

void CardContents::addLeaks(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    double longest = 0.0;
    for (const auto& leak : leaks_)
        for (const double moved : leak.moved)
            if (std::isfinite(moved))
                longest = std::max(longest, moved);
    for (std::size_t k = 0; k < sources.size(); ++k)
        if (sources[k].trace && sources[k].index < leaks_.size())
            cards[k].below.push_back(leakOf(sources[k], longest > 0.0 ? longest : 1.0));
}

QString CardContents::leakWords(const QString& token, const QStringList& moving, const QStringList& leaking,
                                std::size_t outputs) {
    if (leaking.size() == 1)
        return tr("A leak: the mask keeps token %1 from output %2, and yet it moves.").arg(token, leaking.front());
    if (!leaking.isEmpty())
        return tr("A leak: the mask keeps token %1 from outputs %2, and yet they move.").arg(token, listed(leaking));
    if (moving.isEmpty())
        return tr("No output moves.");
    if (moving.size() == static_cast<qsizetype>(outputs))
        return tr("Every output moves.");
    if (moving.size() == 1)
        return tr("Only output %1 moves; all others stay exactly as they were.").arg(moving.front());
    return tr("Only outputs %1 move; all others stay exactly as they were.").arg(listed(moving));
}

PartPtr CardContents::leakOf(const Source& source, double longest) const {
    const SettingLeak& leak = leaks_[source.index];
    const Trace& trace = *source.trace;
    const QStringList rows = textsOf(trace.query_tokens);
    const QStringList tokens = trace.key_tokens.empty() ? rows : textsOf(trace.key_tokens);
    const Stage* blocked = trace.find("blocked");
    const Stage* weights = trace.find("weights");
    const std::int64_t count = weights ? weights->value.dim(-1) : static_cast<std::int64_t>(leak.moved.size());
    const std::int64_t token = view_.token < 0 ? view_.token + count : view_.token;
    auto part = std::make_shared<RowsPart>();
    part->heading = tr("moves when %1 is edited").arg(nameOf(tokens, token));
    part->number_headings = {QString()};
    part->longest = longest;
    part->marked = static_cast<int>(token);
    part->clickable = view_.is_live(lab::BoardControl::Token);
    part->footer = leak.error;
    const auto is_blocked = [&](std::int64_t row) {
        if (!blocked || blocked->value.rank() != 4 || row >= blocked->value.dim(2) || token >= blocked->value.dim(3))
            return false;
        for (std::int64_t map = 0; map < matrix_count(blocked->value); ++map)
            if (matrix_at(blocked->value, map)(row, token) == 0.0)
                return false;
        return true;
    };
    // Where queries are tokens of their own, no row is the edited one.
    const bool one_sequence = static_cast<std::int64_t>(leak.moved.size()) == count &&
                              (trace.key_tokens.empty() || trace.key_tokens == trace.query_tokens);
    QStringList moving, leaking;
    for (std::size_t k = 0; k < leak.moved.size(); ++k) {
        const auto row = static_cast<std::int64_t>(k);
        const double moved = leak.moved[k];
        const QString name = nameOf(rows, row);
        const bool wrong = moved > 0.0 && is_blocked(row) && !(one_sequence && row == token);
        if (moved > 0.0)
            (wrong ? leaking : moving) << name;
        part->rows.push_back({row < rows.size() ? rows[row] : QString::number(row),
                              std::isfinite(moved) ? moved : longest,
                              {significantText(moved)},
                              wrong,
                              moved > 0.0 ? tr("Output %1 moves by %2").arg(name, exactText(moved))
                                          : tr("Output %1 stays exactly as it was").arg(name)});
    }
    if (leak.error.isEmpty())
        part->footer = leakWords(nameOf(tokens, token), moving, leaking, leak.moved.size());
    part->footer_is_wrong = !leak.error.isEmpty() || !leaking.isEmpty();
    return part;
}

} // namespace attnlab::ui
