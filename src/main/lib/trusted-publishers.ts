/** The source of an import: the method, the address, and the path within it. */
type Fetched = { kind: string; address: string; within: string }
/** Where a publisher's repositories are: a host and path, such as `github.com` and `anthropics`. */
type Place = { host: string; path: readonly string[] }

/**
 * Read an entry of the setting: a host with an owner, repository or folder, as in
 * `github.com/anthropics/skills`. Undefined if invalid; a host alone would trust everybody there.
 */
export function readPublisher(entry: string): Place | undefined {
  const url = /^[\w.:/~-]+$/.test(entry) && URL.parse(/^https:\/\//i.test(entry) ? entry : `https://${entry}`)
  if (!url || !url.hostname.includes('.') || /:\/\/.*:\/|\/\/.*\/\/|\.\.|\/\.(?:\/|$)/.test(entry))
    return undefined
  const path = partsOf(url.pathname)
  return url.username === '' && path.length > 0 ? { host: url.host, path } : undefined
}

/**
 * Return the entry of the user's list that an import comes from; null if none. Only imports fetched by git
 * over https or ssh count. Hosts are compared as the system resolves them, paths letter by letter. Another
 * host, case, port or user name is another publisher.
 */
export function publisherOf(
  { kind, address, within }: Fetched,
  publishers: readonly string[],
): string | null {
  const place = kind === 'git' ? placeOf(address) : undefined
  if (!place) return null
  const path = [...place.path, ...within.split('/').filter(part => part !== '')]
  return (
    publishers.find(entry => {
      const known = readPublisher(entry)
      return known?.host === place.host && known.path.every((part, at) => path[at] === part)
    }) ?? null
  )
}

/** Return whether an entry is at, inside or above an address; git must then not follow redirects. */
export function isPublished(address: string, publishers: readonly string[]): boolean {
  const place = placeOf(address)
  return publishers.some(entry => {
    const known = readPublisher(entry)
    return (
      known?.host === place?.host &&
      known?.path.every((part, at) => at >= place!.path.length || place!.path[at] === part) === true
    )
  })
}

/** Return the place of an address that git fetched from. Undefined if it is ambiguous. */
function placeOf(written: string): Place | undefined {
  const address = written.replace(/#.*$/s, '')
  const [, host, short] = /^git@([\w.-]+):([^:]+)$/.exec(address) ?? []
  const url = URL.parse(host === undefined ? address : `ssh://git@${host}/${short}`)
  const isOpen = url?.protocol === 'https:' && url.username === '' && url.password === ''
  const isSsh = url?.protocol === 'ssh:' && url.username === 'git' && url.password === ''
  if (!url || (!isOpen && !isSsh) || /[%\\?]|\/\.{1,2}(?:\/|$)/.test(address)) return undefined
  return { host: url.host.toLowerCase(), path: partsOf(url.pathname) }
}

const partsOf = (path: string) =>
  path
    .replace(/(?:\.git)?\/*$/, '')
    .split('/')
    .filter(part => part !== '')
