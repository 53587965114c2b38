import { homedir } from 'node:os'
import { z } from 'zod'
import { isInside, resolveAgain, resolveFirst, type Target } from '../../files/paths/resolve-path.ts'
import type { CannotConfine, ConfinedStart } from '../../confinement/open-confinement.ts'
import type { ObeyedReport } from '../../confinement/obeyed/guard/create-guards.ts'
import { tellObeyed } from '../../confinement/obeyed/guard/tell-obeyed.ts'
import type { Access } from '../../confinement/profile.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { withinTime } from '../../lib/timing.ts'
import { plainCommand } from './command-text.ts'
import { whatDoesNotLast } from '../../shell-safety/does-not-last.ts'
import { watchingLeft, type Left } from '../../commands/left-running.ts'
import { shellFor } from '../../commands/process-group.ts'
import { runCommand, type Ran } from '../../commands/run-command.ts'
import { defineTool, type ToolContext, type ToolResult } from '../registry/tool.ts'
import { redactLong } from '../files/run-file-job.ts'
import { tellCommand } from '../tell/tell-terminal.ts'

/** At three bytes per character this stays below Linux's limit for one argument. */
export const commandText = z.string().min(1).max(40_000).transform(plainCommand)

/**
 * The tool that runs shell commands. `timeout_s` is the default time limit of a call. `mayStart`: the model
 * can start background processes with `action start`.
 */
export const terminalTool = (config: { timeout_s: number; mayStart?: boolean }) =>
  defineTool({
    name: 'terminal',
    tell: tellCommand,
    says: 'Run a shell command and see its exit code and output.',
    input: z.object({
      command: commandText,
      cwd: z.string().optional(),
      timeout_s: z.number().min(1).max(3_600).optional(),
    }),
    toolset: 'terminal',
    risk: 'execute',
    async intent(input, context) {
      if (input.command === '') return { refused: 'The command is empty.' }
      if (input.command.includes('\0')) return { refused: 'The command contains a null character.' }
      const target = folderOr(await resolveFirst(input, context, input.cwd || '.'), input.cwd)
      if (isRefusal(target)) return target
      return {
        title: 'Run a command',
        detail: input.command,
        risk: 'execute',
        inWorkspace: target.inWorkspace && !isWholeHome(context.workspace),
        folder: target.path,
        workspace: context.workspace,
        command: input.command,
      }
    },
    async run(input, context) {
      const target = folderOr(await resolveAgain(input, context, input.cwd || '.'), input.cwd)
      if (isRefusal(target)) return { ok: false, reason: target.refused }
      const seconds = input.timeout_s ?? config.timeout_s
      const run = (confined: ConfinedStart | undefined) =>
        runCommand({
          command: input.command,
          folder: target.path,
          timeoutMs: seconds * 1_000,
          signal: context.signal,
          output: context.output,
          ...(confined && { confined }),
          keys: context.keys,
        })
      const prepare = () => prepareConfined(input.command, target.path, context)
      let confined = await prepare()
      if (confined && isRefusal(confined)) return notConfined(confined)
      const { sessionId, access, workspace } = context
      const guard = isLook(access)
        ? undefined
        : context.guards?.guardFolder([workspace], { sessionId, access })
      let end = await run(confined)
      if (end.how === 'not confined') {
        confined?.couldNotStart()
        confined?.cleanUp()
        // A file to be hidden may have vanished meanwhile. Nothing has run, so prepare again.
        const again = await prepare()
        if (again && !isRefusal(again)) end = await run((confined = again))
      }
      // Killed processes may write until they are gone.
      if (confined && 'gone' in end) await withinTime(GONE_MS, end.gone)
      const report = guard?.end()
      confined?.cleanUp()
      if (end.how === 'not confined') {
        confined?.couldNotStart()
        return { ok: false, reason: `The command could not be confined: ${end.reason}`, setupFailed: true }
      }
      if (end.how === 'not started') return { ok: false, reason: `The command did not start: ${end.reason}.` }
      const printed = end.output.trim() === '' ? '(no output)' : end.output.trimEnd()
      const blocked = confined && NOT_WRITTEN.test(end.output) ? (guard?.namedIn(end.output) ?? []) : []
      const hasFailed = end.how !== 'exited' || end.code !== 0
      const notes = [
        ...(blocked.length > 0 && !hasFailed
          ? [`It may not have written ${blocked.join(', ')}: programs obey that, so it is read-only here.`]
          : []),
        ...notesOn(end, { input, target, confined, access, ...config }),
        ...(report ? tellObeyed(report) : []),
      ]
      const output = `${await redactLong(printed)}${notes.map(note => `\n[${note}]`).join('')}`
      const dropped = { ...(end.dropped > 0 && { dropped: end.dropped }), ...resultOf(report) }
      if (end.how === 'exceeded')
        return { ok: false, reason: `ended, because ${end.reason}\n${output}`, ...dropped }
      if (end.how === 'stopped') return { ok: false, reason: `stopped by the user\n${output}`, ...dropped }
      if (end.how === 'late')
        return { ok: false, reason: `stopped after ${seconds} s\n${output}`, ...dropped }
      // The first line says whether the command worked; the built-in model was trained on that.
      const text = `exit code ${end.code}\n${output}`
      const exit = { ...dropped, exitCode: end.code }
      if (end.code === 0) return { ok: true, text, ...exit }
      return { ok: false, reason: text, ...exit, ...(blocked.length > 0 && { blocked }) }
    },
  })

