#include "core/model/rotary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace attnlab::model {
namespace {

/// base^-(2i / width), in the roundings of float32 that PyTorch makes.
std::vector<float> plain_frequencies(double base, std::int64_t width) {
    std::vector<float> frequencies;
    for (std::int64_t i = 0; i < width; i += 2) {
        const float exponent = static_cast<float>(i) / static_cast<float>(width);
        frequencies.push_back(1.0F / static_cast<float>(std::pow(base, exponent)));
    }
    return frequencies;
}

/// The settings of one kind of layers: an object in the file and what lies outside of it.
struct Settings {
    const Config& config; ///< the whole
    std::optional<Config> object;
    const RotaryDefaults& defaults;
    bool nested = false;

    std::optional<double> number(std::string_view key) const { return object ? object->number(key) : std::nullopt; }
    double required(std::string_view key) const {
        const auto value = number(key);
        if (!value)
            object->node().at(key).number(); // throws
        return *value;
    }
    double positive(std::string_view key) const {
        const double value = required(key);
        if (!(value > 0.0))
            object->fail(key, ATTNLAB_TEXT("a number above 0"));
        return value;
    }
    std::int64_t longest() const { return config.size("max_position_embeddings", defaults.longest); }

    /// The key inside of rope_parameters, outside of them, or the model's own.
    double outer(const char* inner_key, const char* outer_key, double absent) const {
        if (const auto inside = number(inner_key)) {
            config.ignore(outer_key, ATTNLAB_TEXT("the rotary settings have their own, which counts"));
            return *inside;
        }
        return nested ? absent : config.number(outer_key, absent);
    }
    std::int64_t original_length() const {
        constexpr auto key = "original_max_position_embeddings";
        if (!nested && (config.has(key) || defaults.original_length))
            return config.size(key, defaults.original_length);
        return object && object->has(key) ? object->size(key) : longest();
    }
    std::string type() const {
        if (!object)
            return "default";
        const auto older = object->text("type", "default");
        const auto name = object->text("rope_type", older);
        if (defaults.is_axial && name == "axial")
            return "default";
        if (defaults.has_sections) {
            if (name == "mrope")
                return "default";
        }
        return defaults.other_names && (name == "su" || name == "yarn") ? "longrope" : name;
    }
    [[noreturn]] void fail_type() const {
        object->fail(object->has("rope_type") ? "rope_type" : "type",
                     "default, linear, dynamic, llama3, yarn, longrope");
    }
};

/// Peng et al. 2023.
void apply_yarn(const Settings& settings, double base, std::int64_t width, Rotary& rotary) {
    const auto original = static_cast<double>(settings.original_length());
    const double factor = settings.number("factor").value_or(static_cast<double>(settings.longest()) / original);
    const auto magnitude = [](double scale, double by) {
        return scale <= 1.0 ? 1.0 : 0.1 * by * std::log(scale) + 1.0;
    };
    const double mscale = settings.number("mscale").value_or(0.0);
    const double mscale_all = settings.number("mscale_all_dim").value_or(0.0);
    if (const auto given = settings.number("attention_factor"))
        rotary.factor = *given;
    else if (mscale != 0.0 && mscale_all != 0.0)
        rotary.factor = magnitude(factor, mscale) / magnitude(factor, mscale_all);
    else
        rotary.factor = magnitude(factor, 1.0);
    const auto or_default = [](std::optional<double> given, double absent) {
        return given && *given != 0.0 ? *given : absent;
    };
    const auto dimension = [&](double rotations) {
        return static_cast<double>(width) * std::log(original / (rotations * 2.0 * std::numbers::pi)) /
               (2.0 * std::log(base));
    };
    double low = dimension(or_default(settings.number("beta_fast"), 32.0));
    double high = dimension(or_default(settings.number("beta_slow"), 1.0));
    const bool truncates = !settings.object || settings.object->flag("truncate", true);
    if (settings.nested || truncates) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(width - 1));
    if (low == high)
        high += 0.001;
    // The ramp has width / 2 steps. Of an odd width that is one less than there are frequencies, and PyTorch repeats a
    // single step, but refuses others.
    const auto steps = static_cast<std::size_t>(width / 2);
    if (steps != rotary.frequencies.size() && steps != 1)
        throw Error({ATTNLAB_TEXT("config.json: %1 numbers of a head are rotary, expected an even number with yarn"),
                     {std::to_string(width)}});
    for (std::size_t i = 0; i < rotary.frequencies.size(); ++i) {
        const float ramp = std::clamp((static_cast<float>(steps == 1 ? 0 : i) - static_cast<float>(low)) /
                                          static_cast<float>(high - low),
                                      0.0F, 1.0F);
        const float kept = 1.0F - ramp, plain = rotary.frequencies[i];
        rotary.frequencies[i] = plain / static_cast<float>(factor) * (1.0F - kept) + plain * kept;
    }
}

