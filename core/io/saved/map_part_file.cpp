#include "core/io/saved/map_part_file.h"

#include "core/io/elements.h"
#include "core/io/json.h"
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/map/bin_totals.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace attnlab::io {
namespace {

constexpr const char* member = "map.json";
constexpr const char* part_format = "attnlab-map-part";
constexpr std::int64_t schema = 1;
constexpr std::int64_t most = std::int64_t{1} << 40; ///< of queries, keys and bins

Tensor tensor_of(const Floats& numbers, const MapBins& bins) {
    return Tensor({bins.rows, bins.columns}, std::vector<double>(numbers.begin(), numbers.end()), DType::Float32);
}

nlohmann::json range(std::int64_t first, std::int64_t last) { return nlohmann::json::array({first, last}); }

std::pair<std::int64_t, std::int64_t> range_in(const JsonNode& node, std::int64_t end) {
    const auto& items = node.items();
    if (items.size() != 2 || items[0].integer() < 0 || items[0].integer() >= items[1].integer() ||
        items[1].integer() > end)
        node.fail_expecting({"[first, last], 0 <= first < last <= %1", {std::to_string(end)}});
    return {items[0].integer(), items[1].integer()};
}

std::int64_t count_in(const JsonNode& node) {
    if (node.integer() < 1 || node.integer() > most)
        node.fail_expecting(ATTNLAB_TEXT("an integer from 1"));
    return node.integer();
}

std::int64_t index_in(const JsonNode& node) {
    if (node.integer() < 0 || node.integer() > most)
        node.fail_expecting(ATTNLAB_TEXT("an integer from 0"));
    return node.integer();
}

std::vector<std::string> tokens_in(const JsonNode& node, const std::string& file) {
    std::vector<std::string> tokens;
    for (const auto& token : node.items())
        add_label(token.text(), tokens, file);
    return tokens;
}

MapOrigin origin_in(const JsonNode& node) {
    node.require_keys({"settings", "checksums", "batch", "head"});
    MapOrigin origin;
    origin.settings = node.at("settings").text();
    origin.batch = index_in(node.at("batch"));
    origin.head = index_in(node.at("head"));
    for (const auto& [name, sum] : node.at("checksums").members())
        origin.checksums[name] = sum.text();
    return origin;
}

void read_description(const std::string& text, MapPart& part) {
    const auto json = parse_json(text, part.file + ": " + member);
    const auto& root = json.root();
    if (const auto& format = root.at("format"); !format.is_text(part_format))
        format.fail_expecting(part_format);
    if (const auto& number = root.at("schema"); number.integer() != schema)
        number.fail_expecting(ATTNLAB_TEXT("1: a newer version may mean something else"));
    root.require_keys({"format", "schema", "pool", "rows", "columns", "bin_rows", "bin_columns", "rows_of_bins",
                       "origin", "query_tokens", "key_tokens"});
    constexpr std::string_view pools[] = {"max", "mean"};
    part.pool = root.at("pool").one_of(pools) == "mean" ? Pool::Mean : Pool::Max;
    auto& cells = part.grid.cells;
    std::tie(cells.first_row, cells.last_row) = range_in(root.at("rows"), most);
    std::tie(cells.first_column, cells.last_column) = range_in(root.at("columns"), most);
    part.grid.bin_rows = count_in(root.at("bin_rows"));
    part.grid.bin_columns = count_in(root.at("bin_columns"));
    std::tie(part.rows.first, part.rows.last) = range_in(root.at("rows_of_bins"), part.grid.rows());
    part.origin = origin_in(root.at("origin"));
    part.query_tokens = tokens_in(root.at("query_tokens"), part.file);
    part.key_tokens = tokens_in(root.at("key_tokens"), part.file);
}

Floats numbers_in(const Archive& archive, const char* name, const MapPart& part) {
    const auto found = archive.tensors.find(name);
    if (found == archive.tensors.end())
        throw Error({ATTNLAB_TEXT("%1: has no array '%2', expected the bins of a part of a map"), {part.file, name}});
    const Shape expected{part.rows.size(), part.grid.columns()};
    if (found->second.shape() != expected)
        throw Error({ATTNLAB_TEXT("%1: '%2' has shape %3, expected %4"),
                     {part.file, name, to_string(found->second.shape()), to_string(expected)}});
    const auto values = found->second.values();
    return {values.begin(), values.end()};
}

std::string checksum(const Tensor& tensor, const RunControl& control) {
    auto sum = crc32(0, nullptr, 0);
    for (const auto extent : tensor.shape())
        sum = crc32(sum, reinterpret_cast<const Bytef*>(&extent), sizeof extent);
    in_pieces(tensor, [&](std::span<const double> piece) {
        control.checkpoint();
        sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size_bytes());
        return true;
    });
    char text[9];
    std::snprintf(text, sizeof text, "%08lx", static_cast<unsigned long>(sum));
    return text;
}

} // namespace

MapOrigin origin_of(const AttentionProblem& problem, std::int64_t batch, std::int64_t head, const RunControl& control) {
    AttentionProblem settings;
    settings.spec = problem.spec;
    settings.spec.statistics = false;
    MapOrigin origin{spec_to_json(settings), {}, batch, head};
    for (const auto& [name, tensor] : problem.tensors)
        if (name != "value")
            origin.checksums[name] = checksum(tensor, control);
    return origin;
}

