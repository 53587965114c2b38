import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { done, EVIL, skillText, you } from '../../../../testing/skills/a-skill-editor.ts'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aSkillToolChat, HARM } from '../../../../testing/tools/skill-tool-chat.ts'

let skills: ReturnType<typeof aSkillToolChat>
beforeEach(() => {
  skills = aSkillToolChat()
})
afterEach(() => skills[Symbol.dispose]())

const STEPS = '# Steps\n\n1. Read the notes.\n2. Sort them by date.'
const DESCRIPTION = 'Sorts notes. Use when the user wants order.'
const CREATE = { action: 'create', name: 'tidy-notes', description: DESCRIPTION, content: STEPS }
const OK = (message: string) => `{"success": true, "message": ${JSON.stringify(message)}}`

describe('create', () => {
  test('writes a skill with its origin, after approval where a user is present', async () => {
    const chat = skills.chat()
    const result = await chat.manage({ ...CREATE, category: 'office' }, { askedId: 7 })
    expect(said(result)).toBe(OK('Skill created.'))
    expect(result).toMatchObject({
      skillRevisions: [{ op: 'create', name: 'tidy-notes', actor: 'agent', sessionId: 'chat', messageId: 7 }],
    })
    const text = `---\nname: tidy-notes\ndescription: ${DESCRIPTION}\n---\n\n${STEPS}\n`
    expect(skills.library.read('own/office/tidy-notes')).toBe(text)
    expect(skills.library.get('own/office/tidy-notes')?.skill.origin).toBe('agent')
    // The card shows exactly the text that is written.
    expect(chat.asked).toMatchObject([
      {
        title: 'Write the new skill “tidy-notes” in office',
        detail: text,
        undoable: true,
        confirm: { reason: 'A new skill guides the agent in later chats as well.' },
      },
    ])
  })

  test('is not done if denied, and is done without a question with full access', async () => {
    const chat = skills.chat()
    await chat.manage(CREATE, { answer: 'no' })
    expect(skills.library.list()).toEqual([])
    expect(await chat.manage(CREATE, { answer: 'full' })).toMatchObject({ ok: true })
    expect(chat.asked).toHaveLength(1)
  })

  test.each([
    [
      'a whole SKILL.md',
      { content: `---\nname: tidy-notes\ndescription: ${DESCRIPTION}\n---\n\n${STEPS}\n` },
    ],
    ['a fence around it', { content: `\`\`\`markdown\n${STEPS}\n\`\`\`` }],
    ['line breaks that are spelt out', { content: STEPS.replaceAll('\n', '\\n') }],
  ])('puts right %s', async (_slip, given) => {
    expect(await skills.chat().manage({ ...CREATE, ...given })).toMatchObject({ ok: true })
    expect(skills.library.read('own/tidy-notes')).toBe(
      `---\nname: tidy-notes\ndescription: ${DESCRIPTION}\n---\n\n${STEPS}\n`,
    )
  })

  test('says what is missing, and what already exists', async () => {
    skills.write('haiku')
    const chat = skills.chat()
    const tries = [
      [{ ...CREATE, content: undefined }, 'content is missing'],
      [{ ...CREATE, name: ' ' }, 'name is missing'],
      [{ ...CREATE, content: '---\nname: x\n---\n' }, 'no steps'],
      [{ ...CREATE, name: 'haiku' }, 'a skill haiku already. Improve that one with patch or edit, or choose'],
      [{ ...CREATE, content: 'x'.repeat(1_000_001) }, 'content is far too long'],
      [{ ...CREATE, content: 'x'.repeat(100_001) }, '100000 are allowed'],
    ] as const
    for (const [at, [args, wanted]] of tries.entries())
      expect(said(await chat.manage(args, { askedId: at }))).toContain(wanted)
    expect(skills.library.list()).toHaveLength(1)
  })

  test('with the name of a skill that the user switched off is refused with the reason', async () => {
    const { id } = skills.write('haiku')
    done(skills.editor.setEnabled([id], false, you))
    expect(said(await skills.chat().manage({ ...CREATE, name: 'haiku' }))).toMatch(
      /already\. .*switched off, or choose/,
    )
  })
})

