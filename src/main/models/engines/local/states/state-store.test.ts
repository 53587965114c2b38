import type { StateStore } from './state-store.ts'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Token } from 'node-llama-cpp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../../../testing/until.ts'
import { openStateStore } from './state-store.ts'

type Savable = Parameters<StateStore['save']>[0]

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'talaria-states-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** File times advance in steps. */
async function timesOfFilesMoveOn(): Promise<void> {
  const probe = join(mkdtempSync(join(tmpdir(), 'talaria-times-')), 'probe')
  const timeNow = () => {
    writeFileSync(probe, '')
    return statSync(probe).mtimeMs
  }
  const before = timeNow()
  await until(() => timeNow() > before)
  rmSync(dirname(probe), { recursive: true })
}

const settings = { contextTokens: 4_096, sequences: 2 }
const open = (more: { maxBytes?: number; model?: string; settings?: object; folder?: string } = {}) =>
  openStateStore(
    { folder: more.folder ?? folder, maxBytes: more.maxBytes ?? 1 << 20, model: more.model ?? 'a model' },
    { ...settings, ...more.settings },
  )

/** Tokens counting from `start`; two runs with different starts share no prefix. */
const run = (count: number, start = 0): Token[] =>
  Array.from({ length: count }, (_, at) => (start + at) as Token)

/** A sequence whose states are its tokens as text, padded to eight bytes each. */
function sequenceOf(tokens: Token[] = [], options: { needsCheckpoints?: boolean; wrong?: boolean } = {}) {
  const loads: string[] = []
  const sequence: Savable & { loads: string[]; contextTokens: Token[] } = {
    loads,
    contextSize: 4_096,
    contextTokens: tokens,
    needsCheckpoints: options.needsCheckpoints ?? false,
    async clearHistory() {
      sequence.contextTokens = []
    },
    async saveStateToFile(path) {
      const text = JSON.stringify(sequence.contextTokens).padEnd(sequence.contextTokens.length * 8)
      await writeFile(path, text)
      return { fileSize: text.length }
    },
    async loadStateFromFile(path) {
      loads.push(path)
      if (options.wrong) throw new Error('It does not fit.')
      sequence.contextTokens = JSON.parse(await readFile(path, 'utf8')) as Token[]
    },
  }
  return sequence
}

const files = (ending: string) => readdirSync(folder).filter(file => file.endsWith(ending))
const only = (ending: string) => join(folder, files(ending)[0] ?? 'none')

async function saved(
  tokens: Token[],
  more: Parameters<typeof open>[0] = {},
  kind: 'prompt' | 'chat' = 'prompt',
) {
  const store = open(more)
  await store.save(sequenceOf(tokens), kind)
  await store.close()
  return store
}

test('a state saved by one engine is restored by another', async () => {
  await saved(run(300))
  const sequence = sequenceOf()
  expect(await open().restore(sequence, run(400), 0)).toBe(300)
  expect(sequence.contextTokens).toEqual(run(300))
})

test('a prompt with another end gets the common part, with at least its last token left to evaluate', async () => {
  await saved(run(500))
  const prompt = [...run(450), ...run(80, 9_000)]
  expect(await open().restore(sequenceOf(), prompt, 0)).toBe(450)
  expect(await open().restore(sequenceOf(), run(500), 0)).toBe(499)
})

test('the state with the longest common prefix is used', async () => {
  await saved([...run(400), ...run(900, 5_000)])
  await saved(run(600))
  const sequence = sequenceOf()
  expect(await open().restore(sequence, run(700), 0)).toBe(600)
  expect(sequence.contextTokens).toHaveLength(600)
})

test('a sequence that already holds nearly as much is left unchanged', async () => {
  await saved(run(600))
  const sequence = sequenceOf(run(400))
  expect(await open().restore(sequence, run(700), 400)).toBe(0)
  expect(sequence.contextTokens).toHaveLength(400)
  expect(await open().restore(sequence, run(700), 100)).toBe(600)
})

