// The data of one card of a board.
#include "ui/learn/cards/card_content.h"

#include "core/lab/cover.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "core/statistics.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace attnlab::ui {

struct CardContents::Source {
    lab::Card card;
    std::size_t index = 0; ///< of the setting
    const lab::SceneSetting* setting = nullptr;
    const Trace* trace = nullptr; ///< null: see `error`
    QString error;
    const Stage* stage = nullptr; ///< of the matrix
    int batch = 0;
    int head = 0; ///< or ViewState::mean_of_heads

    /// Marks the covered cells of `matrix`, which is `of` for this card.
    void cover(MatrixData& matrix, const Stage& of, const std::vector<lab::HiddenPart>& hidden) const {
        const auto marks = lab::hidden_cells(*trace, of, setting->id, hidden);
        if (!marks)
            return;
        Stage marked = of;
        marked.value = *marks;
        const auto slice = sliceOf(*trace, marked, batch, head);
        const auto view = slice->view();
        matrix.hidden = Tensor({view.rows, view.columns}, 0.0, DType::Bool);
        auto cells = matrix.hidden.mutable_values();
        for (std::int64_t k = 0; k < view.rows * view.columns; ++k)
            cells[static_cast<std::size_t>(k)] = view.data[k] != 0.0 ? 1.0 : 0.0;
    }

    /// As in core: nullopt for all heads.
    std::optional<std::int64_t> headNumber() const {
        return head < 0 ? std::nullopt : std::optional<std::int64_t>(head);
    }
};

/// Leaves the room to the cells: titles of rows and columns are given elsewhere. Tokens keep their names, of which
/// texts of lessons speak.
inline MatrixData untitledMatrix(MatrixData matrix) {
    matrix.literal_labels = true;
    matrix.row_title.clear();
    matrix.column_title.clear();
    return matrix;
}

CardContents::CardContents(const lab::Scene& scene, const lab::BoardSpec& view, const lab::SceneResult& result,
                           const std::vector<SettingLeak>& leaks)
    : scene_(scene), view_(view), result_(result), leaks_(leaks) {}

QStringList CardContents::sharingTitles(const lab::Scene& scene) {
    QStringList titles;
    for (const auto& setting : scene.settings) {
        switch (setting.sharing) {
        case lab::CacheSharing::MultiHead:
            titles << tr("Multi-head");
            break;
        case lab::CacheSharing::Grouped:
            titles << tr("Grouped-query, %n groups", nullptr, static_cast<int>(scene.cache->groups));
            break;
        case lab::CacheSharing::MultiQuery:
            titles << tr("Multi-query");
            break;
        case lab::CacheSharing::Latent:
            titles << tr("Latent (MLA)");
            break;
        }
    }
    return titles;
}

QStringList CardContents::settingTitles(const lab::Scene& scene) {
    std::set<std::size_t> all;
    for (std::size_t k = 0; k < scene.settings.size(); ++k)
        all.insert(k);
    return settingTitles(scene, all);
}

