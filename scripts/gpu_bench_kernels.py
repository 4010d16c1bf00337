"""The kernels of libattnlab_kernels.so, called on arrays of a device by their addresses."""
import ctypes

#: As the library numbers them.
DTYPES = {"float32": 0, "bfloat16": 1, "float16": 2}


class Forward(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in
                ("query", "key", "value", "output", "lse", "scratch", "stream")] + [
        ("scale", ctypes.c_float)] + [(name, ctypes.c_int) for name in
                                      ("precision", "B", "H", "Hkv", "L", "S", "E", "causal")]


class Map(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in
                ("query", "key", "base", "log2_sum", "factor", "largest", "sum", "kept", "scratch", "stream")] + [
        ("scale", ctypes.c_float)] + [(name, ctypes.c_int) for name in
                                      ("precision", "L", "S", "E", "bin_rows", "bin_columns", "causal")]


class Library:
    def __init__(self, path, without):
        self.calls = ctypes.CDLL(path)
        for name in ("attnlab_forward_kernel", "attnlab_kernel_name", "attnlab_map_kernel"):
            getattr(self.calls, name).restype = ctypes.c_char_p
        for name in ("attnlab_forward_scratch", "attnlab_map_bins", "attnlab_map_scratch"):
            getattr(self.calls, name).restype = ctypes.c_longlong
        count = self.calls.attnlab_kernel_count()
        names = [self.calls.attnlab_kernel_name(k) for k in range(count)]
        self.names = list(dict.fromkeys(name for name in names if name.decode() not in without))

    def kernels(self, forward):
        """Those that take it, the one that would be chosen first, without the plain ones."""
        chosen = self.calls.attnlab_forward_kernel(ctypes.byref(forward))
        able = [name for name in self.names if self.scratch(forward, name) >= 0 and not name.startswith(b"plain")]
        return sorted(able, key=lambda name: name != chosen)

    def scratch(self, forward, name):
        return self.calls.attnlab_forward_scratch(ctypes.byref(forward), name)

    def run(self, forward, name):
        code = self.calls.attnlab_forward(ctypes.byref(forward), name)
        if code != 0:
            raise RuntimeError(f"{name.decode()} gave error {code}")

    def run_map(self, arguments):
        code = self.calls.attnlab_map(ctypes.byref(arguments))
        if code != 0:
            raise RuntimeError(f"attnlab_map gave error {code}")
