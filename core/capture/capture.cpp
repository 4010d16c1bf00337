#include "core/capture/capture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnlab {
namespace {

using KnownSizes = std::map<char, std::int64_t>;

[[noreturn]] void refuse(const Capture& capture, const std::string& array, const Tensor& tensor,
                         const Message& expected) {
    throw Error({ATTNLAB_TEXT("%1: %2 has the shape %3, expected %4"),
                 {capture.file, array, to_string(tensor.shape()), expected}});
}

/// "(B = 1, H = 4, L, E)": sizes that are known.
std::string described(const std::string& axes, const KnownSizes& sizes) {
    std::string text;
    for (const char axis : axes) {
        const auto known = sizes.find(axis);
        text += (text.empty() ? "(" : ", ") + (axis == 'K' ? std::string("Hkv") : std::string(1, axis)) +
                (known == sizes.end() ? "" : " = " + std::to_string(known->second));
    }
    return text + ")";
}

/// Compares a shape with sizes that are known, and learns the others.
void bind_axes(const Capture& capture, const std::string& array, const Tensor& tensor, const std::string& axes,
               KnownSizes& sizes) {
    const auto& shape = tensor.shape();
    bool fits = shape.size() == axes.size();
    for (std::size_t axis = 0; fits && axis < axes.size(); ++axis)
        fits = sizes.try_emplace(axes[axis], shape[axis]).first->second == shape[axis];
    if (!fits)
        refuse(capture, array, tensor, {"%1", {described(axes, sizes)}});
}

const Tensor& required(const Capture& capture, const std::string& name) {
    if (const auto* tensor = capture.tensor(name))
        return *tensor;
    throw Error({ATTNLAB_TEXT("%1: the array %2 is missing"), {capture.file, name}});
}

/// (B|1, H|1, L|1, S), of numbers of the right kind.
void check_cells(const Capture& capture, const std::string& name, const KnownSizes& sizes, bool is_mask) {
    if (name.empty())
        return;
    const auto& cells = required(capture, name);
    const auto& shape = cells.shape();
    bool fits = shape.size() == 4 && shape[3] == sizes.at('S');
    for (std::size_t axis = 0; fits && axis < 3; ++axis)
        fits = shape[axis] == 1 || shape[axis] == sizes.at("BHL"[axis]);
    if (!fits)
        refuse(capture, name, cells,
               {ATTNLAB_TEXT("%1, where B, H and L may be 1"),
                {described("BHLS",
                           {{'B', sizes.at('B')}, {'H', sizes.at('H')}, {'L', sizes.at('L')}, {'S', sizes.at('S')}})}});
    if ((cells.dtype() == DType::Bool) != is_mask)
        throw Error({ATTNLAB_TEXT("%1: %2 has the type %3, expected %4"),
                     {capture.file, name, std::string(name_of(cells.dtype())),
                      is_mask ? Message("bool") : Message(ATTNLAB_TEXT("floats"))}});
}

void check_labels(const Capture& capture, const std::string& name, std::int64_t batch, std::int64_t count) {
    if (name.empty())
        return;
    const auto found = capture.tokens.find(name);
    if (found == capture.tokens.end())
        throw Error({ATTNLAB_TEXT("%1: the tokens '%2' are missing"), {capture.file, name}});
    const auto& lists = found->second;
    if (std::ssize(lists) != 1 && std::ssize(lists) != batch)
        throw Error({ATTNLAB_TEXT("%1: tokens '%2': has %3 lists, expected %4, one for each sequence, or 1"),
                     {capture.file, name, std::to_string(lists.size()), std::to_string(batch)}});
    for (const auto& labels : lists)
        if (std::ssize(labels) != count)
            throw Error({ATTNLAB_TEXT("%1: tokens '%2': has %3 labels, expected %4"),
                         {capture.file, name, std::to_string(labels.size()), std::to_string(count)}});
}

void check(const Capture& capture, const CapturedPass& pass) {
    KnownSizes sizes{{'H', pass.heads}, {'K', pass.key_value_heads}};
    const auto optional = [&](const char* what, const char* axes) {
        if (const auto* tensor = capture.tensor(pass.array(what)))
            bind_axes(capture, pass.array(what), *tensor, axes, sizes);
    };
    const auto weights = pass.array("weights");
    if (const auto* tensor = capture.tensor(weights); tensor && !capture.tensor(pass.array("query"))) {
        bind_axes(capture, weights, *tensor, "BHLS", sizes);
    } else {
        bind_axes(capture, pass.array("query"), required(capture, pass.array("query")), "BHLE", sizes);
        bind_axes(capture, pass.array("key"), required(capture, pass.array("key")), "BKSE", sizes);
        optional("value", "BKSV");
        optional("lse", "BHL");
        optional("sinks", "H");
        optional("weights", "BHLS");
    }
    if (pass.heads < 1 || pass.key_value_heads < 1 || pass.heads % pass.key_value_heads != 0)
        throw Error({ATTNLAB_TEXT("%1: pass '%2': has %3 heads and %4 key-value heads, expected a multiple"),
                     {capture.file, pass.name, std::to_string(pass.heads), std::to_string(pass.key_value_heads)}});
    check_cells(capture, pass.mask, sizes, true);
    check_cells(capture, pass.bias, sizes, false);
    check_labels(capture, pass.query_tokens, sizes.at('B'), sizes.at('L'));
    check_labels(capture, pass.key_tokens, sizes.at('B'), sizes.at('S'));
}

struct Reason {
    std::string_view id;
    const char* text;
};

constexpr std::array reasons{
    Reason{"mask", ATTNLAB_TEXT("the mask")},
    Reason{"causal", ATTNLAB_TEXT("the causal mask")},
    Reason{"window", ATTNLAB_TEXT("the window")},
    Reason{"padding", ATTNLAB_TEXT("the padding")},
    Reason{"documents", ATTNLAB_TEXT("the documents packed into one sequence")},
    Reason{"soft_cap", ATTNLAB_TEXT("the soft cap")},
    Reason{"sinks", ATTNLAB_TEXT("the sinks")},
    Reason{"dropout", ATTNLAB_TEXT("dropout")},
    Reason{"not_finite", ATTNLAB_TEXT("numbers that are not finite")},
};

Message listed_reasons(const std::vector<std::string>& ids) {
    std::vector<Message> texts;
    for (const auto& id : ids)
        texts.emplace_back(std::ranges::find(reasons, std::string_view(id), &Reason::id)->text);
    return joined(texts, ATTNLAB_TEXT("%1, %2"));
}

} // namespace

