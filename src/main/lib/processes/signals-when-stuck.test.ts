import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'

const module = fileURLToPath(new URL('signals-when-stuck.ts', import.meta.url))
const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Start a program that handles SIGTERM and does `work`; it prints a line first. */
async function start(work: string) {
  const program = `
    import { releaseSignalsWhenStuck } from ${JSON.stringify(module)}
    releaseSignalsWhenStuck(['SIGTERM'])
    process.on('SIGTERM', () => { console.log('in order'); process.exit(7) })
    setInterval(() => {}, 1_000)
    setTimeout(() => { console.log('ready'); ${work} }, 1_500)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  return { child, exit }
}

describe.skipIf(process.platform === 'win32')('SIGTERM', () => {
  test('ends a process that stands still in a loop', { timeout: 60_000 }, async () => {
    const { child, exit } = await start('for (;;);')
    const going = new AbortController()
    void exit.then(() => going.abort())
    while (!going.signal.aborted) {
      child.kill('SIGTERM')
      await sleep(100)
    }
    expect(await exit).toEqual([null, 'SIGTERM'])
  })

  test('is handled again after the process moved on', async () => {
    const { child, exit } = await start(
      'const end = Date.now() + 4_000; while (Date.now() < end); setTimeout(() => console.log("moves"), 1_500)',
    )
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await exit).toEqual([7, null])
  })

  test('is not lost where the process only waits', async () => {
    const { child, exit } = await start('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000)')
    child.kill('SIGTERM')
    expect(await exit).toEqual([7, null])
  })
})
