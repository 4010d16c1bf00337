#include "core/model/image.h"

#include "core/io/file_bytes.h"
#include "core/model/config.h"
#include "core/model/image_tiles.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
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

/// Duchon 1979, with three lobes.
double lanczos(double x) {
    constexpr double lobes = 3.0;
    const auto sinc = [](double at) {
        return at == 0.0 ? 1.0 : std::sin(std::numbers::pi * at) / (std::numbers::pi * at);
    };
    return std::abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0.0;
}

constexpr Filter filters[] = {{2, 1.0, triangle}, {3, 2.0, cubic}, {1, 3.0, lanczos}};

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

Picture empty_picture(std::int64_t height, std::int64_t width) {
    return {height, width, std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * channels_of_picture))};
}

Picture resized_across(const Picture& picture, const Filter& filter, std::int64_t width) {
    constexpr auto channels = channels_of_picture;
    auto across = empty_picture(picture.height, width);
    const auto taps = taps_between(filter, picture.width, width);
    for (std::int64_t row = 0; row < picture.height; ++row)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            resize_line(taps, picture.values.data() + row * picture.width * channels + channel, channels,
                        across.values.data() + row * width * channels + channel, channels);
    return across;
}

Picture resized_down(const Picture& picture, const Filter& filter, std::int64_t height) {
    const auto step = picture.width * channels_of_picture;
    auto down = empty_picture(height, picture.width);
    const auto taps = taps_between(filter, picture.height, height);
    for (std::int64_t column = 0; column < step; ++column)
        resize_line(taps, picture.values.data() + column, step, down.values.data() + column, step);
    return down;
}

/// As Pillow 13 does: across, then down, but down first where the height loses more than twice as many pixels as the
/// width. The order matters, because the numbers between are rounded to bytes.
Picture resized(const Picture& picture, const Filter& filter, std::int64_t height, std::int64_t width) {
    if (picture.height == height && picture.width == width)
        return picture;
    const auto lost_rows = picture.height - height, lost_columns = picture.width - width;
    if (lost_rows > 0 && lost_rows > 2 * lost_columns)
        return resized_across(resized_down(picture, filter, height), filter, width);
    return resized_down(resized_across(picture, filter, width), filter, height);
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
    std::optional<ImageTiles::Kind> tiles = {};     ///< nullopt: the image stays in one piece
    std::vector<Extent> canvases = {};              ///< of Canvas
    std::int64_t fewest_tiles = 1, most_tiles = 12; ///< of Shape
    bool splits = true;                             ///< of Side: else there is the whole alone
    std::optional<Extent> first_size = {};          ///< of Side: instead of `longest`

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
    if (begins_with_one_of(name, {"CLIP", "Llava", "Pixtral", "Qwen2VL", "GotOcr2"})) {
        preparation.mean = {0.48145466, 0.4578275, 0.40821073};
        preparation.deviation = {0.26862954, 0.26130258, 0.27577711};
    }
    if (begins_with_one_of(name, {"CLIP", "Llava", "Pixtral", "Siglip", "Qwen2VL", "GotOcr2"}))
        preparation.filter = &filters[1];
    if (begins_with_one_of(name, {"Idefics3", "SmolVLM"}))
        preparation.filter = &filters[2];
}

/// Throws Error for parts of an image beside the whole, and for a frame around it.
void refuse_other_images(const Config& config, std::string_view name) {
    for (const auto* key : {"do_pan_and_scan", "do_image_splitting", "crop_to_patches", "do_split_image"})
        config.refuse(key);
    if (name.starts_with("Llava")) // others fill up batches
        config.refuse("do_pad");
}

/// Heights and widths.
std::vector<Extent> extents_in(const Config& config, std::string_view key) {
    std::vector<Extent> extents;
    const auto* list = config.find(key);
    if (!list)
        return extents;
    constexpr double most = 1 << 16;
    const auto is_side = [](double side) { return side >= 1.0 && side <= most && side == std::floor(side); };
    for (const auto& one : list->items()) {
        if (!one.is_list() || one.items().size() != 2 || !one.items()[0].is_number() || !one.items()[1].is_number() ||
            !is_side(one.items()[0].number()) || !is_side(one.items()[1].number()))
            config.fail(key, ATTNLAB_TEXT("a list of heights and widths"));
        extents.emplace_back(static_cast<std::int64_t>(one.items()[0].number()),
                             static_cast<std::int64_t>(one.items()[1].number()));
    }
    return extents;
}

