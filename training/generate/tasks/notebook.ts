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
