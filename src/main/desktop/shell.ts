import { join } from 'node:path'
import { nativeTheme, type BrowserWindow } from 'electron'
import type { AppEvent, Settings } from '../../shared/contract/app.ts'
import { contract } from '../../shared/contract/index.ts'
import type { WindowRequest } from '../../shared/contract/desktop.ts'
import type { Transfer } from '../../shared/contract/models/download.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import type { DesktopHandlers, Host } from '../app/host-types.ts'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import { withinTime } from '../lib/timing.ts'
import { createEnding, createWork } from './quit-desktop.ts'
import { serveAppScheme } from './page/lock-down.ts'
import { answerPortRequests } from './page/port.ts'
import { createWindowRequests, type takeRequests } from './window/window-requests.ts'
import { createDialogs } from './system/dialogs.ts'
import { startAtLogin } from './system/login-item.ts'
import { createNotices } from './system/notices.ts'
import { createTrayIcon } from './system/tray.ts'
import { focusWindow, openMainWindow } from './window/main-window.ts'
import { setMenu } from './window/menu.ts'
import { createQuickWindow, type QuickWindow } from './window/quick-window.ts'
import { checkSpelling } from './window/text-editing.ts'

const closingMs = 3_000

type Presenting = {
  requests: ReturnType<typeof takeRequests>
  /** The request of this launch to the window. */
  first: WindowRequest | undefined
  /** Whether to start without a window, if the tray keeps the app reachable. */
  isHidden: boolean
  /** The options of this launch, to be repeated at login. */
  options: readonly string[]
  /** As in `createEnding`. */
  installUpdate(): boolean
}

/** All parts of the app outside its host: windows, tray, notifications, and quitting. */
export type Shell = {
  handlers: DesktopHandlers
  /** Open the window for a host. Settles once the first window is open. */
  present(host: Host, how: Presenting): Promise<void>
  /** Close the host, within three seconds. Never rejects. */
  close(host: Host): Promise<void>
}

/** Create the shell. Before `present` it only has handlers for the host. */
export function createShell(report: (error: unknown) => void): Shell {
  const toWindow = createWindowRequests()
  let window: BrowserWindow | undefined
  let open: ((hidden: boolean) => void) | undefined
  let quick: QuickWindow | undefined

  /** Bring the window to the front and send it a request. */
  function show(request?: WindowRequest): void {
    if (window) focusWindow(window)
    else open?.(false)
    if (request) toWindow.send(request)
  }

  async function present(
    host: Host,
    { requests, first, isHidden, options, installUpdate }: Presenting,
  ): Promise<void> {
    const watching = new AbortController()
    const settings = () => host.desktopSettings()
    const work = createWork()
    let isInTray = false
    const ending = createEnding({
      work,
      window: () => window,
      isInTray: () => isInTray,
      async close() {
        watching.abort()
        quick?.close()
        await close(host)
      },
      installUpdate,
      report,
    })
    const tray = createTrayIcon({
      show: () => show(),
      startChat: () => show({ type: 'chat', id: null }),
      quit: ending.quit,
      report,
    })
    const notices = createNotices({
      settings,
      isSeen: () => window?.isFocused() === true,
      open: show,
      flash: () => window?.flashFrame(true),
    })
    // Before the first window, so that Chromium fetches a dictionary only if spelling is checked.
    const spellcheck = checkSpelling(settings().spell_check, true)
    const page = { preload: join(rootFolder(), 'out/preload/index.cjs'), spellcheck }
    quick = createQuickWindow(page, report)

    open = hidden => {
      const opened = openMainWindow({ ...page, home: host.home, hidden, report })
      window = opened
      ending.guard(opened)
      opened.on('focus', () => {
        opened.flashFrame(false)
        notices.onSeen()
      })
      opened.on('closed', () => {
        window = undefined
        // A hidden quick window would keep the app running unseen.
        if (process.platform !== 'darwin') quick?.close()
      })
    }

    let trouble: string | undefined
    const onSettings = (isLocked: boolean) => {
      isInTray = tray.follow(settings().keep_running)
      page.spellcheck = checkSpelling(settings().spell_check, isLocked)
      const news = quick?.follow(settings()) ?? loginTrouble(settings().start_at_login, options, report)
      if (news !== undefined && news !== trouble) toWindow.send({ type: 'trouble', text: news })
      trouble = news
    }

    setMenu(show)
    serveAppScheme(join(rootFolder(), 'out/renderer'))
    answerPortRequests(contract, host.handlers, report)
    await watchHost(
      host,
      {
        onTheme: theme => (nativeTheme.themeSource = theme),
        onSettings,
        onSession(session) {
          work.onSession(session)
          notices.onSession(session)
        },
        onRemoved(id) {
          work.onRemoved(id)
          notices.onRemoved(id)
        },
        onTransfers: work.onTransfers,
        onProposals: notices.onProposals,
        onSchedule: notices.onSchedule,
      },
      watching.signal,
    )
    if (first) toWindow.send(first)
    open(isHidden && isInTray)
    requests.serve(show)
  }

  async function close(host: Host): Promise<void> {
    try {
      await withinTime(closingMs, host.close())
    } catch (error) {
      report(error)
    }
  }

  return {
    handlers: {
      'desktop.watch': toWindow.watch,
      ...createDialogs(() => window),
      'desktop.showChat'({ id }) {
        quick?.hide()
        show({ type: 'chat', id })
        return {}
      },
    },
    present,
    close,
  }
}

