#include "core/model/image.h"

#include "core/io/file_bytes.h"
#include "core/model/config.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

constexpr std::int64_t channels_of_picture = 3;
constexpr std::int64_t largest_settings = 1 << 20;

/// Filters of Pillow, by the number that it has for them.
struct Filter {
    std::int64_t number;
    double reach;
    double (*weight)(double distance);
};

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

/// Keys 1981, with a = -0.5.
double cubic(double x) {
    x = std::abs(x);
    if (x < 1.0)
        return (1.5 * x - 2.5) * x * x + 1.0;
    return x < 2.0 ? ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0 : 0.0;
}

constexpr Filter filters[] = {{2, 1.0, triangle}, {3, 2.0, cubic}};

/// Along an axis of `size` numbers `step` apart: the filter grows with the step where the picture shrinks.
void resize_line(const Filter& filter, const std::uint8_t* from, std::int64_t size, std::int64_t step,
                 std::int64_t new_size, std::uint8_t* to, std::int64_t new_step) {
    const double ratio = static_cast<double>(size) / static_cast<double>(new_size);
    const double stretch = std::max(ratio, 1.0), reach = filter.reach * stretch;
    for (std::int64_t i = 0; i < new_size; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * ratio;
        // NOLINTBEGIN(bugprone-incorrect-roundings): cut towards zero, as Pillow does
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - reach + 0.5));
        const auto last = std::min(size, static_cast<std::int64_t>(centre + reach + 0.5));
        // NOLINTEND(bugprone-incorrect-roundings)
        double sum = 0.0, total = 0.0;
        for (auto j = first; j < last; ++j) {
            const double weight = filter.weight((static_cast<double>(j) - centre + 0.5) / stretch);
            sum += weight * from[j * step];
            total += weight;
        }
        to[i * new_step] = static_cast<std::uint8_t>(std::clamp(std::floor(sum / total + 0.5), 0.0, 255.0));
    }
}

/// Across, then down, rounded to bytes between, as Pillow does.
Picture resized(const Picture& picture, const Filter& filter, std::int64_t height, std::int64_t width) {
    if (picture.height == height && picture.width == width)
        return picture;
    constexpr auto channels = channels_of_picture;
    Picture across{picture.height, width,
                   std::vector<std::uint8_t>(static_cast<std::size_t>(picture.height * width * channels))};
    Picture whole{height, width, std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * channels))};
    for (std::int64_t row = 0; row < picture.height; ++row)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            resize_line(filter, picture.values.data() + row * picture.width * channels + channel, picture.width,
                        channels, width, across.values.data() + row * width * channels + channel, channels);
    for (std::int64_t column = 0; column < width * channels; ++column)
        resize_line(filter, across.values.data() + column, picture.height, width * channels, height,
                    whole.values.data() + column, width * channels);
    return whole;
}

struct Preparation {
    bool resizes = true, rescales = true, normalizes = true;
    std::int64_t height, width;
    const Filter* filter = filters;
    double factor = 1.0 / 255.0;
    std::vector<double> mean{0.5, 0.5, 0.5}, deviation{0.5, 0.5, 0.5};
};

void read(const Config& config, Preparation& preparation) {
    config.refuse("do_center_crop");
    preparation.resizes = config.flag("do_resize", true);
    preparation.rescales = config.flag("do_rescale", true);
    preparation.normalizes = config.flag("do_normalize", true);
    preparation.factor = config.number("rescale_factor", preparation.factor);
    const auto* size = config.find("size");
    if (size && size->is_integer()) {
        preparation.height = preparation.width = config.size("size");
    } else if (size) {
        preparation.height = Config(*size).size("height");
        preparation.width = Config(*size).size("width");
    }
    const auto number = config.integer("resample").value_or(preparation.filter->number);
    const auto* found = std::find_if(std::begin(filters), std::end(filters),
                                     [&](const Filter& filter) { return filter.number == number; });
    if (found == std::end(filters))
        config.fail("resample", {ATTNLAB_TEXT("%1 or %2"), {"2", "3"}});
    preparation.filter = found;
    const auto each_channel = [&](std::string_view key, std::vector<double>& values) {
        if (!config.has(key))
            return;
        values = config.numbers(key);
        if (values.size() != channels_of_picture)
            config.fail(key, ATTNLAB_TEXT("three numbers"));
    };
    each_channel("image_mean", preparation.mean);
    each_channel("image_std", preparation.deviation);
}

} // namespace

Pixels prepare(const Picture& picture, const Patches& patches, const std::filesystem::path& folder) {
    if (patches.channels != channels_of_picture)
        throw Error(
            {ATTNLAB_TEXT("config.json: 'num_channels' is %1; pictures have 3"), {std::to_string(patches.channels)}});
    Preparation preparation{.height = patches.image_height, .width = patches.image_width};
    const auto file = folder / "preprocessor_config.json";
    if (std::filesystem::exists(file)) {
        const auto json = io::parse_json(io::read_file(file, largest_settings), file.string());
        read(Config(json.root()), preparation);
    }
    if (preparation.height != patches.image_height || preparation.width != patches.image_width)
        throw Error({ATTNLAB_TEXT("%1: 'size' is %2 x %3, expected %4 x %5 as the model's 'image_size'"),
                     {file.string(), std::to_string(preparation.height), std::to_string(preparation.width),
                      std::to_string(patches.image_height), std::to_string(patches.image_width)}});
    const auto sized =
        preparation.resizes ? resized(picture, *preparation.filter, preparation.height, preparation.width) : picture;
    Pixels pixels{channels_of_picture, sized.height, sized.width, std::vector<float>(sized.values.size())};
    const auto area = sized.height * sized.width;
    for (std::int64_t i = 0; i < std::ssize(sized.values); ++i) {
        const auto channel = static_cast<std::size_t>(i % channels_of_picture);
        double value = sized.values[static_cast<std::size_t>(i)];
        if (preparation.rescales)
            value *= preparation.factor;
        if (preparation.normalizes)
            value = (value - preparation.mean[channel]) / preparation.deviation[channel];
        pixels.values[channel * static_cast<std::size_t>(area) + static_cast<std::size_t>(i / channels_of_picture)] =
            static_cast<float>(value);
    }
    return pixels;
}

} // namespace attnlab::model
