"""Many memories at once: all of them or none."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from apx.mem import cache, git, importing, wanted
from apx.mem.actions import Draft, add, archive, update
from apx.mem.faults import MemFault
from apx.mem.frontmatter import render
from apx.mem.guessing import guessed
from apx.mem.memory import Memory
from apx.mem.store import Store

DAY = "2026-12-05"
LATER = "2026-12-09"
KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2


def lines(*every):
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in every).encode()


def taken(store, given, **how):
    return importing.imported(store, given, today=DAY, **how)


def refused(store, given, **how):
    """Give the places that are wrong; nothing was done."""
    before = commits(store), rows(store)
    with pytest.raises(MemFault) as told:
        taken(store, given, **how)
    assert told.value.status == 2
    assert (commits(store), rows(store)) == before
    assert git.run(store.root, "status", "--porcelain") == b""
    return list(told.value.hints)


def commits(store):
    return git.run(store.root, "log", "--format=%s").decode().splitlines()


def rows(store, status="all"):
    with cache.opened(store.root) as known:
        return [dict(row) for row in known.rows(wanted.parsed(status=status))]


def file(place, name, data):
    path = place / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


TEA = {"type": "decision", "title": "Tea", "body": "green\n", "tags": ["ñandú", "v10"]}


def test_lines_become_memories_in_one_commit(store):
    """As other programs write them, each with what it says."""
    given = lines(
        TEA,
        {"type": "howto", "title": "東京", "priority": 90, "created": "2026-11-01"},
    )

    done = taken(store, given)

    assert [one.outcome for one in done] == ["added", "added"]
    assert done[0].id == "d-2026-12-05-tea"
    assert done[1].id.startswith("h-2026-11-01-")
    tea = store.read(done[0].id)
    assert (tea.body, tea.tags) == (b"green\n", ("ñandú", "v10"))
    assert store.read(done[1].id).priority == 90
    assert commits(store)[0] == "mem: import 2 memories"
    assert len(commits(store)) == 2


def test_what_ends_a_line_elsewhere_may_stand_in_a_text(store):
    """JSON allows it as it is, and so does UTF-8 with its mark."""
    body = "a\u2028b\x85c\r\nd"

    (done,) = taken(store, b"\xef\xbb\xbf" + lines({**TEA, "body": body}) + b"\r\n")

    assert store.read(done.id).said == body


def test_the_same_again_is_left_out_and_counted(store):
    """Also what was archived since, and what comes twice."""
    done = taken(store, lines(TEA))
    archive(store, [done[0].id], today=DAY)
    before = commits(store)

    again = taken(store, lines(TEA, {**TEA, "body": "green"}))

    assert [one.outcome for one in again] == ["no-op", "no-op"]
    assert {one.id for one in again} == {done[0].id}
    assert commits(store) == before


def test_one_wrong_line_and_nothing_comes_in(store):
    """Each is named by its line, with what is wrong; a credential by its kind."""
    given = b"\n".join(
        [
            lines(TEA),
            b"{no",
            b"[]",
            b"",
            lines({"type": "poem", "title": "x"}),
            lines({"type": "howto", "body": "no title"}),
            lines({"type": "howto", "title": "y", "priority": 101}),
            lines({"type": "howto", "title": "z", "body": KEY}),
            b'{"type": "howto", "title": "\xff"}',
            b"[" * 100_000,
        ]
    )

    told = refused(store, given)

    where = ["2", "3", "5", "6", "7", "9", "10", "8"]
    assert [one.split(":")[0] for one in told] == [f"stdin, line {n}" for n in where]
    assert "poem" in told[2]
    assert not any(KEY in one for one in told)
    assert "UTF-8" in told[5]


def test_a_title_that_says_something_else_already(store):
    """In the store, or in the same lines; another scope is another place."""
    taken(store, lines(TEA))

    (told,) = refused(store, lines({**TEA, "body": "black"}, {**TEA, "scope": "x"}))
    assert "d-2026-12-05-tea" in told
    (told,) = refused(
        store,
        lines({**TEA, "title": "New"}, {**TEA, "title": "new ", "body": "black"}),
    )
    assert told.startswith("stdin, line 2")


def test_a_long_list_of_faults_is_cut(store):
    """Nobody reads a thousand."""
    told = refused(store, b"no\n" * 50)

    assert len(told) == 21
    assert told[-1] == "and 30 more"


def test_a_credential_comes_in_by_the_owners_will_alone(store, tmp_path):
    """In a line, a file, its tags, or a line of somebody's own."""
    given = lines({**TEA, "tags": [KEY[:50]]})
    odd = f"---\ntype: decision\ntitle: Tea\ntoken: {KEY}\n---\n\nx".encode()
    path = file(tmp_path, "any.md", odd)

    assert len(refused(store, given)) == 1
    assert len(refused(store, [path])) == 1
    assert taken(store, given, force=True)[0].outcome == "added"


