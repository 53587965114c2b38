import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../db/store.ts'
import type { Library, SkillEditor } from '../skill-types.ts'
import {
  agent,
  aSkillEditor,
  done,
  EVIL,
  evilText,
  made,
  review,
  skillText,
  you,
} from '../../../../testing/skills/a-skill-editor.ts'

let home: ReturnType<typeof aSkillEditor>
let editor: SkillEditor
let library: Library
let store: Store['skills']
beforeEach(() => {
  home = aSkillEditor()
  ;({ editor, library, store } = home.start())
})
afterEach(() => {
  expect(home.reported).toEqual([])
  library.close()
  home[Symbol.dispose]()
})
const says = (text: string) => ({ refused: expect.stringContaining(text) as string })
const save = (id: string, text: string, path = 'SKILL.md') => ({ id, path, text })

test('a new skill is a folder with SKILL.md and its other files', () => {
  const files = [{ path: 'references/rhymes.md', text: 'moon, june' }]
  const { id, revisions } = done(
    editor.create({ name: 'haiku', category: 'writing', text: skillText('haiku'), files }, agent),
  )
  expect(id).toBe('own/writing/haiku')
  expect(home.files('home/skills')).toEqual({
    'writing/haiku/SKILL.md': skillText('haiku'),
    'writing/haiku/references/rhymes.md': 'moon, june',
  })
  expect(revisions).toMatchObject([
    {
      key: 'haiku',
      op: 'create',
      actor: 'agent',
      note: 'asked to',
      messageId: 7,
      files: [
        { path: 'SKILL.md', before: null, after: skillText('haiku'), binary: false },
        { path: 'references/rhymes.md', before: null },
      ],
    },
  ])
  expect(store.states().get('haiku')).toMatchObject({ author: 'agent', enabled: null })
  expect(library.get(id)?.skill.origin).toBe('agent')
  expect(home.told()).toBe(1)
})

test.for([
  ['a name that is none', { name: 'My Haiku', text: skillText('My Haiku') }, 'cannot be the name'],
  ['a device', { name: 'nul', text: skillText('nul') }, 'cannot be the name'],
  ['a name that differs', { name: 'haiku', text: skillText('ballad') }, 'SKILL.md was not saved'],
  ['no description', { name: 'haiku', text: '---\nname: haiku\n---\n\nWrite.' }, 'its form is wrong'],
  ['too much text', { name: 'haiku', text: skillText('haiku', 'x'.repeat(100_001)) }, '100000 are allowed'],
  ['a way out', { name: 'haiku', category: '../..', text: skillText('haiku') }, 'cannot be a category'],
  [
    'an absolute category',
    { name: 'haiku', category: '/etc', text: skillText('haiku') },
    'cannot be a category',
  ],
  ...['../evil.md', 'notes.md', 'references/../../x', '/etc/x', 'scripts\\x.sh', 'references/.hidden'].map(
    path =>
      [
        `a file at ${path}`,
        { name: 'haiku', text: skillText('haiku'), files: [{ path, text: 'x' }] },
        'was not saved',
      ] as const,
  ),
  [
    'a file that is too large',
    {
      name: 'haiku',
      text: skillText('haiku'),
      files: [{ path: 'assets/x.txt', text: 'x'.repeat(1_000_001) }],
    },
    '1000000 are allowed',
  ],
] as const)('%s is refused, and the disk is unchanged', ([, skill, why]) => {
  expect(editor.create({ category: '', ...skill }, you)).toMatchObject(says(why))
  expect([existsSync(home.at('home/skills')), store.pending(), home.told()]).toEqual([false, undefined, 0])
})

