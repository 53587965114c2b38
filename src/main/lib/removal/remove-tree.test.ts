import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setImmediate as others } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aPlace, giveToNobody, startAsNobody } from '../../../../testing/purge/as-nobody.ts'
import { HOSTILE, nest } from '../../../../testing/purge/hostile-trees.ts'
import type { Holding } from './own-folder.ts'
import { fileErrorCode } from '../expected-errors.ts'
import { removeTree } from './remove-tree.ts'

const HOLDINGS: Holding[] = process.platform === 'linux' ? ['descriptors', 'paths'] : ['paths']

const SCRIPT = new URL('../../../../testing/purge/remove-folders.ts', import.meta.url)

function anOutside(place: string) {
  const outside = join(place, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'canary'), 'alive', { mode: 0o600 })
  return {
    outside,
    look: () => [
      lstatSync(outside).mode,
      readdirSync(outside),
      readFileSync(join(outside, 'canary'), 'utf8'),
    ],
  }
}

test.for(HOLDINGS)('every tree that resists is removed, folders held by %s', async holding => {
  using place = aPlace()
  const { outside, look } = anOutside(place.path)
  const trees = join(place.path, 'trees')
  mkdirSync(trees)
  const before = look()
  for (const [name, build] of Object.entries(HOSTILE)) {
    mkdirSync(join(trees, name))
    await build(join(trees, name), outside)
  }
  giveToNobody(place.path)
  expect(await json(startAsNobody(SCRIPT, trees, [holding]).stdout!)).toEqual([])
  expect([readdirSync(trees), look()]).toEqual([[], before])
})

test.for(HOLDINGS)(
  'a folder that becomes a link meanwhile leads nowhere, folders held by %s',
  async holding => {
    using place = aPlace()
    const { outside, look } = anOutside(place.path)
    const before = look()
    const root = join(place.path, 'root')
    mkdirSync(root)
    nest(root, 30)
    for (let n = 0; n < 20; n++) nest(root, 5, `a${n}`)
    const state = { isOver: false }
    const removing = removeTree(root, { holding }).finally(() => (state.isOver = true))
    // Whatever is there briefly becomes a link, again and again, between any two steps.
    for (let n = 0; !state.isOver; n++) {
      const names = existsSync(root) ? readdirSync(root) : []
      const path = join(root, names[n % Math.max(1, names.length)] ?? 'none')
      const aside = join(place.path, `aside ${n}`)
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        // The removal runs in threads, so an entry that existed a moment ago may be gone.
        if (!isDone(() => renameSync(path, aside))) continue
        isDone(() => symlinkSync(outside, path))
        await others()
        isDone(() => unlinkSync(path))
        isDone(() => renameSync(aside, path))
      }
      await others()
    }
    await removing
    expect(await removeTree(root, { holding })).toEqual([])
    expect([existsSync(root), look()]).toEqual([false, before])
  },
)

/** Return whether a step came in time, between those of a removal. */
function isDone(step: () => void): boolean {
  try {
    step()
    return true
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}

test('a link is removed and what it leads to stays, and nothing is nothing to remove', async () => {
  using place = aPlace()
  const { outside, look } = anOutside(place.path)
  const before = look()
  symlinkSync(outside, join(place.path, 'link'))
  for (const name of ['link', 'link', 'no/such/folder'])
    expect(await removeTree(join(place.path, name))).toEqual([])
  expect([existsSync(join(place.path, 'link')), look()]).toEqual([false, before])
})

test('a removal that is stopped goes on with the next one', async () => {
  using place = aPlace()
  const root = join(place.path, 'root')
  mkdirSync(root)
  for (let n = 0; n < 300; n++) writeFileSync(join(root, `${n}`), '')
  const stop = new AbortController()
  const removing = removeTree(root, { signal: stop.signal })
  await others()
  stop.abort()
  await expect(removing).rejects.toThrow('aborted')
  expect(await removeTree(root)).toEqual([])
  expect(existsSync(root)).toBe(false)
})
