#include "core/model/captured_heads.h"

namespace attnlab::model {
namespace {

/// `count` heads of (B,H,rows,width), from `first` on.
std::vector<float> heads_in(const Tensor& tensor, std::int64_t batch, std::int64_t first, std::int64_t count) {
    const auto numbers = tensor.dim(2) * tensor.dim(3);
    std::vector<float> read(static_cast<std::size_t>(count * numbers));
    tensor.read((batch * tensor.dim(1) + first) * numbers, read);
    return read;
}

std::vector<std::string> sequence_labels(const Capture& capture, const std::string& name, std::int64_t batch) {
    const auto found = capture.tokens.find(name);
    if (found == capture.tokens.end())
        return {};
    const auto& lists = found->second;
    return lists.size() == 1 ? lists.front() : lists[static_cast<std::size_t>(batch)];
}

} // namespace

CapturedSize size_of(const Capture& capture, const CapturedPass& pass) {
    if (const auto* query = capture.tensor(pass.array("query")))
        return {query->dim(0), query->dim(2), capture.tensor(pass.array("key"))->dim(2)};
    const auto& weights = *capture.tensor(pass.array("weights"));
    return {weights.dim(0), weights.dim(2), weights.dim(3)};
}

Pass pass_of(const Capture& capture, const CapturedPass& captured, std::int64_t batch,
             std::optional<std::int64_t> head) {
    const auto size = size_of(capture, captured);
    const auto first = head.value_or(0), count = head ? 1 : captured.heads;
    const auto cells_of = [&](const std::string& name) {
        const Tensor* tensor = name.empty() ? nullptr : capture.tensor(name);
        return tensor ? PassCells{*tensor, batch, first} : PassCells{};
    };
    Pass pass;
    pass.name = captured.name;
    pass.heads = count;
    pass.queries = size.queries;
    pass.keys = size.keys;
    const Tensor* query = capture.tensor(captured.array("query"));
    if (!query) {
        pass.given = cells_of(captured.array("weights"));
        return pass;
    }
    const Tensor& key = *capture.tensor(captured.array("key"));
    pass.key_value_heads = head ? 1 : captured.key_value_heads;
    pass.width = query->dim(3);
    pass.query = heads_in(*query, batch, first, count);
    pass.key = heads_in(key, batch, first / (captured.heads / captured.key_value_heads), pass.key_value_heads);
    pass.scale = captured.scale;
    pass.soft_cap = captured.soft_cap;
    pass.causal = captured.causal;
    pass.offset = captured.offset;
    pass.window = captured.window;
    if (const Tensor* sinks = capture.tensor(captured.array("sinks"))) {
        pass.sinks.resize(static_cast<std::size_t>(count));
        sinks->read(first, pass.sinks);
    }
    pass.kept = cells_of(captured.mask);
    pass.added = cells_of(captured.bias);
    return pass;
}

PassTokens tokens_of(const Capture& capture, const CapturedPass& pass, std::int64_t batch) {
    return {sequence_labels(capture, pass.query_tokens, batch), sequence_labels(capture, pass.key_tokens, batch),
            !pass.query_tokens.empty() && pass.query_tokens == pass.key_tokens && pass.offset == 0};
}

} // namespace attnlab::model