/// What concerns tiles, whose size is that of the whole.
void read_tiles(const Config& config, Preparation& preparation) {
    const auto size = config.object("size");
    const auto side = [&](const std::optional<Config>& object) {
        return object && object->has("longest_edge") ? object->size("longest_edge") : 0;
    };
    switch (*preparation.tiles) {
    case ImageTiles::Kind::Canvas:
        if (const auto given = extents_in(config, "image_grid_pinpoints"); !given.empty())
            preparation.canvases = given;
        break;
    case ImageTiles::Kind::Shape:
        preparation.fewest_tiles = config.size("min_patches", 1);
        preparation.most_tiles = config.size("max_patches", 12);
        break;
    case ImageTiles::Kind::Side:
        preparation.splits = config.flag("do_image_splitting", true);
        if (!size || side(size) > 0)
            preparation.longest = size ? side(size) : 4 * 364;
        if (const auto given = side(config.object("max_image_size")); given > 0)
            preparation.height = preparation.width = given;
        else
            preparation.height = preparation.width = 364;
        break;
    }
}

void read(const Config& config, Preparation& preparation) {
    const auto name = config.text("image_processor_type", config.text("feature_extractor_type", ""));
    // A single number is the shorter side for these processors, and both sides for others.
    const bool keeps_shape = begins_with_one_of(name, {"CLIP", "Bit", "Llava"});
    set_defaults(name, preparation);
    if (!preparation.tiles)
        refuse_other_images(config, name);
    preparation.resizes = config.flag("do_resize", true);
    preparation.rescales = config.flag("do_rescale", true);
    preparation.normalizes = config.flag("do_normalize", true);
    preparation.factor = config.number("rescale_factor", preparation.factor);
    if (preparation.tiles)
        read_tiles(config, preparation);
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
    } else if (preparation.tiles == ImageTiles::Kind::Side) {
        if (size && !preparation.longest) // sized without keeping its shape
            preparation.first_size = sides_of(config, "size");
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
        config.fail("resample", "1, 2, 3");
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
                                            ImageTokens::Sizes sizes = ImageTokens::Sizes::One,
                                            const std::optional<ImageTiles>& tiles = {}) {
    Preparation preparation{.height = patches.image_height, .width = patches.image_width};
    preparation.sizes = sizes;
    if (tiles) {
        preparation.tiles = tiles->kind;
        preparation.canvases = tiles->sizes;
    }
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

/// By channel, row and column, behind those that are there.
void append_normalized(const Picture& picture, const Preparation& preparation, std::vector<float>& values) {
    const auto first = values.size(), area = static_cast<std::size_t>(picture.height * picture.width);
    values.resize(first + picture.values.size());
    constexpr auto channels = static_cast<std::size_t>(channels_of_picture);
    for (std::size_t i = 0; i < picture.values.size(); ++i) {
        const auto channel = i % channels;
        double value = picture.values[i];
        if (preparation.rescales)
            value *= preparation.factor;
        if (preparation.normalizes)
            value = (value - preparation.mean[channel]) / preparation.deviation[channel];
        values[first + channel * area + i / channels] = static_cast<float>(value);
    }
}

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
    Pixels pixels{channels_of_picture, sized.height, sized.width, {}};
    append_normalized(sized, preparation, pixels.values);
    return {std::move(pixels), region};
}

/// `height` x `width` of a picture from a place on; black outside of it.
Picture part_of(const Picture& picture, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width) {
    Picture part{height, width,
                 std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * channels_of_picture))};
    const auto first = std::max<std::int64_t>(0, -left), last = std::min(width, picture.width - left);
    for (std::int64_t row = 0; row < height && first < last; ++row)
        if (const auto from = top + row; from >= 0 && from < picture.height)
            std::copy_n(picture.values.data() + (from * picture.width + left + first) * channels_of_picture,
                        (last - first) * channels_of_picture,
                        part.values.data() + (row * width + first) * channels_of_picture);
    return part;
}

/// A picture and how it is cut: the whole, and a larger one of whole tiles.
struct TiledPicture {
    Picture whole, large;
    Extent grid = {0, 0}; ///< of tiles in `large`; none where there is the whole alone
};

Picture sized_to(const Picture& picture, const Preparation& preparation, const Extent& size) {
    if (size.first > most_pixels / std::max<std::int64_t>(1, size.second))
        throw Error({ATTNLAB_TEXT("The picture of %1 x %2 is to be sized to %3 x %4, expected at most %5 pixels"),
                     {std::to_string(picture.height), std::to_string(picture.width), std::to_string(size.first),
                      std::to_string(size.second), std::to_string(most_pixels)}});
    return resized(picture, *preparation.filter, size.first, size.second);
}

