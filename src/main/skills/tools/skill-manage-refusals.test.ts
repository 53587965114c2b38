import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aSkillToolChat } from '../../../../testing/tools/skill-tool-chat.ts'

let skills: ReturnType<typeof aSkillToolChat>
beforeEach(() => {
  skills = aSkillToolChat()
})
afterEach(() => skills[Symbol.dispose]())

const STEPS = '# Steps\n\n1. Read the notes.\n2. Sort them by date.'
const CREATE = {
  action: 'create',
  name: 'tidy-notes',
  description: 'Sorts notes. Use when the user wants order.',
  content: STEPS,
}

describe('of slips skill_manage says what to write instead', () => {
  /** The refusals of calls, each made in a separate turn. */
  const refusals = async (calls: readonly Record<string, unknown>[]) => {
    const chat = skills.chat()
    const texts: string[] = []
    for (const [at, args] of calls.entries()) {
      const result = await chat.manage(args, { askedId: at + 1 })
      expect(result, said(result)).toMatchObject({ ok: false })
      texts.push(said(result))
    }
    expect(skills.library.list().map(({ skill }) => skill.id)).toEqual(['own/haiku'])
    return texts
  }
  beforeEach(() => void skills.write('haiku'))

  test('a name with capitals, blanks, slashes, a leading hyphen or 65 letters is refused with one that fits', async () => {
    const names = ['MySkill', '-x', 'a b', 'a/b', 'x'.repeat(65), 'my_skill', ' ']
    const texts = await refusals(names.map(name => ({ ...CREATE, name })))
    for (const [at, wish] of ['myskill', 'x', 'a-b', 'b', 'x'.repeat(64), 'my-skill'].entries())
      expect(texts[at]).toContain(`Call it ${wish}.`)
    expect(texts[3]).toContain('Folders are given as category.')
    expect(texts[6]).toContain('name is missing')
    expect(await skills.chat().manage({ ...CREATE, name: 'a' })).toMatchObject({ ok: true })
  })

  test('a category that leads out, is absolute or has capitals is refused with one that fits', async () => {
    const texts = await refusals(
      ['../x', '/abs', 'Office', 'a/b/c/d', '..'].map(category => ({ ...CREATE, category })),
    )
    for (const [at, wish] of ['x', 'abs', 'office', 'a/b/c'].entries())
      expect(texts[at]).toContain(`Write ${wish}.`)
    expect(texts[4]).toContain('Leave it out.')
  })

  test('each mistake of the front matter is refused in its own words, also in a rewriting', async () => {
    const contents = [
      ['---\nname: tidy-notes\ndescription: Sorts.\n', 'has no end'],
      [`---\ndescription: Sorts.\n---\n\n${STEPS}`, 'has no name'],
      [`---\nname: tidy-notes\n---\n\n${STEPS}`, 'has no description'],
      ['---\nname: tidy-notes\ndescription: Sorts.\n---\n', 'no steps below its front matter'],
      [`---\nname: tidy-notes\ndescription: [Sorts\n---\n\n${STEPS}`, 'Line 3 of content'],
      [`---\nname: others\ndescription: Sorts.\n---\n\n${STEPS}`, 'The front matter says “name: others”'],
    ] as const
    const create = { action: 'create', name: 'tidy-notes' }
    const texts = await refusals([
      ...contents.map(([content]) => ({ ...create, content })),
      { ...create, content: STEPS },
      { ...CREATE, content: ' ' },
    ])
    for (const [at, [, wanted]] of contents.entries()) expect(texts[at]).toContain(wanted)
    expect(texts[6]).toContain('description is missing')
    expect(texts[7]).toContain('content is missing')
    expect(new Set(texts).size).toBe(texts.length)
    const rewritten = contents.map(([content]) => ({
      action: 'edit',
      name: 'haiku',
      content: content.replace('tidy-notes', 'haiku'),
    }))
    for (const [at, text] of (await refusals(rewritten)).entries()) expect(text).toContain(contents[at]![1])
  })

  test('a rewriting with a text that is no skill is refused, and the skill stays as it was', async () => {
    const before = skills.library.read('own/haiku')
    const [text] = await refusals([{ action: 'edit', name: 'haiku', content: 'no front matter' }])
    expect(text).toContain('content is no skill')
    expect(skills.library.read('own/haiku')).toBe(before)
    const edit = { action: 'edit', name: 'haiku', content: STEPS }
    const chat = skills.chat()
    await chat.view('haiku')
    expect(await chat.manage(edit)).toMatchObject({ ok: true })
  })
})

test('a new skill says in its metadata when and of which calls it was made', async () => {
  const work = ['terminal', 'read_file', 'terminal'].map((name, at) => ({ name, ok: at !== 1 }))
  const now = () => Date.UTC(2026, 10, 23, 9)
  const chat = skills.chat({ workOf: () => work, now })
  expect(await chat.manage(CREATE)).toMatchObject({ ok: true })
  const text = skills.library.read('own/tidy-notes')!
  expect(text).toContain('metadata:\n  generated: 2026-11-23, 3 calls (terminal 2, read_file 1), 1 error\n')
  expect(chat.asked[0]!.detail, 'the question shows what is written').toBe(text)
  const other = {
    ...CREATE,
    name: 'count-words',
    description: 'Counts words.',
    content: '1. Count all words.\n',
  }
  await skills.chat({ now, workOf: () => [] }).manage(other)
  expect(skills.library.read('own/count-words')).toContain('generated: 2026-11-23, 0 calls, 0 errors\n')
})

describe('a skill is deleted as absorbed into another', () => {
  const remove = (more: object, turn: object = {}) =>
    skills.chat().manage({ action: 'delete', name: 'haiku', ...more }, turn)
  const there = () => skills.library.list().map(({ skill }) => skill.name)
  beforeEach(() => ['haiku', 'poems'].forEach(name => skills.write(name)))

  test('only where that other one is there, and is another', async () => {
    const wrong = [
      ['haiku', 'names the skill that is to be deleted'],
      ['Haiku ', 'names the skill that is to be deleted'],
      ['no-such', 'There is no skill “no-such”'],
      ['poem', 'Did you mean poems?'],
      [['poems'], 'is not a name'],
    ] as const
    for (const [into, reason] of wrong) {
      const result = await remove(
        { absorbed_into: into },
        { askedId: wrong.findIndex(each => each[0] === into) },
      )
      expect(result).toMatchObject({ ok: false })
      expect(said(result)).toContain(reason)
      expect(said(result)).toContain('or leave absorbed_into out')
    }
    expect(there()).toEqual(['haiku', 'poems'])
  })

  test('and the question and the history say so; without a successor it asks as before', async () => {
    const chat = skills.chat()
    const result = await chat.manage({ action: 'delete', name: 'haiku', absorbed_into: 'poems' })
    expect(chat.asked[0]?.confirm?.reason).toContain('It says that “poems” has these steps now.')
    expect(result).toMatchObject({
      ok: true,
      skillRevisions: [{ op: 'delete', note: expect.stringContaining('“poems”') as string }],
    })
    expect(there()).toEqual(['poems'])
    expect(await chat.manage({ action: 'delete', name: 'poems', absorbed_into: '' })).toMatchObject({
      ok: true,
    })
    expect(chat.asked.at(-1)?.confirm?.reason).not.toContain('It says')
    expect(there()).toEqual([])
  })
})
