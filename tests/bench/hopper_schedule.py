#!/usr/bin/env python3
"""A model of the causal forward on 132 multiprocessors of Hopper: how much longer it takes if every work is a block of its
own, which the device starts as multiprocessors become free, than if as many blocks as multiprocessors take works by a
counter and load the next one while they finish another. Works are in the order of work_at() in gpu/hopper/forward_plan.h.

No device has been measured: speeds and times are what the model assumes.
"""
import heapq

MULTIPROCESSORS = 132
#: Width: query rows of a block, keys of a tile, FLOP/s of the device for attention to all keys, as read from the kernels.
KERNELS = {64: (192, 128, 425e12), 128: (128, 128, 565e12), 256: (128, 64, 570e12)}
SECTION_BYTES = 32 << 20
STORE = 0.3  # microseconds to write the rows of a work
HAND_ON = 0.05  # from a work to the next one of the same block, whose tiles are there
STARTS = (0.5, 1.0, 1.5)  # from a block's end to the first tiles of the next block


def works(heads, length, width):
    """Microseconds of each work, in order."""
    rows, keys, speed = KERNELS[width]
    of_tile = 4 * rows * keys * width / (speed / MULTIPROCESSORS) * 1e6
    section = min(heads, max(1, SECTION_BYTES // (4 * length * width)))
    for first in range(0, heads, section):
        for block in reversed(range(-(-length // rows))):
            tiles = -(-min(length, (block + 1) * rows) // keys)
            yield from [tiles * of_tile + STORE] * min(section, heads - first)


def longest(times, between):
    """The end of the last work if whoever is free takes the next one."""
    free = [0.0] * MULTIPROCESSORS
    for time in times:
        heapq.heappush(free, heapq.heappop(free) + between + time)
    return max(free)


def main():
    print("d     T  heads  works  counter us  " + "  ".join(f"blocks +{start} us" for start in STARTS))
    shapes = [(16384 // length * (2048 // width), length, width) for width in KERNELS
              for length in (512, 1024, 2048, 4096, 8192, 16384)]
    for heads, length, width in shapes + [(8, 131072, width) for width in KERNELS]:
        times = list(works(heads, length, width))
        counter = longest(times, HAND_ON)
        gains = "  ".join(f"{longest(times, start) / counter - 1:14.1%}" for start in STARTS)
        print(f"{width:3} {length:6} {heads:5} {len(times):6} {counter:10.0f}   {gains}")


if __name__ == "__main__":
    main()
