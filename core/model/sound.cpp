#include "core/model/sound.h"

#include "core/io/file_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <numbers>
#include <numeric>
#include <sndfile.h>
#include <string_view>
#include <unsupported/Eigen/FFT>
#include <utility>

namespace attnlab::model {
namespace {

constexpr std::int64_t largest_sound_settings = 1 << 20, largest_characters = std::int64_t{1} << 24;
constexpr std::int64_t samples_at_a_time = 1 << 14;

struct CloseSound {
    void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, CloseSound>;

std::string log_of(SNDFILE* file) {
    std::array<char, 1 << 14> log{};
    sf_command(file, SFC_GET_LOG_INFO, log.data(), static_cast<int>(log.size()) - 1);
    return log.data();
}

/// Throws Error where the header names more bytes than the file has. Programs that write to a pipe name the largest
/// number there is.
void check_whole(SNDFILE* file, const std::string& name) {
    constexpr long long unknown = 0xFFFFFF00LL;
    const auto log = log_of(file);
    const auto at = log.find("data : ");
    long long stated = 0, found = 0;
    if (at != std::string::npos &&
        std::sscanf(log.c_str() + at, "data : %lld (should be %lld)", &stated, &found) == 2 && stated > found &&
        stated < unknown && stated > 0)
        throw Error({ATTNLAB_TEXT("%1: was cut: its header names %2 bytes of samples, and the file has %3"),
                     {name, std::to_string(stated), std::to_string(found)}});
}

std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", seconds);
    return text.data();
}

} // namespace

Samples read_sound(const std::filesystem::path& file, std::int64_t most, const RunControl& control) {
    const auto name = file.string();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw Error({ATTNLAB_TEXT("%1: no such file"), {name}});
    if (!std::filesystem::is_regular_file(file, ignored))
        throw Error({ATTNLAB_TEXT("%1: is not a file, expected a sound"), {name}});
    SF_INFO info{};
    const SoundFile opened(sf_open(file.c_str(), SFM_READ, &info));
    if (!opened)
        throw Error(
            {ATTNLAB_TEXT("%1: cannot be read as a sound (WAV, FLAC, OGG, MP3): %2"), {name, sf_strerror(nullptr)}});
    check_whole(opened.get(), name);
    if (info.frames < 1 || info.channels < 1 || info.samplerate < 1)
        throw Error({ATTNLAB_TEXT("%1: has no samples, expected a sound"), {name}});
    Samples samples{.rate = info.samplerate, .channels = info.channels, .count = info.frames};
    const auto wanted = most > 0 ? std::min(most, samples.count) : samples.count;
    control.require_memory("sound", {wanted}, 1.0);
    samples.values.reserve(static_cast<std::size_t>(wanted));
    std::vector<float> block(static_cast<std::size_t>(samples_at_a_time * samples.channels));
    while (std::ssize(samples.values) < wanted) {
        control.checkpoint();
        const auto asked = std::min(samples_at_a_time, wanted - std::ssize(samples.values));
        const auto read = sf_readf_float(opened.get(), block.data(), asked);
        for (std::int64_t i = 0; i < read; ++i) {
            const auto first = block.begin() + i * samples.channels;
            const float mean =
                std::accumulate(first, first + samples.channels, 0.0F) / static_cast<float>(samples.channels);
            if (!std::isfinite(mean))
                throw Error(
                    {ATTNLAB_TEXT("%1: has %2 at %3 s, expected finite samples"),
                     {name, std::to_string(mean),
                      seconds_text(static_cast<double>(samples.values.size()) / static_cast<double>(samples.rate))}});
            samples.values.push_back(mean);
        }
        if (read < asked)
            throw Error({ATTNLAB_TEXT("%1: was cut: its header names %2 samples, and the file has %3"),
                         {name, std::to_string(samples.count), std::to_string(samples.values.size())}});
    }
    return samples;
}

void fit_to_sound_preprocessor(Description& description, const std::filesystem::path& folder) {
    auto* stack = description.encoder ? &*description.encoder : nullptr;
    if (!stack || !stack->embedding.frames)
        return;
    auto& frames = *stack->embedding.frames;
    const auto file = folder / "preprocessor_config.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return;
    const auto json = io::parse_json(io::read_file(file, largest_sound_settings), file.string());
    const Config config(json.root());
    frames.rate = config.size("sampling_rate", frames.rate);
    const auto channels = config.size("feature_size", frames.channels);
    if (channels != frames.channels)
        config.fail("feature_size", {ATTNLAB_TEXT("%1, as the model reads"), {std::to_string(frames.channels)}});
    if (frames.window == 0) {
        frames.standardizes = config.flag("do_normalize", true);
        return;
    }
    frames.hop = config.size("hop_length", frames.hop);
    frames.window = config.size("n_fft", frames.window);
    if (config.flag("do_normalize", false))
        config.fail("do_normalize", "false");
    if (config.number("dither", 0.0) != 0.0)
        config.fail("dither", "0");
    const auto length =
        config.number("chunk_length", 30.0) * static_cast<double>(frames.rate) / static_cast<double>(frames.hop);
    if (length != static_cast<double>(frames.steps))
        config.fail("chunk_length", {ATTNLAB_TEXT("%1 s, the time that the model reads"),
                                     {seconds_text(static_cast<double>(frames.steps * frames.hop) /
                                                   static_cast<double>(frames.rate))}});
    if (frames.window > frames.steps * frames.hop)
        config.fail("n_fft", {ATTNLAB_TEXT("at most %1"), {std::to_string(frames.steps * frames.hop)}});
}

std::vector<std::optional<std::int64_t>> forced_ids(const Config& config) {
    std::vector<std::optional<std::int64_t>> ids;
    const auto* found = config.find("forced_decoder_ids");
    if (!found)
        return ids;
    constexpr std::int64_t most = 8;
    for (const auto& pair : found->items()) {
        if (pair.items().size() != 2 || pair.items()[0].integer() < 1 || pair.items()[0].integer() > most)
            config.fail("forced_decoder_ids", ATTNLAB_TEXT("pairs of a position from 1 on and an id"));
        const auto place = static_cast<std::size_t>(pair.items()[0].integer());
        if (ids.size() < place)
            ids.resize(place);
        if (pair.items()[1].is_integer())
            ids[place - 1] = pair.items()[1].integer();
    }
    return ids;
}

void complete_prompt(const Config& generation, Description& description) {
    auto ids = forced_ids(generation);
    const auto& known = description.prompt;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (!ids[i] && i < known.size())
            ids[i] = known[i];
    if (ids.empty())
        ids.assign(known.begin(), known.end());
    const auto without_times = generation.integer("no_timestamps_token_id");
    if (without_times && (ids.empty() || ids.back() != without_times))
        ids.emplace_back(without_times);
    // Behind a language that the files leave open, the model writes language and task itself.
    description.prompt.clear();
    for (const auto& id : ids) {
        if (!id)
            break;
        description.prompt.push_back(*id);
    }
}

void add_characters(const std::filesystem::path& folder, Description& description, const RunControl& control) {
    if (!description.blank)
        return;
    const auto file = folder / "vocab.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return;
    const auto json =
        io::parse_json(io::read_file(file, largest_characters, &control), file.string(), {.control = &control});
    const auto count = std::ssize(description.labels);
    for (const auto& [letter, id] : json.root().members()) {
        if (!id.is_integer() || id.integer() < 0)
            id.fail_expecting(ATTNLAB_TEXT("the number of an outcome"));
        if (id.integer() < count)
            description.labels[static_cast<std::size_t>(id.integer())] = letter;
    }
}

namespace {

/// Slaney 1998: linear up to 1000 Hz, then logarithmic.
double mel_of(double hertz) {
    return hertz < 1000.0 ? 3.0 * hertz / 200.0 : 15.0 + std::log(hertz / 1000.0) * 27.0 / std::log(6.4);
}
double hertz_of(double mel) {
    return mel < 15.0 ? 200.0 * mel / 3.0 : 1000.0 * std::exp(std::log(6.4) * (mel - 15.0) / 27.0);
}

/// Triangles over the frequencies of a spectrum, each with area 1: (bands, frequencies).
std::vector<std::vector<double>> mel_filters(std::int64_t bands, std::int64_t frequencies, std::int64_t rate) {
    constexpr double highest = 8000.0;
    std::vector<double> corners;
    for (std::int64_t i = 0; i < bands + 2; ++i)
        corners.push_back(hertz_of(mel_of(highest) * static_cast<double>(i) / static_cast<double>(bands + 1)));
    std::vector<std::vector<double>> filters;
    for (std::size_t band = 0; band < static_cast<std::size_t>(bands); ++band) {
        const double low = corners[band], middle = corners[band + 1], high = corners[band + 2];
        auto& filter = filters.emplace_back();
        for (std::int64_t i = 0; i < frequencies; ++i) {
            const double hertz =
                static_cast<double>(rate / 2) * static_cast<double>(i) / static_cast<double>(frequencies - 1);
            const double height = std::min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
            filter.push_back(std::max(0.0, height) * 2.0 / (high - low));
        }
    }
    return filters;
}

/// The place in a signal that is reflected at its ends.
std::int64_t reflected(std::int64_t place, std::int64_t count) {
    if (place < 0)
        place = -place;
    return place < count ? place : 2 * (count - 1) - place;
}

/// Radford et al. 2022: log10 of a mel spectrogram, at least 8 below its maximum, plus 4, divided by 4.
Sound log_mel(const std::vector<float>& samples, const Frames& frames, const RunControl& control) {
    const auto window = frames.window, frequencies = window / 2 + 1, count = std::ssize(samples);
    const auto filters = mel_filters(frames.channels, frequencies, frames.rate);
    std::vector<double> shape;
    for (std::int64_t i = 0; i < window; ++i)
        shape.push_back(0.5 -
                        0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(window)));
    Eigen::FFT<double> transform;
    transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    std::vector<double> part(static_cast<std::size_t>(window)), power(static_cast<std::size_t>(frequencies));
    std::vector<std::complex<double>> spectrum;
    std::vector<double> logs(static_cast<std::size_t>(frames.channels * frames.steps));
    constexpr double floor = 1e-10, range = 8.0;
    for (std::int64_t step = 0; step < frames.steps; ++step) {
        control.checkpoint();
        for (std::int64_t i = 0; i < window; ++i)
            part[static_cast<std::size_t>(i)] =
                shape[static_cast<std::size_t>(i)] *
                static_cast<double>(
                    samples[static_cast<std::size_t>(reflected(step * frames.hop - window / 2 + i, count))]);
        transform.fwd(spectrum, part);
        for (std::size_t i = 0; i < power.size(); ++i)
            power[i] = std::norm(spectrum[i]);
        for (std::int64_t band = 0; band < frames.channels; ++band) {
            const auto& filter = filters[static_cast<std::size_t>(band)];
            const double sum = std::inner_product(power.begin(), power.end(), filter.begin(), 0.0);
            logs[static_cast<std::size_t>(band * frames.steps + step)] = std::log10(std::max(floor, sum));
        }
    }
    const double least = *std::ranges::max_element(logs) - range;
    Sound sound{.channels = frames.channels, .count = frames.steps};
    for (const double value : logs)
        sound.values.push_back(static_cast<float>((std::max(value, least) + 4.0) / 4.0));
    return sound;
}

/// Mean 0 and variance 1, as Transformers does.
void standardize_samples(std::vector<float>& samples) {
    constexpr double epsilon = 1e-7;
    const auto count = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
    double squares = 0.0;
    for (const float value : samples)
        squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    const double factor = 1.0 / std::sqrt(squares / count + epsilon);
    for (float& value : samples)
        value = static_cast<float>((static_cast<double>(value) - mean) * factor);
}

} // namespace

