# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts
import pytest

from apx.domain.secrets import kinds, mask

# What a person may write; the credential stands between ⟦ and ⟧.
SAID = """
my password is ⟦Abcde#1234wxyz⟧
my password is ⟦hunter2⟧, don't tell
The wifi password is ⟦Sonne2024!⟧.
password for the wifi is ⟦kat7en!klo⟧ and the network is Home
the password was changed to ⟦Kx92mmQ⟧
my new password is now ⟦Kx92mmQ⟧
password's ⟦Kx92mmQ⟧
password: ⟦sunshine⟧
Password: ⟦Sunshine⟧.
password: "⟦correct horse⟧"
my password is "⟦sunshine⟧"
my password is ⟦correct-horse-battery-staple⟧
password = ⟦123456⟧
password 12 is old, password: ⟦abc123⟧
pw: ⟦abc123⟧
pwd=⟦abc123⟧
pass: ⟦abc123⟧
PASSWORD="⟦Abcde#1234wxyz⟧"
DB_PASSWORD=⟦supersecure⟧
JWT_SECRET=⟦keyboardcat⟧
--password ⟦hunter22⟧
--password=⟦hunter22⟧
{"user": "bob", "password": "⟦hunter22⟧", "port": 5}
{\\"password\\":\\"⟦hunter22⟧\\"}
<password>⟦hunter22⟧</password>
**Password:** ⟦hunter22⟧
**Password**: `⟦hunter22⟧`
the password is **⟦hunter22⟧**
(password ⟦Kx92mmQ⟧)
the password is (⟦hunter22⟧)
password => ⟦hunter22⟧
password -> ⟦hunter22⟧
password： ⟦hunter22⟧
password:\u00a0⟦hunter22⟧
password is\u00a0⟦hunter22⟧
password - ⟦hunter22⟧
password — ⟦hunter22⟧
password:⏎  ⟦Abc123!⟧
Password⏎⟦Abc123!x⟧
password is ⟦Abc123!⟧ ok?
⟦Kx92mmQ!⟧ is my wifi password
user bob pw ⟦Kx92mmQ⟧
wpa key: ⟦a1b2c3d4e5⟧
api token: ⟦8c4f1de0a97b23566f10e9d8c7b6a5f4e3d2c1b0⟧
export SERVICE_TOKEN=⟦8c4f1de0a97b23566f10e9d8c7b6a5f4e3d2c1b0⟧
token: ⟦123e4567-e89b-12d3-a456-426614174000⟧
https://example.org/?token=⟦8c4f1de0a97b23566f10⟧&lang=en
apiKey: '⟦q7Wm2Zx9Rt4Kp1Ls⟧',
X-Api-Key: ⟦q7Wm2Zx9Rt4Kp1Ls⟧
client_secret=⟦q7Wm2Zx9Rt4Kp1Ls⟧
AWS_SECRET_ACCESS_KEY=⟦wJalrXUtnFEM1/K7MDENG/bPxRfiCYzzQ2pLEtwq⟧
Authorization: Basic ⟦Ym9iOmh1bnRlcjI=⟧
curl -u bob:⟦hunter22⟧ https://example.org
my pin is ⟦4821⟧
PIN: ⟦4821⟧
PIN ⟦482193⟧
pin code for the card is ⟦4821⟧
the door code is ⟦4821⟧
gate code: ⟦4821⟧
your verification code is ⟦482913⟧
⟦482913⟧ is your verification code
OTP ⟦482 913⟧
2fa code: ⟦482-913⟧
CVV: ⟦123⟧
seed phrase: ⟦apple river stone cloud tiger lemon piano chair house green wolf lamp⟧
recovery phrase is ⟦oak, sea, sky, cow, pig, hen, owl, hat, red, elk, ant, sun⟧
my card is ⟦4242 4242 4242 4242⟧, valid to 12/29
⟦4242424242424242⟧
⟦3782-822463-10005⟧
la contraseña del wifi es ⟦Abcde#1234wxyz⟧
mi contraseña: ⟦girasol⟧
la clave es ⟦Sol1234⟧
el token es ⟦8c4f1de0a97b23566f10e9d8c7b6a5f4e3d2c1b0⟧
el código de verificación es ⟦482913⟧
a senha do wifi é ⟦Sol1234⟧
senha: ⟦girassol9⟧
o código de acesso é ⟦482913⟧
le mot de passe du wifi est ⟦Sol1234⟧
mot de passe : ⟦tournesol⟧
mdp: ⟦Sol1234⟧
le code de la porte est ⟦4821⟧
das Passwort lautet ⟦Abcde#1234wxyz⟧
Das Passwort für das WLAN ist ⟦Sonne2024⟧.
WLAN-Passwort: ⟦sonnenschein⟧
der Türcode ist ⟦4821⟧
Kennwort: ⟦Sonne2024⟧
la password del wifi è ⟦Sol1234⟧
il codice di verifica è ⟦482913⟧
het wachtwoord van de wifi is ⟦Zon2024!⟧
wachtwoord: ⟦zonnebloem⟧
hasło do wifi to ⟦Slonce24⟧
hasło: ⟦slonecznik⟧
kod do domofonu: ⟦4821⟧
пароль: ⟦Abcde#1234wxyz⟧
пароль от вайфая ⟦Kx92mmQ⟧
пароль от вайфая — ⟦солнце24⟧
пин-код ⟦4821⟧
код подтверждения ⟦482913⟧
пароль від вайфаю - ⟦Kx92mmQ⟧
код домофону: ⟦4821⟧
wifi şifresi ⟦Gunes2024⟧
ŞİFRE: ⟦Gunes2024⟧
doğrulama kodu: ⟦482913⟧
كلمة المرور هي ⟦Shams2024⟧
كلمة السر: ⟦Shams2024⟧
رمز التحقق ⟦482913⟧
密码是 ⟦Abcde#1234wxyz⟧
WiFi密码是⟦Abc12345⟧。
密码：⟦abc12345⟧
密码⟦Abc12345⟧
验证码：⟦482913⟧
パスワードは⟦Abc12345⟧です。
パスワード：⟦Abc12345⟧
暗証番号は⟦4821⟧です
비밀번호는 ⟦Abc12345⟧ 입니다
와이파이 비번: ⟦Abc12345⟧
인증번호 ⟦482913⟧
qT7vK2mZ9xW4pL8s: ⟦Zk8Qw3Rt6Yp1Lm9Xv4Bn7Cs2⟧
""".strip().splitlines()


@pytest.mark.parametrize("said", SAID)
def test_only_the_value_becomes_unreadable(said):
    """In every language, however it is quoted; the words around it stay."""
    said = said.replace("⏎", "\n").replace("\\u00a0", "\u00a0")
    before, _, rest = said.partition("⟦")
    value, _, after = rest.partition("⟧")

    masked = mask(before + value + after)

    (kind,) = kinds(before + value + after)
    assert masked == f"{before}[secret: {kind}]{after}"
    assert mask(masked) == masked
