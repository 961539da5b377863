# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts
import random
import string

import pytest

from apx.domain.secrets import kinds, mask

# Ordinary lines that name passwords, keys and codes, or look a little like one.
HARMLESS = """
my password is stored in the safe
the password is on the fridge
password reset mail never came
I forgot my password again, can you help?
the password is wrong
the password must have 12 characters and a digit
Password must be at least 8 characters, with 1 digit
the password is 8+ characters long
password is case-sensitive
your password expires on 2026-12-31
the wifi password is the name of our cat
what is the wifi password?
is the password still the same as in 2024?
1Password is my password manager
iPhone15 is my favourite
password for server01 is in the vault
The password hash is SHA-256 with bcrypt-12
password: ********
password: required
Password: must be set in config.json
password = None
print(f"password={password!r}")
the password limit is 1024 characters
password=os.environ["DB_PASSWORD"]
password = getpass("Password: ")
def login(user: str, password: str) -> None:
login(user=user, password=password)
client = Client(token=settings.token)
token = self._token
token: str | None = None
if token == expected_token:
api_key: OPENAI_API_KEY
api_key = $OPENAI_API_KEY
OPENAI_API_KEY=${OPENAI_API_KEY}
API_KEY=<your key here>
the api key is in the environment
providers.openai.api_key: must be text
channels.telegram.token: text of 46 characters
input_tokens=1234 output_tokens=567
max_tokens: 4096
the token count is 128000
token usage: 12345
the model takes 200000 tokens
token ring was an old network
the access token expires in an hour
token_type: bearer
def public_key(self) -> Ed25519PublicKey:
private_key: PKCS7PrivateKeyTypes
cache_key: a1b2c3d4e5f60718
next_page_token: a1b2c3d4e5f60718
class Empty: pass  # noqa: E701
secret santa on Friday
it's a secret: we are getting married
the secret is to add butter
the key is to start early
key: value
the answer to question 4821 is no
pin 13 on the Arduino is the LED
I pinned message 123456 in the group
pick up the pins from 2 boxes
error code 404 and status code 500123
code 123456 of the product
zip code 10115, area code 030
the discount code is SAVE20 today
pass me the salt at 19:30
we pass 5000 people on the way
boarding pass: gate 12
the compass: north
Passwordless login since v2.1.0
password policy v2.1, section 3.4.5
see https://example.org/reset-password?lang=en
reset your password at https://example.org/account/reset
the password was sent to bob7@example.org
ssh bob@server01.example.org -p 2222
git clone https://github.com/example/project.git
git clone git@github.com:example/project.git
commit 3f1c9ab0d6c1b9f0b6e3c1d5a7e9f1b3c5d7e9f1
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5 d41d8cd98f00b204e9800998ecf8427e
uuid 123e4567-e89b-12d3-a456-426614174000
ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV
ISBN 978-3-16-148410-0 and EAN 4006381333931
IBAN DE89 3704 0044 0532 0130 00
GB29 NWBK 6016 1331 9268 19
order number 4829105736281940
order 112-3456789-1234567 has shipped
tracking number 1Z999AA10123456784
message 1178901234567890123 in channel 998877665544332211
chat -1001234567890 said 1767225600000
timestamp 1767225600000000 in microseconds
+49 30 1234567 or +1 (555) 123-4567
call 0049 171 1234567890 after 18:00
invoice 2026-11-30-000123 over 1,234.56 EUR
192.168.178.1 and 10.0.1.5:8080
fe80::1ff:fe23:4567:890a is the router
00:1B:44:11:3A:B7 is its MAC
https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://example.org:8080/a/B2/c3?mail=me@example.org
0x52908400098527886E0F7030069857D2E4169EE7
1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 is a coin's address
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB5vZ8k2Pq9LmN4rT7wXyZaBcDeFgHiJkLmNoPqRsTu me
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
integrity sha512-oRMj9RcH7Zt9yQ5yF4Y8wNnL0eVwqV1k2Wm3xT6bQp5sK7uJ4aXhZcG8dEfR2iL1==
SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDsdsZ9zt1nXyZp3Vk
getUserAccountBalanceV2ForCustomer
iPhone15ProMax256GBBlueTitanium
IMG_20261130_WA0012.jpg and Screenshot2026-11-30at10.30.15.png
chatcmpl-9x8YzA1b2C3d4E5f6G7h8I9j0K and call_aB3dE5gH7jK9mN1pQ3sT5vX7
ABCDEFGHIJKLMNOPQRSTUVWXYZ
abcdefghijklmnopqrstuvwxyz0123456789
aGVsbG8=
sk-learn is a library, and so is key-value
C:\\Users\\bob\\passwords.txt
/home/bob/.ssh/id_ed25519.pub
~/projects/Secret2026/notes.md
the seed phrase is in the safe, and nobody but you and me knows it
she wrote the recovery phrase on paper and put the sheet into her desk drawer
that is a nice phrase to remember when the days are short and cold
the basic information was in the document
curl -u 1000:1000 is no login
docker run -u 1000:1000 image
see you at 10:30, gate B12, seat 23A
the password game has 35 rules
la clave del éxito es dormir
la clave es la paciencia
palabra clave: paciencia
la contraseña está en la nevera
he olvidado la contraseña del wifi
la contraseña es la de siempre
el token ha caducado
el código postal es 28013
el código de barras 8412345678905
a senha está na gaveta
esqueci a senha do wifi
a senha é a mesma de sempre
senha 45, guichê 3
mon mot de passe est dans le coffre
le mot de passe est trop court
j'ai oublié mon mot de passe hier
le code postal est 75011
la clé est sous le paillasson
das Passwort hat er vergessen
das Passwort ist das gleiche wie immer
mein Passwort ist leider abgelaufen
das WLAN-Passwort steht auf dem Router
Passwort vergessen? Hier klicken
Passwort: vergessen
der Schlüssel liegt unter der Matte
die Postleitzahl ist 10115
Grüße aus Donaudampfschifffahrtsgesellschaftskapitän
la password è scritta sul frigo
ho dimenticato la password del wifi
la password è sempre la stessa
la parola del giorno: amore
il codice fiscale è RSSMRA85T10A562S
het wachtwoord ligt in de kluis
ik ben mijn wachtwoord vergeten
het wachtwoord is hetzelfde als vorig jaar
hasło jest w sejfie
zapomniałem hasła do wifi
hasło to imię naszego kota
kod pocztowy 00-950
пароль я забыл
пароль тот же, что и вчера
пароль: неверный
пароль от вайфая на холодильнике
код 123456 на товаре
ключ под ковриком
почтовый индекс 101000
пароль я забув
пароль той самий, що й учора
пароль від вайфаю на холодильнику
şifremi unuttum
wifi şifresi buzdolabının üstünde
şifre yanlış
posta kodu 34000
كلمة المرور في الخزنة
نسيت كلمة السر
الرمز البريدي 11564
密码学很有趣
我忘记密码了，订单号12345678
密码在冰箱上
密码是我家猫的名字
邮编是100000
パスワードを忘れました
パスワードは冷蔵庫の上です
パスワードは金庫の中にあります
郵便番号は100-0001
비밀번호를 잊어버렸어요
비밀번호는 냉장고에 있어요
암호화폐 가격이 50000원이다
우편번호 06236
""".strip().splitlines()


def test_the_lines_are_many():
    """A rule that looks at fewer is tuned to them."""
    assert len(set(HARMLESS)) >= 150


@pytest.mark.parametrize("text", HARMLESS)
def test_an_ordinary_line_stays_as_it_is(text):
    """A message that is cut for nothing is a message lost."""
    assert mask(text) == text
    assert kinds(text) == ()


def test_a_file_in_base64_is_no_key():
    """Lines of a certificate are as random as keys, and are for everybody."""
    r = random.Random(1)  # noqa: S311 -- these protect nothing
    letters = string.ascii_letters + string.digits
    rows = ["".join(r.choices(letters, k=64)) for _ in range(5)]
    text = "-----BEGIN CERTIFICATE-----\n" + "\n".join(rows)

    assert mask(text) == text
