import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askedIn, runToStop, someRows, trajectoriesIn } from '../../../testing/batch/a-batch.ts'
import { aBench, questions } from '../../../testing/batch/a-bench.ts'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aSmallDisk } from '../../../testing/crash/small-disk.ts'
import { aHome, aHost, aServer } from '../../../testing/host/a-host.ts'
import { isRefusal } from '../lib/expected-errors.ts'

describe('the tools of an attempt', () => {
  confinedTest('work in a copy of the folder of the row, and its check says what came of it', async () => {
    await using bench = await aBench()
    bench.server.reply(request => {
      const { asked, isFirst } = askedIn(request)
      if (!isFirst) return { text: 'Done.' }
      const command = asked === 'good' ? 'cat given.txt > made.txt' : 'true'
      return { toolCalls: [{ name: 'terminal', arguments: { command } }] }
    })
    using rows = someRows([
      { prompt: 'good', cwd: 'given', check: 'grep -q hello made.txt' },
      { prompt: 'bad', cwd: 'given', check: 'cat made.txt' },
    ])
    rows.addFolder('given', { 'given.txt': 'hello' })
    const given = { ...rows.paths, modelId: bench.modelId }
    await expect(bench.client['batch.start'](given)).rejects.toMatchObject({ code: 'conflict' })
    await expect(bench.client['batch.start']({ ...given, agree: 'a'.repeat(64) })).rejects.toThrow(
      'not the ones that you agreed to',
    )
    expect(existsSync(rows.out)).toBe(false)
    const end = await runToStop(bench.client, given)
    expect(end).toMatchObject({ states: { done: 2 }, rewards: { count: 2, sum: 1 } })
    const [good, bad] = trajectoriesIn(rows.out)
    expect(good).toMatchObject({ reward: 1, tools: { terminal: { calls: 1, errors: 0 } } })
    expect(bad).toMatchObject({ reward: 0, note: expect.stringContaining('exit code 1') })
    expect(readdirSync(join(rows.folder, 'given'))).toEqual(['given.txt'])
    expect(readdirSync(join(rows.out, 'folders'))).toEqual([])
  })

  confinedTest('change files in their folder, and are denied what lies outside', async () => {
    await using bench = await aBench()
    bench.server.reply(request => {
      const { asked, isFirst } = askedIn(request)
      return isFirst
        ? { toolCalls: [{ name: 'write_file', arguments: { path: asked, content: 'x' } }] }
        : { text: 'Done.' }
    })
    using rows = someRows([{ prompt: 'inside.txt' }])
    const outside = join(rows.folder, 'outside.txt')
    rows.write([{ prompt: 'inside.txt' }, { prompt: outside }])
    await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId })
    expect(existsSync(outside)).toBe(false)
    expect(trajectoriesIn(rows.out).map(({ tools }) => tools['write_file'])).toEqual([
      { calls: 1, errors: 0 },
      { calls: 1, errors: 1 },
    ])
  })

  test('are refused where nothing confines commands', async () => {
    const home = aHome()
    await using host = await aHost(home.path, {
      coreTools: true,
      confinement: async () => ({ confined: false, reason: 'bubblewrap is missing.', remedy: '' }),
    })
    const server = await aServer(host.client)
    using rows = someRows([{ prompt: 'Hello' }])
    const look = (given: object) =>
      host.client['batch.look']({ ...rows.paths, modelId: server.modelId, ...given })
    await expect(look({})).rejects.toThrow('nothing confines commands here: bubblewrap is missing.')
    await expect(look({ approve: 'all' })).rejects.toThrow('That also applies to --approve all.')
    expect(await look({ tools: false })).toMatchObject({ rows: 1 })
    rows.write([{ prompt: 'Hello', check: 'true' }])
    await expect(look({ tools: false })).rejects.toThrow('The checks of its rows')
    await server.close()
    home[Symbol.dispose]()
  })
})

test('a full disk stops a batch with nothing marked, and it goes on once there is room', async ({ skip }) => {
  const disk = aSmallDisk(8)
  if (isRefusal(disk)) return skip(disk.refused)
  using held = disk
  await using bench = await aBench()
  using rows = someRows(questions(6))
  let asked = 0
  bench.server.reply(request => {
    if (++asked === 3) held.leave(200_000)
    return { text: `Answer to ${askedIn(request).asked}` }
  })
  const given = {
    file: rows.file,
    out: join(held.path, 'out'),
    modelId: bench.modelId,
    tools: false,
    workers: 1,
  }
  const end = await runToStop(bench.client, given)
  expect(end).toMatchObject({ state: 'paused', ended: 2 })
  expect(end.text).toContain('The disk is full')
  held.leave(6_000_000)
  expect(await runToStop(bench.client, given)).toMatchObject({
    state: 'ended',
    ended: 6,
    states: { done: 6 },
  })
  expect(trajectoriesIn(given.out).map(({ conversations }) => conversations[1]?.value)).toEqual(
    questions(6).map(({ prompt }) => prompt),
  )
})