const NOT_WRITTEN = /read-only file system|permission denied|resource busy/i
/** How long to wait for a killed command to end, in ms. */
const GONE_MS = 1_000

const isLook = (access: Access) => access !== 'unconfined' && access.profile === 'look'

/** The changes of obeyed files by a command, as part of its result. */
const resultOf = (report: ObeyedReport | undefined): Pick<ToolResult, 'obeyed' | 'aside'> => ({
  ...(report && report.changes.length > 0 && { obeyed: report.changes }),
  ...(report && report.aside.length > 0 && { aside: report.aside }),
})

/** Prepare how to start a command confined; undefined if it may run unconfined. */
async function prepareConfined(
  command: string,
  cwd: string,
  { access, confine, workspace, sessionId }: ToolContext,
): Promise<ConfinedStart | CannotConfine | undefined> {
  if (access === 'unconfined') return undefined
  const start = await confine?.(watchingLeft(shellFor(command)), access, {
    folder: workspace,
    cwd,
    sessionId,
  })
  return start ?? { refused: 'Nothing confines commands here.', mayRunUnconfined: true }
}

const notConfined = ({ refused, mayRunUnconfined }: CannotConfine) => ({
  ok: false as const,
  reason: refused,
  ...(mayRunUnconfined && { setupFailed: true as const }),
})

type Circumstances = {
  input: { command: string }
  target: Target
  confined: ConfinedStart | undefined
  access: Access
  mayStart?: boolean
}

/** Notes for the model on how a command ran and ended. */
function notesOn(end: Ran, around: Circumstances): string[] {
  const notes = end.isRedrawn ? ['Lines that were drawn again are shown as they were at the end.'] : []
  const { confined, access } = around
  if (confined && end.how !== 'exceeded') notes.push(...notesOnConfined(end, confined, access))
  if (end.how === 'late') return [...notes, whenLate(end, around)]
  if (end.how !== 'exited') return notes
  if (end.left) notes.push(whatWasLeft(end.left, around.mayStart))
  if (end.code !== 0) return notes
  const lost = whatDoesNotLast(around.input.command, around.target.path, homedir())
  return lost === undefined ? notes : [...notes, lost]
}

function whenLate({ isFullScreen, output }: Ran, { confined, mayStart }: Circumstances): string {
  if (isFullScreen || /(?:Input is not from|Output is not to) a terminal/.test(output))
    return 'It drew on the screen of a terminal and waited for keys, and there is no terminal here. Use a command that needs none; more time does not help.'
  if (mayStart) return 'For more time set timeout_s; for a server or watcher use action start.'
  return confined
    ? 'For more time set timeout_s. A server ends with its call: start it with & and use it in the same call.'
    : 'For more time set timeout_s; to leave it running end it with &.'
}

/** Say what was still running when a command had ended, and what happened to it. */
function whatWasLeft({ names, count, isEnded }: Left, mayStart = false): string {
  const more = count > names.length && names.length > 0 ? ' and others' : ''
  const what = names.length > 0 ? `${names.join(', ')}${more}` : 'something'
  if (isEnded)
    return `It left ${what} running, which was ended with this call. ${mayStart ? 'For a server or watcher use action start.' : 'Use it in the same call that starts it.'}`
  return `It left ${what} running, and that runs on.${mayStart ? ' With action start you could read its output and stop it.' : ''}`
}

/** Notes for the model on a command that failed because it was confined. */
function notesOnConfined(end: Ran, confined: ConfinedStart, access: Access): string[] {
  const notes: string[] = []
  const { output } = end
  const code = end.how === 'exited' ? end.code : 1
  if (code !== 0 && NOT_WRITTEN.test(output))
    notes.push(
      'It ran confined: only the folder of this chat and /tmp can be written, and keys cannot be read.',
    )
  const isOffline = access !== 'unconfined' && !(access.profile === 'work' && access.network)
  if (code !== 0 && isOffline && /resolve|network is unreachable|connect/i.test(output))
    notes.push('It ran without network. The user can allow it with network.')
  if (code === 137 && confined.killLimit !== '') notes.push(`It was killed: ${confined.killLimit}.`)
  return notes
}

/** Whether the chat works in the whole home folder or in `/`; then each command needs approval. */
const isWholeHome = (workspace: string) => [homedir(), '/'].some(folder => isInside(workspace, folder))

/** The folder to run a command in, or why there is none. */
export function folderOr(target: Target | Refusal, given = ''): Target | Refusal {
  if (isRefusal(target) || target.kind === 'folder') return target
  return {
    refused: given === '' ? 'There is no folder to run it in.' : `There is no folder ${given} to run it in.`,
  }
}
