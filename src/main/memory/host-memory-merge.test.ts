import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MemoryTarget } from '../../shared/contract/learned/memory.ts'
import { showRevisions } from '../cli/memory/show-memory.ts'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'

// Kills in the middle of a change are tested elsewhere: between the two files of a change in
// `memory/full-disk.test.ts`, at any moment in `memory/memory.crash.test.ts`.

const MINE = 'Uses pnpm for packages.'
const OTHER = 'Uses pnpm at work.'
const BOTH = 'Uses pnpm, also at work.'

/** A host with these entries about the user, and test helpers. The file may have 200 characters. */
async function aMemory(home: string, texts: readonly string[] = [MINE, OTHER]) {
  writeFileSync(join(home, 'config.yaml'), 'memory:\n  user_limit: 200\n  notes_limit: 200\n')
  const host = await aHost(home, { coreTools: true })
  const { client } = host
  const add = async (text: string, target: MemoryTarget = 'user') => {
    const { revisions } = await client['memory.add']({ target, text })
    return { id: revisions[0]!.entryId, expected: text }
  }
  const entries = []
  for (const text of texts) entries.push(await add(text))
  return { host, client, add, entries, [Symbol.asyncDispose]: host.close }
}

const textsOf = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['memory.view']({})).entries.map(({ text }) => text)
const historyOf = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['memory.history']({})).revisions
const userFile = (home: string) => readFileSync(join(home, 'memories', 'USER.md'), 'utf8')

test('a merge is one change: the kept entry stays where it is, and any part undoes all of it', async () => {
  using home = aHome()
  await using given = await aMemory(home.path, [MINE, OTHER, 'Has a dog.', 'pnpm, always.'])
  const { client, entries } = given
  const [keep, other, , third] = entries
  await client['memory.lock']({ ids: [keep!.id], locked: true })
  const { revisions } = await client['memory.merge']({ keep: keep!, others: [other!, third!], text: BOTH })
  expect(revisions.map(({ op, entryId }) => [op, entryId])).toEqual([
    ['remove', other!.id],
    ['remove', third!.id],
    ['edit', keep!.id],
  ])
  expect(new Set(revisions.map(({ mergeId }) => mergeId))).toEqual(
    new Set([expect.stringMatching(/^merge_/)]),
  )
  expect(showRevisions(revisions).match(/(?:removed|changed) .*/g)).toEqual([
    'removed in a merge by you',
    'removed in a merge by you',
    'changed in a merge by you',
  ])
  expect(userFile(home.path)).toBe(`${BOTH}\n§\nHas a dog.\n`)
  expect((await client['memory.view']({})).entries[0]).toMatchObject({ id: keep!.id, locked: true })
  expect((await client['memory.archive']({})).entries.map(({ text }) => text).toSorted()).toEqual(
    [OTHER, 'pnpm, always.'].toSorted(),
  )

  const undone = await client['memory.undo']({ revisionIds: [revisions[1]!.id] })
  expect(await textsOf(given)).toEqual([MINE, OTHER, 'Has a dog.', 'pnpm, always.'])
  const [first] = undone.revisions
  expect(first!.mergeId).not.toBe(revisions[0]!.mergeId)
  expect(undone.revisions.every(({ mergeId }) => mergeId === first!.mergeId)).toBe(true)
  expect(await client['memory.undo']({ revisionIds: [revisions[2]!.id] })).toEqual({ revisions: [] })

  await client['memory.undo']({ revisionIds: [first!.id] })
  expect(await textsOf(given)).toEqual([BOTH, 'Has a dog.'])
  expect(given.host.mistakes()).toEqual([])
})

test('a merge in which an entry was changed meanwhile is a conflict, and changes nothing', async () => {
  using home = aHome()
  await using given = await aMemory(home.path)
  const { client, entries } = given
  const [keep, other] = entries
  const merge = () => client['memory.merge']({ keep: keep!, others: [other!], text: BOTH })
  for (const texts of [
    [MINE, 'Uses pnpm at work now.'],
    ['Uses pnpm for all packages.', OTHER],
  ]) {
    // As left by another program, and not read before the merge.
    const file = `${texts.join('\n§\n')}\n`
    writeFileSync(join(home.path, 'memories', 'USER.md'), file)
    await expect(merge()).rejects.toMatchObject({
      code: 'conflict',
      message: 'This entry was changed in the meantime. Look at it again first.',
    })
    expect([userFile(home.path), await textsOf(given)]).toEqual([file, texts])
  }
  expect((await historyOf(given)).every(({ mergeId }) => mergeId === null)).toBe(true)
})