describe('patch and edit', () => {
  test('replace a passage, tolerating white space, without approval', async () => {
    const { id } = skills.write('haiku', 'Count the syllables.')
    const chat = skills.chat()
    const old_string = '   1. Count the syllables.  '
    const result = await chat.manage({
      action: 'patch',
      name: 'haiku',
      old_string,
      new_string: '1. Count twice.',
    })
    expect(said(result)).toBe(OK('Skill patched.'))
    expect(skills.library.read(id)).toContain('\n1. Count twice.\n')
    expect(chat.asked).toEqual([])
    expect(chat.intents[0]!.detail).toMatch(/^-1\. Count the syllables\.$/m)
  })

  test('show similar text if a passage is missing, and ask for more context if it occurs twice', async () => {
    skills.write('haiku', 'Count the syllables.')
    const chat = skills.chat()
    const patch = (old_string: string) =>
      chat.manage(
        { action: 'patch', name: 'haiku', old_string, new_string: 'x' },
        { askedId: old_string.length },
      )
    expect(said(await patch('1. Count the sylables of it.'))).toMatch(
      /not found.*nearest.*\n1\. Count the syllables\./s,
    )
    expect(said(await patch('.'))).toMatch(/occurs \d+ times/)
    expect(said(await chat.manage({ action: 'patch', name: 'haiku', new_string: 'x' }))).toContain(
      'old_string is missing',
    )
  })

  test('rewrite the body and keep the front matter, or accept a whole SKILL.md', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const { description } = skills.library.get(id)!.skill
    await chat.view('haiku')
    expect(said(await chat.manage({ action: 'edit', name: 'haiku', content: STEPS }))).toBe(
      OK('Skill rewritten.'),
    )
    expect(skills.library.read(id)).toBe(`---\nname: haiku\ndescription: ${description}\n---\n\n${STEPS}\n`)
    await chat.manage({
      action: 'edit',
      name: 'haiku',
      content: `---\nname: haiku\ndescription: ${DESCRIPTION}\n---\n${STEPS}`,
    })
    expect(skills.library.get(id)?.skill).toMatchObject({ name: 'haiku', description: DESCRIPTION })
    await chat.manage({ action: 'edit', name: 'haiku', description: 'Writes haiku. Use when asked for one.' })
    expect(skills.library.get(id)?.skill.description).toBe('Writes haiku. Use when asked for one.')
    expect(skills.library.read(id)).toContain(STEPS)
  })

  test('make an edited copy of a built-in skill, which is used from then on', async () => {
    skills.put('bundled/writing/haiku/SKILL.md', skillText('haiku'))
    const chat = skills.chat()
    const result = await chat.manage({
      action: 'patch',
      name: 'haiku',
      old_string: 'Show the result.',
      new_string: 'Show it.',
    })
    expect(result).toMatchObject({ ok: true, skillRevisions: [{ op: 'edit', key: 'haiku' }] })
    expect(readFileSync(skills.at('bundled/writing/haiku/SKILL.md'), 'utf8')).toBe(skillText('haiku'))
    expect(said(await chat.view('haiku'))).toContain('2. Show it.')
  })

  test('that change nothing, or break the form, are refused and leave all unchanged', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const before = skills.library.read(id)
    const same = { action: 'write_file', name: 'haiku', file_path: 'references/a.md', content: 'A.' }
    await chat.manage(same)
    expect(said(await chat.manage(same))).toContain('nothing would change')
    const broken = { action: 'patch', name: 'haiku', old_string: 'name: haiku', new_string: 'name: No Name' }
    expect((await chat.manage(broken)).ok).toBe(false)
    expect(skills.library.read(id)).toBe(before)
  })
})

