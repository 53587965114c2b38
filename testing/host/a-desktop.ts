import { EventEmitter } from 'node:events'
import type { AppEvent } from '../../src/shared/contract/app.ts'
import type { WindowRequest } from '../../src/shared/contract/desktop.ts'
import type { DesktopSettings, Host, HostOptions } from '../../src/main/app/host-types.ts'
import { Config } from '../../src/main/config/schema.ts'
import { runDesktop } from '../../src/main/desktop/run-desktop.ts'
import { createBroadcast } from '../../src/main/lib/topic.ts'
import { becomeReady, BrowserWindow } from './electron-shim.ts'

// For tests: the desktop app on the stand-in for Electron, with a host played by the test.

/** A host with settings and the events that the test publishes. */
export function aDesktopHost(home: string, theme = 'system', changes: Partial<DesktopSettings> = {}) {
  const seen = {
    looked: 0,
    options: undefined as HostOptions | undefined,
    closed: 0,
    reports: [] as unknown[],
  }
  const events = createBroadcast<AppEvent>()
  const settings = { ...Config.parse({}).desktop, ...changes }
  async function* watch(_: object, signal: AbortSignal) {
    await using following = events.listen(signal)
    yield { type: 'hello', settings: { theme }, locked: false } as AppEvent
    yield* following
  }
  const create = async (options: HostOptions): Promise<Host> => {
    seen.options = options
    return {
      handlers: { 'app.watch': watch } as unknown as Host['handlers'],
      home,
      reading: undefined,
      report: error => seen.reports.push(error),
      desktopSettings: () => settings,
      lookAtClock: () => void (seen.looked += 1),
      receiveUpload: async () => ({ ok: true }),
      close: async () => void (seen.closed += 1),
    }
  }
  /** Publish events, and wait until the app has received them. */
  const publish = async (...list: unknown[]) => {
    for (const event of list) events.publish(event as AppEvent)
    await new Promise(resolve => setImmediate(resolve))
  }
  /** Change settings, as another window would. */
  const change = async (news: Partial<DesktopSettings>) => {
    Object.assign(settings, news)
    await publish({ type: 'settings', settings: { theme } })
  }
  return { home, seen, create, publish, change }
}

/** The app with its window, started on a host. */
export async function startDesktop(host: ReturnType<typeof aDesktopHost>, args: string[] = []) {
  becomeReady()
  const errors = new EventEmitter()
  const all = ['.', '--inspect=0', '--home', host.home, '--no-sandbox', ...args]
  await runDesktop(host.create, all, errors)
  return { ...host, errors, window: BrowserWindow.all[0]! }
}

/** The requests of the app to its page so far. */
export function requestsTo(seen: { options: HostOptions | undefined }): WindowRequest[] {
  const taken: WindowRequest[] = []
  const follow = async () => {
    for await (const each of seen.options!.desktop!['desktop.watch']({}, new AbortController().signal))
      taken.push(each)
  }
  void follow()
  return taken
}

/** Events of a turn that starts and ends. */
export const running = {
  type: 'session',
  session: { id: 'c1', title: 'A', waiting: false, activeRunId: 'r1' },
}
export const ended = { type: 'session', session: { id: 'c1', title: 'A', waiting: false, activeRunId: null } }