bool is_capture_reason(std::string_view reason) {
    return std::ranges::find(reasons, reason, &Reason::id) != reasons.end();
}

std::vector<Message> CapturedPass::remarks() const {
    std::vector<Message> found;
    if (!ignored.empty())
        found.push_back({ATTNLAB_TEXT("%1: the attention function ignored: %2. The pass is recorded as computed"),
                         {name, listed_reasons(ignored)}});
    if (differs > 0.0) {
        const auto percent = to_text(std::max(0.01, std::round(1e4 * differs) / 100.0));
        if (likely.empty())
            found.push_back({ATTNLAB_TEXT("%1: the record differs from what the attention function returned, by %2% of "
                                          "its largest number"),
                             {name, percent}});
        else
            found.push_back({ATTNLAB_TEXT("%1: the record differs from what the attention function returned, by %2% of "
                                          "its largest number. Likely reason: %3"),
                             {name, percent, listed_reasons(likely)}});
    }
    return found;
}

std::vector<std::string> CapturedPass::arrays() const {
    std::vector<std::string> names;
    for (const char* what : {"query", "key", "value", "lse", "sinks", "weights"})
        names.push_back(array(what));
    for (const auto& cells : {mask, bias})
        if (!cells.empty())
            names.push_back(cells);
    return names;
}

const CapturedPass* Capture::find(std::string_view pass) const {
    const auto found = std::ranges::find(passes, pass, &CapturedPass::name);
    return found == passes.end() ? nullptr : &*found;
}

const Tensor* Capture::tensor(const std::string& name) const {
    const auto found = tensors.find(name);
    return found == tensors.end() ? nullptr : &found->second;
}

std::vector<std::string> Capture::pass_names() const {
    std::vector<std::string> names;
    for (const auto& pass : passes)
        names.push_back(pass.name);
    return names;
}

std::vector<std::string> Capture::labels(std::string_view name, std::int64_t batch) const {
    const auto found = tokens.find(name);
    if (found == tokens.end() || (batch > 1 && found->second.size() > 1))
        return {};
    return found->second.front();
}

void check(const Capture& capture) {
    for (const auto& pass : capture.passes)
        check(capture, pass);
}

} // namespace attnlab