test('where the end of a state cannot be removed, only a whole state is used', async () => {
  await saved(run(500))
  const sequence = sequenceOf([], { needsCheckpoints: true })
  expect(await open().restore(sequence, [...run(450), ...run(80, 9_000)], 0)).toBe(0)
  expect(await open().restore(sequence, run(501), 0)).toBe(500)
})

test('a state being written counts as saved, and reading waits for it', async () => {
  const store = open()
  await store.save(sequenceOf(run(500)), 'prompt')
  expect(await store.covered(sequenceOf(), run(600))).toBe(500)
  expect(await store.restore(sequenceOf(), run(600), 0)).toBe(500)
})

const others = [
  ['another model', { model: 'another model' }],
  ['another context size', { settings: { contextTokens: 8_192 } }],
  ['another number of sequences', { settings: { sequences: 3 } }],
] as const
test.for(others)('a state of %s is not used, and is kept for its owner', async ([, other]) => {
  await saved(run(500), other)
  const sequence = sequenceOf()
  expect(await open().restore(sequence, run(600), 0)).toBe(0)
  expect(sequence.loads).toEqual([])
  expect(await open(other).restore(sequence, run(600), 0)).toBe(500)
})

/** Change one byte of a file. */
function flip(path: string, at: number) {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

const damages: [string, () => void][] = [
  ['is cut', () => writeFileSync(only('.kv'), readFileSync(only('.kv')).subarray(0, 1_000))],
  ['is empty', () => writeFileSync(only('.kv'), '')],
  ['is longer than it was', () => writeFileSync(only('.kv'), ' ', { flag: 'a' })],
  [
    'is garbage of the right length',
    () => writeFileSync(only('.kv'), Buffer.alloc(readFileSync(only('.kv')).length, 7)),
  ],
  ['has one flipped bit', () => flip(only('.kv'), 1_234)],
  ['is missing', () => rmSync(only('.kv'))],
  [
    'has a note that is cut',
    () => writeFileSync(only('.json'), readFileSync(only('.json')).subarray(0, 200)),
  ],
  [
    'has a note with other tokens',
    () => flip(only('.json'), readFileSync(only('.json'), 'utf8').indexOf('"tokens"') + 40),
  ],
  [
    'has the note of another model',
    () => {
      writeFileSync(only('.json'), readFileSync(only('.json'), 'utf8').replace('a model', 'b model'))
    },
  ],
]
test.for(damages)('a state that %s never reaches the library and is deleted', async ([, damage]) => {
  await saved(run(500))
  damage()
  const sequence = sequenceOf()
  expect(await open().restore(sequence, run(600), 0)).toBe(0)
  expect(sequence.loads).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a state that the library refuses is deleted, and the sequence is empty', async () => {
  await saved(run(500))
  const sequence = sequenceOf(run(100), { wrong: true })
  expect(await open().restore(sequence, run(600), 100)).toBe(0)
  expect(sequence.loads).toHaveLength(1)
  expect(sequence.contextTokens).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('if the best state is damaged, the next best one is used', async () => {
  await saved(run(600))
  flip(only('.kv'), 1_000)
  await saved(run(400))
  expect(await open().restore(sequenceOf(), run(700), 0)).toBe(400)
  expect(files('.kv')).toHaveLength(1)
})

test('a prompt longer than the context is not restored', async () => {
  await saved(run(500))
  const sequence = { ...sequenceOf(), contextSize: 400 }
  expect(await open().restore(sequence, run(600), 0)).toBe(0)
})

test('over its limit the folder deletes the least recently used states of any model', async () => {
  const sizes = { maxBytes: 16_000 }
  await saved(run(500, 0), { ...sizes, model: 'b model' })
  await saved(run(500, 1_000), sizes)
  const [first, second] = files('.json').map(file => join(folder, file))
  for (const [at, file] of [first, second].entries()) await utimes(file ?? '', at, at)
  // Using the oldest one makes it the most recent.
  const isFirst = readFileSync(first ?? '', 'utf8').includes('a model')
  const model = isFirst ? 'a model' : 'b model'
  expect(await open({ model }).restore(sequenceOf(), run(600, isFirst ? 1_000 : 0), 0)).toBe(500)
  await saved(run(500, 2_000), sizes)
  expect(existsSync(first ?? '')).toBe(true)
  expect(existsSync(second ?? '')).toBe(false)
  expect([files('.kv').length, files('.json').length]).toEqual([2, 2])
})

test('a state larger than the folder’s limit is not written again', async () => {
  const store = await saved(run(500), { maxBytes: 1_000 })
  expect(readdirSync(folder)).toEqual([])
  const sequence = sequenceOf(run(500))
  let writes = 0
  sequence.saveStateToFile = async () => ({ fileSize: ++writes })
  await store.save(sequence, 'prompt')
  expect(writes).toBe(0)
})

test('only the last four chats are saved, each in its latest state', async () => {
  const store = open()
  for (const chat of [1, 2, 3, 4, 5, 6]) {
    await store.save(sequenceOf(run(300, chat * 1_000)), 'chat')
    await store.save(sequenceOf(run(320, chat * 1_000)), 'chat')
    await store.close()
    await timesOfFilesMoveOn()
  }
  expect(files('.kv')).toHaveLength(4)
  expect(await store.covered(sequenceOf(), run(400, 6_000))).toBe(320)
  expect(await store.covered(sequenceOf(), run(400, 3_000))).toBe(320)
  expect(await store.covered(sequenceOf(), run(400, 2_000))).toBe(0)
})

const chat = (sessionId: string) => ({ sessionId, replies: [{ text: 'Hi', tokens: [7, 8], ends: [1, 2] }] })

test('the replies of a chat are found by another engine, and those of others are not', async () => {
  const store = open()
  await store.save(sequenceOf(run(300)), 'chat', chat('a'))
  await store.close()
  expect(await open().repliesOf('a')).toEqual(chat('a').replies)
  expect(await open().repliesOf('b')).toEqual([])
  expect(await open({ model: 'another model' }).repliesOf('a')).toEqual([])
})

test('a note whose replies were changed is deleted with its state', async () => {
  const store = open()
  await store.save(sequenceOf(run(300)), 'chat', chat('a'))
  await store.close()
  flip(only('.json'), readFileSync(only('.json'), 'utf8').indexOf('[7,8]') + 1)
  expect(await open().repliesOf('a')).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('for its own history a chat needs only a few more tokens than it holds', async () => {
  const store = open()
  await store.save(sequenceOf(run(600)), 'chat', chat('a'))
  expect(await store.restore(sequenceOf(run(400)), run(700), 400, 'b')).toBe(0)
  expect(await store.restore(sequenceOf(run(400)), run(700), 400, 'a')).toBe(600)
  expect(await store.restore(sequenceOf(run(590)), run(700), 590, 'a')).toBe(0)
})

test('a chat whose history another chat begins with is saved too, each in its latest state', async () => {
  const store = open()
  await store.save(sequenceOf(run(300)), 'chat', chat('a'))
  await store.save(sequenceOf(run(500)), 'chat', chat('b'))
  await store.close()
  expect(await store.covered(sequenceOf(), run(301), 'a')).toBe(300)
  await store.save(sequenceOf([...run(200), ...run(200, 5_000)]), 'chat', chat('b'))
  await store.close()
  expect(files('.kv')).toHaveLength(2)
  expect(await store.covered(sequenceOf(), run(501), 'b')).toBe(200)
})

test('where not all chats have room, the one that was used last stays', async () => {
  const store = open({ maxBytes: 16_000 })
  await store.save(sequenceOf(run(500, 1_000)), 'chat', chat('newest'), Date.now())
  await store.save(sequenceOf(run(500, 2_000)), 'chat', chat('older'), Date.now() - 1_000)
  await store.close()
  expect(await store.repliesOf('newest')).toHaveLength(1)
  expect(await store.repliesOf('older')).toEqual([])
})

test('a chat leaves one state for a model, whatever its settings, and other chats and models keep theirs', async () => {
  const one = open()
  await one.save(sequenceOf(run(300)), 'chat', chat('a'))
  await one.save(sequenceOf(run(300, 1_000)), 'chat', chat('b'))
  await one.close()
  const elsewhere = open({ model: 'another model' })
  await elsewhere.save(sequenceOf(run(300)), 'chat', chat('a'))
  await elsewhere.close()
  const other = open({ settings: { types: [8, 8] } })
  expect(await other.restore(sequenceOf(), run(400), 0, 'a')).toBe(0)
  await other.save(sequenceOf(run(350)), 'chat', chat('a'))
  await other.close()
  expect(await other.covered(sequenceOf(), run(400), 'a')).toBe(350)
  expect(await open().covered(sequenceOf(), run(400), 'a')).toBe(0)
  expect(await open().covered(sequenceOf(), run(400, 1_000), 'b')).toBe(300)
  expect(await open({ model: 'another model' }).covered(sequenceOf(), run(400), 'a')).toBe(300)
})

test('states of other settings of a model count within the limit of the folder', async () => {
  const maxBytes = 16_000
  for (let at = 0; at < 5; at++) {
    await timesOfFilesMoveOn()
    await saved(run(500, at * 1_000), { maxBytes, settings: { sequences: at + 1 } })
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  }
  // Only the newest two fit.
  expect(files('.kv')).toHaveLength(2)
})

test('what another version of the library saved is deleted, and what this one saved stays', async () => {
  await saved(run(500), { settings: { library: 'old' } })
  await saved(run(500, 1_000), { settings: { library: 'new' }, model: 'another model' })
  expect(files('.kv')).toHaveLength(1)
  writeFileSync(
    join(folder, '0123456789abcdef-chat-01234567-89ab-cdef-0123-456789abcdef.json'),
    '{"version":0}',
  )
  await open({ settings: { library: 'new' } }).close()
  expect([files('.kv').length, files('.json').length]).toEqual([1, 1])
})

test('old unfinished files are deleted, and foreign files stay', async () => {
  const name = '0123456789abcdef-prompt-01234567-89ab-cdef-0123-456789abcdef'
  const old = [`${name}.part`, `${name}.json.part`, `${name}.kv`]
  for (const file of [...old, 'notes.txt', 'other.json']) {
    writeFileSync(join(folder, file), 'x')
    await utimes(join(folder, file), 0, 0)
  }
  const young = `${name.replace('0', '1')}.part`
  writeFileSync(join(folder, young), 'x')
  await saved(run(500))
  const left = readdirSync(folder).filter(
    file => !/^[0-9a-f]{16}-prompt/.test(file) || file.includes('89ab-cdef'),
  )
  expect(left.toSorted()).toEqual([young, 'notes.txt', 'other.json'].toSorted())
})

test('a folder that is not writable is reported once and does not fail', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const store = open({ folder: join(file, 'states') })
  await store.save(sequenceOf(run(500)), 'prompt')
  await store.save(sequenceOf(run(500)), 'prompt')
  expect(store.trouble()).toMatch(/^What was evaluated could not be saved in .*: .*ENOTDIR/)
  expect(store.trouble()).toBeUndefined()
  expect(await store.restore(sequenceOf(), run(600), 0)).toBe(0)
})

test('a file shorter than the engine reports is deleted', async () => {
  const store = open()
  const sequence = sequenceOf(run(500))
  const write = sequence.saveStateToFile
  sequence.saveStateToFile = async path => ({ fileSize: (await write(path)).fileSize + 4_096 })
  await store.save(sequence, 'prompt')
  await store.close()
  expect(store.trouble()).toMatch(/only 4000 of 8096 bytes were written/)
  expect(readdirSync(folder)).toEqual([])
})

test('two engines can save the same prompt at once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => saved(run(500))))
  const store = open()
  expect(await store.restore(sequenceOf(), run(600), 0)).toBe(500)
  // A state that another engine deletes meanwhile is simply gone.
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
  expect(await store.restore(sequenceOf(), run(600), 0)).toBe(0)
  expect(store.trouble()).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('saved states are private', async () => {
  const own = join(folder, 'own')
  await saved(run(500), { folder: own })
  expect(statSync(own).mode & 0o777).toBe(0o700)
})
