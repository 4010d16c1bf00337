#include "core/lab/cache_costs.h"

#include "core/lookup.h"

#include <algorithm>
#include <array>

namespace attnlab::lab {
namespace {

constexpr std::array<std::string_view, 4> sharings = {"multi_head", "grouped", "multi_query", "latent"};
constexpr std::array<std::string_view, 10> costs = {
    "kv_heads",   "numbers_per_token",    "bytes_per_token", "cache_bytes",         "weight_bytes",
    "read_bytes", "attention_operations", "operations",      "attention_intensity", "intensity"};
constexpr std::int64_t most_context = std::int64_t{1} << 19;
constexpr std::int64_t most_readers = 1024;

std::int64_t kept_numbers(const CacheModel& model, CacheSharing sharing) {
    switch (sharing) {
    case CacheSharing::MultiHead:
        return 2 * model.num_heads * model.head_dim;
    case CacheSharing::Grouped:
        return 2 * model.groups * model.head_dim;
    case CacheSharing::MultiQuery:
        return 2 * model.head_dim;
    case CacheSharing::Latent:
        break;
    }
    return model.latent + model.rotated;
}

/// For one cached token in one layer.
std::int64_t cached_operations(const CacheModel& model, CacheSharing sharing) {
    return sharing == CacheSharing::Latent ? 2 * model.num_heads * (2 * model.latent + model.rotated)
                                           : 4 * model.num_heads * model.head_dim;
}

std::vector<std::int64_t> powers_to(std::int64_t base, std::int64_t most) {
    std::vector<std::int64_t> all;
    for (std::int64_t power = 1; power <= most; power *= base)
        all.push_back(power);
    return all;
}

} // namespace

std::span<const std::string_view> sharing_ids() { return sharings; }
std::span<const std::string_view> cache_cost_ids() { return costs; }

void check(const CacheModel& model) {
    constexpr std::int64_t most_size = 1 << 20, most_parameters = 100'000'000'000'000;
    struct Size {
        const char* name;
        std::int64_t value, most;
    };
    for (const auto& [name, value, most] : {Size{"layers", model.layers, most_size},
                                            {"num_heads", model.num_heads, most_size},
                                            {"head_dim", model.head_dim, most_size},
                                            {"groups", model.groups, most_size},
                                            {"latent", model.latent, most_size},
                                            {"rotated", model.rotated, most_size},
                                            {"parameters", model.parameters, most_parameters},
                                            {"bytes", model.bytes, 8},
                                            {"context", model.context, most_context},
                                            {"readers", model.readers, most_readers},
                                            {"balance", model.balance, most_size}})
        if (value < 1 || value > most)
            throw Error({ATTNLAB_TEXT("'%1' of a cache is %2, expected 1 to %3"),
                         {name, std::to_string(value), std::to_string(most)}});
    if (model.num_heads % model.groups != 0)
        throw Error({ATTNLAB_TEXT("%1 groups do not divide %2 heads"),
                     {std::to_string(model.groups), std::to_string(model.num_heads)}});
}

std::vector<std::int64_t> group_choices(const CacheModel& model) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t groups = 1; groups <= model.num_heads; ++groups)
        if (model.num_heads % groups == 0)
            divisors.push_back(groups);
    return divisors;
}

std::vector<std::int64_t> context_choices() { return powers_to(2, most_context); }
std::vector<std::int64_t> reader_choices() { return powers_to(2, most_readers); }

std::vector<Measure> cache_costs(const CacheModel& model, CacheSharing sharing) {
    using enum Measure::Unit;
    const auto real = [](std::int64_t number) { return static_cast<double>(number); };
    const double numbers = real(kept_numbers(model, sharing)), layers = real(model.layers), bytes = real(model.bytes);
    const double tokens = real(model.context) * real(model.readers);
    const double of_token = numbers * layers * bytes, cache = of_token * tokens,
                 weights = real(model.parameters) * bytes;
    const double attention = real(cached_operations(model, sharing)) * layers * tokens;
    const double all = attention + 2.0 * real(model.parameters) * real(model.readers);
    return {
        {"kv_heads", ATTNLAB_TEXT("key/value heads"), Number, numbers / (2.0 * real(model.head_dim))},
        {"numbers_per_token", ATTNLAB_TEXT("numbers a token leaves in a layer"), Number, numbers},
        {"bytes_per_token", ATTNLAB_TEXT("cache of a token"), Bytes, of_token},
        {"cache_bytes", ATTNLAB_TEXT("cache"), Bytes, cache},
        {"weight_bytes", ATTNLAB_TEXT("weights of the model"), Bytes, weights},
        {"read_bytes", ATTNLAB_TEXT("bytes read in a step"), Bytes, weights + cache},
        {"attention_operations", ATTNLAB_TEXT("operations of attention in a step"), Operations, attention},
        {"operations", ATTNLAB_TEXT("operations of a step"), Operations, all},
        {"attention_intensity", ATTNLAB_TEXT("operations of attention for each byte of cache"), Number,
         attention / cache},
        {"intensity", ATTNLAB_TEXT("operations for each byte read"), Number, all / (weights + cache)},
    };
}

double cache_cost(const CacheModel& model, CacheSharing sharing, std::string_view name) {
    const auto all = cache_costs(model, sharing);
    const auto* found = lookup(all, name, &Measure::name);
    if (!found)
        throw Error({ATTNLAB_TEXT("a cache has no cost '%1'"), {std::string(name)}});
    return found->value;
}

} // namespace attnlab::lab
