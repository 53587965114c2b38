import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aLine, appendToSpool, aSpool, spooled, spoolPath } from '../../../../testing/other-agents/a-spool.ts'
import { until } from '../../../../testing/until.ts'
import { openSpool } from './open-spool.ts'

// What scripts inside other programs write into the spool, with real files and a real store.

const HOUR_MS = 60 * 60_000

test('events are stored under their session, and the file is deleted', async () => {
  await using made = aSpool()
  made.append('s1', aLine('Use tabs.', { id: 'a', cwd: '/home/me/site', model: 'opus' }))
  made.append('s1', aLine('', { id: 'b', event: { type: 'session_end' }, at: 5_000 }))
  await made.spool.readNow()
  expect(made.texts()).toEqual(['Use tabs.', 'session_end'])
  expect(made.store.foreign.get('claude-code:s1')).toMatchObject({
    agent: 'claude-code',
    folder: '/home/me/site',
    model: 'opus',
    endedAt: 5_000,
    isImported: false,
  })
  expect(spooled(made.home)).toEqual([])
  expect(made.errors).toEqual([])
})

test('the same event counts once, however often it comes', async () => {
  await using made = aSpool()
  for (const _ of [1, 2]) {
    made.append('s1', aLine('one', { id: 'a' }), aLine('one', { id: 'a' }), aLine('two', { id: 'b' }))
    await made.spool.readNow()
  }
  expect(made.texts()).toEqual(['one', 'two'])
})

test('the spool is read by itself at the start and again later, and never where it is not carried', async () => {
  await using made = aSpool({ firstMs: 0, everyMs: 20 }, { isCarried: true })
  await using idle = aSpool({ firstMs: 0, everyMs: 20 })
  for (const each of [made, idle]) each.append('s1', aLine('first'))
  await until(() => made.texts().length === 1)
  made.append('s1', aLine('second'))
  await until(() => made.texts().length === 2)
  expect(idle.texts()).toEqual([])
  expect(spooled(idle.home)).toEqual(['s1.jsonl'])
})

test('what is appended to a taken file by a program that had it open is read before the file goes', async () => {
  await using made = aSpool({ graceMs: Number.MAX_SAFE_INTEGER })
  made.append('s1', aLine('one'))
  const late = openSync(spoolPath(made.home), 'a')
  await made.spool.readNow()
  writeSync(late, aLine('two'))
  closeSync(late)
  made.append('s1', aLine('three'))
  expect(spooled(made.home)).toHaveLength(2)
  await made.spool.readNow()
  expect(made.texts()).toEqual(['one', 'two', 'three'])
  expect(spooled(made.home)).toHaveLength(2)
  // The next start reads them again, and they count once.
  await using next = aSpool()
  renameSync(join(made.home, 'inbox'), join(next.home, 'inbox'))
  await next.spool.readNow()
  expect(next.texts()).toEqual(['one', 'two', 'three'])
  expect(spooled(next.home)).toEqual([])
})

test('two readers at once lose nothing and count nothing twice', async () => {
  await using made = aSpool()
  const other = openSpool({
    home: made.home,
    store: made.store.foreign,
    allows: () => true,
    isCarried: false,
    onChange: () => undefined,
    now: Date.now,
    remark: text => made.log.push(text),
    report: error => made.errors.push(error),
    limits: { graceMs: 0 },
  })
  const expected: string[] = []
  for (let n = 0; n < 60; n++) {
    made.append(`s${n % 3}`, aLine(`event ${n}`))
    if (n % 3 === 0) expected.push(`event ${n}`)
    if (n % 5 === 0) await Promise.all([made.spool.readNow(), other.readNow()])
  }
  await Promise.all([made.spool.readNow(), other.readNow()])
  await made.spool.readNow()
  expect(made.texts('claude-code:s0').toSorted()).toEqual(expected.toSorted())
  expect(made.store.foreign.totals()).toMatchObject([{ events: 60, sessions: 3 }])
  expect(spooled(made.home)).toEqual([])
  expect(made.errors).toEqual([])
  await other.close()
})

test('a program that is switched off is not read, and what it wrote is deleted', async () => {
  await using made = aSpool()
  made.allowed.delete('claude-code')
  made.append('s1', aLine('secret'))
  appendToSpool(spoolPath(made.home, 'x', 'unknown-program'), aLine('secret'))
  appendToSpool(spoolPath(made.home, 'x', 'pi'), aLine('Hello.'))
  await made.spool.readNow()
  expect(made.store.foreign.totals().map(({ agent }) => agent)).toEqual(['pi'])
  expect([spooled(made.home), spooled(made.home, 'unknown-program')]).toEqual([[], []])
  expect(made.spool.noteOf('claude-code')).toContain('deleted unread (1 file)')
  expect(made.spool.noteOf('pi')).toBe('')
})

