import type { Readable, Writable } from 'node:stream'
import { parseJson } from '../../../../lib/expected-errors.ts'
import { startChild } from '../../../../lib/processes/start-child.ts'
import { killBrowser, notePid, profileIn, removeProfileIn } from './browser-folder.ts'

/** An answer or an event of the browser, in the form of its protocol. */
type Message = {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
  sessionId?: string
}

/** A browser program, and the folder that it may use (`browser-folder.ts`). */
export type BrowserPlace = { program: string; folder: string }

/** A running browser, controlled through the pipes of its debugging protocol. */
export type Browser = {
  /** Send a command to the browser, or to one page. Rejects if it fails, or if the browser has ended. */
  ask: (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>
  /** Listen to every event. */
  listen: (hear: (event: Message) => void) => void
  hasEnded: () => boolean
  /** End the browser with everything that it started, and delete its profile. */
  end: () => Promise<void>
}

/** Arguments that use nothing of the user's own browser, store nothing and allow no request. */
const argumentsFor = (profile: string, isRoot: boolean): string[] => [
  '--headless=new',
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  ...(isRoot ? ['--no-sandbox'] : []),
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-client-side-phishing-detection',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider',
  '--metrics-recording-only',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
  '--use-mock-keychain',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  'about:blank',
]

/** Start a browser without a window. It ends together with this process, because its pipes close. */
export function startBrowser({ program, folder }: BrowserPlace): Browser {
  const child = startChild(program, argumentsFor(profileIn(folder), process.getuid?.() === 0), {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  notePid(folder, child.pid)
  const [, , , to, from] = child.stdio as unknown as [null, null, null, Writable | null, Readable | null]
  const waiting = new Map<
    number,
    { done: (result: Record<string, unknown>) => void; fail: (error: Error) => void }
  >()
  const hearers: ((event: Message) => void)[] = []
  let [last, ended] = [0, false]
  const gone = new Promise<void>(resolve => {
    const stop = () => {
      ended = true
      for (const { fail } of waiting.values()) fail(new Error('The browser has ended.'))
      waiting.clear()
      resolve()
    }
    child.once('exit', stop)
    child.once('error', stop)
  })

  let pieces: Buffer[] = []
  from?.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let at = rest.indexOf(0); at >= 0; at = rest.indexOf(0)) {
      take(Buffer.concat([...pieces, rest.subarray(0, at)]).toString())
      pieces = []
      rest = rest.subarray(at + 1)
    }
    if (rest.length > 0) pieces.push(rest)
  })

  function take(text: string): void {
    const message = parseJson(text) as Message | undefined
    if (!message) return
    const asked = message.id === undefined ? undefined : waiting.get(message.id)
    if (message.id === undefined || !asked) for (const hear of hearers) hear(message)
    else {
      waiting.delete(message.id)
      if (message.error) asked.fail(new Error(message.error.message))
      else asked.done(message.result ?? {})
    }
  }

  return {
    ask(method, params = {}, sessionId) {
      if (ended || !to) return Promise.reject(new Error('The browser has ended.'))
      const id = ++last
      return new Promise((done, fail) => {
        waiting.set(id, { done, fail })
        to.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`)
      })
    },
    listen: hear => void hearers.push(hear),
    hasEnded: () => ended,
    async end() {
      if (child.pid !== undefined && !ended) killBrowser(child.pid)
      await gone
      to?.destroy()
      from?.destroy()
      notePid(folder, undefined)
      removeProfileIn(folder)
    },
  }
}
