// What `attnlab model` prints, and `attnlab info` of a model.
#pragma once

#include "app/effects_report.h"
#include "app/model_options.h"
#include "core/model/generation.h"
#include "core/model/pass_figures.h"

namespace attnlab::app {

/// --continue: how the input was written on.
struct WrittenReport {
    double temperature = 0.0; ///< 0: the likeliest token each time
    std::uint64_t seed = 0;
    model::Written written = {};
    std::string text = {}; ///< what was written
};
/// --align: the source token that each token of the decoder was written by.
struct AlignmentReport {
    std::string pass = {};
    std::optional<std::int64_t> head = {}; ///< nullopt: the mean over all
    std::vector<model::BestKey> best = {}; ///< by row of the decoder: row i writes token i + 1
};
/// Throws UsageError where the model has no such cross-attention.
std::optional<AlignmentReport> readAlignment(const QCommandLineParser& parser, const model::Result& result);
void addAlignment(const AlignmentReport& report, const ModelInput& input, QJsonObject& all);
void printAlignment(const AlignmentReport& report, const ModelInput& input);

/// Adds "written".
void addWritten(const WrittenReport& report, const model::Model& model, QJsonObject& all);
void printWritten(const WrittenReport& report, const model::Model& model);

/// What was asked for beside the heads; null: it was not.
struct ModelReports {
    const WrittenReport* written = nullptr;
    const EffectsReport* effects = nullptr;
    const LensReport* lens = nullptr;
    const WordsReport* words = nullptr;
    const AlignmentReport* alignment = nullptr;
};
/// Tokens, the likeliest next ones, the figures of every head, and the reports.
void printModelJson(const model::Model& model, const ModelInput& input, const model::Result& result,
                    const ModelReports& reports);
/// Architecture, sizes, tokens, the likeliest next ones, and the heads with the highest figure of each kind.
void printModelSummary(const model::Model& model, const ModelInput& input, const model::Result& result);
/// Architecture, sizes, and every setting and tensor that is not read, with the reason where it is known.
void printModelInfo(const model::Model& model, bool as_json);

} // namespace attnlab::app