PreparedSound prepare_sound(const std::filesystem::path& file, const Frames& frames, const RunControl& control) {
    return prepare_samples(read_sound(file, frames.steps * frames.hop, control), frames, file.string(), control);
}

PreparedSound prepare_samples(const Samples& samples, const Frames& frames, const std::string& name,
                              const RunControl& control) {
    if (samples.rate != frames.rate)
        throw Error({ATTNLAB_TEXT("%1: has %2 samples a second, and the model reads %3. Convert the sound, for example "
                                  "by: ffmpeg -i %1 -ar %3 OUT.wav"),
                     {name, std::to_string(samples.rate), std::to_string(frames.rate)}});
    PreparedSound prepared;
    if (samples.channels > 1)
        prepared.notes.push_back({ATTNLAB_TEXT("The sound has %1 channels; the model reads their mean"),
                                  {std::to_string(samples.channels)}});
    const auto longest = frames.steps * frames.hop;
    if (frames.window > 0) {
        if (samples.count > longest)
            prepared.notes.push_back({ATTNLAB_TEXT("The sound has %1 s; the model reads the first %2 s"),
                                      {seconds_text(samples.seconds()),
                                       seconds_text(static_cast<double>(longest) / static_cast<double>(frames.rate))}});
        control.require_memory("sound", {longest}, 1.0);
        control.require_memory("spectrogram", {frames.channels, frames.steps + frames.window}, 2.0);
        auto values = samples.values;
        values.resize(static_cast<std::size_t>(longest));
        prepared.sound = log_mel(values, frames, control);
        return prepared;
    }
    if (frames.rows_of(samples.count) < 1)
        throw Error({ATTNLAB_TEXT("%1: has %2 samples, too few for one frame of the model"),
                     {name, std::to_string(samples.count)}});
    prepared.sound = {.channels = 1, .count = samples.count, .values = samples.values};
    if (frames.standardizes)
        standardize_samples(prepared.sound.values);
    return prepared;
}