def test_a_dry_run_writes_nothing(store):
    """It says what would be."""
    before = commits(store)

    (done,) = taken(store, lines(TEA), dry=True)

    assert (done.outcome, done.id) == ("added", "d-2026-12-05-tea")
    assert commits(store) == before
    assert rows(store) == []


def test_another_store_comes_in_as_it_is(store, begun, tmp_path):
    """Ids, versions, and lines that only its owner knows; not what lies beside."""
    other = Store(str(tmp_path / "other"))
    shutil.copytree(begun, other.root)
    head = (
        b"---\ntitle: Tea: the new way\nmine: [a, b] # why\nversion: 7\ntags: x\n---\n"
    )
    path = "objects/decisions/d-2026-07-19-tea.md"
    file(tmp_path / "other", path, head + b"\nbody\r\n")
    file(tmp_path / "other", "README.md", b"# no memory\n")
    file(tmp_path / "other", ".cache/x.md", b"no memory")

    (done,) = taken(store, [other.root])

    assert (done.id, done.version) == ("d-2026-07-19-tea", 7)
    assert Path(store.root, path).read_bytes() == head + b"\nbody\r\n"
    assert taken(store, [other.root])[0].outcome == "no-op"
    assert commits(store)[0] == "mem: import 1 memory"


def test_an_id_that_is_taken_gives_way(store, tmp_path):
    """The one that is here keeps it, whatever its title has become."""
    here = add(store, Draft({"type": "decision", "title": "Tea"}), today="2026-12-01")
    update(store, here.id, {"title": "Coffee"}, today=DAY)
    fields = {"id": here.id, "type": "decision", "title": "Tea"}
    there = Memory({**fields, "created": "2026-12-01"}, b"x")
    path = file(tmp_path, f"{here.id}.md", render(there))

    (done,) = taken(store, [path])

    assert done.id == "d-2026-12-01-tea-2"
    assert store.read(done.id).body == b"x"
    assert store.read(here.id).title == "Coffee"
    assert taken(store, [path])[0].outcome == "no-op"


def test_a_file_of_another_name_says_its_type(store, tmp_path):
    """It gets an id of ours, and keeps its lines."""
    text = b"---\ntype: howto\ntitle: Brew\ncreated: 2026-11-02\nmine: 1\n---\nhot\n"
    good = file(tmp_path, "notes/brew.md", text)

    (done,) = taken(store, [good])

    assert done.id == "h-2026-11-02-brew"
    now = store.read(done.id)
    assert (now.body, b"mine: 1\n" in now.raw) == (b"hot\n", True)
    file(tmp_path, "notes/none.md", b"---\ntitle: x\n---\n")
    file(tmp_path, "notes/plain.md", b"# x\n")
    file(
        tmp_path,
        "notes/deep/d-2026-12-01-long.md",
        b"---\ntitle: %b\n---\n" % (b"x" * 201),
    )
    told = refused(store, [str(tmp_path / "notes"), str(tmp_path / "gone")])
    assert [one.rpartition("/")[2].split(":")[0] for one in told] == [
        "none.md",
        "plain.md",
        "d-2026-12-01-long.md",
        "gone",
    ]


