"""The credentials of vendors: what each looks like, whatever stands around it."""

from __future__ import annotations

from apx.domain.secret_pattern import ascii_pattern
from apx.domain.secret_words import STOP

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

# Each is: name, marks, pattern. A text with none of the marks cannot hold one, and
# looking for them first is what makes a usual message cheap. If a pattern has a
# group, the credential is that group. Every pattern either has bounded repeats or
# starts at the edge of a word, so that a hostile text costs linear time.
_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_END: Final = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_HEAD: Final = r"(?:\s*(?:Version|Comment|Proc-Type|DEK-Info): [^\n]{0,100}\n)"
_EDGE: Final = r"(?<![A-Za-z0-9])"

_SHAPES: Final = (
    # Up to its end; a key that was cut off ends with its last line of base64.
    (
        "private key",
        "-----BEGIN",
        rf"{_BEGIN}(?:(?:(?!-----BEGIN)[\s\S])*?{_END}"
        rf"|{_HEAD}{{0,5}}(?:\s*[\w+/=\\-]{{16,}})+)",
    ),
    ("private key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,2000}"),
    ("private key", "Private-Lines:", r"Private-Lines: \d+((?:\s+[\w+/=]{16,})+)"),
    (
        "url password",
        "://",
        rf"(?<=://)[^\s:/@]{{0,200}}:(?!\[|{STOP}|\$?[{{<]\w{{1,40}}[}}>]@|\$\w{{1,40}}@)"
        r"([^\s/]{1,200})(?=@)",
    ),
    (
        "webhook",
        "webhooks/ hooks.slack.com",
        r"https://[\w.-]{0,60}discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]{40,}"
        r"|https://hooks\.slack\.com/[\w/]{20,}",
    ),
    ("telegram", ":AA %3AAA %3aAA", r"(?<!\d)\d{6,12}(?::|%3[Aa])AA[\w-]{32,64}"),
    # Three parts joined by dots; the first is the bot's number in base64.
    (
        "discord",
        ".",
        r"[MNO](?<![\w-][MNO])[\w-]{22,27}\.[\w-]{6}\.[\w-]{27,64}",
    ),
    ("discord", "mfa.", rf"{_EDGE}mfa\.[\w-]{{60,120}}"),
    ("anthropic", "sk-ant-", rf"{_EDGE}sk-ant-[\w-]{{30,}}"),
    # Other vendors write theirs like this too: openrouter, deepseek. Words, such as
    # `sk-learn-for-beginners`, have neither the unbroken length nor the digit.
    (
        "openai",
        "sk-",
        rf"{_EDGE}sk-(?:(?:proj|svcacct|admin|or-v1|lf)-[\w-]{{20,}}"
        r"|(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{20,})",
    ),
    ("google", "AIza AQ.", r"AIza[\w-]{35}|(?<![\w.-])AQ\.[\w-]{40,}"),
    ("google", "GOCSPX- ya29.", r"GOCSPX-[\w-]{20,64}|(?<![\w.-])ya29\.[\w.-]{30,}"),
    (
        "github",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{40,255}",
    ),
    (
        "gitlab",
        "glpat- gldt- glrt- glptt-",
        r"gl(?:pat|dt|rt|ptt)-[\w-]{20,255}(?:\.[\w-]{2,60}){0,2}",
    ),
    ("aws", "AKIA ASIA", rf"{_EDGE}(?:AKIA|ASIA)[A-Z0-9]{{16}}(?![A-Za-z0-9])"),
    ("slack", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[\w-]{20,255}"),
    (
        "stripe",
        "k_live_ k_test_ whsec_",
        rf"{_EDGE}(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{{16,}}",
    ),
    ("huggingface", "hf_", rf"{_EDGE}hf_[A-Za-z0-9]{{30,}}"),
    ("npm", "npm_", r"npm_[A-Za-z0-9]{36,255}"),
    ("pypi", "pypi-", r"pypi-[\w-]{60,1000}"),
    ("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
    (
        "bearer",
        "earer EARER",
        r"(?<=\b[Bb]earer )(?=[a-z-]*[A-Z0-9_])[\w.~+/=-]{20,}"
        r"|(?<=\bBEARER )[\w.~+/=-]{20,}",
    ),
    (
        "basic auth",
        "asic",
        r"[Aa]uthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?[Bb]asic\s{1,3}([\w+/=-]{6,})",
    ),
    (
        "basic auth",
        "curl",
        r"\s(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?!\d+\b)([^\s\"'\[]{3,200})",
    ),
    (
        "azure",
        "AccountKey= AccessKey= Q~ sig=",
        r"(?:AccountKey|AccessKey)=([A-Za-z0-9+/]{40,100}={0,2})"
        r"|[?&]sig=([\w%+/-]{30,100}=?)"
        r"|(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{31,36})",
    ),
    ("digitalocean", "_v1_", rf"{_EDGE}do[opr]_v1_[a-f0-9]{{40,80}}"),
    ("together", "tgp_v1_", r"tgp_v1_[\w-]{30,100}"),
    ("shopify", "shp", r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32,64}"),
    ("sendgrid", "SG.", rf"{_EDGE}SG\.[\w-]{{16,32}}\.[\w-]{{16,64}}"),
    ("twilio", "SK", rf"{_EDGE}SK[0-9a-f]{{32}}(?![0-9A-Za-z])"),
    ("mailgun", "key-", rf"{_EDGE}key-[0-9a-f]{{32}}(?![0-9A-Za-z])"),
    (
        "notion",
        "secret_ ntn_",
        rf"{_EDGE}(?:secret_[A-Za-z0-9]{{43}}|ntn_[A-Za-z0-9]{{40,60}})(?!\w)",
    ),
    ("linear", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,80}"),
    (
        "vercel",
        "vc vercel_blob_rw_",
        rf"{_EDGE}vc[aciklpr]_[A-Za-z0-9]{{20,80}}|vercel_blob_rw_\w{{20,100}}",
    ),
    ("groq", "gsk_", rf"{_EDGE}gsk_[A-Za-z0-9]{{40,80}}"),
    ("xai", "xai-", rf"{_EDGE}xai-[A-Za-z0-9]{{60,120}}"),
    ("perplexity", "pplx-", rf"{_EDGE}pplx-[A-Za-z0-9]{{40,80}}"),
    ("replicate", "r8_", rf"{_EDGE}r8_[A-Za-z0-9]{{30,60}}"),
    ("docker", "dckr_", r"dckr_[po]at_[\w-]{20,60}"),
    ("atlassian", "ATATT3 ATCTT3", r"AT[AC]TT3[\w=-]{60,300}"),
    ("airtable", "pat", rf"{_EDGE}pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}"),
    ("figma", "figd_", r"figd_[\w-]{30,60}"),
    ("grafana", "glsa_ glc_", rf"{_EDGE}(?:glsa|glc)_[\w=+/]{{32,400}}"),
    ("vault", "hvs. hvb.", rf"{_EDGE}hv[sb]\.[\w-]{{24,300}}"),
    ("databricks", "dapi", rf"{_EDGE}dapi[a-f0-9]{{32}}(?:-\d)?"),
    (
        "supabase",
        "sbp_ sb_secret_",
        rf"{_EDGE}(?:sbp_[a-f0-9]{{40}}|sb_secret_[\w-]{{20,60}})",
    ),
    ("planetscale", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,80}"),
    ("nvidia", "nvapi-", r"nvapi-[\w-]{40,100}"),
    ("tailscale", "tskey-", r"tskey-[a-z]{2,10}-[\w-]{16,100}"),
    ("sentry", "sntry", r"sntry[su]_[\w+/=]{40,400}"),
    ("postman", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("langsmith", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{6,12}"),
    ("tavily", "tvly-", rf"{_EDGE}tvly-[\w-]{{20,80}}"),
    ("elevenlabs", "sk_", rf"{_EDGE}sk_[a-f0-9]{{40,64}}(?![0-9A-Za-z])"),
    ("pinecone", "pcsk_", r"pcsk_\w{40,100}"),
)
_DISCORD: Final = 57  # letters in a bot's token at least; its mark is everywhere
_MARKS: Final = tuple(
    (mark, number)
    for number, (_, marks, _) in enumerate(_SHAPES)
    for mark in marks.split()
)


def shaped(text: str) -> Iterator[tuple[int, int, str]]:
    """Find where a vendor's credentials start and end, and whose they are."""
    for number in dict.fromkeys([n for mark, n in _MARKS if mark in text]):
        name, mark, shape = _SHAPES[number]
        if mark == "." and max(map(len, text.split()), default=0) < _DISCORD:
            continue
        for found in ascii_pattern(shape).finditer(text):
            yield *found.span(found.lastindex or 0), name
