import { changedFact, isKept, isSingle, newFact } from '../facts/make-fact.ts'
import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import { list } from './files.ts'
import { layOutFiles } from './file-words.ts'
import { skillName, spoken } from './skill-words.ts'
import { BEYOND } from './unknown.ts'
import type { Task } from './task.ts'

/** Something lasting is told beside a request, so that only a review finds it. */
export const carriedWordings = wordings(`
  {fact}. (can you|could you|please) (list|show me) (the|my) files?
  {fact}, so (list|show me) (the|my) files
  (since|as|because) {fact}, (show|list) (me |)(the|my) files
  (list|show) (the|my) files, (because|since) {fact}
  (what is in this folder|which files are here)? {fact}, you know
  (now that|seeing that) {fact}, what files are here?
  {fact}. (what is in this folder|which files are here|what files do i have|show me my files|now list the files)?
  {fact}, (and i need|and i'd like to see|now i need) (the|my) (list of files|files)
  (i need|show me|give me|list) (a list of my files|all files|what is in this folder)( now| please|), {fact}
  {fact}! (show|list) (the|all) files( then| now| for me|)
  {fact}. (i need|i want|i'd like|i would love|got to have|need) (a list of|to see|an overview of|to know|to look at) (the|my|all|all my) files( now| please| here|)
  {fact}, (that's why i need|which is why i want|that is why i'd like|so i need|so i want) (to see |a list of |)(the|my|all) files
  {fact}, (so what files do i have|so which files are there|but which files are here|and what is in this folder|so what is in here|now what is there)?
  (what files do i have|what is in here|which files are there|what have i got in this folder|can you list my files|what's in this folder)? (because |you see, |i ask because |){fact}
  (list|show|print|give me|tell me|name) (all |)(the|my) files(. | - |, )(by the way, |btw, |oh, and |you should know |as you see, |also, ){fact}
  (by the way|btw|just so you know|you know|listen|well|oh)(, ){fact}(. | - |; )(list|show|show me|tell me|name) (the|my|all) files( now| please| here|)
  {fact} (and|but|so) (now |)(i want|i need|i'd like|i have|i must) to (see|list|know|check|look at|go through) (the|my|all my) files
  (now|today) (that |when |as ){fact}, (i need|i want|let me see|show me|please list|could you list) (the|my|all) files( here|)
  (files|file list|list of files|folder contents|my files)(, |: | )please(. | - |, )(because |since |you know |){fact}
  {fact}. (files please|list files|file list please|show files|the files here please|all my files please|files, quick|my files, please)
  (could you|can you|would you|will you|mind you,) (list|show me|tell me|name) (the|my|all) files(, because|, since|, as|: you see,) {fact}
  {fact}, (ok|right|you know)? (then |so |now |)(show|list|tell me|show me|give me) (the|all|my) files
  ---
  {fact}, hence my question: which files are here?
  {fact}, (therefore|consequently) (enumerate|display) (the files|my documents)
  (display|enumerate) (my files|all documents)( - | because ){fact}
  (given that|considering that) {fact}: list the files`)

export const carriedUnknown = wordings(`
  {fact}. (can you|could you|please) (write a poem|tell me a joke|book a table|plan my holiday) (about it|for that|for me)?
  (since|as|because) {fact}, (what should i cook|which book should i read|where should i go)?
  {fact}, so (write a song|translate a text|find me a recipe|recommend a film) for me
  {fact}. (what should i do|what do you recommend|any ideas|what would you cook|where should we travel)( tonight| now| then|)?
  (help me|i need advice|i need ideas|give me a tip), {fact}
  (write|make|draw|plan) (something|a card|a menu|a trip) for (me|us), {fact}
  {fact}, (explain why|how can that be|is that normal|is that unusual|what does that mean)?
  {fact}. (can you|could you|would you|please) (give me advice|suggest something|think of a present|find a doctor|call someone|check the internet|order something)( for that| please| now|)?
  (given|thinking of the fact|knowing|now) that {fact}, (what should i wear|what should i buy|what would suit me|what is best for me|what can i do tonight)?
  {fact}, so (what should i do|what do you suggest|what would be good for me|what can i cook|what should i buy|how do i get better|what now)?
  {fact}. (what is your opinion|is this good|is this healthy|what do people say about that|how common is that|who else is like that|why is that)?
  (i need|i want|i'd like|give me|find me) (a recipe|a poem|a film tip|travel tips|some advice|a good book|an idea for dinner)(, because|, since|, as|:) {fact}
  {fact} and (i need|i want|i'd like|i'm looking for) (a recipe|a restaurant|a good book|a present|some ideas|a hotel|a film for tonight)
  (what should i do|what would you do|what do you recommend|what can i cook|where should we eat|what should i read)(, |? |, now that |, seeing that ){fact}
  (tell me a story|write me a poem|make up a song|draw a picture|tell a joke|translate this), (because|since|as|you know) {fact}
  {fact}! (write a story about it|make a poem of it|sing about it|say it in french|translate that into german|explain it to me|turn it into a joke)
  ---
  {fact}, hence (a recipe|a poem|some advice) (please|would be nice)
  given that {fact}, what (would you do|do you advise)?
  {fact}, (compose|invent) (a verse|a slogan) (on that|from it)`)

