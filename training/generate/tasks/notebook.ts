import { changedFact, isKept, isSingle, makeFact, newFact, toldOf } from '../facts/make-fact.ts'
import { inSentence, sentence, type Fact } from '../facts/fact.ts'
import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import type { Task } from './task.ts'

export const rememberWordings = wordings(`
  ! remember (that |this: |: |)({fact})
  ! (keep in mind|bear in mind|note|note down|take note|memorise|memorize) (that |: |){fact}
  ! (don't forget|do not forget|never forget) (that |: |){fact}
  (i want you to|you should|you need to|i'd like you to) (remember|know|keep in mind|note) (that |){fact}
  ! (save|store|keep|write down|put down|jot down) (in your memory |in memory |)(that |: |){fact}
  ! (add|put|save|write) to (your|the) (memory|notes|notebook)(: | that ){fact}
  (for your|for the) (memory|notes|records|information): {fact}
  (to remember|note to self|fyi|memo|reminder|remember this|remember): {fact}
  (just so you know|so you know|for future chats|for later|for next time)(, |: ){fact}
  {fact}, (remember that|please remember that|keep that in mind|don't forget it|note that|remember it|save that|make a note)
  {fact}. (remember that|please remember|keep it in mind|save this|make a note of that|note that down|don't forget)
  ! (make a note|leave a note|keep a note) (that |: |){fact}
  ! (learn|know) (this: |that ){fact}
  (you can|could you|can you) (save|note|keep|memorize) (that |: |){fact}
  (i need you to|would you|will you) (remember|save|note) (that |){fact}
  ! (record|register|enter|scribble down|mark down|take down|set down|get down|print in your mind) (that |: |this: |){fact}
  ! (put|place|enter|stick|pop|tuck|write|type|note) (it|this|the following) (in|into) (your|the) (memory|notes|notebook|head|brain|memory bank): {fact}
  ! (keep track|keep a record|make a record|make an entry|make a memo|take a memo|take notice|remind yourself|stay mindful) (that |of this: |: ){fact}
  ! (always know|always remember|remember forever|remember for good|know from now on|always keep in mind|keep remembering|never lose sight of the fact) that {fact}
  (i'd love you to|i'd love for you to|i'd be glad if you could|i'd appreciate it if you could|it's best you) (remember|keep in mind|note|save|memorise) (that |){fact}
  (you have to|you've got to|you gotta|you better|you'd better|u should) (remember|know|note|save|write down|not forget) (that |){fact}
  (mind|do you mind|how about) (noting|saving|writing down|keeping in mind|memorising|jotting down|adding to your notes) (that |this: |){fact}?
  (can you|could you|will you|would you|can u) (keep in mind|bear in mind|make a note|not forget|take note|write down|jot down|learn|record) that {fact}?
  (is it possible|would it be ok|can i ask you|could i get you|can i trust you) to (remember|save|keep|note|not forget) (that |: ){fact}?
  (got to|gotta|must|need to|have to|we must|one must) (remember|note|save|keep in mind|not forget)(: | that ){fact}
  (need you to|want you to|like you to|asking you to|telling you to) (remember|know|note|save|memorise) (that |: |){fact}
  (memory|notebook|notes|save|note|memorise|keep|store|write down|record|remember pls)(: | - ){fact}
  (new entry|new note|new fact|new memory|memory entry|memory note|one for the notebook|a note for you|take a note|fact to save)(: | - ){fact}
  (important|very important|essential|vital|crucial|to be remembered|not to be forgotten|must remember|must know|take this in|mark my words)(: | - ){fact}
  {fact}: (remember|remember it|save it|note it|keep it|memorise it|please save|to be noted|for the notebook|into memory please|write that down)
  {fact} - (remember this|note this|save it|keep in mind|please note|don't forget|into the notes with it|that goes in your memory)
  {fact}. (add it to your memory|put it in your notes|write it down|jot it down|store it|keep it in your head|you will need it|so you don't forget|i don't want to say it twice)
  {fact}. (can you|could you|will you|would you) (remember it|remember that|note it|save this|write that down|make a note of it|keep that in mind|not forget it)?
  {fact}, (i want you to remember that|i need you to know that|you should remember that|you must not forget that|please keep it in memory|write it in your notes)
  {fact}, (and you should remember it|and don't forget|so note it|so remember|so save it|so keep it in mind please|and that goes in the notebook)
  that {fact}, (remember it|is what you should remember|is to be saved|should be in your memory|should be noted|please note|don't forget it)
  that {fact} (is important|should be remembered|should be saved|must be in your notes|needs to be noted|needs saving|has to stay in your memory)
  it (should be|must be|has to be|needs to be) (noted|saved|remembered|written down|stored|recorded) that {fact}
  (it's|it is) (important|good|useful|vital|essential) (to know|to remember|to note|to keep in mind|that you know|that you remember) that {fact}
  (the following|this|something|a fact) (should be|has to be|must be|is to be|needs to be) (saved|remembered|noted|stored|recorded): {fact}
  (i have|i've got|there is|there's) (something|a fact|a note|one thing) (to save|for your memory|to note|to keep in mind|you should remember|for your notes)(: |, ){fact}
  (next time we talk|tomorrow too|later on|in the future|in future|from here on|at all times|when i ask you), (remember|know|keep in mind|don't forget) that {fact}
  (so that you know it later|before i forget|before you forget|lest we forget|while i think of it|for the record|for future reference|for the future)(: |, ){fact}
  (listen|attention|hey you|look here|pay attention), (remember|note|save|memorise|write down) (this|the following): {fact}
  (please to remember|please to note|please you remember|please be remembering|must please remember|kind request to remember) (that |: |){fact}
  (i wish|i want|i would like|i hope|i expect|i ask) that you (remember|know|save|note|keep in mind) (that |: |){fact}
  (remember for me|save for me|keep for me|note for me|write down for me|memorise for me)(: | that |, ){fact}
  (what you should know|what you should remember|what to remember|what i want saved|a thing to keep in mind|the thing to note)(: | is that | is: ){fact}
  (let's|let us) (remember|note|keep in mind|record|not forget|write down) (that |: |){fact}
  ---
  ! (commit to|put into) memory(: | that ){fact}
  (hold on to this|retain this|here is something to remember)(: |, ){fact}
  {fact}, (can you keep that|store that for me|that's worth remembering)
  ! (file away|log) (that |: |){fact}
  (let it be known|i'm telling you for later) that {fact}
  (would you mind remembering|it would help if you remembered|make sure you remember) that {fact}
  (one to keep|for the long run|something lasting): {fact}`)