void write_map_part(const std::filesystem::path& path, const MapPart& part) {
    const auto& cells = part.grid.cells;
    const nlohmann::json json{{"format", part_format},
                              {"schema", schema},
                              {"pool", part.pool == Pool::Mean ? "mean" : "max"},
                              {"rows", range(cells.first_row, cells.last_row)},
                              {"columns", range(cells.first_column, cells.last_column)},
                              {"bin_rows", part.grid.bin_rows},
                              {"bin_columns", part.grid.bin_columns},
                              {"rows_of_bins", range(part.rows.first, part.rows.last)},
                              {"origin",
                               {{"settings", part.origin.settings},
                                {"checksums", part.origin.checksums},
                                {"batch", part.origin.batch},
                                {"head", part.origin.head}}},
                              {"query_tokens", part.query_tokens},
                              {"key_tokens", part.key_tokens}};
    Archive archive;
    archive.others[member] = dump(json, 1) + "\n";
    archive.tensors["log2_max"] = tensor_of(part.bins.log2_max, part.bins);
    archive.tensors["kept"] = tensor_of(part.bins.kept, part.bins);
    if (part.pool == Pool::Mean)
        archive.tensors["sum"] = tensor_of(part.bins.sum, part.bins);
    write_npz(path, archive);
}

MapPart read_map_part(const std::filesystem::path& path) {
    MapPart part;
    part.file = path.string();
    const auto archive = read_npz(path, {}, Members::All);
    const auto description = archive.others.find(member);
    if (description == archive.others.end())
        throw Error(
            {ATTNLAB_TEXT("%1: is not a part of a map; expected a file of 'attnlab map --partial'"), {part.file}});
    read_description(description->second, part);
    part.bins.rows = part.rows.size();
    part.bins.columns = part.grid.columns();
    part.bins.log2_max = numbers_in(archive, "log2_max", part);
    part.bins.kept = numbers_in(archive, "kept", part);
    if (part.pool == Pool::Mean)
        part.bins.sum = numbers_in(archive, "sum", part);
    return part;
}

} // namespace attnlab::io

namespace attnlab {
namespace {

[[noreturn]] void refuse(const MapPart& part, const MapPart& first, const char* what) {
    throw Error({ATTNLAB_TEXT("%1 is a part of another map than %2: %3 differs"), {part.file, first.file, what}});
}

void require_same_map(const MapPart& part, const MapPart& first) {
    if (part.grid.cells != first.grid.cells)
        refuse(part, first, "the number of queries or keys");
    if (part.grid != first.grid)
        refuse(part, first, "the size of bins");
    if (part.pool != first.pool)
        refuse(part, first, "pool");
    if (part.origin.batch != first.origin.batch)
        refuse(part, first, "batch");
    if (part.origin.head != first.origin.head)
        refuse(part, first, "head");
    for (const auto& [name, sum] : part.origin.checksums)
        if (const auto other = first.origin.checksums.find(name);
            other == first.origin.checksums.end() || other->second != sum)
            refuse(part, first, name.c_str());
    if (part.origin != first.origin)
        refuse(part, first, "a setting");
}

/// Rows of bins as the queries they cover: "128:256".
std::string queries(const BinGrid& grid, std::int64_t first, std::int64_t last) {
    const auto at = [&](std::int64_t row) {
        return std::to_string(std::min(grid.cells.first_row + row * grid.bin_rows, grid.cells.last_row));
    };
    return at(first) + ":" + at(last);
}

/// The parts in order of their rows, which must follow each other without gaps.
std::vector<const MapPart*> in_order(const std::vector<MapPart>& parts) {
    std::vector<const MapPart*> order;
    order.reserve(parts.size());
    for (const auto& part : parts)
        order.push_back(&part);
    std::sort(order.begin(), order.end(),
              [](const MapPart* a, const MapPart* b) { return a->rows.first < b->rows.first; });
    const auto& grid = parts.front().grid;
    std::string missing;
    const auto lacks = [&](std::int64_t first, std::int64_t last) {
        if (first < last)
            missing += (missing.empty() ? "" : ", ") + queries(grid, first, last);
    };
    std::int64_t next = 0;
    const MapPart* before = nullptr;
    for (const auto* part : order) {
        if (before && part->rows.first < next)
            throw Error({ATTNLAB_TEXT("%1 and %2 both have the rows %3"),
                         {before->file, part->file, queries(grid, part->rows.first, std::min(next, part->rows.last))}});
        lacks(next, part->rows.first);
        next = part->rows.last;
        before = part;
    }
    lacks(next, grid.rows());
    if (!missing.empty())
        throw Error({ATTNLAB_TEXT("No part has the rows %1"), {missing}});
    return order;
}

} // namespace

MapBins merge(const std::vector<MapPart>& parts) {
    if (parts.empty())
        throw Error({ATTNLAB_TEXT("No parts of a map are given, expected at least one"), {}});
    for (const auto& part : parts)
        require_same_map(part, parts.front());
    const auto& grid = parts.front().grid;
    auto bins = bins_of(grid.rows(), grid.columns(), parts.front().pool == Pool::Mean);
    for (const auto* part : in_order(parts)) {
        const auto to = static_cast<std::ptrdiff_t>(bins.index(part->rows.first, 0));
        std::copy(part->bins.log2_max.begin(), part->bins.log2_max.end(), bins.log2_max.begin() + to);
        std::copy(part->bins.kept.begin(), part->bins.kept.end(), bins.kept.begin() + to);
        std::copy(part->bins.sum.begin(), part->bins.sum.end(),
                  bins.sum.empty() ? bins.sum.begin() : bins.sum.begin() + to);
    }
    return bins;
}

} // namespace attnlab
