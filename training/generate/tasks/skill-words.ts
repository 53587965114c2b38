import { deskSkill } from '../desk/skills-of.ts'
import type { DeskSkill } from '../desk/desk.ts'
import { newSkillText } from '../../../src/main/skills/files/write-fields.ts'
import { isSkillName } from '../../../src/main/skills/files/skill-name.ts'
import type { Talk } from '../talk.ts'

const VERBS =
  'pack, plan, clean, send, check, write, bake, make, tidy, sort, start, close, test, release, back up, water, prepare, order, print, ship, review, update, fix, brew, fold, set up, welcome, invite, measure, label, archive, publish, open, paint, book'.split(
    ', ',
  )

/** A name that a skill may have, such as `pack-suitcase`. */
export function skillName(talk: Pick<Talk, 'random' | 'slot'>): string {
  for (;;) {
    const { random, slot } = talk
    const words = random.chance(0.7)
      ? `${random.chance(0.2) ? slot('any') : random.pick(VERBS)} ${slot('noun')}`
      : random.chance(0.5)
        ? `${slot('noun')} ${random.pick(['routine', 'steps', 'checklist', 'report', 'guide'])}`
        : slot('coined')
    const name = words
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
    if (isSkillName(name) && name.length <= 32) return name
  }
}

export const spoken = (name: string): string => name.replaceAll('-', ' ')

/** What a skill that is made on request says of itself. */
export const descriptionOf = (name: string): string =>
  `Steps for ${name}. Use when the user asks for ${name}.`

export const numbered = (steps: readonly string[]): string =>
  steps.map((step, at) => `${at + 1}. ${step}`).join('\n')

/** A step as people say it. */
export function step(talk: Pick<Talk, 'random' | 'slot'>): string {
  const { random, slot } = talk
  const makers: readonly (() => string)[] = [
    () => slot('task'),
    () => slot('task'),
    () => `take the ${slot('belonging')}`,
    () => `check the ${slot('noun')}`,
    () => `write down the ${slot('noun')}`,
    () => `ask ${slot('person')}`,
    () => `add ${slot('food')}`,
    () => `open the ${slot('noun')}`,
    () => `wait for the ${slot('noun')}`,
    () => `send the ${slot('noun')} to ${slot('person')}`,
    () => `put the ${slot('belonging')} in the ${slot('place')}`,
    () => `clean the ${slot('thing')}`,
  ]
  return random.pick(makers)()
}

export const steps = (talk: Talk, from: number, to: number): string[] => [
  ...new Set(Array.from({ length: talk.random.between(from, to) }, () => step(talk))),
]

/** A skill that tells what to do, step by step. */
export function toldSkill(talk: Talk): DeskSkill & { steps: string[] } {
  const name = skillName(talk)
  const told = steps(talk, 2, 4).map(each =>
    talk.random.chance(0.5) ? each.charAt(0).toUpperCase() + each.slice(1) : each,
  )
  return { ...made(talk, name, numbered(told)), steps: told }
}

/** A skill whose steps are commands. */
export function runSkill(talk: Talk): DeskSkill & { commands: string[] } {
  const name = skillName(talk)
  const commands = [...new Set(Array.from({ length: talk.random.between(1, 3) }, () => talk.slot('command')))]
  return { ...made(talk, name, numbered(commands.map(command => `Run \`${command}\`.`))), commands }
}

function made(talk: Talk, name: string, body: string): DeskSkill {
  const { random } = talk
  const description = random.pick([
    descriptionOf(name),
    `How to ${spoken(name)}. Use when the user wants to ${spoken(name)}.`,
    `The way to ${spoken(name)}.`,
  ])
  return deskSkill(name, newSkillText({ name, description }, body))
}
