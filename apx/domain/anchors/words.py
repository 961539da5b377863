"""The words and signs of units, and which of them mean the same."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

from functools import cache
from typing import Final

from apx.domain.text import normal

# Each line begins with the unit that its words mean. `*` stands for an ending. Where
# no space parts words, longer ones are found before shorter ones.
_UNITS: Final = """
eur € euro euros eurot евро 欧元 歐元 ユーロ 유로 يورو אירו ευρώ
usd $ us$ dollar dollars dólar dólares dolar dolares dollari dolary dolarów доллар*
usd долл 美元 美金 ドル 달러 دولار דולר
gbp £ pound pounds libra libras livre livres sterling pfund фунт* 英镑 ポンド 파운드
jpy yen yenes 円 日元 日圆 엔
cny ¥ yuan rmb yuanes 元 块 塊 人民币 圆 圓 위안 юан*
krw ₩ won wones 원
inr ₹ rupee rupees रुपये रुपए
rub ₽ rubles rubel руб рубл* р
₺ tl lira liras lirası
uah ₴ грн гривн* гривень
ils ₪ shekel shekels שקל שקלים
chf franken francs franc sfr
pln zł zloty złotych złote
sek kr kronor kroner dkk nok
mxn peso pesos ars clp cop
brl r$ real reais
sar ريال
aed درهم
aud cad nzd
btc bitcoin bitcoins ₿
eth
sgd
hkd
twd
thb ฿ baht บาท
vnd ₫ đồng
cent cents ct cts céntimos centavos centimes
% percent pct prozent procent porcentaje percento procento процент* 퍼센트
% パーセント بالمئة ٪
permille ‰
° grad grados degrés graus gradi градус* 度 도
°c ℃ celsius
°f ℉ fahrenheit
b byte bytes octets
kb kib кб
mb mib мб
gb gib гб гигабайт* ギガ 기가
tb tib тб терабайт* テラ 테라
pb pib
kbit kbps
mbit mbps mbits
gbit gbps gbits
hz
khz
mhz
ghz
mg мг 毫克 ミリグラム 밀리그램 ملغ
g gr gram grams grammes gramos gramas gramm grammi г грамм* 克 グラム 그램 جرام غرام
kg kilo kilos kilogram kilograms kilogramos kg килограмм* кг 公斤 千克 キロ 킬로
kg كيلو كجم
lb lbs
oz ounce ounces
t ton tons tonne tonnes tonnen toneladas тонн* 吨 トン 톤 طن
µg mcg мкг
ml мл 毫升 ミリリットル 밀리리터
cl
dl
l liter liters litre litres litros litri литр* 升 リットル 리터 لتر
mm мм 毫米 밀리미터
cm см 厘米 公分 センチ 센티미터
m meter meters metre metres metros mètres metri метр* 米 公尺 メートル 미터 متر
km kilometer kilometers kilometre kilometres kilómetros quilômetros chilometri км
km километр* 公里 千米 キロメートル 킬로미터 كم
mile miles millas
ft feet foot
inch inches zoll pulgadas pouces
m² sqm qm m2 м² 平米 平方米 제곱미터 坪 평
ha hectares hektar
km/h kmh км/ч
kcal cal calories calorías ккал 卡 大卡 칼로리 カロリー
w watt watts
kw
kwh
mw
v volt volts
mah
px pixel pixels
fps
dpi
ms millisecond milliseconds millisekunden мс 毫秒 ミリ秒 밀리초
sec secs second seconds segundo segundos seconde secondes sekunde sekunden secondi
sec секунд* 秒 초 ثانية
min mins minute minutes minuto minutos minuten minuti минут* 分钟 分鐘 分間 분 دقيقة
min דקות
hour hours hr hrs hora horas heure heures stunde stunden ora ore час часа часов
hour godzin godziny uur saat 小时 小時 時間 시간 ساعة ساعات שעות
day days día dias días dia jour jours tag tage tagen giorno giorni dzień dni день
day дня дней dagen gün 天 日間 일간 يوم أيام יום ימים
week weeks semana semanas semaine semaines woche wochen settimana settimane tydzień
week tygodnie tygodni недел* weken hafta 周 週間 个星期 週 주 أسبوع أسابيع
month months mes meses mês mois monat monate monaten mese mesi miesiąc miesiące
month miesięcy месяц* maanden 个月 個月 ヶ月 か月 개월 شهر أشهر
year years año años ano anos ans année années jahr jahre jahren anno anni rok lata
year lat год года лет jaar yıl 年間 سنة سنوات
person persons people persona personas pessoa pessoas personnes personen persone
person osób osoby человек* 人 名 명 شخص أشخاص kişi
word words palabra palabras palavra palavras mot mots wort wörter worten parole
word parola слов слова słów woorden kelime 字 词 語 단어 كلمة كلمات
page pages página páginas seite seiten pagina pagine strony страниц* 页 ページ
page 페이지 صفحة صفحات
line lines línea líneas linha linhas ligne lignes zeile zeilen righe строк* 行 줄
character characters chars zeichen caracteres caractères caratteri знак* символ*
character 文字 字符 글자
time times veces vezes fois volte раз 次 回 번 مرات
piece pieces pcs stück piezas pezzi штук* шт 个 個 개 つ
night nights noche noches noite noites nuit nuits nacht nächte notte notti ноч* 晚
night 泊 박
token tokens
user users usuarios usuários utilisateurs benutzer utenti пользовател*
ticket tickets
star stars
"""
# Between a number and its unit.
_MANY: Final = """
1000 k thousand mil mille tausend тыс тысяч* 千 천 ألف bin tys
10000 万 萬 만
100000000 亿 億 억
1000000 million millions millón millones milhão milhões million* mio mln млн
1000000 миллион* 百万 百萬 백만 مليون milyon milioni milione mn
1000000000 billion billions bn milliard* mrd млрд миллиард* 十亿 十億 مليار milyar
1000000000 miliardi
10000000 千万 千萬 천만
"""
_ENDING: Final = "*"
_SHORTEST: Final = 3  # letters of a name that an inflected word must begin with
MANY: Final = "*"  # begins the meaning of a word such as `million`


def meaning(word: str) -> str | None:
    """Give the unit that a word or sign names, or how many times: `*1000`."""
    plain = normal(word)
    if plain in _exact():
        return _exact()[plain]
    if len(plain) < _SHORTEST:
        return None
    return next((means for stem, means in _stems() if plain.startswith(stem)), None)


def dense_words() -> list[str]:
    """Give the words of scripts without spaces, the longest first."""
    words = {word for _, row in _rows() for word in row if word[0] >= "\u0900"}
    return sorted(words, key=len, reverse=True)


@cache
def _exact() -> dict[str, str]:
    found: dict[str, str] = {}
    for means, row in _rows():
        for word in row:
            found.setdefault(normal(word.removesuffix(_ENDING)), means)
    return found


@cache
def _stems() -> tuple[tuple[str, str], ...]:
    return tuple(
        (normal(word.removesuffix(_ENDING)), means)
        for means, row in _rows()
        for word in row
        if word.endswith(_ENDING)
    )


def _rows() -> list[tuple[str, list[str]]]:
    unit_rows = [line.split() for line in _UNITS.strip().splitlines()]
    many_rows = [line.split() for line in _MANY.strip().splitlines()]
    return [
        *((row[0], row) for row in unit_rows),
        *((MANY + row[0], row[1:]) for row in many_rows),
    ]
