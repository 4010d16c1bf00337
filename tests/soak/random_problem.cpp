#include "tests/soak/random_problem.h"

#include "core/inputs.h"
#include "core/io/saved/workspace_file.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <QCryptographicHash>

#include <bit>
#include <limits>

namespace attnlab::soak {
namespace {

template <class Table>
const auto& anyOf(const Table& table, Chance& chance) {
    return table[static_cast<std::size_t>(chance.below(static_cast<int>(table.size())))];
}

std::string randomLabel(Chance& chance) {
    static const char* const labels[] = {"the",
                                         "",
                                         " ",
                                         "<s>",
                                         "<img src=/dev/zero>",
                                         "&lt;b&gt;",
                                         "注意力机制",
                                         "e\u0301\u202Eabc",
                                         "👩‍👩‍👧‍👦",
                                         "a\nb\tc",
                                         "%1 %2",
                                         "the-quick-brown-fox-jumps-over-the-lazy"};
    std::string label = labels[chance.below(std::size(labels))];
    if (!chance.once_in(40))
        return label;
    std::string long_label;
    for (int i = 0; i < 200; ++i)
        long_label += label;
    return long_label;
}

int randomSize(Chance& chance) {
    if (chance.once_in(30))
        return 200 + chance.below(200);
    return chance.once_in(6) ? 1 : 2 + chance.below(chance.once_in(5) ? 40 : 9);
}

void spoil(Tensor& tensor, Chance& chance) {
    static constexpr double odd[] = {0.0,
                                     -0.0,
                                     1e308,
                                     -1e308,
                                     5e-324,
                                     3.4e38,
                                     -2.4e38,
                                     1e-45,
                                     1e16,
                                     std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
    const auto values = tensor.mutable_values();
    for (int i = 0; i < 3 && !values.empty(); ++i)
        values[static_cast<std::size_t>(chance.below(static_cast<int>(values.size())))] =
            odd[chance.below(std::size(odd))];
}

/// Workspaces hold every floating type as float64, with the same values (core/io/npy.h).
DType savedAs(const Tensor& tensor) {
    return tensor.dtype() == DType::Bool || tensor.dtype() == DType::Int64 ? tensor.dtype() : DType::Float64;
}

} // namespace

std::uint64_t Chance::bits() { // splitmix64
    state_ += 0x9e3779b97f4a7c15;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

AttentionSpec changedSpec(const AttentionSpec& spec, Chance& chance) {
    auto next = spec;
    switch (chance.below(6)) {
    case 0:
        next.variant = anyOf(mechanisms(), chance).id;
        next.parameters = {};
        return without_refused(next);
    case 1:
        next.scale = {std::string(anyOf(scale_modes(), chance).id), {}};
        break;
    case 2:
        next.position = {std::string(anyOf(position_terms(), chance).id), {}};
        break;
    case 3:
        next.masks.push_back({std::string(anyOf(mask_kinds(), chance).id), {}});
        break;
    case 4:
        next.masks.clear();
        break;
    default:
        next.statistics = !next.statistics;
    }
    return chance.once_in(10) ? next : without_refused(next);
}

AttentionProblem randomProblem(Chance& chance) {
    AttentionProblem problem;
    for (int i = chance.below(5); i >= 0; --i)
        problem.spec = changedSpec(problem.spec, chance);
    const std::int64_t B = chance.once_in(4) ? 2 : 1, H = chance.once_in(3) ? 4 : 1, L = randomSize(chance),
                       S = chance.once_in(2) ? L : randomSize(chance), E = 1 + chance.below(9);
    if (!chance.once_in(3)) {
        problem.tensors = {{"query", random_normal({B, H, L, E}, chance.bits())},
                           {"key", random_normal({B, H, S, E}, chance.bits())},
                           {"value", random_normal({B, H, S, E}, chance.bits())}};
    }
    try {
        complete_inputs(problem, chance.bits());
    } catch (const Error&) { // contradictory problems are opened too
    }
    for (auto& [name, tensor] : problem.tensors)
        if (chance.once_in(8) && tensor.dtype() == DType::Float64)
            spoil(tensor, chance);
    for (auto* tokens : {&problem.query_tokens, &problem.key_tokens})
        for (int i = chance.once_in(2) ? chance.below(static_cast<int>(L) + 3) : 0; i > 0; --i)
            tokens->push_back(randomLabel(chance));
    if (chance.once_in(4))
        problem.compared_with = changedSpec(problem.spec, chance);
    return problem;
}

QString randomNumber(Chance& chance) {
    static const char* const numbers[] = {"1",   "-2.5", "0",   "1e300", "-1e-300", "inf",
                                          "nan", "-inf", "1,5", "abc",   "",        "1/2",
                                          "--",  "0x10", "1e",  " 7 ",   "٣",       "9999999999999999"};
    return QString::fromUtf8(numbers[chance.below(std::size(numbers))]);
}

QByteArray digestOf(const AttentionProblem& problem) {
    QCryptographicHash hash(QCryptographicHash::Md5);
    const auto add = [&](const std::string& text) {
        hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size() + 1)));
    };
    add(io::spec_to_json(problem));
    for (const auto& [name, tensor] : problem.tensors) {
        add(name + to_string(tensor.shape()) + std::string(name_of(savedAs(tensor))));
        const auto bytes = std::as_bytes(tensor.values());
        hash.addData(QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
    }
    return hash.result().toHex();
}

QString differenceOf(const AttentionProblem& a, const AttentionProblem& b) {
    const auto text = [](const std::string& words) { return QString::fromStdString(words); };
    if (const auto left = io::spec_to_json(a), right = io::spec_to_json(b); left != right)
        return QStringLiteral("spec: %1 and %2").arg(text(left), text(right));
    for (const auto& [name, tensor] : a.tensors) {
        const auto found = b.tensors.find(name);
        if (found == b.tensors.end())
            return text(name) + QStringLiteral(" is missing");
        const auto& other = found->second;
        if (tensor.shape() != other.shape() || savedAs(tensor) != savedAs(other))
            return QStringLiteral("%1: %2 %3 and %4 %5")
                .arg(text(name), text(to_string(tensor.shape())), text(std::string(name_of(tensor.dtype()))),
                     text(to_string(other.shape())), text(std::string(name_of(other.dtype()))));
        for (std::size_t i = 0; i < tensor.values().size(); ++i)
            if (std::bit_cast<std::uint64_t>(tensor.values()[i]) != std::bit_cast<std::uint64_t>(other.values()[i]))
                return QStringLiteral("%1 (%2), number %3: %4 and %5")
                    .arg(text(name), text(std::string(name_of(tensor.dtype()))))
                    .arg(i)
                    .arg(text(to_text(tensor.values()[i])), text(to_text(other.values()[i])));
    }
    return a.tensors.size() == b.tensors.size() ? QStringLiteral("nothing") : QStringLiteral("arrays are added");
}

} // namespace attnlab::soak
