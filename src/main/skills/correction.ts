import { foldText } from '../lib/words/index-words.ts'

// Openings of corrections: lower case, without accents, one pattern per wording. All patterns run on only a
// few hundred characters.

/** Words that may come before a correction. */
const OPENERS =
  /^(?:(?:h+m+|oh|ah|uh|um|er|ok|okay|well|sorry|wait|hey|hang on|hold on|thanks|thank you|almost|close|nearly|good|nice|great|but|please|argh|danke|aber|also|ach|entschuldigung|moment|warte|fast|leider|bitte|gut|merci|mais|pardon|attends|attendez|desole|presque|gracias|pero|perdon|espera|casi|grazie|ma|scusa|aspetta|quasi|obrigad[oa]|mas|desculpa|desculpe|quase)(?:[\s,.!:…–—-]+|$))+/

/** A “no” that answers a question or declines an offer. */
const POLITE_NO =
  /^(?:no|nope|nein|nee|non|nao)[\s,.!:–—-]+(?:thanks?|thank you|problem|worries|need|rush|idea|hurry|danke|problem|merci|gracias|grazie|obrigad[oa]|problema)\b/

const END = String.raw`(?=\s*(?:[.,;:!)–—-]|$))`
const en = [
  // "No, …", followed by what was meant, or by what it is not.
  String.raw`no+(?:pe)?[\s,.!:;–—-]+(?:no[\s,.!]+)*(?:i (?:meant|said|asked|wanted)\b|not (?!yet|now|today|really|necessar|needed|right now|at all|that i|for now)|still (?:not\b|wrong)|(?:that|this|it)(?:'s| is| was) (?:not (?!important|urgent|necessar|needed|bad|a problem|that |so |too |for me|yet)|wrong|the wrong|supposed|meant)|(?:that|this|it) (?:isn't|wasn't)\b|you (?:forgot|missed|were supposed|should have|got|misunderstood)|(?:it|that|they) should (?:be|have)\b|the (?:other|second|first|third|last) |wrong\b|like this\b|use \w+|in (?:english|german|french|spanish|italian|portuguese)\b|do it\b)`,
  String.raw`(?:that|this|it)(?:'s| is| was) (?:(?:still|just|completely|totally|quite|simply|all|plain|also|again) )*(?:wrong|incorrect|mistaken|false)${END}`,
  String.raw`(?:that|this|it)(?:'s| is| was) (?:still )?the wrong \w+${END}`,
  String.raw`(?:(?:that|this|it)(?:'s| is| was) (?:still )?not|(?:that|this|it) (?:isn't|wasn't)|still not|not) (?:quite )?(?:what i (?:asked|wanted|meant|said|had in mind)|how i |the one i |(?:right|correct|it)${END})`,
  String.raw`not (?:like (?:that|this)|that (?:one|way)|this (?:one|way)|so)${END}`,
  String.raw`not (?:the|in|on|as|with|at|by|for) [^.?!]{1,60}, (?:but|the|in|on|as|with|at|by|for|rather) `,
  String.raw`i (?:actually |really )?meant (?!to (?:ask|say hello|tell you|mention|send|thank|add|write)|well\b|it\b|every)`,
  String.raw`i (?:actually |clearly |explicitly )?(?:asked you|told you) (?:for|to|not to)\b`,
  String.raw`i (?:actually |clearly |explicitly )?(?:said|asked for|wanted) [^.?!]{1,80}(?:, not (?!sure|certain|that)|\binstead\b| and not )`,
  String.raw`i (?:actually )?wanted (?:it|them|this|that) (?:in|as|with|without|on|sorted|shorter|longer)\b`,
  String.raw`i (?:didn't|did not|never) (?:ask(?:ed)? (?:you |for)|want(?:ed)? (?:you to|that\b|this\b)|mean(?:t)? (?:that|this|the|it)\b|say that\b|said that\b)`,
  String.raw`(?:that|this|it) (?:still )?(?:didn't|doesn't|does not|did not) work(?: either| at all| for me)?${END}`,
  String.raw`(?:still )?(?:wrong|incorrect)(?: (?:file|folder|one|language|name|date|order|format|column|place|year|day|person|city|way|way round|answer|number|unit|sheet|page|branch))?(?: again)?\s*(?:[.,;!–—]|$)`,
  String.raw`(?:the|your|these|those) (?:\w+ ){1,2}(?:is|are) (?:still )?(?:wrong|incorrect|not right|not correct)${END}(?! ?[^.!]*\?)`,
  String.raw`it should(?: have been| (?:be|say|read) [^.?!]{1,60}(?:, not |\binstead\b| not ))`,
  String.raw`actually[, ]+(?:no\b|i meant|it should (?:be|have|say|read)\b(?! (?:fine|ok))|that's (?:not|wrong)|use \w+|the \w+ (?:is|should be) [^.?!]{1,40}, not )`,
  String.raw`(?:use|make|do|write|put|call|name|save|format|sort|translate|keep|send) (?:it|them|that|this|these|those|the \w+) [^.?!]{0,60}instead(?: of (?:it|that|this|those|these))?\s*(?:[.!]|$)`,
  String.raw`use [\w'./-]+(?: [\w'./-]+)? instead(?: of [^.?!]{1,40})?\s*(?:[.!]|$)`,
  String.raw`next time[, ]+(?:please|you should|use|don't|do|add|write|ask|put|keep|include|check|make|leave)\b`,
  String.raw`undo (?:that|this|it|your (?:last )?changes?)${END}`,
  String.raw`(?:stop|quit) (?:doing|using|adding|writing|putting|making|changing|inventing|guessing|calling|deleting) `,
  String.raw`don't (?:do (?:that|this)|use [^.?!]{1,40}|add [^.?!]{1,40}|change [^.?!]{1,40}) (?:again|any ?more|next time|like that)\b`,
]
const de = [
  String.raw`(?:nein|nee|ne)[\s,.!:;–—-]+(?:(?:nein|doch)[\s,.!]+)*(?:ich (?:meinte|wollte|habe|hatte|sagte)\b|nicht (?!notig|jetzt|mehr|wirklich|heute|unbedingt)|(?:das|es) (?:ist|war) (?:\w+ )?(?:nicht (?!notig|schlimm|so wichtig)|falsch)|so nicht|falsch|du (?:hast|solltest)\b|sondern|(?:der|die|das|den) ander|auf (?:deutsch|englisch)|das stimmt nicht|stimmt nicht)`,
  String.raw`(?:das|es|dies|die \w+|der \w+) (?:ist|war|sind|waren) (?:(?:so|leider|immer noch|noch immer|aber|doch|ja|wieder|schon wieder|alles|total|komplett) )*(?:falsch|verkehrt|nicht (?:richtig|korrekt)|nicht (?:das|was|wie|die|der)\b[^.?!]{0,30}(?:wollte|meinte|gesagt|gebeten))${END}`,
  String.raw`(?:das )?stimmt (?:so |leider |immer noch |aber )*nicht${END}`,
  String.raw`(?:so|das) nicht\s*(?:[.,!]|$)`,
  String.raw`nicht so\s*(?:[.,!]|$)`,
  String.raw`(?:immer noch )?falsch(?:e[rs]? \w+)?\s*(?:[.,;!]|$)`,
  String.raw`ich meinte (?!damit|nur dass|es (?:ja |nur |doch )?(?:gut|nicht|ernst))`,
  String.raw`(?:das|so) (?:war|hatte|habe|wollte) (?:ich )?(?:so )?nicht (?:gemeint|gewollt|gewunscht|verlangt|gesagt|haben)?`,
  String.raw`ich wollte (?:doch|aber|eigentlich)? ?(?:das|es|die|den|keine?n?) [^.?!]{0,60}(?:, nicht|statt|und nicht|keine?n?\b)`,
  String.raw`ich (?:habe?|hatte) (?:doch|dir|dich|dich doch|ausdrucklich|nach|um) [^.?!]{0,60}(?:gesagt|gebeten|gefragt, nicht)`,
  String.raw`nicht (?!nur|allein)[^.?!]{1,60}, sondern `,
  String.raw`mach (?:das|es) (?:bitte )?(?:wieder )?ruckgangig${END}`,
  String.raw`stattdessen (?:bitte|solltest|sollst|nimm|mach|nutze?|verwende|schreib|sollte)`,
  String.raw`(?:mach|nimm|nutze?|verwende|schreibe?|setze?|leg|speichere?) [^.?!]{0,60}(?:stattdessen|lieber)\b`,
  String.raw`(?:nimm|nutze?|verwende) [^.?!]{1,40} statt `,
  String.raw`(?:beim )?nachste(?:s|n) mal (?:bitte|solltest|nimm|mach|nutz|verwend|frag|schreib)`,
  String.raw`du (?:solltest|sollst) (?:doch|aber|nicht|das nicht|eigentlich|keine) `,
  String.raw`(?:das|es) (?:hat (?:leider |immer noch |so |auch )*nicht (?:funktioniert|geklappt|geholfen)|funktioniert (?:leider |immer noch |so |auch )*nicht)${END}`,
]
const fr = [
  String.raw`non[\s,.!:;–—-]+(?:non[\s,.!]+)*(?:je (?:voulais|parlais|t'ai|vous ai)|ce n'est pas (?!grave|la peine|necessaire|urgent)|c'est (?:pas (?!grave|la peine)|faux|l'autre)|pas (?!encore|maintenant|vraiment|la peine|besoin|pour l'instant|du tout|aujourd)|tu (?:as|t'es)|vous (?:avez|vous)|plutot|l'autre|en (?:francais|anglais))`,
  String.raw`c'est (?:encore |toujours |completement |totalement )*(?:faux|incorrect|errone|pas (?:bon|juste|correct|ca|ce que|comme ca|le bon|la bonne))(?! ?[^.!]*\?)`,
  String.raw`ce n'est (?:toujours )?pas (?:ca|ce que|correct|juste|bon|le bon|la bonne|comme)\b`,
  String.raw`pas comme (?:ca|cela)`,
  String.raw`je (?:voulais dire|voulais plutot|parlais (?:de|du|des) [^.?!]{1,60}, pas)\b`,
  String.raw`(?:je t'avais|je vous avais|j'avais) (?:demande|dit) (?:de|en|le|la|les|un|une|que)\b`,
  String.raw`pas (?!mal|encore|seulement|besoin|de souci)[^.?!]{1,50}, (?:mais|plutot) `,
  String.raw`(?:utilise|utilisez|mets|mettez|fais|faites|ecris|prends|prenez) [^.?!]{1,60}(?:plutot(?: que [^.?!]{1,40})?|a la place)\s*(?:[.!]|$)`,
]
const es = [
  String.raw`no[\s,.!:;–—-]+(?:no[\s,.!]+)*(?:eso no|asi no|no (?:es (?!necesario|urgente|nada|importante)|era|queria|me referia)|queria\b|me referia|quise|te (?:dije|pedi|equivoca|olvida)|el otro|la otra|en (?:espanol|ingles)|esta mal)`,
  String.raw`(?:eso|esto) (?:no (?:es|esta|era) (?:correcto|lo que|asi|bien|cierto)|(?:sigue estando|sigue|esta|es|estaba) (?:mal|incorrecto|equivocado|erroneo))`,
  String.raw`(?:sigue )?(?:estando |esta )mal\s*(?:[.,;!]|$)`,
  String.raw`no es (?:lo que (?:te )?(?:pedi|queria|dije)|asi\b|correcto)`,
  String.raw`asi no\s*(?:[.,;!]|$)`,
  String.raw`(?:me referia a|quise decir|queria decir)\b`,
  String.raw`te (?:pedi que|dije que (?:no|lo|la|era|en)|(?:pedi|dije) [^.?!]{1,60}, no) `,
  String.raw`(?:usa|utiliza|hazlo|ponlo|pon|escribe|escribelo) [^.?!]{1,60}(?:en (?:vez|lugar) de (?:eso|esto|[^.?!]{1,30})|en su lugar)\s*(?:[.!]|$)`,
]
const it = [
  String.raw`no[\s,.!:;–—-]+(?:no[\s,.!]+)*(?:intendevo|non (?:e (?!necessario|urgente|importante)|cosi|quello|quella|intendevo|volevo)|volevo\b|e sbagliat|hai (?:dimenticato|sbagliato|capito male)|l'altr[oa]|in (?:italiano|inglese))`,
  String.raw`(?:questo |cosi |quello )?e (?:ancora |tutto )?(?:sbagliat[oaie]|errat[oaie])\s*(?:[.,;!]|$)`,
  String.raw`(?:questo |quello )?non e (?:giusto|corretto|quello che|cosi|cio che)\b`,
  String.raw`non cosi\s*(?:[.,;!]|$)`,
  String.raw`(?:intendevo|volevo dire) (?!chieder)`,
  String.raw`ti (?:avevo|ho) (?:detto|chiesto) (?:di|il|la|che|in|un|una) `,
  String.raw`(?:usa|fallo|metti|mettilo|scrivi|scrivilo) [^.?!]{1,60}(?:invece(?: di [^.?!]{1,40})?|al posto di [^.?!]{1,30})\s*(?:[.!]|$)`,
]
const pt = [
  String.raw`nao[\s,.!:;–—-]+(?:nao[\s,.!]+)*(?:eu (?:quis|queria|disse|pedi)|isso (?:nao|esta)|nao (?:e (?!necessario|urgente|preciso)|foi|era|assim)|esta errad|voce (?:esqueceu|errou)|quis dizer|o outro|a outra|em (?:portugues|ingles))`,
  String.raw`(?:isso |isto )?(?:(?:ainda )?esta|ta|e) (?:tudo )?errad[oa]s?\s*(?:[.,;!]|$)`,
  String.raw`(?:isso |isto )?nao (?:e|esta|era|foi) (?:isso|assim|o que (?:eu )?(?:pedi|queria|disse)|certo|correto)\b`,
  String.raw`(?:assim nao|nao assim)\s*(?:[.,;!]|$)`,
  String.raw`(?:eu )?(?:quis|queria) dizer\b`,
  String.raw`eu (?:pedi|disse) (?:para|que|em|o|a|um|uma) [^.?!]{1,60}(?:, nao |e nao )`,
  String.raw`(?:use|usa|faca|coloque|escreva|poe) [^.?!]{1,60}(?:em vez d(?:e|isso|o|a)|no lugar)\b`,
]

