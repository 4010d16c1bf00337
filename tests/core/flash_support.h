// The common part of the tests of the cpu engine: awkward shapes, every mask, every instruction set, and bfloat16 on an
// emulated matrix unit.
#pragma once

#include "core/flash/cpu_backend.h"
#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/stages/mask.h"
#include "engine_support.h"
#include "tests/emulated_amx/emulated_amx.h"

#include <QTest>

#include <hwy/targets.h>

namespace attnlab::test {

inline Tensor rounded(Tensor tensor) {
    for (double& value : tensor.mutable_values())
        value = static_cast<float>(value);
    return tensor;
}

inline AttentionProblem flash_problem(std::int64_t B, std::int64_t H, std::int64_t Hkv, std::int64_t L, std::int64_t S,
                                      std::int64_t E, std::int64_t Ev) {
    auto problem = dot_problem(B, H, Hkv, L, S, E, Ev);
    for (auto& [name, tensor] : problem.tensors)
        tensor = rounded(tensor);
    return problem;
}

inline void add_mask(AttentionProblem& problem, const char* text) { problem.spec.masks.push_back(parse_mask(text)); }

inline Tensor booleans(Shape shape, double share, std::uint64_t seed) {
    Tensor tensor(std::move(shape), 0.0, DType::Bool);
    Random random(seed);
    for (double& value : tensor.mutable_values())
        value = random.uniform() < share ? 1.0 : 0.0;
    return tensor;
}

/// The problem whose queries, keys and values are rounded to bfloat16.
inline AttentionProblem in_bfloat16(AttentionProblem problem) {
    for (const auto* name : {"query", "key", "value"})
        for (double& value : problem.tensors.at(name).mutable_values()) {
            auto number = static_cast<float>(value);
            flash::round_to_bfloat16({&number, 1});
            value = number;
        }
    return problem;
}

/// While it exists, the engine computes bfloat16 and split numbers with the emulated AMX.
class WithEmulatedAmx {
public:
    WithEmulatedAmx() { flash::use_matrix_kernel(emulated_amx()); }
    ~WithEmulatedAmx() { flash::use_matrix_kernel(std::nullopt); }
    WithEmulatedAmx(const WithEmulatedAmx&) = delete;
    WithEmulatedAmx& operator=(const WithEmulatedAmx&) = delete;
};

/// Runs the check once for each instruction set of this machine.
template <class Check>
void on_every_instruction_set(Check check) {
    const auto supported = hwy::SupportedTargets();
    for (auto rest = supported; rest != 0; rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        check();
        hwy::SetSupportedTargetsForTest(0);
        if (QTest::currentTestFailed())
            return;
    }
}

/// Runs check(problem, the reference's result, precision) in float32 on every instruction set, and in bfloat16 on the
/// best one with a matrix unit, where the inputs are numbers of bfloat16: scores and lse are then as exact as in
/// float32, and only the weights of an output are rounded. Queries and keys that are normalised would be rounded again.
template <class Check>
void on_every_engine(const AttentionProblem& problem, Check check) {
    const auto expected = run(problem);
    on_every_instruction_set([&] { check(problem, expected, flash::Precision::Float32); });
    if (QTest::currentTestFailed() || problem.spec.scale.id == "pre_norm")
        return;
    const auto given = in_bfloat16(problem);
    const auto expected_of_given = run(given);
    const WithEmulatedAmx emulated;
    check(given, expected_of_given, flash::Precision::BFloat16);
}

/// How far rounded weights move an output: 2^-9 of the largest value, and as much again.
inline double rounding_of_weights(const AttentionProblem& problem, flash::Precision precision) {
    if (precision != flash::Precision::BFloat16)
        return 0.0;
    double largest = 0.0;
    for (const double value : problem.tensors.at("value").values())
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return 0x1p-8 * largest;
}

/// Compares output and lse of the cpu backend with the reference's, by every engine.
template <class IsClose>
void compare_numbers(const AttentionProblem& problem, IsClose is_close) {
    on_every_engine(problem, [&](const AttentionProblem& given, const Trace& expected, flash::Precision precision) {
        const auto got = cpu_backend(precision).run(given, {});
        for (const auto* name : {"output", "lse"}) {
            const auto a = stage(got, name).values(), b = stage(expected, name).values();
            const double rounding =
                QLatin1String(name) == QLatin1String("output") ? rounding_of_weights(given, precision) : 0.0;
            for (std::size_t k = 0; k < a.size(); ++k)
                QVERIFY2(is_close(a[k], b[k]) || std::abs(a[k] - b[k]) <= rounding,
                         qPrintable(QStringLiteral("%1 %2 in %3 with %4: %5, expected %6")
                                        .arg(name)
                                        .arg(k)
                                        .arg(QString::fromStdString(std::string(flash::name_of(precision))))
                                        .arg(QString::fromStdString(flash::instruction_set()))
                                        .arg(a[k])
                                        .arg(b[k])));
        }
    });
}

struct Sizes {
    std::int64_t B, H, Hkv, L, S, E, Ev;
};

inline const Sizes sizes[] = {{1, 1, 1, 1, 1, 1, 1},      {1, 1, 1, 2, 2, 3, 3},       {2, 4, 2, 113, 203, 16, 8},
                              {1, 2, 1, 203, 113, 65, 3}, {1, 1, 1, 257, 131, 7, 127}, {1, 1, 1, 33, 17, 512, 512},
                              {1, 6, 3, 31, 67, 1, 2},    {1, 1, 1, 1, 300, 64, 64},   {1, 1, 1, 129, 1, 4, 5},
                              {2, 1, 1, 64, 256, 64, 64}, {1, 1, 1, 97, 385, 12, 13}};

/// As in decoding: queries that do not fill a panel, or only together with those of other heads with the same keys.
inline const Sizes few_rows[] = {{1, 4, 2, 1, 1500, 64, 64}, {2, 8, 2, 2, 1100, 17, 33}, {1, 6, 2, 3, 1030, 5, 70},
                                 {1, 8, 1, 5, 2100, 16, 16}, {1, 1, 1, 7, 1300, 33, 15}, {2, 3, 3, 1, 129, 128, 3},
                                 {1, 5, 1, 1, 4100, 31, 1},  {1, 2, 1, 33, 1025, 8, 9},  {1, 1, 1, 4, 1024, 1, 100}};

inline QString text_of(const Sizes& s) {
    return QStringLiteral("B%1 H%2/%3 %4x%5 d%6 v%7").arg(s.B).arg(s.H).arg(s.Hkv).arg(s.L).arg(s.S).arg(s.E).arg(s.Ev);
}

/// Sets one kind of mask, with its arrays.
struct MaskCase {
    const char* name;
    void (*apply)(AttentionProblem&, const Sizes&);
};

inline const MaskCase mask_cases[] = {
    {"none", [](AttentionProblem&, const Sizes&) {}},
    {"causal", [](AttentionProblem& p, const Sizes&) { add_mask(p, "causal"); }},
    {"bottom right", [](AttentionProblem& p, const Sizes&) { add_mask(p, "causal:bottom_right"); }},
    {"window", [](AttentionProblem& p, const Sizes&) { add_mask(p, "window:21"); }},
    {"narrow window", [](AttentionProblem& p, const Sizes&) { add_mask(p, "window:0"); }},
    {"prefix", [](AttentionProblem& p, const Sizes&) { add_mask(p, "prefix:40"); }},
    {"lengths by batch",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "valid_lens");
         p.tensors["valid_lens"] = Tensor({s.B}, static_cast<double>(s.S / 2));
     }},
    {"lengths by query",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "valid_lens");
         auto lengths = counting({s.B, s.L});
         for (double& length : lengths.mutable_values())
             length = static_cast<double>(static_cast<std::int64_t>(length * 7) % (s.S + 1));
         p.tensors["valid_lens"] = lengths;
     }},
    {"padding",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "key_padding");
         p.tensors["key_padding_mask"] = booleans({s.B, s.S}, 0.3, 5);
     }},
    {"cells",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_mask");
         p.tensors["attn_mask"] = booleans({s.B * s.H, s.L, s.S}, 0.5, 6);
     }},
    {"kept cells",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_mask");
         p.spec.mask_true = MaskTrue::Keeps;
         p.tensors["attn_mask"] = booleans({1, s.H, s.L, s.S}, 0.1, 7);
     }},
    {"bias",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] = rounded(random_normal({s.B, 1, s.L, s.S}, 8));
         p.tensors["attn_bias"].mutable_values()[0] = -infinity;
     }},
    {"painted and causal",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "painted");
         add_mask(p, "causal");
         p.tensors["painted_mask"] = booleans({s.L, s.S}, 0.2, 9);
     }},
    {"dilated", [](AttentionProblem& p, const Sizes&) { add_mask(p, "dilated:40,3"); }},
    {"chunks, causal",
     [](AttentionProblem& p, const Sizes&) {
         add_mask(p, "chunked:17");
         add_mask(p, "causal");
     }},
    {"documents by batch",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "documents");
         const auto ids = [](Shape shape, std::int64_t length) {
             Tensor array = counting(shape).with_dtype(DType::Int64);
             std::int64_t at = 0;
             for (double& id : array.mutable_values())
                 id = static_cast<double>(at++ / length % 4) - 1.0;
             return array;
         };
         p.tensors["segment_ids"] = ids({s.B, s.S}, 23);
         p.tensors["query_segment_ids"] = ids({s.B, s.L}, 19);
     }},
    {"everything",
     [](AttentionProblem& p, const Sizes& s) {
         for (const auto* mask : {"window:90", "prefix:3", "block_causal:60", "key_padding", "attn_mask", "attn_bias"})
             add_mask(p, mask);
         p.tensors["key_padding_mask"] = booleans({s.B, s.S}, 0.2, 10);
         p.tensors["attn_mask"] = booleans({s.L, s.S}, 0.2, 11);
         p.tensors["attn_bias"] = rounded(random_normal({s.B, s.H, s.L, s.S}, 12));
     }},
    {"replaced by -3",
     [](AttentionProblem& p, const Sizes&) {
         add_mask(p, "causal");
         p.spec.mask_fill = {-3.0, MaskFill::Mode::Replace};
     }},
    {"replaced by -1e6, empty rows",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_mask");
         p.tensors["attn_mask"] = Tensor({s.L, s.S}, 1.0, DType::Bool);
         p.tensors["attn_mask"].mutable_values()[0] = 0.0;
         p.spec.mask_fill = {-1e6, MaskFill::Mode::Replace};
     }},
    {"added -5, blocked twice",
     [](AttentionProblem& p, const Sizes&) {
         add_mask(p, "causal");
         add_mask(p, "window:8");
         p.spec.mask_fill = {-5.0, MaskFill::Mode::Add};
     }},
    {"added -inf",
     [](AttentionProblem& p, const Sizes&) {
         add_mask(p, "causal:bottom_right");
         p.spec.mask_fill.mode = MaskFill::Mode::Add;
     }},
    {"bias for each key",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] = rounded(random_normal({s.B, 1, 1, s.S}, 13));
         p.tensors["attn_bias"].mutable_values()[0] = -infinity;
     }},
    {"bias for each query, cells for each key",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_bias");
         add_mask(p, "attn_mask");
         add_mask(p, "key_padding");
         p.tensors["attn_bias"] = rounded(random_normal({s.L, 1}, 14));
         p.tensors["attn_bias"].mutable_values()[0] = -infinity;
         p.tensors["attn_mask"] = booleans({s.H, 1, s.S}, 0.3, 15);
         p.tensors["key_padding_mask"] = booleans({1, s.S}, 0.2, 16);
     }},
    {"rows that are blocked, a fill added to keys",
     [](AttentionProblem& p, const Sizes& s) {
         add_mask(p, "attn_bias");
         add_mask(p, "attn_mask");
         add_mask(p, "painted");
         p.tensors["attn_bias"] = rounded(random_normal({s.B, s.H, s.L, 1}, 17));
         p.tensors["attn_mask"] = booleans({s.L, 1}, 0.3, 18);
         p.tensors["painted_mask"] = booleans({s.S}, 0.3, 19);
         p.spec.mask_fill = {-3.0, MaskFill::Mode::Add};
     }},
};

} // namespace attnlab::test
