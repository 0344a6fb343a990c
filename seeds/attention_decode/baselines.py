"""What MLX itself offers for one new token's attention."""

import mlx.core as mx


def _mask(lengths, min_len, max_len):
    """[batch, 1, 1, max_len]: which keys count; None where all do."""
    if min_len == max_len:
        return None
    return (mx.arange(max_len) < lengths[:, None])[:, None, None]


def fused(q, k, v, lengths, scale, min_len, max_len, **_):
    """mx.fast.scaled_dot_product_attention, which knows grouped-query heads by itself."""
    mask = _mask(lengths, min_len, max_len)
    out = mx.fast.scaled_dot_product_attention(q[:, :, None], k, v, scale=scale, mask=mask)
    return {"out": out[:, :, 0]}


def unfused(q, k, v, lengths, scale, min_len, max_len, **_):
    """Two matrix products and a softmax in float32."""
    batch, heads, dim = q.shape
    grouped = q.reshape(batch, k.shape[1], heads // k.shape[1], dim)
    scores = ((grouped * scale) @ k.swapaxes(-1, -2)).astype(mx.float32)
    mask = _mask(lengths, min_len, max_len)
    if mask is not None:
        scores = mx.where(mask, scores, -mx.inf)
    weights = mx.softmax(scores, axis=-1, precise=True).astype(q.dtype)
    return {"out": (weights @ v).reshape(q.shape)}