export const mentionWordings = wordings(`
  {fact}
  (btw|by the way|oh, and|also|just so you know|you should know|fun fact|actually)(, |: | ){fact}
  (i should mention|i should say|did i say|did i mention|i forgot to say) that {fact}
  {fact}(, by the way|, btw|, you know|, just so you know)
  (a bit about me|about me|hi|hello there|good morning|hello)(: |, ){fact}
  (guess what|you know what|news|good news|i have news|listen|look)(, |: |: ){fact}
  (i wanted to say|i want to tell you|let me tell you|i have to tell you|i thought you should know|you might want to know) (that |){fact}
  (as for me|for me|personally|to introduce myself|in case you want to know)(, |: ){fact}
  (did you know|do you know) that {fact}?
  {fact}(, that's why i'm here|, that is how it is|, so there|, that's me| :)|!)
  (well|ok|so|and|ah|hm|yes|oh)(, ){fact}
  {fact}, (i should add|as i said|to be honest|actually|by the way)
  {fact}
  (funny|interesting|little known fact|true story|small detail|detail|aside|side note|confession|truth is|to tell the truth|the thing is|thing is|between us)(, |: | - ){fact}
  (today i can tell you|i can tell you|may i say|i may say|i want to share|i'd like to share|i'd like to mention|i'd like you to hear|let me add|let me say|i might add) (that |){fact}
  (you may not know|you might not know|you probably don't know|you can't know|i don't think you know|maybe you know already|you perhaps know|not sure you know)(: | that |, but ){fact}
  (have i told you|did i tell you|have i mentioned|did i ever say|have you heard|were you told|guess who says) that {fact}?
  {fact}, (just saying|just telling you|i think|i guess|i believe|if you like|sort of|really|honestly|believe it or not|of course|after all|in fact|as it is|funnily enough)
  {fact}. (just saying|just so you know|that's it|that's all i wanted to say|now you know|there you go|so it is|what do you say|isn't that nice|that's life)
  (look|say|hm|hmm|erm|oh well|right then|anyway|anyhow|besides|moreover|plus|speaking of me|talking of me|on my side|in my case|in my life|where i am)(, | ){fact}
  (first of all|to start|to begin with|for a start|one thing about me|a detail about me|some background|background|context|for context|info|some info|for info)(, |: ){fact}
  (imagine|believe me|trust me|honest|seriously|no joke|i swear|i confess|i admit|i must say|i have to say|i can say|people know)(, | that |: ){fact}
  ---
  (as it happens|in case it matters|if you must know|let me introduce myself), {fact}
  {fact}, (in case you wonder|if that helps|to be clear|as you can imagine)
  (what you don't know yet|something about me|here is a fact)(: | - ){fact}
  (it may help to know|be aware|you ought to know) that {fact}`)