/** Apply the setting for starting at login. Returns what failed, for the user. */
function loginTrouble(
  isWanted: boolean,
  options: readonly string[],
  report: (error: unknown) => void,
): string | undefined {
  try {
    startAtLogin(isWanted, options)
    return undefined
  } catch (error) {
    report(error)
    return 'Starting at login could not be set up. The log says why.'
  }
}

/** The events of the host that the desktop app follows. */
type HostListener = {
  onTheme(theme: Settings['theme']): void
  /** Called after a setting or the offline lock changed. */
  onSettings(isLocked: boolean): void
  onSession(session: Session): void
  onRemoved(id: string): void
  onTransfers(transfers: readonly Transfer[]): void
  onProposals(open: number): void
  onSchedule(ended: Extract<AppEvent, { type: 'schedule_ended' }>): void
}

/**
 * Follow the host until `signal` aborts. The promise settles once the first settings are known, so that a
 * window opened after it has the right background.
 */
async function watchHost(host: Host, listener: HostListener, signal: AbortSignal): Promise<void> {
  const known = Promise.withResolvers<void>()
  let isLocked = false
  const tellProposals = () => {
    void Promise.resolve(host.handlers['learning.open']({}, signal)).then(
      ({ open }) => listener.onProposals(open),
      host.report,
    )
  }
  function take(event: AppEvent): void {
    switch (event.type) {
      case 'hello':
      case 'lock':
        isLocked = event.locked
        if (event.type === 'hello') listener.onTheme(event.settings.theme)
        return listener.onSettings(isLocked)
      case 'settings':
        listener.onTheme(event.settings.theme)
        return listener.onSettings(isLocked)
      case 'session':
        return listener.onSession(event.session)
      case 'session_removed':
        return listener.onRemoved(event.id)
      case 'transfers':
        return listener.onTransfers(event.transfers)
      case 'changed':
        if (event.areas.includes('learning')) tellProposals()
        return
      case 'schedule_ended':
        return listener.onSchedule(event)
      default:
    }
  }
  async function follow() {
    for await (const event of host.handlers['app.watch']({}, signal)) {
      take(event as AppEvent)
      known.resolve()
    }
  }
  void follow()
    .catch((error: unknown) => {
      if (!signal.aborted) host.report(error)
    })
    .finally(known.resolve)
  await known.promise
}
