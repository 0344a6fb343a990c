"""Records as kernels declare them: CUDA text that defines `S`, and the members whose places are compared."""

from typing import NamedTuple


class Struct(NamedTuple):
    """`text` declares S and what it needs; `members` are expressions after `S.`."""

    text: str
    members: tuple[str, ...]


def _fields(fields: str, *members: str) -> Struct:
    return Struct(f"struct S {{ {fields} }};", members)


STRUCTS: dict[str, Struct] = {
    "float3 alone": _fields("float3 a;", "a", "a.z"),
    "float, float3": _fields("float a; float3 b;", "a", "b", "b.y"),
    "float3, float": _fields("float3 a; float b;", "a", "b"),
    "char, float3, char": _fields("char a; float3 b; char c;", "a", "b", "c"),
    "float3 rows": _fields("float3 a[3]; char b;", "a", "a[1]", "a[2].z", "b"),
    "int3, 64 bits": _fields("int3 a; long long b;", "a", "b"),
    "uint3, dim3": _fields("uint3 a; dim3 b; char c;", "a", "b", "c"),
    "char3, char": _fields("char3 a; char b;", "a", "b"),
    "uchar3, short": _fields("uchar3 a; short b; uchar3 c[2];", "a", "b", "c", "c[1]"),
    "short3, int": _fields("short3 a; int b;", "a", "b"),
    "ushort3, half": _fields("ushort3 a; __half b; float c;", "a", "b", "c"),
    "long3": _fields("char a; longlong3 b; int c;", "a", "b", "c"),
    "long4": _fields("char a; ulonglong4 b; int c;", "a", "b", "b.w", "c"),
    "long2": _fields("int a; longlong2 b; char c; ulonglong2 d[2];", "a", "b", "c", "d", "d[1]"),
    "twos and fours": _fields(
        "char a; float2 b; char c; float4 d; char e; int4 f; short g; uint2 h;",
        *("a", "b", "c", "d", "e", "f", "g", "h"),
    ),
    "narrow vectors": _fields(
        "char a; char2 b; char c; uchar4 d; short e; short4 f; char g; ushort2 h;",
        *("a", "b", "c", "d", "e", "f", "g", "h"),
    ),
    "vectors of one": _fields(
        "char a; float1 b; char c; int1 d; char e; short1 f;", "a", "b", "c", "d", "e", "f"
    ),
    "half": _fields("__half a; __half2 b; char c; __half d[3]; float e;", "a", "b", "c", "d", "d[2]", "e"),
    "bfloat16": _fields("char a; __nv_bfloat16 b; __nv_bfloat162 c; char d;", "a", "b", "c", "d"),
    "bool": _fields("bool a; int b; bool c[3]; short d;", "a", "b", "c", "c[2]", "d"),
    "64 bits": _fields(
        "char a; int64_t b; short c; size_t d; int e; uint64_t f[2];", "a", "b", "c", "d", "e", "f[1]"
    ),
    "long": _fields("int a; long b; char c; unsigned long d;", "a", "b", "c", "d"),
    "descending": _fields("long long a; int b; short c; char d;", "a", "b", "c", "d"),
    "arrays of arrays": _fields(
        "float a[3][4]; char b[3][2]; short c; int3 d[2][2];", "a[2][1]", "b[1]", "c", "d[1][1]"
    ),
    "complex": _fields("int a; cuFloatComplex b; char c;", "a", "b", "c"),
    "block of four bits": _fields("__half d; uint8_t qs[16];", "d", "qs", "qs[15]"),
    "block of six bits": _fields(
        "uint8_t ql[128]; uint8_t qh[64]; int8_t scales[16]; __half d;", "ql", "qh", "scales", "d"
    ),
    "scales and minima": _fields("__half2 dm; uint8_t scales[12]; uint8_t qs[128];", "dm", "scales", "qs"),
    "nested": Struct(
        "struct In { float3 p; char t; };\nstruct S { char a; In b; In c[2]; short d; };",
        ("a", "b", "b.p", "b.t", "c[1]", "c[1].t", "d"),
    ),
    "nested inside": Struct(
        "struct S { char a; struct In { short x; float3 y; } b; In c; char d; };",
        ("a", "b", "b.y", "c.x", "d"),
    ),
    "aligned member": _fields(
        "float a; alignas(16) float b[3]; char c; __align__(8) char d;", "a", "b", "c", "d"
    ),
    "aligned record": Struct("struct __align__(16) S { float3 a; char b; };", ("a", "b")),
    "aligned elements": Struct(
        "struct alignas(8) Pair { float x, y; };\nstruct S { char a; Pair b[2]; char c; };",
        ("a", "b", "b[1].y", "c"),
    ),
    "aligned typedef": Struct("typedef struct __align__(8) { int a; char b; } S;", ("a", "b")),
    "union": Struct(
        "union Bits { float f; unsigned int u; unsigned char b[4]; float3 v; };\n"
        "struct S { char a; Bits b; char c; };",
        ("a", "b.f", "b.b[3]", "b.v.z", "c"),
    ),
    "anonymous union": _fields("char a; union { float3 b; int c; }; char d;", "a", "b", "c", "d"),
    # Without vectors: on the CPU machine they have constructors, which g++ wants no such member to have.
    "anonymous record": _fields("char a; struct { short b; float c[3]; }; char d;", "a", "b", "c", "d"),
    "enumerations": Struct(
        "enum Plain { FIRST, SECOND };\nenum class Narrow : unsigned char { one, two };\n"
        "struct S { Narrow a; Plain b; Narrow c[3]; short d; };",
        ("a", "b", "c[2]", "d"),
    ),
    "bit-fields": _fields(
        "unsigned a : 4, b : 12; unsigned c : 16; float3 d; unsigned char e : 3; char f;", "d", "f"
    ),
    # No room behind `c`: on the CPU machine the derived record's first member would stand there.
    "derived": Struct(
        "struct Base { float3 v; int c; };\nstruct S : Base { char d; float e; };", ("v", "c", "d", "e")
    ),
    "derived from padding": Struct(
        "struct Base { float v[3]; char c; };\nstruct S : Base { char d; float e; };", ("v", "c", "d", "e")
    ),
    "derived twice": Struct(
        "struct A { short a; };\nstruct B : A { float3 b; };\nstruct S : B { char c; };",
        ("a", "b", "c"),
    ),
    "template": Struct(
        "template <int N> struct Rows { float3 v[N]; char c; };\nstruct S { Rows<2> a; char b; Rows<1> c; };",
        ("a", "a.v[1]", "a.c", "b", "c", "c.c"),
    ),
    "template of a type": Struct(
        "template <typename T, int N> struct Some { T v[N]; char c; };\n"
        "struct S { Some<float3, 2> a; Some<short, 3> b; Some<__half2, 1> c; };",
        ("a.v[1]", "a.c", "b", "b.c", "c", "c.c"),
    ),
    "names for types": Struct(
        "typedef float3 vec;\nusing row = short;\ntypedef unsigned char byte;\nstruct S { byte a; vec b; row c[3]; vec d[2]; };",
        ("a", "b", "c", "d[1]"),
    ),
    "with methods": Struct(
        "struct S { float3 a; char b; static constexpr int n = 3;\n"
        "  __device__ float sum() const { return a.x + a.y + a.z; } };",
        ("a", "b"),
    ),
}