QStringList CardContents::settingTitles(const lab::Scene& scene, const std::set<std::size_t>& shown) {
    if (scene.cache)
        return sharingTitles(scene);
    if (shown.empty())
        return {};
    const auto& first = scene.settings[*shown.begin()];
    const auto differ = [&](const auto& part) {
        return std::ranges::any_of(shown, [&](std::size_t k) { return part(scene.settings[k]) != part(first); });
    };
    const auto rate = [&](const lab::SceneSetting& setting) {
        return setting.rate.value_or(scene.training ? scene.training->rate : 0.0);
    };
    const bool precisions = differ(std::mem_fn(&lab::SceneSetting::precision)), rates = differ(rate);
    const bool texts = differ([&](const auto& setting) { return lab::query_tokens_of(scene, setting); });
    // A precision and a rounding are both a format of numbers, so where both differ one name says it.
    const bool formats = precisions && differ([](const auto& setting) { return setting.spec.rounding; });
    std::vector<AttentionSpec> specs;
    for (const auto k : shown) {
        specs.push_back(scene.settings[k].spec);
        if (formats)
            specs.back().rounding.reset();
    }
    const auto words_of = [&](std::size_t k) { return textsOf(lab::query_tokens_of(scene, scene.settings[k])); };
    constexpr qsizetype most_letters = 24;
    const bool long_texts = texts && std::ranges::any_of(shown, [&](std::size_t k) {
                                return words_of(k).join(QLatin1Char(' ')).size() > most_letters;
                            });
    /// The words of a setting; of long texts those that are not the same in all of them.
    const auto text_of = [&](std::size_t k) {
        const QStringList words = words_of(k);
        if (!long_texts)
            return words.join(QLatin1Char(' '));
        QStringList own;
        for (qsizetype place = 0; place < words.size(); ++place)
            if (std::ranges::any_of(shown, [&](std::size_t other) {
                    const QStringList others = words_of(other);
                    return place >= others.size() || others[place] != words[place];
                }))
                own << words[place];
        return own.isEmpty() ? words.join(QLatin1Char(' ')) : own.join(QStringLiteral(", "));
    };
    const QStringList choices = SettingWords::ofEach(specs, scene.query_tokens);
    const bool choices_differ = choices.count(choices.front()) != choices.size();
    QStringList titles(static_cast<qsizetype>(scene.settings.size()));
    for (qsizetype place = 0; const auto k : shown) {
        const auto& setting = scene.settings[k];
        QStringList parts;
        if (texts)
            parts << text_of(k);
        if (const auto& own = choices[place++]; choices_differ || !(texts || precisions || rates))
            parts << own;
        if (formats && setting.spec.rounding)
            parts << RoundingWords::of(setting.spec.rounding);
        else if (precisions)
            parts << (setting.precision == lab::Precision::Float32 ? QStringLiteral("float32")
                                                                   : QStringLiteral("float64"));
        if (rates)
            parts << QStringLiteral("η = ") + exactText(rate(setting));
        titles[static_cast<qsizetype>(k)] = parts.join(QStringLiteral(" · "));
    }
    return titles;
}

QString CardContents::distributionTitle(lab::Distribution distribution) {
    switch (distribution) {
    case lab::Distribution::Uniform:
        return tr("uniform");
    case lab::Distribution::Sparse:
        return tr("sparse");
    case lab::Distribution::Correlated:
        return tr("correlated");
    case lab::Distribution::Normal:
        break;
    }
    return tr("normal");
}

QString CardContents::ofDraw(const lab::Scene& scene) {
    if (!scene.draw)
        return {};
    return tr("d = %1, %n keys, entries %2", nullptr, static_cast<int>(scene.draw->S))
        .arg(scene.draw->E)
        .arg(distributionTitle(scene.draw->distribution));
}

QString CardContents::measureTitle(lab::CurveMeasure measure) {
    switch (measure) {
    case lab::CurveMeasure::EffectiveKeys:
        return tr("effective keys");
    case lab::CurveMeasure::MaxWeight:
        return tr("largest weight of a row, on average");
    case lab::CurveMeasure::JacobianNorm:
        return tr("slope of softmax ‖∂a/∂s‖");
    case lab::CurveMeasure::Variance:
        return tr("variance of the scaled scores");
    case lab::CurveMeasure::MedianGradient:
        return tr("median gradient ‖∂a/∂(q·k)‖");
    case lab::CurveMeasure::Loss:
        return tr("loss");
    case lab::CurveMeasure::Entropy:
        break;
    }
    return tr("entropy");
}

namespace {

/// In masked scores the number of a blocked cell is the point: −1e9 or −∞.
MatrixData withFill(MatrixData matrix, const Stage& stage) {
    matrix.shows_leaks = matrix.shows_leaks || stage.name == "masked";
    return matrix;
}

} // namespace

std::vector<CardContents::Source> CardContents::sources() const {
    std::vector<Source> sources;
    for (auto& card : lab::cards_of(view_, scene_)) {
        const auto setting = std::ranges::find(scene_.settings, card.setting, &lab::SceneSetting::id);
        if (setting == scene_.settings.end())
            continue; // the scene is being replaced
        Source source;
        source.card = std::move(card);
        source.index = static_cast<std::size_t>(setting - scene_.settings.begin());
        source.setting = &*setting;
        source.batch = static_cast<int>(source.card.batch);
        const auto& result = result_.settings.at(source.index);
        if (result.error) {
            source.error = translated(*result.error);
        } else {
            source.trace = &result.trace;
            source.stage = result.trace.find(source.card.stage);
            source.head = source.card.head ? headWithin(result.trace, static_cast<int>(*source.card.head)) : -1;
            if (!source.stage)
                source.error = tr("There is no stage %1 here.").arg(QString::fromStdString(source.card.stage));
        }
        sources.push_back(std::move(source));
    }
    return sources;
}