/// Llama 3.1: long waves are stretched, those between blended.
void apply_llama3(const Settings& settings, Rotary& rotary) {
    const auto original = static_cast<float>(settings.original_length());
    const auto factor = static_cast<float>(settings.positive("factor"));
    const auto low = static_cast<float>(settings.required("low_freq_factor"));
    const auto high = static_cast<float>(settings.required("high_freq_factor"));
    for (float& frequency : rotary.frequencies) {
        const float wave = 2.0F * std::numbers::pi_v<float> / frequency;
        if (wave > original / low) {
            frequency /= factor;
        } else if (!(wave < original / high)) {
            const float smooth = (original / wave - low) / (high - low);
            frequency = (1.0F - smooth) * frequency / factor + smooth * frequency;
        }
    }
}

/// Ding et al. 2024.
void apply_longrope(const Settings& settings, double base, std::int64_t width, Rotary& rotary) {
    rotary.long_from = settings.original_length();
    const auto original = static_cast<double>(rotary.long_from);
    const double factor = settings.number("factor").value_or(static_cast<double>(settings.longest()) / original);
    if (const auto given = settings.number("attention_factor"))
        rotary.factor = *given;
    else if (factor > 1.0)
        rotary.factor = std::sqrt(1.0 + std::log(factor) / std::log(original));
    const auto divided = [&](std::string_view key) {
        const auto factors = settings.object->numbers(key);
        if (factors.size() != rotary.frequencies.size())
            settings.object->fail(key, {ATTNLAB_TEXT("%1 numbers"), {std::to_string(rotary.frequencies.size())}});
        std::vector<float> frequencies;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            const float exponent = 2.0F * static_cast<float>(i) / static_cast<float>(width);
            const auto power = static_cast<float>(std::pow(base, exponent));
            frequencies.push_back(1.0F / (static_cast<float>(factors[i]) * power));
        }
        return frequencies;
    };
    rotary.long_frequencies = divided("long_factor");
    rotary.frequencies = divided("short_factor");
}

/// Sections need not have as many pairs as there are where no image is read.
void read_sections(const Settings& settings, Rotary& rotary) {
    const auto& object = settings.object;
    rotary.takes_turns = object && object->flag("mrope_interleaved", settings.defaults.sections_take_turns);
    if (!object || !object->has("mrope_section"))
        return;
    for (const double section : object->numbers("mrope_section")) {
        if (!(section >= 0.0 && section <= static_cast<double>(largest_size)) || section != std::floor(section))
            object->fail("mrope_section", ATTNLAB_TEXT("three numbers of pairs"));
        rotary.sections.push_back(static_cast<std::int64_t>(section));
    }
    if (rotary.sections.size() != 3)
        object->fail("mrope_section", ATTNLAB_TEXT("three numbers of pairs"));
}

