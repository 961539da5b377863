"""The words for months, weekdays and days past, as people write them."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

from __future__ import annotations

from typing import Final

# January to December; forms of one month are parted by bars.
MONTHS: Final = {
    "en": "january february march april may june july august september october"
    " november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre"
    " octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro"
    " novembro dezembro",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre"
    " novembre décembre",
    "de": "januar|jänner februar märz|maerz april mai juni juli august september"
    " oktober november dezember",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre"
    " ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober"
    " november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober"
    " november december",
    "pl": "styczeń|stycznia|styczniu luty|lutego|lutym marzec|marca|marcu"
    " kwiecień|kwietnia|kwietniu maj|maja|maju czerwiec|czerwca|czerwcu"
    " lipiec|lipca|lipcu sierpień|sierpnia|sierpniu wrzesień|września|wrześniu"
    " październik|października|październiku listopad|listopada|listopadzie"
    " grudzień|grudnia|grudniu",
    "ru": "январь|января|январе февраль|февраля|феврале март|марта|марте"
    " апрель|апреля|апреле май|мая|мае июнь|июня|июне июль|июля|июле"
    " август|августа|августе сентябрь|сентября|сентябре октябрь|октября|октябре"
    " ноябрь|ноября|ноябре декабрь|декабря|декабре",
    "uk": "січень|січня|січні лютий|лютого|лютому березень|березня|березні"
    " квітень|квітня|квітні травень|травня|травні червень|червня|червні"
    " липень|липня|липні серпень|серпня|серпні вересень|вересня|вересні"
    " жовтень|жовтня|жовтні листопад|листопада|листопаді грудень|грудня|грудні",
    "tr": "ocak|ocakta şubat|şubatta mart|martta nisan|nisanda mayıs|mayısta"
    " haziran|haziranda temmuz|temmuzda ağustos|ağustosta eylül|eylülde"
    " ekim|ekimde kasım|kasımda aralık|aralıkta",
    "ar": "يناير فبراير مارس أبريل|إبريل مايو يونيو|يونيه يوليو|يوليه أغسطس سبتمبر"
    " أكتوبر نوفمبر ديسمبر",
}
# They mean a month only beside a number. `out`, `set` and `ago` hardly ever do.
SHORT_MONTHS: Final = (
    "jan|ene|gen|janv feb|fev|févr mar|mär|mrt apr|abr|avr may jun|giu jul|lug|juil"
    " aug|aout sep|sept oct|okt|ott nov dec|dez|dic|déc"
)
# Longer than other words that are also something else, and yet ambiguous.
UNSURE_MONTHS: Final = frozenset({"august", "agosto", "augusto"})
# "in May", "desde mayo", "au mois de mars", "im Mai", "w maju", "в мае".
BEFORE_MONTH: Final = (
    "in|since|until|till|by|during|before|after|last|early|late|mid"
    "|en|desde|hasta|durante|em|ate|depuis|mois de|mois d|debut|fin"
    "|im|seit|bis|ab|anfang|ende|mitte|a|da|dal|nel|mese di|mes de"
    "|sinds|vanaf|begin|eind|i|sedan|w|od|do|в|во|с|до|у|з|від|في|منذ|شهر"
)
BEFORE_YEAR: Final = (
    "in|since|until|during|of|year|spring|summer|autumn|fall|winter|early|late|mid"
    "|en|desde|hasta|durante|año|del|de|em|ano|depuis|année|été|hiver|printemps"
    "|im jahr|im jahre|jahr|seit|sommer|herbst|frühling|nel|anno|dal|estate|inverno"
    "|sinds|zomer|jaar|år|sommaren|w|od|roku|в|с|у|з|في|عام|سنة|منذ"
)

# Monday to Sunday.
WEEKDAYS: Final = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "lunes martes miércoles jueves viernes sábado domingo",
    "segunda terça quarta quinta sexta sábado domingo",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "måndags tisdags onsdags torsdags fredags lördags söndags",
    "poniedziałek wtorek środę czwartek piątek sobotę niedzielę",
    "понедельник вторник среду четверг пятницу субботу воскресенье",
    "понеділка вівторка середи четверга п'ятниці суботи неділі",
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
    "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد",
    "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
)
LAST_BEFORE: Final = (
    r"last|this past|i|letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?|afgelopen"
    r"|últim[oa]|прошл\w+|минул\w+|zeszł\w+|ostatni\w*|geçen|지난"
)
LAST_AFTER: Final = (
    "pasado|passad[oa]|dernier|scors[oa]|الماضي|الماضية|(?:letzter|voriger) woche"
)
# In these languages the week before is named with the day.
EASTERN_WEEKDAYS: Final = (
    r"上(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?P<zh>[一二三四五六日天])"
    r"|先週の?(?P<ja>[月火水木金土日])曜|지난 ?주 ?(?P<ko>[월화수목금토일])요일"
)
EASTERN_DAYS: Final = ("一二三四五六日", "月火水木金土日", "월화수목금토일")

_DAY_BEFORE_YESTERDAY: Final = (
    "day before yesterday|anteayer|antes de ayer|anteontem|avant hier|avant-hier"
    "|vorgestern|l'altro ieri|altroieri|eergisteren|i förrgår|przedwczoraj|позавчера"
    "|позавчора|前天|一昨日|おととい|그저께|그제|أول أمس"
)
_YESTERDAY: Final = (
    "yesterday|last night|ayer|anoche|ontem|gestern|ieri|gisteren|i går|igår|wczoraj"
    "|вчера|вчора|dün|昨天|昨晚|昨日|昨夜|きのう|어제|أمس|البارحة|אתמול|χθες|เมื่อวาน"
    "|hôm qua"
)
_TODAY: Final = (
    "today|this morning|hoy|hoje|aujourd'hui|heute|oggi|vandaag|dziś|dzisiaj|i dag"
    "|idag|сегодня|сьогодні|bugün|今天|今日|今朝|きょう|오늘|اليوم|היום|σήμερα|วันนี้"
    "|hôm nay|आज"
)
DAYS_BACK: Final = ((2, _DAY_BEFORE_YESTERDAY), (1, _YESTERDAY), (0, _TODAY))
# German `hier` is "here".
FRENCH_YESTERDAY: Final = "hier"

LAST_WEEK: Final = (
    "last week|past week|semana pasada|semana passada|semaine dernière|letzte woche"
    "|letzter woche|vorige woche|settimana scorsa|scorsa settimana|vorige week"
    "|afgelopen week|zeszłym tygodniu|ostatnim tygodniu|förra veckan"
    "|прошлой неделе|минулого тижня|geçen hafta|上周|上週|上星期|上个星期|上礼拜|先週"
    "|지난주|지난 주|الأسبوع الماضي|בשבוע שעבר|สัปดาห์ที่แล้ว|อาทิตย์ที่แล้ว|tuần trước"
)
LAST_MONTH: Final = (
    "last month|mes pasado|mês passado|mois dernier|letzten monat|vorigen monat"
    "|mese scorso|scorso mese|vorige maand|afgelopen maand|zeszłym miesiącu"
    "|förra månaden|прошлом месяце|минулого місяця|geçen ay|上个月|上個月|上月|先月"
    "|지난달|지난 달|الشهر الماضي|בחודש שעבר|เดือนที่แล้ว|tháng trước"
)
LAST_YEAR: Final = (
    "last year|año pasado|ano passado|année dernière|an dernier|letztes jahr"
    "|letzten jahr|voriges jahr|anno scorso|scorso anno|vorig jaar|afgelopen jaar"
    "|zeszłym roku|förra året|i fjol|прошлом году|минулого року|geçen yıl|geçen sene"
    "|去年|昨年|작년|지난해|العام الماضي|السنة الماضية|בשנה שעברה|ปีที่แล้ว|năm ngoái"
)
