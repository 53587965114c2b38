import { isIn } from '../../../src/main/memory/note-files.ts'
import { PLACES } from '../desk/memory-of.ts'
import { sayOne, slotsOf } from '../wording.ts'
import type { Talk } from '../talk.ts'
import { toStored, toTold, type Fact } from './fact.ts'
import type { Relation } from './relation.ts'
import { relations } from './relations.ts'

/** Make up something that a person could tell. Given slots are kept, so that a fact can be about the same thing as another. */
export function makeFact(
  talk: Pick<Talk, 'random' | 'split' | 'manner' | 'slot'>,
  relation: Relation = talk.random.pick(relations),
  slots: Readonly<Record<string, string>> = {},
): Fact {
  const { random, split, manner, slot } = talk
  const templates = split === 'test' ? relation.said.test : relation.said.train
  const all = [...templates, ...relation.topic.train, ...relation.ask.train, ...relation.ask.test].flatMap(
    slotsOf,
  )
  const small = manner.lower && random.chance(0.6)
  const cased = (text: string) => (small ? text.toLowerCase() : text)
  const filled = Object.fromEntries(all.map(name => [name, cased(slots[name] ?? slot(name))]))
  const said = sayOne(random.pick(templates), random.pick, name => filled[name]!)
    .map(part => part.text)
    .join('')
  const fill = (text: string) => text.replace(/\{([^}]+)\}/g, (_, name: string) => filled[name]!)
  const typed = asTyped(said, { capital: !manner.lower, bare: random.chance(0.12) })
  return {
    relation,
    slots: filled,
    target: relation.target,
    said: typed,
    stored: toStored(typed),
    told: toTold(typed),
    value: fill(relation.value),
    key: fill(relation.key).toLowerCase(),
    inPrompt: false,
  }
}

/** “i'm” is “I'm” in the hands of who writes with care, and “im” in those of others. */
function asTyped(said: string, { capital, bare }: { capital: boolean; bare: boolean }): string {
  const plain = bare ? said.replace(/^i'(m|ve) /, 'i$1 ') : said
  return capital && !bare ? plain.replace(/^i(?=[ '])/, 'I') : plain
}

/** A fact of which nothing with the same key is known in this conversation. */
export function newFact(talk: Talk, relation?: Relation): Fact {
  for (;;) {
    const fact = makeFact(talk, relation ?? talk.random.pick(relations))
    if (!toldOf(talk).some(known => known.key === fact.key || known.stored === fact.stored)) return fact
  }
}

/** All that was told, kept or not, and what it makes untrue. */
export const toldOf = (talk: Talk): Fact[] => [
  ...talk.facts,
  ...talk.pending.flatMap(({ fact, old }) => (old ? [fact, old] : [fact])),
]

/** Another value for something that was told before: nothing is the same but what it is about. */
export function changedFact(talk: Talk, fact: Fact): Fact {
  const { relation } = fact
  const keep = new Set(slotsOf(relation.key))
  const kept = Object.fromEntries(Object.entries(fact.slots).filter(([name]) => keep.has(name)))
  if (!isSingle(fact)) throw new Error(`Nothing can take the place of “${fact.said}”.`)
  for (;;) {
    const changed = makeFact(talk, relation, kept)
    if (changed.stored !== fact.stored && changed.value !== fact.value) return changed
  }
}

/** Whether the notebook holds a fact at the moment. */
export const isKept = (talk: Talk, { target, stored }: Fact): boolean =>
  talk.desk.memory.some(entry => isIn(entry, PLACES[target]) && entry.text === stored)

/** Of such a relation only one fact holds at a time: liking one thing does not end liking another. */
export const isSingle = ({ relation }: Fact): boolean =>
  !['likes', 'dislikes', 'diet', 'free', 'freeSelf', 'plan', 'habit'].includes(relation.id)
