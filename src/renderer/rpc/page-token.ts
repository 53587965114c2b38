import { NEEDS_HEADER } from '../../shared/contract/chats/attachments.ts'
import { madeCode } from './check-host.ts'

const KEY = 'talaria.token'

/** The parts of a page that are needed to connect; tests pass others. */
type Page = {
  location: Pick<Location, 'hash' | 'origin' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState' | 'state'>
  /** Throws if the browser forbids storage. */
  storage: () => Pick<Storage, 'getItem' | 'setItem'>
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Whether the host made a code; throws if nothing answers. */
  madeCode: (code: string) => Promise<boolean>
  /** Calls the listener when the fragment of the address changes. */
  onNewFragment: (listener: () => void) => void
}

/**
 * Create a function for the token of the host. The address that opened the page carries a one-time code,
 * which leaves the address bar at once and is exchanged for the token. The token is kept for this origin, so
 * that a reload and further tabs need no code. It is not a cookie, because cookies go to every port of this
 * computer. Opening an address in a tab of the same origin changes only the fragment, and its code is used as
 * well.
 * @internal Tests pass other pages.
 */
export function createPageToken({
  location,
  history,
  storage,
  fetch,
  madeCode,
  onNewFragment,
}: Page): () => Promise<string> {
  let code = takeCode()
  let token = ''
  let entering: Promise<void> | undefined
  onNewFragment(() => {
    const given = takeCode()
    if (given === '') return
    code = given
    entering = undefined
  })

  function takeCode(): string {
    const parts = new URLSearchParams(location.hash.slice(1))
    const found = parts.get('code') ?? ''
    if (found === '') return ''
    parts.delete('code')
    const rest = parts.toString()
    history.replaceState(history.state, '', location.pathname + location.search + (rest && `#${rest}`))
    return found
  }

  async function enter() {
    const given = code
    try {
      // Another program may have taken the port since the page was loaded.
      if (await madeCode(given)) {
        const answer = await fetch(`${location.origin}/enter`, { method: 'POST', body: given })
        if (answer.ok) keep(await answer.text())
      }
      // A refused code stays refused; a host that does not answer may answer later.
      if (code === given) code = ''
    } catch {
      entering = undefined
    }
  }

  function keep(given: string) {
    token = given
    try {
      storage().setItem(KEY, given)
    } catch {
      // Without storage, this tab works until it is reloaded.
    }
  }

  /** After a restart of the host, another tab may have connected since. */
  function kept(): string {
    try {
      return storage().getItem(KEY) ?? token
    } catch {
      return token
    }
  }

  return async () => {
    if (code !== '') await (entering ??= enter())
    return kept()
  }
}

/** The token for the host of this page; empty if there is none. */
export const pageToken = createPageToken({
  location: window.location,
  history: window.history,
  storage: () => window.localStorage,
  fetch: (url, init) => window.fetch(url, init),
  madeCode,
  onNewFragment: listener => window.addEventListener('hashchange', listener),
})

/** Sends the bytes of a file for an announced upload. Resolves to whether the host accepted them. */
export type SendFile = (transferId: string, file: Blob) => Promise<boolean>

type Parts = { fetch: typeof fetch; token: () => Promise<string>; origin: string }

/** Uploads a file to the host that served this page. The browser streams it from disk. */
export async function sendFile(transferId: string, file: Blob, parts?: Parts): Promise<boolean> {
  return (await uploadFile(transferId, file, parts)) === undefined
}

/** The reason why an upload was refused, as text, and what would help. */
type Untaken = { text: string; needs?: string }

/** Like `sendFile`, but resolves to the reason of a refusal; undefined if the file was accepted. */
export async function uploadFile(
  transferId: string,
  file: Blob,
  parts: Parts = { fetch: window.fetch.bind(window), token: pageToken, origin: location.origin },
): Promise<Untaken | undefined> {
  const url = new URL(`/upload/${encodeURIComponent(transferId)}`, parts.origin)
  const headers = {
    authorization: `Bearer ${await parts.token()}`,
    'content-type': 'application/octet-stream',
  }
  try {
    const answer = await parts.fetch(url, { method: 'PUT', headers, body: file })
    if (answer.ok) return undefined
    const needs = answer.headers.get(NEEDS_HEADER)
    const text = (await answer.text()).trim() || 'Talaria rejected the file.'
    return { text, ...(needs !== null && { needs }) }
  } catch {
    // The connection failed or the file is unreadable. Browsers report both as the same error.
    return { text: 'The file could not be sent. Does it still exist, and is Talaria still running?' }
  }
}
