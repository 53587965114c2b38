import type { CallRecord } from '../../shared/contract/call-record.ts'
import type { StrangersMark, ToolCall } from '../../shared/contract/messages.ts'
import { boundMarks, mergeMarks } from '../lib/marks.ts'
import { untilAborted } from '../lib/timing.ts'
import { redactKnown } from '../lib/redact.ts'
import { withoutChance } from '../lib/strangers-text.ts'
import { DENIED, LEFT_BEHIND, UNEXPECTED } from '../tools/call-failures.ts'
import type { Intent, Tool, ToolContext, ToolResult } from '../tools/tool.ts'
import { accessName, type Access, type CommandRights } from '../confinement/profile.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { decideCall, type Verdict } from './approvals/decide.ts'
import { marksFor } from './approvals/marked-calls.ts'
import {
  askUser,
  STOPPED,
  STOPPED_CALL,
  type Circumstances,
  type Failure,
  type Permission,
  type Ready,
} from './ask-user.ts'
import { whyNotAsShown } from './as-shown.ts'
import { askAboutAside, askToRunAgain, withLine } from './ask-aside.ts'
import { placeholderRefusal } from './compaction/placeholders.ts'
import { meantCall, noSuchTool, offeredIn, offReason } from './offered-tools.ts'
import type { ReadCall } from './guide.ts'
import type { Turn, TurnPorts } from './turn-types.ts'

/** A call that will not run. `sound`: it was well-formed, and only its target was refused. */
type Refused = { call: ToolCall; reason: string; sound: boolean }
/** The result of a call, with what became of it as data. */
type Outcome = {
  call: ToolCall
  result: ToolResult
  durationMs: number
  record: CallRecord
  title?: string
  read?: readonly StrangersMark[] | undefined
}

/** Time in ms for a stopped tool to clean up before it is abandoned. */
const GRACE_MS = 2_000
const NO_TOOLS = 'This chat has no tools, because its mode is chat only. Answer without them.'
const ABANDONED: Failure = {
  ok: false,
  reason: LEFT_BEHIND,
}

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
  let asked: Promise<CommandRights> | undefined
  /** Only a command waits until this computer has been tried. */
  const rightsOf = async ({ intent }: Ready): Promise<CommandRights> =>
    intent.command === undefined || !ports.commands ? UNCONFINED : await (asked ??= ports.commands.rights())
  const fingerprint: unknown[] = []
  let batch: Ready[] = []
  const end = (outcome: Outcome) => {
    const { call, result } = outcome
    fingerprint.push([call.name, call.arguments, withoutChance(result.ok ? result.text : result.reason)])
    storeResult(turn, ports, outcome)
  }
  const runBatch = async () => {
    const outcomes = await Promise.all(
      batch.map(async each => await runOne(turn, ports, each, await rightsOf(each), signal)),
    )
    for (const outcome of outcomes) end(outcome)
    batch = []
  }
  for (const each of calls) {
    const next = await prepareCall(turn, ports, each, signal)
    const isReady = 'tool' in next
    ran ||= isReady || next.sound
    const isFree =
      isReady && next.tool.risk === 'read' && verdictFor(turn, ports, next, UNCONFINED).verdict === 'allow'
    if (!isFree) await runBatch()
    if (isReady) batch.push(next)
    else end(await refuseCall(turn, ports, next, signal))
    if (!isFree) await runBatch()
  }
  await runBatch()
  return { ran, fingerprint: JSON.stringify(fingerprint) }
}

