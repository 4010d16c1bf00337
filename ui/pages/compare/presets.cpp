#include "ui/pages/compare/presets.h"

#include "core/compare.h"
#include "core/input_seed.h"
#include "core/variants.h"
#include "ui/document/document.h"

#include <QCoreApplication>

#include <array>

namespace attnlab::ui {
namespace {

struct PresetWords {
    Preset preset;
    const char* title;
    const char* help;
};

constexpr std::array preset_words = {
    PresetWords{Preset::WithoutScale, QT_TRANSLATE_NOOP("Presets", "Without scale"),
                QT_TRANSLATE_NOOP("Presets", "B is as A, but its scores are not scaled.")},
    PresetWords{Preset::WithoutMasks, QT_TRANSLATE_NOOP("Presets", "Without mask"),
                QT_TRANSLATE_NOOP("Presets", "B is as A, but every query reads every key.")},
    PresetWords{
        Preset::ExactAttention, QT_TRANSLATE_NOOP("Presets", "Exact attention"),
        QT_TRANSLATE_NOOP("Presets", "B is scaled dot-product attention of the same queries, keys and values.")},
    PresetWords{Preset::Swap, QT_TRANSLATE_NOOP("Presets", "Swap A and B"),
                QT_TRANSLATE_NOOP("Presets", "B becomes what the window shows, A what it is compared with.")},
    PresetWords{
        Preset::CopyOfA, QT_TRANSLATE_NOOP("Presets", "Copy A to B"),
        QT_TRANSLATE_NOOP("Presets", "Both settings become the same: change one of them and see what it does.")},
    PresetWords{Preset::Stop, QT_TRANSLATE_NOOP("Presets", "Stop comparing"),
                QT_TRANSLATE_NOOP("Presets", "Forgets setting B.")},
};

const PresetWords& wordsOf(Preset preset) { return preset_words[static_cast<std::size_t>(preset)]; }

/// The new setting B; nullopt if it is not possible.
std::optional<AttentionSpec> otherSetting(const AttentionSpec& spec, Preset preset) {
    switch (preset) {
    case Preset::WithoutScale:
        return without_scale(spec);
    case Preset::WithoutMasks:
        return spec.masks.empty() ? std::nullopt : std::optional(without_masks(spec));
    case Preset::ExactAttention:
        return exact_counterpart(spec);
    default:
        return spec;
    }
}

bool isPossible(const AttentionSpec& spec) {
    try {
        check_spec(spec);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::span<const Preset> presets() {
    static const std::array all = [] {
        std::array<Preset, preset_words.size()> result{};
        for (std::size_t i = 0; i < preset_words.size(); ++i)
            result[i] = preset_words[i].preset;
        return result;
    }();
    return all;
}

QString titleOf(Preset preset) { return QCoreApplication::translate("Presets", wordsOf(preset).title); }
QString helpOf(Preset preset) { return QCoreApplication::translate("Presets", wordsOf(preset).help); }

std::optional<AttentionProblem> withPreset(const AttentionProblem& problem, Preset preset) {
    auto next = problem;
    if (preset == Preset::Stop) {
        next.compared_with.reset();
    } else if (preset == Preset::Swap) {
        // Keeps a setting that cannot be computed from becoming the window's.
        if (!next.compared_with || !isPossible(*next.compared_with))
            return std::nullopt;
        std::swap(next.spec, *next.compared_with);
    } else {
        next.compared_with = otherSetting(problem.spec, preset);
        if (!next.compared_with)
            return std::nullopt;
        complete_compared_inputs(next, input_seed);
    }
    return next == problem ? std::nullopt : std::optional(std::move(next));
}

void applyPreset(Document& document, Preset preset) {
    if (auto next = withPreset(document.problem(), preset))
        document.edit(titleOf(preset), std::move(*next));
}

void startComparing(Document& document) {
    const AttentionProblem& problem = document.problem();
    if (problem.compared_with)
        return;
    auto next = problem;
    next.compared_with = without_scale(problem.spec);
    try {
        if (effective_scale(problem.spec).id == next.compared_with->scale.id)
            next.compared_with = without_masks(problem.spec);
    } catch (const Error&) {
        next.compared_with = problem.spec;
    }
    document.editLightly(QCoreApplication::translate("Presets", "Compare settings"), std::move(next));
}

} // namespace attnlab::ui
