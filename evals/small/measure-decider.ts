import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figures } from '../records.ts'
import { decideMessage, type Decision } from '../../src/main/builtin/decider/decide-message.ts'
import { readNames } from '../../src/main/builtin/guide/folder.ts'
import type { Scene } from '../../src/main/builtin/guide/scene.ts'
import { readTrainedTexts } from '../../src/main/builtin/trained-texts.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { resourcePath } from '../../src/main/lib/shipped-files.ts'
import { createLocalEngines } from '../../src/main/models/engines/local/local-engine.ts'
import { openMeanings } from '../../src/main/models/engines/local/open-meanings.ts'
import { forkEngine } from '../../src/main/models/engines/local/start-engine.ts'
import { decideWithMini } from './mini-decider.ts'
import { compareCall, wantsTool, type RequestRow } from './row.ts'

/** How it is decided: by the sentence encoder, or by the built-in model as well. */
type DeciderKind = 'encoder' | 'mini'

/** What was decided of a request, and whether that is right. `isCall`: with arguments of its own. */
type DecidedRow = { id: string; decided: Decision | null; needed: boolean; tool: boolean; whole: boolean }

const FULL = fileURLToPath(new URL('folder', import.meta.url))
const SKILLS = fileURLToPath(new URL('../../skills', import.meta.url))
const DAY = Date.parse('2026-03-04T09:00:00Z')

/** Let the decider alone judge each request, as the host lets it, and compare what it says with what is wanted. */
export async function measureDecider(
  requests: readonly RequestRow[],
  kind: DeciderKind,
): Promise<{ rows: DecidedRow[]; figures: Figures; msEach: number }> {
  const texts = readTrainedTexts()
  if (isRefusal(texts)) throw new Error(texts.refused)
  const { specs } = texts.tools
  const report = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  const meanings = openMeanings({
    path: resourcePath('models/tool-meanings.gguf'),
    spawn: forkEngine,
    report,
  })
  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => SETTINGS,
    onState: () => {},
    report,
  })
  const engine = engines.engine({
    id: 'decider',
    name: 'decider',
    path: resourcePath('models/talaria-mini.gguf'),
  })
  const empty = mkdtempSync(join(tmpdir(), 'talaria-decider-'))
  try {
    const rows: DecidedRow[] = []
    // The first one loads what decides.
    await decide(requests[0]!)
    const startedAt = performance.now()
    for (const request of requests) rows.push(judge(request, await decide(request)))
    const msEach = Math.round((performance.now() - startedAt) / Math.max(1, requests.length))
    return { rows, figures: countDecided(requests, rows), msEach }
  } finally {
    await Promise.all([meanings.close(), engines.close()])
    rmSync(empty, { recursive: true, force: true })
  }

  async function decide({ text, folder, off }: RequestRow): Promise<Decision | undefined> {
    const workspace = folder === 'empty' ? empty : FULL
    const tools = specs.filter(({ name }) => !off.includes(name))
    const scene: Scene = {
      ...(await readNames(workspace)),
      entries: [],
      skills: readdirSync(SKILLS),
      known: {
        now: new Date(DAY),
        zone: 'Europe/Vienna',
        folder: workspace,
        entries: [],
        said: [],
        tools: tools.map(({ name }) => name),
      },
    }
    return kind === 'encoder'
      ? decideMessage(text, scene, meanings.of, NEVER)
      : decideWithMini(text, scene, meanings.of, { engine, tools, workspace, now: () => DAY }, NEVER)
  }
}

const NEVER = new AbortController().signal
const SETTINGS = {
  context_tokens: 2_048,
  threads: 1,
  hosting: 'process',
  gpu: 'off',
  state_cache_gib: 0,
  idle_unload_minutes: 0,
} as const

function judge(row: RequestRow, decided: Decision | undefined): DecidedRow {
  const wants = wantsTool(row)
  const call = decided && { name: decided.tool, arguments: decided.arguments ?? {} }
  const compared = compareCall(row, call)
  const isNone = decided === undefined
  return {
    id: row.id,
    decided: decided ?? null,
    needed: wants === 'either' || (wants === 'tool') === !isNone,
    tool: isNone ? wants !== 'tool' : compared.tool,
    whole: isNone ? wants !== 'tool' : compared.whole && decided.arguments !== undefined,
  }
}

function countDecided(requests: readonly RequestRow[], rows: readonly DecidedRow[]): Figures {
  const pairs = requests.map((request, at) => ({ row: rows[at]!, wants: wantsTool(request) }))
  const wanting = pairs.filter(({ wants }) => wants === 'tool')
  const none = pairs.filter(({ wants }) => wants === 'none')
  const share = (part: number, of: number) => (of === 0 ? 0 : Math.round((part / of) * 1_000) / 10)
  const count = (of: typeof pairs, holds: (row: DecidedRow) => boolean) =>
    of.filter(({ row }) => holds(row)).length
  return {
    requests: rows.length,
    wantTool: wanting.length,
    wantNone: none.length,
    neededRight: count(pairs, row => row.needed),
    neededShare: share(
      count(pairs, row => row.needed),
      pairs.length,
    ),
    toolRight: count(wanting, row => row.tool),
    toolShare: share(
      count(wanting, row => row.tool),
      wanting.length,
    ),
    wholeRight: count(wanting, row => row.whole),
    wholeShare: share(
      count(wanting, row => row.whole),
      wanting.length,
    ),
    decidedUnwanted: count(none, row => row.decided !== null),
  }
}

/** The figures of a decider in sentences. */
export const sayDecided = (of: Figures): string =>
  [
    `Whether a tool is needed was decided right for ${of['neededRight']} of ${of['requests']} (${of['neededShare']} %); of ${of['wantNone']} that want none, ${of['decidedUnwanted']} got one.`,
    `Of ${of['wantTool']} that want a tool, ${of['toolRight']} got the right one (${of['toolShare']} %), and ${of['wholeRight']} with arguments that were right at once (${of['wholeShare']} %).`,
  ].join('\n')
