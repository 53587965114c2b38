import type { AttachedSkill, Message, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { NewRunEvent, EndReason } from '../../../shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import type { Budget } from '../../agent/budget.ts'
import type { Store } from '../../db/store.ts'
import type { RunRow, ScheduleRow } from '../../db/schedule-tables.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { RunStart } from '../../runs/origin.ts'
import { byCount } from '../../../shared/text/amounts.ts'
import { hasRun, mayHaveChanged } from '../../../shared/words/call-words.ts'
import { collectGrants, grantKey, grantsForRun } from './run-grants.ts'
import { createRunBudget } from './run-budget.ts'
import type { RunEnd, SchedulerParts } from './open-schedules.ts'
import { reasonTexts } from './claim-due.ts'

export type PerformParts = {
  store: Pick<Store, 'schedules' | 'sessions' | 'messages' | 'usage'>
  /** Start a turn in a chat. */
  send(
    this: void,
    sessionId: string,
    text: string,
    how: {
      skill?: AttachedSkill | undefined
      marks?: readonly StrangersMark[]
      start: RunStart
      ended(reason: EndReason): void
    },
  ): { runId: string }
  watch(this: void, runId: string, after: number, signal: AbortSignal): AsyncIterable<NewRunEvent>
  stopIn(this: void, sessionId: string): Promise<void>
  /** A skill in the form that a chat in a folder can use. */
  attachIn(this: void, id: string, folder: string): AttachedSkill | Refusal
  /** The approval mode of a chat once the user continues it. */
  usualMode(this: void): ApprovalMode
  now(this: void): number
}

/** The answer of a model that has nothing to report. */
const SILENT = '[SILENT]'
const MOST_DENIED = 20
/** Idle time after which a run is stopped, in ms. */
const IDLE_MS = 30 * 60_000

/** Create the function that performs one run of a schedule: a new chat, one turn in it, and its outcome. */
export function createPerformer(parts: PerformParts): SchedulerParts['perform'] {
  const { store, now } = parts
  return async function perform({ schedule, run, began }, signal): Promise<RunEnd> {
    const { choices } = schedule
    const isTrial = run.kind === 'trial'
    const session = store.sessions.create({
      modelId: choices.modelId,
      workspace: choices.folder,
      approval: parts.usualMode(),
      origin: 'schedule',
      originId: schedule.id,
    })
    store.sessions.update(session.id, { title: titleOf(schedule, run) })
    began(session.id)
    const budget = createRunBudget(schedule, session.id, store, now())
    const collected = collectGrants()
    const ended = Promise.withResolvers<EndReason>()
    const { first, text } = messageFor(schedule, isTrial, id => parts.attachIn(id, choices.folder))
    const { runId } = parts.send(session.id, text, {
      skill: first,
      marks: schedule.marks,
      start: isTrial
        ? {
            mode: () => (choices.mode === 'reads' ? 'reads' : 'ask'),
            budget,
            rulesOfRun: collected.rules,
            allowed: what => collected.add(what),
          }
        : startOf(schedule, budget),
      ended: ended.resolve,
    })
    const failure = await follow(runId, session.id, signal)
    const reason = await ended.promise
    if (isTrial && reason === 'done' && !signal.aborted) keepGrants(schedule.id, choices)
    const outcome = outcomeOf(reason, failure, budget.spentText())
    if (outcome.state === 'done' && lookedAtNothing(session.id)) {
      if (hasAnswer(session.id)) outcome.reason = 'no_tools'
      else Object.assign(outcome, NO_ANSWER)
    }
    return { ...used(session.id), ...outcome }

    function keepGrants(id: string, tried: ScheduleRow['choices']) {
      const current = store.schedules.get(id)
      // A schedule that was changed in the meantime has not been tried.
      if (!current || grantKey(current.choices) !== grantKey(tried)) return
      store.schedules.put({ ...current, grants: collected.all(), grantedFor: grantKey(tried) })
    }
  }

  function startOf(schedule: ScheduleRow, budget: Budget): RunStart {
    const granted = grantsForRun(schedule)
    return {
      origin: 'schedule',
      mode: () => schedule.choices.mode,
      budget,
      grants: granted.grants,
      rulesOfRun: () => granted.rules,
    }
  }

  /** Follow a run to its end. Stop it on the signal, or if it is idle. Returns the text of its error. */
  async function follow(runId: string, sessionId: string, signal: AbortSignal): Promise<string> {
    let failure = ''
    let timer: NodeJS.Timeout | undefined
    const stop = () => void parts.stopIn(sessionId)
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        failure = 'Nothing happened for half an hour, so Talaria stopped the run.'
        stop()
      }, IDLE_MS).unref()
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    wait()
    try {
      for await (const event of parts.watch(runId, 0, new AbortController().signal)) {
        // A trial waiting for an approval is not idle.
        if (event.type === 'approval_request') clearTimeout(timer)
        else wait()
        if (event.type === 'error') failure = `${event.text} ${event.fix}`.trim()
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    return failure
  }

  /** Whether a run had tools but used none. Only the user can tell whether the task needed any. */
  function lookedAtNothing(sessionId: string): boolean {
    const hadTools = store.sessions.frozenPrompts(sessionId).some(({ toolNames }) => toolNames.length > 0)
    const messages = store.messages.history(sessionId, {})
    return hadTools && !messages.some(each => each.role === 'tool' && hasRun(each.record))
  }

  /** Whether the chat ended with a real answer, not a void or empty one. */
  function hasAnswer(sessionId: string): boolean {
    const last = store.messages.history(sessionId, {}).at(-1)
    return last?.role === 'assistant' && !last.void && last.text.trim() !== ''
  }

  function used(sessionId: string) {
    const { total } = store.usage.read({ sessionId })
    const messages = store.messages.history(sessionId, {})
    const answer = messages.findLast(each => each.role === 'assistant')?.text.trim() ?? ''
    const commands = messages.filter(ranCommand).length
    return {
      tokens: total.promptTokens + total.outputTokens,
      costUsd: total.costUsd,
      silent: isSilent(answer),
      denied: messages.flatMap(deniedOf).slice(0, MOST_DENIED),
      text:
        commands === 0
          ? ''
          : `It ran ${byCount(commands, 'one command', `${commands} commands`)}. Changes made by commands cannot be undone here.`,
    }
  }
}

/** The outcome of a run, taken from how its turn ended, not from the model's words. */
function outcomeOf(
  reason: EndReason,
  failure: string,
  spent: string,
): Pick<RunEnd, 'state' | 'reason'> & { text?: string } {
  if (reason === 'done') return { state: 'done', reason: '' }
  if (spent !== '') return { state: 'failed', reason: 'run_limit', text: spent }
  if (reason === 'stopped' && failure === '')
    return { state: 'failed', reason: 'stopped', text: reasonTexts.stopped }
  return { state: 'failed', reason: 'failed', text: failure === '' ? ENDS[reason] : failure }
}

/** The model did nothing and said nothing. */
const NO_ANSWER = {
  state: 'failed',
  reason: 'failed',
  text: 'The model gave no answer: what it wrote was empty, repetitive or unreadable. Another model may help.',
} as const

const ENDS: Record<EndReason, string> = {
  done: '',
  stopped: reasonTexts.stopped,
  budget_exhausted: 'It used all its steps before it was done.',
  tool_calls_invalid: 'The model kept making tool calls that could not run.',
  failed: 'It failed. Its chat shows how far it got.',
}

/** The message of a run. Skills are attached or named, and the model is told that no user is present. */
function messageFor(
  { choices }: ScheduleRow,
  isTrial: boolean,
  attach: (id: string) => AttachedSkill | Refusal,
): { first: AttachedSkill | undefined; text: string } {
  const [first, ...others] = choices.skills.flatMap(id => {
    const skill = attach(id)
    return isRefusal(skill) ? [] : [skill]
  })
  const more =
    others.length === 0 ? '' : `\n\nUse these skills too: ${others.map(({ name }) => name).join(', ')}.`
  const alone = isTrial
    ? 'This is a trial run of a scheduled task.'
    : 'This runs by schedule; nobody is here to answer.'
  return {
    first,
    text: `${choices.task}${more}\n\n(${alone} If there is nothing to report, answer only with ${SILENT}.)`,
  }
}

const titleOf = ({ choices, zone }: ScheduleRow, { planned, kind }: RunRow): string => {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' })
  return `${choices.name} · ${kind === 'trial' ? 'trial, ' : ''}${day.format(planned)}`.slice(0, 200)
}

const isSilent = (answer: string): boolean =>
  answer === SILENT || answer.startsWith(`${SILENT}\n`) || answer.endsWith(`\n${SILENT}`)

/** Whether a command ran that may have changed something, because it could do more than read. */
const ranCommand = (message: Message): boolean =>
  message.role === 'tool' && message.name === 'terminal' && mayHaveChanged(message.record)

const deniedOf = (message: Message): string[] =>
  message.role === 'tool' && message.record.decision === 'denied' ? [message.title ?? message.name] : []
