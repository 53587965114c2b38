import { ownSections } from '../agent/own-sections.ts'
import { buildPrompt, joinSections } from '../agent/prompt.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import { fallbackFormat, formatOf } from '../models/formats/format-table.ts'
import {
  isFailure,
  type EngineFailure,
  type LlmEngine,
  type ModelProfile,
} from '../models/interface/engine.ts'
import { coreTools } from '../tools/tool-lists.ts'
import { createRegistry } from '../tools/registry/registry.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'
import type { CallReport } from './model-report.ts'
import { tryCall, type Desk, type Trial } from './try-call.ts'

/** The calls that every model is asked for. */
export const TRIALS: readonly Trial[] = [
  { tool: 'read_file', also: ['terminal'], question: 'Read the file notes.txt and tell me what it says.' },
  { tool: 'list_files', also: ['terminal'], question: 'Which files are in this folder?' },
  { tool: 'terminal', question: 'Run the command "date" and tell me what it says.' },
]

/** The setup of a trial. */
export type Trying = {
  engine: LlmEngine
  /** Whether the start of a call can be written for the model. Others are told which tool to use. */
  begins: boolean
  /** The conversation that all questions share. */
  sessionId: string
  onUsage(this: void, usage: Usage): void
}

/** One step of a trial: the tool that is asked for, or the resulting call. */
export type TryStep =
  | { kind: 'asking'; tool: string; number: number; of: number }
  | { kind: 'call'; call: CallReport }

/**
 * Have a model make three calls, none of which is executed. Returns all of them, or why the model could not
 * be asked; undefined if `signal` aborts. A server that refuses tools as data is asked with tools as text.
 */
export async function* tryTools(
  trying: Trying,
  signal: AbortSignal,
): AsyncGenerator<TryStep, readonly CallReport[] | EngineFailure | undefined, void> {
  let desk = await setDesk(trying)
  const calls: CallReport[] = []
  for (const [at, trial] of TRIALS.entries()) {
    if (isFailure(desk)) return desk
    yield { kind: 'asking', tool: trial.tool, number: at + 1, of: TRIALS.length }
    let call = await tryCall(desk, trial, signal)
    if (call && isFailure(call) && call.code === 'tools_unsupported' && desk.strategy.name === 'structured') {
      desk = await setDesk(trying)
      if (isFailure(desk)) return desk
      call = await tryCall(desk, trial, signal)
    }
    if (signal.aborted || !call) return undefined
    if (isFailure(call)) return call
    calls.push(call)
    yield { kind: 'call', call }
  }
  return calls
}

/** Build the prompt and the tools of a chat in an empty home, in the compact edition. */
export async function setDesk(trying: Trying): Promise<Desk | EngineFailure> {
  const profile = await trying.engine.profile()
  if (isFailure(profile)) return profile
  const { begins, engine, sessionId, onUsage } = trying
  const registry = createRegistry(coreTools({ timeout_s: 30 }))
  const tools = registry.specs()
  const strategy = strategyFor(profile)
  const system = joinSections(
    await buildPrompt(ownSections({ home: undefined, now: Date.now }), {
      session: { workspace: process.cwd() },
      edition: 'compact',
      tools,
      toolText: strategy.present(tools),
      trained: undefined,
    }),
  )
  const opening = begins ? formatOf(profile.format ?? fallbackFormat).open : undefined
  return { engine, strategy, system, registry, tools, opening, sessionId, onUsage }
}

const strategyFor = ({ strategy, format = fallbackFormat, toolRole = false }: ModelProfile) =>
  strategy === 'structured'
    ? structuredStrategy
    : createTextStrategy({ format, toolRole, edition: 'compact' })
