import { inSentence, sentence, type Fact } from '../facts/fact.ts'
import { isKept } from '../facts/make-fact.ts'
import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import { NOT_KNOWN, unknownFact } from './notebook.ts'
import type { Task } from './task.ts'

/** Put before a question about something that was told. */
const framedWordings = wordings(`
  {ask}
  {ask}
  {ask}
  (tell me|quick question|question|i forgot|i can't remember|help me out)(, |: ){ask}
  (do you know|can you tell me|could you tell me): {ask}
  ! (remind me|remind me please)(, |: ){ask}
  (one more thing|by the way|now)(, |: ){ask}
  ---
  {ask}
  (it slipped my mind|my memory fails me|i wonder)(, |: ){ask}
  (from your memory|you should know this)(: |, ){ask}`)

export const topicAskWordings = wordings(`
  (what do you (know|remember) about|what have you (saved|stored|noted) about|what did i (tell|say to) you about) {topic}?
  (do you (know|remember)|can you (remember|recall|tell me)) {topic}?
  ! (remind me|remind me of|tell me|say) {topic}
  (is there anything|is anything|what is) in your (memory|notes) about {topic}?
  ! (look up|check) {topic} in your (memory|notes)
  ---
  (what's on file|anything noted) about {topic}?
  ! (refresh my memory about|give me) {topic}
  {topic}, (do you have that|what was it)?`)

export const allWordings = wordings(`
  what do you (know|remember) about me?
  what have you (saved|stored|learned|noted|remembered) about me?
  what is in your (memory|notebook|notes)?
  ! (show|list|tell) me (what you know|what you remember|everything you know|all you know) about me
  ! (show|list) (me |)(your|the) (memory|notes|memories|notebook)
  what did you (save|learn|note|remember) about me?
  (do you know|do you remember) (anything|something|things) about me?
  ! tell me (about me|about myself|something about me)
  (which|what) facts do you (have|know) about me?
  what do you have in (your |)memory?
  (everything|all) you (know|remember) about me( please|)
  ---
  what have i told you about myself so far?
  ! (summarise|sum up) what you know of me
  ! describe me from your memory
  ! (read out|open) your (notebook|memory)
  (which|what) things about me did you keep?`)

const asked = (talk: Talk, { relation, slots }: Fact): string => {
  const { random, split } = talk
  if (random.chance(0.2)) return talk.word(topicAskWordings, { topic: talk.phrase(relation.topic, slots) })
  const side = split === 'test' ? 'test' : 'train'
  const template = random.pick(framedWordings[side]).replace('{ask}', random.pick(relation.ask[side]))
  return talk.word({ train: [template], test: [template] }, slots, { head: 0.1, tail: 0.06 })
}

/** The answer tells the entry back, so the model only has to find it. */
const tell = (talk: Talk, fact: Fact): void => {
  talk.focus = { fact }
  talk.answer(sentence(fact.told), { kind: 'fact', facts: [fact.value] })
}

export const recall: readonly Task[] = [
  {
    id: 'recall',
    weight: 10,
    async run(talk) {
      const known = talk.facts.filter(fact => isKept(talk, fact))
      if (known.length === 0) return false
      const fact = talk.random.pick(known)
      talk.ask(asked(talk, fact))
      tell(talk, fact)
      return undefined
    },
  },
  {
    id: 'not-in-memory',
    weight: 9,
    async run(talk) {
      const fact = unknownFact(talk)
      talk.ask(asked(talk, fact))
      talk.answer(NOT_KNOWN, { kind: 'fact', facts: ['not in my memory'] })
    },
  },
  {
    id: 'recall-all',
    weight: 1.5,
    async run(talk) {
      talk.ask(talk.word(allWordings))
      const own = talk.facts.filter(fact => isKept(talk, fact) && fact.target === 'user').slice(0, 6)
      if (own.length === 0) {
        talk.answer('There is nothing about you in my memory yet.', {
          kind: 'fact',
          facts: ['nothing about you'],
        })
        return
      }
      const lines = own.map(fact => `- ${fact.told}`)
      talk.answer(['This is what I remember:', ...lines].join('\n'), {
        kind: 'fact',
        facts: own.map(fact => fact.value),
      })
    },
  },
  {
    id: 'recall-just-told',
    weight: 2,
    async run(talk) {
      const { fact } = talk.focus
      if (!fact || !isKept(talk, fact)) return false
      talk.ask(talk.word(justWordings))
      talk.answer(sentence(`You told me that ${inSentence(fact)}`), { kind: 'fact', facts: [fact.value] })
      return undefined
    },
  },
]

export const justWordings = wordings(`
  what did i just (tell|say to) you?
  what (have you|did you) just (save|saved|remember|remembered|note|noted)?
  ! repeat (that|what i said|what you saved)
  what was that again?
  ! (say|tell me) (that|it) again
  what did you (write down|save|note) (just now|)?
  (and |so |)what do you remember now?
  ---
  (which|what) fact was that?
  ! (echo|confirm) what you (kept|stored)
  what was the last thing i told you?`)
