import { expect, test } from 'vitest'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import type { Transfer } from '../../shared/contract/download.ts'
import { followTransfer, showTransferEnd, type TransferScreen } from './follow-transfer.ts'

const running: Transfer = {
  id: 't1',
  kind: 'download',
  name: 'tiny',
  from: 'http://127.0.0.1/tiny.gguf',
  state: 'running',
  doneBytes: 0,
  totalBytes: 4_000_000,
  bytesPerSecond: null,
  secondsLeft: null,
  error: '',
  fix: '',
  verified: false,
  startedAt: 1,
  endedAt: null,
  modelId: null,
}
const half: Transfer = { ...running, doneBytes: 2_000_000, bytesPerSecond: 1_000_000, secondsLeft: 2 }
const done: Transfer = { ...half, state: 'done', doneBytes: 4_000_000, modelId: 'file:/m/tiny.gguf' }
const other: Transfer = { ...running, id: 't2', state: 'failed' }

/** A host whose transfers go through these states, one per read event. */
function aHost(steps: Transfer[][]) {
  const asked: string[] = []
  const said = (transfers: Transfer[]): AppEvent => ({ type: 'transfers', transfers })
  const paused = Promise.withResolvers<void>()
  const client = {
    async *'app.watch'() {
      yield { type: 'models' }
      asked.push('watched')
      for (const each of steps) yield said(each)
      await paused.promise
      yield said([{ ...half, state: 'paused' }])
    },
    async 'download.pause'() {
      asked.push('pause')
      paused.resolve()
      return { ...half, state: 'paused' }
    },
  } as unknown as HostClient
  return { client, asked }
}

function aScreen(change: Partial<TransferScreen> = {}) {
  const out: string[] = []
  const aside: string[] = []
  const screen: TransferScreen = {
    json: false,
    isTerminal: true,
    out: text => void out.push(text),
    aside: text => void aside.push(text),
    ...change,
  }
  return { screen, out, aside }
}
const started = () => Promise.resolve(running)

test('a transfer is followed to its end, and the model that came of it is named', async () => {
  const { client } = aHost([[half, other], [done]])
  const { screen, out, aside } = aScreen()
  const end = await followTransfer(client, started, screen)
  expect([showTransferEnd(end, screen), out]).toEqual([true, ['tiny is here: file:/m/tiny.gguf\n']])
  expect(aside.map(text => text.replace('\r\u001b[K', ''))).toEqual([
    'tiny: 0 %  0 B of 4 MB',
    'tiny: 50 %  2 MB of 4 MB  1 MB/s  2 s left',
    'tiny: 100 %  4 MB of 4 MB  1 MB/s  2 s left',
    '\n',
  ])
})

test('without a terminal only the end is told; with --json every step is a line', async () => {
  const quiet = aScreen({ isTerminal: false })
  showTransferEnd(await followTransfer(aHost([[half], [done]]).client, started, quiet.screen), quiet.screen)
  expect([quiet.out.length, quiet.aside]).toEqual([1, []])
  const json = aScreen({ json: true })
  showTransferEnd(await followTransfer(aHost([[half], [done]]).client, started, json.screen), json.screen)
  expect(json.out.map(line => (JSON.parse(line) as Transfer).state)).toEqual(['running', 'running', 'done'])
  expect(json.aside).toEqual([])
})

test('one that fails is told with the reason and what to do', async () => {
  const failed = { ...half, state: 'failed' as const, error: 'The disk is full.', fix: 'Make room.' }
  const { screen, out, aside } = aScreen({ isTerminal: false })
  const end = await followTransfer(aHost([[failed]]).client, started, screen)
  expect([showTransferEnd(end, screen), out, aside]).toEqual([false, [], ['The disk is full. Make room.\n']])
})

test('a signal pauses it, and the command says how to go on', async () => {
  const { client, asked } = aHost([[half]])
  const { screen, aside } = aScreen({ isTerminal: false })
  const before = process.listenerCount('SIGTERM')
  const following = followTransfer(client, started, screen)
  while (!asked.includes('watched')) await new Promise(resolve => setImmediate(resolve))
  process.emit('SIGTERM')
  process.emit('SIGTERM')
  const end = await following
  expect([showTransferEnd(end, screen), asked, aside]).toEqual([
    false,
    ['watched', 'pause'],
    ['Paused. The same command goes on where it stopped.\n'],
  ])
  expect(process.listenerCount('SIGTERM')).toBe(before)
})

test('one that somebody else gives up, and a host that goes away, end the command', async () => {
  const { screen } = aScreen()
  await expect(followTransfer(aHost([[other]]).client, started, screen)).rejects.toMatchObject({
    code: 'cancelled',
  })
  const gone = { async *'app.watch'() {} } as unknown as HostClient
  await expect(followTransfer(gone, started, screen)).rejects.toMatchObject({ code: 'disconnected' })
})
