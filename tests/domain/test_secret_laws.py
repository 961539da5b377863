import random
import string
import sys
from collections import Counter

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from apx.domain.secrets import kinds, mask

HEX = "0123456789abcdef"
WIDE = string.ascii_letters + string.digits + "-_"

# A vendor's credential by its shape: `<letters:n>` is n of them by chance.
MADE = {
    "age": "AGE-SECRET-" + "KEY-1<up:58>",
    "airtable": "pa" + "t<b62:14>.<hex:64>",
    "anthropic": "sk" + "-ant-api03-<wide:93>AA",
    "atlassian": "ATA" + "TT3xFfGF0<wide:120>=<up:8>",
    "aws": "AK" + "IA<up:16>",
    "azure": "<b62:3>8" + "Q~<wide:34>",
    "azure storage": "Account" + "Key=<b62:86>==",
    "databricks": "da" + "pi<hex:32>",
    "digitalocean": "dop" + "_v1_<hex:64>",
    "discord": "M<b62:23>.<wide:6>.<wide:38>",
    "docker": "dckr" + "_pat_<wide:27>",
    "elevenlabs": "s" + "k_<hex:48>",
    "figma": "fig" + "d_<wide:40>",
    "github": "gh" + "p_<b62:36>",
    "gitlab": "gl" + "pat-<wide:20>",
    "google": "AI" + "za<wide:35>",
    "grafana": "gl" + "sa_<b62:32>_<hex:8>",
    "groq": "gs" + "k_<b62:52>",
    "huggingface": "h" + "f_<b62:34>",
    "jwt": "ey" + "J<wide:33>.ey" + "J<wide:60>.<wide:43>",
    "langsmith": "lsv2" + "_pt_<hex:32>_<hex:10>",
    "linear": "lin" + "_api_<b62:40>",
    "mailgun": "ke" + "y-<hex:32>",
    "mfa": "mf" + "a.<wide:84>",
    "notion": "nt" + "n_<b62:46>",
    "notion old": "secre" + "t_<b62:43>",
    "npm": "np" + "m_<b62:36>",
    "nvidia": "nva" + "pi-<wide:64>",
    "openai": "sk" + "-proj-<wide:74>",
    "openai old": "sk" + "-<b62:48>",
    "perplexity": "pp" + "lx-<b62:48>",
    "pinecone": "pc" + "sk_<b62:60>",
    "planetscale": "pscale" + "_tkn_<wide:43>",
    "postman": "PM" + "AK-<hex:24>-<hex:34>",
    "pypi": "py" + "pi-AgEIcHlwaS5vcmc<wide:80>",
    "replicate": "r" + "8_<b62:37>",
    "sendgrid": "S" + "G.<wide:22>.<wide:43>",
    "sentry": "snt" + "ryu_<hex:64>",
    "shopify": "shp" + "at_<hex:32>",
    "slack": "xo" + "xb-<dig:12>-<dig:12>-<b62:24>",
    "stripe": "s" + "k_live_<b62:24>",
    "supabase": "sb" + "p_<hex:40>",
    "tailscale": "ts" + "key-auth-<b62:16>",
    "tavily": "tv" + "ly-<b62:32>",
    "telegram": "<dig:10>:A" + "A<wide:33>",
    "twilio": "S" + "K<hex:32>",
    "vault": "hv" + "s.<wide:24>",
    "vercel": "vc" + "p_<b62:24>",
    "xai": "xa" + "i-<b62:80>",
}
LETTERS = {
    "up": string.ascii_uppercase + "234567",
    "b62": WIDE[:62],
    "wide": WIDE,
    "hex": HEX,
    "dig": "123456789",
}
ANNOUNCED = (
    "password: {}",
    "my password is {}",
    'PASSWORD="{}"',
    "пароль от вайфая: {}",
    "密码是{}",
    "la contraseña es\u00a0{}",
)


def made(shape, seed):
    """Fill a shape with letters by chance."""
    r = random.Random(seed)  # noqa: S311 -- these protect nothing
    head, *rest = shape.split("<")
    for piece in rest:
        alphabet, _, tail = piece.partition(":")
        count, _, literal = tail.partition(">")
        head += "".join(r.choices(LETTERS[alphabet], k=int(count))) + literal
    return head


texts = st.text(max_size=60)
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("name", MADE)
@given(before=texts, after=texts, seed=seeds)
@settings(deadline=None, max_examples=25)
def test_a_credential_does_not_survive_in_any_text(name, before, after, seed):
    """Between words, whatever they are, in whatever script."""
    assume("[secret" not in before)
    secret = made(MADE[name], seed)

    masked = mask(f"{before} {secret} {after}")

    assert secret not in masked
    assert secret[-16:] not in masked


