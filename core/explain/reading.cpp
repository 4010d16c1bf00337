#include "core/explain/reading.h"

#include "core/explain/trace_numbers.h"
#include "core/statistics.h"
#include "core/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace attnlab::explain {
namespace {

constexpr double alike_within = 1e-9; ///< of the largest magnitude
constexpr const char* over_99 = "> 99%";
constexpr double one_key = 1.5, nearly_all_keys = 0.95;
constexpr double sharp_evenness = 0.55, several_evenness = 0.80; ///< ln n / ln N

/// The weights of one row, and for each key whether something may be read there.
struct RowNumbers {
    std::vector<double> weights;
    std::vector<char> blocked;
    Precision precision;
};

/// A key is out of reach where the mask says so, or where its score is -inf.
std::vector<char> blocked_keys(const Row& row) {
    const Line* last = row.before(Operation::Shift);
    std::vector<char> blocked(static_cast<std::size_t>(row.keys()));
    for (std::int64_t key = 0; key < row.keys(); ++key)
        blocked[static_cast<std::size_t>(key)] =
            row.is_blocked(key) || (last && row.value(last->operation, key) == -infinity);
    return blocked;
}

RowNumbers numbers_of(const Row& row) {
    if (row.empty())
        return {};
    const auto weights = row.weights();
    return {{weights.begin(), weights.end()}, blocked_keys(row), precision_of({row.weights_stage()->value.dtype()})};
}

void add(RowNumbers& sum, const RowNumbers& one, double part) {
    sum.precision = one.precision;
    sum.blocked.resize(one.weights.size(), 1);
    sum.weights.resize(one.weights.size());
    for (std::size_t key = 0; key < one.weights.size(); ++key) {
        sum.weights[key] += one.weights[key] * part;
        sum.blocked[key] = sum.blocked[key] && one.blocked[key];
    }
}

RowNumbers plain_row(const Stage& stage, std::int64_t leading, std::int64_t query) {
    const auto row = matrix_at(stage.value, leading).row(query);
    return {{row.begin(), row.end()}, std::vector<char>(row.size()), precision_of({stage.value.dtype()})};
}

Reading::Focus focus_of(const Reading& reading) {
    const auto count = static_cast<double>(reading.keys.size());
    const double effective = reading.effective_keys;
    if (count > 1.0 && reading.alike == static_cast<std::int64_t>(reading.keys.size()))
        return Reading::Focus::Equal;
    if (effective < one_key)
        return Reading::Focus::OneKey;
    if (effective >= nearly_all_keys * count)
        return Reading::Focus::NearlyEqual;
    const double evenness = std::log(effective) / std::log(count);
    return evenness <= sharp_evenness     ? Reading::Focus::Sharp
           : evenness <= several_evenness ? Reading::Focus::Several
                                          : Reading::Focus::Broad;
}

Reading::Kind kind_of(const Reading& reading, const RowNumbers& row) {
    const auto& weights = row.weights;
    if (weights.empty())
        return Reading::Kind::None;
    if (std::ranges::any_of(weights, [](double weight) { return !std::isfinite(weight); }))
        return Reading::Kind::NotNumbers;
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
        return std::ranges::all_of(row.blocked, [](char blocked) { return blocked != 0; }) ? Reading::Kind::Blocked
                                                                                           : Reading::Kind::Zero;
    if (reading.negative > 0)
        return Reading::Kind::Signed;
    const auto keys = static_cast<std::int64_t>(weights.size());
    return same_number(reading.sum, 1.0, row.precision, keys, 1.0) ? Reading::Kind::Shares
                                                                   : Reading::Kind::Unnormalised;
}

void sort_keys(Reading& reading, const RowNumbers& row) {
    for (std::size_t key = 0; key < row.weights.size(); ++key) {
        const double weight = row.weights[key];
        if (row.blocked[key] && weight == 0.0)
            continue;
        reading.read_though_blocked += row.blocked[key];
        reading.keys.push_back({static_cast<std::int64_t>(key), weight});
    }
    std::ranges::stable_sort(reading.keys, std::ranges::greater(), &KeyWeight::weight);
}

Reading reading_of(const RowNumbers& row) {
    Reading reading;
    reading.all_keys = static_cast<std::int64_t>(row.weights.size());
    reading.sum = std::accumulate(row.weights.begin(), row.weights.end(), 0.0);
    double size = 0.0;
    for (const double weight : row.weights)
        size = std::max(size, std::abs(weight));
    for (const double weight : row.weights)
        reading.negative += weight < -alike_within * size;
    reading.kind = kind_of(reading, row);
    if (reading.kind == Reading::Kind::None || reading.kind == Reading::Kind::NotNumbers)
        return reading;
    sort_keys(reading, row);
    for (const auto& one : reading.keys)
        reading.alike += one.weight >= reading.largest() - alike_within * size;
    if (reading.kind == Reading::Kind::Shares) {
        reading.effective_keys = row_statistics(row.weights).effective_keys;
        reading.focus = focus_of(reading);
    }
    return reading;
}

} // namespace

