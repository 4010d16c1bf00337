#include "core/model/image.h"

#include "core/io/file_bytes.h"
#include "core/model/config.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

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

constexpr int weight_bits = 22;

/// The pixels that make one of the new ones, and how much of each, in integers as Pillow has them: sums that end in a
/// half are rounded alike.
struct Taps {
    std::int64_t first = 0;
    std::vector<std::int64_t> weights = {};
};

/// From `size` pixels to `new_size`: the filter grows with the step where the picture shrinks.
std::vector<Taps> taps_between(const Filter& filter, std::int64_t size, std::int64_t new_size) {
    const double ratio = static_cast<double>(size) / static_cast<double>(new_size);
    const double stretch = std::max(ratio, 1.0), reach = filter.reach * stretch;
    std::vector<Taps> all;
    for (std::int64_t i = 0; i < new_size; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * ratio;
        // NOLINTBEGIN(bugprone-incorrect-roundings): cut towards zero, as Pillow does
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - reach + 0.5));
        const auto last = std::min(size, static_cast<std::int64_t>(centre + reach + 0.5));
        std::vector<double> weights;
        double total = 0.0;
        for (auto j = first; j < last; ++j)
            total += weights.emplace_back(filter.weight((static_cast<double>(j) - centre + 0.5) * (1.0 / stretch)));
        auto& taps = all.emplace_back(Taps{first});
        for (const double weight : weights) {
            const double scaled = weight * (1.0 / total) * (1 << weight_bits);
            taps.weights.push_back(static_cast<std::int64_t>(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5));
        }
        // NOLINTEND(bugprone-incorrect-roundings)
    }
    return all;
}

/// Along an axis of numbers `step` apart.
void resize_line(const std::vector<Taps>& all, const std::uint8_t* from, std::int64_t step, std::uint8_t* to,
                 std::int64_t new_step) {
    for (const auto& taps : all) {
        std::int64_t sum = std::int64_t{1} << (weight_bits - 1);
        const std::uint8_t* pixel = from + taps.first * step;
        for (const auto weight : taps.weights) {
            sum += weight * *pixel;
            pixel += step;
        }
        *to = static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> weight_bits, 0, 255));
        to += new_step;
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
    const auto taps = taps_between(filter, picture.width, width);
    for (std::int64_t row = 0; row < picture.height; ++row)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            resize_line(taps, picture.values.data() + row * picture.width * channels + channel, channels,
                        across.values.data() + row * width * channels + channel, channels);
    const auto taps_down = taps_between(filter, picture.height, height);
    for (std::int64_t column = 0; column < width * channels; ++column)
        resize_line(taps_down, across.values.data() + column, width * channels, whole.values.data() + column,
                    width * channels);
    return whole;
}

struct Preparation {
    ImageTokens::Sizes sizes = ImageTokens::Sizes::One;
    double fewest_pixels = 56.0 * 56.0, most_pixels = 28.0 * 28.0 * 1280.0; ///< of Sizes::PixelCount
    bool resizes = true, rescales = true, normalizes = true;
    std::int64_t height, width;
    std::optional<std::int64_t> shortest = {}; ///< instead: the shorter side becomes this
    std::optional<std::int64_t> longest = {};  ///< of any size: the longer side becomes this at most
    std::optional<std::pair<std::int64_t, std::int64_t>> cropped = {}; ///< height and width of the middle that is kept
    const Filter* filter = filters;
    double factor = 1.0 / 255.0;
    std::vector<double> mean{0.5, 0.5, 0.5}, deviation{0.5, 0.5, 0.5};

    /// Without a picture; nullopt where it depends on it.
    std::optional<std::pair<std::int64_t, std::int64_t>> size() const {
        if (cropped)
            return cropped;
        return shortest ? std::nullopt : std::optional(std::pair(height, width));
    }
};

/// A number, or an object with both sides.
std::pair<std::int64_t, std::int64_t> sides_of(const Config& config, std::string_view key) {
    const auto* found = config.find(key);
    if (found && found->is_integer())
        return {config.size(key), config.size(key)};
    const auto sides = config.object(key);
    if (!sides)
        config.fail(key, ATTNLAB_TEXT("a size, or a height and a width"));
    return {sides->size("height"), sides->size("width")};
}

