import { formatBytes } from '../../../shared/text/amounts.ts'
import { expect, test } from 'vitest'
import type { Fit, FoundFile, Model, ModelFile } from '../../../shared/contract/models/model.ts'
import {
  showFit,
  showFound,
  showModels,
  followTransfer,
  showTransferEnd,
  type TransferScreen,
} from './show-models.ts'
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'

const file: ModelFile = {
  path: '/m/gemma.gguf',
  folder: '~/m',
  owned: true,
  parts: 2,
  architecture: 'gemma3',
  parameters: 4e9,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 4.8,
  trainedTokens: 131_072,
  licence: '',
  base: false,
  templateProblem: null,
  refuses: null,
  rereads: null,
  thinking: ['off'],
  madeForTools: true,
  format: { id: 'gemma3', name: 'Gemma 3 tool code', from: 'template' },
  vision: '/m/mmproj.gguf',
}
const model: Model = {
  id: 'file:/m/gemma.gguf',
  name: 'gemma',
  kind: 'file',
  detail: '',
  sizeBytes: 2_489_757_856,
  contextTokens: 131_072,
  demo: false,
  problem: null,
  file,
  server: null,
  options: {},
  tools: null,
}
const fit: Fit = {
  label: 'memory',
  contextTokens: 8_192,
  chats: 2,
  mostContextTokens: 32_768,
  weightsBytes: 2.5e9,
  contextBytes: 1e9,
  buffersBytes: 3e8,
  processBytes: 2e8,
  neededBytes: 4e9,
  totalBytes: 16e9,
  othersBytes: 6e9,
  freedBytes: 0,
  availableBytes: 10e9,
  missingBytes: 0,
  uncertain: '',
}

test('sizes are shown in decimal units', () => {
  expect([0, 999, 1_000, 3_756_864, 4.14e9].map(bytes => formatBytes(bytes))).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '3.8 MB',
    '4.1 GB',
  ])
})

test('a model is shown with its facts, the default with a star, a broken one with its problem', () => {
  const gone: Model = {
    ...model,
    id: 'file:/x',
    name: 'gone\u001b[31m',
    sizeBytes: null,
    problem: 'It is empty.',
  }
  expect(showModels([model, gone], model.id).split('\n')).toEqual([
    '* gemma  file:/m/gemma.gguf',
    '    2.5 GB · Q4_K_M · gemma3 · tools: Gemma 3 tool code · reads images · 2 files · Talaria’s own · context 131,072 · ~/m',
    '    Made for tools, not tested yet.',
    '    Thinking: its chat template can switch it off.',
    '  gone⟨U+001B⟩[31m  file:/x',
    expect.stringMatching(/^ {4}Q4_K_M/),
    '    It cannot be used now: It is empty.',
  ])
})

test('what its chat template does to chats is said of a model, and what its thinking was set to', () => {
  const odd: Model = {
    ...model,
    file: {
      ...file,
      refuses: { as: 'general', why: 'Only one question.' },
      rereads: { part: 'chat', behind: 'start', was: '<3 messages>', becomes: '<5 messages>' },
      thinking: ['on', 'off'],
    },
    options: { thinking: 'off' },
  }
  expect(showModels([odd], '').split('\n').slice(3)).toEqual([
    '    Its chat template rejects some chats (Only one question). Those chats are rendered in a general form that the model may not know, so its answers can be worse.',
    '    This model rereads the whole chat at each turn, so long chats get slower. The reason: its chat template writes “<3 messages>” at the beginning at first, and “<5 messages>” when the chat continues.',
    '    Thinking: its chat template can switch it on and off; you turned it off.',
  ])
})

