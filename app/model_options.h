// Options for the input of a model: a text, ids, an image or a sound.
#pragma once

#include "app/command_parser.h"
#include "core/model/model.h"
#include "core/model/one_head.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attnlab::app {

/// The path that an argument means: "sample" is the model shipped with the program, unless something here is called so.
std::filesystem::path modelPath(const QString& argument);

struct ModelInput {
    model::Input input;
    std::vector<tokens::Token> tokens;  ///< of input.ids
    std::vector<tokens::Token> targets; ///< of input.decoder_ids
    std::int64_t unknown = 0;           ///< of `tokens`: see model::unknown_tokens
    std::vector<Message> notes;         ///< of what is not read as it is given
    /// The same as a reader sees them: "ĠMary" is " Mary". Of a sound the times of its frames.
    std::vector<std::string> labels, target_labels;
};
/// Takes in tokens that were written behind the input; see model::write_on.
void addWritten(ModelInput& input, const model::Model& model, const model::Input& longer);
/// The labels of a pass with this name.
model::PassTokens tokensOf(const ModelInput& input, const std::string& pass);

/// --text, --text-file, --ids, --image, --sound, --pair and --target.
void addModelInputOptions(CommandParser& parser);
/// Throws UsageError for options that contradict each other, or none.
void checkModelInput(const QCommandLineParser& parser);
/// The files of these options: no output may replace them.
QStringList modelInputFiles(const QCommandLineParser& parser);
/// --ablate: PASS:HEAD, each. Throws UsageError.
QString ablateHelp();
std::vector<model::Ablation> readAblations(const QCommandLineParser& parser, model::Ablation::By by);
/// --model, the options of its input and --ablate: a pass of a model in place of files with arrays.
void addModelOptions(CommandParser& parser);
/// Throws UsageError for options of a model's input without --model.
void checkModelIsGiven(const QCommandLineParser& parser);
/// All heads of the pass, with the model's scale and masks. Throws UsageError, Error.
AttentionProblem readModelProblem(const QCommandLineParser& parser);
/// Throws Error.
ModelInput readModelInput(const QCommandLineParser& parser, const model::Model& model,
                          const std::filesystem::path& folder);

} // namespace attnlab::app