/// Masked scores of which no cell is blocked.
bool CardContents::addsBiasAlone(const Source& source) {
    const Stage* blocked = source.trace->find("blocked");
    return source.card.stage == "masked" &&
           (!blocked || std::ranges::all_of(blocked->value.values(), [](double cell) { return cell == 0.0; }));
}

void CardContents::addTitles(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    // The exact weights beside an approximation depend on none of its parameters.
    const auto is_exact = [](const Source& source) { return source.card.stage.starts_with("exact_"); };
    std::set<std::size_t> shown;
    for (const auto& source : sources)
        if (!is_exact(source))
            shown.insert(source.index);
    const QStringList of_settings = settingTitles(scene_, shown);
    const auto several = [&](const auto& part) {
        return std::ranges::any_of(sources,
                                   [&](const Source& source) { return part(source) != part(sources.front()); });
    };
    // Settings that differ only in their inputs are distinguished by their texts.
    const bool settings = std::ranges::any_of(shown, [&](std::size_t k) {
        return of_settings.value(static_cast<qsizetype>(k)) !=
               of_settings.value(static_cast<qsizetype>(*shown.begin()));
    });
    const bool slices = several([](const Source& source) { return std::pair(source.card.stage, source.head); });
    const auto colors = settingColors(scene_);
    for (std::size_t k = 0; k < cards.size(); ++k) {
        const Source& source = sources[k];
        cards[k].stage = !source.trace || !source.stage ? stageWordsInPass(source.card.stage)
                         : addsBiasAlone(source)        ? tr("scores with the bias")
                                                 : stageTitle(*source.trace, *source.stage, source.batch, source.head);
        cards[k].stage_kind = stageWords(source.card.stage.ends_with("weights") ? "weights" : source.card.stage);
        QStringList parts;
        const bool named = settings && !is_exact(source);
        if (named)
            parts << of_settings.value(static_cast<qsizetype>(source.index));
        if (slices || !named) {
            parts << cards[k].stage;
            cards[k].role = roleOf(source.card.stage);
        }
        cards[k].title = parts.join(QStringLiteral(" · "));
        cards[k].color = colors[source.index];
    }
}

void CardContents::addMatrices(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    // For each stage, over all cards. Weights that should be equal are compared on one scale.
    std::map<std::string, ValueRange> ranges;
    const auto kind_of = [](const Source& source, const ValueRange& own) {
        const bool weights = source.stage->name.ends_with("weights") && own.low >= 0.0;
        return weights ? std::string("weights") : source.stage->name;
    };
    for (const auto& source : sources) {
        if (!source.stage)
            continue;
        const ValueRange own = rangeOf(*source.trace, *source.stage, source.batch);
        auto& range = ranges[kind_of(source, own)];
        if (!own.empty)
            for (const double end : {own.low, own.high, own.smallest_positive > 0.0 ? own.smallest_positive : own.high})
                range.include(end);
    }
    for (std::size_t k = 0; k < cards.size(); ++k) {
        const Source& source = sources[k];
        cards[k].error = source.error;
        cards[k].scale = colorScale({}, {}, false);
        if (!source.stage)
            continue;
        if (auto matrix = sliceOf(*source.trace, *source.stage, source.batch, source.head)) {
            cards[k].matrix = withFill(untitledMatrix(std::move(*matrix)), *source.stage);
            source.cover(*cards[k].matrix, *source.stage, view_.hidden);
        } else
            cards[k].error = tr("%1 is empty").arg(cards[k].stage);
        const ValueRange& shared = ranges[kind_of(source, rangeOf(*source.trace, *source.stage, source.batch))];
        cards[k].scale = view_.shared_colors ? colorScale({}, shared, shared.low < 0.0)
                                             : scaleFor(*source.trace, *source.stage, source.batch, {});
    }
}

