// From the file of a sound to what a model takes, and from what it gives to text.
#pragma once

#include "core/model/config.h"
#include "core/model/model.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::model {

/// The mean of all channels.
struct Samples {
    std::vector<float> values = {};
    std::int64_t rate = 0;     ///< samples a second
    std::int64_t channels = 1; ///< of the file
    std::int64_t count = 0;    ///< that the file has; `values` may be its beginning

    double seconds() const { return static_cast<double>(count) / static_cast<double>(rate); }
};

/// Reads a file of libsndfile (WAV, FLAC, OGG, MP3 and others), at most `most` samples of each channel; 0: all of them.
/// Throws Error for a file that is no sound, is empty or was cut, has samples that are not finite, or takes too much
/// memory; Cancelled.
Samples read_sound(const std::filesystem::path& file, std::int64_t most = 0, const RunControl& control = {});

/// Takes rate, windows and standardization from preprocessor_config.json in a model's folder. Throws Error where they
/// do not fit the model, and for settings that AttnLab does not compute.
void fit_to_sound_preprocessor(Description& description, const std::filesystem::path& folder);

/// What generation_config.json adds to the prompt of a decoder: the language and the task that it forces, and that no
/// times are written.
void complete_prompt(const Config& generation, Description& description);
/// The forced ids of a configuration, by position from 1 on; nullopt where it leaves one open.
std::vector<std::optional<std::int64_t>> forced_ids(const Config& config);

/// The letters that outcomes of frames stand for, from vocab.json in a model's folder. Throws Error; Cancelled.
void add_characters(const std::filesystem::path& folder, Description& description, const RunControl& control = {});

struct PreparedSound {
    Sound sound = {};
    std::vector<Message> notes = {}; ///< of what is not read, or was changed
};
/// Reads a file as the model takes it: padded or cut to a spectrogram of its length, or standardized. Throws as
/// read_sound, and Error for another rate of samples.
PreparedSound prepare_sound(const std::filesystem::path& file, const Frames& frames, const RunControl& control = {});
/// The same of samples. `name` is that of the file, for messages.
PreparedSound prepare_samples(const Samples& samples, const Frames& frames, const std::string& name,
                              const RunControl& control = {});

/// When each frame begins: "0.02 s".
std::vector<std::string> frame_labels(const Frames& frames, std::int64_t count);

/// Whether outcomes of frames are letters: a model for connectionist temporal classification (Graves et al. 2006).
bool spells_frames(const Model& model);
/// The frames at which a letter of spelled_text() begins.
std::vector<std::int64_t> spelled_frames(const Model& model, const Result& result);
/// The text of the likeliest outcome of each frame: repeated ones are one letter, blanks none. Empty unless the result
/// has logits of all frames.
std::string spelled_text(const Model& model, const Result& result);

} // namespace attnlab::model