test('two skills with the same name, or in the same folder, are refused', () => {
  home.put('bundled/clean-csv/SKILL.md', skillText('clean-csv'))
  made(editor, 'haiku', you, 'writing')
  const create = (name: string, category = '') =>
    editor.create({ name, category, text: skillText(name) }, you)
  expect(create('haiku')).toMatchObject({ ...says('own/writing/haiku'), conflict: true })
  expect(create('clean-csv')).toMatchObject(says('ships with Talaria'))
  expect(create('ballad', 'writing/haiku')).toMatchObject(says('is a skill itself'))
  mkdirSync(home.at('home/skills/ballad'))
  expect(create('ballad')).toMatchObject(says('something else in the folder'))
})

test('a save is recorded with the text before and after, and a stale edit is a conflict', () => {
  const { id } = made(editor, 'haiku')
  const better = skillText('haiku', 'Count 5, 7 and 5 syllables.')
  const { revisions } = done(editor.save({ ...save(id, better), expected: skillText('haiku') }, review))
  expect(revisions).toMatchObject([
    { op: 'edit', reviewId: 'review_1', files: [{ before: skillText('haiku'), after: better }] },
  ])
  expect(editor.save({ ...save(id, 'x'), expected: skillText('haiku') }, you)).toMatchObject({
    ...says('was changed meanwhile'),
    conflict: true,
  })
  const note = save(id, 'a', 'references/a.md')
  expect(editor.save({ ...note, expected: 'b' }, you)).toMatchObject(says('is not there any more'))
  done(editor.save({ ...note, expected: null }, you))
  expect(editor.save({ ...note, text: 'c', expected: null }, you)).toMatchObject(says('is there already'))
  expect(done(editor.save(note, you)).revisions).toEqual([])
})

test('a manual edit on disk causes a conflict and is not lost', () => {
  const { id } = made(editor, 'haiku')
  home.put('home/skills/haiku/SKILL.md', 'mine')
  expect(
    editor.save({ ...save(id, skillText('haiku', 'Else.')), expected: skillText('haiku') }, agent),
  ).toMatchObject({ conflict: true })
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': 'mine' })
})

test('text in a wrong form is refused and changes nothing', () => {
  const { id } = made(editor, 'haiku')
  const before = home.files('home')
  expect(editor.save(save(id, 'no front matter'), you)).toMatchObject(says('its form is wrong'))
  expect(editor.save(save(id, '\ud800', 'references/a.md'), you)).toMatchObject(says('half a character'))
  expect(editor.save(save(id, 'a\0b', 'references/a.md'), you)).toMatchObject(says('NUL'))
  home.put('home/skills/haiku/references/A.md', 'x')
  expect(editor.save(save(id, 'x', 'references/a.md'), you)).toMatchObject(says('tells them apart'))
  expect(store.history({ limit: 9 }).revisions).toHaveLength(1)
  expect(home.files('home')['skills/haiku/SKILL.md']).toBe(before['skills/haiku/SKILL.md'])
})

test('a link inside a skill is not followed for writing', () => {
  const { id } = made(editor, 'haiku')
  home.put('secret/x.md', 'secret')
  symlinkSync(home.at('secret'), home.at('home/skills/haiku/references'))
  expect(editor.save(save(id, 'x', 'references/x.md'), you)).toMatchObject(says('link'))
  expect(home.files('secret')).toEqual({ 'x.md': 'secret' })
})

test('dangerous text is refused with its findings, unless saving despite them is requested', () => {
  const evil = evilText('haiku')
  for (const by of [you, agent]) {
    expect(editor.create({ name: 'haiku', category: '', text: evil }, by)).toMatchObject({
      ...says('security scan'),
      scan: { verdict: 'dangerous' },
    })
  }
  const { id } = made(editor, 'haiku', agent)
  expect(editor.save(save(id, `#!/bin/sh\n${EVIL}\n`, 'scripts/send.sh'), you)).toMatchObject({
    scan: { verdict: 'dangerous' },
  })
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku') })
  done(editor.save(save(id, evil), agent, { despite: true }))
  library.scan(id)
  // It has been scanned, so the model may have it.
  expect(library.get(id)?.skill).toMatchObject({ origin: 'agent', blocked: null })
  done(
    editor.removeFile(
      {
        id: done(editor.save(save(id, 'x', 'references/x.md'), you, { despite: true })).id,
        path: 'references/x.md',
      },
      you,
    ),
  )
  library.scan(id)
  expect(library.get(id)?.skill.blocked).toBeNull()
})