/** Find the tool, validate the arguments and get the intent of the call. */
async function prepareCall(
  turn: Turn,
  ports: TurnPorts,
  { call: given, problem }: ReadCall,
  signal: AbortSignal,
): Promise<Ready | Refused> {
  let call = given
  const names = turn.tools.map(each => each.name)
  if (names.length === 0) return { call, reason: NO_TOOLS, sound: false }
  if (problem !== undefined) return { call, reason: problem, sound: false }
  call = meantCall(turn, given)
  const known = turn.registry.get(call.name)
  const tool = names.includes(call.name) ? known : undefined
  if (!tool) {
    const reason = (known && offReason(turn, known.name)) ?? noSuchTool(turn, given.name)
    return { call: given, reason, sound: false }
  }
  const off = offReason(turn, tool.name)
  if (off !== undefined) return { call, reason: off, sound: true }
  const checked = turn.registry.validate(tool.name, call.arguments)
  if (!checked.ok) return { call, reason: checked.reason, sound: tool.through !== undefined }
  const placeholder = tool.risk === 'read' ? undefined : placeholderRefusal(call.arguments)
  if (placeholder !== undefined) return { call, reason: placeholder, sound: false }
  if (signal.aborted) return { call, reason: STOPPED.reason, sound: true }
  const intent = await attempt(ports, tool, () => untilAborted(tool.intent(checked.value, turn), signal))
  if (intent === undefined) return { call, reason: STOPPED.reason, sound: true }
  if ('reason' in intent) return { call, reason: intent.reason, sound: true }
  if (isRefusal(intent)) return { call, reason: intent.refused, sound: true }
  // Use the repaired name from here on.
  return { call, tool, input: checked.value, intent, note: checked.note }
}

async function refuseCall(
  turn: Turn,
  ports: TurnPorts,
  { call, reason }: Refused,
  signal: AbortSignal,
): Promise<Outcome> {
  const result = await ports.cap(call, { ok: false, reason }, turn.contextTokens)
  return { call, result, durationMs: 0, record: { decision: signal.aborted ? 'stopped' : 'not_run' } }
}

async function runOne(
  turn: Turn,
  ports: TurnPorts,
  ready: Ready,
  rights: CommandRights,
  signal: AbortSignal,
): Promise<Outcome> {
  const { call, tool, intent, note } = ready
  ports.emit({ type: 'tool_call', call, title: intent.title })
  const keys = ports.keysFor?.(turn) ?? NO_KEYS
  const question = { rights, keys: intent.command === undefined ? [] : Object.keys(keys.given) }
  let permission = await askPermission(turn, ports, ready, question, signal)
  const startedAt = performance.now()
  /** The user may have switched it off while the question was open. */
  const switchedOff = (): Failure | undefined => {
    const reason = offReason(turn, tool.name)
    return reason === undefined ? undefined : { ok: false, reason }
  }
  const runOrRefuse = async () =>
    permission.refusal ??
    switchedOff() ??
    (await attempt(ports, tool, () => whyNotAsShown(turn, ready, permission))) ??
    (await runTool(turn, ports, ready, permission, keys, signal))
  let result = await runOrRefuse()
  if (!result.ok && result.setupFailed && !signal.aborted) {
    // Ask again: a command runs unconfined only if the user says so, who must know which text may have asked for it.
    const texts = marksFor(intent, ports.strangers?.current())
    permission = await askUser(
      ports,
      ready,
      { reason: result.reason, mayAllowInChat: false, obeyed: 'nothing', inEveryMode: true, texts },
      { ...question, rights: { ...rights, confined: false, whyNot: result.reason } },
      signal,
    )
    result = await runOrRefuse()
  }
  if (result.blocked && !signal.aborted && ports.approvalMode() !== 'none') {
    const again = await askToRunAgain(ports, ready, result.blocked, question, signal)
    if (again.refusal) result = withLine(result, 'The user did not let it run again.')
    else {
      permission = again
      result = await runOrRefuse()
    }
  }
  result = await askAboutAside(ports, ready, result, question, signal)
  result = await withMarks(ports, ready, result)
  const durationMs = Math.round(performance.now() - startedAt)
  const capped = await attempt(ports, tool, () => ports.cap(call, result, turn.contextTokens))
  const record = recordOf(ready, permission, result, signal)
  const told = note === undefined ? capped : withNote(capped, note)
  return { call, result: told, durationMs, record, title: intent.title, read: permission.read }
}

/** What became of a call that was decided about. */
function recordOf(
  { intent }: Ready,
  permission: Permission,
  result: ToolResult,
  signal: AbortSignal,
): CallRecord {
  const { record } = permission
  if (permission.refusal) return record
  const { exitCode, files } = result
  const isCommand = intent.command !== undefined
  return {
    ...record,
    ...(isCommand && { access: accessName(permission.access) }),
    ...(!result.ok && signal.aborted && { cutShort: true as const }),
    ...(exitCode !== undefined && { exitCode }),
    ...(files && { files: [...files] }),
    ...(intent.mcp && { sources: [intent.mcp.source] }),
  }
}

