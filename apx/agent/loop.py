"""One turn, from its request to its ending."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from apx.agent.endings import failed
from apx.agent.prompt import Material, assemble, budget, cost, tools_cost
from apx.agent.run import Cut, Run
from apx.agent.speech import Speech
from apx.agent.toolbox import Bench, Toolbox
from apx.agent.truth import corrected
from apx.domain.ending import Ending
from apx.domain.errors import ContextOverflow, ProviderError, ProviderUnavailable
from apx.domain.event import Event, EventKind
from apx.domain.message import FinishReason, Message, Options, Reply, Usage
from apx.domain.recall import Query, Recall
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.agent.policy import Policy
    from apx.domain.history import View
    from apx.memory.broker import Broker
    from apx.ports import ChatModel, Clock, LiveReply
    from apx.store.history import History
    from apx.store.ledger import Ledger


OFFLINE: Final = "offline"
_END: Final = 2000
# A prompt that is too long for a model is halved, so often: 60,000 tokens fit 4,096.
_SHORTER: Final = 4
_ANY: Final = 1_000_000_000


@dataclass(slots=True)
class _Work:
    """What one attempt at a turn has in its hands."""

    run: Run
    speech: Speech
    toolbox: Toolbox
    model: ChatModel
    view: View
    recall: Recall
    limit: int
    usage: Usage
    sent: int = 0


class Agent:
    """Recalls, asks the model, runs its tools, until there is an answer."""

    def __init__(  # noqa: PLR0913 -- the one place where all of a turn comes together
        self,
        *,
        ledger: Ledger,
        history: History,
        broker: Broker,
        bench: Bench,
        models: Callable[[str], Awaitable[ChatModel]],
        policy: Policy,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._history = history
        self._broker = broker
        self._bench = bench
        self._models = models
        self._policy = policy
        self._clock = clock
        self._learnt: dict[str, int] = {}

    async def answer(self, run: Run, live: LiveReply) -> Ending:
        """Answer a running turn; a provider's failure is an ending too.

        Messages that join before anything was shown start the work anew.
        """
        speech = Speech(run, live, self._ledger, self._clock, self._policy.patience)
        try:
            return await self._answered(run, speech)
        finally:
            speech.close()

    async def _answered(self, run: Run, speech: Speech) -> Ending:
        while True:
            try:
                async with run.cuttable():
                    return await self._attempt(run, speech)
            except Cut:
                if run.is_stopping:
                    await speech.flush()
                    return Ending(TurnState.STOPPED, model=speech.model)
            except ProviderError as error:
                await speech.flush()
                return failed(error, speech.model)
            except asyncio.CancelledError:
                await speech.flush()
                raise

    async def _attempt(self, run: Run, speech: Speech) -> Ending:
        work = await self._prepare(run, speech)
        steps: list[Message] = []
        for _ in range(self._policy.max_iterations):
            reply = await self._ask(work, steps, self._bench)
            if not reply.calls:
                return await self._completed(work, reply)
            speech.works(reply)
            with run.held():
                step = await work.toolbox.run(reply)
            steps += step.messages()
            if work.toolbox.is_stuck:
                break
        return await self._completed(work, await self._ask(work, steps, Bench({})))

    async def _prepare(self, run: Run, speech: Speech) -> _Work:
        turn, policy = run.turn, self._policy
        model = await self._models(turn.wanted)
        view = await self._history.view(turn.thread, policy.threshold, policy.keep)
        recall = await self._recall(run, view)
        return _Work(
            run=run,
            speech=speech,
            toolbox=Toolbox(self._bench, turn, self._ledger, self._clock),
            model=model,
            view=view,
            recall=recall,
            limit=min(budget(model.window), self._learnt.get(model.name, _ANY)),
            usage=Usage(),
        )

    async def _recall(self, run: Run, view: View) -> Recall:
        if not self._policy.recalls:
            return Recall()
        turn, at = run.turn, self._clock()
        query = Query(
            text=asked(run.request),
            thread=turn.thread,
            audiences=(turn.audience, "shared"),
            at=at,
            limit=self._policy.hits,
            known_turns=view.turn_ids | {turn.id},
        )
        recall = await self._broker.recall(query)
        await self._ledger.record(_recall_event(run, recall, query))
        return recall

    async def _ask(self, work: _Work, steps: list[Message], bench: Bench) -> Reply:
        for _ in range(_SHORTER):
            try:
                return await self._hear(work, steps, bench)
            except ContextOverflow:
                # The model's window is smaller than it said. What was learnt holds
                # for its next turns too.
                work.limit = self._learnt[work.model.name] = work.sent // 2
        return await self._hear(work, steps, bench)

    async def _hear(self, work: _Work, steps: list[Message], bench: Bench) -> Reply:
        material = Material(
            setting=self._policy.setting,
            tools=bench.specs,
            view=work.view,
            recall=work.recall,
            thread=work.run.turn.thread,
            at=self._clock(),
            request=work.run.request,
            steps=steps,
        )
        messages = assemble(material, work.limit)
        work.sent = cost(messages) + tools_cost(bench.specs)
        speech = work.speech
        reply = await speech.hear(work.model, messages, bench.specs, Options())
        work.usage += reply.usage
        return reply

    async def _completed(self, work: _Work, reply: Reply) -> Ending:
        if not reply.text.strip():
            raise ProviderUnavailable(
                f"{work.speech.model} gave an empty answer", provider="model"
            )
        work.run.close()
        text = await corrected(_whole(reply, work), work.run.request, work.toolbox)
        return Ending(
            state=TurnState.COMPLETED,
            final=text,
            model=work.speech.model,
            usage=work.usage,
            parts=(text,),
            is_plain=work.speech.model == OFFLINE,
        )


def asked(request: str) -> str:
    """Give what of a request is looked for: of a long one, its two ends.

    People write what they want before or after what they paste.
    """
    if len(request) <= 2 * _END:
        return request
    return f"{request[:_END]}\n{request[-_END:]}"


def _whole(reply: Reply, work: _Work) -> str:
    """Say in the reply what the person could not tell from it."""
    if reply.reason is FinishReason.LENGTH:
        return f"{reply.text}\n\n(The model stopped here: its reply got too long.)"
    if work.speech.model == OFFLINE and work.model.name != OFFLINE:
        return f"{reply.text}\n\n({work.model.name} did not answer; see `apx status`.)"
    return reply.text


def _recall_event(run: Run, recall: Recall, query: Query) -> Event:
    turn = run.turn
    return Event(
        kind=EventKind.RECALL,
        op=f"recall/{turn.id}/{len(run.request)}",
        at=query.at,
        body={
            "memories": [
                {
                    **asdict(memory),
                    "at": memory.at.isoformat(),
                    "thread": str(memory.thread or ""),
                }
                for memory in recall.memories
            ],
            "missed": list(recall.missed),
            "withheld": recall.withheld,
            "spent_ms": recall.spent_ms,
        },
        thread=str(turn.thread),
        turn=turn.id,
        person=turn.person,
        audience=turn.audience,
    )