test('a program that is switched off while it is read is stored no further', async () => {
  await using made = aSpool(
    {},
    {
      store: {
        add: (session, events) => {
          made.allowed.clear()
          return made.store.foreign.add(session, events)
        },
      },
    },
  )
  made.append('s1', ...Array.from({ length: 350 }, (_, n) => aLine(`event ${n}`)))
  await made.spool.readNow()
  expect(made.texts()).toHaveLength(20)
  await made.spool.readNow()
  expect(spooled(made.home)).toEqual([])
})

test('a line that is too long, no JSON, of another version or no event is left out and counted', async () => {
  await using made = aSpool()
  const tooLong = aLine('x'.repeat(400_001))
  made.append('s1', aLine('one'), tooLong, 'nonsense\n', '\n', aLine('two'))
  await made.spool.readNow()
  expect(made.texts()).toEqual(['one', 'two'])
  expect(made.spool.noteOf('claude-code')).toBe('2 events from it could not be read.')
  made.append('s1', '{"v":2,"id":"x","at":1,"event":{}}\n', aLine('', { event: { type: 'dance' } }))
  await made.spool.readNow()
  expect(made.spool.noteOf('claude-code')).toContain('1 event came from a script of another version')
  expect(spooled(made.home)).toEqual([])
})

test('a long line at the end of a file is skipped, also when its end comes later', async () => {
  await using made = aSpool({ graceMs: Number.MAX_SAFE_INTEGER })
  made.append('s1', aLine('one'), `{"v":1,"x":"${'y'.repeat(900_000)}`)
  await made.spool.readNow()
  const [taken] = spooled(made.home)
  appendToSpool(join(made.home, 'inbox', 'claude-code', taken!), `zzz"}\n${aLine('two')}`)
  await made.spool.readNow()
  expect(made.texts()).toEqual(['one', 'two'])
  expect(made.spool.noteOf('claude-code')).toBe('1 event from it could not be read.')
})

test('a cut last line waits for its end for an hour', async () => {
  let now = Date.now()
  await using made = aSpool({}, { now: () => now })
  const line = aLine('two')
  made.append('s1', aLine('one'), line.slice(0, 30))
  await made.spool.readNow()
  const [taken] = spooled(made.home)
  expect(made.texts()).toEqual(['one'])
  expect(taken).toMatch(/^s1\.jsonl\.\d+-\d+-\d+\.taken$/)
  appendToSpool(join(made.home, 'inbox', 'claude-code', taken!), line.slice(30))
  await made.spool.readNow()
  expect(made.texts()).toEqual(['one', 'two'])
  expect(spooled(made.home)).toEqual([])

  made.append('s1', aLine('three'), aLine('long '.repeat(10_000)).slice(0, -30))
  await made.spool.readNow()
  now += HOUR_MS - 60_000
  await made.spool.readNow()
  expect(spooled(made.home)).toHaveLength(1)
  now += 120_000
  await made.spool.readNow()
  expect(spooled(made.home)).toEqual([])
  expect(made.texts()).toEqual(['one', 'two', 'three'])
  expect(made.spool.noteOf('claude-code')).toBe('1 event from it could not be read.')
})

test('a last line that only lacks its line break is whole', async () => {
  await using made = aSpool()
  made.append('s1', aLine('üöä').trimEnd())
  await made.spool.readNow()
  expect(made.texts()).toEqual(['üöä'])
  expect(spooled(made.home)).toEqual([])
})

test('links, pipes, sockets and folders are never opened, and told once', async () => {
  await using made = aSpool()
  const at = (session: string) => spoolPath(made.home, session)
  made.append('s1', aLine('one'))
  const outside = join(made.home, 'outside.jsonl')
  writeFileSync(outside, aLine('of others'))
  symlinkSync(outside, at('linked'))
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  const server = createServer()
  await new Promise<void>(done => server.listen(at('socket'), done))
  const elsewhere = join(made.home, 'elsewhere')
  appendToSpool(join(elsewhere, 'x.jsonl'), aLine('of others'))
  symlinkSync(elsewhere, join(made.home, 'inbox', 'pi'))
  for (const _ of [1, 2]) await made.spool.readNow()
  expect(made.store.foreign.totals()).toMatchObject([{ agent: 'claude-code', events: 1 }])
  expect(spooled(made.home)).toEqual(['folder.jsonl', 'linked.jsonl', 'pipe.jsonl', 'socket.jsonl'])
  expect(existsSync(outside)).toBe(true)
  expect(readdirSync(elsewhere)).toEqual(['x.jsonl'])
  expect(made.log.filter(line => line.includes('is not read')).length).toBe(5)
  server.close()
})

