import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { done, skillText, you } from '../../../../testing/skills/a-skill-editor.ts'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aSkillToolChat, HARM } from '../../../../testing/tools/skill-tool-chat.ts'

let skills: ReturnType<typeof aSkillToolChat>
beforeEach(() => {
  skills = aSkillToolChat()
})
afterEach(() => skills[Symbol.dispose]())

describe('skills_list', () => {
  test('lists names and descriptions', async () => {
    expect(said(await skills.chat().list())).toBe('There are no skills.')
    skills.write('haiku')
    skills.write('limerick')
    expect(said(await skills.chat().list())).toBe(
      '- haiku: Writes haiku poems. Use when the user asks for a haiku.\n- limerick: Writes limerick poems. Use when the user asks for a limerick.',
    )
  })

  test('lists categories first if there are many skills, then one category', async () => {
    for (let n = 0; n < 24; n++)
      skills.put(`bundled/${n % 2 ? 'code' : 'writing/verse'}/skill-${n}/SKILL.md`, skillText(`skill-${n}`))
    skills.write('loose')
    const chat = skills.chat()
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

  test('prints at most a page for hundreds of skills', async () => {
    for (let n = 0; n < 150; n++) skills.put(`bundled/s-${n}/SKILL.md`, skillText(`s-${n}`))
    const lines = said(await skills.chat().list('other')).split('\n')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toMatch(/^Also: s-\d+, .*\.$/)
  })
})

describe('skill_view', () => {
  test('loads the steps without front matter, and records the use once per turn', async () => {
    const { id } = skills.write('haiku')
    const chat = skills.chat()
    const first = await chat.view('haiku')
    expect(first).toEqual({
      ok: true,
      text: '# Steps\n\n1. Count the syllables of each line.\n2. Show the result.',
      skill: { id, name: 'haiku' },
    })
    expect(await chat.view('haiku')).not.toHaveProperty('skill')
    expect(skills.store.uses('haiku', 9)).toMatchObject([
      { sessionId: 'chat', messageId: 1, by: 'agent', at: 5_000 },
    ])
    expect(await chat.view('haiku', undefined, { askedId: 2 })).toHaveProperty('skill')
    expect(skills.store.uses('haiku', 9)).toHaveLength(2)
  })

  test('lists the skill’s files with their paths, and reads one of them', async () => {
    skills.put('bundled/csv/SKILL.md', skillText('csv'))
    skills.put('bundled/csv/references/rules.md', 'Commas.')
    skills.put('bundled/csv/scripts/clean.py', 'print(1)')
    skills.put('bundled/csv/assets/logo.png', new Uint8Array([137, 80, 78, 71, 0, 0]))
    const chat = skills.chat()
    expect(said(await chat.view('csv'))).toMatch(
      new RegExp(
        `\\n\\n\\[Files of this skill, in ${skills.at('bundled/csv')}: assets/logo.png, references/rules.md, scripts/clean.py\\. Read one with file_path; run scripts with terminal\\.\\]$`,
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

  test('accepts a nearly correct name, and suggests similar ones', async () => {
    skills.write('tidy-notes')
    const chat = skills.chat()
    for (const name of ['Tidy Notes', '/tidy-notes', '"tidy_notes"', 'own/tidy-notes'])
      expect(await chat.view(name)).toMatchObject({ ok: true })
    expect(said(await chat.view('tidy-note'))).toBe('There is no skill “tidy-note”. Did you mean tidy-notes?')
    expect(said(await chat.view('  '))).toContain('name is missing')
  })

  test('says why a skill cannot be loaded', async () => {
    const { id } = skills.write('haiku')
    done(skills.editor.setEnabled([id], false, you))
    skills.spoil('evil')
    const chat = skills.chat()
    expect(said(await chat.view('haiku'))).toContain('switched off')
    expect(said(await chat.view('evil'))).toContain('kept back')
    expect(skills.store.uses('evil', 9)).toEqual([])
  })

  test('cuts long text, and says where the rest is', async () => {
    skills.put('bundled/long/SKILL.md', skillText('long'))
    skills.put('bundled/long/references/a.md', 'x'.repeat(150_000))
    expect(said(await skills.chat().view('long', 'references/a.md'))).toMatch(
      /x\n\[… 50,000 more characters; read on in .*\/bundled\/long\/references\/a\.md with read_file and offset …\]$/,
    )
  })
})

describe('front matter', () => {
  const long = 'Sorts everything. '.repeat(30).trim()
  const front = (name: string) =>
    `---\nname: ${name}\ndescription: ${long}\nmetadata:\n  tags: csv, tables\n  hermes:\n    related_skills: [haiku, gone]\n---\n\n1. Sort.\n`

  test('skills_list tells tags, related skills and files, and all of a description where there is room', async () => {
    skills.put('bundled/sorter/SKILL.md', front('sorter'))
    skills.put('bundled/sorter/references/a.md', 'A.')
    const chat = skills.chat()
    expect(said(await chat.list())).toMatch(
      /^- sorter: Sorts everything\..{1,160} \[tags: csv, tables; related: haiku, gone; files: references\/a\.md\]$/,
    )
    expect(said(await chat.list(undefined, { contextTokens: 32_768 }))).toContain(`- sorter: ${long} [`)
  })

  test('skills_list finds skills by words in names, descriptions and tags', async () => {
    skills.put('bundled/sorter/SKILL.md', front('sorter'))
    skills.write('haiku')
    const chat = skills.chat()
    expect(said(await chat.list(undefined, { query: 'CSV tables' }))).toMatch(/^- sorter: .*\]$/)
    expect(said(await chat.list(undefined, { query: 'poems with tables' })).split('\n')).toHaveLength(2)
    expect(said(await chat.list(undefined, { query: 'submarine' }))).toContain(
      'No skill is about “submarine”',
    )
  })

  test('skill_view ends with tags and the related skills that are there', async () => {
    skills.put('bundled/sorter/SKILL.md', front('sorter'))
    skills.write('haiku')
    expect(said(await skills.chat().view('sorter'))).toMatch(
      /\n\n\[Tags: csv, tables\. Related skills: haiku\.\]$/,
    )
  })

  test('skill_view says which of several skills of a name it read, and where the other is if it may be read', async () => {
    const view = async () => said(await skills.chat().view('haiku'))
    skills.write('haiku')
    skills.put('bundled/haiku/SKILL.md', skillText('haiku'))
    expect(await view(), 'the original of an edited copy is no other skill').not.toContain('haiku too')
    skills.put('project/.agents/skills/haiku/SKILL.md', skillText('haiku', HARM))
    skills.library.changed()
    expect(await view(), 'what is kept back is not pointed at').not.toContain('haiku too')
    skills.put('project/.agents/skills/haiku/SKILL.md', skillText('haiku', 'As this project does it.'))
    skills.library.changed()
    const text = await view()
    expect(text).toContain('Count the syllables')
    expect(text).toContain(
      `${skills.at('project/.agents/skills/haiku')} has a skill haiku too, which is not used: this one, of ${skills.at('home/skills/haiku')}, goes first.`,
    )
  })
})

test('skills switched off by the user are neither offered nor run', async () => {
  skills.write('haiku')
  const chat = skills.chat({ uses: () => false, learns: () => false })
  expect(chat.registry.specs()).toEqual([])
  for (const result of [
    await chat.list(),
    await chat.view('haiku'),
    await chat.manage({ action: 'delete', name: 'haiku' }),
  ])
    expect(said(result)).toMatch(/^The user has switched off/)
  expect(skills.library.read('own/haiku')).toBeDefined()
})
