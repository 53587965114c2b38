import { z } from 'zod'
import type { Background, ProcessFacts } from '../../processes/background-process.ts'
import type { Processes, Started } from '../../processes/open-processes.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { resolveAgain } from '../../files/paths/resolve-path.ts'
import { commandText, folderOr, terminalTool } from './terminal.ts'
import { defineTool, type Intent, type Tool, type ToolContext, type ToolResult } from '../registry/tool.ts'

const input = z.object({
  action: z
    .enum(['run', 'start', 'list', 'read', 'stop'])
    .optional()
    .describe('run by default; start leaves it running'),
  command: commandText.optional().describe('for run and start'),
  cwd: z.string().optional(),
  timeout_s: z.number().min(1).max(3_600).optional(),
  port: z.int().min(1).max(65_535).optional().describe('for start: the port of a server'),
  id: z.string().max(20).optional().describe('for read and stop'),
})
type Input = z.output<typeof input>

/** The terminal that also starts, lists, reads and stops background processes. */
export function terminalWithBackground(config: { timeout_s: number }, processes: Processes): Tool {
  const basic = terminalTool({ ...config, mayStart: true })

  /** Find a process of this chat. Those of other chats are only listed. */
  function own(id: string, sessionId: string): Background | undefined {
    const background = processes.get(id)
    return background?.facts().sessionId === sessionId ? background : undefined
  }

  async function intentOf(given: Input, context: Parameters<Tool['intent']>[1]) {
    const { action = 'run', command, id } = given
    if (action === 'list') return managing('List the background processes', context.workspace)
    if (action === 'read' || action === 'stop') {
      if (id === undefined) return { refused: `${action} needs the id of a background process.` }
      const title =
        action === 'read' ? `Read the output of background process ${id}` : `Stop background process ${id}`
      return managing(title, context.workspace)
    }
    if (command === undefined) return { refused: `${action} needs a command.` }
    const intent = await basic.intent(
      { command, ...(given.cwd !== undefined && { cwd: given.cwd }) },
      context,
    )
    if (action === 'run' || isRefusal(intent)) return intent
    const full = processes.whyFull()
    if (full !== undefined) return { refused: full }
    const port = given.port === undefined ? '' : `, for port ${given.port}`
    const title = intent.title.replace('Run a command', 'Start a background process') + port
    return { ...intent, title, background: 'start' as const }
  }

  async function start(given: Input, context: ToolContext): Promise<ToolResult> {
    const target = folderOr(await resolveAgain(given, context, given.cwd || '.'), given.cwd)
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    if (context.signal.aborted) return { ok: false, reason: 'stopped by the user' }
    const { sessionId, workspace, access, confine, guards } = context
    const started = await processes.start({
      sessionId,
      command: given.command!,
      workspace,
      folder: target.path,
      access,
      confine,
      guards,
      port: given.port,
      keys: context.keys,
    })
    if (isRefusal(started))
      return {
        ok: false,
        reason: started.refused,
        ...(started.setupFailed && { setupFailed: true as const }),
      }
    const { background } = started
    if (context.signal.aborted) {
      await background.stop()
      return { ok: false, reason: 'stopped by the user' }
    }
    return resultOf(background, `${startText(started, given.port)}\n${newsOf(background)}`)
  }

  return defineTool({
    ...basic,
    says: 'Run a shell command and see its exit code and output. Each begins in a new shell: cd and export do not last. A server or watcher: start it, then read or stop it by its id.',
    input,
    intent: (given, context) => intentOf(given, context),
    async run(given, context) {
      const { action = 'run', id = '' } = given
      if (action === 'run') return basic.run(given, context)
      if (action === 'start') return start(given, context)
      if (action === 'list') return { ok: true, text: listText(processes.list(), context.sessionId) }
      const background = own(id, context.sessionId)
      if (!background)
        return {
          ok: false,
          reason: `This chat has no background process ${id}. Those of earlier sessions have ended.`,
        }
      if (action === 'stop') {
        await background.stop()
      }
      return { ok: true, text: `${stateText(background.facts())}\n${newsOf(background)}` }
    },
  })
}

const managing = (title: string, folder: string): Intent => ({
  title,
  detail: title,
  risk: 'read',
  inWorkspace: true,
  folder,
  background: 'manage',
})

/** Make the result of a call. A command that has already failed counts as failed. */
function resultOf(background: Background, text: string): ToolResult {
  const { state, exitCode } = background.facts()
  return state === 'exited' && exitCode !== 0 ? { ok: false, reason: text } : { ok: true, text }
}

function startText({ background, reach, insideSocket }: Started, port: number | undefined): string {
  const { id, access, address } = background.facts()
  const lines = [
    stateText(background.facts()),
    `It ends with this chat, or when Talaria closes. Its id is ${id}.`,
  ]
  if (address !== null && reach === 'direct') lines.push(`Address on this computer: ${address}`)
  if (address !== null && insideSocket !== undefined)
    lines.push(
      `Address on this computer: ${address}`,
      `It has a network of its own. Confined commands of this chat reach it with: curl --unix-socket ${insideSocket} http://localhost/`,
    )
  if (reach === 'cut off')
    lines.push(
      `It runs without network, so nothing outside it reaches port ${port}, and this computer has no socat to forward it. Stop it and start it again; the user can then choose “With network”.`,
    )
  if (reach === 'no port' && access === 'confined')
    lines.push('It runs without network. A server is reached only if it is started with its port.')
  return lines.join('\n')
}

function stateText({ id, command, state, exitCode, leftover }: ProcessFacts): string {
  const what = command.length > 200 ? `${command.slice(0, 200)}…` : command
  const rest =
    leftover > 0 ? ` ${leftover} of its processes belong to another user and could not be ended.` : ''
  const states = {
    running: `${id} is running`,
    stopping: `${id} is ending`,
    exited: `${id} ended with exit code ${exitCode ?? 'unknown'}`,
    stopped: `${id} was stopped`,
  }
  return `${states[state]}: ${what}${rest}`
}

/** The output since the last read, and what the process did to files that programs obey. */
function newsOf(background: Background): string {
  const notes = background.readObeyed().map(note => `\n[${note}]`)
  return `${newOutput(background)}${notes.join('')}`
}

/** The output since the last read, without secrets. */
function newOutput(background: Background): string {
  const { text, dropped } = background.readNew()
  const cut = dropped > 0 ? `[… ${dropped.toLocaleString('en')} characters were not kept …]\n` : ''
  return text.trim() === '' ? `${cut}(no new output)` : `${cut}${redactText(text.trimEnd())}`
}

function listText(all: readonly Background[], sessionId: string): string {
  if (all.length === 0) return 'There are no background processes.'
  return all
    .map(each => {
      const facts = each.facts()
      const where = facts.sessionId === sessionId ? '' : ' (in another chat)'
      const address = facts.address === null ? '' : ` at ${facts.address}`
      const obeyed = (facts.obeyed?.length ?? 0) > 0 ? ' (it changed files that programs obey: read it)' : ''
      return redactText(`${stateText(facts)}${address}${where}${obeyed}`)
    })
    .join('\n')
}