Reading reading_of(const Row& row) { return reading_of(numbers_of(row)); }

Reading reading_of(const Trace& trace, const Stage& weights, int batch, int head, std::int64_t query) {
    const auto& shape = weights.value.shape();
    if (shape.size() != 4 || weights.value.size() == 0 || batch < 0 || batch >= shape[0] || head >= shape[1] ||
        query < 0 || query >= shape[2])
        return {};
    const std::string prefix(prefix_of(weights.name));
    const bool own = weights.name == prefix + "weights";
    const auto one = [&](int of) {
        return own ? numbers_of(Row(trace, {prefix, batch, of}, query))
                   : plain_row(weights, batch * shape[1] + of, query);
    };
    if (head >= 0)
        return reading_of(one(head));
    RowNumbers mean;
    for (int of = 0; of < static_cast<int>(shape[1]); ++of)
        add(mean, one(of), 1.0 / static_cast<double>(shape[1]));
    return reading_of(mean);
}

namespace {

constexpr std::size_t listed_keys = 3;
constexpr double least_listed_share = 0.005;

std::string printed(const char* format, double value) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Three digits, with a minus sign rather than a hyphen.
std::string number(double value) {
    const auto text = printed("%.3g", std::abs(value));
    return value < 0.0 ? "\u2212" + text : text;
}

/// Of effective keys.
std::string count_text(double keys) { return printed(keys < 9.95 ? "%.1f" : "%.0f", keys); }

std::string weight_text(const Reading& reading, double weight) {
    return reading.kind == Reading::Kind::Shares ? share_text(weight) : number(weight);
}

Message list_of(const std::vector<Argument>& items) {
    switch (items.size()) {
    case 0:
        return {};
    case 1:
        return {ATTNLAB_TEXT("then %1"), items};
    case 2:
        return {ATTNLAB_TEXT("then %1, %2"), items};
    default:
        return {ATTNLAB_TEXT("then %1, %2, %3"), items};
    }
}

/// The keys after those that the claim has named.
Message others(const Reading& reading, const TokenNaming& names, std::size_t named) {
    std::vector<Argument> items;
    const double least = reading.kind == Reading::Kind::Shares ? least_listed_share : 0.0;
    for (std::size_t i = named; i < reading.keys.size() && items.size() < listed_keys; ++i)
        if (const auto& [key, weight] = reading.keys[i]; weight > least)
            items.push_back(names.item(key, weight_text(reading, weight)));
    return list_of(items);
}

/// The names of keys that the claim has only counted.
Message counted(const Reading& reading, const TokenNaming& names) {
    std::vector<Argument> keys;
    for (std::size_t i = 0; i < listed_keys; ++i)
        keys.push_back(names.key(reading.keys[i].key));
    return reading.alike > static_cast<std::int64_t>(listed_keys) ? Message(ATTNLAB_TEXT("%1, %2, %3, …"), keys)
                                                                  : Message(ATTNLAB_TEXT("%1, %2, %3"), keys);
}

/// True when the claim says it all: no other key has weight.
bool reads_one_alone(const Reading& reading) { return reading.keys.size() == 1 || reading.keys[1].weight == 0.0; }

Message focus_words(const Reading& reading, const TokenNaming& names) {
    if (reads_one_alone(reading))
        return {};
    const std::vector<Argument> all = {std::to_string(reading.keys.size())};
    const std::vector<Argument> some = {printed("%.0f", reading.effective_keys)};
    switch (reading.focus) {
    case Reading::Focus::None:
    case Reading::Focus::Equal:
        break;
    case Reading::Focus::OneKey:
        return names.are_words ? ATTNLAB_TEXT("nearly all on one word") : ATTNLAB_TEXT("nearly all on one key");
    case Reading::Focus::Sharp:
    case Reading::Focus::Several:
    case Reading::Focus::Broad:
        return {names.are_words ? ATTNLAB_TEXT("spread over about %1 words")
                                : ATTNLAB_TEXT("spread over about %1 keys"),
                some};
    case Reading::Focus::NearlyEqual:
        return {names.are_words ? ATTNLAB_TEXT("nearly even over %1 words") : ATTNLAB_TEXT("nearly even over %1 keys"),
                all};
    }
    return {};
}

/// The sentence about the keys with the largest weight of a row without negative weights.
Message claim_of_largest(const Reading& reading, const TokenNaming& names) {
    const bool shares = reading.kind == Reading::Kind::Shares;
    const auto weight = weight_text(reading, reading.largest());
    const auto count = static_cast<std::int64_t>(reading.keys.size());
    const auto first = names.key(reading.keys[0].key);
    if (reads_one_alone(reading))
        return shares ? Message(ATTNLAB_TEXT("%1 reads only %2: %3"), {names.query, first, weight})
                      : Message(ATTNLAB_TEXT("%1 reads only %2, with weight %3"), {names.query, first, weight});
    if (reading.alike == count)
        return count < reading.all_keys ? Message(ATTNLAB_TEXT("%1 reads alike the %2 keys that it may read: %3 each"),
                                                  {names.query, std::to_string(count), weight})
                                        : Message(ATTNLAB_TEXT("%1 reads all %2 keys alike: %3 each"),
                                                  {names.query, std::to_string(count), weight});
    if (reading.alike > 2)
        return {ATTNLAB_TEXT("%1 reads %2 keys the most: %3 each"),
                {names.query, std::to_string(reading.alike), weight}};
    if (reading.alike == 2)
        return {ATTNLAB_TEXT("%1 reads %2 and %3 the most: %4 each"),
                {names.query, first, names.key(reading.keys[1].key), weight}};
    // Of two keys one may have 60% and yet be read nearly as much as the other.
    const bool spread = reading.focus == Reading::Focus::Broad || reading.focus == Reading::Focus::NearlyEqual;
    if (shares && reading.largest() > 0.5 && !spread)
        return weight == over_99 ? Message(ATTNLAB_TEXT("%1 reads %2: over 99%"), {names.query, first})
                                 : Message(ATTNLAB_TEXT("%1 reads mostly %2: %3"), {names.query, first, weight});
    return {ATTNLAB_TEXT("%1 reads %2 the most: %3"), {names.query, first, weight}};
}

void add_details(ReadingText& words, const Reading& reading, const TokenNaming& names) {
    const auto count = static_cast<std::int64_t>(reading.keys.size());
    if (reading.kind == Reading::Kind::Unnormalised)
        words.details.push_back({ATTNLAB_TEXT("its weights sum to %1, not to 1"), {number(reading.sum)}});
    if (reading.alike > 2 && reading.alike < count)
        words.details.push_back(counted(reading, names));
    else if (reading.alike < count)
        words.details.push_back(others(reading, names, static_cast<std::size_t>(reading.alike)));
    words.details.push_back(focus_words(reading, names));
    if (reading.read_though_blocked > 0)
        words.details.push_back({ATTNLAB_TEXT("blocked keys that it reads all the same: %1"),
                                 {std::to_string(reading.read_though_blocked)}});
    std::erase_if(words.details, [](const Message& detail) { return detail.empty(); });
}

ReadingText signed_words(const Reading& reading, const TokenNaming& names) {
    const auto& most = reading.keys.front();
    const auto& least = reading.keys.back();
    return {{ATTNLAB_TEXT("The weights of %1 are not shares: %2 of %3 are negative"),
             {names.within(), std::to_string(reading.negative), std::to_string(reading.all_keys)}},
            {{ATTNLAB_TEXT("largest %1, smallest %2"),
              {names.item(most.key, number(most.weight)), names.item(least.key, number(least.weight))}},
             {ATTNLAB_TEXT("sum %1"), {number(reading.sum)}}}};
}

} // namespace

