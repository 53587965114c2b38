import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aFolder, open, textsFound } from '../../../testing/db/a-store.ts'
import { lockHome } from './file/lock.ts'

const start = (fixture: string, home: string) =>
  spawn(process.execPath, [fileURLToPath(new URL(`../../../testing/db/${fixture}`, import.meta.url)), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function kill(child: ChildProcess) {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('after kill -9 every confirmed message and event is complete', async () => {
  using home = aFolder()
  const child = start('append-until-killed.ts', home.path)
  const confirmed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    confirmed.push(line)
    if (confirmed.length === 300) await kill(child)
  }

  const { store, notices } = open(home.path)
  const { sessions } = store.sessions.list({ query: '', limit: 1, offset: 0 })
  const [chat] = sessions
  const texts = store.messages.history(chat?.id ?? '').map(message => message.text)
  expect(notices).toEqual([])
  // The message being written may be there or not, but never in part.
  expect(texts.length - confirmed.length).toBeOneOf([0, 1])
  expect(texts).toEqual(texts.map((_, at) => `${at + 1} ${'word '.repeat((at + 1) % 700)}`))
  expect(chat?.messageCount).toBe(texts.length)
  const events = store.runs.after(chat?.activeRunId ?? '', 0)
  expect(events.map(event => event.seq)).toEqual(events.map((_, at) => at + 1))
  expect(events.length).toBeGreaterThanOrEqual(confirmed.length)
  expect(textsFound(store, 'word')).toHaveLength(texts.length)
  store.close()
})

test('after kill -9 in the middle of edits every confirmed message is there, and the path is whole', async () => {
  using home = aFolder()
  for (let round = 0; round < 3; round++) {
    const child = start('edit-until-killed.ts', home.path)
    let confirmed = 0
    for await (const line of createInterface({ input: child.stdout })) {
      confirmed = Number(line)
      if (confirmed === 60 + 17 * round) await kill(child)
    }
    const { store, notices } = open(home.path)
    expect(notices).toEqual([])
    const [chat] = store.sessions.list({ query: '', limit: 1, offset: 0 }).sessions
    const sessionId = chat?.id ?? ''
    const path = store.messages.page(sessionId, { limit: 500 }).messages
    expect(path.map(({ id }) => store.branches.get(sessionId, id)?.parentId ?? null)).toEqual([
      null,
      ...path.slice(0, -1).map(({ id }) => id),
    ])
    expect(textsFound(store, 'message').filter(text => text.startsWith('message'))).toHaveLength(
      store.sessions
        .list({ query: '', limit: 10, offset: 0 })
        .sessions.reduce((sum, { messageCount }) => sum + messageCount, 0),
    )
    expect((chat?.messageCount ?? 0) - confirmed).toBeOneOf([0, 1])
    store.close()
  }
})

test('a second process is told that the home is in use, until the first one is killed', async () => {
  using home = aFolder()
  const child = start('hold-lock.ts', home.path)
  await once(child.stdout, 'data')
  expect(() => lockHome(home.path)).toThrow(
    expect.objectContaining({
      code: 'busy',
      message: expect.stringContaining(`already running with the folder ${home.path}`),
    }),
  )
  await kill(child)
  lockHome(home.path).close()
})

test('a released home can be opened again', () => {
  using home = aFolder()
  const lock = lockHome(home.path)
  expect(() => lockHome(home.path)).toThrow('already running')
  lock.close()
  lockHome(home.path).close()
})

test.runIf(process.platform !== 'win32')(
  'the lock file is private, also when it was loose, and is never a link',
  () => {
    using home = aFolder()
    const path = join(home.path, '.lock')
    const modeOf = () => statSync(path).mode & 0o777
    const before = process.umask(0)
    try {
      lockHome(home.path).close()
      expect(modeOf()).toBe(0o600)
      chmodSync(path, 0o666)
      lockHome(home.path).close()
      expect(modeOf()).toBe(0o600)
    } finally {
      process.umask(before)
    }
    rmSync(path)
    writeFileSync(join(home.path, 'elsewhere'), 'mine')
    symlinkSync(join(home.path, 'elsewhere'), path)
    expect(() => lockHome(home.path)).toThrow(
      `${path} is a link, but the lock of Talaria must be a file. Delete the link.`,
    )
    expect(readFileSync(join(home.path, 'elsewhere'), 'utf8')).toBe('mine')
  },
)

test('a lock file overwritten by something else is named', () => {
  using home = aFolder()
  writeFileSync(
    join(home.path, '.lock'),
    'no lock at all, and long enough to be read as the header of a database. '.repeat(9),
  )
  expect(() => lockHome(home.path)).toThrow(
    `${join(home.path, '.lock')} is not a lock file of Talaria. Delete it.`,
  )
})