bool begins_with_one_of(std::string_view name, std::initializer_list<std::string_view> begins) {
    return std::ranges::any_of(begins, [name](auto begin) { return name.starts_with(begin); });
}

/// What the processor of this name does where the file does not say so.
void set_defaults(std::string_view name, Preparation& preparation) {
    if (begins_with_one_of(name, {"CLIP", "Llava", "Pixtral", "Qwen2VL"})) {
        preparation.mean = {0.48145466, 0.4578275, 0.40821073};
        preparation.deviation = {0.26862954, 0.26130258, 0.27577711};
    }
    if (begins_with_one_of(name, {"CLIP", "Llava", "Pixtral", "Siglip", "Qwen2VL"}))
        preparation.filter = &filters[1];
}

/// Throws Error for parts of an image beside the whole, and for a frame around it.
void refuse_other_images(const Config& config, std::string_view name) {
    for (const auto* key : {"do_pan_and_scan", "do_image_splitting", "crop_to_patches", "do_split_image"})
        config.refuse(key);
    if (name.starts_with("Llava")) // others fill up batches
        config.refuse("do_pad");
}

void read(const Config& config, Preparation& preparation) {
    const auto name = config.text("image_processor_type", config.text("feature_extractor_type", ""));
    // A single number is the shorter side for these processors, and both sides for others.
    const bool keeps_shape = begins_with_one_of(name, {"CLIP", "Bit", "Llava"});
    set_defaults(name, preparation);
    refuse_other_images(config, name);
    preparation.resizes = config.flag("do_resize", true);
    preparation.rescales = config.flag("do_rescale", true);
    preparation.normalizes = config.flag("do_normalize", true);
    preparation.factor = config.number("rescale_factor", preparation.factor);
    if (config.flag("do_center_crop", false))
        preparation.cropped = sides_of(config, config.has("crop_size") ? "crop_size" : "size");
    const auto size = config.object("size");
    if (preparation.sizes == ImageTokens::Sizes::PixelCount) {
        const auto either = [&](const char* inner, const char* outer, double absent) {
            return static_cast<double>(config.integer(outer).value_or(
                size && size->has(inner) ? size->size(inner) : static_cast<std::int64_t>(absent)));
        };
        preparation.fewest_pixels = either("shortest_edge", "min_pixels", preparation.fewest_pixels);
        preparation.most_pixels = either("longest_edge", "max_pixels", preparation.most_pixels);
    } else if (size && size->has("shortest_edge"))
        preparation.shortest = size->size("shortest_edge");
    else if (size && size->has("longest_edge") && preparation.sizes == ImageTokens::Sizes::LongestSide)
        preparation.longest = size->size("longest_edge");
    else if (config.has("size") && !size && keeps_shape)
        preparation.shortest = config.size("size");
    else if (config.has("size"))
        std::tie(preparation.height, preparation.width) = sides_of(config, "size");
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

namespace {

/// nullopt: there is no such file.
std::optional<Preparation> read_preparation(const Patches& patches, const std::filesystem::path& folder,
                                            ImageTokens::Sizes sizes = ImageTokens::Sizes::One) {
    Preparation preparation{.height = patches.image_height, .width = patches.image_width};
    preparation.sizes = sizes;
    for (const auto* name : {"preprocessor_config.json", "processor_config.json"}) {
        const auto file = folder / name;
        if (!std::filesystem::exists(file))
            continue;
        const auto json = io::parse_json(io::read_file(file, largest_settings), file.string());
        const Config config(json.root());
        const auto inner = config.object("image_processor");
        if (!inner && name == std::string_view("processor_config.json"))
            continue;
        read(inner ? *inner : config, preparation);
        return preparation;
    }
    return std::nullopt;
}

/// In whole tokens of `height` x `width` pixels, with a number of pixels within limits; Qwen2-VL.
std::pair<std::int64_t, std::int64_t> size_by_pixels(const Picture& picture, const Preparation& preparation,
                                                     std::int64_t height, std::int64_t width) {
    const auto down = static_cast<double>(picture.height), across = static_cast<double>(picture.width);
    const auto steps = [](double side, std::int64_t step, double (*round)(double)) {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(round(side / static_cast<double>(step)))) * step;
    };
    const auto to_even = [](double number) { return std::nearbyint(number); };
    const auto up = [](double number) { return std::ceil(number); };
    const auto down_to = [](double number) { return std::floor(number); };
    auto rows = steps(down, height, to_even), columns = steps(across, width, to_even);
    const double pixels = static_cast<double>(rows) * static_cast<double>(columns);
    if (pixels > preparation.most_pixels) {
        const double by = std::sqrt(down * across / preparation.most_pixels);
        rows = std::max(height, steps(down / by, height, down_to));
        columns = std::max(width, steps(across / by, width, down_to));
    } else if (pixels < preparation.fewest_pixels) {
        const double by = std::sqrt(preparation.fewest_pixels / (down * across));
        rows = steps(down * by, height, up);
        columns = steps(across * by, width, up);
    }
    return {rows, columns};
}

/// The size of a picture for a model that reads any size: within the longest side, and in whole tokens of `height` x
/// `width` pixels; Pixtral.
std::pair<std::int64_t, std::int64_t> size_in_tokens(const Picture& picture, const Preparation& preparation,
                                                     std::int64_t height, std::int64_t width) {
    const double most_height = static_cast<double>(preparation.longest.value_or(preparation.height));
    const double most_width = static_cast<double>(preparation.longest.value_or(preparation.width));
    const double ratio =
        std::max(static_cast<double>(picture.height) / most_height, static_cast<double>(picture.width) / most_width);
    const auto whole = [ratio](std::int64_t side, std::int64_t step) {
        const auto fitting =
            ratio > 1.0 ? static_cast<std::int64_t>(std::floor(static_cast<double>(side) / ratio)) : side;
        return (std::max<std::int64_t>(1, fitting) - 1) / step * step + step;
    };
    return {whole(picture.height, height), whole(picture.width, width)};
}

/// The middle of a picture. Halves are rounded to even, as PyTorch does.
Picture middle_of(const Picture& picture, std::int64_t height, std::int64_t width) {
    const auto before = [](std::int64_t more) {
        const auto half = more / 2;
        return more % 2 == 0 ? half : half + half % 2;
    };
    constexpr auto channels = channels_of_picture;
    const auto top = before(picture.height - height), left = before(picture.width - width);
    Picture middle{height, width, {}};
    for (std::int64_t row = top; row < top + height; ++row) {
        const auto* from = picture.values.data() + (row * picture.width + left) * channels;
        middle.values.insert(middle.values.end(), from, from + width * channels);
    }
    return middle;
}

/// More pixels than any model reads, and few enough for memory.
constexpr std::int64_t most_pixels = std::int64_t{1} << 26;

/// Sized and cut to `height` x `width`, and the part of the picture that is left.
std::pair<Picture, PictureRegion> cut(const Picture& picture, const Preparation& preparation) {
    auto height = preparation.height, width = preparation.width;
    if (preparation.shortest) {
        const auto shorter = std::min(picture.height, picture.width);
        height = *preparation.shortest * picture.height / shorter;
        width = *preparation.shortest * picture.width / shorter;
    }
    if (height > most_pixels / std::max<std::int64_t>(1, width))
        throw Error({ATTNLAB_TEXT("The picture of %1 x %2 is to be sized to %3 x %4, expected at most %5 pixels"),
                     {std::to_string(picture.height), std::to_string(picture.width), std::to_string(height),
                      std::to_string(width), std::to_string(most_pixels)}});
    auto sized = preparation.resizes ? resized(picture, *preparation.filter, height, width) : picture;
    PictureRegion region;
    if (const auto& cropped = preparation.cropped) {
        if (sized.height < cropped->first || sized.width < cropped->second)
            throw Error({ATTNLAB_TEXT("preprocessor_config.json: 'crop_size' is %1 x %2, and the picture has %3 x %4"),
                         {std::to_string(cropped->first), std::to_string(cropped->second), std::to_string(sized.height),
                          std::to_string(sized.width)}});
        region.height = static_cast<double>(cropped->first) / static_cast<double>(sized.height);
        region.width = static_cast<double>(cropped->second) / static_cast<double>(sized.width);
        region.top = (1.0 - region.height) / 2.0;
        region.left = (1.0 - region.width) / 2.0;
        sized = middle_of(sized, cropped->first, cropped->second);
    }
    return {std::move(sized), region};
}

} // namespace

