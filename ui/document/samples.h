// The samples and models shipped with the program.
#pragma once

#include "core/attention.h"

#include <filesystem>
#include <optional>
#include <QString>
#include <span>
#include <string>

namespace attnlab::ui {

/// Of the gallery.
enum class SampleGroup { Start, Masks, Faster, Models };

struct Sample {
    SampleGroup group;
    const char* id;                         ///< resources/samples/<id>.npz
    const char* title;                      ///< translated in context "Samples"
    const char* help;                       ///< one sentence: what to look at
    bool to_edit = false;                   ///< opened with its inputs, for the user's own numbers
    std::optional<int> head = std::nullopt; ///< that `help` is about; nullopt: about all

    QString displayTitle() const;
    QString displayHelp() const;
    /// `view_json` receives the saved view (io::read_workspace).
    AttentionProblem read(std::string* view_json) const;
};

std::span<const Sample> samples();

// The models shipped with the program.

/// The folder of the program's models (resources/models), in the build tree or where the program is installed.
std::filesystem::path modelsFolder();
/// The folder of the sample model; empty where it is missing.
std::filesystem::path sampleModelFolder();
/// What a window calls the model in this folder or file: the name of that, or "sample model".
QString modelName(const QString& path);
/// What the sample model was trained for: the name that is still to be said.
inline constexpr const char* sample_model_text = "When Mary and John went to the store, John gave a drink to";

} // namespace attnlab::ui