/**
 * A result with all marks that it may have: its own, those of the kept results that it was read from, and those of the context in
 * which the call was written, since what a call did and printed was made from that.
 */
async function withMarks(
  { strangers }: TurnPorts,
  { call, intent }: Ready,
  result: ToolResult,
): Promise<ToolResult> {
  if (!strangers) return result
  strangers.add(result.marks ?? [])
  strangers.add((await strangers.readFrom?.(call, intent, result)) ?? [])
  const marks = mergeMarks(result.marks, strangers.current())
  return marks.length === 0 ? result : { ...result, marks }
}

const withNote = (result: ToolResult, note: string): ToolResult =>
  result.ok
    ? { ...result, text: `${result.text}\n(${note})` }
    : { ...result, reason: `${result.reason}\n(${note})` }

const UNCONFINED: CommandRights = {
  confined: false,
  whyNot: 'Nothing confines commands here.',
  offline: false,
}

const NO_KEYS: NonNullable<ToolContext['keys']> = { given: {}, secrets: [] }

/** Commands that can only read run unasked, so they get no keys. */
const mayWrite = (access: Access) => access === 'unconfined' || access.profile === 'work'

/** Decide, and ask the user if the policy requires it. */
async function askPermission(
  turn: Turn,
  ports: TurnPorts,
  ready: Ready,
  { rights, keys }: Circumstances,
  signal: AbortSignal,
): Promise<Permission> {
  if (signal.aborted) return STOPPED_CALL
  const decided = verdictFor(turn, ports, ready, rights)
  const verdict = await lookAgain(ports, ready, decided, keys, signal)
  if (signal.aborted) return STOPPED_CALL
  if (verdict.verdict === 'allow') {
    const { ground, access, byUser } = verdict
    return { record: { decision: 'ran', ...ground }, access, ...(byUser && { byUser }) }
  }
  if (verdict.verdict === 'ask') return await askUser(ports, ready, verdict, { rights, keys }, signal)
  const { reason, by, rules } = verdict
  const record = { decision: 'denied' as const, by, why: reason, ...(rules && { rules }) }
  return { refusal: { ok: false, reason: `${DENIED}${reason}` }, record }
}

/**
 * Ask about a command that would only read but names a key of a skill, since such a command gets no keys. And let a model
 * doubt one that would run unasked; it can only add a question.
 */
async function lookAgain(
  ports: TurnPorts,
  { intent }: Ready,
  verdict: Verdict,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const { command } = intent
  if (verdict.verdict !== 'allow' || verdict.byUser || command === undefined) return verdict
  const named = mayWrite(verdict.access) ? undefined : keys.find(name => command.includes(name))
  const doubt =
    named === undefined
      ? await ports.secondLook?.(intent, signal)
      : `It is about the key ${named} of a skill.`
  if (doubt === undefined) return verdict
  if (ports.approvalMode() === 'none')
    return {
      verdict: 'deny',
      by: 'nobody',
      reason: `It needs permission, and nobody is here to give it. ${doubt}`,
    }
  const { access } = verdict
  const obeyed = access !== 'unconfined' && access.profile === 'work' ? access.obeyed : 'nothing'
  return { verdict: 'ask', reason: doubt, mayAllowInChat: false, obeyed, inEveryMode: true }
}

/** The verdict of the policy. If the policy throws, the call is denied. */
function verdictFor(turn: Turn, ports: TurnPorts, { tool, intent }: Ready, rights: CommandRights): Verdict {
  try {
    return decideCall({
      tool: tool.name,
      intent,
      mode: ports.approvalMode(),
      grants: ports.grants,
      rules: ports.rules?.current() ?? [],
      strangers: ports.strangers?.current(),
      running: ports.runningIn?.(turn.workspace),
      rights,
      home: turn.home,
    })
  } catch (error) {
    ports.report(error)
    return { verdict: 'deny', by: 'policy', reason: 'Talaria could not check what this call would do.' }
  }
}