void fit_to_preprocessor(Description& description, const std::filesystem::path& folder) {
    auto* stack = description.encoder ? &*description.encoder : nullptr;
    if (!stack || !stack->embedding.patches || stack->embedding.patches->resize == Patches::Resize::No)
        return;
    auto& patches = *stack->embedding.patches;
    const auto preparation = read_preparation(patches, folder);
    const auto size = preparation ? preparation->size() : std::nullopt;
    if (!size)
        return;
    const auto& [height, width] = *size;
    if (height < patches.height || width < patches.width)
        throw Error(
            {ATTNLAB_TEXT("preprocessor_config.json: the image has %1 x %2, expected at least one patch of %3 x %4"),
             {std::to_string(height), std::to_string(width), std::to_string(patches.height),
              std::to_string(patches.width)}});
    patches.image_height = height;
    patches.image_width = width;
    for (auto& block : stack->blocks)
        if (block.self.rotary && block.self.rotary->grid) {
            block.self.rotary->grid->rows = patches.rows();
            block.self.rotary->grid->columns = patches.columns();
        }
}

namespace {

PreparedPicture prepared(const Picture& picture, const Patches& patches, const Preparation& preparation,
                         const std::filesystem::path& folder) {
    if (patches.channels != channels_of_picture)
        throw Error(
            {ATTNLAB_TEXT("config.json: 'num_channels' is %1; pictures have 3"), {std::to_string(patches.channels)}});
    const auto& [sized, region] = cut(picture, preparation);
    if (sized.height != patches.image_height || sized.width != patches.image_width)
        throw Error(
            {ATTNLAB_TEXT("%1: 'size' is %2 x %3, expected %4 x %5 as the model's 'image_size'"),
             {(folder / "preprocessor_config.json").string(), std::to_string(sized.height), std::to_string(sized.width),
              std::to_string(patches.image_height), std::to_string(patches.image_width)}});
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
    return {std::move(pixels), region};
}

} // namespace

