"""What people claim of themselves and of things, and what takes it back."""
# ruff: noqa: RUF001 -- letters and marks of several scripts

import time

import pytest

from apx.domain.facts import (
    asked_subject_terms,
    asks_for_past,
    claims_of,
    is_outdated,
    replaces,
    said_in,
    subject_terms,
)

REPLACED = [
    ("I live in Paris", "I moved to Rome"),
    ("I live in Paris.", "I've just moved to Rome!"),
    ("Vivo en Madrid", "Me mudé a Sevilla"),
    ("Moro em Lisboa", "Mudei-me para o Porto"),
    ("J'habite à Paris", "J'ai déménagé à Lyon"),
    ("Ich wohne in Berlin", "Ich bin nach Hamburg gezogen"),
    ("Ich wohne in Berlin", "Ich wohne jetzt in Hamburg"),
    ("Vivo a Roma", "Mi sono trasferito a Milano"),
    ("Ik woon in Utrecht", "Ik ben naar Amsterdam verhuisd"),
    ("Я живу в Москве", "Я переехал в Казань"),
    ("我住在北京", "我搬到上海了"),
    ("私は東京に住んでいます", "大阪に引っ越しました"),
    ("저는 서울에 살아요", "부산으로 이사했어요"),
    ("أسكن في القاهرة", "انتقلت إلى دبي"),
    ("I work at Google", "I joined Amazon last week"),
    ("Trabajo en Telefónica", "Empecé a trabajar en Repsol"),
    ("Ich arbeite bei Siemens", "Ich arbeite jetzt bei Bosch"),
    ("My name is Bob", "I changed my name to Robert"),
    ("my phone number is 555-1234", "my new phone number is 555-9876"),
    ("my email is a@x.org", "my email is now b@y.org"),
    ("Mi número de teléfono es 600111222", "Mi nuevo número es 600333444"),
    ("I am 30 years old", "I turned 31"),
    ("My boss is Anna", "My boss is now Ben"),
    ("my favourite colour is blue", "my favourite colour is green"),
    ("My favorite color is blue", "My favorite color is now red"),
    ("Mi color favorito es azul", "Mi color favorito es verde"),
    ("Mein Lieblingsessen ist Pizza", "Mein Lieblingsessen ist jetzt Sushi"),
    ("Моя любимая еда — пицца", "Моя любимая еда теперь суши"),
    ("我最喜欢的颜色是蓝色", "我最喜欢的颜色是红色"),
    ("私の好きな色は青です", "私の好きな色は赤になりました"),
    ("내가 좋아하는 색은 파란색이야", "내가 좋아하는 색은 빨간색이야"),
    ("لوني المفضل هو الأزرق", "لوني المفضل هو الأحمر"),
    ("the staging server is 10.0.0.4", "the staging server moved to 10.0.1.5"),
    ("The meeting is on Monday", "The meeting was moved to Thursday"),
    ("La reunión es el lunes", "La reunión se ha movido al jueves"),
    ("A reunião é na segunda", "A reunião foi adiada para quinta"),
    ("La réunion est lundi", "La réunion a été déplacée à jeudi"),
    ("Das Meeting ist am Montag", "Das Meeting wurde auf Donnerstag verschoben"),
    ("La riunione è lunedì", "La riunione è stata spostata a giovedì"),
    ("De vergadering is op maandag", "De vergadering is verplaatst naar donderdag"),
    ("Встреча в понедельник", "Встречу перенесли на четверг"),
    ("会议在星期一", "会议改到星期四"),
    ("会議は月曜日です", "会議は木曜日に変更されました"),
    ("회의는 월요일이야", "회의가 목요일로 변경됐어"),
    ("الاجتماع يوم الاثنين", "تأجل الاجتماع إلى الخميس"),
    (
        "The price of the ticket is 30 euros",
        "The price of the ticket went up to 40 euros",
    ),
    ("The deadline is May 5", "The deadline was extended to May 20"),
    ("The production version is 2.3.1", "The production version is now 2.4.0"),
    ("We use MySQL", "We switched to PostgreSQL"),
    ("We use MySQL for billing", "We migrated from MySQL to PostgreSQL"),
    ("Wir nutzen MySQL", "Wir sind auf PostgreSQL umgestiegen"),
    ("Usamos MySQL", "Cambiamos a PostgreSQL"),
    ("Nous utilisons MySQL", "Nous sommes passés à PostgreSQL"),
    ("Мы используем MySQL", "Мы перешли на PostgreSQL"),
    ("我们用MySQL", "我们换成PostgreSQL了"),
    ("I drink coffee every day", "I stopped drinking coffee"),
    ("I eat meat", "I no longer eat meat"),
    ("I drink coffee", "I don't drink coffee anymore"),
    ("Bebo café", "Dejé de beber café"),
    ("Je bois du café", "J'ai arrêté de boire du café"),
    ("Ich trinke Kaffee", "Ich trinke keinen Kaffee mehr"),
    ("Я пью кофе", "Я больше не пью кофе"),
    ("我喝咖啡", "我不再喝咖啡了"),
    ("私はコーヒーを飲みます", "コーヒーをやめました"),
    ("나는 커피를 마셔요", "나는 커피를 끊었어"),
    ("أشرب القهوة", "توقفت عن شرب القهوة"),
    ("My car is a Toyota", "My car is now a Tesla"),
    ("My wife is Anna", "I married Clara"),
    ("Mon adresse est 12 rue de la Paix", "Ma nouvelle adresse est 7 avenue Foch"),
    ("My address is 12 Main Street", "My new address is 7 Oak Avenue"),
    ("Me llamo Ana", "Mi nombre es ahora Eva"),
    ("Anna lives in Paris", "Anna moved to Rome"),
    ("My sister lives in Paris", "My sister moved to Rome"),
    ("I live in Paris with my wife and two kids", "We moved to Rome in September"),
    ("I currently live in Paris, France", "I have moved to Rome, Italy"),
    ("My home is in Paris", "My home is now in Rome"),
    ("I live in Berlin", "I relocated from Berlin to Munich for work"),
    ("I work for Acme Corp", "I started a new job at Globex"),
    ("I'm working at Acme", "I changed jobs to Globex"),
    ("I work as a teacher", "I became a nurse"),
    ("My phone is +34 600 111 222", "My new phone is +34 699 888 777"),
    ("My phone number is 555-1234", "I changed my phone number to 555-9999"),
    ("my email address is bob@a.org", "I changed my email to bob@b.org"),
    ("I'm 34", "I'm 35 now"),
    ("I am 34 years old", "I am 35 years old"),
    ("My girlfriend is Anna", "My girlfriend is now Laura"),
    ("My favorite band is Radiohead", "My favorite band is Muse now"),
    ("My favourite food is pizza", "My favourite food is now sushi"),
    (
        "The staging server's address is 10.0.0.4",
        "The staging server's address changed to 10.0.1.5",
    ),
    ("Staging DB is on db1.example.com", "Staging DB is now on db2.example.com"),
    (
        "The team meeting is on Monday",
        "The team meeting has been rescheduled to Thursday",
    ),
    ("Meeting is Monday 10am", "Meeting moved to Thursday 3pm"),
    ("The meeting is at 10:00", "The meeting is at 11:30"),
    ("The standard plan costs $10", "The standard plan now costs $12"),
    ("The price of gas is 1.50 euros", "The price of gas is now 1.80 euros"),
    ("The project deadline is March 3", "The project deadline moved to March 17"),
    ("Deadline is Friday", "The deadline got extended to next Wednesday"),
    ("We use Slack for chat", "We moved from Slack to Teams"),
    ("We use AWS", "We migrated everything to Azure"),
    ("We use Jira", "We switched to Linear"),
    ("Our CI is Jenkins", "Our CI is now GitHub Actions"),
    ("I eat meat", "I stopped eating meat"),
    ("I drink a lot of coffee", "I quit coffee"),
    ("I smoke", "I quit smoking"),
    ("I love sushi", "I don't like sushi anymore"),
    ("I drive a Honda", "I now drive a Tesla"),
    ("My address is 5 Elm Street", "I moved to 9 Pine Road"),
    ("My manager is Alice", "My manager is Bob now"),
    ("My doctor is Dr. House", "My new doctor is Dr. Wilson"),
    ("My password is abc123", "My password is xyz789"),
    ("Vivo en Barcelona", "Ahora vivo en Valencia"),
    ("Mi jefe es Carlos", "Mi nuevo jefe es Pedro"),
    ("La fecha límite es el viernes", "La fecha límite se aplazó al lunes"),
    ("El servidor está en 10.0.0.4", "El servidor ahora está en 10.0.1.5"),
    ("Mon patron est Paul", "Mon nouveau patron est Marc"),
    ("Le serveur est 10.0.0.4", "Le serveur est maintenant 10.0.1.5"),
    ("Je bois du café", "Je ne bois plus de café"),
    ("Mein Chef ist Peter", "Mein neuer Chef ist Klaus"),
    ("Der Server ist 10.0.0.4", "Der Server ist jetzt 10.0.1.5"),
    (
        "Meine Telefonnummer ist 0151 1234567",
        "Meine neue Telefonnummer ist 0160 7654321",
    ),
    ("Die Deadline ist am Freitag", "Die Deadline wurde auf Montag verschoben"),
    ("Ich esse Fleisch", "Ich esse kein Fleisch mehr"),
    ("Il mio capo è Mario", "Il mio nuovo capo è Luigi"),
    ("Bevo caffè", "Ho smesso di bere caffè"),
    ("Mijn baas is Jan", "Mijn nieuwe baas is Piet"),
    ("Мой начальник — Иван", "Мой новый начальник — Пётр"),
    ("Сервер — 10.0.0.4", "Сервер теперь 10.0.1.5"),
    ("Мой телефон 123-45-67", "Мой новый телефон 765-43-21"),
    ("我在阿里工作", "我跳槽到腾讯了"),
    ("我的老板是张三", "我的老板现在是李四"),
    ("我三十岁", "我三十一岁了"),
    ("我们用Slack", "我们改用飞书了"),
    ("私の上司は田中です", "私の上司は鈴木になりました"),
    ("私は30歳です", "私は31歳になりました"),
    ("내 전화번호는 010-1234-5678이야", "내 새 전화번호는 010-8765-4321이야"),
    ("제 직장은 삼성입니다", "저는 네이버로 이직했어요"),
    ("رقم هاتفي هو 0501234567", "رقم هاتفي الجديد هو 0559876543"),
    ("الخادم هو 10.0.0.4", "الخادم أصبح 10.0.1.5"),
    ("I eat meat", "I'm a vegetarian now"),
    ("Ich esse Fleisch", "Ich bin jetzt Vegetarierin"),
    ("I work at Google", "I quit my job at Google and joined Amazon"),
    ("The user lives in Paris", "User moved to Rome"),
    ("Our CEO is Jane Doe", "Our new CEO is John Smith"),
    ("The wifi password is hunter2", "The wifi password was changed to swordfish9"),
    ("My flight is at 7pm", "My flight was delayed until 9pm"),
    ("服务器地址是10.0.0.4", "服务器地址改成10.0.1.5了"),
    ("I live in Paris", "I no longer live in Paris"),
]
BOTH_HOLD = [
    ("I live in Paris", "I might move to Rome"),
    ("I live in Paris", "If I moved to Rome I would be happy"),
    ("I live in Paris", "I want to move to Rome"),
    ("I live in Paris", "I'm going to move to Rome"),
    ("I live in Paris", "My sister moved to Rome"),
    ("I live in Paris", '"I moved to Rome" is a song'),
    ("I live in Paris", "Did I say I moved to Rome?"),
    ("I live in Paris", "I used to live in Rome"),
    ("I live in Paris", "I moved to the next chapter"),
    ("I live in Paris", "I moved to Rome in 2010, before that I was in Bari"),
    ("I live in Paris", "I live in France"),
    ("I live in New York", "I live in New York City"),
    ("I have a cat", "I have a dog"),
    ("I like tea", "I like coffee"),
    ("My friend is Ann", "My friend is Bob"),
    ("My car is red", "My car is fast"),
    ("My car is a Toyota", "My car is in the garage"),
    ("my wife is Anna", "my wife is a doctor"),
    ("The meeting is on Monday", "The meeting is in room 4"),
    ("The meeting is on Monday at 10:00", "The meeting is about the budget"),
    ("We use Slack", "We switched to PostgreSQL"),
    ("We use MySQL", "We use Slack"),
    ("I drink coffee", "I stopped drinking tea"),
    ("The server is slow", "The server is old"),
    ("The weather is nice", "The weather is cold"),
    ("My dog is Rex", "My dog is Bello"),
    ("I work at Google", "I work as a nurse"),
    ("Vivo en Madrid", "Quiero mudarme a Sevilla"),
    ("Ich wohne in Berlin", "Vielleicht ziehe ich nach Hamburg"),
    ("我住在北京", "我想搬到上海"),
    ("東京に住んでいます", "大阪に引っ越したいです"),
    ("서울에 살아요", "부산으로 이사하고 싶어"),
    ("Я живу в Москве", "Я хочу переехать в Казань"),
    ("I live in Paris", "I work in Rome"),
    ("I eat meat", "I don't eat fish"),
    ("I live in Paris", "My brother lives in Rome"),
    ("I live in Paris", "I moved to the couch"),
    ("I live in Paris", "I visited Rome last week"),
    ("I live in Paris", "I'm moving on to other things"),
    ("I live in Paris", "We moved the meeting to Rome"),
    ("I live in Paris", "I moved to Rome when I was a child"),
    ("I live in Paris", "I lived in Rome for two years"),
    ("I live in Paris", 'Ana said "I moved to Rome"'),
    ("I live in Paris", "Would you say I moved to Rome"),
    ("I live in Paris", "I live in a small flat"),
    ("I live in Paris", "I live in the 5th arrondissement"),
    ("I live in Paris", "My office moved to Rome"),
    ("I work at Google", "My wife works at Apple"),
    ("My birthday is May 5", "My wife's birthday is June 7"),
    ("My phone number is 555-1234", "My work phone number is 555-9999"),
    ("My favourite food is pizza", "My favourite drink is coffee"),
    ("The meeting with Bob is on Monday", "The meeting with Ann is on Thursday"),
    ("The staging server is 10.0.0.4", "The production server is 10.0.1.5"),
    ("The server is 10.0.0.4", "The server has 16 GB of RAM"),
    ("The price of milk is 1 euro", "The price of bread is 2 euros"),
    ("I like jazz", "I like rock"),
    ("My son is 5", "My daughter is 7"),
    ("My book is on the table", "My book is about dogs"),
    ("The party was great", "The party is on Saturday"),
    ("My car is a Toyota", "My other car is a Honda"),
    ("I have a meeting on Monday", "I have a meeting on Thursday"),
    ("My favourite city is Paris", "I moved to Rome"),
    ("The movie is at 8pm", "The movie is about a dog"),
    ("I drink coffee", "I drink tea"),
    ("I love my job", "I love my wife"),
    ("I love pizza", "I don't like sushi"),
    ("We use Python", "We use JavaScript"),
    ("The shop opens at 9:00", "The shop closes at 18:00"),
    ("The flight departs at 9:00", "The flight arrives at 11:00"),
    ("The meeting starts at 9:00", "The meeting ends at 10:00"),
    ("The conference is in Berlin", "The conference is in May"),
    ("The train to Rome is at 9:00", "The train to Milan is at 11:00"),
    ("My name is Bob", "My surname is Miller"),
    ("The first option is A", "The second option is B"),
    ("The project is important", "The project is called Phoenix"),
    ("My friend Ann lives in Paris", "My friend Bob lives in Rome"),
    ("My son lives in Paris", "My daughter moved to Rome"),
    ("Mi hermano vive en Madrid", "Me mudé a Sevilla"),
    ("Mi hermana es médica", "Mi hermana es alta"),
    ("El tren es a las 9:00", "El tren llega a las 11:00"),
    ("Ich wohne in Berlin", "Mein Bruder wohnt in Hamburg"),
    ("Ich trinke Kaffee", "Ich trinke keinen Tee"),
    ("Meine Frau ist Anna", "Meine Frau ist Lehrerin"),
    ("我喜欢猫", "我喜欢狗"),
    ("我喝咖啡", "我不喝茶"),
    ("我住在北京", "我弟弟搬到上海了"),
    ("私は東京に住んでいます", "弟は大阪に引っ越しました"),
    ("Я живу в Москве", "Мой брат переехал в Казань"),
    ("저는 서울에 살아요", "동생은 부산으로 이사했어요"),
    ("أسكن في القاهرة", "أخي انتقل إلى دبي"),
    ("J'habite à Paris", "Mon frère a déménagé à Lyon"),
    ("Vivo a Roma", "Mio fratello si è trasferito a Milano"),
]
ASKED = [
    ("where do I live?", "=residence", "I moved to Rome"),
    ("¿dónde vivo?", "=residence", "Me mudé a Sevilla"),
    ("onde moro?", "=residence", "Mudei-me para o Porto"),
    ("où est-ce que j'habite ?", "=residence", "J'ai déménagé à Lyon"),
    ("Wo wohne ich?", "=residence", "Ich bin nach Hamburg gezogen"),
    ("dove vivo?", "=residence", "Mi sono trasferito a Milano"),
    ("waar woon ik?", "=residence", "Ik ben naar Amsterdam verhuisd"),
    ("где я живу?", "=residence", "Я переехал в Казань"),
    ("我住在哪里？", "=residence", "我搬到上海了"),
    ("私はどこに住んでいますか？", "=residence", "大阪に引っ越しました"),
    ("나는 어디에 살아?", "=residence", "부산으로 이사했어요"),
    ("أين أسكن؟", "=residence", "انتقلت إلى دبي"),
    ("where do I work?", "=employer", "I joined Amazon last week"),
    ("Where do I work", "=employer", "I got a new job at Netflix"),
    ("¿dónde trabajo?", "=employer", "Empecé a trabajar en Repsol"),
    ("who is my wife?", "=partner", "I married Clara"),
    ("which database do we use?", "=database", "We switched to PostgreSQL"),
    ("welche Datenbank nutzen wir?", "=database", "Wir sind auf MySQL umgestiegen"),
    ("我们用什么数据库？", "=database", "我们换成PostgreSQL了"),
    ("what is my name?", "=name", "Call me Robert"),
]