Rotary read(const Settings& settings) {
    const auto& defaults = settings.defaults;
    const auto type = settings.type();
    const double base = settings.outer("rope_theta", defaults.base_key, defaults.base);
    if (!(base > 0.0))
        settings.config.fail(defaults.base_key, ATTNLAB_TEXT("a number above 0"));
    const double part = settings.outer("partial_rotary_factor", defaults.partial_key, defaults.partial_factor);
    const auto partial_width = static_cast<double>(defaults.head_width) * part;
    const bool is_partial = defaults.partial || type != "default";
    const bool is_inside = settings.number("partial_rotary_factor").has_value();
    const auto& holder = is_inside ? *settings.object : settings.config;
    const auto* key = is_inside ? "partial_rotary_factor" : defaults.partial_key;
    if (is_partial && !(partial_width >= 2.0 && part <= 1.0))
        holder.fail(key, ATTNLAB_TEXT("a part of the head from two numbers to all"));
    if (is_partial && !defaults.partial && part != 1.0)
        holder.fail(key, ATTNLAB_TEXT("1 with this rope_type"));
    Rotary rotary;
    rotary.base = base;
    const auto width = is_partial ? static_cast<std::int64_t>(partial_width) : defaults.head_width;
    if ((width + 1) / 2 * 2 > defaults.head_width)
        throw Error({ATTNLAB_TEXT("config.json: heads have %1 numbers, expected an even number for rotary positions"),
                     {std::to_string(defaults.head_width)}});
    rotary.frequencies = plain_frequencies(base, width);
    rotary.width = width;
    if (type == "linear") {
        for (float& frequency : rotary.frequencies)
            frequency /= static_cast<float>(settings.positive("factor"));
    } else if (type == "dynamic") {
        rotary.trained = settings.longest();
        rotary.growth = settings.positive("factor");
    } else if (type == "yarn") {
        apply_yarn(settings, base, width, rotary);
    } else if (type == "llama3") {
        apply_llama3(settings, rotary);
    } else if (type == "longrope") {
        apply_longrope(settings, base, width, rotary);
    } else if (type != "default") {
        settings.fail_type();
    }
    if (defaults.has_sections)
        read_sections(settings, rotary);
    return rotary;
}

} // namespace

std::vector<float> Rotary::frequencies_for(std::int64_t length) const {
    if (!long_frequencies.empty() && length > long_from)
        return long_frequencies;
    if (trained == 0 || length <= trained)
        return frequencies;
    const auto ratio = static_cast<double>(length) / static_cast<double>(trained);
    const auto numbers = static_cast<double>(width);
    const double grown = base * std::pow(growth * ratio - (growth - 1.0), numbers / (numbers - 2.0));
    return plain_frequencies(grown, width);
}

std::vector<float> Rotary::unscaled_frequencies() const { return plain_frequencies(base, width); }

Rotary read_rotary(const Config& config, const RotaryDefaults& defaults) {
    auto object = config.object("rope_scaling");
    if (!object || object->node().members().empty())
        object = config.object("rope_parameters");
    else
        config.ignore("rope_parameters", ATTNLAB_TEXT("rope_scaling, which is there too, counts"));
    if (object)
        for (const auto* kind : {"full_attention", "sliding_attention"})
            if (object->has(kind))
                object->fail(kind, ATTNLAB_TEXT("no settings by kind of layer for this model_type"));
    return read({config, object, defaults});
}

Rotary read_rotary(const Config& config, const std::optional<Config>& settings, const RotaryDefaults& defaults) {
    return read({config, settings, defaults});
}

RotaryByLayer read_rotary_by_layer(const Config& config, const RotaryDefaults& defaults, const char* sliding_base_key,
                                   std::optional<double> sliding_base) {
    const auto by_type = config.object("rope_parameters");
    const auto of = [&](const char* type, const char* base_key, double base) {
        auto own = defaults;
        own.base = config.number(base_key, base);
        auto settings = by_type ? by_type->object(type) : std::nullopt;
        const auto scaling = config.object("rope_scaling");
        if (scaling && type == std::string_view("full_attention")) {
            if (settings)
                config.fail("rope_scaling", ATTNLAB_TEXT("none beside rope_parameters of the same layers"));
            settings = scaling;
        }
        return read({config, settings, own, true});
    };
    return {.full = of("full_attention", defaults.base_key, defaults.base),
            .sliding = of("sliding_attention", sliding_base_key, sliding_base.value_or(defaults.base))};
}