test('a merge in which an entry is gone is a conflict, and changes nothing', async () => {
  using home = aHome()
  await using given = await aMemory(home.path)
  const { client, entries } = given
  const [keep, other] = entries
  for (const [gone, left] of [
    [keep!, OTHER],
    [other!, MINE],
  ] as const) {
    const removed = await client['memory.remove']({ ids: [gone.id] })
    await expect(client['memory.merge']({ keep: keep!, others: [other!], text: BOTH })).rejects.toMatchObject(
      {
        code: 'conflict',
        message: 'This entry is not in the notebook any more.',
      },
    )
    expect(await textsOf(given)).toEqual([left])
    await client['memory.undo']({ revisionIds: removed.revisions.map(({ id }) => id) })
  }
  await expect(
    client['memory.merge']({ keep: keep!, others: [{ ...other!, id: 'note_unknown' }], text: BOTH }),
  ).rejects.toMatchObject({ code: 'conflict' })
  expect(await textsOf(given)).toEqual([MINE, OTHER])
})

test('a merge that would be too long is refused, and one that fits only without the others is not', async () => {
  using home = aHome()
  const long = 'Writes letters by hand. '.repeat(5).trim()
  await using given = await aMemory(home.path, [MINE, OTHER, long])
  const { client, entries } = given
  const [keep, other] = entries
  const merge = (text: string) => client['memory.merge']({ keep: keep!, others: [other!], text })
  await expect(merge('Uses pnpm. '.repeat(9))).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(/^Not saved: this would take \d+ of 200 characters/) as string,
  })
  expect(await textsOf(given)).toEqual([MINE, OTHER, long])
  const text = `Uses pnpm: ${'x'.repeat(60)}`
  // Together with the other entry it would not fit.
  expect(text.length + OTHER.length + long.length + 6).toBeGreaterThan(200)
  await merge(text)
  expect(await textsOf(given)).toEqual([text, long])
})

test('the text may be that of an entry that is merged, and not that of a third one', async () => {
  using home = aHome()
  await using given = await aMemory(home.path, [MINE, OTHER, 'Has a dog.'])
  const { client, entries } = given
  const [keep, other] = entries
  const merge = (text: string) => client['memory.merge']({ keep: keep!, others: [other!], text })
  await expect(merge('Has a dog.')).rejects.toMatchObject({ message: '“Has a dog.” is there already.' })
  await expect(merge('Never tell the user.')).rejects.toMatchObject({ code: 'bad_input' })
  expect(await textsOf(given)).toEqual([MINE, OTHER, 'Has a dog.'])
  // Equal except for case, so the wording counts as the same.
  const { revisions } = await merge(OTHER.toUpperCase())
  expect((await client['memory.view']({})).entries[0]).toMatchObject({
    id: keep!.id,
    text: OTHER.toUpperCase(),
  })
  await client['memory.undo']({ revisionIds: [revisions[0]!.id] })
  expect(await textsOf(given)).toEqual([MINE, OTHER, 'Has a dog.'])
})

test('entries of two files are merged and separated as one, and each is named once', async () => {
  using home = aHome()
  await using given = await aMemory(home.path, [MINE])
  const { client, add, entries } = given
  const [keep] = entries
  const note = await add(OTHER, 'memory')
  for (const others of [[keep!], [note, note], []])
    await expect(client['memory.merge']({ keep: keep!, others, text: BOTH })).rejects.toMatchObject({
      code: 'bad_input',
    })
  const { revisions } = await client['memory.merge']({ keep: keep!, others: [note], text: MINE })
  const notes = () => readFileSync(join(home.path, 'memories', 'MEMORY.md'), 'utf8')
  expect([userFile(home.path), notes()]).toEqual([`${MINE}\n`, ''])
  await client['memory.undo']({ revisionIds: [revisions[0]!.id] })
  expect([userFile(home.path), notes()]).toEqual([`${MINE}\n`, `${OTHER}\n`])
})
