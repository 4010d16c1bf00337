#include "core/model/architectures.h"
#include "core/model/config.h"
#include "core/model/model.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace attnlab;

namespace {

constexpr std::int64_t most_numbers = 1 << 16;

/// What all tensors begin with.
const std::vector<float>& numbers() {
    static const auto all = [] {
        std::vector<float> made;
        for (std::int64_t i = 0; i < most_numbers; ++i)
            made.push_back(0.125F * static_cast<float>(i * 7 % 11) - 0.5F);
        return made;
    }();
    return all;
}

class ListedWeights : public model::WeightFiles {
public:
    /// A line for each: its name and its shape.
    explicit ListedWeights(const std::string& list) {
        std::istringstream lines(list);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            model::Weight weight;
            words >> weight.name;
            weight.where = weight.name;
            for (std::int64_t size = 0; words >> size && size >= 0 && size <= most_numbers;)
                weight.shape.push_back(size);
            double count = 1.0;
            for (const auto size : weight.shape)
                count *= static_cast<double>(size);
            if (count > static_cast<double>(most_numbers) || weight.shape.size() > 4)
                continue;
            weight.bytes = std::as_bytes(std::span(numbers())).first(static_cast<std::size_t>(count) * sizeof(float));
            weights_.emplace(weight.name, weight);
        }
    }

    const model::Weight* find(std::string_view name) const override {
        const auto found = weights_.find(name);
        return found == weights_.end() ? nullptr : &found->second;
    }
    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, weight] : weights_)
            names.push_back(name);
        return names;
    }
    void check() const override {}
    const std::string& where() const override { return where_; }

private:
    std::map<std::string, model::Weight, std::less<>> weights_;
    std::string where_ = "weights";
};

model::Input input_of(const model::Description& description) {
    model::Input input;
    if (const auto& patches = description.first().embedding.patches) {
        model::Pixels pixels{patches->channels, patches->image_height, patches->image_width};
        const Shape shape{pixels.channels, pixels.height, pixels.width};
        if (element_count(shape) > most_numbers)
            throw Error(ATTNLAB_TEXT("%1: is too large"));
        pixels.values.resize(static_cast<std::size_t>(element_count(shape)));
        input.image = pixels;
    } else if (const auto& frames = description.first().embedding.frames) {
        model::Sound sound{frames->channels, frames->steps > 0 ? frames->steps : 2000};
        const Shape shape{sound.channels, sound.count};
        if (element_count(shape) > most_numbers)
            throw Error(ATTNLAB_TEXT("%1: is too large"));
        sound.values.resize(static_cast<std::size_t>(element_count(shape)));
        input.sound = sound;
    } else {
        const auto rows = description.first().embedding.tokens->rows();
        for (const std::int64_t id : {3, 1, 4, 1, 5})
            input.ids.push_back(std::min(id, rows - 1));
    }
    if (description.encoder && description.decoder)
        input.decoder_ids = {0, 1};
    return input;
}

} // namespace

/// A config.json, and after the first NUL the tensors. What is described can be computed, in shapes that fit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto all = fuzz::text(data, size);
        const auto end = std::min(all.find('\0'), all.size());
        const auto json = io::parse_json(std::string_view(all).substr(0, end), "config.json");
        const auto weights = std::make_shared<ListedWeights>(end < all.size() ? all.substr(end + 1) : std::string());
        auto description = model::describe(model::Config(json.root()), *weights);
        auto input = input_of(description);
        const model::Model opened(std::move(description), weights, nullptr);
        RunControl control;
        control.memory_limit = 1 << 26;
        const auto result = opened.run(std::move(input), {}, control);
        fuzz::require(result.passes.size() == opened.pass_names().size());
        for (const auto& pass : result.passes)
            fuzz::require(std::ssize(pass->lse) == pass->heads * pass->queries);
    });
}