/// The scores before the masks, shown before the cards.
std::optional<CardContent> CardContents::sharedScores(const std::vector<Source>& sources) const {
    for (const auto& source : sources) {
        const Stage* scaled = source.trace ? source.trace->find("scaled") : nullptr;
        auto matrix = scaled ? sliceOf(*source.trace, *scaled, source.batch, source.head) : std::nullopt;
        if (!matrix)
            continue;
        CardContent card;
        card.title = tr("scores before the mask");
        card.stage = stageTitle(*source.trace, *scaled, source.batch, source.head);
        card.matrix = untitledMatrix(std::move(*matrix));
        source.cover(*card.matrix, *scaled, view_.hidden);
        card.scale = scaleFor(*source.trace, *scaled, source.batch, {});
        return card;
    }
    return std::nullopt;
}

bool CardContents::hides(const Source& source, std::string_view stage) const {
    return source.trace && lab::hides_stage(*source.trace, stage, source.setting->id, view_.hidden);
}

/// Parts that show what is covered have no use without it. The mask added to the scores shows which weights are 0; it
/// is open where the masked scores are.
bool CardContents::covers(lab::BoardPart part, const Source& source) const {
    const bool shows_masked = source.card.stage == "masked";
    return (part == lab::BoardPart::Rows && hides(source, "weights")) ||
           (part == lab::BoardPart::Additive &&
            (hides(source, "masked") || (hides(source, "weights") && !shows_masked)));
}

std::vector<CardContent> CardContents::make() const {
    const auto from = sources();
    std::vector<CardContent> cards;
    for (const auto& source : from) {
        CardContent card;
        card.id = QString::fromStdString(source.card.id);
        card.setting = QString::fromStdString(source.card.setting);
        cards.push_back(std::move(card));
    }
    if (cards.empty())
        return cards;
    addTitles(cards, from);
    addMatrices(cards, from);
    if (view_.shows(lab::BoardPart::Histogram))
        addHistograms(cards, from);
    const auto add = [&](lab::BoardPart part, PartPtr (CardContents::*make_part)(const Source&) const) {
        for (std::size_t k = 0; view_.shows(part) && k < cards.size(); ++k)
            if (from[k].trace && !covers(part, from[k]))
                if (auto made = (this->*make_part)(from[k]))
                    cards[k].below.push_back(std::move(made));
    };
    add(lab::BoardPart::Numbers, &CardContents::numbersOf);
    if (view_.shows(lab::BoardPart::Leak))
        addLeaks(cards, from);
    add(lab::BoardPart::Additive, &CardContents::additiveOf);
    add(lab::BoardPart::Rows, &CardContents::rowsOf);
    if (view_.shows(lab::BoardPart::Output))
        addOutputs(cards, from);
    add(lab::BoardPart::Measures, &CardContents::measuresOf);
    if (view_.shows(lab::BoardPart::Scores))
        if (auto scores = sharedScores(from))
            cards.insert(cards.begin(), std::move(*scores));
    return cards;
}

// The parts of a card.

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

/// Empty where a card has none.
std::vector<std::span<const double>> CardContents::scoresOf(const std::vector<Source>& sources) const {
    std::vector<std::span<const double>> sets(sources.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
        const Source& source = sources[k];
        const Stage* scaled = source.trace ? source.trace->find("scaled") : nullptr;
        if (scaled && scaled->value.rank() == 4 && !hides(source, "scaled"))
            sets[k] = lab::cells_of(*scaled, source.batch, source.headNumber());
    }
    return sets;
}

lab::HistogramAxis CardContents::scoreAxis() const {
    const auto [low, high] = lab::common_range(scoresOf(sources()));
    return {low, high};
}

