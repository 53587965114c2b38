import { untilAborted } from '../lib/timing.ts'
import { withoutChance } from '../untrusted/strangers-text.ts'
import type { Verdict } from './approvals/decide.ts'
import { finishResult, recordOf, storeResult, withNote, type Outcome } from './finish-call.ts'
import type { ReadCall } from './guide.ts'
import { judgeCall, permitCall } from './permit-call.ts'
import { prepareCall, type RefusedCall } from './prepare-call.ts'
import { runInside } from './run-inside.ts'
import { inOrder } from './steps/step-order.ts'
import type { CallAt, Turn, TurnPorts, Wording } from './turn-types.ts'

/**
 * Run the calls of one reply and store one result for each, in call order. Reads that need no approval run in
 * parallel; every other call runs alone. `ran`: at least one call reached the approval decision.
 * `fingerprint`: all calls with their results, to detect repetition.
 */
export async function runCalls(
  turn: Turn,
  ports: TurnPorts,
  calls: readonly ReadCall[],
  signal: AbortSignal,
): Promise<{ ran: boolean; fingerprint: string }> {
  let ran = false
  const fingerprint: unknown[] = []
  let batch: { at: CallAt; verdict?: Verdict }[] = []
  const end = (outcome: Outcome) => {
    const { at, result } = outcome
    const { name, arguments: given } = at.call
    fingerprint.push([name, given, withoutChance(result.ok ? result.text : result.reason)])
    storeResult(outcome)
  }
  const runBatch = async () => {
    const outcomes = await Promise.all(batch.map(({ at, verdict }) => runOne(at, verdict)))
    for (const outcome of outcomes) end(outcome)
    batch = []
  }
  for (const each of calls) {
    const next = await prepareCall(turn, ports, each, signal)
    if ('reason' in next) {
      ran ||= next.sound
      await runBatch()
      end(await refuseCall(turn, ports, next, signal))
      continue
    }
    ran = true
    const isRead = next.tool.risk === 'read' && next.intent.command === undefined
    const verdict = isRead ? await judgeCall(next) : undefined
    const isFree = verdict?.verdict === 'allow'
    if (!isFree) await runBatch()
    batch.push({ at: next, ...(verdict && { verdict }) })
    if (!isFree) await runBatch()
  }
  await runBatch()
  return { ran, fingerprint: JSON.stringify(fingerprint) }
}

/**
 * Let the steps begin a turn. A call that a step returns runs and is stored like a call of the model. A step
 * that throws begins nothing. Returns the wording of the newest result, if its step provides one.
 */
export async function beginTurn(
  turn: Turn,
  ports: TurnPorts,
  signal: AbortSignal,
): Promise<Wording | undefined> {
  let wording: Wording | undefined
  for (const step of inOrder(turn.steps, 'begin')) {
    if (signal.aborted) return wording
    const beginning = (async () => step.begin(turn, ports, signal))().catch(ports.report)
    const call = await untilAborted(beginning, signal)
    if (!call) continue
    const message = ports.append({
      role: 'assistant',
      sessionId: turn.sessionId,
      at: ports.now(),
      text: '',
      reasoning: '',
      calls: [call],
      interrupted: false,
      model: turn.engine.name,
    })
    ports.emit({ type: 'message', message })
    await runCalls(turn, ports, [{ call, begunBy: step.name }], signal)
    wording = (await (async () => step.word?.(turn))().catch(ports.report)) ?? undefined
  }
  return wording
}

async function refuseCall(
  turn: Turn,
  ports: TurnPorts,
  { call, reason, begunBy }: RefusedCall,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = { turn, ports, signal, call }
  const result = await finishResult(at, { ok: false, reason })
  const record = { decision: signal.aborted ? ('stopped' as const) : ('not_run' as const) }
  return { at, result, durationMs: 0, record: begunBy === undefined ? record : { ...record, begunBy } }
}

/** Judge one call, ask the user if necessary, run it inside its steps, and finish its result. */
async function runOne(at: CallAt, known: Verdict | undefined): Promise<Outcome> {
  const { ports, call, intent, note } = at
  // Judge before the call is shown, so that slow checks, such as of confinement, are done by then.
  const verdict = known ?? (at.signal.aborted ? undefined : await judgeCall(at))
  ports.emit({ type: 'tool_call', call, title: intent.title })
  at.permission = await permitCall(at, verdict)
  const startedAt = performance.now()
  const done = at.permission.refusal ?? (await runInside(at))
  const result = await finishResult(at, done)
  const durationMs = Math.round(performance.now() - startedAt)
  return {
    at,
    result: note === undefined ? result : withNote(result, note),
    durationMs,
    record: recordOf(at, done),
  }
}
