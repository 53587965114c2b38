import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aSkillToolChat } from '../../../../testing/tools/skill-tool-chat.ts'
import { createSeen } from './skill-tool-parts.ts'

let skills: ReturnType<typeof aSkillToolChat>
beforeEach(() => {
  skills = aSkillToolChat()
})
afterEach(() => skills[Symbol.dispose]())

const MAIN = 'home/skills/brew/SKILL.md'
const brew = (...steps: string[]) =>
  `---\nname: brew\ndescription: Brews tea. Use for tea.\n---\n\n# Brew\n\n${steps.map((step, at) => `${at + 1}. ${step}\n`).join('')}`
const FIVE = ['Boil water.', 'Warm the pot.', 'Add leaves.', 'Wait three minutes.', 'Pour.']
const with_ = (at: number, step: string) => FIVE.with(at, step)
const now = () => readFileSync(skills.at(MAIN), 'utf8')

type Row = {
  what: string
  theirs: readonly string[]
  ours: readonly string[]
  /** The steps at the end; those of `theirs` if the rewrite is refused. */
  end: readonly string[]
  said: RegExp
}

const ROWS: readonly Row[] = [
  {
    what: 'a step changed far away',
    theirs: with_(0, 'Boil fresh water.'),
    ours: with_(4, 'Pour slowly.'),
    end: with_(0, 'Boil fresh water.').with(4, 'Pour slowly.'),
    said: /success.*changes were kept.*Boil fresh water/s,
  },
  {
    what: 'a step added at the end',
    theirs: [...FIVE, 'Rinse the pot.'],
    ours: with_(0, 'Boil soft water.'),
    end: [...with_(0, 'Boil soft water.'), 'Rinse the pot.'],
    said: /kept.*Rinse the pot/s,
  },
  {
    what: 'a step removed',
    theirs: FIVE.slice(0, 4),
    ours: with_(0, 'Boil soft water.'),
    end: with_(0, 'Boil soft water.').slice(0, 4),
    said: /kept.*Pour/s,
  },
  {
    what: 'the same line changed',
    theirs: with_(3, 'Wait five minutes.'),
    ours: with_(3, 'Wait four minutes.'),
    end: with_(3, 'Wait five minutes.'),
    said: /^Not saved.*Wait five minutes.*Read it again/s,
  },
  {
    what: 'a line beside the changed one',
    theirs: [...FIVE.slice(0, 4), 'Stir.', 'Pour.'],
    ours: with_(3, 'Wait four minutes.'),
    end: [...FIVE.slice(0, 4), 'Stir.', 'Pour.'],
    said: /^Not saved.*Stir/s,
  },
  {
    what: 'the same change, made by both',
    theirs: with_(3, 'Wait four minutes.'),
    ours: with_(3, 'Wait four minutes.'),
    end: with_(3, 'Wait four minutes.'),
    said: /nothing would change|has your changes already/,
  },
  {
    what: 'nothing',
    theirs: FIVE,
    ours: with_(3, 'Wait four minutes.'),
    end: with_(3, 'Wait four minutes.'),
    said: /^\{"success": true, "message": "Skill rewritten\."\}$/,
  },
]

test.each(ROWS)(
  'a rewrite keeps what was changed since it was read: $what',
  async ({ theirs, ours, end, said: wanted }) => {
    skills.put(MAIN, brew(...FIVE))
    const chat = skills.chat()
    await chat.view('brew')
    skills.put(MAIN, brew(...theirs))
    expect(said(await chat.manage({ action: 'edit', name: 'brew', content: brew(...ours) }))).toMatch(wanted)
    expect(now()).toBe(brew(...end))
  },
)

test('a skill that was not read is not rewritten; passages of it are patched', async () => {
  skills.put(MAIN, brew(...FIVE))
  const chat = skills.chat()
  const edit = { action: 'edit', name: 'brew', content: brew('Buy tea.') }
  expect(said(await chat.manage(edit))).toContain(
    'you have not read it. Read it with skill_view with name brew',
  )
  expect(now()).toBe(brew(...FIVE))
  // Another chat has read it, this one has not.
  await chat.view('brew', undefined, { sessionId: 'other' })
  expect(await chat.manage(edit)).toMatchObject({ ok: false })
  const patch = { action: 'patch', name: 'brew', old_string: 'Pour.', new_string: 'Pour slowly.' }
  expect(await chat.manage(patch)).toMatchObject({ ok: true })
  // A chat that changed it by a patch has not read the rest.
  expect(
    await chat.manage({ ...edit, description: 'Brews tea. Use for any tea.', content: '' }),
  ).toMatchObject({ ok: true })
})

test('other files of a skill are rewritten from what was read, too', async () => {
  skills.put(MAIN, brew(...FIVE))
  const file = 'references/teas.md'
  const chat = skills.chat()
  const write = (content: string) =>
    chat.manage({ action: 'write_file', name: 'brew', file_path: file, content })
  const lines = (...words: string[]) => words.map(word => `${word}\n`).join('')
  expect(await write(lines('green', 'black', 'white', 'oolong'))).toMatchObject({ ok: true })
  skills.put(`home/skills/brew/${file}`, lines('green (by hand)', 'black', 'white', 'oolong'))
  // This chat wrote the text, so it knows it.
  expect(said(await write(lines('green', 'black', 'white', 'oolong', 'mint')))).toMatch(
    /changes were kept.*by hand/s,
  )
  const text = readFileSync(skills.at(`home/skills/brew/${file}`), 'utf8')
  expect(text).toBe(lines('green (by hand)', 'black', 'white', 'oolong', 'mint'))
  const other = skills.chat()
  const given = { action: 'write_file', name: 'brew', file_path: file, content: 'all\n' }
  expect(said(await other.manage(given))).toContain(`and file_path ${file}`)
  await other.view('brew', file)
  expect(await other.manage(given)).toMatchObject({ ok: true })
})

test('a skill that was changed since it was read is not deleted before it was read again', async () => {
  skills.put(MAIN, brew(...FIVE))
  const chat = skills.chat()
  await chat.view('brew')
  skills.put(MAIN, brew(...FIVE, 'Rinse the pot.'))
  const gone = { action: 'delete', name: 'brew' }
  expect(said(await chat.manage(gone))).toMatch(/^Not deleted.*Rinse the pot/s)
  expect(now()).toBe(brew(...FIVE, 'Rinse the pot.'))
  await chat.view('brew')
  expect(said(await chat.manage(gone))).toContain('Skill deleted.')
})

test('what sessions saw is kept within bounds, the newest longest', () => {
  skills.put(MAIN, brew(...FIVE))
  const { found } = skills.library.get('own/brew')!
  const seen = createSeen()
  const text = 'x'.repeat(100_000)
  for (let at = 0; at < 120; at++) seen.lookAt(`chat${at}`, found, 'a.md', text)
  expect(seen.sawIn('chat0', found, 'a.md')).toBeUndefined()
  expect(seen.sawIn('chat119', found, 'a.md')).toBe(text)
  for (let at = 0; at < 30; at++) seen.lookAt('one', found, `${at}.md`, 'text')
  expect(seen.sawIn('one', found, '0.md')).toBeUndefined()
  expect(seen.sawIn('one', found, '29.md')).toBe('text')
})
