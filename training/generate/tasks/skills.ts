import type { DeskSkill } from '../desk/desk.ts'
import { readSkillText } from '../../../src/main/skills/files/read-skill.ts'
import type { Talk } from '../talk.ts'
import { factsOf, told } from './commands.ts'
import * as words from './skill-wordings.ts'
import { descriptionOf, numbered, skillName, spoken, step, steps } from './skill-words.ts'
import { denied, tellDenied } from './trouble.ts'
import type { Task } from './task.ts'

/** What is said of a skill that is too much for the model. */
const tooMuch = (name: string): string =>
  `I have loaded ${name}, but its steps are beyond me. Add a bigger model on the Models page.`

const own = (talk: Talk): DeskSkill[] => talk.desk.skills.filter(skill => !skill.isBundled)
const bodyOf = (skill: DeskSkill): string => readSkillText(skill.text, skill.name).body.trim()
const commandsOf = (body: string): string[] =>
  [...body.matchAll(/Run `([^`]+)`/g)].map(([, command]) => command!)
const stepsOf = (body: string): string[] => body.split('\n').filter(line => /^\d+\. /.test(line))

/** The name as people say it. */
const called = (talk: Talk, name: string): string => (talk.random.chance(0.75) ? name : spoken(name))

/** Load a skill and do what it says: run its commands, or tell its steps. */
async function follow(talk: Talk, name: string, sent?: string): Promise<void> {
  const body = sent ?? (await talk.call('skill_view', { name }))
  talk.focus = { skill: name }
  const commands = commandsOf(body)
  if (commands.length === 0) {
    tellSteps(talk, name, body)
    return
  }
  for (const command of commands) {
    const refused = denied(talk, 0.05)
    const outcome =
      refused ??
      (talk.random.chance(0.07)
        ? { output: `error: ${talk.slot('noun')}`, code: 1 }
        : { output: talk.random.chance(0.4) ? '' : talk.slot('phrase') })
    const result = await talk.call('terminal', { command }, outcome)
    if (refused) {
      talk.answer(tellDenied(`${command} was not run`, result), { kind: 'fact', facts: [command] })
      return
    }
    if (result.startsWith('Error')) {
      talk.answer(told(result), { kind: 'fact', facts: factsOf(result) })
      return
    }
  }
  talk.answer(`Done: I followed ${name}.`, { kind: 'fact', facts: [name] })
}

function tellSteps(talk: Talk, name: string, body: string): void {
  const lines = stepsOf(body)
  const isShort = lines.length > 0 && lines.length <= 6 && body.length < 400
  if (isShort) talk.answer(`${name}:\n${lines.join('\n')}`, { kind: 'fact', facts: lines.slice(0, 2) })
  else talk.answer(tooMuch(name), { kind: 'fact', facts: [name] })
}

/** Read a skill unless this was the last thing that happened. */
async function viewed(talk: Talk, name: string): Promise<void> {
  if (talk.focus.skill === name) return
  await talk.call('skill_view', { name })
  talk.focus = { skill: name }
}

async function create(talk: Talk, name: string, lines: readonly string[]): Promise<void> {
  const refused = denied(talk)
  const given = { action: 'create', name, description: descriptionOf(name), content: numbered(lines) }
  const result = await talk.call('skill_manage', given, refused)
  if (refused) {
    talk.answer(tellDenied(`the skill ${name} was not made`, result), { kind: 'fact', facts: [name] })
    return
  }
  if (result.startsWith('Error')) throw new Error(result)
  talk.focus = { skill: name }
  talk.answer(`I made the skill ${name}.`, { kind: 'fact', facts: [name] })
}

async function patch(talk: Talk, skill: DeskSkill, old: string, now: string): Promise<void> {
  const { name } = skill
  const result = await talk.call('skill_manage', { action: 'patch', name, old_string: old, new_string: now })
  if (result.startsWith('Error')) throw new Error(result)
  talk.focus = { skill: name }
  talk.answer(`I changed the skill ${name}.`, { kind: 'fact', facts: [name] })
}

/** A skill of the person’s own with steps that can be told apart. */
function changeable(talk: Talk): DeskSkill | undefined {
  const wanted = own(talk).filter(skill => stepsOf(bodyOf(skill)).length > 0)
  const focused = wanted.find(skill => skill.name === talk.focus.skill)
  if (focused && talk.random.chance(0.8)) return focused
  return wanted.length === 0 ? undefined : talk.random.pick(wanted)
}

export const skills: readonly Task[] = [
  {
    id: 'skills-list',
    weight: 2,
    async run(talk) {
      talk.ask(talk.word(words.list))
      const result = await talk.call('skills_list', {})
      const names = result.split('\n').flatMap(line => /^- ([^:]+)/.exec(line)?.[1] ?? [])
      talk.focus = {}
      if (names.length === 0) talk.answer('There are no skills yet.', { kind: 'fact', facts: ['no skills'] })
      else talk.answer(`The skills: ${names.join(', ')}`, { kind: 'fact', facts: names })
    },
  },
  {
    id: 'skill-follow',
    weight: 6,
    async run(talk) {
      const { random } = talk
      const mine = own(talk)
      if (mine.length === 0) return false
      const { name } = random.pick(mine)
      talk.ask(talk.word(words.follow, { name: called(talk, name) }))
      await follow(talk, name)
      return undefined
    },
  },
  {
    id: 'skill-sent',
    weight: 1.2,
    async run(talk) {
      const mine = own(talk)
      if (mine.length === 0) return false
      const skill = talk.random.pick(mine)
      const text = bodyOf(skill)
      talk.ask(talk.word(words.sent), { name: skill.name, text })
      await follow(talk, skill.name, text)
      return undefined
    },
  },
  {
    id: 'skill-bundled',
    weight: 2.4,
    async run(talk) {
      const { random, desk } = talk
      const bundled = desk.skills.filter(skill => skill.isBundled)
      if (bundled.length === 0) return false
      const { name } = random.pick(bundled)
      const wish = words.wishes[name]
      if (wish && random.chance(0.6)) talk.ask(talk.word(wish))
      else talk.ask(talk.word(words.follow, { name: called(talk, name) }))
      await talk.call('skill_view', { name })
      talk.focus = { skill: name }
      talk.answer(tooMuch(name), { kind: 'fact', facts: [name] })
      return undefined
    },
  },
  {
    id: 'skill-show',
    weight: 2,
    async run(talk) {
      const mine = own(talk)
      if (mine.length === 0) return false
      const { name } = talk.random.pick(mine)
      talk.ask(talk.word(words.show, { name: called(talk, name) }))
      const body = await talk.call('skill_view', { name })
      talk.focus = { skill: name }
      tellSteps(talk, name, body)
      return undefined
    },
  },
  {
    id: 'skill-missing',
    weight: 1,
    async run(talk) {
      const name = skillName(talk)
      if (talk.desk.skills.some(skill => skill.name === name)) return false
      talk.ask(talk.word(words.follow, { name }))
      const result = await talk.call('skill_view', { name })
      const near = /Did you mean ([^,?]+)/.exec(result)?.[1]
      talk.focus = {}
      if (!result.startsWith('Error')) throw new Error(result)
      if (near !== undefined)
        talk.answer(`There is no skill ${name}. Did you mean ${near}?`, { kind: 'fact', facts: [near] })
      else talk.answer(`There is no skill ${name}.`, { kind: 'fact', facts: [name] })
      return undefined
    },
  },
  {
    id: 'skill-create',
    weight: 6,
    async run(talk) {
      const { random } = talk
      const name = skillName(talk)
      if (talk.desk.skills.some(skill => skill.name === name)) return false
      const lines = steps(talk, 1, 4)
      const said =
        lines.length === 1
          ? lines[0]!
          : random.chance(0.6)
            ? `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)!}`
            : random.chance(0.5)
              ? `${lines.slice(0, -1).join(', then ')}, then ${lines.at(-1)!}`
              : lines.join(', ')
      talk.ask(talk.word(words.create, { name, steps: said }, { head: 0.12, tail: 0 }))
      await create(talk, name, lines)
      return undefined
    },
  },
  {
    id: 'skill-create-run',
    weight: 2,
    async run(talk) {
      const name = skillName(talk)
      if (talk.desk.skills.some(skill => skill.name === name)) return false
      const commands = [
        ...new Set(Array.from({ length: talk.random.between(1, 3) }, () => talk.slot('command'))),
      ]
      const said =
        commands.length === 1 ? commands[0]! : `${commands.slice(0, -1).join(', ')} and ${commands.at(-1)!}`
      talk.ask(talk.word(words.createRun, { name, steps: said }, { head: 0.12, tail: 0 }))
      await create(
        talk,
        name,
        commands.map(command => `Run \`${command}\`.`),
      )
      return undefined
    },
  },
  {
    id: 'skill-add-step',
    weight: 3,
    async run(talk) {
      const skill = changeable(talk)
      if (!skill) return false
      const added = step(talk)
      const isIt = talk.focus.skill === skill.name && talk.random.chance(0.7)
      talk.ask(
        talk.word(
          isIt ? words.addStepToIt : words.addStep,
          { name: skill.name, step: added },
          { head: 0.1, tail: 0 },
        ),
      )
      await viewed(talk, skill.name)
      const last = stepsOf(bodyOf(skill)).at(-1)!
      const number = Number(/^\d+/.exec(last)![0])
      await patch(talk, skill, last, `${last}\n${number + 1}. ${added}`)
      return undefined
    },
  },
  {
    id: 'skill-change-step',
    weight: 2,
    async run(talk) {
      const skill = changeable(talk)
      if (!skill) return false
      const lines = stepsOf(bodyOf(skill))
      const at = talk.random.below(lines.length)
      let now = step(talk)
      while (lines[at] === `${at + 1}. ${now}`) now = step(talk)
      const number = talk.random.pick([
        `step ${at + 1}`,
        `the ${['first', 'second', 'third', 'fourth', 'fifth', 'sixth'][at] ?? 'last'} step`,
      ])
      talk.ask(talk.word(words.changeStep, { name: skill.name, number, step: now }, { head: 0.1, tail: 0 }))
      await viewed(talk, skill.name)
      await patch(talk, skill, lines[at]!, `${at + 1}. ${now}`)
      return undefined
    },
  },
  {
    id: 'skill-delete',
    weight: 1.2,
    async run(talk) {
      const mine = own(talk)
      if (mine.length === 0) return false
      const { name } = talk.random.pick(mine)
      talk.ask(talk.word(words.remove, { name: called(talk, name) }))
      const refused = denied(talk)
      const result = await talk.call('skill_manage', { action: 'delete', name }, refused)
      talk.focus = {}
      if (refused)
        talk.answer(tellDenied(`the skill ${name} is still there`, result), { kind: 'fact', facts: [name] })
      else talk.answer(`I deleted the skill ${name}.`, { kind: 'fact', facts: [name] })
      return undefined
    },
  },
]
