"""What says nothing: the small words of each language, greetings and thanks."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

from __future__ import annotations

import re
from typing import Final

# Small words in their `normal` form. A word that says something in another of the
# languages is left out: war, hat, son, sale, fur, pour.
SMALL_WORDS: Final = {
    "en": """
    a an and are as at be been but by can could did do does for from had has have he
    her here him his how i if in into is it its just me my no not of on or our she
    so some than that the their them then there these they this those to too us was
    we were what when where which who whom why will with would you your d ll m re s
    t ve don doesn didn isn wasn won very much really ok okay yes yeah yep nope hi
    hello hey thanks thank thx please sure cool great bye lol haha
    """,
    "es": """
    al como con cual cuando de del donde e el ella en era es esa ese eso esta este
    esto fue ha hay la las le les lo los mas mi mis muy nos o para pero por porque
    que quien se si sin sobre su sus tambien te tu tus un una uno unos y ya yo hola
    gracias vale bien bueno buenos buenas dias tardes noches adios favor claro
    """,
    "pt": """
    ao aos as com da das do dos ela ele em essa esse isso essas esses eu foi isto
    mas meu minha minhas meus na nas nao nem nos num numa os ou pelo pela quando
    quem qual onde sao sem ser seu sua tem uma voce voces ola oi obrigado obrigada
    sim bom boa dia tarde noite tchau certo
    """,
    "fr": """
    au aux avec c ce ces cet cette dans des du elle est et etait ils j je l leur
    leurs lui ma meme moi mon n ne notre nous ont ou par pas plus qu quel quelle
    quels quelles quand quoi sa sans ses sont sur ta toi ton tous tout tres une vos
    votre vous bonjour salut merci oui non bonsoir daccord accord revoir
    """,
    "de": """
    aber als am auch auf aus bei bis das dass dem den denn der des die doch du ein
    eine einem einen einer eines er es fuer gegen ich ihm ihn ihr ihre im ist ja
    kann kein keine mein meine meinem meinen meiner mich mir mit nach nein nicht
    noch nur oder sich sie sind ueber uber um und uns unser vom von vor wann warum
    was wenn wer wie wir wird wo wurde zu zum zur dir dich dein deine hallo danke
    bitte gut tschuss gern gerne
    """,
    "it": """
    agli ai alla alle anche che chi ci col cosa cui dal dalla degli dei della delle
    di dov dove ed gli ho hai il io loro lui mia mie miei nel nella nei noi non per
    perche piu quale quali quando quella quelle quello questa queste questo questi
    sono sta suo sua sul sulla tra tuo tua un voi ciao grazie prego buongiorno
    buonasera va bene si
    """,
    "nl": """
    aan al ben bij dat deze dit een geen graag heb hebben hebt heeft het hij hoeveel
    hun ik jij je jouw jullie kun kunnen maar mijn naar niet nog of onze ons ook op
    uit voor waar waarom wanneer wat welk welke werd wie wij wordt worden zij zijn
    zullen hoi bedankt dankjewel alsjeblieft nee doei goed
    """,
    "pl": """
    albo ale bedzie byl byla bylo czy czym dla gdzie i jak jaka jakich jakie jakim
    jaki jest jestem kiedy kogo kto ktora ktore ktory mnie moich moj moja moje na
    nie oraz po przez sie sa swoj swoja tak tego tej tych tym u w we z ze za czesc
    dzieki dziekuje prosze dobrze
    """,
    "sv": """
    att av dina ditt det ett fran han hon hos hur inte jag mitt mina nar och om pa
    ska skulle som till vad var vem vi vilka vilken vilket hej tack nej okej snalla
    """,
    "tr": """
    ama benim bir biz bu cok degil hangi icin ile ki mi mu nasil ne nerede onun
    senin siz ve yok evet hayir merhaba selam tesekkurler sagol tamam lutfen
    """,
    "ru": """
    а без бы был была были было быть в вам вас ваш во вот вы где да для до его ее еи
    ему если есть еще же за и из или им их к как какая какие каким каких какого
    какое какои какую ко когда кого кому кто ли меня мне мои моя мое моих моеи моего
    мы на нам нас наш не него нее нет ни но ну о об он она они от по почему при с
    сколько со так такои там твои твоя то тут ты у уже чем что эта эти это этои
    этот этого я привет пока спасибо пожалуиста хорошо ладно ок здравствуите
    """,
    "uk": """
    або але без би був була були було в вам вас вже ви від він вона вони де для до
    є за з зі із иого коли кого кому мене мені ми моі моя моє моєму моєі на нам нас
    наш не неі ні та так там ти то у хто це цеи ця ці чи чим чому що як яка яке які
    якии яких якого якоі яку якіи якому і іи іх привіт дякую будь ласка добре гаразд
    """,
    "el": """
    και το τα τι η ο οι του τησ των στο στη στην στον στα στισ με για απο που ποτε
    πωσ ποιοσ ποια ποιο ποιον ποιουσ ποιεσ δεν ναι οχι ειναι ηταν εχω εχει ενα ενασ
    εναν μια μου μασ σου τουσ τον την τισ θα να τι γεια ευχαριστω παρακαλω ενταξει
    καλημερα καλησπερα καληνυχτα
    """,
    "ar": """
    في من علي عن الي ما ماذا متي اين كيف لماذا هل هو هي انا انت نحن هم
    هذا هذه ذلك تلك التي الذي كان كانت مع او و لا نعم لم لن قد كل اي كم ان لي لك
    لدي عندي شكرا جزيلا مرحبا اهلا السلام عليكم حسنا تمام طيب عفوا
    """,
    "he": """
    של את על עם זה זאת הוא היא אני אתה הם אנחנו לא כן מה מי איפה מתי איך למה איזה
    אילו או גם כי אם יש אין היה לי לך שלי שלך שלנו תודה שלום בבקשה אוקיי בסדר
    """,
    "hi": """
    का की के में है हैं को से और पर यह वह मैं मेरा मेरी मेरे हम हमने मुझे तुम आप क्या कौन कब
    कहाँ कहां कैसे क्यों किस किन किसने कितना कितनी कितने नहीं हाँ भी तो ही था थी थे हूँ एक ने
    लिए साथ सा सी धन्यवाद शुक्रिया नमस्ते ठीक
    """,
    "ko": """
    나 나는 나의 내 내가 너 너는 우리 우리는 저 저는 제 제가 그 이 것 뭐 뭐야 무엇 누가
    누구 언제 언제야 어디 어디서 어떤 어느 왜 어떻게 무슨 좀 네 예 아니요 아니 응 안녕
    """,
    "vi": """
    toi cua va khong dau nao duoc nhung cung voi khi roi vang xin chao
    """,
    "ja": "の は を に が と で も や へ か ね よ な だ です ます した いる この その",
    "zh": "我 你 您 他 她 它 们 是 在 和 也 都 很 就 这 那 有 吗 呢 吧 啊 哦 嗯",
    "": "👍 🙏 🙂 😊 👌",
}
# Of these, the ones that are people's names too.
NAMES: Final = frozenset(
    ["ben", "will", "mia", "don", "ed", "les", "mina", "per", "elle", "ella", "una"]
)
STOP_WORDS: Final = frozenset(
    word for words in SMALL_WORDS.values() for word in words.split()
)
# Particles that are never part of a longer word: no pair with one says anything.
STOP_CHARACTERS: Final = frozenset("的了吗呢吧を")
# Greetings, thanks and the words of a question where no space shows them as words,
# or where it takes several to say nothing.
_PHRASES: Final = (
    "good (?:night|morning|evening|afternoon|day)|see you(?: later| soon| tomorrow)?"
    "|a lot|no problem|you(?:'| a)re welcome|take care|well done|sounds good|got it"
    "|buenas noches|hasta (?:luego|manana|pronto)|de nada|boa noite|ate (?:logo|amanha)"
    "|bonne nuit|bonne journee|a (?:bientot|demain|plus)|de rien|gute nacht"
    "|guten (?:tag|morgen|abend)|vielen dank|bis (?:bald|spater|morgen)|buona notte"
    "|a (?:presto|domani)|di niente|goede(?:nacht|morgen|navond)|dank je(?: wel)?"
    "|dzien dobry|dobry wieczor|do (?:jutra|zobaczenia)|god (?:natt|morgon|kvall)"
    "|muchas gracias|mil gracias|muito obrigad[oa]|merci (?:beaucoup|bien)|grazie mille"
    "|mille grazie|danke schon|schonen (?:tag|abend)|tack sa mycket|bardzo dziekuje"
    "|dziekuje bardzo|большое спасибо|спасибо большое|дуже дякую"
    "|iyi (?:geceler|gunler|aksamlar)|tesekkur ederim|cok sagol|ne zaman|cam on"
    "|спокоинои ночи|добр(?:ыи|ое|ого) (?:день|утро|вечер)|до (?:свидания|завтра)"
    "|на добраніч|добр(?:ии|ого) (?:день|ранок|вечір)|до побачення"
    "|صباح الخير|مساء الخير|تصبح علي خير|مع السلامه|الي اللقاء"
    "|לילה טוב|בוקר טוב|ערב טוב"
)
_DENSE_TALK: Final = (
    "谢谢[你您]?|多谢|感谢|不客气|[你您大]家?好|早上好|晚上好|晚安|再见|好的|好吧|可以|没问题"
    "|明白了?|知道了|太[好棒]了|真[好棒]|什么(?:时候|地方)?|哪[里个些儿天]|怎么样?|为什么|多少"
    "|ありがとう(?:ございます|ございました)?|どうも|こんにちは"
    "|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|さようなら|よろしく(?:お願いします)?"
    "|お願いします|了解(?:です|しました)?|わかりました|分かりました|はい|いいえ|すみません"
    "|また(?:ね|明日)|元気|すごい(?:です)?ね?|なるほど"
    "|いつ|どこ|だれ|どの|どんな|どれ|どう|なぜ|ですか|ますか|でしょうか"
    "|안녕(?:하세요|히 가세요)|감사(?:합니다|해요)|고마워요?|고맙습니다|잘 ?자요?"
    "|안녕히 주무세요|알겠(?:어요?|습니다)|좋은 아침(?:이에요|입니다)?"
    "|[ᄏ휴]+|괜찮아요?|좋아요?"
    "|ขอบคุณ(?:มาก)?|สวัสดี|ครับ|ค่ะ|คะ|นะ|ราตรีสวัสดิ์|ฝันดี|โอเค|อะไร|ที่ไหน"
    "|เมื่อไหร่|เมื่อไร|เท่าไหร่|เท่าไร|ใคร|ทำไม|อย่างไร|ยังไง"
)
SMALL_TALK: Final = re.compile(rf"\b(?:{_PHRASES})\b|{_DENSE_TALK}")
