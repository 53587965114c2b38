/** Where something was fetched: by which means, from which address, and where in it. */
type Fetched = { kind: string; address: string; within: string }
/** Where a publisher's repositories are: a host and the folders below it, such as `github.com` and `anthropics`. */
type Place = { host: string; path: readonly string[] }

/**
 * Read an entry of the setting: a host with an owner, a repository or a folder in it, as in
 * `github.com/anthropics/skills`. Undefined when it is none; a host alone would trust everybody there.
 */
export function readPublisher(entry: string): Place | undefined {
  const url = /^[\w.:/~-]+$/.test(entry) && URL.parse(/^https:\/\//i.test(entry) ? entry : `https://${entry}`)
  if (!url || !url.hostname.includes('.') || /:\/\/.*:\/|\/\/.*\/\/|\.\.|\/\.(?:\/|$)/.test(entry))
    return undefined
  const path = partsOf(url.pathname)
  return url.username === '' && path.length > 0 ? { host: url.host, path } : undefined
}

/**
 * The entry of the person's list that an import comes from; null for anybody else. Only what git fetched by https or ssh has
 * an address that counts. Hosts are compared as the system resolves them, paths letter by letter: another host, another
 * case, a port and a user name are somebody else.
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

/** Whether some entry lies at an address, in it or around it: then git follows no redirect to another one. */
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

/** Where an address leads that git fetched from. Undefined when it could be read in more than one way. */
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