std::string share_text(double share) {
    const double percent = share * 100.0;
    if (percent > 0.0 && percent < 0.05)
        return "< 0.1%";
    if (percent >= 99.5 && share < 1.0 - 1e-9)
        return over_99;
    return printed(percent > 0.0 && percent < 0.95 ? "%.1f" : "%.0f", percent) + "%";
}

ReadingText words_of(const Reading& reading, const TokenNaming& names) {
    switch (reading.kind) {
    case Reading::Kind::None:
        return {};
    case Reading::Kind::Blocked:
        return {{ATTNLAB_TEXT("%1 reads nothing: every key is blocked"), {names.query}}, {}};
    case Reading::Kind::Zero:
        return {{ATTNLAB_TEXT("%1 reads nothing: all its weights are 0"), {names.query}}, {}};
    case Reading::Kind::NotNumbers:
        return {{ATTNLAB_TEXT("The weights of %1 are not all finite numbers"), {names.within()}}, {}};
    case Reading::Kind::Signed:
        return signed_words(reading, names);
    case Reading::Kind::Unnormalised:
    case Reading::Kind::Shares:
        break;
    }
    ReadingText words{claim_of_largest(reading, names), {}};
    add_details(words, reading, names);
    return words;
}

namespace {

/// True when one key has the largest weight of a row without negative weights.
bool has_first_key(const Reading& reading) {
    return (reading.kind == Reading::Kind::Shares || reading.kind == Reading::Kind::Unnormalised) && reading.alike == 1;
}

/// By key; 0 where it may not be read.
std::vector<double> weights_of(const Reading& reading) {
    std::vector<double> weights(static_cast<std::size_t>(reading.all_keys));
    for (const auto& [key, weight] : reading.keys)
        weights[static_cast<std::size_t>(key)] = weight;
    return weights;
}

Message claim_of_both(const Reading& a, const Reading& b, const TokenNaming& names) {
    const auto &first = a.keys.front(), &second = b.keys.front();
    const auto in_a = weight_text(a, first.weight), in_b = weight_text(b, second.weight);
    return first.key == second.key ? Message(ATTNLAB_TEXT("%1 reads %2 the most: %3 in A, %4 in B"),
                                             {names.query, names.key(first.key), in_a, in_b})
                                   : Message(ATTNLAB_TEXT("%1 reads %2 the most in A (%3), %4 in B (%5)"),
                                             {names.query, names.key(first.key), in_a, names.key(second.key), in_b});
}

} // namespace

