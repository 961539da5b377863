"""Generated threads: a goal, limits, changing tasks, exact things, and much chat.

The same seed gives the same threads; what is true of them is known.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from scripts.benchmarks.condense_phrases_de import GERMAN
from scripts.benchmarks.condense_phrases_en import ENGLISH
from scripts.benchmarks.condense_phrases_es import SPANISH
from scripts.benchmarks.condense_phrases_fr import FRENCH
from scripts.benchmarks.condense_phrases_ko import KOREAN
from scripts.benchmarks.condense_phrases_zh import CHINESE
from scripts.benchmarks.condense_truth import Fact, Talk, Told, Truth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.benchmarks.condense_phrases import Phrases

LANGUAGES: Final = {
    "en": ENGLISH,
    "es": SPANISH,
    "de": GERMAN,
    "fr": FRENCH,
    "zh": CHINESE,
    "ko": KOREAN,
}
SEED: Final = 4
_SHORTEST: Final = 100
_LONGEST: Final = 400
_SENTENCE: Final = re.compile(r"(?<=[.。])\s*")
# So many limits a thread has at most, and so many tasks are open at once.
_LIMITS: Final = 10
_OPEN: Final = 3
_SWAP: Final = 0.65
# Of a hundred turns so many change the tasks, say something exact, lay something down.
_CHANGES: Final = 9
_EXACT: Final = 20
_LAID_DOWN: Final = 2
_TURNS: Final = 0.3  # want something else in all
_TOOLS: Final = 14  # have a tool used


def talks(count: int) -> list[Talk]:
    """Generate threads, in one language after the other."""
    names = list(LANGUAGES)
    return [talk(number, names[number % len(names)]) for number in range(count)]


def talk(number: int, language: str) -> Talk:
    """Generate one thread; a number gives the same one in every run."""
    chance = random.Random(f"{SEED}/{number}")  # noqa: S311 -- no secret
    return _Writer(number, language, LANGUAGES[language], chance).write()


@dataclass(slots=True)
class _Writer:
    number: int
    language: str
    words: Phrases
    chance: random.Random
    turns: list[Told] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)

    def write(self) -> Talk:
        self.limits = self.chance.sample(self.words.limits, _LIMITS)
        self.tasks = self.chance.sample(self.words.tasks, len(self.words.tasks))
        # Half of them are long enough to be condensed ten times.
        shortest = self.chance.choice([_SHORTEST, 4 * _LONGEST // 5])
        count = self.chance.randint(shortest, _LONGEST)
        self._begin()
        while len(self.turns) < count:
            self._go_on()
        return Talk(self.number, self.language, tuple(self.turns), tuple(self.facts))

    @property
    def _now(self) -> int:
        return len(self.turns) + 1

    def _begin(self) -> None:
        """Say the goal at once or after a greeting; limits as a list, or in between."""
        goal = self.chance.choice(self.words.goals)
        limits = [self._limit() for _ in range(self.chance.randint(2, 4))]
        form = self.chance.randrange(4)
        if form == 0:
            self._say([self.chance.choice(self.words.hello)])
        if form == 1:
            self._add(Truth.GOAL, goal)
            for limit in limits:
                self._add(Truth.LIMIT, limit)
            self._say([goal, *(f"\n- {limit}" for limit in limits)])
            return
        self._add(Truth.GOAL, goal)
        self._say([goal, *self._chat(1)])
        for limit in limits:
            self._add(Truth.LIMIT, limit)
            self._say(self._amid(limit))

    def _go_on(self) -> None:
        acts = [
            (_CHANGES, self._change_tasks),
            (_EXACT, lambda: self._say(self._amid(self._exact()))),
            (_LAID_DOWN, self._lay_down),
            (_TURNS, self._turn),
        ]
        rest = 100 - sum(many for many, _ in acts)
        acts.append((rest, lambda: self._say(self._chat(self.chance.randint(1, 3)))))
        [(_, act)] = self.chance.choices(acts, [many for many, _ in acts])
        act()

    def _lay_down(self) -> None:
        if self.limits:
            limit = self._limit()
            self._add(Truth.LIMIT, limit)
            self._say(self._amid(limit))

    def _turn(self) -> None:
        """Want something else in all; at most once, as people do."""
        goals = [fact for fact in self.facts if fact.truth is Truth.GOAL]
        if len(goals) > 1:
            return
        self._end(goals[0])
        goal = self.chance.choice(self.words.turns)
        self._add(Truth.GOAL, goal)
        self._say(self._amid(goal))

    def _change_tasks(self) -> None:
        running = [f for f in self.facts if f.truth is Truth.TASK and not f.until]
        fresh = self.tasks.pop() if self.tasks else ""
        if running and fresh and self.chance.random() < _SWAP:
            done = self.chance.choice(running)
            said = self._one(self.words.swaps, task=done.text, next=fresh)
            self._end(done, said)
        elif running and (not fresh or len(running) >= _OPEN):
            done = self.chance.choice(running)
            said = self._one(self.words.closes, task=done.text)
            self._end(done, said)
            self.tasks += [fresh] if fresh else []
            fresh = ""
        elif fresh:
            said = self._one(self.words.opens, task=fresh)
        else:
            return
        if fresh:
            self._add(Truth.TASK, fresh)
        self._say(self._amid(said))

    def _end(self, fact: Fact, said: str = "") -> None:
        """End a task and all that was only of use for it, or a goal."""
        name = fact.text.casefold()
        pieces = [one for one in _SENTENCE.split(said) if name in one.casefold()]
        ending = pieces[0] if pieces else ""
        for place, one in enumerate(self.facts):
            if one is fact:
                self.facts[place] = replace(one, until=self._now, ending=ending)
            elif one.task == fact.text:
                self.facts[place] = replace(one, until=self._now)

    def _exact(self) -> str:
        """Say something exact; it belongs to the newest open task, or to all."""
        running = [f for f in self.facts if f.truth is Truth.TASK and not f.until]
        text = self.chance.choice(self.words.facts)
        name = text[text.index("{") + 1 : text.index("}")]
        value = self._value(name)
        self._add(Truth.ANCHOR, value, running[-1].text if running else "")
        return text.replace(f"{{{name}}}", value)

    def _limit(self) -> str:
        return self._one([self.limits.pop()])

    def _one(self, texts: Sequence[str], **given: str) -> str:
        words = self.words
        said = self.chance.choice(texts).format(
            who=self.chance.choice(words.who),
            what=self.chance.choice(words.what),
            amount=self._value("amount"),
            date=self._value("date"),
            **given,
        )
        return said[0].upper() + said[1:]

    def _value(self, name: str) -> str:
        number = self.chance.randint(1000, 99999)
        word = self.chance.choice(["alfa", "kilo", "nova", "tango", "zulu", "orbit"])
        if name == "id":
            return self.chance.choice([f"ORD-{number}", f"TK-{number}", f"KX{number}"])
        if name == "url":
            return f"https://{word}.example.org/{number}"
        if name == "path":
            return self.chance.choice(
                [f"/srv/{word}/{number}.yaml", f"docs/{word}_{number}.md"]
            )
        if name == "amount":
            return self.words.amount.format(n=self.chance.randint(11, 98) * 50)
        return self.chance.choice(self.words.dates)

    def _amid(self, text: str) -> list[str]:
        before, after = self.chance.choice([(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)])
        return [*self._chat(before), text, *self._chat(after)]

    def _chat(self, count: int) -> list[str]:
        return self.chance.sample(self.words.chat, count)

    def _add(self, truth: Truth, text: str, task: str = "") -> None:
        self.facts.append(Fact(truth, text, self._now, task=task))

    def _say(self, texts: Sequence[str]) -> None:
        answers = self.chance.sample(self.words.answers, self.chance.randint(1, 4))
        tool = self._tool() if self.chance.randrange(100) < _TOOLS else None
        gap = self.words.gap
        request = gap.join(texts).replace(f"{gap}\n", "\n")
        self.turns.append(Told(request, gap.join(answers), tool))

    def _tool(self) -> tuple[str, str, str]:
        """Have a tool give many lines that nobody needs later."""
        lines = self.chance.randint(3, 25)
        numbers = [self.chance.randrange(10**6) for _ in range(lines)]
        found = "\n".join(f"row {n}: /var/log/app/{n}.log ok REF-{n}" for n in numbers)
        name = self.chance.choice(["shell", "search", "read_file"])
        return name, f'{{"query": "row {numbers[0]}"}}', found
