"""The common words and the own letters that tell languages of one script apart."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

from __future__ import annotations

from typing import Final

# Beside SMALL_WORDS, which leave out what says something in another language, and of
# what several languages share name only one.
COMMON_WORDS: Final = {
    "en": "about after all also any because before day first get go good its like make"
    " more most new now only other out over people said say see should take think time"
    " two up use want way well work need let please must until each",
    "es": "el la los las de que y en un una es se no por con para su al lo como mas"
    " pero sus le ya o este si porque esta entre cuando muy sin sobre tambien me hasta"
    " hay donde quien desde todo nos durante uno ni contra otros ese eso ante ellos"
    " quiero tengo tiene puede hacer usuario tarea ahora"
    " puedes debo antes despues tienes hace ser hecho hay que dos estan",
    "pt": "o a os as de que e em um uma do da dos das no na nos nas por com para nao"
    " se mais como mas foi ao ele ela ou ser quando muito ha ja esta eu tambem so pelo"
    " pela ate isso entre era depois sem mesmo aos ter seus quem me esse eles estao"
    " voce tinha foram sua seu quero tenho preciso fazer agora usuario tarefa"
    " pode pode preciso antes depois tenho feito fazer sobre dois ate hoje amanha",
    "fr": "le la les de des du un une et est en que qui dans pour pas sur au avec ce"
    " il elle je nous vous ils ne se plus par son sa ses mais ou ont aux cette tout"
    " fait etre comme si leur sans peut faire bien moi tres veux j l d c n s qu tache"
    " maintenant utilisateur"
    " peux dois avant apres tu te ai ca quand deux avoir faut aussi encore",
    "de": "der die das und ist in den von zu mit sich des auf fuer nicht ein eine als"
    " auch es an werden aus er hat dass sie nach bei um am sind noch wie einem ueber"
    " einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn"
    " soll bitte jetzt schon kann muss ich fur uber"
    " kannst koennen wollen heute morgen dann wenn hier alles mal schon will ob",
    "it": "il lo la i gli le di e che un una in per non sono con si da come del della"
    " dei delle al alla piu ma anche ha ho questo questa se nel nella dal dalla essere"
    " molto fare ancora tutto prima dopo quando voglio devo deve adesso ora utente"
    " dell all un sul tra fra"
    " puoi puo prima dopo fatto due essere oggi domani stato",
    "nl": "de het een en van in is dat op te zijn met voor niet aan er om ook als bij"
    " maar uit naar dan nog wel wordt door over ik je hij ze we dit die deze moet kan"
    " wil nu geen meer gebruiker taak wat hebben heeft"
    " kun je voor even hebben vandaag morgen alles goed hier",
    "pl": "i w na z do to nie sie jest o jak po za co tak ale od juz przez dla czy by"
    " byc tylko ze moze oraz bardzo musi mam chce teraz jego przy pod zadanie jesli"
    " ktory ktora bedzie",
    "sv": "och i att det som en pa ar av for med till den har de inte om ett han men"
    " var jag sa fran vi kan nar nu ska eller vid vill mycket anvandaren hade skulle"
    " maste efter detta",
    "da": "og i at det som en pa er af for med til den har de ikke om et han men var"
    " jeg sa fra vi kan nar nu skal eller ved vil meget brugeren havde efter dette"
    " blev hvad hvor noget mig dig"
    " gerne inden hvis vaere skulle faerdig",
    "nb": "og i at det som en pa er av for med til den har de ikke om et han men var"
    " jeg sa fra vi kan nar na skal eller ved vil mye brukeren hadde etter dette"
    " ble hva hvor noe meg deg"
    " gjerne innen vaere skulle ferdig",
    "fi": "ja on ei se etta oli han joka mutta kun niin myos tai jos minun mina sina"
    " olen ovat voi pitaa kanssa ole sitten vain nyt mita kiitos haluan tama",
    "tr": "ve bir bu da de icin ile cok daha gibi ne kadar var ama o ben sonra olarak"
    " her mi mu en olan simdi kullanici gorev lazim istiyorum gerekiyor yarin bugun",
    "cs": "a je se v na to ze s z do i o k ale jako za by po tak pro ktery ktera jsem"
    " jsme byl byla bylo nebo jen uz az kdyz neni ma mam chci musi dekuji prosim",
    "ro": "si de la in a cu pe nu un o este care sa din ce mai pentru ca sunt dar am"
    " au fost prin sau dupa cum vreau trebuie acum multumesc lui",
    "hu": "a az es hogy nem is egy van ez meg de csak mar vagy mint ha volt nagyon"
    " kell ki mi azt ezt lesz most koszonom szeretnek nekem",
    "id": "yang dan di dengan untuk ini itu dari dalam tidak akan pada ke juga saya"
    " ada adalah kami kita bisa atau sudah karena oleh tolong harus sekarang anda",
    "vi": "la va cua co khong cho mot cac duoc trong nguoi nay toi voi den khi da ban"
    " nhung phai vao rat se ngay lam hay",
    "ca": "el la els les de que i en un una es no per amb al com mes pero els seu amb"
    " tambe molt aquest aquesta aixo vull ara gracies dels",
    "ru": "и в не на я быть он с что а по это она к но мы как из у то за свои ее так"
    " от все для же вы бы уже или нужно надо можно очень теперь сделать"
    " потом проверь сделаи сегодня завтра тоже здесь есть были этом",
    "uk": "і в не на я бути він з що а по це вона до але ми як із у то за від все для"
    " ж ви вже або треба потрібно можна дуже тепер зробити та"
    " потім перевір зроби сьогодні завтра також тут",
    "bg": "и в не на се да е че с за от са по като но това ще си или аз съм има беше"
    " тои много след сега трябва",
    "sr": "и у је да се на за са не од као то ће или али сам су ово бити треба",
    "be": "і ў не на з у што я гэта як па для ён але да ад так мы быць трэба",
}
# A word with such a letter is of that language, or of one of those.
OWN_LETTERS: Final = {
    "es": "ñ¿¡",
    "pt": "ãõ",
    "fr": "êœàèùîôç",
    "de": "ßäöü",
    "it": "ìòàè",
    "pl": "ąęłżźśćń",
    "sv": "åäö",
    "da": "øæå",
    "nb": "øæå",
    "fi": "äö",
    "tr": "ğışİ",
    "cs": "řěůčšž",
    "ro": "șțăţ",
    "hu": "őű",
    "vi": "đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "ru": "ыэъё",
    "uk": "іїєґ",
    "be": "ўі",
    "sr": "ђћљњџј",
    "bg": "ъ",
}
NAMES: Final = {
    "am": "Amharic",
    "ar": "Arabic",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "gu": "Gujarati",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "km": "Khmer",
    "kn": "Kannada",
    "ko": "Korean",
    "lo": "Lao",
    "ml": "Malayalam",
    "my": "Burmese",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pa": "Punjabi",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sr": "Serbian",
    "sv": "Swedish",
    "ta": "Tamil",
    "te": "Telugu",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