std::vector<std::string> frame_labels(const Frames& frames, std::int64_t count) {
    std::vector<std::string> labels;
    for (std::int64_t i = 0; i < count; ++i)
        labels.push_back(seconds_text(static_cast<double>(i) * frames.seconds()) + " s");
    return labels;
}

bool spells_frames(const Model& model) { return model.description().blank.has_value(); }

namespace {

/// The likeliest outcome of a row.
std::int64_t best_outcome(const Matrix& logits, std::int64_t row) {
    return std::max_element(logits.row(row), logits.row(row) + logits.columns) - logits.row(row);
}

} // namespace

std::vector<std::int64_t> spelled_frames(const Model& model, const Result& result) {
    std::vector<std::int64_t> frames;
    if (!spells_frames(model) || result.encoder_hidden.empty() ||
        result.logits.rows != result.encoder_hidden.back()->rows)
        return frames;
    std::int64_t before = -1;
    for (std::int64_t row = 0; row < result.logits.rows; ++row) {
        const auto best = best_outcome(result.logits, row);
        if (best != before && best != *model.description().blank)
            frames.push_back(row);
        before = best;
    }
    return frames;
}

std::string spelled_text(const Model& model, const Result& result) {
    std::string text;
    for (const auto row : spelled_frames(model, result)) {
        const auto& label = model.description().labels[static_cast<std::size_t>(best_outcome(result.logits, row))];
        text += label == "|" ? std::string(" ") : label;
    }
    return text;
}

} // namespace attnlab::model
