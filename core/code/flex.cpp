// PyTorch's flex_attention: mask_mod and score_mod as functions of one cell. Dong et al. 2024, arXiv 2412.05496.
#include "core/code/python_steps.h"
#include "core/code/writers.h"
#include "core/expression/written.h"
#include "core/mechanisms.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"

#include <algorithm>
#include <string>
#include <vector>

namespace attnlab::code {

std::optional<Message> refusal_of_flex(const ResolvedProblem& problem) {
    const auto& spec = problem.spec;
    if (!problem.mechanism->code)
        return Message{ATTNLAB_TEXT("%1 has no short code: it takes more than a few steps"), {spec.variant}};
    if (const auto code = problem.mechanism->code(problem);
        !code.rows.empty() || !code.own_weights.empty() || !code.selection.empty())
        return Message{ATTNLAB_TEXT("flex_attention computes one softmax of dot products; %1 takes more steps"),
                       {spec.variant}};
    if (!problem.mechanism->dot_product_form)
        return Message{ATTNLAB_TEXT("flex_attention computes dot products; %1 has other scores"), {spec.variant}};
    if (const auto& mode = scale_mode(spec.scale.id); !mode.factor || mode.row_norm == RowNorm::RootMeanSquare)
        return Message{ATTNLAB_TEXT("flex_attention multiplies scores by one number; the scale %1 is more than that"),
                       {spec.scale.id}};
    if (!spec.normaliser.id.empty())
        return Message{ATTNLAB_TEXT("flex_attention has softmax alone; the normaliser is %1"), {spec.normaliser.id}};
    if (!spec.decay.id.empty())
        return Message{ATTNLAB_TEXT("The decay %1 has no short score_mod"), {spec.decay.id}};
    if (spec.scale_after_softmax)
        return Message{ATTNLAB_TEXT("flex_attention scales before the softmax")};
    if (spec.mask_fill != MaskFill() && !masks_of(problem).empty())
        return Message{ATTNLAB_TEXT("flex_attention blocks by -inf; the mask fill is %1"),
                       {to_text(spec.mask_fill.value)}};
    if (!spec.position.id.empty() && spec.position.id != "rope" && spec.position.id != "alibi")
        return Message{ATTNLAB_TEXT("The position %1 has no short score_mod"), {spec.position.id}};
    return std::nullopt;
}

namespace {

/// `text` with the variables i and j, each a word of its own, in the names of flex_attention.
std::string with_names_of_flex(const std::string& text) {
    const std::pair<std::string, std::string> names[] = {{"i", "q_idx"}, {"j", "kv_idx"}};
    return with_renamed_words(text, names);
}

class FlexWriter {
public:
    explicit FlexWriter(const ResolvedProblem& problem)
        : problem_(problem), spec_(problem.spec), sizes_(mask_context(problem.sizes)) {}

    std::string text() {
        std::string text = projects(*problem_.mechanism) ? projections_of(problem_) : four_axes_of(problem_);
        const auto norm = scale_mode(spec_.scale.id).row_norm;
        if (norm == RowNorm::Length)
            for (const char* name : {"query", "key"})
                text += std::string(name) + " = torch.nn.functional.normalize(" + name + ", dim=-1)\n";
        if (spec_.position.id == "rope")
            text += rotation_of(problem_);
        const auto score = score_mod();
        const auto condition = mask_mod();
        text += tables_;
        if (!score.empty())
            text += "\n\ndef score_mod(score, b, h, q_idx, kv_idx):\n" + score;
        if (!condition.empty())
            text += "\n\ndef mask_mod(b, h, q_idx, kv_idx):\n    return " + condition + "\n";
        text += score.empty() && condition.empty() ? "" : "\n\n";
        const auto number = [](std::int64_t size) { return std::to_string(size); };
        if (!condition.empty())
            text += "block_mask = create_block_mask(mask_mod, " + number(sizes_.B) + ", " + number(sizes_.H) + ", " +
                    number(sizes_.L) + ", " + number(sizes_.S) + ", device=\"cpu\")\n";
        const bool shares = key_heads(problem_) != sizes_.H;
        const bool many = has_heads(*problem_.mechanism);
        text += std::string(many ? "head_output" : "output") + " = flex_attention(query, key, value" +
                (score.empty() ? "" : ", score_mod=score_mod") + (condition.empty() ? "" : ", block_mask=block_mask") +
                ", scale=" + scale() + (shares ? ", enable_gqa=True" : "") + ")\n";
        if (many) {
            text +=
                "output = head_output.swapaxes(1, 2).reshape(" + number(sizes_.B) + ", " + number(sizes_.L) + ", -1)";
            if (problem_.tensors.contains("w_o"))
                text += problem_.tensors.contains("b_o") ? " @ w_o + b_o" : " @ w_o";
            text += "\n";
        }
        if (wants_similarity(spec_.parameters))
            text += "similarity = output @ output.swapaxes(-1, -2)\n";
        return in_words_of(Language::Flex, std::move(text));
    }

private:
    std::string scale() const {
        const auto one = scaled_of(problem_, "1.0");
        return one.starts_with("1.0 * ") ? one.substr(6) : one;
    }

