"""What a run has spent."""

import pytest

from cu2mlx.refine.budget import Account, Options
from cu2mlx.refine.propose.protocol import Reply


@pytest.mark.parametrize(
    ("replies", "price"),
    [
        ([], "0.00 USD"),
        ([Reply("", "rules")], "0.00 USD"),
        ([Reply("", "dear", tokens_out=10, usd=0.5), Reply("", "dear", tokens_out=20, usd=0.75)], "1.25 USD"),
        ([Reply("", "unpriced", tokens_in=10)], "unknown"),
        ([Reply("", "command:my-agent")], "unknown"),
        ([Reply("", "command:my-agent", usd=0.25)], "0.25 USD"),
        ([Reply("", "unpriced", tokens_in=10), Reply("", "dear", tokens_in=10, usd=2)], "2.00 USD and more"),
    ],
)
def test_a_price_says_no_more_than_is_known(replies: list[Reply], price: str) -> None:
    account = Account(Options())
    for reply in replies:
        account.pay(reply)
    assert account.price == price
