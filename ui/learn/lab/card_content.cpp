#include "ui/learn/lab/card_content.h"

#include "ui/learn/lab/card_source.h"
#include "ui/learn/lab/setting_color.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_colors.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/setting_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace attnlab::ui {

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
    if (scene.cache)
        return sharingTitles(scene);
    std::vector<AttentionSpec> specs;
    std::set<lab::Precision> precisions;
    for (const auto& setting : scene.settings) {
        specs.push_back(setting.spec);
        precisions.insert(setting.precision);
    }
    QStringList titles = specs.empty() ? QStringList() : SettingWords::ofEach(specs);
    if (precisions.size() > 1)
        for (qsizetype k = 0; k < titles.size(); ++k)
            titles[k] += QStringLiteral(" · ") +
                         (scene.settings[static_cast<std::size_t>(k)].precision == lab::Precision::Float32
                              ? QStringLiteral("float32")
                              : QStringLiteral("float64"));
    const auto rate = [&](const lab::SceneSetting& setting) {
        return setting.rate.value_or(scene.training ? scene.training->rate : 0.0);
    };
    const bool rates =
        std::ranges::any_of(scene.settings, [&](const auto& one) { return rate(one) != rate(scene.settings.front()); });
    for (qsizetype k = 0; rates && k < titles.size(); ++k)
        titles[k] += QStringLiteral(" · η = ") + exactText(rate(scene.settings[static_cast<std::size_t>(k)]));
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
        return tr("gradient of the median row ‖∂a/∂(q·k)‖");
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

void CardContents::addTitles(std::vector<CardContent>& cards, const std::vector<Source>& sources) const {
    const QStringList of_settings = settingTitles(scene_);
    const auto several = [&](const auto& part) {
        return std::ranges::any_of(sources,
                                   [&](const Source& source) { return part(source) != part(sources.front()); });
    };
    // Settings that differ only in their inputs are distinguished by their texts.
    const bool settings =
        several([&](const Source& source) { return of_settings.value(static_cast<qsizetype>(source.index)); });
    const bool slices = several([](const Source& source) { return std::pair(source.card.stage, source.head); });
    const auto colors = settingColors(scene_);
    for (std::size_t k = 0; k < cards.size(); ++k) {
        const Source& source = sources[k];
        cards[k].stage = source.trace && source.stage
                             ? stageTitle(*source.trace, *source.stage, source.batch, source.head)
                             : stageWordsInPass(source.card.stage);
        cards[k].stage_kind = stageWords(source.card.stage.ends_with("weights") ? "weights" : source.card.stage);
        QStringList parts;
        if (settings)
            parts << of_settings.value(static_cast<qsizetype>(source.index));
        if (slices || !settings)
            parts << cards[k].stage;
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
        if (auto matrix = sliceOf(*source.trace, *source.stage, source.batch, source.head))
            cards[k].matrix = withFill(untitledMatrix(std::move(*matrix)), *source.stage);
        else
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
        card.scale = scaleFor(*source.trace, *scaled, source.batch, {});
        return card;
    }
    return std::nullopt;
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
            if (from[k].trace)
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

} // namespace attnlab::ui