test('removing a file from a blocked skill does not unblock it', () => {
  home.put('home/imported-skills/x/SKILL.md', evilText('x'))
  home.put('home/imported-skills/x/references/a.md', 'a')
  const { id } = done(editor.removeFile({ id: 'imported/x', path: 'references/a.md' }, agent))
  library.scan(id)
  expect(library.get(id)?.skill.blocked).toEqual(expect.any(String))
})

test('the first change of an original makes an edited copy of all of it, and a reset archives that copy', () => {
  home.put('bundled/data/clean-csv/SKILL.md', skillText('clean-csv'))
  home.put('bundled/data/clean-csv/scripts/run.sh', 'echo', 0o755)
  symlinkSync('/etc', home.at('bundled/data/clean-csv/references'))
  const original = home.files('bundled')
  const better = skillText('clean-csv', 'Look at the first lines.')
  const { id, revisions } = done(editor.save(save('bundled/data/clean-csv', better), agent))
  expect(id).toBe('own/data/clean-csv')
  expect(revisions).toMatchObject([
    { op: 'edit', files: [{ path: 'SKILL.md', before: skillText('clean-csv'), after: better }] },
  ])
  expect(home.files('home/skills')).toEqual({
    'data/clean-csv/SKILL.md': better,
    'data/clean-csv/scripts/run.sh': 'echo',
  })
  expect(statSync(home.at('home/skills/data/clean-csv/scripts/run.sh')).mode & 0o111).toBe(0o111)
  expect(home.files('bundled')).toEqual(original)
  expect(library.get(id)?.skill).toMatchObject({ isEdited: true, key: 'clean-csv' })
  expect(editor.save(save('bundled/data/clean-csv', skillText('clean-csv', 'Else.')), you)).toMatchObject(
    says('edited copy of this skill already'),
  )
  const { revisions: reset } = done(editor.reset(id, you))
  expect(reset).toMatchObject([{ op: 'reset', files: [{ before: better, after: skillText('clean-csv') }] }])
  expect(home.files('home/skills')).toEqual({})
  expect(Object.values(home.files('home/archive/skills'))).toContain(better)
  expect(editor.reset('bundled/data/clean-csv', you)).toMatchObject(says('no original to restore'))
})

test('in a project the user changes the original, and the agent a copy', () => {
  const file = 'project/.agents/skills/deploy/SKILL.md'
  home.put(file, skillText('deploy'))
  const id = 'project-1/deploy'
  const byAgent = done(editor.save(save(id, skillText('deploy', 'Agent.')), agent))
  expect(byAgent.id).toBe('own/deploy')
  expect(home.files('project/.agents/skills')).toEqual({ 'deploy/SKILL.md': skillText('deploy') })
  const byYou = done(editor.save(save(id, skillText('deploy', 'You.')), you))
  expect([byYou.id, byYou.revisions[0]?.key]).toEqual([id, 'project-1/deploy'])
  expect(home.files('project/.agents/skills')).toEqual({ 'deploy/SKILL.md': skillText('deploy', 'You.') })
  expect(readdirSync(home.at('project/.agents/skills'))).toEqual(['deploy'])
  expect(editor.remove([id], agent)).toMatchObject(says('only the person'))
})

