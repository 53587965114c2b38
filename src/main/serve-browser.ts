import { join } from 'node:path'
import { contract } from '../shared/contract/index.ts'
import { Fault } from '../shared/rpc.ts'
import { crashText } from './app/after-crash.ts'
import { homeOption } from './config/home.ts'
import { createHost, type Host } from './host.ts'
import { hasDisplay } from './lib/processes/display-and-power.ts'
import { rootFolder } from './lib/disk/shipped-files.ts'
import { releaseSignalsWhenStuck } from './lib/processes/signals-when-stuck.ts'
import { startChild } from './lib/processes/start-child.ts'
import { endOnUncaughtErrors } from './lib/processes/uncaught-errors.ts'
import { readStartOptions, usage } from './app/start-options.ts'
import { keepEntry, readEntry } from './page-server/kept-entry.ts'
import { startWebHost, type WebHost } from './page-server/web-host.ts'

/** How long the code in the opener's (publicly visible) arguments is valid, in ms: one browser launch. */
const OPENER_CODE_MS = 60_000

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Serve the host and the window to browsers on this computer until a signal arrives; then exit. */
export async function serveBrowser(args: string[]): Promise<void> {
  if (args.includes('--help')) return console.log(usage)
  try {
    await run(args)
    process.exit(0)
  } catch (error) {
    process.exit(explain(error))
  }
}

/** Serve until a signal arrives, then close everything, within three seconds. */
async function run(args: string[]): Promise<void> {
  const { home, workspace, port, open, api } = readStartOptions(args, process.env, 'strict')
  let web: WebHost | undefined
  let host: Host | undefined
  using _listening = endOnUncaughtErrors({
    report: error => (host ? host.report(error) : console.error(error)),
    async finish() {
      await web?.close()
      await host?.close()
    },
    tell: error => host && console.error(crashText(error, host.home)),
    exit: code => process.exit(code),
  })
  host = await createHost({
    hosting: 'headless',
    newAddress: () => web?.address(),
    ...(home && { home }),
    ...(workspace && { workspace }),
    ...(api && { answersPrograms: true }),
  })
  try {
    const { handlers, report } = host
    const entry = readEntry(host.home, Date.now())
    const site = {
      root: join(rootFolder(), 'out/renderer'),
      contract,
      handlers,
      report,
      receiveUpload: host.receiveUpload,
      token: entry.token,
      formerPorts: entry.ports,
    }
    web = await startAtPort(entry.ports[0], port, at => startWebHost({ ...site, port: at }))
    try {
      keepEntry(host.home, entry, web.port, Date.now())
    } catch (error) {
      // Only the next launch misses the saved port.
      report(error)
    }
    // Subscribe first: a signal may arrive right after the line is printed.
    const stopped = Promise.race(SIGNALS.map(received))
    using _released = releaseSignalsWhenStuck(SIGNALS)
    console.log(`Talaria is ready: ${web.address()}`)
    console.log(`The address opens one window. Print another one with: talaria address${homeOption(home)}`)
    if (api) await tellApi(host)
    if (open ?? hasDisplay())
      await openBrowser(web.address(OPENER_CODE_MS)).catch(() => console.log('Open it in a browser.'))
    await stopped
    setTimeout(() => process.exit(1), 3_000).unref()
    await web.close()
  } finally {
    await host.close()
  }
}

/** Listen on the requested port; by default on the last launch's, where pages may be waiting; else on any. */
async function startAtPort(
  last: number | undefined,
  asked: number,
  start: (port: number) => Promise<WebHost>,
): Promise<WebHost> {
  if (asked !== 0 || last === undefined) return start(asked)
  try {
    return await start(last)
  } catch {
    return start(0)
  }
}

/** Print the address that other programs can call, or why they get no answers. */
async function tellApi({ handlers }: Host): Promise<void> {
  const { address, text } = await handlers['api.state']({}, new AbortController().signal)
  console.log(address === '' ? text : `Other programs are answered at ${address}. Their key: talaria api key`)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const received = (signal: string) => new Promise(resolve => process.once(signal, resolve))

/** Print the error in one sentence and return the exit code: 2 for a wrong option, 1 for anything else. */
function explain(error: unknown): number {
  console.error(error instanceof Fault ? error.message : error)
  return error instanceof Fault && error.code === 'bad_input' ? 2 : 1
}

/** Open an address in the user's browser. Rejects if the opener cannot start, not if the browser fails. */
function openBrowser(url: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = startChild(program, [...args, url], { stdio: 'ignore', detached: true })
  opener.unref()
  return new Promise((resolve, reject) => {
    opener.once('spawn', resolve)
    opener.once('error', reject)
  })
}