test('names that no script of ours gives are left alone', async () => {
  await using made = aSpool()
  const names = ['notes.txt', '.hidden.jsonl', 'a b.jsonl', `${'x'.repeat(195)}.jsonl`, 's1.jsonl.1.taken']
  for (const name of names) appendToSpool(join(made.home, 'inbox', 'claude-code', name), aLine('no'))
  appendToSpool(join(made.home, 'inbox', '.odd', 's1.jsonl'), aLine('no'))
  await made.spool.readNow()
  expect(made.store.foreign.totals()).toEqual([])
  expect(spooled(made.home)).toEqual(names.toSorted())
  expect(made.log).toEqual([])
})

test('of more than the spool may hold the oldest goes unread, and it is said', async () => {
  await using made = aSpool({ spoolBytes: 10_000 })
  const lines = (from: number) => Array.from({ length: 50 }, (_, n) => aLine(`event ${from + n}`))
  for (const [n, session] of ['oldest', 'older', 's1'].entries()) {
    made.append(session, ...lines(n * 100))
    utimesSync(spoolPath(made.home, session), 1_000 + n, 1_000 + n)
  }
  await made.spool.readNow()
  expect(made.texts('claude-code:s1')).toHaveLength(50)
  const older = made.texts('claude-code:older')
  expect(older.length).toBeGreaterThan(5)
  expect(older.length).toBeLessThan(50)
  expect(older.at(-1)).toBe('event 149')
  expect(made.texts('claude-code:oldest')).toEqual([])
  expect(spooled(made.home)).toEqual([])
  expect(made.log).toEqual([expect.stringMatching(/events of other programs: .* deleted unread/)])
  expect(made.spool.noteOf('claude-code')).toContain('too many at once')
  await made.spool.readNow()
  expect(made.log).toHaveLength(1)
})

test('a full database costs nothing: the file stays, and is read on later', async () => {
  let isFull = false
  let calls = 0
  await using made = aSpool(
    {},
    {
      store: {
        add: (session, events) => {
          if (isFull && ++calls > 1) throw new Error('the disk is full')
          return made.store.foreign.add(session, events)
        },
      },
    },
  )
  isFull = true
  made.append('s1', ...Array.from({ length: 250 }, (_, n) => aLine(`event ${n}`)))
  made.append('s2', aLine('another'))
  for (const _ of [1, 2]) await made.spool.readNow()
  expect(made.texts()).toHaveLength(20)
  expect(made.errors).toHaveLength(1)
  isFull = false
  await made.spool.readNow()
  expect(made.texts()).toEqual(Array.from({ length: 250 }, (_, n) => `event ${n}`))
  expect(made.texts('claude-code:s2')).toEqual(['another'])
  expect(spooled(made.home)).toEqual([])
})

test('a date that cannot be is the time when it was read', async () => {
  const now = Date.now()
  await using made = aSpool({}, { now: () => now })
  made.append('s1', aLine('a', { at: 1e300 }), aLine('b', { at: -5 }), aLine('c', { at: now - 1_000 }))
  await made.spool.readNow()
  expect(made.store.foreign.events('claude-code:s1').map(({ event }) => event.at)).toEqual([
    now,
    now,
    now - 1_000,
  ])
})

test('what is stored has bounds in bytes and in days: the oldest sessions go', async () => {
  await using made = aSpool({ storeBytes: 30_000, storeMs: 10 * HOUR_MS })
  const now = Date.now()
  for (const [n, session] of ['much-too-old', 'old', 'new'].entries())
    made.append(
      session,
      ...Array.from({ length: 100 }, () => aLine('x'.repeat(150), { at: now - [11, 5, 1][n]! * HOUR_MS })),
    )
  await made.spool.readNow()
  expect(made.store.foreign.list({ limit: 9 }).map(({ id }) => id)).toEqual(['claude-code:new'])
})

test('forgetting a text reads what waits, and removes every event that holds it', async () => {
  await using made = aSpool({ graceMs: Number.MAX_SAFE_INTEGER })
  made.append('s1', aLine('My dog is “Rex”.'), aLine('Something else.'))
  await made.spool.readNow()
  made.append('s2', aLine('the same: My dog is “Rex”.'), '{"v":1,"id":"cut My dog is “Rex”.')
  expect(await made.spool.forget(['My dog is “Rex”.'])).toEqual([])
  expect(made.texts()).toEqual(['Something else.'])
  expect(made.texts('claude-code:s2')).toEqual([])
  expect(spooled(made.home)).toEqual([])
})

test('a spool that is closed while it reads leaves its files for the next start', async () => {
  await using made = aSpool()
  made.append('s1', ...Array.from({ length: 2_000 }, (_, n) => aLine(`event ${n}`)))
  const reading = made.spool.readNow().catch(() => 'closed')
  await until(() => made.texts().length > 0)
  await made.spool.close()
  expect(await reading).toBe('closed')
  expect(spooled(made.home)).toHaveLength(1)
  await using next = aSpool()
  renameSync(join(made.home, 'inbox'), join(next.home, 'inbox'))
  await next.spool.readNow()
  expect(next.texts()).toHaveLength(2_000)
})