test('another name in the front matter renames the folder and keeps the skill’s state', () => {
  const { id } = made(editor, 'haiku', agent, 'writing')
  done(editor.save(save(id, 'moon', 'references/rhymes.md'), you))
  done(editor.setEnabled([id], false, you))
  const renamed = done(editor.save(save(id, skillText('tanka')), you))
  expect(renamed.id).toBe('own/writing/tanka')
  expect(renamed.revisions).toMatchObject([{ key: 'tanka', op: 'edit', files: [{ path: 'SKILL.md' }] }])
  expect(home.files('home/skills')).toEqual({
    'writing/tanka/SKILL.md': skillText('tanka'),
    'writing/tanka/references/rhymes.md': 'moon',
  })
  expect(store.states().get('tanka')).toMatchObject({ author: 'agent', enabled: false })
  made(editor, 'haiku')
  expect(library.get('own/haiku')?.skill.enabled).toBe(true)
  expect(editor.save(save('own/writing/tanka', skillText('haiku')), you)).toMatchObject(says('already'))
})

test('a file can be removed with emptied folders, SKILL.md cannot', () => {
  const { id } = made(editor, 'haiku')
  done(editor.save(save(id, 'x', 'references/deep/x.md'), you))
  const { revisions } = done(editor.removeFile({ id, path: 'references/deep/x.md' }, you))
  expect(revisions).toMatchObject([{ files: [{ path: 'references/deep/x.md', before: 'x', after: null }] }])
  expect(readdirSync(home.at('home/skills/haiku'))).toEqual(['SKILL.md'])
  expect(editor.removeFile({ id, path: 'SKILL.md' }, you)).toMatchObject(says('Delete the skill'))
  expect(editor.removeFile({ id, path: '../x' }, you)).toMatchObject(says('was not removed'))
  expect(editor.removeFile({ id, path: 'assets/y' }, you)).toMatchObject(says('is not there any more'))
})

test('deleting moves the whole folder to the archive', () => {
  const { id } = made(editor, 'haiku', you, 'writing')
  const logo = Buffer.from([0, 1, 2, 255])
  home.put('home/skills/writing/haiku/assets/logo.png', logo)
  home.put('home/skills/writing/haiku/.hidden', 'h')
  const { revisions } = done(editor.remove([id], you))
  expect(revisions).toMatchObject([
    {
      op: 'delete',
      files: [
        { path: 'SKILL.md', after: null },
        { path: '.hidden', before: 'h' },
        { path: 'assets/logo.png', after: null, binary: true },
      ],
    },
  ])
  expect(readdirSync(home.at('home/skills'))).toEqual([])
  const kept = Object.entries(home.files('home/archive/skills'))
  expect(kept.find(([path]) => path.endsWith('assets/logo.png'))?.[1]).toBe(logo.toString('latin1'))
  expect(store.deleted().map(each => each.name)).toEqual(['haiku'])
  expect(editor.remove([id], you)).toMatchObject({ conflict: true })
})

test('an archive on another disk gets a copy', context => {
  const other = mkdtempSync(join(tmpdir(), 'talaria-archive-'))
  context.onTestFinished(() => rmSync(other, { recursive: true }))
  if (statSync(other).dev === statSync(home.at('home')).dev) context.skip('there is only one disk here')
  symlinkSync(other, home.at('home/archive'))
  const { id } = made(editor, 'haiku')
  const { revisions } = done(editor.remove([id], you))
  expect(home.files('home/skills')).toEqual({})
  expect(readdirSync(home.at('home/skills'))).toEqual([])
  done(editor.undo([revisions[0]!.id], you))
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku') })
})

test('a built-in skill cannot be deleted, and one refusal refuses the whole request', () => {
  home.put('bundled/clean-csv/SKILL.md', skillText('clean-csv'))
  const { id } = made(editor, 'haiku')
  expect(editor.remove([id, 'bundled/clean-csv'], you)).toMatchObject(says('Switch it off instead'))
  expect(existsSync(home.at('home/skills/haiku'))).toBe(true)
})

test('several skills are switched together, and those already switched are left out', () => {
  const a = made(editor, 'haiku').id
  const b = made(editor, 'ballad').id
  expect(done(editor.setEnabled([a], false, you)).revisions).toMatchObject([{ op: 'disable', files: [] }])
  expect(done(editor.setEnabled([a, b], false, you)).revisions).toMatchObject([{ name: 'ballad' }])
  expect(library.list().map(({ skill }) => skill.enabled)).toEqual([false, false])
})