    /// The offset of the sequence of the cell.
    std::string offset_text(const QueryOffsets& offsets) const {
        const auto common = offsets.common();
        return common ? std::to_string(*common) : "query_offset[b]";
    }
    std::string position(const QueryOffsets& offsets) const {
        const auto common = offsets.common();
        return common ? shifted("q_idx", *common) : "q_idx + query_offset[b]";
    }
    QueryOffsets offsets() const { return query_offsets(spec_, problem_.tensors); }

    /// The element of an array that broadcasts to (B,H,L,S).
    std::string cell_of(const std::string& name) {
        const auto& shape = problem_.tensors.find(name)->second.shape();
        const std::string variables[] = {"b", "h", "q_idx", "kv_idx"};
        if (shape.size() == 3 && shape[0] == sizes_.B * sizes_.H && sizes_.B > 1)
            return name + "[b * " + std::to_string(sizes_.H) + " + h, " + (shape[1] == 1 ? "0" : "q_idx") + ", " +
                   (shape[2] == 1 ? "0" : "kv_idx") + "]";
        std::string indices;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            indices +=
                (axis == 0 ? "" : ", ") + (shape[axis] == 1 ? std::string("0") : variables[axis + 4 - shape.size()]);
        return name + "[" + indices + "]";
    }

    std::string condition_of(const Band& band) const {
        const auto place = position(offsets()), before = "(" + place + ") - kv_idx <= " + std::to_string(band.before);
        std::string after = "kv_idx <= " + shifted(place, band.after);
        if (band.prefix > 0)
            after = "(kv_idx < " + std::to_string(band.prefix) + ") | (" + after + ")";
        if (band.before == Band::unlimited)
            return band.after == Band::unlimited ? std::string("kv_idx >= 0") : after;
        return band.after == Band::unlimited ? before : "(" + before + ") & (" + after + ")";
    }

    NameInCode names() const {
        const auto known = offsets();
        const auto cell =
            names_of_cell({sizes_, {}, problem_.tensors, "i", known.common(), known.is_given()}, "query_offset[b]");
        return [cell](const std::string& name) {
            return name == "q" ? std::string("q_idx") : name == "k" ? std::string("kv_idx") : cell(name);
        };
    }

    std::string condition_of(const Selection& mask) {
        const auto& kind = mask_kind(mask.id);
        if (kind.band)
            return condition_of(kind.band(sizes_, mask.parameters));
        if (kind.rules) {
            const CellExpression expression(mask.parameters.choice("expression"), CellExpression::Meaning::Mask);
            const auto text = in_python(expression, names());
            const auto reads = [&](const char* name) { return expression.reads(name); };
            return reads("b") || reads("h") || reads("q") || reads("k") ? text : "(kv_idx >= 0) & (" + text + ")";
        }
        if (kind.intervals)
            return condition_of_intervals(mask);
        const auto name = std::string(array_of(kind).name);
        if (name == "valid_lens")
            return "kv_idx < valid_lens[b" +
                   std::string(problem_.tensors.find(name)->second.rank() == 2 ? ", q_idx]" : "]");
        if (name == "key_padding_mask")
            return "~key_padding_mask[" + std::string(problem_.tensors.find(name)->second.dim(0) == 1 ? "0" : "b") +
                   ", kv_idx]";
        return (kind.uses_mask_true && spec_.mask_true == MaskTrue::Keeps ? "" : "~") + cell_of(name);
    }