PreparedPicture prepare(const Picture& picture, const Patches& patches, const std::filesystem::path& folder) {
    return prepared(picture, patches,
                    read_preparation(patches, folder)
                        .value_or(Preparation{.height = patches.image_height, .width = patches.image_width}),
                    folder);
}

PreparedPicture prepare(const Picture& picture, const ImageTokens& tokens, const std::filesystem::path& folder) {
    auto patches = tokens.patches();
    auto preparation = read_preparation(patches, folder, tokens.sizes);
    if (!preparation)
        throw Error({ATTNLAB_TEXT("%1: has no preprocessor_config.json, which says how an image becomes numbers"),
                     {folder.string()}});
    if (tokens.sizes != ImageTokens::Sizes::One) {
        if (preparation->cropped || preparation->shortest || !preparation->resizes)
            throw Error(
                {ATTNLAB_TEXT("%1: has a crop or a size that AttnLab does not compute for a model of this kind"),
                 {(folder / "preprocessor_config.json").string()}});
        const auto size = tokens.sizes == ImageTokens::Sizes::PixelCount ? size_by_pixels : size_in_tokens;
        std::tie(preparation->height, preparation->width) =
            size(picture, *preparation, patches.height * tokens.side, patches.width * tokens.side);
        patches.image_height = preparation->height;
        patches.image_width = preparation->width;
    }
    return prepared(picture, patches, *preparation, folder);
}

} // namespace attnlab::model