TiledPicture in_tiles(const Picture& picture, const Preparation& preparation, const Extent& tile) {
    const Extent size{picture.height, picture.width};
    const auto sized = [&](const Picture& from, const Extent& to) { return sized_to(from, preparation, to); };
    if (preparation.tiles == ImageTiles::Kind::Canvas) {
        const auto canvas = best_canvas(preparation.canvases, size);
        const auto inner = sized(picture, within_canvas(canvas, size));
        const auto down = (canvas.first - inner.height) / 2, across = (canvas.second - inner.width) / 2;
        return {sized(picture, tile),
                part_of(inner, -down, -across, canvas.first, canvas.second),
                {canvas.first / tile.first, canvas.second / tile.second}};
    }
    if (preparation.tiles == ImageTiles::Kind::Shape) {
        const auto grid = preparation.most_tiles > 1
                              ? closest_grid(size, tile, preparation.fewest_tiles, preparation.most_tiles)
                              : Extent{1, 1};
        auto whole = sized(picture, tile);
        if (grid == Extent{1, 1})
            return {std::move(whole), {}};
        return {std::move(whole), sized(picture, {grid.first * tile.first, grid.second * tile.second}), grid};
    }
    auto first = picture;
    if (preparation.resizes)
        first = sized(picture,
                      preparation.longest ? with_longer_side(size, *preparation.longest) : *preparation.first_size);
    if (!preparation.splits)
        return {sized(first, tile), {}};
    auto large = sized(first, in_whole_tiles({first.height, first.width}, tile.first));
    auto whole = sized(large, tile);
    if (large.height == tile.first && large.width == tile.second)
        return {std::move(whole), {}};
    const Extent grid{large.height / tile.first, large.width / tile.second};
    return {std::move(whole), std::move(large), grid};
}

/// Throws Error unless whole and tiles have the size that the tower reads.
void check_tiles(const Preparation& preparation, const ImageTokens& tokens, const std::filesystem::path& folder) {
    const auto& patches = tokens.patches();
    const Extent tile{patches.image_height, patches.image_width};
    const Extent given = preparation.shortest ? Extent{*preparation.shortest, *preparation.shortest}
                                              : Extent{preparation.height, preparation.width};
    const auto file = (folder / "preprocessor_config.json").string();
    const auto fail = [&](const Extent& size) {
        throw Error({ATTNLAB_TEXT("%1: 'size' is %2 x %3, expected %4 x %5 as the model's 'image_size'"),
                     {file, std::to_string(size.first), std::to_string(size.second), std::to_string(tile.first),
                      std::to_string(tile.second)}});
    };
    if (given != tile)
        fail(given);
    if (preparation.cropped && *preparation.cropped != tile)
        fail(*preparation.cropped);
    if (tokens.tiles->kind == ImageTiles::Kind::Canvas && preparation.canvases != tokens.tiles->sizes)
        throw Error({ATTNLAB_TEXT("%1: 'image_grid_pinpoints' differs from that of config.json"), {file}});
    if (tokens.tiles->kind == ImageTiles::Kind::Shape && preparation.fewest_tiles > preparation.most_tiles)
        throw Error({ATTNLAB_TEXT("%1: 'min_patches' is %2, more than 'max_patches', %3"),
                     {file, std::to_string(preparation.fewest_tiles), std::to_string(preparation.most_tiles)}});
}

PreparedPicture prepared_in_tiles(const Picture& picture, const ImageTokens& tokens, const Preparation& preparation,
                                  const std::filesystem::path& folder) {
    check_tiles(preparation, tokens, folder);
    const auto& patches = tokens.patches();
    if (patches.channels != channels_of_picture)
        throw Error(
            {ATTNLAB_TEXT("config.json: 'num_channels' is %1; pictures have 3"), {std::to_string(patches.channels)}});
    const auto cut = in_tiles(picture, preparation, {patches.image_height, patches.image_width});
    Pixels pixels{channels_of_picture, patches.image_height, patches.image_width, {}};
    pixels.tile_rows = cut.grid.first;
    pixels.tile_columns = cut.grid.second;
    pixels.picture_height = picture.height;
    pixels.picture_width = picture.width;
    const bool whole_is_first = preparation.tiles == ImageTiles::Kind::Canvas;
    if (whole_is_first)
        append_normalized(cut.whole, preparation, pixels.values);
    for (std::int64_t row = 0; row < cut.grid.first; ++row)
        for (std::int64_t column = 0; column < cut.grid.second; ++column)
            append_normalized(
                part_of(cut.large, row * pixels.height, column * pixels.width, pixels.height, pixels.width),
                preparation, pixels.values);
    if (!whole_is_first)
        append_normalized(cut.whole, preparation, pixels.values);
    return {std::move(pixels), {}};
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
    auto preparation = read_preparation(patches, folder, tokens.sizes, tokens.tiles);
    if (!preparation)
        throw Error({ATTNLAB_TEXT("%1: has no preprocessor_config.json, which says how an image becomes numbers"),
                     {folder.string()}});
    if (tokens.tiles)
        return prepared_in_tiles(picture, tokens, *preparation, folder);
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
