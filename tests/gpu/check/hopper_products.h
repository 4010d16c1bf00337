// The small product of gpu/hopper/matmul.h on a device of compute capability 9.0, in every form, against float64. If a
// form is wrong, so is gpu/hopper/hopper_layout.h on tiles, descriptors or registers, and no forward can be right.
#pragma once

#include "core/random.h"
#include "gpu/hopper/matmul.h"
#include "gpu/numbers.h"
#include "tests/gpu/check/launch_limit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace attnlab::gpu {

class HopperProducts {
public:
    static constexpr int forms = 3 * 2 * 2 * 2;
    /// Prints a line for each form. Returns the number of wrong ones.
    static int check() {
        int wrong = 0;
        for (const int n : {64, 128, 256})
            for (const bool bfloat16 : {true, false})
                for (const bool b_is_mn_major : {false, true})
                    for (const bool a_in_registers : {false, true}) {
                        HopperProducts form(n, bfloat16, b_is_mn_major, a_in_registers);
                        const double error = form.largest_error();
                        const bool right = error < 1e-4;
                        wrong += right ? 0 : 1;
                        if (!right)
                            form.print_places();
                        std::printf("%s product n=%d %s, B %s, A in %s: off by %.3g\n", right ? "right" : "WRONG", n,
                                    bfloat16 ? "bfloat16" : "float16", b_is_mn_major ? "MN-major" : "K-major",
                                    a_in_registers ? "registers" : "shared memory", error);
                    }
        return wrong;
    }

private:
    static constexpr int rows = 64, depth = 128;

    HopperProducts(int n, bool bfloat16, bool b_is_mn_major, bool a_in_registers)
        : product_{nullptr, nullptr, nullptr, n, bfloat16, b_is_mn_major, a_in_registers} {
        Random random(static_cast<std::uint64_t>(n));
        const auto fill = [&](std::vector<std::uint16_t>& numbers, int count) {
            for (int i = 0; i < count; ++i) {
                const auto value = static_cast<float>(random.normal());
                numbers.push_back(bfloat16 ? to_bfloat16(value) : to_float16(value));
            }
        };
        fill(a_, rows * depth);
        fill(b_, depth * n);
    }

    double largest_error() {
        const auto count = static_cast<std::size_t>(rows * product_.n);
        std::vector<float> c(count, std::nanf(""));
        run(c);
        double largest = 0.0;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < product_.n; ++j) {
                const double got = static_cast<double>(c[static_cast<std::size_t>(i * product_.n + j)]);
                const double off = std::fabs(got - exact(i, j));
                largest = off <= largest ? largest : off <= HUGE_VAL ? off : HUGE_VAL; // NaN is the worst
            }
        return largest;
    }

    void run(std::vector<float>& c) {
        const auto halves = [](const std::vector<std::uint16_t>& numbers) { return numbers.size() * 2; };
        void* allocated = nullptr;
        require(cudaMalloc(&allocated, halves(a_) + halves(b_) + c.size() * 4));
        char* memory = static_cast<char*>(allocated);
        require(cudaMemcpy(memory, a_.data(), halves(a_), cudaMemcpyHostToDevice));
        require(cudaMemcpy(memory + halves(a_), b_.data(), halves(b_), cudaMemcpyHostToDevice));
        product_.a = reinterpret_cast<std::uint16_t*>(memory);
        product_.b = reinterpret_cast<std::uint16_t*>(memory + halves(a_));
        product_.c = reinterpret_cast<float*>(memory + halves(a_) + halves(b_));
        require(cudaMemcpy(product_.c, c.data(), c.size() * 4, cudaMemcpyHostToDevice));
        require(hopper::launch_matmul(product_, nullptr));
        const LaunchLimit limit("product");
        require(cudaDeviceSynchronize());
        require(cudaMemcpy(c.data(), product_.c, c.size() * 4, cudaMemcpyDeviceToHost));
        require(cudaFree(allocated));
    }

    /// Which number of B arrives where: row i of A selects row i of B, which holds its own row number, then its column.
    void print_places() {
        const auto count = static_cast<std::size_t>(rows * product_.n);
        std::vector<float> found[2];
        std::fill(a_.begin(), a_.end(), coded(0));
        for (int i = 0; i < rows; ++i)
            a_[static_cast<std::size_t>(i * depth + i)] = coded(1);
        for (const bool columns : {false, true}) {
            for (int k = 0; k < depth; ++k)
                for (int j = 0; j < product_.n; ++j)
                    b_[static_cast<std::size_t>(product_.b_is_mn_major ? k * product_.n + j : j * depth + k)] =
                        coded(columns ? j : k);
            auto& c = found[columns ? 1 : 0];
            c.assign(count, std::nanf(""));
            run(c);
        }
        for (int at = 0, shown = 0; at < rows * product_.n && shown < 12; ++at) {
            const int i = at / product_.n, j = at % product_.n;
            const auto place = static_cast<std::size_t>(at);
            if (found[0][place] == static_cast<float>(i) && found[1][place] == static_cast<float>(j))
                continue;
            ++shown;
            std::printf("  C(%d,%d) holds B(%g,%g)\n", i, j, static_cast<double>(found[0][place]),
                        static_cast<double>(found[1][place]));
        }
    }
    /// Whole numbers below 256 are exact.
    std::uint16_t coded(int number) const {
        return product_.bfloat16 ? to_bfloat16(static_cast<float>(number)) : to_float16(static_cast<float>(number));
    }

    double exact(int i, int j) const {
        double sum = 0.0;
        for (int k = 0; k < depth; ++k)
            sum += number(a_[static_cast<std::size_t>(i * depth + k)]) *
                   number(b_[static_cast<std::size_t>(product_.b_is_mn_major ? k * product_.n + j : j * depth + k)]);
        return sum;
    }
    double number(std::uint16_t bits) const { return product_.bfloat16 ? from_bfloat16(bits) : from_float16(bits); }

    static void require(int code) {
        if (code != 0)
            throw std::runtime_error(std::string("product: ") + cudaGetErrorString(static_cast<cudaError_t>(code)));
    }

    hopper::Matmul product_;
    std::vector<std::uint16_t> a_, b_;
};

} // namespace attnlab::gpu
