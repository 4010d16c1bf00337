#include "core/io/deferred_numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace attnlab::io {

void DeferredNumbers::read(std::int64_t first, std::span<double> values) const {
    if (how_.read)
        return how_.read(first, values);
    const std::lock_guard lock(mutex_);
    if (!loaded_)
        loaded_ = how_.load();
    loaded_->read(first, values);
}

void DeferredNumbers::read(std::int64_t first, std::span<float> values) const {
    std::vector<double> exact(values.size());
    read(first, std::span(exact));
    std::transform(exact.begin(), exact.end(), values.begin(), [](double value) { return static_cast<float>(value); });
}

Tensor deferred(Shape shape, DType dtype, DeferredNumbers::How how) {
    const auto count = element_count(shape);
    return Tensor::from(std::move(shape), std::make_shared<const DeferredNumbers>(count, std::move(how)), dtype);
}

const DeferredNumbers* deferred_in(const Tensor& tensor) {
    return dynamic_cast<const DeferredNumbers*>(tensor.source().get());
}

ArraysInMemory::ArraysInMemory(std::span<Tensor* const> arrays) {
    std::set<const DeferredNumbers*> counted;
    for (const auto* array : arrays) {
        const auto* numbers = deferred_in(*array);
        if (numbers && counted.insert(numbers).second) {
            bytes += numbers->bytes(); // no overflow: each is within the size of its file, times what deflate can do
            meanwhile = std::max(meanwhile, numbers->bytes_meanwhile());
        } else if (!numbers && array->in_memory()) {
            bytes += array->size() * static_cast<std::int64_t>(sizeof(double));
        }
    }
}

void ArraysInMemory::require(const ReadLimits& limits, std::string_view file, std::int64_t more) const {
    const auto most = most_in_memory(limits), needed = bytes + meanwhile + more;
    if (needed > most && needed == more)
        throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"),
                     {std::string(file), std::to_string(needed), std::to_string(most)}});
    if (needed > most)
        throw Error({ATTNLAB_TEXT("%1: takes %2 bytes in memory, 8 for a number; at most %3 more may be read. Large "
                                  "arrays of floats can stay in a file that is not compressed (numpy.savez)"),
                     {std::string(file), std::to_string(needed), std::to_string(most)}});
}

void load(std::span<Tensor* const> arrays) {
    std::map<const NumberSource*, std::pair<std::shared_ptr<const NumberSource>, Tensor>> loaded;
    for (auto* array : arrays) {
        const auto* numbers = deferred_in(*array);
        if (!numbers)
            continue;
        auto found = loaded.find(numbers);
        if (found == loaded.end())
            found = loaded.emplace(numbers, std::pair(array->source(), numbers->load())).first;
        *array = found->second.second.reshaped(array->shape()).with_dtype(array->dtype());
    }
}

} // namespace attnlab::io
