// What the key/value cache of a language model costs while it writes: bytes kept and read, and arithmetic.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::lab {

/// What a token leaves in the cache of a layer.
enum class CacheSharing {
    MultiHead,  ///< a key and a value for each head: 2 H d numbers (Vaswani et al. 2017)
    Grouped,    ///< a key and a value for each group of heads: 2 G d numbers (Ainslie et al. 2023)
    MultiQuery, ///< one key and one value for all heads: 2 d numbers (Shazeer 2019)
    Latent,     ///< one row of c numbers that makes keys and values, and r of a rotated key: c + r numbers
                ///< (multi-head latent attention, DeepSeek-V2 2024)
};
/// "multi_head", "grouped", "multi_query", "latent": in the order of CacheSharing.
std::span<const std::string_view> sharing_ids();

/// The sizes of a model and of what it does. All are from 1.
struct CacheModel {
    std::int64_t layers = 32;
    std::int64_t num_heads = 32; ///< H
    std::int64_t head_dim = 128; ///< d
    std::int64_t groups = 8;     ///< G; divides num_heads
    std::int64_t latent = 512;   ///< c
    std::int64_t rotated = 64;   ///< r
    std::int64_t parameters = 8'000'000'000;
    std::int64_t bytes = 2;      ///< of a number
    std::int64_t context = 4096; ///< tokens in the cache of each reader
    std::int64_t readers = 1;    ///< texts that are written at once
    std::int64_t balance = 300;  ///< operations that a device does while it reads one byte
    bool operator==(const CacheModel&) const = default;
};

/// Throws Error for a size out of range and for groups that do not divide the heads.
void check(const CacheModel& model);

/// The choices of a reader: the divisors of num_heads, powers of 2 to 2^19 and to 1024.
std::vector<std::int64_t> group_choices(const CacheModel& model);
std::vector<std::int64_t> context_choices();
std::vector<std::int64_t> reader_choices();

/// All for one step, in which each reader gets one token:
///   kv_heads               G, H or 1; of a latent cache as many as would fill it, (c + r) / 2d
///   numbers_per_token      in one layer
///   bytes_per_token        in all layers
///   cache_bytes            of all readers; all of it is read in a step
///   weight_bytes           read once in a step
///   read_bytes             both
///   attention_operations   scores and weighted sums: 4 H d for each cached token and layer; of a latent cache, whose
///                          matrices are absorbed into query and output, 2 H (2c + r)
///   operations             these and 2 for each parameter and reader
///   attention_intensity    attention_operations / cache_bytes
///   intensity              operations / read_bytes
std::vector<Measure> cache_costs(const CacheModel& model, CacheSharing sharing);

/// The value of one of these. Throws Error for another name.
double cache_cost(const CacheModel& model, CacheSharing sharing, std::string_view name);
/// Their names, in this order.
std::span<const std::string_view> cache_cost_ids();

} // namespace attnlab::lab