void CardContents::addHistograms(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    constexpr std::size_t bins = 41; // odd: one of them stands around 0
    const auto sets = scoresOf(sources);
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
    const bool no_scores = hides(source, "scaled"), no_weights = hides(source, "weights");
    const auto add = [&](const char* id, const QString& name, std::optional<double> value, const QString& help) {
        const bool of_scores = std::string_view(id) == "variance" || std::string_view(id) == "theory";
        part->entries.push_back({name,
                                 (of_scores ? no_scores : no_weights) ? QStringLiteral("?")
                                 : value                              ? printedNumber(significantText(*value))
                                                                      : QStringLiteral("–"),
                                 help, QString::fromLatin1(id)});
    };
    // NaN in the weights themselves is shown as such.
    const auto add_of_shares = [&](const char* id, const QString& name, double value, const QString& help) {
        const bool none = std::isnan(value) && !std::isnan(numbers.rows.max_weight);
        add(id, name, none ? std::nullopt : std::optional(value),
            none ? help + QLatin1Char('\n') + tr("None here: a row does not sum to 1.") : help);
    };
    add("variance", tr("variance"), numbers.variance, tr("Of the scaled scores."));
    add("theory", tr("expected"), numbers.theory,
        tr("The variance expected for independent entries of mean 0 and variance 1."));
    add_of_shares("entropy", tr("entropy"), numbers.rows.entropy, tr("−Σ a log a of a row in nats; mean of the rows."));
    add_of_shares("effective_keys", tr("eff. keys"), numbers.rows.effective_keys,
                  tr("exp(entropy): as many keys with equal weights would have this entropy; mean of the rows."));
    add("max_weight", tr("mean max weight"), numbers.rows.max_weight,
        tr("The largest weight of a row, on average over the rows."));
    add_of_shares(
        "jacobian_norm", tr("mean ‖∂a/∂s‖"), numbers.rows.jacobian_norm,
        tr("How much the weights follow the scores, that is, how much gradient softmax lets through; mean of the "
           "rows."));
    if (numbers.median_gradient)
        add("median_gradient", tr("median ‖∂a/∂(q·k)‖"), numbers.median_gradient,
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
    part->bars.heading = tr("entropy of each row");
    part->bars.number_headings = {QString(), tr("eff. keys")};
    const auto view = matrix->view();
    part->bars.high = std::max(1e-9, std::log(static_cast<double>(view.columns)));
    std::vector<BarsDrawing::Row> rows;
    double entropy = 0.0, keys = 0.0;
    int counted = 0, no_shares = 0;
    for (std::int64_t i = 0; i < view.rows; ++i) {
        BarsDrawing::Row row{.name = matrix->rowLabel(i)};
        if (isEmptyRow(view.row(i))) {
            row.numbers = {QStringLiteral("–"), QStringLiteral("0")};
            row.help = tr("%1: every weight is 0").arg(row.name);
        } else if (!are_shares(view.row(i)) &&
                   !std::ranges::any_of(view.row(i), [](double a) { return std::isnan(a); })) {
            row.numbers = {QStringLiteral("–"), QStringLiteral("–")};
            row.help = tr("%1: the weights do not sum to 1, so they have no entropy").arg(row.name);
            ++no_shares;
        } else {
            const auto numbers = row_statistics(view.row(i));
            row.value = numbers.entropy;
            row.numbers = {numberText(numbers.entropy, 3), numberText(numbers.effective_keys, 3)};
            row.help = tr("%1: entropy %2 nats, effective keys %3")
                           .arg(row.name, exactText(numbers.entropy), exactText(numbers.effective_keys));
            entropy += numbers.entropy;
            keys += numbers.effective_keys;
            ++counted;
        }
        rows.push_back(std::move(row));
    }
    part->setRows(std::move(rows));
    if (counted > 0)
        part->footer = tr("Mean: entropy %1, effective keys %2")
                           .arg(numberText(entropy / counted, 3), numberText(keys / counted, 3));
    if (no_shares > 0)
        part->footer = QStringList{part->footer, tr("Rows that do not sum to 1, so without entropy: %1").arg(no_shares)}
                           .join(QLatin1Char('\n'))
                           .trimmed();
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
        source.cover(part->matrix, *output, view_.hidden);
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
        const bool covered = lab::hides_measure(*source.trace, measure, source.setting->id, view_.hidden);
        const QString own = covered ? QStringLiteral("?") : amountText(measure.value, measure.unit);
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
        for (const double moved : leak.effect.moved)
            if (std::isfinite(moved))
                longest = std::max(longest, moved);
    for (std::size_t k = 0; k < sources.size(); ++k)
        if (sources[k].trace && sources[k].index < leaks_.size() && !hides(sources[k], "output"))
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

QString CardContents::ownWords(const lab::TokenEffect& effect, const QString& token) {
    if (!effect.own || effect.moved[static_cast<std::size_t>(*effect.own)] == 0.0)
        return {};
    if (!effect.own_by_reading)
        return tr("Output %1 may move by its own query alone.").arg(token);
    return *effect.own_by_reading == 0.0 ? tr("Output %1 moves by its own query alone.").arg(token)
                                         : tr("Frame: with the new query of %1.").arg(token);
}

PartPtr CardContents::leakOf(const Source& source, double longest) const {
    const SettingLeak& leak = leaks_[source.index];
    const auto& effect = leak.effect;
    const Trace& trace = *source.trace;
    const QStringList rows = textsOf(trace.query_tokens);
    const QStringList tokens = trace.key_tokens.empty() ? rows : textsOf(trace.key_tokens);
    const Stage* blocked = trace.find("blocked");
    const Stage* weights = trace.find("weights");
    const std::int64_t count = weights ? weights->value.dim(-1) : std::ssize(effect.moved);
    const std::int64_t token = view_.token < 0 ? view_.token + count : view_.token;
    auto part = std::make_shared<RowsPart>();
    part->bars.heading = tr("moves when %1 is edited").arg(nameOf(tokens, token));
    part->bars.number_headings = {QString()};
    part->bars.high = longest;
    part->bars.marked = static_cast<int>(token);
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
    QStringList moving, leaking;
    std::vector<BarsDrawing::Row> bars;
    for (std::int64_t row = 0; row < std::ssize(effect.moved); ++row) {
        const double moved = effect.moved[static_cast<std::size_t>(row)];
        const bool is_own = row == effect.own;
        // The own query may move it, too; only what it reads is a leak.
        const double by_reading = is_own ? effect.own_by_reading.value_or(0.0) : moved;
        const bool wrong = by_reading > 0.0 && is_blocked(row);
        const QString name = nameOf(rows, row);
        if (moved > 0.0)
            (wrong ? leaking : moving) << name;
        BarsDrawing::Row bar{.name = row < rows.size() ? rows[row] : QString::number(row),
                             .value = std::isfinite(moved) ? moved : longest,
                             .numbers = {significantText(moved)},
                             .wrong = wrong,
                             .help = moved > 0.0 ? tr("Output %1 moves by %2").arg(name, exactText(moved))
                                                 : tr("Output %1 stays exactly as it was").arg(name)};
        if (is_own && effect.own_by_reading) {
            bar.reference = bar.value;
            bar.value = std::isfinite(by_reading) ? by_reading : longest;
            bar.help +=
                QLatin1Char('\n') + tr("With its own query as it was it moves by %1").arg(exactText(by_reading));
        }
        bars.push_back(std::move(bar));
    }
    part->setRows(std::move(bars));
    if (leak.error.isEmpty()) {
        const QString name = nameOf(tokens, token);
        part->footer = QStringList{leakWords(name, moving, leaking, effect.moved.size()), ownWords(effect, name)}
                           .join(QLatin1Char(' '))
                           .trimmed();
    }
    part->footer_is_wrong = !leak.error.isEmpty() || !leaking.isEmpty();
    return part;
}

namespace {

struct ScaleColor {
    std::string_view scale;
    int color; ///< of seriesColor()
};

/// Scales that are not here have the first free colour.
constexpr ScaleColor scale_colors[] = {{"none", 0},        {"sqrt_dk", 1},  {"dk", 2},         {"cbrt_dk", 3},
                                       {"temperature", 4}, {"pre_norm", 5}, {"score_norm", 6}, {"long_sequence", 7}};

std::string scaleOf(const AttentionSpec& spec) {
    try {
        return effective_scale(spec).id;
    } catch (const Error&) {
        return spec.scale.id;
    }
}

} // namespace

std::vector<int> settingColors(const lab::Scene& scene) {
    std::vector<int> colors(scene.settings.size(), -1);
    const auto is_free = [&](int color) { return std::ranges::find(colors, color) == colors.end(); };
    for (std::size_t k = 0; k < colors.size(); ++k) {
        const auto own = std::ranges::find(scale_colors, scaleOf(scene.settings[k].spec), &ScaleColor::scale);
        if (own != std::end(scale_colors) && is_free(own->color))
            colors[k] = own->color;
    }
    // Rather the colours of scales that are seldom compared than those of others in a lesson. Violet, magenta and
    // green come late: they are close to those of queries, values and keys.
    constexpr int order[] = {5, 7, 2, 4, 6, 3, 1, 0};
    for (int& color : colors)
        for (std::size_t next = 0; color < 0; ++next)
            if (const int one = next < std::size(order) ? order[next] : static_cast<int>(next); is_free(one))
                color = one;
    return colors;
}

} // namespace attnlab::ui
