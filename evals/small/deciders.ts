import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openDeciders } from '../../src/main/builtin/decider/ask-mini.ts'
import { decideMessage, type Decision } from '../../src/main/builtin/decider/decide-message.ts'
import { deciderStep } from '../../src/main/builtin/decider/decider-step.ts'
import { readNames } from '../../src/main/builtin/guide/paths-in-requests.ts'
import type { Scene } from '../../src/main/builtin/guide/guide-scene.ts'
import { openSmallModels } from '../../src/main/models/engines/local/small-models.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import type { StepSource } from '../../src/main/runs/turn-runner.ts'

/**
 * The kinds of deciders: rules and the sentence encoder; the built-in model with both; or both of these, as
 * in the product.
 */
export const DECIDER_KINDS = ['encoder', 'mini', 'both'] as const
export type DeciderKind = (typeof DECIDER_KINDS)[number]

export type Deciders = {
  decide(
    kind: DeciderKind,
    request: string,
    place: { workspace: string; tools: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Decision | undefined>
  /** The peak memory of their process so far, in MiB; undefined if the system does not record it. */
  memoryMib(): number | undefined
  close(): Promise<void>
}

const SKILLS = fileURLToPath(new URL('../../skills', import.meta.url))
/** The day of every chat, a Wednesday, so that answers about days are always the same. */
export const DAY = Date.parse('2026-03-04T09:00:00Z')
export const ZONE = 'Europe/Vienna'

/** Start only the deciders, with processes as in the product and an empty notebook. */
export function startDeciders(): Deciders {
  const before = new Set(childrenOf())
  const report = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  const small = openSmallModels({ spawn: forkEngine, report, waitMs: LONG_MS, idleMs: 0 })
  const parts = { engine: small.engine, encode: small.of, now: () => DAY, report, waitMs: LONG_MS }
  const { mini, both } = openDeciders(parts)
  const encoder: typeof mini = (request, scene, signal) => decideMessage(request, scene, small.of, signal)
  const kinds = { encoder, mini, both }
  return {
    decide: async (kind, request, { workspace, tools }, signal = NEVER) =>
      kinds[kind](request, await sceneOf(workspace, tools), signal),
    memoryMib() {
      const each = childrenOf().flatMap(pid => (before.has(pid) ? [] : peakOf(pid)))
      return each.length === 0 ? undefined : Math.round(each.reduce((sum, kib) => sum + kib, 0) / 1_024)
    },
    close: small.close,
  }
}

/**
 * The step of a decider of this kind, for a host whose own decider is off. So each kind can be measured in
 * whole chats.
 */
export const stepOf =
  (deciders: Deciders, kind: DeciderKind): StepSource =>
  ({ session }) =>
    deciderStep({
      setting: () => 'on',
      decide: (message, tools, signal) =>
        deciders.decide(kind, message, { workspace: session.workspace, tools }, signal),
      history: () => [],
      switchOff: () => {},
    })

const NEVER = new AbortController().signal
/** A time limit so long that every decider can answer on a slow machine, in ms. */
const LONG_MS = 600_000

async function sceneOf(workspace: string, tools: readonly string[]): Promise<Scene> {
  return {
    ...(await readNames(workspace)),
    entries: [],
    skills: readdirSync(SKILLS),
    known: { now: new Date(DAY), zone: ZONE, folder: workspace, entries: [], said: [], tools },
  }
}

/** The child processes of this process, as Linux lists them. */
function childrenOf(): string[] {
  const text = readOr(`/proc/${process.pid}/task/${process.pid}/children`)
  return text.split(' ').filter(Boolean)
}

const peakOf = (pid: string): number[] => {
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/status`))?.[1]
  return kib === undefined ? [] : [Number(kib)]
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
