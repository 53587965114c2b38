import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { user } from '../../../../testing/db/a-store.ts'
import { giveDatabase } from '../../../../testing/db/give-database.ts'
import { moments } from '../../../../testing/moments.ts'
import { aPlace, giveToNobody, hasOtherUser, startAsNobody } from '../../../../testing/purge/as-nobody.ts'
import { HOSTILE, nest } from '../../../../testing/purge/hostile-trees.ts'
import { openStore } from '../../db/store.ts'

/** A home with three deleted chats, each with a word and a folder for temporary files, and one that stays. */
function aHomeOfDeleted() {
  const place = aPlace()
  const home = join(place.path, 'home')
  const outside = join(place.path, 'outside')
  for (const each of [home, outside]) mkdirSync(each)
  writeFileSync(join(outside, 'canary'), 'alive')
  chmodSync(join(outside, 'canary'), 0o444)
  chmodSync(outside, 0o555)
  giveDatabase(home)
  const report = (error: unknown) => {
    throw error
  }
  const { store } = openStore(home, { clock: Date.now, report })
  const ids = ['one', 'two', 'three', 'stays'].map(word => {
    const { id } = store.sessions.create({
      modelId: 'builtin',
      workspace: place.path,
      approval: 'ask',
      origin: 'window',
    })
    store.messages.append(user(id, `secretword${word} ${'and more '.repeat(200)}`))
    if (word !== 'stays') store.sessions.remove(id)
    return id
  })
  store.close()
  const chats = ids.slice(0, 3)
  const temporary = chats.map(id => join(home, 'cache', 'tmp', id))
  for (const folder of temporary) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'notes'), 'secretfile')
  }
  const canary = () => [statSync(outside).mode & 0o777, readFileSync(join(outside, 'canary'), 'utf8')]
  return { home, outside, chats, temporary, canary, [Symbol.dispose]: place[Symbol.dispose] }
}

/** Purge chats as an ordinary user, and return what `session.deleted` then says. */
async function purgeAll(home: string, ids: readonly string[] = []): Promise<unknown> {
  const child = startAsNobody(SCRIPT, home, ids)
  const said = await text(child.stdout!)
  return JSON.parse(said.split('\n').at(-2) ?? '')
}

/** Return the words of chats that are still in the database's bytes. */
function wordsLeft(home: string): string[] {
  const files = readdirSync(home).filter(name => name.startsWith('state.db'))
  const all = Buffer.concat(files.map(name => readFileSync(join(home, name))))
  return ['one', 'two', 'three', 'stays'].filter(word => all.includes(`secretword${word}`))
}

const SCRIPT = new URL('../../../../testing/purge/purge-chats.ts', import.meta.url)
const GONE = { chats: [], removing: 0, unremoved: [] }

/**
 * Each tree is in a chat between two ordinary ones, or three chats have one each: starting hosts takes long.
 */
const names = Object.keys(HOSTILE)
const TREES = moments<[string, ...(string | undefined)[]]>({
  every: names.map(name => [name, undefined, name, undefined]),
  some: names.flatMap((_, at) => {
    const three = names.slice(at, at + 3)
    return at % 3 === 0 ? [[three.join('; '), ...three]] : []
  }),
})

describe('a deleted chat with files that resist', () => {
  test.for(TREES)('%s', async ([, ...trees]) => {
    using made = aHomeOfDeleted()
    const { home, temporary, outside, chats } = made
    giveToNobody(home)
    for (const [at, name] of trees.entries())
      if (name !== undefined) await HOSTILE[name]!(temporary[at]!, outside)
    giveToNobody(home)
    giveToNobody(outside)
    expect(await purgeAll(home, chats)).toMatchObject(GONE)
    expect(wordsLeft(home)).toEqual(['stays'])
    expect(temporary.filter(each => existsSync(each))).toEqual([])
    expect(made.canary()).toEqual([0o555, 'alive'])
  })

  const whyNot = hasOtherUser ? undefined : 'nothing here can belong to another user'
  if (whyNot !== undefined) console.warn(`Not tried what cannot be removed: ${whyNot}.`)

  test.skipIf(whyNot !== undefined)(
    'what cannot be removed is named, holds nothing else back, and goes when it can',
    async () => {
      using made = aHomeOfDeleted()
      const { home, temporary, chats } = made
      nest(temporary[0]!, 40)
      giveToNobody(home)
      const foreign = join(temporary[0]!, 'foreign')
      mkdirSync(foreign)
      writeFileSync(join(foreign, 'file'), '')
      const left = {
        id: chats[0],
        files: [{ path: join(foreign, 'file'), why: 'this user may not remove it' }],
      }
      for (const ids of [chats, [], [chats[0]!]]) {
        expect(await purgeAll(home, ids)).toMatchObject({ chats: [], removing: 0, unremoved: [left] })
        expect(wordsLeft(home)).toEqual(['stays'])
        expect(temporary.map(each => existsSync(each))).toEqual([true, false, false])
      }
      expect(readdirSync(temporary[0]!)).toContain('foreign')
      giveToNobody(home)
      expect(await purgeAll(home)).toMatchObject(GONE)
      expect(existsSync(temporary[0]!)).toBe(false)
    },
  )

  test('is finished by the next start when the process is killed in between', async () => {
    using made = aHomeOfDeleted()
    const { home, temporary, chats, outside } = made
    for (const [at, name] of [
      'folders 900 deep',
      'folders without any right',
      'thousands of entries',
    ].entries())
      await HOSTILE[name]!(temporary[at]!, outside)
    giveToNobody(home)
    for (const delay of moments({ every: [0, 40, 150, 400, 900], some: [0, 200] })) {
      const child = startAsNobody(SCRIPT, home, chats)
      const gone = once(child, 'exit')
      for await (const line of createInterface(child.stdout!)) {
        if (line === 'begun') await sleep(delay)
        child.kill('SIGKILL')
      }
      await gone
    }
    expect(await purgeAll(home)).toMatchObject(GONE)
    expect(wordsLeft(home)).toEqual(['stays'])
    expect(temporary.filter(each => existsSync(each))).toEqual([])
  })

  test('that an older version began to remove goes too', async () => {
    using made = aHomeOfDeleted()
    const { home, temporary, chats } = made
    const { store } = openStore(home, { clock: Date.now, report: () => {} })
    // An older version kept no list of files, and had deleted some of the rows.
    store.purge.begin(chats, { asked: true })
    store.purge.erase(chats[1]!)
    store.close()
    giveToNobody(home)
    expect(await purgeAll(home)).toMatchObject(GONE)
    expect(wordsLeft(home)).toEqual(['stays'])
    expect(temporary.filter(each => existsSync(each))).toEqual([])
  })
})