test('the fit is shown as a verdict with its figures', () => {
  expect(showFit('gemma', fit)).toBe(
    'gemma fits into memory. It needs about 4 GB of the 10 GB that are free, for 2 chats of 8,192 tokens.\n' +
      '  weights 2.5 GB, context 1 GB for 2 chats, work 300 MB, program 200 MB\n' +
      '  The largest context that fits has 32,768 tokens.',
  )
  const big: Fit = { ...fit, label: 'too_big', missingBytes: 5e8, mostContextTokens: 0, freedBytes: 1e9 }
  expect(showFit('gemma', { ...big, uncertain: 'It is a close call.' })).toMatch(
    /^gemma is too big now: 500 MB are missing\.[^]*Not even a small context fits\.[^]*frees 1 GB of it[^]*\n {2}It is a close call\.$/,
  )
  expect(showFit('gemma', { ...fit, label: 'unknown', uncertain: 'The file says nothing.' })).toBe(
    'It is unknown whether gemma fits.\n  The file says nothing.',
  )
})

test('found files say what they are, and whether they are already listed', () => {
  const found: FoundFile = {
    path: '/s/a.gguf',
    name: 'a',
    sizeBytes: 1e9,
    parts: 1,
    app: 'Jan',
    knownAs: null,
    copyOf: 'file:/m/a.gguf',
    problem: null,
    file: { ...file, parts: 1, vision: '', owned: false },
    fit,
  }
  const broken = { ...found, app: '', copyOf: null, file: null, fit: null, problem: 'It is cut short.' }
  expect(showFound([found, { ...found, knownAs: 'x' }, broken]).split('\n')).toEqual([
    '  a  Jan',
    '    1 GB · Q4_K_M · gemma3 · tools: Gemma 3 tool code · fits into memory',
    '    /s/a.gguf',
    '    A copy of file:/m/a.gguf.',
    '  a  Jan',
    expect.any(String),
    '    /s/a.gguf',
    '    Already in the list.',
    '  a',
    '    1 GB',
    '    /s/a.gguf',
    '    It cannot be used: It is cut short.',
  ])
  expect(showFound([])).toBe('Found no models.')
})

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

test('a download is followed to its end, and the resulting model is named', async () => {
  const { client } = aHost([[half, other], [done]])
  const { screen, out, aside } = aScreen()
  const end = await followTransfer(client, started, screen)
  expect([showTransferEnd(end, screen), out]).toEqual([true, ['tiny is ready: file:/m/tiny.gguf\n']])
  expect(aside.map(text => text.replace('\r\u001b[K', ''))).toEqual([
    'tiny: 0 %  0 B of 4 MB',
    'tiny: 50 %  2 MB of 4 MB  1 MB/s  2 s left',
    'tiny: 100 %  4 MB of 4 MB  1 MB/s  2 s left',
    '\n',
  ])
})

test('without a terminal only the end is printed; with --json each step is a line', async () => {
  const quiet = aScreen({ isTerminal: false })
  showTransferEnd(await followTransfer(aHost([[half], [done]]).client, started, quiet.screen), quiet.screen)
  expect([quiet.out.length, quiet.aside]).toEqual([1, []])
  const json = aScreen({ json: true })
  showTransferEnd(await followTransfer(aHost([[half], [done]]).client, started, json.screen), json.screen)
  expect(json.out.map(line => (JSON.parse(line) as Transfer).state)).toEqual(['running', 'running', 'done'])
  expect(json.aside).toEqual([])
})

test('a failed download says why and what to do', async () => {
  const failed = { ...half, state: 'failed' as const, error: 'The disk is full.', fix: 'Make room.' }
  const { screen, out, aside } = aScreen({ isTerminal: false })
  const end = await followTransfer(aHost([[failed]]).client, started, screen)
  expect([showTransferEnd(end, screen), out, aside]).toEqual([false, [], ['The disk is full. Make room.\n']])
})

test('a signal pauses the download, and the command to resume it is printed', async () => {
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
    ['Paused. Run the same command again to resume.\n'],
  ])
  expect(process.listenerCount('SIGTERM')).toBe(before)
})

test('a download cancelled elsewhere, and a lost host, end the command', async () => {
  const { screen } = aScreen()
  await expect(followTransfer(aHost([[other]]).client, started, screen)).rejects.toMatchObject({
    code: 'cancelled',
  })
  const gone = { async *'app.watch'() {} } as unknown as HostClient
  await expect(followTransfer(gone, started, screen)).rejects.toMatchObject({ code: 'disconnected' })
})
