import { text as wholeText } from 'node:stream/consumers'
import type { Skill } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { TWICE, withClient } from '../open-client.ts'
import { type CommonOptions, skillNamed } from './skills-actions.ts'
import { askHidden } from '../interactive/ask-at-terminal.ts'
import { escapeInvisible, printAside, printLine } from '../output/terminal-text.ts'

/** A key that a skill asks for, and whether it is stored. */
type GivenKey = { skill: string; name: string; isStored: boolean; help: string }

/** Print the keys that skills ask for, and whether they are stored; never a key itself. */
export async function keysList(given: string | undefined, { home, json }: CommonOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const library = await client['skills.list']({})
      const skills =
        given === undefined
          ? library.skills.filter(({ shadowedBy }) => shadowedBy === null)
          : [skillNamed(library, given)]
      const keys = skills.flatMap(keysOf)
      if (json) return printLine(jsonLine({ keys }))
      if (keys.length === 0) return printLine('No skill asks for a key.')
      for (const { skill, name, isStored, help } of keys) {
        const line = `${skill}  ${name}  ${isStored ? 'stored' : 'missing'}${help === '' ? '' : `  ${help}`}`
        printLine(escapeInvisible(line))
      }
    },
    TWICE,
  )
}

/** Store a key of a skill. Asks for the key without showing it, or reads it from standard input. */
export async function keysSet(
  given: string,
  name: string,
  { home, json, stdin }: CommonOptions & { stdin?: true },
): Promise<void> {
  await withClient(home, async client => {
    const skill = await skillWithKey(client, given, name)
    const value = (
      stdin ? await wholeText(process.stdin) : await askHidden(`${name} for ${skill.name}: `, NO_TERMINAL)
    ).trim()
    if (value === '') throw new Fault('bad_input', 'The key is empty, so nothing was stored.')
    await client['skills.setKey']({ id: skill.id, name, value })
    tell(
      { ...keyOf(skill, name), isStored: true },
      'is stored. Commands get it while the skill is in use.',
      json,
    )
  })
}

/** Remove a key of a skill. */
export async function keysUnset(given: string, name: string, { home, json }: CommonOptions): Promise<void> {
  await withClient(home, async client => {
    const skill = await skillWithKey(client, given, name)
    await client['skills.setKey']({ id: skill.id, name, value: null })
    tell({ ...keyOf(skill, name), isStored: false }, 'is removed.', json)
  })
}

const NO_TERMINAL = 'There is no terminal to ask for the key. To pass it on standard input, use --stdin.'

type SkillsClient = Parameters<Parameters<typeof withClient>[1]>[0]

async function skillWithKey(client: SkillsClient, given: string, name: string): Promise<Skill> {
  const skill = skillNamed(await client['skills.list']({}), given)
  const keys = keysOf(skill)
  if (keys.some(each => each.name === name)) return skill
  const asks = keys.length === 0 ? 'for no key' : `for ${keys.map(each => each.name).join(', ')}`
  throw new Fault(
    'bad_input',
    escapeInvisible(`${skill.name} does not ask for a key ${name}. It asks ${asks}.`),
  )
}

const keysOf = ({ name: skill, prerequisites }: Skill): GivenKey[] =>
  prerequisites.flatMap(({ kind, name, isMet, help }) =>
    kind === 'key' ? [{ skill, name, isStored: isMet, help }] : [],
  )

const keyOf = (skill: Skill, name: string) => keysOf(skill).find(each => each.name === name)!

function tell(key: GivenKey, what: string, json: true | undefined): void {
  if (json) printLine(jsonLine(key))
  else printAside(escapeInvisible(`${key.name} of ${key.skill} ${what}`))
}
