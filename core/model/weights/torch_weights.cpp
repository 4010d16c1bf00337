// Implements add_torch() of mapped_weights.h: weights in files of torch.save.
#include "core/io/torch_contents.h"
#include "core/model/weights/mapped_weights.h"

namespace attnlab::model {
namespace {

/// Empty for a tensor that can be used where it is.
Message why_not(const io::TorchView& view) {
    if (!weight_type(view.layout.type->dtype))
        return no_weights(view.name, view.layout.type->safetensors);
    if (view.is_numpy)
        return {ATTNLAB_TEXT("%1: is a NumPy array within a pickle, expected a tensor"), {view.name}};
    if (view.count > 0 && !view.layout.is_contiguous())
        return {ATTNLAB_TEXT("%1: is saved as a view of other numbers, not one after the other; save it after "
                             "contiguous()"),
                {view.name}};
    if (view.layout.swapped)
        return {ATTNLAB_TEXT("%1: is in the byte order of another machine; load it in PyTorch and save it again"),
                {view.name}};
    return {};
}

} // namespace

void add_torch(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
               const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    const io::TorchContents contents(file->file(), path.string(), {.control = &control});
    for (const auto& [name, view] : contents.tensors()) {
        control.checkpoint();
        if (!wanted(name))
            continue;
        if (auto why = why_not(view); !why.empty()) {
            weights.refuse(name, std::move(why));
            continue;
        }
        const auto& layout = view.layout;
        const auto bytes = file->bytes().subspan(static_cast<std::size_t>(layout.offset),
                                                 static_cast<std::size_t>(view.count * layout.type->size));
        weights.add({name, view.name, view.shape, *weight_type(layout.type->dtype), bytes});
    }
    weights.keep(file);
}

} // namespace attnlab::model
