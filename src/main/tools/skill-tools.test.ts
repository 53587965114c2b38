import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { done, skillText, you } from '../skills/change/fixtures/a-workshop.ts'
import { said } from './a-workspace.ts'
import { aSkillDesk } from './a-skill-desk.ts'

let desk: ReturnType<typeof aSkillDesk>
beforeEach(() => {
  desk = aSkillDesk()
})
afterEach(() => desk[Symbol.dispose]())

describe('skills_list', () => {
  test('tells names and descriptions', async () => {
    expect(said(await desk.chat().list())).toBe('There are no skills.')
    desk.write('haiku')
    desk.write('limerick')
    expect(said(await desk.chat().list())).toBe(
      '- haiku: Writes haiku poems. Use when the user asks for a haiku.\n- limerick: Writes limerick poems. Use when the user asks for a limerick.',
    )
  })

  test('tells of many their categories first, then one of them', async () => {
    for (let n = 0; n < 24; n++)
      desk.put(`bundled/${n % 2 ? 'code' : 'writing/verse'}/skill-${n}/SKILL.md`, skillText(`skill-${n}`))
    desk.write('loose')
    const chat = desk.chat()
    expect(said(await chat.list())).toBe(
      'Categories; list one with category:\n- code (12)\n- other (1)\n- writing (12)',
    )
    expect(said(await chat.list('Writing')).split('\n')).toHaveLength(12)
    expect(said(await chat.list('writing/verse')).split('\n')).toHaveLength(12)
    expect(said(await chat.list('other'))).toMatch(/^- loose: /)
    const wrong = await chat.list('cooking')
    expect(wrong.ok).toBe(false)
    expect(said(wrong)).toMatch(/no category “cooking”\.\nCategories.*\n- code/)
  })

  test('says of hundreds no more than a page', async () => {
    for (let n = 0; n < 150; n++) desk.put(`bundled/s-${n}/SKILL.md`, skillText(`s-${n}`))
    const lines = said(await desk.chat().list('other')).split('\n')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toMatch(/^Also: s-\d+, .*\.$/)
  })
})

describe('skill_view', () => {
  test('loads the steps without front matter, and records it once a turn', async () => {
    const { id } = desk.write('haiku')
    const chat = desk.chat()
    const first = await chat.view('haiku')
    expect(first).toEqual({
      ok: true,
      text: '# Steps\n\n1. Count the syllables of each line.\n2. Show the result.',
      skill: { id, name: 'haiku' },
    })
    expect(await chat.view('haiku')).not.toHaveProperty('skill')
    expect(desk.store.uses('haiku', 9)).toMatchObject([
      { sessionId: 'chat', messageId: 1, by: 'agent', at: 5_000 },
    ])
    expect(await chat.view('haiku', undefined, { askedId: 2 })).toHaveProperty('skill')
    expect(desk.store.uses('haiku', 9)).toHaveLength(2)
  })

  test('says which files there are and where, and reads one of them', async () => {
    desk.put('bundled/csv/SKILL.md', skillText('csv'))
    desk.put('bundled/csv/references/rules.md', 'Commas.')
    desk.put('bundled/csv/scripts/clean.py', 'print(1)')
    desk.put('bundled/csv/assets/logo.png', new Uint8Array([137, 80, 78, 71, 0, 0]))
    const chat = desk.chat()
    expect(said(await chat.view('csv'))).toMatch(
      new RegExp(
        `\\n\\n\\[Files of this skill, in ${desk.at('bundled/csv')}: assets/logo.png, references/rules.md, scripts/clean.py\\. Read one with file_path; run scripts with terminal\\.\\]$`,
      ),
    )
    for (const path of ['references/rules.md', './references/rules.md', 'csv/references/rules.md'])
      expect(said(await chat.view('csv', path))).toBe('Commas.')
    expect(said(await chat.view('csv', 'SKILL.md'))).toContain('# Steps')
    expect(said(await chat.view('csv', 'assets/logo.png'))).toMatch(/is not text \(6 bytes\)/)
    expect(said(await chat.view('csv', 'references/none.md'))).toContain('Its files are assets/logo.png,')
    const outside = await chat.view('csv', '../../home/secret')
    expect(outside.ok).toBe(false)
  })

  test('knows a name that is nearly right, and suggests what may be meant', async () => {
    desk.write('tidy-notes')
    const chat = desk.chat()
    for (const name of ['Tidy Notes', '/tidy-notes', '"tidy_notes"', 'own/tidy-notes'])
      expect(await chat.view(name)).toMatchObject({ ok: true })
    expect(said(await chat.view('tidy-note'))).toBe('There is no skill “tidy-note”. Did you mean tidy-notes?')
    expect(said(await chat.view('  '))).toContain('name is missing')
  })

  test('says in words why a skill cannot be had', async () => {
    const { id } = desk.write('haiku')
    done(desk.workshop.setEnabled([id], false, you))
    desk.spoil('evil')
    const chat = desk.chat()
    expect(said(await chat.view('haiku'))).toContain('switched off')
    expect(said(await chat.view('evil'))).toContain('kept back')
    expect(desk.store.uses('evil', 9)).toEqual([])
  })

  test('cuts what is too long, and says where the rest is', async () => {
    desk.put('bundled/long/SKILL.md', skillText('long'))
    desk.put('bundled/long/references/a.md', 'x'.repeat(150_000))
    expect(said(await desk.chat().view('long', 'references/a.md'))).toMatch(
      /x\n\[… 50,000 more characters; read on in .*\/bundled\/long\/references\/a\.md with read_file and offset …\]$/,
    )
  })
})

test('what the person switched off is neither offered nor done', async () => {
  desk.write('haiku')
  const chat = desk.chat({ uses: () => false, learns: () => false })
  expect(chat.registry.specs()).toEqual([])
  for (const result of [
    await chat.list(),
    await chat.view('haiku'),
    await chat.manage({ action: 'delete', name: 'haiku' }),
  ])
    expect(said(result)).toMatch(/^The user has switched off/)
  expect(desk.library.read('own/haiku')).toBeDefined()
})
