"""One turn, from its request to its ending."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from apx.agent.asking import asked, recall_event
from apx.agent.endings import failed, refused
from apx.agent.prompt import Material, Prompt, assemble, room_for
from apx.agent.rights import EVERYBODYS, Rights
from apx.agent.run import Cut, Run
from apx.agent.seeing import unseen
from apx.agent.speech import Speech
from apx.agent.toolbox import Bench, Toolbox
from apx.agent.truth import corrected
from apx.agent.work import OFFLINE, Work
from apx.domain.budget import budget, cost, tools_cost
from apx.domain.ending import Ending
from apx.domain.errors import (
    ContextOverflow,
    InputError,
    ProviderError,
    ProviderUnavailable,
)
from apx.domain.fitting import fit
from apx.domain.message import Message, Options, Reply
from apx.domain.recall import Query, Recall
from apx.domain.saying import Saying
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.agent.condensing import Condensing
    from apx.agent.policy import Policy
    from apx.agent.seeing import Pictures
    from apx.domain.history import View
    from apx.domain.person import Sight
    from apx.domain.thread import Thread
    from apx.memory.broker import Broker
    from apx.memory.windows import Windows
    from apx.ports import ChatModel, Clock, LiveReply
    from apx.store.history import History
    from apx.store.ledger import Ledger


# A prompt that is too long for a model, which does not say what it reads, is sent again
# with so much of it: half, an eighth, a thirty-second. 60,000 tokens fit 2,048.
_SHORTER: Final = (2, 4, 4)


class Agent:
    """Recalls, asks the model, runs its tools, until there is an answer.

    `rights` say what depends on the turn's person, `pictures` gives what it sees.
    """

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
        rights: Rights = EVERYBODYS,
        pictures: Pictures = unseen,
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
        self._rights = rights
        self._pictures = pictures
        self._told: set[tuple[str, str]] = set()

    async def answer(self, run: Run, live: LiveReply) -> Ending:
        """Answer a running turn; what joins before anything is shown starts anew."""
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
                    speech.live.close(is_stopped=True)
                    await speech.flush()
                    return Ending(TurnState.STOPPED, model=speech.model)
            except ProviderError as error:
                await speech.flush()
                return failed(error, speech.model)
            except InputError as error:
                return refused(error)
            except asyncio.CancelledError:
                await speech.flush()
                raise

    async def _attempt(self, run: Run, speech: Speech) -> Ending:
        work = await self._prepare(run, speech)
        steps: list[Message] = []
        for _ in range(self._policy.max_iterations):
            reply = await self._ask(work, steps, work.bench)
            if not reply.calls:
                return await self._completed(work, reply)
            speech.works(reply)
            with run.held():
                step = await work.toolbox.run(reply)
            steps += step.messages()
            if work.toolbox.is_stuck:
                break
        return await self._completed(work, await self._ask(work, steps, Bench({})))

    async def _prepare(self, run: Run, speech: Speech) -> Work:
        turn = run.turn
        bench = await self._rights.bench(turn, self._bench)
        chosen = await self._rights.model(turn, self._models)
        permit = await self._rights.permit(run, speech)
        limit = self._windows.limit(chosen.model)
        view = await self._view(turn.thread, limit, bench)
        return Work(
            run=run,
            speech=speech,
            bench=bench,
            toolbox=Toolbox(bench, turn, self._ledger, self._clock, permit),
            model=chosen.model,
            remark=chosen.remark,
            view=view,
            recall=await self._recall(run, view, permit.sight),
            limit=limit,
            images=await self._pictures(turn, view),
        )

    async def _view(self, thread: Thread, limit: int, bench: Bench) -> View:
        """Read a thread as the prompt has room for it; what is left out is recalled."""
        room = room_for(limit, self._policy.setting, bench.specs)
        return await asyncio.to_thread(fit, await self._history.view(thread), room)

    async def _recall(self, run: Run, view: View, sight: Sight) -> Recall:
        if not self._policy.recalls:
            return Recall()
        turn, at = run.turn, self._clock()
        query = Query(
            text=asked(run.request),
            thread=turn.thread,
            audiences=sight.audiences,
            withheld=sight.withheld,
            at=at,
            limit=self._policy.hits,
            known_turns=view.turn_ids | {turn.id},
        )
        recall = await self._broker.recall(query)
        await self._ledger.record(recall_event(turn, recall, query))
        return recall

    async def _ask(self, work: Work, steps: list[Message], bench: Bench) -> Reply:
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

    async def _condensed(self, work: Work) -> None:
        thread = work.run.turn.thread
        work.speech.tell(f"too long for {work.model.name}: condensing what went before")
        room = room_for(work.limit, self._policy.setting, work.bench.specs)
        await self._condensing.at_once(thread, room)
        work.view = await self._view(thread, work.limit, work.bench)

    async def _hear(self, work: Work, steps: list[Message], bench: Bench) -> Reply:
        prompt = await asyncio.to_thread(self._prompt, work, steps, bench)
        work.is_cut = prompt.is_cut
        work.toolbox.is_tainted = work.toolbox.is_tainted or prompt.is_tainted
        work.toolbox.offered = frozenset(tool.name for tool in prompt.tools)
        self._tell(work, prompt)
        work.sent = cost(prompt.messages) + tools_cost(prompt.tools)
        speech = work.speech
        reply = await speech.hear(work.model, prompt.messages, prompt.tools, Options())
        work.usage += reply.usage
        return reply

    def _tell(self, work: Work, prompt: Prompt) -> None:
        """Say once what of the home's own is too long for a model."""
        for cut in prompt.cuts:
            if (work.model.name, cut) not in self._told:
                self._told.add((work.model.name, cut))
                work.speech.tell(f"{work.model.name}: {cut}")

    def _prompt(self, work: Work, steps: list[Message], bench: Bench) -> Prompt:
        turn = work.run.turn
        material = Material(
            setting=self._policy.setting,
            tools=bench.specs,
            view=work.view,
            recall=work.recall,
            thread=turn.thread,
            at=self._clock(),
            said=Saying.of(turn),
            steps=steps,
            images=work.images,
        )
        return assemble(material, work.limit)

    async def _completed(self, work: Work, reply: Reply) -> Ending:
        if not reply.text.strip():
            raise ProviderUnavailable(
                f"{work.speech.model} gave an empty answer", provider="model"
            )
        work.run.close()
        words = Saying.of(work.run.turn).own
        text = await corrected(work.whole(reply), words, work.toolbox)
        return Ending(
            state=TurnState.COMPLETED,
            final=text,
            model=work.speech.model,
            usage=work.usage,
            parts=(text,),
            is_plain=work.speech.model == OFFLINE,
            tainted=work.has_read,
        )
