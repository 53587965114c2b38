import { untilAborted } from '../lib/timing.ts'
import { withoutChance } from '../lib/strangers-text.ts'
import { DENIED, LEFT_BEHIND } from '../tools/call-failures.ts'
import type { ToolResult } from '../tools/tool.ts'
import type { Verdict } from './approvals/decide.ts'
import { askUser, STOPPED_CALL } from './steps/ask-user.ts'
import type { CallAt, Given, Permission, Turn, TurnPorts } from './turn-types.ts'
import { inOrder, POLICY } from './steps/step-order.ts'
import { finishResult, recordOf, storeResult, withholdResult, withNote, type Outcome } from './finish-call.ts'
import { attemptTool, offeredIn, prepareCall, type RefusedCall } from './prepare-call.ts'
import type { ReadCall } from './guide.ts'

/** Time in ms for a stopped tool to clean up before it is abandoned. */
const GRACE_MS = 2_000
const ABANDONED: ToolResult = { ok: false, reason: LEFT_BEHIND }
/** What holds until a step judges a call, and where one fails. */
const UNCHECKED = {
  verdict: 'deny',
  by: 'policy',
  reason: 'Talaria could not check what this call would do.',
} as const

/**
 * Run the calls of one reply and store one result for each, in call order. Reads that need no approval run in
 * parallel; everything else runs alone. `ran`: at least one call reached the approval decision. `fingerprint`: all
 * calls with their results, to detect repetition.
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
    const verdict = isRead ? await judge(next) : undefined
    const isFree = verdict?.verdict === 'allow'
    if (!isFree) await runBatch()
    batch.push({ at: next, ...(verdict && { verdict }) })
    if (!isFree) await runBatch()
  }
  await runBatch()
  return { ran, fingerprint: JSON.stringify(fingerprint) }
}

/**
 * Let the steps begin a turn: what one of them asks for runs like a call of the model, and is stored as one. A step that throws
 * begins nothing.
 */
export async function beginTurn(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<void> {
  for (const step of inOrder(turn.steps, 'begin')) {
    if (signal.aborted) return
    const call = await step.begin(turn, ports, signal).catch(ports.report)
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
    await runCalls(turn, ports, [{ call }], signal)
  }
}

async function refuseCall(
  turn: Turn,
  ports: TurnPorts,
  { call, reason }: RefusedCall,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = { turn, ports, signal, call }
  const result = await finishResult(at, { ok: false, reason })
  return { at, result, durationMs: 0, record: { decision: signal.aborted ? 'stopped' : 'not_run' } }
}

/** Judge one call, ask if need be, run it inside its steps, and finish its result. */
async function runOne(at: CallAt, known: Verdict | undefined): Promise<Outcome> {
  const { ports, call, intent, note } = at
  ports.emit({ type: 'tool_call', call, title: intent.title })
  at.permission = await permit(at, known)
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

const STRICTNESS = ['allow', 'ask', 'deny'] as const
const isStricter = (found: Verdict, known: Verdict): boolean =>
  STRICTNESS.indexOf(found.verdict) >= STRICTNESS.indexOf(known.verdict)

/** The verdict of the steps that judge; after the policy each can only make it stricter. If one throws, the call is denied. */
async function judge(at: CallAt): Promise<Verdict> {
  let verdict: Verdict = UNCHECKED
  try {
    for (const step of inOrder(at.turn.steps, 'check')) {
      const found = await step.check(at, verdict)
      if (step.name === POLICY || isStricter(found, verdict)) verdict = found
    }
    return verdict
  } catch (error) {
    at.ports.report(error)
    return UNCHECKED
  }
}

/** What lets a call run, or keeps it from running; the user is asked if the steps want it. */
async function permit(at: CallAt, known: Verdict | undefined): Promise<Permission> {
  if (at.signal.aborted) return STOPPED_CALL
  const verdict = known ?? (await judge(at))
  if (at.signal.aborted) return STOPPED_CALL
  if (verdict.verdict === 'ask') return await askUser(at, verdict)
  if (verdict.verdict === 'deny') return denied(verdict)
  const { ground, access, byUser } = verdict
  return { record: { decision: 'ran', ...ground }, access, ...(byUser && { byUser }) }
}

function denied({ reason, by, rules }: Extract<Verdict, { verdict: 'deny' }>): Permission {
  const record = { decision: 'denied' as const, by, why: reason, ...(rules && { rules }) }
  return { refusal: { ok: false, reason: `${DENIED}${reason}` }, record }
}

/** Run the tool inside the steps around it. What throws before the tool ran denies the call. */
async function runInside(at: CallAt): Promise<ToolResult> {
  const { turn, ports, tool, signal } = at
  const around = inOrder(turn.steps, 'around')
  let hasBegun = false
  let isOver = false
  // An abandoned tool may still produce output, but its turn has ended.
  const output = (text: string) => {
    if (!isOver) ports.emit({ type: 'tool_output', callId: at.call.id, text })
  }
  const enter = (depth: number, given: Given): Promise<ToolResult> => {
    const step = around[depth]
    if (step) return step.around(at, given, inner => enter(depth + 1, inner))
    hasBegun = true
    return attemptTool(ports, tool, () => runTool(at, given, output))
  }
  try {
    const done = await untilAborted(enter(0, {}), signal, GRACE_MS)
    return done ?? ABANDONED
  } catch (error) {
    ports.report(error)
    if (hasBegun) return withholdResult(at, error)
    at.permission = denied(UNCHECKED)
    return at.permission.refusal!
  } finally {
    isOver = true
  }
}

function runTool(at: CallAt, given: Given, output: (text: string) => void): Promise<ToolResult> {
  const { turn, tool, input, call, permission, signal } = at
  const { workspace, home, sessionId, askedId, contextTokens } = turn
  if (!permission || permission.refusal) throw new Error('A call without permission.')
  const { access, byUser, answer } = permission
  return tool.run(input, {
    workspace,
    home,
    sessionId,
    askedId,
    callId: call.id,
    strangers: turn.permits.strangers?.current() ?? [],
    contextTokens,
    access,
    ...(turn.whyOff && { offered: offeredIn(turn) }),
    ...(byUser && { byUser }),
    ...(answer !== undefined && { answer }),
    ...given,
    signal,
    output,
  })
}