describe('files', () => {
  test('are written, patched and removed in the four folders', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const file = { name: 'haiku', file_path: 'references/forms.md' }
    expect(said(await chat.manage({ ...file, action: 'write_file', content: 'Five, seven.\n' }))).toBe(
      OK('File written.'),
    )
    expect(chat.intents[0]).toMatchObject({
      title: 'Add references/forms.md to the skill “haiku”',
      detail: 'Five, seven.\n',
    })
    await chat.manage({ ...file, action: 'patch', old_string: 'seven', new_string: 'seven, five' })
    expect(said(await chat.view('haiku', 'references/forms.md'))).toBe('Five, seven, five.\n')
    expect(said(await chat.manage({ ...file, action: 'remove_file' }))).toBe(OK('File removed.'))
    expect(skills.library.get(id)?.found.parts.map(part => part.path)).toEqual(['SKILL.md'])
  })

  test('cannot be anywhere else', async () => {
    skills.write('haiku')
    const chat = skills.chat()
    const paths = [
      '../x/SKILL.md',
      '/etc/passwd',
      'references/../../a',
      'notes.md',
      'scripts\\..\\a',
      'references/.hidden',
    ]
    for (const [askedId, file_path] of paths.entries()) {
      const result = await chat.manage(
        { action: 'write_file', name: 'haiku', file_path, content: 'x' },
        { askedId },
      )
      expect([file_path, result.ok]).toEqual([file_path, false])
    }
    expect(said(await chat.manage({ action: 'write_file', name: 'haiku', content: 'x' }))).toContain(
      'file_path is missing',
    )
    expect(
      said(await chat.manage({ action: 'remove_file', name: 'haiku', file_path: 'references/none.md' })),
    ).toContain('has no file references/none.md. Its files are SKILL.md.')
  })
})

describe('delete', () => {
  test('asks for approval, archives the skill, and can be undone', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const result = await chat.manage({ action: 'delete', name: 'haiku' })
    expect(said(result)).toBe(OK('Skill deleted.'))
    expect(chat.asked).toMatchObject([{ title: 'Delete the skill “haiku”', confirm: {} }])
    expect(chat.asked[0]!.detail).toContain('Count the syllables')
    expect(skills.library.get(id)).toBeUndefined()
    const revisions = result.ok ? (result.skillRevisions ?? []) : []
    done(
      skills.editor.undo(
        revisions.map(each => each.id),
        you,
      ),
    )
    expect(skills.library.get(id)).toBeDefined()
  })
})

describe('what the scan calls dangerous', () => {
  const evil = { ...CREATE, content: STEPS + HARM }

  test('is not done if denied, and the question shows the findings', async () => {
    const chat = skills.chat()
    expect(said(await chat.manage(evil, { answer: 'no' }))).toBe('denied')
    expect(skills.library.list()).toEqual([])
    expect(chat.asked[0]!.confirm!.reason).toMatch(
      /^The security scan calls this dangerous\. SKILL\.md, line \d+: /,
    )
  })

  test('is not written with full access: it becomes a proposal, or is refused where there are none', async () => {
    expect(said(await skills.chat().manage(evil, { answer: 'full' }))).toContain('calls this dangerous')
    const proposed: unknown[] = []
    const create = (skill: { name: string }) => {
      proposed.push(skill.name)
      return { revisions: [], id: 'own/tidy-notes' }
    }
    const chat = skills.chat({ proposing: () => ({ ...skills.editor, create }) })
    expect(said(await chat.manage(evil, { answer: 'full' }))).toMatch(/waits for the user .* Activity page/)
    expect([proposed, skills.library.list()]).toEqual([['tidy-notes'], []])
  })

  test('is saved and used if the user allows it', async () => {
    const chat = skills.chat()
    expect(await chat.manage(evil)).toMatchObject({ ok: true })
    expect(await chat.view('tidy-notes')).toMatchObject({ ok: true })
  })

  test('is also found in an added file', async () => {
    skills.write('haiku')
    const chat = skills.chat()
    const file = { action: 'write_file', name: 'haiku', file_path: 'scripts/run.sh', content: `${EVIL}\n` }
    expect(said(await chat.manage(file, { answer: 'no' }))).toBe('denied')
    expect(chat.asked[0]!.confirm!.reason).toContain('scripts/run.sh, line 1')
  })

  test('is refused if it differs from what the user approved', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const patch = { action: 'patch', name: 'haiku', old_string: 'Show the result.', new_string: HARM }
    const tool = chat.registry.get('skill_manage')!
    const context = {
      workspace: skills.at('project'),
      home: skills.at('home'),
      sessionId: 'chat',
      askedId: 1,
    }
    const intent = await tool.intent(patch, context)
    expect(intent).toMatchObject({ confirm: { reason: expect.stringContaining('dangerous') } })
    // While the user decides, the skill is changed.
    const text = skills.library.read(id)!.replace('Count', 'Never count')
    done(skills.editor.save({ id, path: 'SKILL.md', text }, you))
    const result = await tool.run(patch, {
      ...context,
      access: 'unconfined',
      signal: new AbortController().signal,
      output: () => {},
    })
    expect(said(result)).toContain('the security scan calls this dangerous')
    expect(skills.library.read(id)).toBe(text)
  })
})