export const correctWordings = wordings(`
  (actually|no|wait|sorry|correction|oops)(, |: | ){fact}
  (actually|no|sorry|correction|update)(, |: | ){fact} now
  {fact} now(, not {old}|, no longer {old}|)
  {fact}, not {old}
  (that's wrong|that is wrong|this is wrong|that's not right|wrong|you got that wrong)(, |: |. ){fact}
  (i was wrong|i made a mistake|my mistake)(, |: |. ){fact}
  ! (change|correct|update|fix) (that|this|it|your memory|your notes|what you saved)(: |, ){fact}
  (things changed|there was a change|something changed|that changed|it changed)(: |, ){fact}
  (from now on|since today|since last week) {fact}
  ! (correct|update|replace) (what you know about|the entry about|your note about|the note on) {topic}: {fact}
  it's not {old}( any more| anymore|), {fact}
  ! remember that {fact} now
  (i said|you think it's|it used to be) {old}, but {fact}
  ! (change|update) {topic}: {fact}
  (no no|nope|nah|not quite|hang on|hold on|oh no|ah no|oh sorry|pardon|my bad|whoops|excuse me|apologies|i meant|i mean|rather)(, |: | - ){fact}
  {fact}(, sorry|, my mistake|, i meant|, i mean|, to correct myself|, correction|, not what i said before|, it changed|, things changed|, other than i said)
  {fact} (instead|after all|nowadays|at present|currently|by now|from now on|since yesterday|since this week|since recently)
  {fact}, (and not|rather than|instead of|in place of|no more|not any more|in exchange for|no longer|isn't it? not) {old}
  {fact}, (it was {old} before|{old} was before|{old} is over|{old} no more|{old} was my mistake|{old} is past|it isn't {old} now|i said {old} by mistake)
  (not|no more|no longer|never again|it isn't|it is not) {old}(, |: |, but | - |; ){fact}
  (instead of|rather than|in place of|in exchange for) {old}(, |: | now ){fact}
  {old} (was|used to be) (before|earlier|the old one|a mistake|a typo|last year|my error|the former one)(, now |; |. |: ){fact}
  (you have|you noted|you saved|your notes say|your memory says|you wrote|you know|you remember) {old}(, but |, however |. no, |; in fact |, yet ){fact}
  (i told you|i wrote|i typed|earlier i said|before it was|it was|until now it was|you heard) {old}(, but now |, but |, now |; now | before, ){fact}
  {old}? (no|nope|wrong|not any more|that was before|no longer|never)(, |: |. ){fact}
  ! (overwrite|replace|exchange|cross out|take out) {old}(: |, | in your memory: | in your notes: ){fact}
  ! (swap|exchange|replace|change) {old} (for|with|by) (this|the following|what is true now|the new fact): {fact}
  ! ((edit|modify|alter|renew|overwrite|rewrite|redo) (the|your|that|my) (memory|note|entry|fact|info|data)|(set|put) (it|that|this|your notes|the record) (right|straight))(: |, | - ){fact}
  ! (edit|modify|alter|overwrite|rewrite|correct|redo|fix|renew) (the note of |the entry on |what you wrote about |){topic}(: |, | - ){fact}
  (about|regarding|concerning|as to|as for) {topic}(: |, )(it changed|there is a change|that changed|correction|i was wrong|an update)(, |: ){fact}
  {topic} (changed|has changed|is different now|needs an update|must be corrected|isn't {old} any more|is no longer {old})(: |, |. ){fact}
  (update on|correction of|change of|correction for|an update about|a correction about|change in) {topic}(: | - ){fact}
  (the|your) (note|entry|memory|info) (about|on|for) {topic} (is wrong|is false|needs fixing|must change|isn't right)(: |, |. ){fact}
  (that's|this is|it's|that is) (not true|false|incorrect|no longer true|not correct|no longer right|not so|a mistake|an error)(: |, |. ){fact}
  (you're|you are|you have it|you got me|you understood me|you heard me) (wrong|mistaken|not right|not correctly)(, |: |. ){fact}
  (i got it wrong|i said it wrong|i told you something wrong|that was a typo|i mistyped|i mixed it up|i confused it|i erred)(, |: |. ){fact}
  (new situation|small change|a correction|change of plan|change|small update|an update|please note the change|changed my mind|new plan)(: |, | - ){fact}
  (since yesterday|since monday|since this week|since last month|starting today|starting now|from today|nowadays|lately|meanwhile|in the meantime)(, | ){fact}
  (it's different now|it was different before|no longer so|not any longer|that was then|that was before|it has changed|it's changed|all changed)(, |: |. ){fact}
  ! (remember|note|save|know|keep in mind|write down) (instead|the correction|the change|the new version|the right version|it correctly)(: | - ){fact}
  (i want|i need|i'd like|i wish|i would love) (that|it|this|your notes|your memory|the entry) (corrected|changed|updated|fixed|put right)(: |, ){fact}
  (i have to|i must|i need to|i want to|may i) (correct myself|correct you|take that back|fix that|change that|update you|correct something)(: |, |. ){fact}
  (can|could|would|will) you (correct|change|update|fix|replace) (that|it|your note|what you know|the entry)(: |, |? ){fact}
  (it should be|it's meant to be|it must be|it has to be|correct is|right is|the truth is|the right thing is|in truth|in reality|really)(: |, ){fact}
  ---
  ! (adjust|rectify) (your memory|your notes|the entry)(: | - ){fact}
  (scratch that|let me correct that|i misspoke|on second thought)(, |: ){fact}
  {fact} (these days|as of today), (forget|drop) {old}
  (amend|revise) (your memory|your notes|that entry): {fact}
  (the old note is outdated|your note is out of date|that's old news)(, |: |. ){fact}
  {old} is (wrong|outdated), {fact}`)

