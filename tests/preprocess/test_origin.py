"""Every kept character comes from an identical one in a file, whatever the macros and conditionals."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cu2mlx.transpiler.preprocess import Unit, preprocess
from cu2mlx.transpiler.source import SourceFile

LINES = st.sampled_from(
    [
        "#define TID threadIdx.x",
        "#define ADD(a, b) ((a) + (b))",
        "#define STORE(p, v) do { \\\n  (p)[TID] = (v); \\\n} while (0)",
        "#define DEV __device__ __forceinline__",
        "#undef TID",
        "#if A",
        "#ifdef TID",
        "#else",
        "#endif",
        "#pragma unroll",
        "int x = TID;",
        "int y = ADD(TID, ADD(1, 2));",
        "STORE(a, ADD(x,\n  y));",
        "DEV int f(float* __restrict__ p) {",
        "}",
        "if (x) {",
        "MYDEV float g();",
        "MACRO(x)",
        "// ünïcode 中 /* \" '",
        "/* block\n TID */",
        'const char* s = "TID \\" // 𝛼";',
        'auto r = R"(TID\n)";',
        "TID STORE ADD( ADD(1) ADD(,)",
        "[[nodiscard]] typename T::X(1);",
    ]
)
SOURCES = st.lists(LINES, max_size=14).map("\n".join)
NOISE = st.text(alphabet="TIDADD(,)#/*'\"\\ \n{};axé", max_size=60)


def check(source: str) -> Unit:
    found = preprocess(SourceFile("test.cu", source), defines={"A": "1"})
    assert len(found.parse_text) == len(found.text)
    assert found.parse_text.isascii()
    for start, end in found.dropped:
        assert 0 <= start < end <= len(found.text)
        assert not found.parse_text[start:end].strip()
    for piece in found.mapped.pieces:
        if piece.copied:
            end = piece.start + piece.source_end - piece.source
            assert found.text[piece.start : end] == piece.file.text[piece.source : piece.source_end]
    for offset in range(0, len(found.text), 3):
        span = found.origin(offset)
        assert span.file.text == source or span.file.path.startswith("<")
        assert 0 <= span.start <= span.end <= len(span.file.text)
    return found


@settings(max_examples=300, deadline=None)
@given(SOURCES)
def test_kept_text_maps_to_itself(source: str) -> None:
    check(source)


@settings(max_examples=200, deadline=None)
@given(NOISE)
def test_no_text_breaks_it(source: str) -> None:
    check("#define TID threadIdx.x\n#define ADD(a, b) a b\n" + source)


def test_the_place_of_an_expansion_is_its_use() -> None:
    found = check("#define TID threadIdx.x\nint x = TID + 1;\n")
    span = found.origin(found.text.index("Idx"))
    assert (span.text, span.line, span.column) == ("TID", 2, 9)
    assert found.span(0, len(found.text) - 1).text == "int x = TID + 1;"
    assert found.origin(found.text.index("+")).column == 13


def test_cost_is_linear() -> None:
    """The parts looked at per character do not grow with the file: no piece is made per character or line."""
    block = "__device__ float f(float* __restrict__ a, int i) { return a[i] * 2.0f; }  // times two\n"
    short, long = (preprocess(SourceFile("test.cu", block * count)) for count in (10, 1000))
    assert len(short.mapped.pieces) == len(long.mapped.pieces) == 1
