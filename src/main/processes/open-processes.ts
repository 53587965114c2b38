import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ConfinedStart } from '../confinement/open-confinement.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import type { Access } from '../confinement/profile.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { createTopic, type Topic } from '../lib/topic.ts'
import { withinTime, type Clock } from '../lib/timing.ts'
import { shellFor } from '../commands/process-group.ts'
import type { CommandKeys } from '../commands/run-command.ts'
import { startBackground, type Background } from './background-process.ts'
import { canForward, forwardPort, shellWithRelay } from './forward-port.ts'
import { createWatchdog } from '../commands/watchdog.ts'

/** A request to start a command, with the access that was granted. */
type StartRequest = {
  sessionId: string
  command: string
  /** The folder of the chat, and where the command starts. */
  workspace: string
  folder: string
  access: Access
  confine?: CommandConfinement['confine'] | undefined
  guards?: CommandConfinement['guards'] | undefined
  keys?: CommandKeys | undefined
  /** The port on which the command will listen. */
  port?: number | undefined
}

/** A started process. `insideSocket`: the socket where other commands of the chat reach its port. */
export type Started = { background: Background; reach: Reach; insideSocket?: string }

/** Who can reach the port. `direct`, `forwarded`: this computer. `cut off`: no one, without a network. */
type Reach = 'no port' | 'direct' | 'forwarded' | 'cut off'

/** Why nothing was started. `setupFailed`: confining failed, and the user may allow it unconfined. */
type NotStarted = Refusal & { setupFailed?: true }

/** The background processes of a host. */
export type Processes = {
  start(request: StartRequest): Promise<Started | NotStarted>
  /** The running processes, then the last ended ones, each oldest first. */
  list(): readonly Background[]
  get(id: string): Background | undefined
  /** The reason why no more can be started; undefined if one can. */
  whyFull(): string | undefined
  /** End all processes of a chat, and forget them. */
  endChat(sessionId: string): Promise<void>
  /** Published when a process starts, changes its state, or is forgotten. */
  changes: Topic<void>
  /** End all processes. */
  close(): Promise<void>
}

/** Maximum number of running processes, and of ended ones kept for their output. */
const MOST_RUNNING = 8
const MOST_ENDED = 8
/** How long a start is watched for its first output or for a failure, in ms. */
const FIRST_MS = 2_500
const QUIET_MS = 400

/** Create the background processes. Call this on the main thread, because they end with their thread. */
export function openProcesses({ now }: { now: Clock }): Processes {
  const host = randomUUID()
  const watchdog = createWatchdog(host)
  const changes = createTopic<void>()
  let all: Background[] = []
  let starting = 0
  let count = 0
  let isClosed = false

  const isRunning = (each: Background) => each.facts().endedAt === null
  const running = () => all.filter(isRunning)

  function whyFull() {
    return running().length + starting < MOST_RUNNING
      ? undefined
      : `${MOST_RUNNING} background processes are running already, in this chat or in others. Stop one first.`
  }

  function changed() {
    const ended = all.filter(each => !isRunning(each)).slice(-MOST_ENDED)
    all = all.filter(each => isRunning(each) || ended.includes(each))
    watchdog.setGroups(running().flatMap(each => each.leader ?? []))
    changes.publish()
  }

  async function start(request: StartRequest): Promise<Started | NotStarted> {
    const full = whyFull()
    if (full !== undefined) return { refused: full }
    if (isClosed) return { refused: 'Talaria is closing.' }
    starting++
    try {
      return await startNow(request)
    } finally {
      starting--
    }
  }

  async function startNow(request: StartRequest, isAgain = false): Promise<Started | NotStarted> {
    const { sessionId, command, folder, access, port, keys } = request
    const id = `p${++count}`
    const reach = reachOf(access, port)
    const name = `port-${port}-${id}-${host.slice(0, 8)}.sock`
    const shell = shellFor(command)
    const confined = await confineStart(
      request,
      reach === 'forwarded' ? shellWithRelay(shell, join('/tmp', name), port!) : shell,
    )
    if (confined && isRefusal(confined)) return confined
    const forward =
      reach === 'forwarded' && confined ? await forwardPort(port!, join(confined.temporary, name)) : undefined
    if (forward && isRefusal(forward)) return forward
    const reached = reach === 'direct' ? port : forward?.port
    // Tell the watchdog first, so that it knows each process from the start.
    watchdog.setGroups(running().flatMap(each => each.leader ?? []))
    const isLook = access !== 'unconfined' && access.profile === 'look'
    const guard = isLook
      ? undefined
      : request.guards?.guardFolder([request.workspace], { sessionId, access, lasts: true })
    const background = startBackground({
      id,
      sessionId,
      command,
      folder,
      access: access === 'unconfined' ? access : accessName(access),
      mark: `${host}.${id}`,
      confined,
      address: reached === undefined ? null : `http://127.0.0.1:${reached}`,
      forward,
      keys,
      guard,
      now,
    })
    all.push(background)
    background.changes.subscribe(what => what === 'state' && changed())
    changed()
    const start = await Promise.race([background.ended, settle(background)])
    if (isClosed) {
      await background.stop()
      return { refused: 'Talaria is closing.' }
    }
    if (start && !start.started) {
      all = all.filter(each => each !== background)
      changed()
      const said = background.output.since(0).text.trim().slice(0, 500)
      confined?.couldNotStart()
      // A file to be hidden may have vanished in between. Nothing has run, so try once more.
      if (confined && !isAgain) return startNow(request, true)
      return confined
        ? { refused: `The command could not be confined: ${said}`, setupFailed: true }
        : { refused: said }
    }
    return { background, reach, ...(forward && { insideSocket: join('/tmp', name) }) }
  }

  return {
    start,
    whyFull,
    changes,
    list: () => [...running(), ...all.filter(each => !isRunning(each))],
    get: id => all.find(each => each.facts().id === id),
    async endChat(sessionId) {
      const its = all.filter(each => each.facts().sessionId === sessionId)
      await Promise.all(its.map(each => each.stop()))
      if (its.length === 0) return
      all = all.filter(each => !its.includes(each))
      changed()
    },
    async close() {
      isClosed = true
      await Promise.all(all.map(each => each.stop()))
      watchdog.close()
    },
  }
}

/** Prepare a confined start; undefined if the command may run unconfined. */
async function confineStart(
  { access, confine, workspace, folder, sessionId }: StartRequest,
  shell: readonly string[],
): Promise<ConfinedStart | NotStarted | undefined> {
  if (access === 'unconfined') return undefined
  if (!confine) return { refused: 'Nothing confines commands here.', setupFailed: true }
  const start = await confine(shell, access, { folder: workspace, cwd: folder, sessionId })
  if (!isRefusal(start)) return start
  return { refused: start.refused, ...(start.mayRunUnconfined && { setupFailed: true }) }
}

function reachOf(access: Access, port: number | undefined): Reach {
  if (port === undefined) return 'no port'
  if (access === 'unconfined' || (access.profile === 'work' && access.network)) return 'direct'
  return canForward() ? 'forwarded' : 'cut off'
}

const accessName = (access: Exclude<Access, 'unconfined'>) =>
  access.profile === 'work' && access.network ? 'network' : 'confined'

/** Wait for the first output and a pause after it, but not for long. */
async function settle({ changes, output }: Background): Promise<undefined> {
  const paused = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const restart = () => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(paused.resolve, QUIET_MS)
  }
  changes.subscribe(what => what === 'output' && restart())
  if (output.end > 0) restart()
  await withinTime(FIRST_MS, paused.promise)
  isOver = true
  clearTimeout(timer)
}
