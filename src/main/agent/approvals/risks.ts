import { posix } from 'node:path'
import { isCredential, isEnvironmentFile, mayHoldKeys } from '../../files/paths/credential-paths.ts'
import type { Invocation, ParsedShell } from '../../shell-safety/shell-types.ts'
import { readsScript, SHELLS } from '../../shell-safety/parse/unwrap-command.ts'

const FETCHERS = new Set([
  'curl',
  'wget',
  'fetch',
  'http',
  'https',
  'aria2c',
  'nc',
  'ncat',
  'netcat',
  'ftp',
  'scp',
  'sftp',
])
const INTERPRETERS = /^(python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*)$/
const ELEVATES = new Set(['sudo', 'doas', 'pkexec', 'run0'])

/** Why every run of this command needs approval; undefined if one approval may cover the chat. */
export function riskOf(parsed: ParsedShell): string | undefined {
  if (parsed.unparsed !== undefined) return `It cannot be checked: ${parsed.unparsed}.`
  for (const command of parsed.commands) {
    const risk = elevation(command) ?? download(command) ?? credential(command)
    if (risk !== undefined) return risk
  }
  return undefined
}

const RUNS_DOWNLOADED = 'It runs what it downloads, which nobody has read.'

/** Whether a command runs code that an earlier command in its pipe, or its own argument, downloads. */
export const runsDownloaded = (command: Invocation): boolean => download(command) === RUNS_DOWNLOADED

function elevation({ name, wrappers }: Invocation): string | undefined {
  const elevated =
    wrappers.some(wrapper => ELEVATES.has(wrapper)) || /^(sudo|su|doas|pkexec|run0|runuser)$/.test(name)
  return elevated ? 'It runs with administrator rights.' : undefined
}

/** Code from the network, or code generated while the command runs, cannot be checked in advance. */
function download(command: Invocation): string | undefined {
  const { name, args, before, redirects, program } = command
  const runsCode =
    SHELLS.has(name) || name === 'eval' || name === 'source' || name === '.' || INTERPRETERS.test(name)
  const sources = [
    ...(runsCode ? [...args, ...redirects.map(redirect => redirect.target)] : []),
    ...(program ? [program] : []),
  ].flatMap(word => word.runs)
  if (sources.some(source => FETCHERS.has(source))) return RUNS_DOWNLOADED
  const reads = readsScript(command) || (INTERPRETERS.test(name) && args.every(word => word.text === '-'))
  if (reads && before.length > 0 && command.input === undefined) {
    const fetched = before.some(each => FETCHERS.has(each.name))
    return fetched ? RUNS_DOWNLOADED : 'It runs whatever another command prints.'
  }
  const socket = redirects.some(({ target }) => /^\/dev\/(tcp|udp)\//.test(target.text))
  return socket ? 'It opens a connection of its own to another computer.' : undefined
}

/**
 * Programs whose arguments are mostly patterns and texts: `password` is not a file name there. The files that
 * these programs open are judged elsewhere.
 */
const OF_TEXT = /^(?:[efzr]?grep|rg|ag|ack|jq|yq|sed|[gmn]?awk|echo|printf|git|test|\[)$/

/** Programs whose arguments are files, even without a dot. */
const OF_FILES =
  /^(?:cat|tac|nl|head|tail|less|more|bat|batcat|strings|xxd|od|hexdump|base64|base32|cut|sort|rev|fold|paste|cp|mv|install|rsync|scp|tar|zip|gzip|source|\.)$/

/** Whether a word of a command may be the name of a file that holds keys. */
export const mayNameKeys = ({ name }: Pick<Invocation, 'name'>, path: string): boolean =>
  isCredential(path) ||
  isEnvironmentFile(path) ||
  ((OF_FILES.test(name) || (!OF_TEXT.test(name) && /[./~]/.test(path))) && mayHoldKeys(path))

function credential(command: Invocation): string | undefined {
  const { args, redirects } = command
  for (const { text } of [...args, ...redirects.map(redirect => redirect.target)]) {
    // Flag values and `name=value` arguments can name files too.
    const path = text.replace(/^--?[\w-]+=|^[\w-]+=@?|^@/, '')
    // `REVISION:path`, `host:path` and `-Ipath` name files too.
    const paths = [path, path.slice(path.lastIndexOf(':') + 1), path.replace(/^-\w/, '')].filter(
      each => each.length < 1_000,
    )
    const found = paths.map(each => posix.normalize(each)).find(each => mayNameKeys(command, each))
    if (found !== undefined) return `It names a file that may hold keys or passwords: ${found}.`
  }
  return undefined
}
