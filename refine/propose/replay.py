"""No model at all: a replay answers from its journal, so a question that reaches this is one too many."""

from cu2mlx.refine.propose.protocol import ProposerError, Question, Reply


class ReplayProposer:
    name = "replay"

    def ask(self, question: Question) -> Reply:
        raise ProposerError("the journal ends here; there is no reply to replay")
