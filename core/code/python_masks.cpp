// Positions and masks.
#include "core/code/python_arrays.h"
#include "core/code/python_steps.h"
#include "core/code/writers.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>

namespace attnlab::code {
namespace {

std::string whole(std::int64_t value) { return std::to_string(value); }

std::int64_t size_of(const ResolvedProblem& problem, const char* symbol) { return problem.sizes.find(symbol)->second; }

/// "i", "i + 3", "i - 3".
std::string shifted_row(std::int64_t by) { return by == 0 ? "i" : by > 0 ? "i + " + whole(by) : "i - " + whole(-by); }

/// The position of query i; (B,1,L,1) where the sequences have different offsets.
std::string position_at(const QueryOffsets& offsets) {
    const auto common = offsets.common();
    return common ? shifted_row(*common) : "i + query_offset[:, None, None, None]";
}

/// The same where an operator precedes or follows it.
std::string operand(const std::string& position) { return position == "i" ? position : "(" + position + ")"; }

/// The largest distance of an offset from 0.
std::int64_t farthest_offset(const ResolvedProblem& problem, const QueryOffsets& offsets) {
    std::int64_t farthest = 0;
    for (std::int64_t b = 0; b < size_of(problem, "B"); ++b)
        farthest = std::max(farthest, std::abs(offsets.of(b)));
    return farthest;
}

std::string alibi(const ResolvedProblem& problem) {
    const auto heads = size_of(problem, "H");
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const auto share = "np.arange(1, " + whole(power + 1) + ") / " + whole(power);
    const auto finer = "np.arange(1, " + whole(2 * (heads - power)) + ", 2) / " + whole(2 * power);
    const auto shares = heads == power ? share : "np.concatenate([" + share + ", " + finer + "])";
    return "slopes = 2.0 ** (-8 * " + shares + ")\nposition_bias = -slopes[:, None, None] * np.abs(" +
           operand(position_at(position_offsets(problem))) + " - j)\n";
}

/// The first distance of each bucket of one direction, as far as distances reach.
std::string bucket_starts(const ResolvedProblem& problem, std::int64_t buckets, std::int64_t farthest) {
    const auto far = problem.spec.position.parameters.integer("max_distance");
    const auto bucket = [&](std::int64_t distance) { return t5_bucket(-distance, buckets, far, false); };
    std::string text = "0";
    for (std::int64_t k = 1; k < buckets && bucket(farthest) >= k; ++k) {
        std::int64_t below = 0, reached = farthest;
        while (reached - below > 1) {
            const auto middle = below + (reached - below) / 2;
            (bucket(middle) >= k ? reached : below) = middle;
        }
        text += ", " + whole(reached);
    }
    return text;
}

std::string t5(const ResolvedProblem& problem) {
    const auto& values = problem.spec.position.parameters;
    const bool both = values.boolean("bidirectional");
    const auto buckets = problem.tensors.find("relative_attention_bias")->second.dim(0) / (both ? 2 : 1);
    const auto offsets = position_offsets(problem);
    const auto farthest = size_of(problem, "L") + size_of(problem, "S") + farthest_offset(problem, offsets);
    const auto position = position_at(offsets), from = operand(position);
    const auto distance = both ? "np.abs(j - " + from + ")" : "np.clip(" + from + " - j, 0, None)";
    const auto later = both ? " + " + whole(buckets) + " * (j > " + position + ")" : std::string();
    const auto* bias = offsets.common() ? "np.moveaxis(relative_attention_bias[bucket], -1, 0)"
                                        : "np.moveaxis(relative_attention_bias[bucket][:, 0], -1, 1)";
    return "starts = np.array([" + bucket_starts(problem, buckets, farthest) +
           "])  # the first distance of each bucket\nbucket = np.searchsorted(starts, " + distance +
           ", side=\"right\") - 1" + later + "\nposition_bias = " + bias + "\n";
}

/// The array with four axes where it has a matrix for each head of each batch, in one axis.
std::string per_cell(const ResolvedProblem& problem, const std::string& name) {
    const auto& shape = problem.tensors.find(name)->second.shape();
    const auto B = size_of(problem, "B"), H = size_of(problem, "H");
    if (shape.size() != 3 || B == 1 || shape[0] != B * H)
        return name;
    return name + ".reshape(" + whole(B) + ", " + whole(H) + ", " + whole(shape[1]) + ", " + whole(shape[2]) + ")";
}

/// Whether `code` uses the variable of that one letter.
bool has_name(std::string_view code, char letter) {
    const auto continues = [&](std::size_t at) {
        return at < code.size() && (std::isalnum(static_cast<unsigned char>(code[at])) || code[at] == '_');
    };
    for (auto at = code.find(letter); at != code.npos; at = code.find(letter, at + 1))
        if (!continues(at + 1) && (at == 0 || !continues(at - 1)))
            return true;
    return false;
}

/// Which cells a mask keeps, of `i` and `j`.
std::string condition(const ResolvedProblem& problem, const Selection& mask) {
    if (mask.id == "causal" && mask.parameters.choice("alignment") == "bottom_right")
        return "j <= " + shifted_row(size_of(problem, "S") - size_of(problem, "L"));
    const auto position =
        mask_kind(mask.id).uses_positions ? position_at(query_offsets(problem.spec, problem.tensors)) : std::string();
    if (mask.id == "causal")
        return "j <= " + position;
    if (mask.id == "window") {
        const auto [left, right] = window_reaches(mask.parameters);
        if (left && right && *left == *right)
            return "np.abs(" + position + " - j) <= " + whole(*left);
        const auto before = left ? operand(position) + " - j <= " + whole(*left) : std::string();
        const auto after = right ? "j - " + operand(position) + " <= " + whole(*right) : std::string();
        return left && right ? "(" + before + ") & (" + after + ")" : left ? before : after;
    }
    if (mask.id == "prefix")
        return "(j < " + whole(mask.parameters.integer("p")) + ") | (j <= " + position + ")";
    if (mask.id == "valid_lens") {
        const bool per_query = problem.tensors.find("valid_lens")->second.rank() == 2;
        return per_query ? "j < valid_lens[:, None, :, None]" : "j < valid_lens[:, None, None, None]";
    }
    if (mask.id == "key_padding")
        return "~key_padding_mask[:, None, None, :]";
    if (mask.id == "attn_mask")
        return (problem.spec.mask_true == MaskTrue::Keeps ? "" : "~") + per_cell(problem, "attn_mask");
    if (mask.id != "painted")
        fail_without_code(mask.id);
    return "~" + per_cell(problem, "painted_mask");
}

} // namespace

std::string rotation_of(const ResolvedProblem& problem) {
    const auto& values = problem.spec.position.parameters;
    const bool half = values.choice("style") == "half";
    const auto offsets = position_offsets(problem);
    const auto common = offsets.common();
    const auto offset = !common        ? std::string(" + query_offset[:, None, None]")
                        : *common == 0 ? std::string()
                        : *common > 0  ? " + " + whole(*common)
                                       : " - " + whole(-*common);
    const std::string turned = "x * cos - y * sin, x * sin + y * cos], axis=-1)";
    return "def rotated(rows, positions):\n    half = rows.shape[-1] // 2\n    angles = positions[..., None] * " +
           float_text(values.real("base")) +
           " ** (-np.arange(half) / half)\n    cos, sin = np.cos(angles), np.sin(angles)\n    x, y = " +
           (half ? "rows[..., :half], rows[..., half:]\n    return np.concatenate([" + turned
                 : "rows[..., 0::2], rows[..., 1::2]\n    return np.stack([" + turned + ".reshape(rows.shape)") +
           "\n\n\nquery = rotated(query, np.arange(query.shape[-2])" + offset +
           ")\nkey = rotated(key, np.arange(key.shape[-2]))\n";
}

std::string row_and_column_of(const ResolvedProblem& problem) {
    const auto& position = problem.spec.position.id;
    bool rows = position == "alibi" || position == "t5", columns = rows;
    for (const auto& condition : conditions_of(problem)) {
        rows = rows || has_name(condition, 'i');
        columns = columns || rows || has_name(condition, 'j');
    }
    return std::string(rows ? "i = np.arange(query.shape[-2])[:, None]\n" : "") +
           (columns ? "j = np.arange(key.shape[-2])\n" : "");
}

std::string position_bias_of(const ResolvedProblem& problem) {
    const auto& id = problem.spec.position.id;
    if (id == "alibi")
        return alibi(problem);
    if (id == "t5")
        return t5(problem);
    if (!id.empty() && id != "rope")
        fail_without_code(id);
    return {};
}

std::string bias_of(const ResolvedProblem& problem) {
    const auto& masks = problem.spec.masks;
    return std::ranges::find(masks, "attn_bias", &Selection::id) == masks.end() ? std::string()
                                                                                : per_cell(problem, "attn_bias");
}

std::vector<std::string> conditions_of(const ResolvedProblem& problem) {
    std::vector<std::string> conditions;
    for (const auto& mask : masks_of(problem))
        if (mask.id != "attn_bias" && !keeps_all(mask))
            if (const auto text = condition(problem, mask); std::ranges::find(conditions, text) == conditions.end())
                conditions.push_back(text);
    if (conditions.size() > 1)
        for (auto& text : conditions)
            if (!text.starts_with('~') && text.find(' ') != text.npos)
                text = "(" + text + ")";
    return conditions;
}

} // namespace attnlab::code
