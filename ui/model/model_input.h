// From what the user typed or chose to what a model takes, and what its tokens are called.
#pragma once

#include "core/model/model_results.h"
#include "ui/model/model_result.h"

#include <filesystem>
#include <optional>
#include <QImage>
#include <QString>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::ui {

struct ModelInput {
    model::Input input;
    TextSize size;
    QImage picture; ///< as the model sees it, if it reads one
    PatchPlace patches;
    std::vector<Message> sound_notes;
};

/// Throws Error for ids that are no numbers, for a file that is no image or no sound, and as the tokenizer; Cancelled.
ModelInput inputOf(const model::Model& opened, const std::filesystem::path& folder, const ModelRequest& request,
                   const RunControl& control);

/// The labels of positions. Throws Cancelled.
struct ModelLabels {
    std::vector<std::string> encoder, decoder;
};
ModelLabels labelsOf(const model::Model& opened, const model::Input& input, const RunControl& control);

/// What a token is called that is a part of a letter, by its bytes: "0xE4BB". nullopt: it is none. `spelled` is its
/// spelling in the vocabulary.
std::optional<std::string> nameOfBytes(std::string_view spelled);
/// The text of an outcome as a reader sees it: bytes where it is a part of a letter, or nothing that is seen.
QString textOfOutcome(const std::string& label, const std::string& spelled);

} // namespace attnlab::ui
