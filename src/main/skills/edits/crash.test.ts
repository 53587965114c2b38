import { chmodSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../db/store.ts'
import type { Library, SkillRefusal, SkillEditor } from '../skill-types.ts'
import { realDisk, type Disk } from './folder-tree.ts'
import { agent, aSkillEditor, done, made, skillText, you } from '../../../../testing/skills/a-skill-editor.ts'
import { isRefusal } from '../../lib/expected-errors.ts'

type Session = { editor: SkillEditor; library: Library; store: Store['skills'] }
type Outcome = { revisions: SkillRevision[] } | SkillRefusal

/** A disk that fails its `nth` write. After `killed`, later writes fail too, as in a dead process. */
function failingDisk(nth: number, how: 'killed' | 'ENOSPC' | 'EACCES') {
  let calls = 0
  let isDead = false
  const counted =
    <A extends unknown[]>(work: (...args: A) => void) =>
    (...args: A) => {
      calls++
      if (isDead || calls === nth) {
        isDead = how === 'killed'
        throw Object.assign(new Error(how), how === 'killed' ? {} : { code: how })
      }
      work(...args)
    }
  const disk: Disk = {
    write: counted(realDisk.write),
    link: counted(realDisk.link),
    makeFolder: counted(realDisk.makeFolder),
    rename: counted(realDisk.rename),
    remove: counted(realDisk.remove),
  }
  return { disk, calls: () => calls }
}

const source = {
  kind: 'zip',
  address: 'x.zip',
  within: '',
  commit: null,
  licence: null,
  importedAt: 1,
} as const
/** Pick one item by number, starting over after the last. */
const one = <T>(all: readonly T[], at: number): T | undefined => all[at % all.length]
const own = (library: Library) => library.list().filter(({ found }) => found.root.kind === 'own')

/** Changes to pick by number. A refused one changes nothing. */
const doings: ((session: Session, at: number, folder: string) => Outcome)[] = [
  ({ editor }, at) =>
    editor.create(
      {
        name: `skill-${at % 4}`,
        category: ['', 'a', 'a/b'][at % 3]!,
        text: skillText(`skill-${at % 4}`),
        files: [{ path: 'references/r.md', text: `${at}` }],
      },
      agent,
    ),
  ({ editor, library }, at) => {
    const found = one(library.list(), at)?.found
    const text = skillText(found?.name ?? '', `Number ${at}.`)
    return editor.save({ id: found?.id ?? '', path: 'SKILL.md', text }, at % 2 ? you : agent)
  },
  ({ editor, library }, at) =>
    editor.save(
      { id: one(library.list(), at)?.found.id ?? '', path: `assets/${at % 3}.txt`, text: `${at}` },
      you,
    ),
  ({ editor, library }, at) =>
    editor.save(
      { id: one(own(library), at)?.found.id ?? '', path: 'SKILL.md', text: skillText(`other-${at % 3}`) },
      you,
    ),
  ({ editor, library }, at) => {
    const found = one(library.list(), at)?.found
    const part = found?.parts[at % found.parts.length]
    return editor.removeFile({ id: found?.id ?? '', path: part?.path ?? 'x' }, you)
  },
  ({ editor, library }, at) =>
    editor.remove(
      own(library)
        .slice(0, 1 + (at % 2))
        .map(({ found }) => found.id),
      you,
    ),
  ({ editor, library }, at) =>
    editor.setEnabled([one(library.list(), at)?.found.id ?? ''], at % 2 === 0, you),
  ({ editor, library }) => editor.reset(own(library).find(each => each.skill.isEdited)?.found.id ?? '', you),
  ({ editor }, at, folder) =>
    editor.install({ folder, name: 'x', source, on: at % 2 === 0, accept: at % 3 === 0 }, you),
  ({ editor, store }, at) =>
    editor.undo([1 + (at % (store.history({ limit: 1 }).revisions[0]?.id ?? 1))], you),
  ({ editor, store }, at) =>
    editor.restore(
      1 + (at % (store.history({ limit: 1 }).revisions[0]?.id ?? 1)),
      at % 2 ? 'before' : 'after',
      you,
    ),
]

const doing = fc.record({ which: fc.nat(doings.length - 1), at: fc.nat(60) })

function aWorld() {
  const home = aSkillEditor()
  home.put('bundled/clean-csv/SKILL.md', skillText('clean-csv'))
  home.put('bundled/clean-csv/assets/logo.png', Buffer.from([0, 255]))
  home.put('home/imported-skills/x/SKILL.md', skillText('x'))
  home.put('home/imported-skills/x/assets/logo.png', Buffer.from([0, 1]))
  home.put('fetched/SKILL.md', skillText('x', 'Newer.'))
  home.put('fetched/assets/logo.png', Buffer.from([0, 2]))
  const isKnown = ({
    enabled,
    accepted,
    author,
    source: from,
  }: {
    enabled: unknown
    accepted: unknown
    author: unknown
    source: unknown
  }) => [enabled, accepted, author, from].some(each => each !== null)
  // Leftovers are removed at the next start, and nothing reads them until then.
  const visible = (folder: string) =>
    Object.entries(home.files(folder)).filter(([path]) => !path.includes('.changing-'))
  const state = (store: Store['skills']) => ({
    own: visible('home/skills'),
    imported: visible('home/imported-skills'),
    known: [...store.states().values()].filter(isKnown).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  })
  const log = (store: Store['skills']) => store.history({ limit: 200 }).revisions.map(each => each.id)
  return { home, state, log }
}

test('undoing any sequence of changes restores the files byte for byte', () => {
  const { met, atLeast } = countCases<'done' | 'refused'>()
  fc.assert(
    fc.property(fc.array(doing, { minLength: 1, maxLength: 8 }), steps => {
      const { home, state, log } = aWorld()
      using _ = home
      const session = home.start()
      const before = state(session.store)
      for (const { which, at } of steps) {
        const was = state(session.store)
        const outcome = doings[which]!(session, at, home.at('fetched'))
        met(isRefusal(outcome) ? 'refused' : 'done')
        if (isRefusal(outcome)) expect(state(session.store)).toEqual(was)
      }
      const after = state(session.store)
      // One after the other, because an undo in between may itself be undone.
      const all = log(session.store)
      const undone: number[] = []
      for (const id of all)
        undone.push(...done(session.editor.undo([id], you)).revisions.map(each => each.id))
      expect(state(session.store)).toEqual(before)
      done(session.editor.undo(undone, you))
      expect(state(session.store)).toEqual(after)
      session.library.close()
    }),
    { numRuns: 40 },
  )
  atLeast({ done: 50, refused: 10 })
})

/** Make a change to a world with a skill, on a disk that fails at each write in turn. */
function failEverywhere(
  which: number,
  at: number,
  how: 'killed' | 'ENOSPC' | 'EACCES',
  check: (worlds: {
    before: unknown
    after: unknown
    found: unknown
    isRefused: boolean
    isLogged: boolean
  }) => void,
): number {
  let nth = 1
  for (; nth < 200; nth++) {
    const { home, state, log } = aWorld()
    using _ = home
    const first = home.start()
    const { id } = made(first.editor, 'skill-0', agent)
    done(first.editor.save({ id, path: 'assets/0.txt', text: 'old' }, you))
    home.put('home/skills/skill-0/assets/logo.png', Buffer.from([0, 3]))
    done(first.editor.save({ id: 'bundled/clean-csv', path: 'references/x.md', text: 'x' }, you))
    first.library.close()
    const before = state(first.store)
    const logged = log(first.store)
    const failing = failingDisk(nth, how)
    const second = home.start(failing.disk)
    let isRefused = false
    try {
      isRefused = isRefusal(doings[which]!(second, at, home.at('fetched')))
    } catch (error) {
      expect(String(error)).toContain('killed')
    }
    second.library.close()
    const isThrough = failing.calls() < nth
    const between = how === 'killed' ? undefined : state(second.store)
    const third = home.start()
    const found = state(third.store)
    if (between) expect(found).toEqual(between)
    expect(third.store.pending()).toBeUndefined()
    for (const folder of ['home/skills', 'home/imported-skills'])
      expect(Object.keys(home.files(folder)).filter(path => path.includes('.changing'))).toEqual([])
    const isLogged = log(third.store).length > logged.length
    // A change made despite the failure can be undone.
    if (isLogged) {
      const fresh = log(third.store).filter(each => !logged.includes(each))
      done(third.editor.undo(fresh, you))
      expect(state(third.store)).toEqual(before)
      done(third.editor.undo(log(third.store).slice(0, fresh.length), you))
    }
    const after = isThrough || isLogged ? state(third.store) : undefined
    check({ before, after, found, isRefused, isLogged })
    third.library.close()
    if (isThrough) return nth
  }
  return nth
}

/** Each of these numbers picks a change that has an effect on the world below. */
const cases = Object.entries({
  create: 1,
  save: 0,
  add: 0,
  rename: 0,
  removeFile: 2,
  remove: 1,
  disable: 1,
  reset: 0,
  install: 0,
  undo: 2,
  restore: 7,
}).map(([name, at], which) => [name, which, at] as const)

test.for(cases)('%s, killed at any moment, is done completely or not at all', ([, which, at]) => {
  const outcomes = new Set<boolean>()
  const writes = failEverywhere(which, at, 'killed', ({ before, after, found, isLogged }) => {
    outcomes.add(isLogged)
    expect(found).toEqual(isLogged ? after : before)
  })
  expect(writes).toBeGreaterThan(2)
  expect(outcomes).toEqual(new Set([true, false]))
})

const onFullDisk = cases.filter(([name]) => ['save', 'rename', 'remove', 'install'].includes(name))

test.for(onFullDisk)(
  '%s with the disk full at any moment is refused, and nothing has changed',
  ([, which, at]) => {
    failEverywhere(which, at, 'ENOSPC', ({ before, found, isRefused, isLogged }) => {
      // A failure after everything is done only leaves temporary files.
      expect(isRefused).toBe(!isLogged)
      if (isRefused) expect(found).toEqual(before)
    })
  },
)

test('a change that cannot be recorded in the history is reverted, at the next start if necessary', () => {
  const { home, state } = aWorld()
  using _ = home
  const first = home.start()
  const { id } = made(first.editor, 'haiku')
  const before = state(first.store)
  const full = () => {
    throw new Fault('internal', 'The disk is full.')
  }
  const change = { id, path: 'SKILL.md', text: skillText('haiku', 'New.') }
  const noCommit = home.start(realDisk, { commit: full })
  expect(noCommit.editor.save(change, you)).toEqual({ refused: 'Not saved: The disk is full.' })
  expect([state(first.store), first.store.pending()]).toEqual([before, undefined])

  const noEnd = home.start(realDisk, { commit: full, giveUp: full })
  expect(noEnd.editor.save(change, you)).toHaveProperty('refused')
  expect(noEnd.editor.save(change, you)).toEqual({
    refused: expect.stringContaining('could not be finished') as string,
  })
  expect(state(first.store)).toEqual(before)
  const { editor, store } = home.start()
  expect([state(store), store.pending()]).toEqual([before, undefined])
  expect(done(editor.save(change, you)).revisions).toHaveLength(1)
})

test('a change that can be neither completed nor reverted is completed later', () => {
  const { home, state } = aWorld()
  using _ = home
  const first = home.start()
  const ids = ['haiku', 'tanka'].map(name => made(first.editor, name).id)
  let renames = 0
  const stuck: Disk = {
    ...realDisk,
    rename(from, to) {
      if (++renames > 1) throw Object.assign(new Error('no'), { code: 'EACCES', path: to })
      realDisk.rename(from, to)
    },
  }
  const second = home.start(stuck)
  expect(second.editor.remove(ids, you)).toEqual({
    refused: expect.stringContaining('could not be taken back either') as string,
  })
  const third = home.start()
  expect([state(third.store).own, third.store.pending()]).toEqual([[], undefined])
  const { revisions } = third.store.history({ limit: 2 })
  done(
    third.editor.undo(
      revisions.map(each => each.id),
      you,
    ),
  )
  expect(state(third.store).own).toHaveLength(2)
  home.reported.length = 0
})

test('a folder that is not writable is reported', context => {
  context.skip(process.platform === 'win32', 'Windows knows no such right')
  context.skip(process.getuid?.() === 0, 'root may write everywhere')
  const { home } = aWorld()
  using _ = home
  const { editor } = home.start()
  const { id } = made(editor, 'haiku')
  chmodSync(home.at('home/skills'), 0o500)
  const outcome = editor.save({ id, path: 'SKILL.md', text: skillText('haiku', 'New.') }, you)
  chmodSync(home.at('home/skills'), 0o700)
  expect(outcome).toMatchObject({ refused: expect.stringContaining('cannot be written') as string })
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku') })
})

test('a manual edit between a crash and the next start is kept', () => {
  const { home } = aWorld()
  using _ = home
  const first = home.start()
  const { id } = made(first.editor, 'haiku')
  const { disk } = failingDisk(0, 'killed')
  const killed: Disk = {
    ...disk,
    rename: () => {
      throw new Error('killed')
    },
  }
  const second = home.start(killed)
  expect(() => second.editor.save({ id, path: 'SKILL.md', text: skillText('haiku', 'New.') }, agent)).toThrow(
    'killed',
  )
  home.put('home/skills/haiku/SKILL.md', skillText('haiku', 'By hand.'))
  home.start()
  expect(home.files('home/skills')).toEqual({ 'haiku/SKILL.md': skillText('haiku', 'By hand.') })
})
