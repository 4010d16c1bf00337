// Implements add_safetensors() of mapped_weights.h.
#include "core/io/safetensors_header.h"
#include "core/model/weights/mapped_weights.h"

namespace attnlab::model {

void add_safetensors(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
                     const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    for (const auto& entry : io::safetensors_entries(file->file(), path.string(), {}, nullptr, &control)) {
        control.checkpoint();
        if (!wanted(entry.name))
            continue;
        const auto type = entry.type ? weight_type(entry.type->dtype) : std::nullopt;
        if (!type) {
            weights.refuse(entry.name, no_weights(entry.full_name, entry.type_name));
            continue;
        }
        const auto bytes = file->bytes().subspan(static_cast<std::size_t>(entry.begin),
                                                 static_cast<std::size_t>(entry.end - entry.begin));
        weights.add({entry.name, entry.full_name, entry.shape, *type, bytes});
    }
    weights.keep(file);
}

} // namespace attnlab::model