NAMED = {"age": "private key", "mfa": "discord"}


@pytest.mark.parametrize("name", MADE)
def test_a_credential_is_known_by_its_vendor(name):
    """A person is told which key to replace, and no other rule has to find it."""
    for seed in range(20):
        assert kinds(made(MADE[name], seed)) == (NAMED.get(name, name.split()[0]),)


@given(frame=st.sampled_from(ANNOUNCED), before=texts, after=texts, seed=seeds)
@settings(deadline=None, max_examples=200)
def test_an_announced_password_does_not_survive_in_any_text(frame, before, after, seed):
    """What stands around the sentence does not matter."""
    assume("[secret" not in before)
    secret = made("Kf<b62:6>#7x", seed)

    assert secret not in mask(f"{before}\n{frame.format(secret)} {after}")


WORDS = """password token my is : = [secret] [secret: ] ' " PIN 4821 key ://a:b@c code
    -----BEGIN sk- curl -u a:b12 Kx92mmQ <password> 密码 是 4242424242424242 's & ?
    {} \\ ** Bearer eyJ seed phrase: passphrase apple ."""
PIECES = st.one_of(
    st.sampled_from(["\n", *WORDS.split()]),
    st.builds(made, st.sampled_from(sorted(MADE.values())), seeds),
    st.text(max_size=8),
)


@given(st.lists(PIECES, max_size=14), st.sampled_from(["", " "]))
@settings(deadline=None, max_examples=600)
def test_masking_twice_changes_nothing_more(pieces, between):
    """What is hidden announces nothing, and nothing reaches over it."""
    masked = mask(between.join(pieces))

    assert mask(masked) == masked


@given(st.lists(PIECES, max_size=10), st.sampled_from(["", " "]))
@settings(deadline=None, max_examples=200)
def test_kinds_are_those_that_the_marks_say(pieces, between):
    """A person is told what was hidden, as often as it was."""
    text = between.join(pieces)
    found = kinds(text)

    masked = mask(text)

    assert (masked == text) == (not found)
    for kind, times in Counter(found).items():
        assert masked.count(f"[secret: {kind}]") >= times


@given(st.text(alphabet=st.characters(exclude_categories=["Nd"]), max_size=200))
@example("İİ password")
def test_a_text_without_a_number_or_a_name_is_the_very_same(text):
    """Most messages are neither copied nor changed."""
    assume(not kinds(text))

    assert mask(text) is text


def test_marks_stay_as_they_are():
    """Also where a person wrote them, and behind the name of a credential."""
    text = "password: [secret: openai], token=[secret] and [secret: url password]@b"

    assert mask(text) == text


def test_several_in_one_text_are_named_in_their_order():
    """The person is told what was hidden."""
    key = made(MADE["openai"], 1)
    text = f"key {key}, password: Kx92mmQ, card 4242 4242 4242 4242, PIN 4821"

    assert kinds(text) == ("openai", "password", "card", "code")
    assert mask(text) == (
        "key [secret: openai], password: [secret: password],"
        " card [secret: card], PIN [secret: code]"
    )


def test_an_address_keeps_its_user_and_its_host():
    """Who reads the log still sees which database it was."""
    text = "postgres://app:" + "q7Wm2Zx9" + "@db.example.org:5432/app"

    assert mask(text) == "postgres://app:[secret: url password]@db.example.org:5432/app"


HOSTILE = (
    "a",
    "password ",
    "password:",
    "password is ",
    'password "',
    "token.",
    "token=",
    "7",
    "4242 ",
    "aB3",
    "aB3~",
    "aB3/xY+",
    "://a:",
    "://",
    "[secret: key] ",
    "-----BEGIN RSA PRIVATE " + "KEY-----",
    "eyJaaaaaaaa.",
    "sk-",
    "密码",
    "密码是",
    "пароль от ",
    "seed phrase: apple ",
    "PIN 12 34 ",
    " ",
    "\n",
    "a1b2c is password. ",
    "AccountKey=",
    "token=" + "ab." * 40 + "12345 ",
    "password: " + "a1/" * 40 + "! ",
)


def steps(text):
    """Count the lines of ours that run: a measure that no load changes."""
    count = 0

    def line(frame, event, _):
        nonlocal count
        if "secret" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        mask(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_grows_no_faster_than_the_text(piece):
    """A text four times as long is at most about four times the work."""
    short, long = (piece * (size // len(piece)) for size in (5_000, 20_000))

    assert steps(long) <= 4.5 * steps(short) + 2_000


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_of_100_kilobytes_is_read(piece):
    """The limit of the whole suite is what would notice a pattern that explodes."""
    text = piece * (100_000 // len(piece))

    assert isinstance(mask(text), str)
