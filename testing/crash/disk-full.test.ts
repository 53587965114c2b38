import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/shared/rpc.ts'
import { parseNotes } from '../../src/main/memory/note-files.ts'
import { openMemory, type Memory } from '../../src/main/memory/open-memory.ts'
import { openStore } from '../../src/main/db/store.ts'
import type { Store } from '../../src/main/db/store.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { wordsIn } from '../purge/plant-chat.ts'
import { aSmallDisk } from './small-disk.ts'

// Where no disk can be mounted, `src/main/memory/memory.test.ts` still tests a write that fails with ENOSPC.
const first = aSmallDisk(1)
const reason = isRefusal(first) ? first.refused : undefined
if ('path' in first) first[Symbol.dispose]()
if (reason !== undefined) console.warn(`Not tried on a full disk: ${reason}.`)

const BY = { actor: 'agent', sessionId: null, messageId: null, reviewId: null } as const

describe.skipIf(reason !== undefined)('on a disk that is full', () => {
  test('a write is there, or it is refused in a sentence and the old file is whole', () => {
    using disk = smallDisk()
    const home = join(disk.path, 'home')
    mkdirSync(home)
    let opened = open(home)
    expect(remember(opened.memory, 'The first fact.')).toBeUndefined()
    const believed = ['The first fact.']
    const trouble = new Set<string>()

    // From no free space to enough, so that the disk gets full at every step of a change.
    for (let free = 0; free <= 160_000; free += 4_096) {
      const text = `Fact with ${free} bytes free. ${'word '.repeat(60)}`.trim()
      disk.leave(free)
      const refused = remember(opened.memory, text)
      if (refused === undefined) believed.push(text)
      else trouble.add(refused)
      // The file fitted, but neither its record nor restoring the old file did.
      const isInFile = refused?.includes('has the change already') ?? false
      if (isInFile) believed.push(text)
      expect({ free, refused, inFile: factsIn(home) }).toEqual({ free, refused, inFile: believed })
    }
    for (const sentence of trouble) expect(sentence).toMatch(/the disk is full/i)
    expect(trouble.size).toBeGreaterThan(0)
    expect(believed.length).toBeGreaterThan(2)

    disk.leave(400_000)
    opened.store.close()
    opened = open(home)
    const { entries, outside } = opened.memory.view()
    expect(entries.map(entry => entry.text).toSorted()).toEqual(believed.toSorted())
    expect(new Set(entries.map(entry => entry.origin))).toEqual(new Set(['agent']))
    expect(outside).toEqual([])
    expect(factsIn(home).toSorted()).toEqual(believed.toSorted())
    opened.store.close()
  })

  test('a message is stored whole or refused in a sentence, and chats go on when there is room again', () => {
    using disk = smallDisk()
    const { store } = open(disk.path)
    const { id } = store.sessions.create({
      modelId: 'none',
      workspace: '/',
      approval: 'ask',
      origin: 'terminal',
    })
    const say = (text: string) =>
      void store.messages.append({ role: 'user', sessionId: id, at: Date.now(), text })
    const long = 'word '.repeat(4_000)
    const stored: string[] = []
    disk.leave(100_000)
    const fill = () => {
      for (let n = 0; n < 100; n++) {
        say(`${n} ${long}`)
        stored.push(`${n} ${long}`)
      }
    }
    expect(fill).toThrow(
      expect.objectContaining({ message: expect.stringContaining('the disk is full') as string }),
    )
    disk.leave(600_000)
    say('There is room again.')
    const texts = store.messages.history(id).map(message => message.text)
    expect(texts).toEqual([...stored, 'There is room again.'])
    store.close()
  })

  test('a chat whose removal runs out of space is removed once there is room, and no other one suffers', async () => {
    using disk = smallDisk(16)
    let { store } = open(disk.path)
    const chats = ['secretzq', 'staysqz'].map(word => {
      const { id } = store.sessions.create({
        modelId: 'none',
        workspace: '/',
        approval: 'ask',
        origin: 'terminal',
      })
      for (let n = 0; n < 120; n++)
        store.messages.append({
          role: 'user',
          sessionId: id,
          at: n,
          text: `${word} ${n} ${'word '.repeat(50)}`,
        })
      return id
    })
    const [gone = '', stays = ''] = chats
    store.sessions.remove(gone)
    store.purge.begin([gone], { asked: true })
    // After reopening, the log is empty and has to grow.
    store.close()
    ;({ store } = open(disk.path))

    const trouble: string[] = []
    let isDone = false
    for (let free = 0; !isDone; free += 65_536) {
      disk.leave(free)
      try {
        while (!store.purge.erase(gone));
        while (!store.purge.merge());
        while (store.pages.step() !== 'done');
        await store.pages.sync()
        store.purge.finish([gone])
        store.purge.emptyLog()
        isDone = true
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        trouble.push(error.message)
        expect(store.purge.pending()).toHaveLength(1)
      }
      expect(store.messages.history(stays)).toHaveLength(120)
    }
    for (const sentence of trouble) expect(sentence).toMatch(/the disk is full/i)
    expect(trouble.length).toBeGreaterThan(0)
    expect(store.purge.pending()).toEqual([])
    store.close()
    expect(Object.keys(await wordsIn(disk.path, ['secretzq', 'staysqz']))).toEqual(['staysqz'])
  })
})

function smallDisk(megabytes = 4) {
  const disk = aSmallDisk(megabytes)
  if (isRefusal(disk)) throw new Error(disk.refused)
  return disk
}

function open(home: string): { store: Store; memory: Memory } {
  const report = (error: unknown) => {
    throw error
  }
  const { store } = openStore(home, { clock: Date.now, report })
  const limits = () => ({ user: 100_000, memory: 100_000 })
  const parts = { home, store: store.memory, limits, now: Date.now, onChange: () => {} }
  return { store, memory: openMemory({ ...parts, count: text => text.length }) }
}

/** Remember a text. Returns the refusal; undefined on success. */
function remember(memory: Memory, text: string): string | undefined {
  try {
    const outcome = memory.change([{ kind: 'add', target: 'user', project: null, text }], BY)
    return isRefusal(outcome) ? outcome.refused : undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function factsIn(home: string): string[] {
  const path = join(home, 'memories', 'USER.md')
  return existsSync(path) ? parseNotes(readFileSync(path, 'utf8')) : []
}
