import { existsSync } from 'node:fs'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Approval } from '../../../shared/contract/runs/run.ts'
import type { ApprovalMode, Session } from '../../../shared/contract/chats/session.ts'
import { Fault } from '../../../shared/rpc.ts'
import { absolutePath } from '../command-line.ts'
import { sayUnused } from './say-unused.ts'
import { escapeInvisible } from '../output/terminal-text.ts'
import { textReader } from '../output/outside-texts.ts'
import { releaseSignalsWhenStuck } from '../../lib/processes/signals-when-stuck.ts'
import type { Terminal } from './ask-at-terminal.ts'
import { SIGNALS } from '../stop-on-signals.ts'
import { offerText, TYPE_NUMBER, type Printer } from '../output/print-run.ts'

/**
 * Where to show a turn. `unread` aborts when the reader of our output is gone, as with `head`. `aside` gets
 * each line typed during a turn: `done` means handled, `waits` keeps the line until the turn ends, and
 * undefined passes it to the model.
 */
export type Screen = {
  printer: Printer
  terminal: Terminal
  unread: AbortSignal
  aside?: (line: string) => Promise<'done' | 'waits' | undefined>
}

/**
 * Send a message and follow the turn: show it, ask for approvals, stop it on Ctrl-C. Resolves to whether it
 * succeeded.
 */
export async function sendAndFollow(
  client: HostClient,
  sessionId: string,
  text: string,
  screen: Screen,
  attachments: readonly string[] = [],
): Promise<boolean> {
  await sayUnused(client, sessionId, screen.terminal)
  const sent = { sessionId, text, ...(attachments.length > 0 && { attachments: [...attachments] }) }
  const { runId } = await client['chat.send'](sent)
  return followRun(client, runId, screen)
}

/**
 * Do the choice with this number that the newest answer of a chat offers, and follow the turn. Undefined if
 * no choice has that number.
 */
export async function pickOffered(
  client: HostClient,
  sessionId: string,
  typed: string,
  screen: Screen,
): Promise<boolean | undefined> {
  if (!/^[1-9]$/.test(typed)) return undefined
  const newest = await newestOffer(client, sessionId)
  const choice = Number(typed) - 1
  if (!newest?.offer.choices[choice]) return undefined
  const { runId } = await client['chat.pick']({ sessionId, messageId: newest.messageId, choice })
  return followRun(client, runId, screen)
}

/**
 * Print the choices under the newest answer of a resumed chat, so that typing a number does nothing unseen.
 */
export async function sayOffered(client: HostClient, sessionId: string, terminal: Terminal): Promise<void> {
  const { offer } = (await newestOffer(client, sessionId)) ?? {}
  if (offer && offer.choices.length > 0) terminal.say(`${offerText(offer)}\n${TYPE_NUMBER}\n`)
}

async function newestOffer(client: HostClient, sessionId: string) {
  const [newest] = (await client['session.messages']({ id: sessionId, limit: 1 })).messages
  return newest?.role === 'assistant' && newest.offer
    ? { messageId: newest.id, offer: newest.offer }
    : undefined
}

/** Compact a chat and follow the run. Resolves to whether it succeeded. */
export async function compactAndFollow(
  client: HostClient,
  sessionId: string,
  focus: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.compact']({ sessionId, focus })
  return followRun(client, runId, screen)
}

/**
 * Show a run until it ends; ask for approvals, and stop it on Ctrl-C. Resolves to whether it succeeded: a
 * turn that ends without an answer did not.
 */
export async function followRun(
  client: HostClient,
  runId: string,
  { printer, terminal, unread, aside }: Screen,
): Promise<boolean> {
  const over = new AbortController()
  const open = new Map<string, AbortController>()

  let isFlushing = false
  const stop = () => void client['run.stop']({ runId }).catch(ignoreEnded)
  const stopOrSkip = () => {
    if (isFlushing) return void client['run.skip']({ runId }).catch(ignoreEnded)
    // Handle Ctrl-C only once, so that a second one ends the process immediately.
    process.off('SIGINT', stopOrSkip)
    stop()
  }
  const ask = async (approval: Approval, isShown: boolean) => {
    const answered = new AbortController()
    open.set(approval.id, answered)
    const given = await terminal.askApproval(
      approval,
      AbortSignal.any([over.signal, answered.signal]),
      textReader(client),
      isShown,
    )
    if (given) await client['run.approve']({ runId, approvalId: approval.id, ...given }).catch(ignoreEnded)
  }

  // A line typed while the model works reaches it before its next step, or becomes the next message.
  using _ = terminal.offerLines(async text => {
    try {
      const done = await aside?.(text)
      if (done !== undefined) return done === 'done'
      for await (const { taken } of client['run.steer']({ runId, text })) {
        if (taken) return true
        terminal.say('The model gets this before its next step, or as the next message.\n')
      }
    } catch (error) {
      ignoreEnded(error)
    }
    return false
  })
  for (const signal of SIGNALS) {
    if (signal === 'SIGINT') process.on(signal, stopOrSkip)
    else process.once(signal, stop)
  }
  using _released = releaseSignalsWhenStuck(SIGNALS)
  unread.addEventListener('abort', stop)
  let went = false
  let isWithoutAnswer = false
  // The command that was printed last.
  let shown: unknown
  try {
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      printer.print(event)
      if (event.type === 'flushing' || event.type === 'flushed') isFlushing = event.type === 'flushing'
      // Not awaited, so that a stop is noticed while the question is open.
      if (event.type === 'approval_request') {
        const { agent, detail } = event.approval
        void ask(event.approval, printer.showsCalls && !agent && detail === shown)
      }
      shown = event.type === 'tool_call' ? event.call.arguments['command'] : undefined
      // The approval may have been answered in the window first.
      if (event.type === 'approval_resolved') open.get(event.approvalId)?.abort()
      // Of several replies in a turn, the last one is the answer.
      if (event.type === 'message' && event.message.role === 'assistant')
        isWithoutAnswer = event.message.calls.length === 0 && event.message.text.trim() === ''
      if (event.type === 'warning' && event.offersOthers === true) isWithoutAnswer = true
      if (event.type === 'turn_end') went = event.reason === 'done' && !isWithoutAnswer
    }
  } finally {
    printer.end()
    over.abort()
    for (const signal of SIGNALS) process.off(signal, stop)
    process.off('SIGINT', stopOrSkip)
    unread.removeEventListener('abort', stop)
  }
  return went
}

