import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test as base } from 'vitest'
import { randomModel, scriptedModel } from '../../../testing/gguf/cached.ts'
import { makeRandomGguf } from '../../../testing/gguf/random.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'
import { examineModel } from './examine-model.ts'
import { gatherReport, type Finding } from './model-report.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('folder', async ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-doctor-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
})

const settings = { threads: 1, contextTokens: 4_096 }

async function examine(path: string, onFinding?: (finding: Finding) => void, signal?: AbortSignal) {
  const findings: Finding[] = []
  for await (const finding of examineModel(path, settings, signal ?? new AbortController().signal)) {
    findings.push(finding)
    onFinding?.(finding)
  }
  return { findings, report: gatherReport(findings) }
}

const tinyCopy = (folder: string, name: string, change: (bytes: Buffer) => Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, change(readFileSync(randomModel())))
  return path
}

describe('a model that loads', () => {
  test('the built-in model makes its calls unaided', async ({ expect }) => {
    const { report } = await examine(resourcePath('models/talaria-mini.gguf'))
    expect(report.calls.map(({ how, call }) => [how, call])).toEqual([
      ['by itself', { name: 'read_file', arguments: expect.objectContaining({ path: 'notes.txt' }) }],
      ['by itself', { name: 'list_files', arguments: {} }],
      ['by itself', { name: 'terminal', arguments: { command: 'date' } }],
    ])
    expect(report.verdict?.ok).toBe(true)
  })

  test('another model is asked for three calls, and each finding is reported in order', async ({
    expect,
  }) => {
    const call = (name: string, args: object) => JSON.stringify({ name, arguments: args })
    const path = scriptedModel({
      reply: `<tool_call>\n${call('read_file', { path: 'notes.txt' })}\n</tool_call>`,
      // A marker is a token of its own, and each token of a scripted model belongs to one reply.
      rules: [
        { when: 'Which files', reply: call('list_files', { depth: 1 }) },
        { when: 'Run the command', reply: call('terminal', { command: 'date' }) },
      ],
    })
    const { report, findings } = await examine(path)
    expect(findings.map(({ kind }) => kind)).toEqual([
      'file',
      'template',
      'memory',
      'loading',
      ...Array.from({ length: 3 }, () => 'call'),
      'speed',
      'verdict',
    ])
    expect(report).toMatchObject({
      file: { path, name: 'scripted', architecture: 'llama', trainedTokens: 8_192, quantisation: null },
      template: { problem: null, appendOnly: true, toolRole: true },
      format: { id: 'hermes', because: expect.stringContaining('template') },
      memory: { contextTokens: 4_096, fits: true },
      loading: { contextTokens: 4_096 },
      calls: [
        { how: 'by itself', call: { name: 'read_file', arguments: { path: 'notes.txt' } } },
        { how: 'by itself', call: { name: 'list_files', arguments: { depth: 1 } } },
        { how: 'by itself', call: { name: 'terminal', arguments: { command: 'date' } } },
      ],
      speed: { prefillPerSecond: expect.any(Number), tokensPerSecond: expect.any(Number) },
      verdict: { ok: true },
    })
  })

  test('random weights make no call unaided, and complete valid calls that are started for them', async ({
    expect,
  }) => {
    const { report } = await examine(randomModel())
    expect(report.calls.map(({ tool, how, call }) => [tool, how, call?.name])).toEqual([
      ['read_file', 'begun for it', 'read_file'],
      ['list_files', 'begun for it', 'list_files'],
      ['terminal', 'begun for it', 'terminal'],
    ])
    expect(report.verdict).toMatchObject({ ok: true, text: expect.stringMatching(/^Works with help/) })
  })
})

describe('a file that is not a model', () => {
  test('is refused with the reason, without further findings', async ({ folder, expect }) => {
    const page = join(folder, 'page.gguf')
    writeFileSync(page, '<!doctype html><title>Sign in to download</title>')
    const missing = join(folder, 'missing.gguf')
    const cut = tinyCopy(folder, 'cut.gguf', bytes => bytes.subarray(0, bytes.length - 1_000))
    const broken = tinyCopy(folder, 'broken.gguf', bytes => bytes.fill(0xff, 24, 200))
    const twice = join(folder, 'twice.gguf')
    makeRandomGguf(twice, { duplicateToken: true })
    const embedding = join(folder, 'embedding.gguf')
    makeRandomGguf(embedding, { entries: [{ key: 'general.architecture', type: 'string', value: 'bert' }] })
    for (const [path, reason] of [
      [page, 'not a GGUF model file'],
      [missing, 'no model file at'],
      [cut, 'cut short'],
      [broken, 'damaged'],
      [twice, 'damaged'],
      [embedding, 'not made for chats'],
      [folder, 'is a folder'],
    ] as const) {
      const { findings } = await examine(path)
      expect(findings).toEqual([{ kind: 'verdict', verdict: expect.objectContaining({ ok: false }) }])
      expect(gatherReport(findings).verdict?.text).toMatch(new RegExp(`^Cannot be used: .*${reason}`))
    }
  })

  test('a model of an unknown architecture is reported with its header', async ({ folder, expect }) => {
    const path = join(folder, 'unknown-Q4_K_M.gguf')
    makeRandomGguf(path, { entries: [{ key: 'general.architecture', type: 'string', value: 'novel' }] })
    const { report } = await examine(path)
    expect(report).toMatchObject({
      file: { architecture: 'novel', quantisation: 'Q4_K_M' },
      calls: [],
      verdict: { ok: false },
    })
  })
})

test('a stop ends the sequence without a verdict', async ({ expect }) => {
  const stopping = new AbortController()
  const { findings } = await examine(
    randomModel(),
    finding => finding.kind === 'loading' && stopping.abort(),
    stopping.signal,
  )
  expect(findings.at(-1)?.kind).toBe('loading')
})