test('after three refusals in a turn the answer says to stop, and another turn starts over', async () => {
  const chat = skills.chat()
  const wrong = (askedId: number) => chat.manage({ action: 'delete', name: 'nothing' }, { askedId })
  expect(said(await wrong(1))).not.toContain('Do not try again')
  await wrong(1)
  expect(said(await wrong(1))).toContain('Do not try again now')
  expect(said(await wrong(2))).not.toContain('Do not try again')
})

test('a skill that is off or blocked cannot be changed', async () => {
  skills.spoil('evil')
  expect(said(await skills.chat().manage({ action: 'edit', name: 'evil', content: STEPS }))).toContain(
    'kept back',
  )
})

describe('with mustRead a skill is changed only', () => {
  const patch = (old_string: string, new_string: string) => ({
    action: 'patch',
    name: 'haiku',
    old_string,
    new_string,
  })

  test('by a session that has read its current version', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat({ mustRead: true })
    const turn = (askedId: number, sessionId = 'chat') => ({ askedId, sessionId })
    expect(said(await chat.manage(patch('Count', 'Add up'), turn(1)))).toMatch(
      /^Read the skill first.*skill_view/,
    )
    await chat.view('haiku', undefined, turn(1, 'another'))
    expect((await chat.manage({ action: 'delete', name: 'haiku' }, turn(2))).ok).toBe(false)
    await chat.view('haiku', undefined, turn(2))
    expect((await chat.manage(patch('Count', 'Add up'), turn(2))).ok).toBe(true)
    // The session knows a text that it wrote.
    expect((await chat.manage(patch('Add up', 'Sum'), turn(2))).ok).toBe(true)
    const text = skills.library.read(id)!.replace('Sum', 'Guess')
    done(skills.editor.save({ id, path: 'SKILL.md', text }, you))
    expect((await chat.manage(patch('Guess', 'Sum'), turn(3))).ok).toBe(false)
  })

  test('but a new one need not be read', async () => {
    expect((await skills.chat({ mustRead: true }).manage(CREATE)).ok).toBe(true)
  })
})

describe('what the original refuses', () => {
  test('is refused here: a body that is too long, with the advice to split it', async () => {
    const result = await skills.chat().manage({ ...CREATE, content: 'x'.repeat(100_001) })
    expect(said(result)).toMatch(/100000 are allowed\. Move details into files below references\//)
  })

  test('is refused here: a file that is too large, leads out, lies elsewhere or has no name', async () => {
    skills.write('haiku')
    const chat = skills.chat()
    const file = { action: 'write_file', name: 'haiku' }
    for (const file_path of ['references/../../x', 'README.md', 'references', '../SKILL.md'])
      expect(await chat.manage({ ...file, file_path, content: 'x' }), file_path).toMatchObject({ ok: false })
    const large = { ...file, file_path: 'references/a.md', content: 'x'.repeat(1_048_577) }
    expect(await chat.manage(large)).toMatchObject({ ok: false })
    expect(await chat.view('haiku', 'SKILL.md')).toMatchObject({ ok: true })
    expect(skills.library.get('own/haiku')?.found.parts.map(part => part.path)).toEqual(['SKILL.md'])
  })

  test('is refused here: a passage that occurs twice, unless all are meant, and one that does not occur', async () => {
    const { id } = skills.write('haiku', 'Count once, count once.')
    const chat = skills.chat()
    const patch = { action: 'patch', name: 'haiku', old_string: 'ount once', new_string: 'ount twice' }
    expect(said(await chat.manage(patch))).toMatch(/occurs 2 times/)
    expect(await chat.manage({ ...patch, replace_all: true })).toMatchObject({ ok: true })
    expect(skills.library.read(id)).toContain('Count twice, count twice.')
    expect(said(await chat.manage({ ...patch, old_string: 'Count thrice, count twice.' }))).toMatch(
      /not found.*nearest/s,
    )
  })
})