    /// Element by element where the rule needs no other tokens; a table of all cells otherwise.
    std::string condition_of_intervals(const Selection& mask) {
        const auto known = offsets();
        const auto& kind = mask_kind(mask.id);
        const bool by_cell = kind.inputs.size() <= 1; // the offsets alone
        const auto place = known.common() ? shifted("i", *known.common()) : std::string("i + query_offset[b]");
        const auto of_arrays = known.common() ? place : std::string("i + query_offset[:, None, None, None]");
        const auto bracketed = [](const std::string& text) { return text == "i" ? text : "(" + text + ")"; };
        const auto text = kind.python_of({sizes_, mask.parameters, problem_.tensors,
                                          bracketed(by_cell ? place : of_arrays), known.common(), known.is_given()});
        if (by_cell)
            return with_names_of_flex(text);
        const auto table = mask.id + "_keeps";
        tables_ += "i = np.arange(query.shape[-2])[:, None]\nj = np.arange(key.shape[-2])\n" + table + " = (" + text +
                   ").expand(" + std::to_string(sizes_.B) + ", 1, -1, -1)\n";
        return table + "[b, 0, q_idx, kv_idx]";
    }

    std::string mask_mod() {
        std::vector<std::string> conditions;
        auto masks = masks_of(problem_);
        if (combines_otherwise(spec_)) {
            conditions.push_back(combined());
            masks.clear();
            if (const auto implied = problem_.mechanism->implied_mask; !implied.empty())
                masks.push_back(complete_mask({std::string(implied), {}}));
        }
        for (const auto& mask : masks)
            if (!mask_kind(mask.id).adds && !keeps_all(problem_, mask))
                conditions.push_back(condition_of(mask));
        std::string all;
        for (const auto& condition : conditions)
            all += (all.empty() ? "" : " & ") + (conditions.size() > 1 ? "(" + condition + ")" : condition);
        return all;
    }

    std::string combined() {
        const auto names = names_in_combination(spec_.masks);
        std::vector<std::string> texts;
        for (const auto& mask : spec_.masks)
            if (!mask_kind(mask.id).adds)
                texts.push_back("(" + condition_of(mask) + ")");
        std::string any;
        for (const auto& text : texts)
            any += (any.empty() ? "" : " | ") + text;
        return spec_.mask_combine == "or"
                   ? any
                   : in_python(
                         CellExpression(spec_.mask_combine, CellExpression::Meaning::Combination, names),
                         [&](const std::string& name) {
                             return texts[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
                         });
    }

    /// The lines of the function; empty where scores stay as they are.
    std::string score_mod() {
        std::string lines;
        if (spec_.position.id == "alibi") {
            tables_ += alibi_slopes(problem_);
            lines +=
                "    score = score - slopes[h] * torch.abs(" + position(position_offsets(problem_)) + " - kv_idx)\n";
        }
        if (const auto* mask = find_mask(spec_.masks, &MaskKind::adds))
            lines += "    score = score + " + cell_of(std::string(array_of(mask_kind(mask->id)).name)) + "\n";
        if (!spec_.score_mod.empty()) {
            const CellExpression expression(spec_.score_mod, CellExpression::Meaning::ScoreMod);
            return lines + "    return " + in_python(expression, names()) + "\n";
        }
        return lines.empty() ? lines : lines + "    return score\n";
    }

    const ResolvedProblem& problem_;
    const AttentionSpec& spec_;
    const MaskContext sizes_;
    std::string tables_;
};

} // namespace

std::string flex_of(const ResolvedProblem& problem, const TensorMap& given, std::string_view file) {
    const auto steps = FlexWriter(problem).text();
    auto read = problem;
    if (steps.find("query_offset") == steps.npos)
        read.tensors.erase("query_offset"); // one offset for all sequences is written as a number
    auto arrays = python_arrays(read, given, Language::Flex, file, steps.find("math.") != steps.npos);
    const std::string import = "import torch\n";
    const bool uses_blocks = steps.find("create_block_mask") != steps.npos;
    arrays.insert(arrays.find(import) + import.size(), std::string("from torch.nn.attention.flex_attention import ") +
                                                           (uses_blocks ? "create_block_mask, " : "") +
                                                           "flex_attention\n");
    return arrays + (steps.starts_with('\n') ? "" : "\n") + steps;
}

} // namespace attnlab::code