namespace {

/// In the roundings of float32 that PyTorch makes.
RotaryAngles grid_angles(const Rotary::Grid& grid, std::span<const float> frequencies, std::int64_t first,
                         std::int64_t rows) {
    RotaryAngles angles{.pairs = 2 * std::ssize(frequencies)};
    const auto place = [&grid](std::int64_t index, std::int64_t count) {
        return grid.counts ? static_cast<float>(index)
                           : 2.0F * std::numbers::pi_v<float> *
                                 (2.0F * ((static_cast<float>(index) + 0.5F) / static_cast<float>(count)) - 1.0F);
    };
    const auto turn = [&angles](float at, std::span<const float> by) {
        for (const float frequency : by) {
            const float angle = at * frequency;
            angles.cosines.push_back(std::cos(angle));
            angles.sines.push_back(std::sin(angle));
        }
    };
    for (auto row = first; row < first + rows; ++row) {
        const auto patch = row - grid.leading;
        const float down = patch < 0 ? 0.0F : place(patch / grid.columns, grid.rows);
        const float across = patch < 0 ? 0.0F : place(patch % grid.columns, grid.columns);
        turn(down, frequencies);
        turn(across, grid.across.empty() ? frequencies : std::span(grid.across));
    }
    return angles;
}

} // namespace

namespace {

/// 0: in time, 1: the row, 2: the column.
std::size_t axis_of(const Rotary& rotary, std::int64_t pair) {
    const auto& sections = rotary.sections;
    if (rotary.takes_turns) {
        const auto axis = static_cast<std::size_t>(pair % 3);
        return axis > 0 && pair < 3 * sections[axis] ? axis : 0;
    }
    return pair < sections[0] ? 0 : pair < sections[0] + sections[1] ? 1 : 2;
}

} // namespace

RotaryAngles rotary_angles(const Rotary& rotary, std::span<const float> frequencies, std::int64_t first,
                           std::int64_t rows, std::span<const std::array<std::int64_t, 3>> places) {
    if (rotary.grid)
        return grid_angles(*rotary.grid, frequencies, first, rows);
    if (!places.empty() && !rotary.sections.empty()) {
        RotaryAngles angles{.pairs = std::ssize(frequencies), .interleaved = rotary.interleaved};
        for (const auto& place : places)
            for (std::int64_t pair = 0; pair < angles.pairs; ++pair) {
                const float angle =
                    static_cast<float>(place[axis_of(rotary, pair)]) * frequencies[static_cast<std::size_t>(pair)];
                angles.cosines.push_back(std::cos(angle) * static_cast<float>(rotary.factor));
                angles.sines.push_back(std::sin(angle) * static_cast<float>(rotary.factor));
            }
        return angles;
    }
    RotaryAngles angles{.pairs = std::ssize(frequencies), .interleaved = rotary.interleaved};
    const auto factor = static_cast<float>(rotary.factor);
    for (std::int64_t row = first + rotary.offset; row < first + rotary.offset + rows; ++row)
        for (const float frequency : frequencies) {
            // Rounded to float32, as PyTorch does: far positions differ otherwise.
            const float angle = static_cast<float>(row) * frequency;
            angles.cosines.push_back(std::cos(angle) * factor);
            angles.sines.push_back(std::sin(angle) * factor);
        }
    return angles;
}

void rotate(const RotaryAngles& angles, std::int64_t width, std::span<float> values) {
    const std::int64_t apart = angles.interleaved ? 1 : angles.pairs, step = angles.interleaved ? 2 : 1;
    const float* cosine = angles.cosines.data();
    const float* sine = angles.sines.data();
    const auto* const end = values.data() + values.size();
    for (float* row = values.data(); row != end; row += width)
        for (std::int64_t pair = 0; pair < angles.pairs; ++pair, ++cosine, ++sine) {
            float& one = row[pair * step];
            float& other = row[pair * step + apart];
            const float turned = one * *cosine - other * *sine;
            other = other * *cosine + one * *sine;
            one = turned;
        }
}

} // namespace attnlab::model