export const forgetWordings = wordings(`
  ! forget {topic}
  ! forget (that |){fact}
  ! (delete|remove|erase|drop) (what you know about |what you remember about |your note about |the note about |the entry about |){topic}( from your memory| from memory|)
  ! (delete|remove|erase) from (your|the) (memory|notes)(: | ){topic}
  (you can|you may|you should) forget {topic}( now|)
  (stop remembering|don't remember|do not remember|no longer remember) {topic}
  (it is no longer true|it's not true any more|it's no longer true) that {fact}, (forget it|remove it|delete that)
  (i want you to|i'd like you to) forget {topic}
  ! (take|strike) {topic} (out of|from) (your|the) (memory|notes)
  ! (scrub|purge|expunge|discard|cross out|rub out|blot out|strike out|cut out|cancel) {topic} (from|in) your (memory|notes|notebook|head|brain)
  ! (delete|remove|erase|cancel|scratch|cross out) (the|your|that|this) (memory|note|entry|fact|info|information|data|record) (of|about|on|regarding|for) {topic}
  ! forget (about|all about|everything about|what i said about|what i told you about|whatever you know about|anything about) {topic}( now| again| please|)
  ! (forget|delete|remove|erase) the (fact|note|entry|memory|information|line) that {fact}
  ((stop|quit) (knowing|remembering|storing|saving|memorising) {topic}( please| now|)|(mind|do you mind|how about) (forgetting|no longer remembering|not remembering) {topic}?)
  (don't|do not|please don't) (save|store|memorise|remember) {topic} (any more|anymore|from now on|in your memory)
  (you|u) (don't|do not|no longer) (need to|have to) (remember|know|store|recall) {topic}( any more| anymore|)
  (no need|it's not necessary|there's no need|it is pointless|it's useless) to (remember|know|store|memorise) {topic}( any more| anymore|)
  {topic} is (private|no longer true|history|not true any more|wrong|no longer relevant|not important any more|over)(, so forget it|: forget it| - delete that|, remove it|, delete it)
  {topic} (should|must|can|has to|may|needs to|is to) be (forgotten|deleted from memory|removed from your notes|erased from your memory)( please| now|)
  {topic} (can|must|should|has to|may) (go|vanish|leave|come out) (from|of) (your|the) (memory|notes|notebook)
  (i want|i need|i'd like|i wish|i would like|i'd love) {topic} (forgotten|deleted from your memory|removed from your notes|out of your memory|gone from your memory)
  (i'd rather|i would rather|i wish|it's better if|it would be better if) you (forgot|did not remember|no longer remembered) {topic}
  (you shouldn't|you should not|you must not|you mustn't|you're not to|you are not supposed to) (remember|store|save|recall) {topic}( any more| anymore|)
  (need|want|i have|i've got|got) to (get|take|have) {topic} (out of|off) your (memory|notes|notebook|head)
  (is it possible|would it be ok|can i ask you|can i get you|i'd love you|i beg you|i ask you) to forget {topic}
  ((memory|notebook|notes)(: | - )(forget|delete|remove|erase) {topic}|(forget|forgetting|to forget|to be forgotten|please to forget|delete from memory|remove from memory)(: | - ){topic})
  ((let's|let us|we can|we should) (forget|no longer remember) {topic}( now| together|)|(could|can|would|will) you (forget|stop remembering|no longer remember|not remember) {topic}( now| please|)?)
  ! (leave|cut|take|keep) {topic} out of your (memory|notes|notebook)
  (it's wrong|it's false|it's untrue|it isn't true|it is not so|it is over) that {fact}, (so forget it|delete that|so remove it|please forget that|erase it)
  (i told you|i said|you know|you saved|you noted|you remember) that {fact}, (forget it|forget that|delete that|please remove it|take that out of your memory)
  (what i told you|what i said|what you know|what you saved|what you noted|all you know) about {topic}(: |, )(forget it|delete it|remove it|erase that|please forget)
  ! make (yourself|your memory) (forget|lose) {topic}
  ---
  ! (wipe|clear|unlearn) {topic}( from your memory|)
  ! (get rid of|throw away) (what you know about|your note on) {topic}
  {topic}(: please forget it|, you can drop that)
  (i don't want you to know|don't keep) {topic}( any longer|)`)

