import { EventEmitter } from 'node:events'
import { state } from './state.ts'

export const shell = {
  openExternal: async (url: string) => void state.opened.push(url),
  showItemInFolder: (path: string) => void state.revealed.push(path),
}

type Options = { signal?: AbortSignal } & (typeof state.boxes)[0] & (typeof state.fileDialogs)[0]

/** The options of a dialog, whose first argument may be a window. */
const optionsOf = (args: readonly object[]) => args.at(-1) as Options

export const dialog = {
  showErrorBox: (title: string, text: string) => void state.errors.push(`${title}: ${text}`),
  async showMessageBox(...args: object[]) {
    const options = optionsOf(args)
    state.boxes.push(options)
    const click = state.clicks.shift()
    if (click !== undefined || !options.signal) return { response: click ?? options.cancelId ?? 0 }
    // As documented: an aborted box behaves as if it was cancelled.
    const { signal } = options
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    return { response: options.cancelId ?? 0 }
  },
  async showOpenDialog(...args: object[]) {
    state.fileDialogs.push(optionsOf(args))
    const path = state.chosen.shift()
    return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
  },
  async showSaveDialog(...args: object[]) {
    state.fileDialogs.push(optionsOf(args))
    const path = state.chosen.shift()
    return { canceled: path === undefined, filePath: path ?? '' }
  },
}

/** Electron’s own updater. electron-updater notifies it before the application ends for an update. */
export const autoUpdater = new EventEmitter()

export const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => state.onBattery })

export const powerSaveBlocker = {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    if (type !== 'prevent-app-suspension') throw new Error(`A run needs no ${type}.`)
    state.awake.add(++state.awakeStarts)
    return state.awakeStarts
  },
  stop: (id: number) => state.awake.delete(id),
}

export class ChildProcess extends EventEmitter {
  readonly sent: unknown[] = []
  pid: number | undefined
  killed = 0
  postMessage = (message: unknown) => void this.sent.push(message)
  /** The exit event comes later with a code that depends on the system, so a test that needs it emits it. */
  kill = () => ++this.killed > 0
}

type ForkOptions = { env: NodeJS.ProcessEnv; execArgv: string[]; serviceName: string; stdio: string }

export const utilityProcess = {
  forked: [] as { script: string; options: ForkOptions; child: ChildProcess }[],
  fork(script: string, _args: string[], options: ForkOptions) {
    const child = new ChildProcess()
    utilityProcess.forked.push({ script, options, child })
    return child
  },
}
