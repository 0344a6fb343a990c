"""NVIDIA's driver through ctypes: modules, memory, launches and timing on device 0. One context per process."""

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import Launch

_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_USUAL_SHARED = 48 << 10  # what a block gets without asking


class CudaError(Exception):
    """What the driver answered, by its name ("CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access …")."""


class NoDriverError(Exception):
    """There is no NVIDIA driver, or no GPU."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Device memory as a kernel argument."""

    address: int


Argument = Pointer | bytes


@dataclass(slots=True)
class Driver:
    """`name` and `architecture` ("sm_90") of the GPU; construct with `open_driver`."""

    library: ctypes.CDLL
    name: str
    architecture: str
    _modules: dict[bytes, ctypes.c_void_p] = field(default_factory=dict, repr=False)

    def call(self, function: str, *arguments: object) -> None:
        """One function of the driver's. Raises CudaError."""
        status = getattr(self.library, function)(*arguments)
        if status != 0:
            raise CudaError(f"{function}: {_error(self.library, status)}")

    def function(self, cubin: Cubin) -> ctypes.c_void_p:
        """The kernel of a cubin, loaded once."""
        key = cubin.symbol.encode() + b"\n" + cubin.code
        if key not in self._modules:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), cubin.code)
            self.call("cuModuleGetFunction", ctypes.byref(function), module, cubin.symbol.encode())
            self._modules[key] = function
        return self._modules[key]

    def upload(self, data: "bytes | bytearray | memoryview") -> Pointer:
        """A fresh copy in device memory. An empty buffer gets some memory too: its address must be valid."""
        size = len(data)
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 16)))
        if size:
            source = ctypes.create_string_buffer(bytes(data), size)
            self.call("cuMemcpyHtoD_v2", address, source, ctypes.c_size_t(size))
        return Pointer(address.value)

    def download(self, pointer: Pointer, size: int) -> bytes:
        buffer = ctypes.create_string_buffer(max(size, 1))
        self.call("cuMemcpyDtoH_v2", buffer, ctypes.c_uint64(pointer.address), ctypes.c_size_t(size))
        return buffer.raw[:size]

    def fill(self, pointer: Pointer, byte: int, size: int) -> None:
        """Sets each byte, before any launch that follows."""
        self.call(
            "cuMemsetD8_v2", ctypes.c_uint64(pointer.address), ctypes.c_ubyte(byte), ctypes.c_size_t(size)
        )

    def free(self, pointer: Pointer) -> None:
        self.call("cuMemFree_v2", ctypes.c_uint64(pointer.address))

    def launch(self, function: ctypes.c_void_p, launch: Launch, arguments: Sequence[Argument]) -> None:
        """Start a kernel; errors of its run come up in `synchronize`."""
        if launch.shared_bytes > _USUAL_SHARED:
            self.call("cuFuncSetAttribute", function, _DYNAMIC_SHARED, launch.shared_bytes)
        cells = [cell(each) for each in arguments]
        pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(cell) for cell in cells))
        shared = ctypes.c_uint(launch.shared_bytes)
        self.call("cuLaunchKernel", function, *launch.grid, *launch.block, shared, None, pointers, None)

    def synchronize(self) -> None:
        self.call("cuCtxSynchronize")

    def seconds(
        self, function: ctypes.c_void_p, launch: Launch, arguments: Sequence[Argument], count: int
    ) -> float:
        """The GPU's time for one of `count` launches in a row."""
        return self.timed(lambda: self.launch(function, launch, arguments), count)

    def copy_seconds(self, source: Pointer, target: Pointer, size: int, count: int) -> float:
        """The GPU's time for one of `count` copies within its memory."""
        places = ctypes.c_uint64(target.address), ctypes.c_uint64(source.address), ctypes.c_size_t(size)
        return self.timed(lambda: self.call("cuMemcpyDtoDAsync_v2", *places, None), count)

    def timed(self, start_one: Callable[[], None], count: int) -> float:
        """The GPU's time for one of `count` pieces of work in a row."""
        start, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (start, end):
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.call("cuEventRecord", start, None)
        for _ in range(count):
            start_one()
        self.call("cuEventRecord", end, None)
        self.call("cuEventSynchronize", end)
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), start, end)
        for event in (start, end):
            self.call("cuEventDestroy_v2", event)
        return milliseconds.value / 1e3 / count


def open_driver() -> Driver:
    """The first GPU, with its primary context current in this thread. Raises NoDriverError."""
    if not sys.platform.startswith("linux"):
        raise NoDriverError("CUDA kernels run on Linux with an NVIDIA GPU")
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise NoDriverError("no NVIDIA driver (libcuda.so.1) on this computer") from None
    device, context = ctypes.c_int(), ctypes.c_void_p()
    name = ctypes.create_string_buffer(256)
    driver = Driver(library, "", "")
    try:
        driver.call("cuInit", 0)
        driver.call("cuDeviceGet", ctypes.byref(device), 0)
        driver.call("cuDeviceGetName", name, 256, device)
        driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        driver.call("cuCtxSetCurrent", context)
        numbers = []
        for attribute in (_MAJOR, _MINOR):
            value = ctypes.c_int()
            driver.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            numbers.append(str(value.value))
    except CudaError as error:
        raise NoDriverError(f"the NVIDIA driver finds no usable GPU: {error}") from None
    driver.name, driver.architecture = name.value.decode(), "sm_" + "".join(numbers)
    return driver


def cell(argument: Argument) -> "ctypes.c_uint64 | ctypes.Array[ctypes.c_char]":
    if isinstance(argument, Pointer):
        return ctypes.c_uint64(argument.address)
    return ctypes.create_string_buffer(argument, len(argument))


def _error(library: ctypes.CDLL, status: int) -> str:
    texts = []
    for function in ("cuGetErrorName", "cuGetErrorString"):
        text = ctypes.c_char_p()
        getattr(library, function)(status, ctypes.byref(text))
        texts.append((text.value or b"unknown").decode())
    return ": ".join(texts)
