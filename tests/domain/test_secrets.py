import random
import string

import pytest

from apx.domain.secrets import mask, names_a_secret

LETTERS = string.ascii_letters + string.digits
WIDE = LETTERS + "-_"


def made_up(seed):
    """Put together one credential of every kind; none stands in this file."""
    r = random.Random(seed)  # noqa: S311  these protect nothing

    def some(alphabet, n):
        return "".join(r.choices(alphabet, k=n))

    base64_lines = "\n".join(some(LETTERS + "+/", 64) for _ in range(3))
    key = "OPENSSH " + "PRIVATE " + "KEY-----"
    return {
        "telegram": f"{r.randint(10**8, 10**10)}:A" + f"A{some(WIDE, 33)}",
        "discord": f"M{some(LETTERS, 23)}.{some(WIDE, 6)}.{some(WIDE, 38)}",
        "webhook": "https://discord.com/api/" + f"webhooks/{10**17}/{some(WIDE, 68)}",
        "openai": "sk" + "-proj-" + some(WIDE, 74),
        "anthropic": "sk" + "-ant-api03-" + some(WIDE, 93),
        "google": "AI" + "za" + some(WIDE, 35),
        "github": "gh" + "p_" + some(LETTERS, 36),
        "gitlab": "gl" + "pat-" + some(WIDE, 20),
        "aws": "AK" + "IA" + some(string.ascii_uppercase, 16),
        "slack": "xo" + "xb-" + f"{10**11}-{10**11}-" + some(LETTERS, 24),
        "stripe": "sk" + "_live_" + some(LETTERS, 24),
        "huggingface": "h" + "f_" + some(string.ascii_letters, 34),
        "npm": "np" + "m_" + some(LETTERS, 36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + some(WIDE, 80),
        "jwt": f"ey{'J'}{some(WIDE, 33)}.ey{'J'}{some(WIDE, 60)}.{some(WIDE, 43)}",
        "private key": f"-----BEGIN {key}\n{base64_lines}",
        "bearer": some(string.ascii_lowercase, 20) + "_" + some(WIDE, 20),
        "url password": f"app:{some(LETTERS, 14)}",
    }


FRAMES = (
    "here is the key: {}",
    "{}",
    "KEY={}",
    "usa {} por favor",
    "密码是{}。",
    "<{}>",
)
SURROUNDED = {"bearer": "Bearer {}", "url password": "postgres://{}@db.example.org/app"}
KINDS = tuple(made_up(0))


@pytest.mark.parametrize("kind", KINDS)
def test_a_credential_of_each_vendor_becomes_unreadable(kind):
    """Whatever stands around it, and in any script."""
    for seed in range(50):
        secret = made_up(seed)[kind]
        for frame in FRAMES:
            text = frame.format(SURROUNDED.get(kind, "{}")).format(secret)

            masked = mask(text)

            assert secret not in masked, text
            assert f"[secret: {kind}]" in masked


HARMLESS = (
    "the risk-assessmentframework-for-teams document is ready",
    "sk-learn and sk-learn-for-absolute-beginners are libraries",
    "sk-internationalizationandlocalization is a word and sk- a prefix",
    "volume disk-0f3a9c2b7d1e4f5a6b7c8d9e is full",
    "the bearer of internationalization-and-localization news",
    "commit 3f1c9ab0d6c1b9f0b6e3c1d5a7e9f1b3c5d7e9f1 fixed it",
    "uuid 123e4567-e89b-12d3-a456-426614174000 at 10:30:15",
    "https://example.org:8080/a/very/long/path?mail=me@example.org",
    "Meeting.Monday.Morning with M.N.O. on 1234567890:AAA",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ and AKIA and eyJ are letters",
    "-----BEGIN CERTIFICATE-----",
    "la clave del éxito es dormir; 密码学很有趣",
    "",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_words_that_look_a_little_like_one_stay(text):
    """A message that is cut for nothing is a message lost."""
    assert mask(text) == text


def test_a_key_ends_where_its_end_is_marked():
    """What follows a pasted key is still read."""
    key = "RSA PRIVATE" + " KEY-----"
    text = f"-----BEGIN {key}\nProc-Type: 4\n\nabc\n-----END {key}\nand thanks"

    assert mask(text) == "[secret: private key]\nand thanks"


def test_masking_twice_changes_nothing_more():
    """The marker does not look like a credential itself."""
    text = " ".join(
        SURROUNDED.get(kind, "{}").format(secret) for kind, secret in made_up(1).items()
    )

    assert mask(mask(text)) == mask(text)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("api_key", True), ("token", True), ("bot_token", True), ("max_tokens", False)],
)
def test_a_setting_is_secret_by_its_name(name, is_one):
    """Also when the value has no shape that anybody knows."""
    assert names_a_secret(name) is is_one
