"""One turn, from its request to its ending."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.agent.asking import asked, recall_event
from apx.agent.endings import failed
from apx.agent.prompt import Material, Prompt, assemble, room_for
from apx.agent.run import Cut, Run
from apx.agent.speech import Speech
from apx.agent.toolbox import Bench, Toolbox
from apx.agent.truth import corrected
from apx.domain.budget import budget, cost, tools_cost
from apx.domain.ending import Ending
from apx.domain.errors import ContextOverflow, ProviderError, ProviderUnavailable
from apx.domain.fitting import fit
from apx.domain.message import FinishReason, Message, Options, Reply, Usage
from apx.domain.recall import Query, Recall
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.agent.condensing import Condensing
    from apx.agent.policy import Policy
    from apx.domain.history import View
    from apx.domain.thread import Thread
    from apx.memory.broker import Broker
    from apx.memory.windows import Windows
    from apx.ports import ChatModel, Clock, LiveReply
    from apx.store.history import History
    from apx.store.ledger import Ledger


OFFLINE: Final = "offline"
# A prompt that is too long for a model, which does not say what it reads, is sent again
# with so much of it: half, an eighth, a thirty-second. 60,000 tokens fit 2,048.
_SHORTER: Final = (2, 4, 4)


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
    is_cut: bool = False
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
        condensing: Condensing,
        windows: Windows,
        policy: Policy,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._history = history
        self._broker = broker
        self._bench = bench
        self._models = models
        self._policy = policy
        self._condensing = condensing
        self._windows = windows
        self._clock = clock
        self._told: set[tuple[str, str]] = set()

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
        turn = run.turn
        model = await self._models(turn.wanted)
        limit = self._windows.limit(model)
        view = await self._view(turn.thread, limit)
        recall = await self._recall(run, view)
        return _Work(
            run=run,
            speech=speech,
            toolbox=Toolbox(self._bench, turn, self._ledger, self._clock),
            model=model,
            view=view,
            recall=recall,
            limit=limit,
            usage=Usage(),
        )

    async def _view(self, thread: Thread, limit: int) -> View:
        """Read a thread as the prompt has room for it; what is left out is recalled."""
        room = room_for(limit, self._policy.setting, self._bench.specs)
        return await asyncio.to_thread(fit, await self._history.view(thread), room)

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
        await self._ledger.record(recall_event(run, recall, query))
        return recall

    async def _ask(self, work: _Work, steps: list[Message], bench: Bench) -> Reply:
        """Ask; what is too long is condensed once, then cut. Never without end."""
        before = work.limit
        for place, part in enumerate(_SHORTER):
            try:
                return await self._hear(work, steps, bench)
            except ContextOverflow as error:
                # The model's window is smaller than it said. What was learnt holds
                # for its next turns too.
                told = budget(error.window) if error.window else work.sent
                smaller = told if told < work.sent else work.sent // part
                work.limit = self._windows.learn(work.model, smaller)
                if place == 0:
                    await self._condensed(work)
        try:
            return await self._hear(work, steps, bench)
        except ContextOverflow:
            self._windows.restore(work.model, before)
            raise

    async def _condensed(self, work: _Work) -> None:
        thread = work.run.turn.thread
        work.speech.tell(f"too long for {work.model.name}: condensing what went before")
        room = room_for(work.limit, self._policy.setting, self._bench.specs)
        await self._condensing.at_once(thread, room)
        work.view = await self._view(thread, work.limit)

    async def _hear(self, work: _Work, steps: list[Message], bench: Bench) -> Reply:
        prompt = await asyncio.to_thread(self._prompt, work, steps, bench)
        work.is_cut = prompt.is_cut
        self._tell(work, prompt)
        work.sent = cost(prompt.messages) + tools_cost(prompt.tools)
        speech = work.speech
        reply = await speech.hear(work.model, prompt.messages, prompt.tools, Options())
        work.usage += reply.usage
        return reply

    def _tell(self, work: _Work, prompt: Prompt) -> None:
        """Say once what of the home's own is too long for a model."""
        for cut in prompt.cuts:
            if (work.model.name, cut) not in self._told:
                self._told.add((work.model.name, cut))
                work.speech.tell(f"{work.model.name}: {cut}")

    def _prompt(self, work: _Work, steps: list[Message], bench: Bench) -> Prompt:
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
        return assemble(material, work.limit)

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


def _whole(reply: Reply, work: _Work) -> str:
    """Say in the reply what the person could not tell from it."""
    remarks = []
    if work.is_cut:
        remarks.append("Your message is longer than this model reads: it was cut.")
    if reply.reason is FinishReason.LENGTH:
        remarks.append("The model stopped here: its reply got too long.")
    if work.speech.model == OFFLINE and work.model.name != OFFLINE:
        remarks = [f"{work.model.name} did not answer; see `apx status`."]
    return "\n\n".join([reply.text, *(f"({remark})" for remark in remarks)])
