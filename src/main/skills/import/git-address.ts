import { Fault } from '../../../shared/rpc.ts'

/** A repository, and the selected part of it. */
export type GitAddress = {
  repository: string
  /** A branch, a tag or a commit; empty for the default branch. */
  ref: string
  /** The folder within the repository; empty for the whole repository. */
  folder: string
  /** Branch and folder of a page address in one string, because branch names may contain slashes. */
  mixed?: string
}

const LONGEST = 2_000

/** Folder paths in page addresses of forges: `/tree/main/x`, `/-/tree/main/x`, `/src/branch/main/x`. */
const PAGE = /^(?<repository>\/.+?)\/(?:-\/)?(?:tree|blob|raw|src\/(?:branch|tag|commit))\/(?<mixed>.+)$/

/** `git@host:owner/repo`, parsed as git does: without a slash before the colon. */
const SHORT_SSH = /^[\w.-]+@[\w.-]+:(?!:)[^\s:]+$/

const WITHOUT_SCHEME = /^[a-z\d-]+(\.[a-z\d-]+)+\/[^/\s]+\/\S+$/i

/**
 * Parse the address of a repository, or of a folder in one as a browser shows it. A branch, a tag or a commit
 * may follow a `#`. Throws a `bad_input` Fault that describes a valid address.
 */
export function readGitAddress(given: string, givenRef = '', { allowFile = false } = {}): GitAddress {
  const text = given.trim()
  if (text === '' || text.length > LONGEST || text.startsWith('-') || /[\p{Cc}\p{Cf}\s]/u.test(text)) refuse()
  if (/^[a-z\d+.-]*::/i.test(text)) refuse('Talaria does not start git helpers.')
  const [, bare = '', behind = ''] = /^([^#]*)#?(.*)$/.exec(text)!
  const ref = refOf(givenRef.trim() || behind)
  if (SHORT_SSH.test(bare)) {
    if (/:-/.test(bare)) refuse()
    return { repository: bare, ref, folder: '' }
  }
  const url = urlOf(bare)
  if (url.protocol === 'file:' && allowFile) return { repository: bare, ref, folder: '' }
  if (url.protocol === 'http:') refuse('The download would be unencrypted. Use https instead.')
  if (url.protocol !== 'https:' && url.protocol !== 'ssh:') refuse()
  if (url.hostname === '' || url.hostname.startsWith('-') || url.username.startsWith('-')) refuse()
  if (url.password !== '' || (url.protocol === 'https:' && url.username !== ''))
    refuse(
      'Do not put a name and password in the address, because it is stored. Use ssh for a private repository.',
    )
  const path = decoded(url.pathname)
  if (path.split('/').some(part => part === '..' || (part.startsWith('-') && part !== '-'))) refuse()
  const { repository = path, mixed = '' } = PAGE.exec(path)?.groups ?? {}
  const user = url.username === '' ? '' : `${url.username}@`
  const address = `${url.protocol}//${user}${url.host}${encodeURI(repository.replace(/(?<!\/)\/+$/, ''))}`
  if (repository.replaceAll('/', '') === '') refuse()
  // The page of a SKILL.md selects its folder.
  const meant = mixed.replace(/(?<!\/)\/+$/, '').replace(/\/skill\.md$/i, '')
  return { repository: address, ref, folder: '', ...(meant !== '' && { mixed: meant }) }
}

/** Separate branch and folder by the existing names; the longest match wins. */
export function partAddress({ mixed, ...address }: GitAddress, names: readonly string[]): GitAddress {
  if (mixed === undefined) return address
  const fits = names.filter(name => mixed === name || mixed.startsWith(`${name}/`))
  const ref = fits.toSorted((a, b) => b.length - a.length)[0] ?? mixed.split('/')[0]!
  return { ...address, ref: refOf(ref), folder: mixed.slice(ref.length + 1) }
}

/** An address that `readGitAddress` parses to the same value. */
export const writtenAddress = ({ repository, ref }: Pick<GitAddress, 'repository' | 'ref'>): string =>
  ref === '' ? repository : `${repository}#${ref}`

function refOf(ref: string): string {
  // Git forbids these characters in branch names, so the result is unambiguous.
  if (
    ref.startsWith('-') ||
    ref.includes('..') ||
    ref.endsWith('.lock') ||
    /[\p{Cc}\s~^:?*[\\]|@\{|\/\/|^\/|\/$/u.test(ref)
  )
    throw new Fault('bad_input', `“${ref.slice(0, 100)}” is not the name of a branch, a tag or a commit.`)
  return ref
}

function urlOf(text: string): URL {
  const url = URL.parse(WITHOUT_SCHEME.test(text) ? `https://${text}` : text)
  return url ?? refuse()
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return refuse()
  }
}

function refuse(why = ''): never {
  const words = 'Skills cannot be fetched from this address.'
  const right = 'Use an address such as https://host/owner/repository or git@host:owner/repository.'
  throw new Fault('bad_input', `${words} ${why === '' ? right : why}`)
}