test('a blocked skill is switched on by accepting exactly its current content', () => {
  home.put('home/imported-skills/x/SKILL.md', evilText('x'))
  const id = 'imported/x'
  expect(editor.setEnabled([id], true, you)).toMatchObject({
    ...says('accept it'),
    scan: { verdict: 'dangerous' },
  })
  expect(editor.setEnabled([id], true, agent, { accept: true })).toMatchObject(says('Only the person'))
  done(editor.setEnabled([id], true, you, { accept: true }))
  expect(library.named('x', home.at())).toHaveProperty('found')
  home.put('home/imported-skills/x/references/more.md', 'more')
  library.changed()
  expect(library.named('x', home.at())).toHaveProperty('refused')
})

const source = {
  kind: 'git',
  address: 'https://example.net/skills',
  within: 'x',
  commit: 'abc',
  licence: 'MIT',
  importedAt: 1,
} as const

test('an import is copied without links, and only executable files stay executable', () => {
  home.put('fetched/SKILL.md', skillText('x'))
  home.put('fetched/scripts/run.sh', 'echo', 0o4755)
  home.put('fetched/scripts/not.sh', 'echo', 0o666)
  symlinkSync('/etc/passwd', home.at('fetched/passwd'))
  const { id, revisions } = done(
    editor.install({ folder: home.at('fetched'), name: 'x', source, on: false, accept: false }, you),
  )
  expect([id, revisions[0]?.op, revisions[0]?.files.length]).toEqual(['imported/x', 'import', 3])
  const modes = ['run', 'not'].map(
    name => statSync(home.at(`home/imported-skills/x/scripts/${name}.sh`)).mode,
  )
  expect(modes.map(mode => mode & 0o7777)).toEqual([0o755, 0o644])
  expect(existsSync(home.at('home/imported-skills/x/passwd'))).toBe(false)
  expect(library.get(id)?.skill).toMatchObject({ enabled: false, source })
})

test('an import that replaces another archives that one, and an edited copy stays in place', () => {
  home.put('fetched/SKILL.md', skillText('x'))
  const from = { folder: home.at('fetched'), name: 'x', source, on: true, accept: true }
  done(editor.install(from, you))
  const copy = done(editor.save(save('imported/x', skillText('x', 'Mine.')), you)).id
  home.put('fetched/SKILL.md', evilText('x'))
  const { revisions } = done(editor.install({ ...from, source: { ...source, commit: 'def' } }, you))
  expect(revisions).toMatchObject([{ op: 'import', files: [{ before: skillText('x') }] }])
  expect(library.get(copy)?.skill).toMatchObject({ isEdited: true, source: { commit: 'def' } })
  expect(home.files('home/skills')).toEqual({ 'x/SKILL.md': skillText('x', 'Mine.') })
  expect(Object.values(home.files('home/archive/skills'))).toContain(skillText('x'))
  library.scan('imported/x')
  // Accepted with the import.
  expect(library.get('imported/x')?.skill.blocked).toBeNull()
})

test.for(['../x', '.x', 'a/b', ''])('a skill cannot be installed as %j', name => {
  home.put('fetched/SKILL.md', skillText('x'))
  expect(
    editor.install({ folder: home.at('fetched'), name, source, on: true, accept: false }, you),
  ).toMatchObject(says('cannot be the name of a folder'))
})

test('a folder of skills, a folder outside and one behind a link cannot be deleted', () => {
  home.put('elsewhere/x/SKILL.md', skillText('x'))
  mkdirSync(home.at('home/skills'), { recursive: true })
  symlinkSync(home.at('elsewhere/x'), home.at('home/skills/x'))
  for (const id of ['own', 'own/', 'own/x', 'own/../../elsewhere/x', home.at('elsewhere/x')])
    expect(editor.remove([id], you), id).toHaveProperty('refused')
  expect(home.files('elsewhere')).toEqual({ 'x/SKILL.md': skillText('x') })
})
