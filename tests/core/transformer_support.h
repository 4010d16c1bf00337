// Models of torch.nn.Transformer from tests/data/make_transformer.py.
#pragma once

#include "core/io/npz.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/places.h"

namespace attnlab::test {

inline TensorMap fixture(const QString& name) {
    return io::read_npz(to_path(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/transformer_%1.npz").arg(name))).tensors;
}

inline AttentionProblem transformer_of(const QString& name, std::int64_t heads = 2) {
    AttentionProblem problem;
    problem.spec.variant = "transformer";
    problem.spec.parameters.set("num_heads", heads);
    problem.tensors = fixture(name + ".in");
    return problem;
}

/// Two batches, three heads, 2 + 3 layers, padding on both sides.
inline AttentionProblem padded_transformer() { return transformer_of(QStringLiteral("padded"), 3); }

inline Tensor ids(Shape shape, std::vector<double> values) {
    return Tensor(std::move(shape), std::move(values), DType::Int64);
}

} // namespace attnlab::test
