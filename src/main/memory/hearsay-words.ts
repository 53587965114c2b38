// Words that show that a sentence is not a fact about its author, in the languages of the answers: a story, a
// role, a quotation or a joke.

/** A story, a role, an example or a hypothesis, up to the end of the message. */
export const STORY =
  /(?<!\p{L})(?:in (?:my|the|a|this|her|his|our) (?:\p{L}+ )?(?:novel|story|book|film|movie|play|poem|song|game|text|letter|script|comic|dream|example|quote)|for (?:a|my|the) (?:\p{L}+ )?(?:novel|story|film|play|poem|song|game|role|scene|script|test)\b|(?:the |my )?(?:hero(?:ine)?|protagonist|narrator|villain|avatar|main character|character) (?:says?|said|thinks?|is|was|has|writes)|let(?:['’]s| us) (?:role-?play|play)|you are (?:an?|my|the)(?= )|role-?play:|play the role|pretend|act as|imagine|suppose(?! to)|let['’]s say|what if|hypothetically|once upon a time|as an example|for example|example:|translate|in (?:meinem|dem|einem|diesem) (?:\p{L}+ )?(?:roman|buch|film|märchen|gedicht|lied|spiel|text|brief|beispiel|traum)|in (?:meiner|der|einer) (?:\p{L}+ )?(?:geschichte|erzählung|novelle)|(?:der held|die heldin|meine figur) sagt|stell dir vor|angenommen|tu so|rollenspiel|spiel die rolle|übersetze?|zum beispiel|dans (?:mon|le|un|ma|la|une) (?:roman|livre|film|conte|histoire|chanson|rêve|jeu)|imagine que|fais comme si|joue le rôle|par exemple|traduis|en (?:mi|la|el|una?) (?:novela|libro|película|cuento|historia|canción|sueño|juego)|imagina que|finge|actúa como|por ejemplo|traduce|(?:nel mio|nel|nella mia|nella) (?:romanzo|libro|film|racconto|storia|canzone|sogno|gioco)|immagina che|fai finta|per esempio|traduci|n[oa] (?:meu |minha )?(?:romance|livro|filme|conto|história|canção|sonho|jogo)|finge que|por exemplo|traduz)(?!\p{L})|(?:小说|故事|电影|剧本|梦|游戏|例句)(?:里|中|裡)|假设|假如|想象|扮演|翻译|(?:小説|物語|映画|夢|ゲーム|台本)(?:の中|では|で)|と仮定|ロールプレイ|翻訳/iu

/** Words that attribute a sentence to someone else. */
export const SAID_BY =
  /(?<!\p{L})(?:(?:he|she|they|somebody|someone|the (?:text|article|letter|author|customer|mail|e-?mail)|my (?:friend|boss|wife|husband|mother|father|brother|sister)) (?:says?|said|writes?|wrote|reads|claims?)|according to|(?:er|sie|der \p{L}+|die \p{L}+) (?:sagt|sagte|schreibt|schrieb|meint)|laut (?:dem|der|meine[rm])|(?:il|elle|on) (?:dit|écrit|m['’]a dit)|d['’]après|selon|(?:él|ella|el \p{L}+|la \p{L}+) (?:dice|dijo|escribe)|según|(?:lui|lei) (?:dice|ha detto|scrive)|secondo (?:il|la)|(?:ele|ela) (?:diz|disse|escreve)|segundo (?:o|a))(?!\p{L})|(?:他|她)说|によると|と言ってい/iu

/** Words that mark a joke. */
export const JOKE =
  /(?<!\p{L})(?:just kidding|only kidding|only joking|just joking|i['’]m (?:kidding|joking)|ha ha,? no|lol|jk|nur spaß|(?:war|ist) (?:nur )?ein (?:scherz|witz)|je plaisante|c['’]est une blague|es broma|estoy bromeando|scherzo|è uno scherzo|brincadeira|estou a brincar)(?!\p{L})|开玩笑|冗談/iu

/** Words that retract the sentence before, or attribute it to someone else. */
export const TAKES_BACK =
  /^(?:(?:no|nope|oh|wait|actually|sorry|well|ah|nein|ach)[,.!]?\s+)*(?:scratch that|strike that|never mind(?! (?:the|my|his|her|about|of)\b)|nevermind|forget (?:that|it|what i (?:just )?said)|ignore that|i take (?:that|it) back|don['’]t(?: (?:do|save|remember|keep) (?:that|it))?[.!]*$|that was (?:a lie|not true|a joke|just a test)|(?:that|this|it)(?:['’]s| is| was) (?:(?:from|a line (?:of|from)) .*|(?:my |a |the )?(?:\p{L}+ )?(?:quote|quotation|line|lyrics?|joke|test)[.!]*$)|vergiss (?:das|es)|streich das|doch nicht|oublie ça|laisse tomber|olvídalo|olvida eso|lascia stare|dimenticalo|esquece isso|算了|忘了吧|やっぱり(?:いい|違))/iu
