import type { Random } from '../random.ts'
import { holdOut, wordsFor, type Split } from '../split.ts'
import * as computing from './computing.ts'
import * as everyday from './everyday.ts'
import * as common from './nouns.ts'
import * as people from './people.ts'
import { coined } from './coined.ts'

const lists = [people, everyday, common, computing].flatMap(module => Object.values(module))
holdOut(lists)

type Make = (random: Random, split: Split) => string

/** Every word of all lists, whatever it is for. */
const anything = [...new Set(lists.flat())].filter(word => /^[a-z]{3,}$/.test(word))

/** A word that does not belong where it stands, so that it has to be copied and cannot be guessed. */
const anyWord: Make = (random, split) => random.pick(wordsFor(anything, split))

const from =
  (list: readonly string[]): Make =>
  (random, split) =>
    random.pick(wordsFor(list, split))

/** Lists so small that all splits share them. */
const shared =
  (list: readonly string[]): Make =>
  random =>
    random.pick(list)

const hour: Make = random => {
  const [hour, half] = [random.between(1, 12), random.pick(['', ':30', ':15', ':45'])]
  return random.pick([
    `${hour}${half}${random.pick([' am', ' pm', ''])}`,
    `${random.between(6, 22)}:${random.pick(['00', '15', '30', '45'])}`,
  ])
}
const date: Make = random => {
  const day = random.between(1, 28)
  const ending =
    day % 10 === 1 && day !== 11
      ? 'st'
      : day % 10 === 2 && day !== 12
        ? 'nd'
        : day % 10 === 3 && day !== 13
          ? 'rd'
          : 'th'
  const month = random.pick(everyday.months)
  return random.pick([
    `${month} ${day}`,
    `${day} ${month}`,
    `${month} ${day}${ending}`,
    `the ${day}${ending} of ${month}`,
  ])
}
/** A name: mostly a real one, else one that nobody has heard. */
const mixed =
  (list: readonly string[], share: number): Make =>
  (random, split) =>
    random.chance(share) ? coined(random, split) : from(list)(random, split)

const noun: Make = (random, split) =>
  random.chance(0.12) ? coined(random, split).toLowerCase() : from(common.nouns)(random, split)
const phrase: Make = (random, split) =>
  random.chance(0.5)
    ? noun(random, split)
    : `${from(common.adjectives)(random, split)} ${noun(random, split)}`

/** Words that ask for nothing, in an order that means nothing; only training has them. */
const noise: Make = random => random.some(FILLERS, random.between(1, 5)).join(' ')
const FILLERS = (
  'the a our this some every it he she they we you i me us who there here today soon early late often maybe quite rather very really ' +
  'still yet just almost enough only even much many few long short small big old young new nice kind happy glad hopeful thoughtful ' +
  'with without for from into over under between behind beside until since while because though unless whether either both so as ' +
  'would could might shall ought hope wonder guess feel seem mean hoping asking thinking wishing begging trying wanting going able ' +
  'chance moment favour hand minute second while thing task matter point way sort bit lot evening night weekend summer winter rain ' +
  'sun coffee boss friend team client teacher colleague help pleasure honour idea plan work life world people question answer good ' +
  'great lovely sweet clever dear wise sure certain ready free busy quick careful gentle grateful'
).split(' ')

const MAKERS: Readonly<Record<string, Make>> = {
  person: mixed(people.names, 0.15),
  petname: mixed(people.petNames, 0.2),
  city: mixed(people.cities, 0.08),
  country: from(people.countries),
  job: from(people.jobs),
  relative: from(people.relatives),
  pet: from(people.pets),
  company: mixed(people.companies, 0.4),
  food: from(everyday.foods),
  hobby: from(everyday.hobbies),
  activity: from(everyday.sports),
  colour: from(everyday.colours),
  animal: from(everyday.animals),
  coffee: from(everyday.drinks),
  diet: from(everyday.diets),
  preference: from(everyday.preferences),
  language: from(everyday.languages),
  instrument: from(everyday.instruments),
  car: from(everyday.cars),
  appointment: from(everyday.appointments),
  belonging: from(everyday.belongings),
  place: from(everyday.places),
  thing: from(everyday.things),
  chore: from(everyday.chores),
  shop: from(everyday.shops),
  subject: from(everyday.subjects),
  numbered: from(everyday.numbered),
  device: from(everyday.devices),
  weekday: shared(everyday.weekdays),
  month: shared(everyday.months),
  date,
  hour,
  year: random => String(random.between(1950, 2025)),
  number: random => String(random.between(2, 60)),
  big: random => String(random.between(100, 9_999)),
  noun,
  phrase,
  adjective: from(common.adjectives),
  task: (random, split) =>
    random.chance(0.2)
      ? `${anyWord(random, split)} the ${anyWord(random, split)}`
      : from(common.tasks)(random, split),
  any: anyWord,
  verb: from(common.companionVerbs),
  coined: (random, split) => coined(random, split),
  folder: (random, split) =>
    random.chance(0.2) ? noun(random, split).replaceAll(' ', '-') : from(computing.folders)(random, split),
  extension: shared(computing.extensions),
  branch: from(computing.branches),
  package: from(computing.packages),
  program: from(computing.programs),
  editor: from(computing.editors),
  noise,
  code: from(computing.codeLanguages),
  command: from(computing.commands),
}

/** Slots in which now and then any word at all stands; in the others it would be another request. */
const OPEN = new Set(
  'person petname city company food hobby coffee animal instrument car belonging place thing chore shop subject device noun adjective branch package'.split(
    ' ',
  ),
)
const ONE_WORD = new Set(['branch', 'package', 'noun', 'adjective', 'person', 'petname', 'city'])
const PROPER = new Set(['person', 'petname', 'city', 'company', 'car'])
/** More often in training, where copying is learned from it. */
const STRANGE: Readonly<Record<Split, number>> = { train: 0.3, id: 0.12, test: 0.12 }

/** Words for a slot. A digit behind its name only tells two slots of one wording apart. */
export function slotWords(random: Random, split: Split, name: string): string {
  const kind = name.replace(/\d$/, '')
  const make = MAKERS[kind]
  if (!make) throw new Error(`No words are known for {${name}}.`)
  if (!OPEN.has(kind) || !random.chance(STRANGE[split])) return make(random, split)
  const one = random.chance(0.4) ? coined(random, split).toLowerCase() : anyWord(random, split)
  // Where something ends is learned from values of two words, or “ginger tea” is kept as “ginger”.
  const word =
    split === 'train' && random.chance(0.4) && !ONE_WORD.has(kind) ? `${one} ${noun(random, split)}` : one
  return PROPER.has(kind) ? word.charAt(0).toUpperCase() + word.slice(1) : word
}
