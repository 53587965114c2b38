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
  (i can't recall|i can't think of it|i've forgotten|i keep forgetting|i no longer know|silly question|another question|just asking|just checking|may i ask|sorry to ask|hm|excuse me|hold on)(, |: ){ask}
  (i need to know|i have to know|i want to know|i'd like to know|i would love to know|please tell|answer me|here's my question|my question|asking again|a short question)(: |, | - ){ask}
  (let me know|tell me again|say again|tell me once more|answer this|help me remember)(, |: ){ask}
  (for a form|for my friend|for an email|to be sure|just to be sure|just to check|as a reminder|memory test|to test you|test question|for a quiz)(, |: ){ask}
  (check|look in|use|consult|look at) your (memory|notes|notebook)(: |, | and tell me: ){ask}
  {ask} (i forgot|i've forgotten|i can't remember|i don't remember|please tell me|tell me please|help me remember|i need to know|i should know it|sorry for asking)
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
  (do you still|you still|do you happen to|would you|do you really|can you still|don't you) (know|remember|recall) {topic}?
  ! (name|state|mention|recall|recite|spell out|let me hear|let me know|remind me about|remind me again of) {topic}( again| once more|)
  (any idea|any clue|got any idea|have you any idea|any knowledge|any memory|any memories) (about|of|on) {topic}?
  (i forgot|i have forgotten|i can't remember|i don't remember|i don't recall|i can't recall|i no longer know|i'm not sure about|i've lost track of) {topic}(, do you know it|, help me|, tell me|)
  (i need|i want|i'd like|i would like|i'd love|i have) to (know|hear|be reminded of|remember|recall|be told) {topic}( again|)
  (need to know|want to know|need a reminder of|need to hear|must know|gotta know|would like to know|looking for) {topic}
  {topic}(?|, please|, again please|, do you know|, do you remember|, you know it|, tell me|, remember|, if you remember)
  {topic} is (what|what again|what now|known to you|in your memory|saved, right)?
  what (is|was) (saved|stored|noted|written down|recorded|known|remembered) (about|on|for|under) {topic}( in your memory| in your notes|)?
  what (does|do) your (memory|notes|notebook|memories) (say|tell|hold|know|contain) (about|on|for) {topic}?
  have you (saved|noted|remembered|written down|memorised|forgotten|learned) {topic}?
  did you (save|note|remember|write down|store|memorise|forget) {topic}?
  is {topic} (in your memory|in your notes|known to you|something you know|something you remember|saved|in the notebook)?
  is there (a note|an entry|something|a fact|any fact|any note) (about|on|for) {topic}( in your memory| in your notes|)?
  (can|could|will|would) you (name|say|look up|remind me of|help me remember|help me with|tell me again) {topic}?
  {topic}(: | - |, )(what do you know|what did i say|what have you saved|what do you remember|what is in your memory|what do your notes say)?
  (as for|regarding|concerning|about|on) {topic}(: |, )(what do you know|what do you remember|what did you note|what have you got)?
  what (can you|could you|would you) (tell me|say|remember|remind me) (about|on|of) {topic}?
  i (told|gave) you {topic}( once|), (tell me|what is it|do you know it|say it|please tell me)?
  ((wondering about|i am curious about|curious about|thinking about|asking about|a question about|question about|unsure about) {topic}|(quick reminder|reminder|a reminder|reminder please|memory check|memory question)(: |, | about ){topic})
  ((help me|please help me|assist me to) (remember|recall|with) {topic}|(please|pls|kind of you to) (tell|say me|remind me|inform me about|to tell me|to say) {topic})
  ! (consult|check|search|go through|look in|look into|look at|query|ask) your (memory|notes|notebook) (for|about|on) {topic}
  (surely you|i hope you|i think you|i bet you|you surely|you must|you should still) (know|remember) {topic}
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
  (what|how much) (do|did|can) you (know|remember|recall|memorise) (of|about|on|concerning) (me|my person|my life|myself)( by now| already| until now| in total|)?
  ! (give|show|make|print|write|send) me (a list|the list|a summary|a report|the whole list) of (what|all|everything) you (know|remember|have saved) about me
  ! (show|tell|list|give|print) (me |)(all the|every one of the|all your|the) (memories|notes|facts|entries|things|details) (you have |you saved |)(about|on|of) me
  what (is|was) (saved|stored|known|noted|recorded|written down|remembered) (about|on) me( in your memory| in your notes| there| at the moment|)?
  (which|what) (memories|notes|entries|information|data|details|info) (do you have|have you got|are there|exist|are saved|are stored) (about|on) me?
  (i want|i'd like|i need|i would like|i'd love) to (see|know|read|check|hear) (what you know about me|what you remember about me|your notes about me|everything about me|all you saved about me)
  (can i|could i|may i|let me) (see|read|check|look at|hear) (your memory|your notes about me|what you know about me|what is in your memory|all you know about me)
  ! (check|go through|look at|view|print|browse|list) (your memory|your memories|your notes about me|all your memories|what you know of me)
  (your|the|all your|any) (memory|notes|knowledge|memories|facts|information) (about|on|of) me(, please| please|?)
  (me|about me|my person|my profile|regarding me|concerning me)(: |, | - )(what do you know|what do you remember|what have you saved|tell me everything|what is in your memory)?
  what (could|can|would) you (tell|say to) (me|a stranger|someone|my friend|others|people) about me?
  have you (learned|noted|saved|remembered|stored|picked up|understood|found out) (anything|something|much|a lot|things) about me( yet| already|)?
  (how well|how much|how far|since when|do) you know (me|who i am)? what do you know about me?
  (how well do you|do you really|do you actually|do you even) know me?
  ! (tell|say) (me |)(everything|all|all things|whatever) (that |)(you know|you remember|you have learned|is known) (of|about) me
  (curious|i'm curious|just curious|interested|ok|so|now)(, |: )(what do you know|what do you remember|what have you learned) about me?
  (is there|was there) (anything|something) (that |)you (know|remember|have saved|have noted|have learned) about me?
  (any|some|what|got) (facts|notes|memories|info|entries|knowledge) (about|on) me( in your memory| in your notes|)?
  (memory|notebook) (contents|content|overview|list|entries|check)( please|, please|)
  (want|need|wish) to (see|know|hear) (what you know about me|your whole memory|all your memories|everything you saved about me|your notes about me)
  what (all |)(is|stands|have you) (there |written |)(in|inside) your (head|mind|memory|notes) about me?
  my (profile|personal notes|personal facts|facts|personal details)(, | )(please|as you know them|in your memory|from your notes)
  (what|all what|everything what) you (know|remember|have saved|noted) (from|about|of) me(?| please|, tell me|, show me)
  ! (bring up|call up|pull out|get out|fetch) (your memory|your notes about me|what you know about me|all facts about me)
  (mind|do you mind|how about) (telling|showing|listing) (me |)(what you know about me|all you remember about me|your notes about me)?
  (who do you think i am|what kind of person am i for you|what sort of user am i)? (tell me what you know|what do you know of me|say what you remember)
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
    learned: 18,
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
    learned: 3,
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
  what (was|is) it (that |)i (just |)(said|told you|mentioned|wrote)( just now|)?
  (sorry, |wait, |hm, |)what did i (say|tell you|mention|write|want you to remember)( just now| a moment ago| right now| a second ago|)?
  ! (tell me|say|show me|let me hear) what (you just saved|you just noted|you just remembered|i just said|i just told you|you wrote down)
  ! (say|read|tell me|give me|play) (it|that|this) back( to me| please|)
  what exactly did you (note|save|remember|add|memorise|write|put in your memory|take down|learn)?
  what did you (add|memorise|put in your memory|take down|learn|enter|record)( exactly| there| now| just now|)?
  what (is|was) (the note|the entry|the fact|the new entry|saved|noted|remembered|added)( now| exactly| again|)?
  what (will|would|do) you (remember|keep in mind|know)( then| from now on| about it|)?
  how did you (note|save|write|word|phrase|put) (it|that|this)( down| exactly| in your memory|)?
  (did you get that|did you get it|have you got it|have you got that|understood|is it saved|did you save it|did you hear me)? what (did i say|was it|did you note|do you know now)?
  (so|and|ok|now|well), (what did you note|what do you know now|what is in your memory now|what have you learned|what will you remember)?
  (quick check|check|test|let's see|to be sure|just checking|to check)(: |, )what did (i|you) (just |)(say|tell|note|save|remember)?
  (i forgot|i already forgot|forgot it|lost it)(, |: )what did i (just |)(tell you|say|mention)( again|)?
  what('s| is| was) (the|your) (latest|newest|most recent|new) (note|entry|memory|fact)( now| in your memory| in your notes|)?
  what is new in your (memory|notes|notebook|head)( now|)?
  what (should|must|shall|were) you (to remember|remember|not forget|keep in mind|note)( now| again|)?
  ! (recap|recall|restate|recite|paraphrase) (that|it|what i said|what i just told you|the new note)
  (let me hear|i want to hear|i'd like to hear|i need to hear) (it|that|what you noted|what you saved|what i said)( again| once more|)
  (say that again|pardon|sorry|what|come again), what did you (note|save|remember|understand)?
  (can you|could you|will you) (tell me|say|repeat) what i (just |)(said|told you|mentioned|wrote)( just now|)?
  ((the new|the newest|the latest|your newest|your last) (note|entry|memory)(, please| please| again please|?)|(you noted|you saved|you remembered|i said|i told you|you heard|you understood) what( again| exactly| now| just now|)?)
  ---
  (which|what) fact was that?
  ! (echo|confirm) what you (kept|stored)
  what was the last thing i told you?`)
