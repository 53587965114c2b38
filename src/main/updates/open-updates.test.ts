import { describe, expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import type { Updater } from './updater.ts'
import { openUpdates } from './open-updates.ts'

/** Updates over an updater whose steps the test controls, and every state in order. */
function anUpdater(steps: Partial<Updater> = {}) {
  const done: string[] = []
  const reports: unknown[] = []
  const updater: Updater = {
    source: 'updates.example.org',
    check: async () => ({ version: '0.2.0', sizeBytes: 100 }),
    async download(onShare) {
      onShare(0.5)
      return undefined
    },
    install: () => void done.push('installed'),
    ...steps,
  }
  const parts = { hosting: 'desktop', now: () => 7, report: (error: unknown) => reports.push(error) } as const
  const updates = openUpdates({ ...parts, updater })
  const states: unknown[] = []
  updates.changes.subscribe(state => states.push(state))
  return { updates, states, reports, done }
}

const became = (updates: ReturnType<typeof openUpdates>, phase: string) =>
  expect.poll(() => updates.state().phase).toBe(phase)

describe('updates', () => {
  test('go from looking over downloading to installing, one step at each request', async () => {
    const { updates, states, done } = anUpdater()
    expect(updates.state()).toEqual({ phase: 'idle' })
    expect(updates.check()).toEqual({ phase: 'checking' })
    await became(updates, 'available')
    updates.download('0.2.0')
    await became(updates, 'ready')
    updates.install('0.2.0')
    expect([states, done]).toEqual([
      [
        { phase: 'checking' },
        { phase: 'available', version: '0.2.0', sizeBytes: 100 },
        { phase: 'downloading', version: '0.2.0', share: 0 },
        { phase: 'downloading', version: '0.2.0', share: 0.5 },
        { phase: 'ready', version: '0.2.0' },
      ],
      ['installed'],
    ])
  })

  test('download and install only the version that was shown', async () => {
    const { updates, done } = anUpdater()
    updates.check()
    await became(updates, 'available')
    expect(() => updates.download('0.1.9')).toThrow('changed since it was shown, so nothing was done')
    expect(updates.state()).toMatchObject({ phase: 'available' })
    updates.download('0.2.0')
    await became(updates, 'ready')
    expect(() => updates.install('0.1.9')).toThrow('changed since it was shown, so nothing was done')
    expect(done).toEqual([])
  })

  test('say when there is nothing newer', async () => {
    const { updates } = anUpdater({ check: async () => undefined })
    updates.check()
    await became(updates, 'current')
    expect(updates.state()).toEqual({ phase: 'current', checkedAt: 7 })
  })

  test('tell expected trouble in its own words, and can be tried again', async () => {
    const { updates, reports } = anUpdater({ check: async () => ({ refused: 'It is away.', fix: 'Wait.' }) })
    updates.check()
    await became(updates, 'failed')
    expect([updates.state(), reports]).toEqual([{ phase: 'failed', text: 'It is away.', fix: 'Wait.' }, []])
    expect(updates.check()).toEqual({ phase: 'checking' })
  })

  test('report a bug once, and show no part of it', async () => {
    const bug = new TypeError('oops')
    const { updates, reports } = anUpdater({ download: () => Promise.reject(bug) })
    updates.check()
    await became(updates, 'available')
    updates.download('0.2.0')
    await became(updates, 'failed')
    expect([JSON.stringify(updates.state()).includes('oops'), reports]).toEqual([false, [bug]])
  })

  test('do one thing at a time, and nothing out of order', async () => {
    let asked = 0
    const { updates, done } = anUpdater({
      check: async () => {
        asked += 1
        return { version: '0.2.0', sizeBytes: null }
      },
    })
    expect(updates.download('0.2.0')).toEqual({ phase: 'idle' })
    expect(() => updates.install('0.2.0')).toThrow(
      new Fault('not_ready', 'No update has been downloaded yet.'),
    )
    updates.check()
    updates.check()
    await became(updates, 'available')
    expect([asked, done]).toEqual([1, []])
  })

  test.each([
    ['desktop', 'This build has no source of updates.'],
    ['headless', 'Only the installed desktop app can update itself.'],
    ['cli', 'Only the installed desktop app can update itself.'],
  ] as const)('say why there are none in a %s host', (hosting, why) => {
    const updates = openUpdates({ updater: undefined, hosting, now: () => 0, report() {} })
    expect([updates.state(), updates.source]).toEqual([
      { phase: 'unavailable', why, fix: expect.any(String) },
      null,
    ])
    expect(() => updates.check()).toThrow(new Fault('not_ready', why))
  })
})