def is_taken_back(old, new):
    known, news = said_in(old), claims_of(new)
    gone = [one for one in known.claims if any(replaces(n, one) for n in news)]
    return is_outdated(known, gone, frozenset(), new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("my wife is Anna Schmidt", "my wife is tired"),
        ("my boss is Martin Krause", "my boss is angry"),
        ("mein Chef ist Martin Krause", "mein Chef ist krank"),
        ("my shoe size is 43", "my shoe size is not 44"),
        ("my name is Tom", "my name is boring"),
        ("my password is hunter2", "my password is expired"),
        ("mi jefe es Pablo Ruiz", "mi jefe está enfermo"),
    ],
)
def test_how_it_is_going_says_nothing_of_who_or_what_it_is(old, new):
    """Else a passing remark would hide what was told once and for all."""
    assert not is_taken_back(old, new)


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_newer_fact_takes_an_older_one_back(old, new):
    """Each kind of fact in each language."""
    assert is_taken_back(old, new)


@pytest.mark.parametrize(("old", "new"), BOTH_HOLD)
def test_what_can_both_hold_stays(old, new):
    """A right answer that is dropped is worse than an old fact that is shown."""
    assert not is_taken_back(old, new)


@pytest.mark.parametrize(("question", "term", "text"), ASKED)
def test_a_question_and_its_answer_share_a_term(question, term, text):
    """Though they share no word."""
    assert term in asked_subject_terms(question)
    assert term in subject_terms(text)


@pytest.mark.parametrize(
    "text",
    ["", "ok", "What a day!", "Did I move to Rome?", "> I moved to Rome", "=residence"],
)
def test_most_texts_claim_nothing(text):
    """Nor have they a marked term."""
    assert claims_of(text) == ()
    assert subject_terms(text) == []


@pytest.mark.parametrize(
    "question", ["where do I live?", "how old am I?", "wo wohne ich"]
)
def test_what_holds_now_is_no_question_for_the_past(question):
    """Else nothing would ever be outdated."""
    assert not asks_for_past(question)


@pytest.mark.parametrize(
    "question",
    ["where did I live before?", "my previous job?", "wo habe ich früher gewohnt?"],
)
def test_a_question_for_the_past_is_known(question):
    """It wants the old facts."""
    assert asks_for_past(question)


@pytest.mark.parametrize(
    "text",
    ["my " * 50_000, "the a is " * 20_000, "我是" * 50_000, "I moved to" * 9_999],
)
def test_a_strange_text_takes_no_time(text):
    """Whoever writes it shall not stop the others."""
    began = time.process_time()
    claims_of(text)
    subject_terms(text)
    assert time.process_time() - began < 1