export const procedureWordings = wordings(`
  (for|to do) {name}: (run|first run) {a}, then {b}
  {name}: (run |){a} and then {b}
  (let's do|please do|do|time for) {name}: (first |){a}, then {b}
  (the|my) {name} (goes|works) like this: (run |){a}, then {b}
  (i want to do|i want to|let me|time to) {name}: (run |first |){a}, then {b}
  (first run|start with|begin by running) {a}, then (run |){b} (for|to do) {name}
  {name}, please: (run |){a}( first|), (and |)then {b}
  (every time i|whenever i|when i) (do |){name}: (run |first |){a}, then {b}
  {name} (is|means)(: | )(run |){a}, then {b}
  (run|execute) {a} and then {b}, (that is|this is|that is what i call) {name}
  (today's|our|the usual) {name}(: | is ){a}, then {b}
  (here is how to do|this is how to do|the steps for) {name}: (run |){a}, then {b}
  (we|i|you) do {name} (like this|this way|so|in two steps|as follows)(: | - )(run |first |){a}, then {b}
  (do|perform|carry out|make|handle|take care of) {name} (now|for me|please|today)(: |, | - )(run |first |){a}, (and |)then {b}
  (run|do|execute|launch|type) {a}(, then |, and then | and then |; then )(run |){b}(. | - |: |, )(that's|this is how i do|we call it|it's called|so goes|that makes) {name}
  (need|got|have|i need|we need|i have) to do {name}(: |, so |. )(please |)(run |start with |do ){a}, then (run |){b}
  (two steps for|procedure for|recipe for|routine for|to get through|when it's time for) {name}(: | - |, )(run |){a}, then {b}
  ---
  {name} means (running |){a} and afterwards {b}
  (first|begin with) {a}, afterwards {b}, that is {name}
  (in order to do|as for) {name}, (start|open) with {a}, (followed by|next) {b}`)

export const carried: readonly Task[] = [
  {
    id: 'carried-fact',
    weight: 1.6,
    async run(talk) {
      const { random } = talk
      const known = talk.facts.filter(fact => isKept(talk, fact) && isSingle(fact))
      const old = known.length > 0 && random.chance(0.25) ? random.pick(known) : undefined
      const fact = old ? changedFact(talk, old) : newFact(talk)
      talk.pending.push({ fact, old })
      // Whoever is asked from here on would have to answer with what was said last.
      if (old) talk.facts.splice(talk.facts.indexOf(old), 1)
      if (random.chance(0.75)) {
        layOutFiles(talk)
        talk.ask(talk.word(carriedWordings, { fact: fact.said }, { head: 0.05, tail: 0 }))
        await list(talk, '', {})
      } else {
        talk.ask(talk.word(carriedUnknown, { fact: fact.said }, { head: 0.05, tail: 0 }))
        talk.answer(BEYOND, { kind: 'unknown' })
      }
    },
  },
  {
    id: 'procedure',
    weight: 1.2,
    async run(talk: Talk) {
      const name = skillName(talk)
      const commands = [talk.slot('command'), talk.slot('command')] as const
      if (
        commands[0] === commands[1] ||
        commands.some(each => each.includes(',')) ||
        talk.desk.skills.some(each => each.name === name)
      )
        return false
      const [a, b] = commands
      const said = talk.random.chance(0.5) ? name : spoken(name)
      talk.ask(talk.word(procedureWordings, { name: said, a, b }, { head: 0.05, tail: 0 }))
      for (const command of commands)
        await talk.call(
          'terminal',
          { command },
          { output: talk.random.chance(0.5) ? '' : talk.slot('phrase') },
        )
      talk.answer(`Done: ${a}, then ${b}.`, { kind: 'fact', facts: [a, b] })
      talk.focus = { command: b }
      talk.procedure = { name, said, commands: [a, b] }
      return undefined
    },
  },
]