async function runTool(
  turn: Turn,
  ports: TurnPorts,
  { tool, input, call, intent }: Ready,
  { access, byUser, answer }: Extract<Permission, { access: Access }>,
  keys: NonNullable<ToolContext['keys']>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { workspace, home, sessionId, askedId, contextTokens } = turn
  const { confine, guards } = ports.commands ?? {}
  const { keepCopy } = ports
  let isOver = false
  const output = (text: string) => {
    // An abandoned tool may still produce output, but its turn has ended.
    if (!isOver) ports.emit({ type: 'tool_output', callId: call.id, text })
  }
  const work = () =>
    tool.run(input, {
      workspace,
      home,
      sessionId,
      askedId,
      callId: call.id,
      strangers: ports.strangers?.current() ?? [],
      contextTokens,
      access,
      ...(turn.whyOff && { offered: offeredIn(turn) }),
      ...(byUser && { byUser }),
      ...(answer !== undefined && { answer }),
      confine,
      guards,
      keys: mayWrite(access) ? keys : { ...keys, given: {} },
      ...(keepCopy && {
        keepCopy: (path: string, content: string | Uint8Array) =>
          keepCopy({ sessionId, callId: call.id, folder: workspace }, path, content),
      }),
      signal,
      output,
    })
  const watched = async () => {
    if (intent.command === undefined && intent.risk === 'write' && intent.path !== undefined) {
      const written = guards?.expectFile(intent.path)
      return work().finally(written)
    }
    if (intent.command === undefined || !ports.aroundCommand) return work()
    const ended = await ports.aroundCommand({ call, folder: workspace, mayWrite: mayWrite(access) })
    const done = await work()
    await ended()
    return done
  }
  const running = attempt(ports, tool, () => besideOthers(turn, ports, intent, watched))
  const result = await untilAborted(running, signal, GRACE_MS)
  isOver = true
  if (result === undefined) return ABANDONED
  // A file may hold what a command wrote into it.
  const shown = (text: string) => redactKnown(text, keys.secrets)
  return result.ok ? { ...result, text: shown(result.text) } : { ...result, reason: shown(result.reason) }
}

/** Run the work of a call on a file so that no other chat's change to it is lost. */
async function besideOthers(
  { sessionId }: Turn,
  { writers }: TurnPorts,
  { path, risk, undoable }: Intent,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  if (!writers || path === undefined || undoable) return work()
  if (risk === 'write') {
    const result = await writers.write(sessionId, path, work, done => done.ok)
    return 'refused' in result ? { ok: false, reason: result.refused } : result
  }
  const result = await work()
  if (result.ok) writers.read(sessionId, path)
  return result
}

/** Run a tool's code. A throw is a bug in the tool: the turn continues, and the model gets the error as a result. */
async function attempt<T>(ports: TurnPorts, tool: Tool, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    ports.report(error)
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: `${tool.name}${UNEXPECTED}${why}` }
  }
}

function storeResult(
  turn: Turn,
  ports: TurnPorts,
  { call, result, durationMs, record, title, read }: Outcome,
) {
  const marks = mergeMarks(result.marks, ports.strangers?.current())
  const message = ports.append({
    role: 'tool',
    sessionId: turn.sessionId,
    at: ports.now(),
    callId: call.id,
    name: call.name,
    ok: result.ok,
    text: result.ok ? result.text : `Error: ${result.reason}`,
    durationMs,
    record,
    ...(title !== undefined && { title }),
    ...(marks.length > 0 && { marks: [...boundMarks(marks)] }),
    ...(result.obeyed?.length && { obeyed: [...result.obeyed] }),
    ...(read?.length && { read: [...read] }),
  })
  ports.emit({ type: 'message', message })
  if (!result.ok) return
  const { revisions = [], skillRevisions = [], skill } = result
  if (revisions.length > 0) ports.emit({ type: 'memory', revisions: [...revisions] })
  if (skillRevisions.length > 0) ports.emit({ type: 'skills', revisions: [...skillRevisions] })
  if (skill) ports.emit({ type: 'skill_used', ...skill })
}
