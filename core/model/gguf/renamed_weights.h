// The tensors of a .gguf file under the names that Transformers gives them.
#pragma once

#include "core/model/gguf/architectures.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attnlab::model {

class RenamedWeights : public WeightFiles {
public:
    RenamedWeights(std::shared_ptr<const WeightFiles> files, const GgufArchitecture& architecture);

    const Weight* find(std::string_view name) const override;
    std::vector<std::string> names() const override { return order_; }
    void check() const override { files_->check(); }
    const std::string& where() const override { return files_->where(); }

    /// The tensor as the file stores it. `found` is a result of find(), which transposes the matrices of GPT-2.
    const Weight* stored(const Weight* found) const;

private:
    std::shared_ptr<const WeightFiles> files_;
    std::map<std::string, std::string, std::less<>> names_; ///< from names of Transformers to names of the file
    std::map<std::string, Weight, std::less<>>
        turned_; ///< headers with the shape of Transformers; their data is never read
    std::map<const Weight*, const Weight*> stored_;
    std::vector<std::string> order_;
};

} // namespace attnlab::model