/**
 * Ignore a Fault: a run that has ended accepts no stop and no answer, and the event stream reports a lost
 * host.
 */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

type Wanted = {
  id?: string | undefined
  approval: ApprovalMode
  workspace?: string | undefined
  modelId?: string | undefined
  projectId?: string | undefined
  /** Create a temporary chat, which is deleted when this command ends. */
  temporary?: boolean | undefined
}

/**
 * The chats used by this command. The mode from the command line is only lent to a chat while this command is
 * connected, so the chat gets its own mode back however the command ends.
 */
export function openChats(client: HostClient) {
  const loans = new Map<string, AbortController>()
  const temporary = new Set<string>()

  async function lend(id: string, approval: ApprovalMode): Promise<void> {
    const over = new AbortController()
    const stream = client['session.lendMode']({ id, approval }, { signal: over.signal })
    await stream.next()
    loans.get(id)?.abort()
    loans.set(id, over)
    // Keep reading the stream, which ends with this command or with the host.
    void stream.next().catch(ignoreEnded)
  }

  return {
    lend,
    async open({
      id,
      approval,
      workspace,
      modelId,
      projectId,
      temporary: isTemporary,
    }: Wanted): Promise<Session> {
      const settings = {
        ...(workspace !== undefined && { workspace }),
        ...(modelId !== undefined && { modelId }),
        ...(projectId !== undefined && { projectId }),
      }
      if (id === undefined) {
        const made = await client['session.create']({
          origin: 'terminal',
          ...settings,
          ...(isTemporary === true && { temporary: true as const }),
        })
        if (isTemporary === true) temporary.add(made.id)
        await lend(made.id, approval)
        return made
      }
      await client['session.get']({ id })
      await lend(id, approval)
      return client['session.update']({ id, ...settings })
    },
    /** End the temporary chats that this command started, except those that were kept or are already gone. */
    async endTemporary() {
      for (const id of temporary) await client['session.end']({ id }).catch(ignoreEnded)
    },
    giveBack() {
      for (const loan of loans.values()) loan.abort()
    },
  }
}

/** Convert a mode from its name on the command line. If nobody can be asked, `ask` becomes `none`. */
export function modeOf(name: string, canAsk: boolean): ApprovalMode {
  if (name === 'all') return 'full'
  if (name === 'ask') return canAsk ? 'ask' : 'none'
  if (name === 'reads' || name === 'none') return name
  throw new Fault('bad_input', `Unknown approval mode “${name}”. Use ask, reads, all or none.`)
}

/** Find the id of a model from that id or the path of a file. */
export async function modelIdOf(client: HostClient, given: string): Promise<string> {
  const { models } = await client['model.list']({})
  if (models.some(model => model.id === given)) return given
  const path = absolutePath(given.replace(/^file:/, ''))
  if (existsSync(path)) return `file:${path}`
  const text = `No model has the id ${escapeInvisible(given)}, and there is no file ${escapeInvisible(path)}.`
  throw new Fault('not_found', `${text} “talaria models list” lists the models.`)
}

type OpenChats = ReturnType<typeof openChats>

/** The state that a chat command works with. `attached`: the files to send with the next message. */
export type ChatState = {
  client: HostClient
  chats: OpenChats
  session: Session
  screen: Screen
  attached?: { sessionId: string; hashes: readonly string[] } | undefined
}

/** A command that is typed in a chat. */
export type ChatCommand = {
  /** The argument after the name, such as `[stop]`. */
  takes?: string
  about: string
  /** Run the command. Resolves to the chat to continue with; null leaves. */
  run(state: ChatState, argument: string): Promise<Session | null>
}