const topicOf = (talk: Talk, fact: Fact): string => talk.phrase(fact.relation.topic, fact.slots)

async function save(talk: Talk, fact: Fact): Promise<void> {
  const result = await talk.call('memory', { target: fact.target, action: 'add', content: fact.stored })
  if (result.startsWith('Error')) throw new Error(result)
  talk.facts.push(fact)
  talk.focus = { fact }
  const already = result.includes('already exists')
  talk.answer(
    already
      ? sentence(`I know already that ${inSentence(fact)}`)
      : sentence(`I will remember that ${inSentence(fact)}`),
    { kind: 'fact', facts: [fact.value] },
  )
}

async function replace(talk: Talk, old: Fact, fact: Fact): Promise<void> {
  await talk.call('memory', {
    target: old.target,
    action: 'replace',
    content: fact.stored,
    old_text: old.stored,
  })
  talk.facts.splice(talk.facts.indexOf(old), 1, fact)
  talk.focus = { fact }
  talk.answer(sentence(`Corrected: ${inSentence(fact)}`), { kind: 'fact', facts: [fact.value] })
}

export const notebook: readonly Task[] = [
  {
    id: 'remember',
    weight: 15,
    async run(talk) {
      const fact = newFact(talk)
      talk.ask(talk.word(rememberWordings, { fact: fact.said }, { head: 0.15, tail: 0.06 }))
      await save(talk, fact)
    },
  },
  {
    id: 'remember-two',
    weight: 1.2,
    async run(talk) {
      const first = newFact(talk)
      const second = newFact(talk)
      if (first.key === second.key || first.stored === second.stored) return false
      const fact = `${first.said} and ${talk.random.chance(0.5) ? 'that ' : ''}${second.said}`
      talk.ask(talk.word(rememberWordings, { fact }, { head: 0.1, tail: 0.02 }))
      for (const each of [first, second]) {
        await talk.call('memory', { target: each.target, action: 'add', content: each.stored })
        talk.facts.push(each)
      }
      talk.focus = {}
      const facts = [first.value, second.value]
      talk.answer(sentence(`I will remember that ${inSentence(first)} and that ${inSentence(second)}`), {
        kind: 'fact',
        facts,
      })
      return undefined
    },
  },
  {
    id: 'mention',
    weight: 6,
    async run(talk) {
      const fact = newFact(talk)
      talk.ask(talk.word(mentionWordings, { fact: fact.said }, { head: 0.05, tail: 0 }))
      await save(talk, fact)
    },
  },
  {
    id: 'remember-again',
    weight: 0.6,
    async run(talk) {
      const fact = talk.random.pick(talk.facts.length > 0 ? talk.facts : [undefined])
      if (!fact || !isKept(talk, fact)) return false
      talk.ask(talk.word(rememberWordings, { fact: fact.said }, { head: 0.15, tail: 0.06 }))
      const result = await talk.call('memory', { target: fact.target, action: 'add', content: fact.stored })
      if (!result.includes('already')) throw new Error(result)
      talk.answer(sentence(`I know already that ${inSentence(fact)}`), { kind: 'fact', facts: [fact.value] })
      return undefined
    },
  },
  {
    id: 'correct',
    weight: 5,
    learned: 9,
    async run(talk) {
      const known = talk.facts.filter(fact => isKept(talk, fact) && isSingle(fact))
      if (known.length === 0) return false
      const old = talk.random.pick(known)
      const fact = changedFact(talk, old)
      const slots = { fact: fact.said, old: old.value, topic: topicOf(talk, old) }
      talk.ask(talk.word(correctWordings, slots, { head: 0.08, tail: 0.04 }))
      await replace(talk, old, fact)
      return undefined
    },
  },
  {
    id: 'forget',
    weight: 4,
    learned: 7,
    async run(talk) {
      const known = talk.facts.filter(fact => isKept(talk, fact))
      if (known.length === 0) return false
      const fact = talk.random.pick(known)
      const slots = { fact: fact.said, topic: topicOf(talk, fact) }
      talk.ask(talk.word(forgetWordings, slots, { head: 0.12, tail: 0.08 }))
      await talk.call('memory', { target: fact.target, action: 'remove', old_text: fact.stored })
      talk.facts.splice(talk.facts.indexOf(fact), 1)
      talk.focus = {}
      talk.answer(sentence(`I have forgotten that ${inSentence(fact)}`), {
        kind: 'fact',
        facts: [fact.value],
      })
      return undefined
    },
  },
  {
    id: 'forget-unknown',
    weight: 1,
    async run(talk) {
      const fact = unknownFact(talk)
      const slots = { fact: fact.said, topic: topicOf(talk, fact) }
      talk.ask(talk.word(forgetWordings, slots, { head: 0.12, tail: 0.08 }))
      talk.answer(NOT_THERE, { kind: 'fact', facts: ['not in my memory'] })
    },
  },
]

export const NOT_KNOWN = 'That is not in my memory. Tell me, and I will remember it.'
export const NOT_THERE = 'That is not in my memory, so there is nothing to forget.'

/** Something of which nothing is known, though perhaps of its like. */
export function unknownFact(talk: Talk): Fact {
  for (;;) {
    const near =
      talk.facts.length > 0 && talk.random.chance(0.5) ? talk.random.pick(talk.facts).relation : undefined
    const fact = makeFact(talk, near ?? undefined)
    const isKnown = toldOf(talk).some(
      known =>
        known.key === fact.key ||
        (known.relation.id === fact.relation.id && !known.relation.key.includes('{')),
    )
    if (!isKnown) return fact
  }
}