ReadingText words_of_both(const Reading& a, const Reading& b, const TokenNaming& names) {
    auto words = words_of(a, names);
    if (a.kind == Reading::Kind::None || b.kind == Reading::Kind::None)
        return words;
    if (a.kind == Reading::Kind::NotNumbers || b.kind == Reading::Kind::NotNumbers || a.all_keys != b.all_keys)
        return {{ATTNLAB_TEXT("A: %1"), {words.claim}}, {{ATTNLAB_TEXT("B: %1"), {words_of(b, names).claim}}}};
    const auto in_a = weights_of(a), in_b = weights_of(b);
    const double nothing = alike_within * std::max(a.largest(), b.largest());
    std::size_t most = 0; // the first of those that change alike
    double change = 0.0;
    for (std::size_t key = 0; key < in_a.size(); ++key)
        if (const double size = std::abs(in_b[key] - in_a[key]); size > change + nothing) {
            most = key;
            change = size;
        }
    if (change == 0.0) {
        words.details.insert(words.details.begin(), Message(ATTNLAB_TEXT("the same in A and B")));
        return words;
    }
    if (has_first_key(a) && has_first_key(b))
        words = {claim_of_both(a, b, names), {}};
    else
        words = {{ATTNLAB_TEXT("A: %1"), {words.claim}}, {{ATTNLAB_TEXT("B: %1"), {words_of(b, names).claim}}}};
    words.details.push_back(
        {ATTNLAB_TEXT("most changed: %1, from %2 to %3"),
         {names.key(static_cast<std::int64_t>(most)), weight_text(a, in_a[most]), weight_text(b, in_b[most])}});
    if (a.kind == Reading::Kind::Shares && b.kind == Reading::Kind::Shares)
        words.details.push_back({names.are_words ? ATTNLAB_TEXT("about %1 words in A, %2 in B")
                                                 : ATTNLAB_TEXT("about %1 keys in A, %2 in B"),
                                 {count_text(a.effective_keys), count_text(b.effective_keys)}});
    return words;
}

} // namespace attnlab::explain
