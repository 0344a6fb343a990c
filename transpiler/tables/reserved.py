"""Names a CUDA file may use that Metal keeps for itself: keywords, and functions that `using namespace metal`
brings in, with which a user's function of the same name would be ambiguous."""

_KEYWORDS = """
kernel vertex fragment device constant thread threadgroup threadgroup_imageblock ray_data object_data half bfloat
texture1d texture2d texture3d texturecube sampler depth2d visible mesh object intersection patch_control_point
bool2 bool3 bool4 uchar2 uchar3 uchar4 access as_type packed_float3 packed_half3 metal
char2 char3 char4 short2 short3 short4 int2 int3 int4 long2 long3 long4 ushort2 ushort3 ushort4
uint2 uint3 uint4 ulong2 ulong3 ulong4 half2 half3 half4 float2 float3 float4 float2x2 float3x3 float4x4
uniform mem_flags atomic atomic_int atomic_uint atomic_bool atomic_float address coord
dynamic_shared cu
""".split()

_FUNCTIONS = """
abs absdiff addsat all any acos acosh asin asinh atan atan2 atanh ceil clamp clz copysign cos cosh cospi cross ctz
degrees determinant distance distance_squared divide dot exp exp10 exp2 extract_bits fabs faceforward fast fdim
floor fma fmax fmedian3 fmid3 fmin fmod fract frexp hadd ilogb insert_bits isfinite isinf isnan isnormal isordered
isunordered ldexp length length_squared log log10 log2 mad24 madhi madsat max max3 median3 min min3 mix modf mul24
mulhi nextafter normalize popcount pow powr precise radians reflect refract reverse_bits rhadd rint rotate round
rsqrt saturate select sign signbit sin sincos sinh sinpi smoothstep sqrt step sub_sat subsat tan tanh tanpi
transpose trunc discard_fragment as_type quad_sum simd_sum simd_max simd_min simd_shuffle simd_broadcast
elem_to_loc ceildiv
""".split()

KEYWORDS = frozenset(_KEYWORDS)
FUNCTIONS = frozenset(_FUNCTIONS)