def test_what_is_no_file_is_not_waited_for(store, tmp_path):
    """A pipe in a directory has nothing to say."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "in/pipe.md")

    assert len(refused(store, [str(tmp_path / "pipe.jsonl")])) == 1
    with pytest.raises(MemFault, match="no memories"):
        taken(store, [str(tmp_path / "in")])


def test_a_thousand_are_one_commit(store):
    """In seconds, as each for itself would not be."""
    given = lines(*({**TEA, "title": f"Tea {n}"} for n in range(1_000)))
    begun = time.process_time()

    done = taken(store, given)

    spent = time.process_time() - begun
    assert len({one.id for one in done}) == 1_000
    assert commits(store)[0] == "mem: import 1000 memories"
    assert spent < 10


# Notes.


def test_notes_are_proposed_once_whatever_became_of_them(store):
    """One commit; the words of a note are not in its source."""
    notes = [("I prefer tea", "2026-11-01"), ("how to brew: boil", ""), (KEY, DAY)]

    done = importing.proposals(store, notes, scope="", today=DAY)

    assert len(done) == 2
    first, second = (store.read(one.id) for one in done)
    assert (first.status, first.confidence) == ("proposed", 0.5)
    assert first.text("created") == "2026-11-01"
    assert first.text("source") == importing.note_source("i  PREFER tea")
    assert "tea" not in first.text("source")
    # Nobody is known to have tried it.
    assert (second.type.name, second.confidence) == ("howto", 0.3)
    assert commits(store)[0] == "mem: propose 2 notes"
    archive(store, [first.id], today=DAY)
    update(store, second.id, {"title": "Brewing"}, today=DAY)
    before = commits(store)
    assert importing.proposals(store, notes, scope="", today=DAY) == []
    assert commits(store) == before


def test_a_note_that_is_a_memory_already_is_not_proposed(store):
    """Whatever its type."""
    add(store, Draft({"type": "constraint", "title": "Tea only"}), today=DAY)
    before = commits(store)

    notes = [("tea  ONLY", DAY), (" \n", DAY)]
    assert importing.proposals(store, notes, scope="", today=DAY) == []

    assert commits(store) == before
    assert importing.proposals(store, notes[:1], scope="x", today=DAY)[0].id


def test_a_long_note_keeps_all_of_its_text(store):
    """Also one of several lines, and two that begin alike."""
    long = "very " * 100 + "long"
    notes = [(long, DAY), (f"{long}er", DAY), (long, DAY), ("a\nb", "")]

    done = importing.proposals(store, notes, scope="", today=DAY)

    made = [store.read(one.id) for one in done]
    assert [one.said for one in made] == [long, f"{long}er", "a\nb"]
    assert made[0].title.endswith("…")
    assert made[1].title.endswith("… (2)")
    assert made[2].title == "a b"
    assert all(len(one.title) <= 200 for one in made)
    assert importing.proposals(store, notes, scope="", today=LATER) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("preference", "Never deploy when the tests failed"),
        ("preference", "Bitte nie vor 9 Uhr anrufen"),
        ("preference", "no uses tabuladores nunca"),
        ("preference", "Ne jamais envoyer de mail après 20h"),
        ("preference", "不要在周五部署"),
        ("preference", "не трогай прод"),
        ("preference", "The budget is at most 500 euros"),
        ("preference", "always answer in English"),
        ("preference", "I prefer tea to coffee"),
        ("preference", "The owner likes dark mode"),
        ("preference", "Ich mag kurze Antworten"),
        ("preference", "prefiero el té"),
        ("preference", "je préfère le thé"),
        ("preference", "preferisco il tè"),
        ("preference", "Eu gosto de café"),
        ("preference", "Я люблю кофе"),
        ("preference", "我喜欢绿茶"),
        ("preference", "緑茶が好きです"),
        ("preference", "저는 녹차를 좋아해요"),
        ("howto", "How to restart: systemctl restart apx"),
        ("howto", "1. stop the daemon\n2. run migrate\n3. start it"),
        ("howto", "So geht das Backup: tar, dann kopieren"),
        ("howto", "Cómo reiniciar el servidor: systemctl restart"),
        ("howto", "Comment redémarrer le serveur : systemctl restart"),
        ("howto", "如何重启服务器: systemctl restart"),
        ("howto", "バックアップの手順: tar してコピー"),
        ("howto", "Как перезапустить сервер: systemctl restart"),
        ("failure", "The deploy failed because the disk was full"),
        ("failure", "Das Backup ist fehlgeschlagen, die Platte war voll"),
        ("failure", "El despliegue falló: disco lleno"),
        ("failure", "Le déploiement a échoué, disque plein"),
        ("failure", "部署失败, 因为磁盘满了"),
        ("failure", "デプロイに失敗した。ディスクが満杯"),
        ("failure", "Сервер упал из-за диска"),
        ("decision", "We use PostgreSQL 16"),
        ("decision", "Wir setzen PostgreSQL ein"),
        ("decision", "The staging server is 10.0.1.5"),
        ("decision", "東京に引っ越した"),
        ("decision", ""),
    ],
)
def test_a_type_is_guessed_from_the_words(kind, text):
    """Never a constraint: these are in every prompt, and a person sets them."""
    assert guessed(text) == kind
