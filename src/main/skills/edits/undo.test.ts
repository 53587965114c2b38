import { readdirSync, rmSync, statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import type { Store } from '../../db/store.ts'
import type { Library, SkillRefusal, SkillEditor } from '../skill-types.ts'
import {
  agent,
  aSkillEditor,
  done,
  idsOf,
  made,
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

const known = () =>
  [...store.states().values()].filter(({ enabled, accepted, author, source: from }) =>
    [enabled, accepted, author, from].some(each => each !== null),
  )
const world = () => ({
  home: home.files('home/skills'),
  imported: home.files('home/imported-skills'),
  known: known(),
})
const source = {
  kind: 'zip',
  address: 'x.zip',
  within: '',
  commit: null,
  licence: null,
  importedAt: 1,
} as const
const logo = Buffer.from([137, 80, 0, 255])

/** Changes. The test undoes each one, undoes that, and compares the results. */
const changes: Record<string, () => { revisions: SkillRevision[] } | SkillRefusal> = {
  create: () => editor.create({ name: 'new', category: 'a/b', text: skillText('new') }, agent),
  save: () =>
    editor.save({ id: 'own/writing/haiku', path: 'SKILL.md', text: skillText('haiku', 'New.') }, agent),
  'save a new file': () =>
    editor.save({ id: 'own/writing/haiku', path: 'references/new.md', text: 'n' }, you),
  'save over a file that is no text': () =>
    editor.save({ id: 'own/writing/haiku', path: 'assets/logo.png', text: 'text' }, you),
  rename: () => editor.save({ id: 'own/writing/haiku', path: 'SKILL.md', text: skillText('tanka') }, you),
  'remove a script': () => editor.removeFile({ id: 'own/writing/haiku', path: 'scripts/run.sh' }, you),
  'remove a picture': () => editor.removeFile({ id: 'own/writing/haiku', path: 'assets/logo.png' }, you),
  delete: () => editor.remove(['own/writing/haiku'], agent),
  'delete two': () => editor.remove(['own/writing/haiku', 'imported/x'], you),
  'edit what ships': () =>
    editor.save({ id: 'bundled/clean-csv', path: 'SKILL.md', text: skillText('clean-csv', 'New.') }, agent),
  'edit an import': () => editor.save({ id: 'imported/x', path: 'references/new.md', text: 'n' }, you),
  reset: () => editor.reset('own/edited', you),
  disable: () => editor.setEnabled(['own/writing/haiku', 'bundled/clean-csv'], false, you),
  pin: () => editor.setPinned(['own/writing/haiku', 'bundled/clean-csv'], true, you),
  accept: () => editor.setEnabled(['imported/x'], true, you, { accept: true }),
  install: () =>
    editor.install({ folder: home.at('fetched'), name: 'fresh', source, on: true, accept: true }, you),
  'install over another': () =>
    editor.install({ folder: home.at('fetched-x'), name: 'x', source, on: true, accept: true }, you),
}

function furnish(): void {
  const { id } = made(editor, 'haiku', agent, 'writing')
  done(editor.save({ id, path: 'references/a.md', text: 'a' }, you))
  home.put('home/skills/writing/haiku/assets/logo.png', logo)
  home.put('home/skills/writing/haiku/scripts/run.sh', 'echo', 0o755)
  home.put('home/imported-skills/x/SKILL.md', skillText('x'))
  home.put('home/imported-skills/x/assets/logo.png', logo)
  home.put('bundled/clean-csv/SKILL.md', skillText('clean-csv'))
  home.put('bundled/edited/SKILL.md', skillText('edited'))
  home.put('fetched/SKILL.md', skillText('fresh'))
  home.put('fetched-x/SKILL.md', skillText('x', 'Newer.'))
  library.changed()
  done(editor.save({ id: 'bundled/edited', path: 'SKILL.md', text: skillText('edited', 'Mine.') }, you))
}

test.for(Object.keys(changes))('%s: repeated undo and redo restore each state exactly', name => {
  furnish()
  const before = world()
  let ids = idsOf(changes[name]!())
  const after = world()
  expect(after).not.toEqual(before)
  for (const expected of [before, after, before, after]) {
    const outcome = done(editor.undo(ids, you))
    expect(world()).toEqual(expected)
    expect(outcome.revisions.map(each => each.undoes)).toEqual(ids.toReversed())
    for (const id of ids) expect(store.revision(id)!.undoneBy).not.toBeNull()
    ids = outcome.revisions.map(each => each.id)
    library.changed()
  }
})

const files = () => ({ own: home.files('home/skills'), imported: home.files('home/imported-skills') })

/** The first revision of a change, with the states before and after it. */
function changed(name: string) {
  furnish()
  const before = files()
  const [revision] = done(changes[name]!()).revisions
  return { id: revision!.id, before, after: files() }
}

test.for([
  'save',
  'save a new file',
  'save over a file that is no text',
  'rename',
  'remove a script',
  'remove a picture',
  'delete',
  'reset',
  'install over another',
])('%s: the version before it can be restored', name => {
  const { id, before, after } = changed(name)
  expect(after).not.toEqual(before)
  done(editor.restore(id, 'before', you))
  expect(files()).toEqual(before)
})

test('after deleting two skills, restoring one brings back only that one', () => {
  const { id, before, after } = changed('delete two')
  expect([Object.keys(after.own), after.imported]).toEqual([
    Object.keys(before.own).filter(path => !path.startsWith('writing/haiku/')),
    {},
  ])
  done(editor.restore(id, 'before', you))
  expect(files()).toEqual({ own: before.own, imported: {} })
})

test.for([
  ['edit what ships', { 'clean-csv/SKILL.md': skillText('clean-csv') }],
  ['edit an import', { 'x/SKILL.md': skillText('x'), 'x/assets/logo.png': logo.toString('latin1') }],
] as const)('%s: the version before it is the original, which the copy then equals', ([name, copy]) => {
  const { id, before } = changed(name)
  done(editor.restore(id, 'before', you))
  expect(files()).toEqual({ own: { ...before.own, ...copy }, imported: before.imported })
})

test.for([
  ['create', 'new'],
  ['install', 'fresh'],
] as const)('%s: before it there was no skill to restore', ([name, skill]) => {
  const { id, after } = changed(name)
  expect(editor.restore(id, 'before', you)).toEqual({
    refused: `Before this change there was no skill ${skill} here.`,
  })
  expect(files()).toEqual(after)
})

test.for([
  'save',
  'save a new file',
  'save over a file that is no text',
  'remove a script',
  'remove a picture',
  'edit what ships',
  'edit an import',
  'install over another',
])('%s: the version after it can be restored', name => {
  const { id, after } = changed(name)
  done(editor.restore(id, 'before', you))
  expect(files()).not.toEqual(after)
  done(editor.restore(id, 'after', you))
  expect(files()).toEqual(after)
})

test.for([
  ['rename', 'tanka'],
  ['delete', 'haiku'],
  ['delete two', 'haiku'],
  ['reset', 'edited'],
] as const)('%s: after it there was no skill to restore', ([name, skill]) => {
  const { id } = changed(name)
  done(editor.restore(id, 'before', you))
  const restored = files()
  expect(editor.restore(id, 'after', you)).toEqual({
    refused: `After this change there was no skill ${skill} here.`,
  })
  expect(files()).toEqual(restored)
})

test('several changes are undone newest first, all or none', () => {
  furnish()
  const before = world()
  const ids = ['save', 'save a new file', 'remove a picture', 'rename'].flatMap(name =>
    idsOf(changes[name]!()),
  )
  const tanka = 'own/writing/tanka'
  ids.push(...idsOf(editor.save({ id: tanka, path: 'references/b.md', text: 'b' }, you)))
  ids.push(...idsOf(editor.remove([tanka], you)))
  const after = world()
  const undone = done(
    editor.undo(
      ids.toSorted((a, b) => a - b),
      you,
    ),
  )
  expect(undone.revisions.map(each => each.undoes)).toEqual(ids.toReversed())
  expect(world()).toEqual(before)
  done(
    editor.undo(
      undone.revisions.map(each => each.id),
      you,
    ),
  )
  expect(world()).toEqual(after)
  expect(editor.undo([ids[0]!], you)).toMatchObject({ conflict: true })
  expect(editor.undo([...ids, 9_999], you)).toMatchObject({ refused: 'This change is not in the history.' })
  expect(world()).toEqual(after)
})

test('an older change can be undone unless later changes touch the same lines', () => {
  const { id } = made(editor, 'haiku')
  const text = skillText('haiku')
  const save = (to: string, by = you) => idsOf(editor.save({ id, path: 'SKILL.md', text: to }, by))
  const ofAgent = save(text.replace('# Steps\n', '# Steps of the agent\n'), agent)
  save(
    text.replace('# Steps\n', '# Steps of the agent\n').replace('2. Show the result.', '2. Read it aloud.'),
  )
  done(editor.undo(ofAgent, you))
  expect(library.read(id)).toBe(text.replace('2. Show the result.', '2. Read it aloud.'))

  const again = save(text.replace('2. Show', '2. Print'), agent)
  save(text.replace('2. Show', '2. Sing'))
  const before = home.files('home/skills')
  expect(editor.undo(again, you)).toMatchObject({
    refused: expect.stringContaining('changed again since') as string,
    conflict: true,
  })
  expect(home.files('home/skills')).toEqual(before)
})

test('undoing the creation of a skill that was changed since is refused', () => {
  const ids = idsOf(made(editor, 'haiku'))
  home.put('home/skills/haiku/references/by-hand.md', 'hours of work')
  expect(editor.undo(ids, you)).toMatchObject({ conflict: true })
  expect(home.files('home/skills')['haiku/references/by-hand.md']).toBe('hours of work')
})

test('for an edited copy that was changed since, only the first edit is undone', () => {
  home.put('bundled/clean-csv/SKILL.md', skillText('clean-csv'))
  const first = idsOf(
    editor.save({ id: 'bundled/clean-csv', path: 'SKILL.md', text: skillText('clean-csv', 'New.') }, agent),
  )
  done(editor.save({ id: 'own/clean-csv', path: 'references/a.md', text: 'a' }, you))
  done(editor.undo(first, you))
  expect(home.files('home/skills')).toEqual({
    'clean-csv/SKILL.md': skillText('clean-csv'),
    'clean-csv/references/a.md': 'a',
  })
})

test('a deleted skill is not restored over another one', () => {
  const { id } = made(editor, 'haiku')
  const gone = idsOf(editor.remove([id], you))
  made(editor, 'haiku', you, 'writing')
  expect(editor.undo(gone, you)).toMatchObject({ conflict: true })
  done(editor.remove(['own/writing/haiku'], you))
  done(editor.undo(gone, you))
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku') })
})

test('settings of a deleted skill do not apply to a new one of that name', () => {
  const { id } = made(editor, 'haiku')
  done(editor.setEnabled([id], false, you))
  done(editor.remove([id], you))
  made(editor, 'haiku')
  expect(library.get(id)?.skill.enabled).toBe(true)
})

test('an old version restores the whole skill, even a deleted one', () => {
  const { id, revisions } = made(editor, 'haiku')
  const [second] = idsOf(editor.save({ id, path: 'references/a.md', text: 'a' }, you))
  done(editor.save({ id, path: 'SKILL.md', text: skillText('haiku', 'New.') }, you))
  done(editor.removeFile({ id, path: 'references/a.md' }, you))
  done(editor.remove([id], you))
  done(editor.restore(second!, 'after', you))
  expect(home.files('home/skills')).toEqual({
    'haiku/SKILL.md': skillText('haiku'),
    'haiku/references/a.md': 'a',
  })
  done(editor.restore(revisions[0]!.id, 'after', you))
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku') })
  expect(editor.restore(revisions[0]!.id, 'before', you)).toMatchObject({
    refused: expect.stringContaining('there was no skill') as string,
  })
})

test('a restored script is executable again', () => {
  furnish()
  const ids = idsOf(changes['remove a script']!())
  done(editor.undo(ids, you))
  expect(statSync(home.at('home/skills/writing/haiku/scripts/run.sh')).mode & 0o777).toBe(0o755)
})

test('undo without the archive is refused and does no harm', () => {
  const { id } = made(editor, 'haiku')
  const gone = idsOf(editor.remove([id], you))
  rmSync(home.at('home/archive'), { recursive: true })
  expect(editor.undo(gone, you)).toMatchObject({
    refused: expect.stringContaining('no longer in the archive') as string,
  })
  expect(readdirSync(home.at('home/skills'))).toEqual([])
})

test('an undone change is not undone twice', () => {
  const { id, revisions } = made(editor, 'haiku')
  const ids = revisions.map(each => each.id)
  done(editor.undo(ids, you))
  expect(done(editor.undo(ids, you)).revisions).toEqual([])
  expect(library.get(id)).toBeUndefined()
})
