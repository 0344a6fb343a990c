"""What Metal, or a kernel launched through MLX, cannot do at all."""

from cu2mlx.transpiler.tables.row import Builtin, refused

_TEXTURES = (
    *("tex1D", "tex1Dfetch", "tex1DLod", "tex1DGrad", "tex1DLayered"),
    *("tex2D", "tex2DLod", "tex2DGrad", "tex2DLayered", "tex2Dgather"),
    *("tex3D", "tex3DLod", "tex3DGrad", "texCubemap", "texCubemapLayered"),
)
_SURFACES = tuple(
    f"surf{shape}{access}"
    for shape in ("1D", "2D", "3D", "2DLayered", "Cubemap")
    for access in ("read", "write")
)
_MBARRIER = (
    *("init", "inval", "arrive", "arrive_and_drop", "test_wait", "test_wait_parity"),
    *("try_wait", "try_wait_parity", "token_pending_count", "maximum_count"),
)
_WMMA = (
    ("fill_fragment", "fragment &a, T value"),
    ("load_matrix_sync", "fragment &a, const T *p, unsigned int stride"),
    ("store_matrix_sync", "T *p, const fragment &a, unsigned int stride, layout_t layout"),
    ("mma_sync", "fragment &d, const fragment &a, const fragment &b, const fragment &c"),
    ("bmma_sync", "fragment &d, const fragment &a, const fragment &b, const fragment &c"),
)
_CLUSTER = (
    *("__clusterDim", "__clusterIdx", "__clusterGridDimInClusters", "__clusterRelativeBlockIdx"),
    *("__clusterRelativeBlockRank", "__clusterSizeInBlocks", "__cluster_map_shared_rank"),
    *("__cluster_barrier_arrive", "__cluster_barrier_wait", "__cluster_query_shared_rank"),
)
_DEVICE_RUNTIME = (
    *("cudaDeviceSynchronize", "cudaLaunchDevice", "cudaGetParameterBuffer", "cudaStreamCreateWithFlags"),
    *("cudaGraphLaunch", "cudaMalloc", "cudaFree", "cudaMemcpyAsync", "cudaMemsetAsync", "cudaGetLastError"),
)

ROWS: tuple[Builtin, ...] = (
    *(refused(f"T {name}(cudaTextureObject_t texture, ...)", "CU3303") for name in _TEXTURES),
    *(refused(f"void {name}(cudaSurfaceObject_t surface, ...)", "CU3304") for name in _SURFACES),
    *(refused(f"void __mbarrier_{name}(__mbarrier_t *barrier, ...)", "CU3207") for name in _MBARRIER),
    *(refused(f"void wmma::{name}({parameters})", "CU3501") for name, parameters in _WMMA),
    *(refused(f"unsigned int {name}()", "CU3202") for name in _CLUSTER),
    *(refused(f"cudaError_t {name}(...)", "CU3204") for name in _DEVICE_RUNTIME),
)