/** Patterns for the start of a message. */
const CORRECTING: readonly RegExp[] = [en, de, fr, es, it, pt].map(
  ways => new RegExp(`^(?:${ways.join('|')})`),
)

/** Start of a sentence, or of a clause with “but”, in which a mistake can be named. */
const CLAUSE = String.raw`(?:^|[.!;…] |, (?:but|and)? ?|\b(?:but|sorry|aber|doch|mais|pero|ma|mas) )`
const faults = [
  String.raw`you (?:(?:still|also|just|again|have|'ve) )*(?:forgot(?:ten)?|missed|left out|skipped|misunderstood|misread|mixed up|overlooked|ignored) (?!me\b|my birthday|you\b|out on|a (?:great|good|nice|lovely)|nothing)`,
  String.raw`you (?:(?:still|just|also) )*(?:used|took|changed|deleted|opened|edited|picked|chose|put|got|read|translated|wrote|sent|renamed|moved) (?:it |them |that |this )?(?:(?:in|to|into|on|from|at) )?(?:the )?wrong\b`,
  String.raw`you(?:'ve| have)? (?:made|got) (?:a mistake|an error|it wrong|that wrong|this wrong)`,
  String.raw`you (?:didn't|did not|haven't|have not) (?:really |actually |even )?(?:include|use|follow|add|change|read|save|sort|answer|listen|finish|mention|update|translate|keep|check|run|test|include|used|followed|added|changed|saved|included|answered|finished) (?!.*\bdid you\?)`,
  String.raw`you (?:were supposed to|should have (?:used|asked|kept|put|written|left|made|done|taken|read|sent|told|known|said|checked|saved|included|added|changed|looked|listed|called|named|stopped|waited|sorted|translated|answered))`,
  String.raw`(?:there's|there is) (?:a mistake|an error) in your\b`,
  String.raw`that's not what i (?:asked|wanted|meant|said)`,
  String.raw`du hast (?!mich|mir|recht|ja recht|schon)[^.?!]{0,60}\b(?:vergessen|ubersehen|verwechselt|ausgelassen|weggelassen|missverstanden|falsch (?:verstanden|gemacht|geschrieben|gerechnet|benannt))`,
  String.raw`du hast (?:die|den|das) falsche[ns]? `,
  String.raw`(?:tu as|t'as|vous avez) (?:encore |toujours )?(?:oublie|mal compris|confondu|saute|rate|ignore|utilise l[ae] mauvais)`,
  String.raw`(?:tu t'es|vous vous etes) trompe`,
  String.raw`(?:te (?:has )?(?:olvidaste|olvidado|equivocaste|equivocado|saltaste|falto)|se te olvido|has (?:olvidado|confundido|usado (?:el|la) \w+ equivocad))`,
  String.raw`(?:hai (?:ancora )?(?:dimenticato|sbagliato|frainteso|saltato|confuso|capito male|usato (?:il|la) \w+ sbagliat)|ti sei (?:dimenticat|sbagliat))`,
  String.raw`(?:(?:voce|tu) (?:se )?(?:esqueceu|esqueceste|errou|erraste|confundiu|entendeu mal|pulou)|esqueceste-te|faltou (?:o|a|os|as|incluir|colocar) )`,
]

/** Patterns for reproaches to the agent, anywhere in the checked text. */
const REPROACHES: readonly RegExp[] = [new RegExp(`${CLAUSE}(?:${faults.join('|')})(?![^.!,;]*\\?)`)]

/** How many characters to check: a correction comes first in a message, before any pasted text. */
const START = 300

/**
 * Whether a message corrects the previous answer (“no, I meant …”), in one of six languages. Tuned to miss a
 * correction rather than misread an ordinary message.
 */
export function isCorrection(text: string): boolean {
  const start = foldText(text.trim().slice(0, START))
    .replace(/[’`´]/g, "'")
    .replace(/\s+/g, ' ')
    // A quotation is not a correction by the user.
    .replace(/"[^"]*"?|“[^”]*”?|„[^“]*“?|«[^»]*»?/g, '…')
  const said = start.replace(OPENERS, '')
  if (POLITE_NO.test(said)) return false
  return CORRECTING.some(pattern => pattern.test(said)) || REPROACHES.some(pattern => pattern.test(start))
}
