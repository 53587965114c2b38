import type { Message } from '../../../shared/contract/chats/messages.ts'
import { shellWord } from './command-rules.ts'
import { describeCall } from './describe-call.ts'
import { linesIn } from './file-rules.ts'
import { meantFile, pathsIn } from './paths-in-requests.ts'
import { quotedIn, sureCall, type Done, type Meaning, type Scene } from './guide-scene.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'

/** The calls that ran in a chat, oldest first, without questions to the user. */
export function callsIn(history: readonly Message[]): Done[] {
  const results = new Map(
    history.flatMap(message => (message.role === 'tool' ? [[message.callId, message] as const] : [])),
  )
  return history
    .flatMap(message => (message.role === 'assistant' ? message.calls : []))
    .flatMap(({ id, name, arguments: given }) => {
      const result = results.get(id)
      return result && name !== 'ask_user'
        ? [{ name, arguments: given, ok: result.ok, text: result.text }]
        : []
    })
}

/** The entry that was saved last in this chat. */
export const lastSaved = (calls: readonly Done[]): string | undefined => {
  const saved = calls.findLast(
    ({ name, ok, arguments: given }) => ok && name === 'memory' && given['action'] !== 'remove',
  )
  const content = saved?.arguments['content']
  return typeof content === 'string' ? content : undefined
}

const YES =
  /^(?:yes|yep|yeah|yup|sure|ok|okay|do it|do that|go ahead|please do|right|correct|exactly|that one|yes,? (?:please|do it|do that|that one|go ahead))$/i
const NO =
  /^(?:(?:just|oh|ok|okay|no),? )?(?:no|nope|nah|no,? thanks|never ?mind|forget it|leave it|stop|cancel|don['’]t)$/i
/** An answer that expects a yes or no. */
const ASKED = /\?|\bsimilar names\b/i
const WHAT_DONE =
  /^what (?:did|have) you (?:just |now |last )?(?:do|done|change|changed)(?: just| now| last)?$/i
const UNDO =
  /^(?:undo|revert|(?:undo|revert|take back|reverse) (?:it|that|this)|(?:change|take|put|set|turn) (?:it|that|this) back)(?: again)?$/i
const AGAIN =
  /^(?:again|(?:do|run|try|show|read|list) (?:it|that|this)?\s*(?:again|once more|one more time)|once more|repeat(?: that| it)?|one more time|try again)$/i
const MEANT =
  /^(?:no|nope|sorry|wait|oops)?[,.!]?\s*(?:i (?:meant|mean|want(?:ed)?)|not (?:that|this|\S+)[,.]? (?:but|i meant)?|rather|instead)\s+(.+)$/i
const ALSO =
  /^(?:and|now|also|what about|how about|and what about|same for|the same for|and also|and now|then)\s+(?:the (?:file|folder) )?(.+?)(?:,? too|,? as well|,? instead)?$/i
const POINTS = /\b(?:it|that file|this file|that one|this one|the file)\b/i
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** The meaning of a short request that refers to what was done before; undefined if it stands on its own. */
export function readFollowUp(
  request: string,
  tidy: string,
  scene: Scene,
  history: readonly Message[],
): Meaning | undefined {
  const plain = request
    .trim()
    .replace(/(?<![?.!])[?.!]+$/, '')
    .replace(/,? please$/i, '')
    .trim()
  const calls = callsIn(history)
  const last = calls.at(-1)
  const said = history.findLast(message => message.role === 'assistant' && message.calls.length === 0)
  const answer = said?.role === 'assistant' ? said.text : ''
  if (YES.test(plain)) return suggested(answer, last, scene)
  // If nothing was asked, “I leave it” would suggest that the finished work was not done.
  if (NO.test(plain) && (ASKED.test(answer) || answer === GUIDE_SAYS.notUnderstood()))
    return { kind: 'say', text: GUIDE_SAYS.nothingDone() }
  if (WHAT_DONE.test(plain))
    return { kind: 'say', text: last ? GUIDE_SAYS.didLast(describeCall(last)) : GUIDE_SAYS.didNothing() }
  if (UNDO.test(plain)) return undone(last)
  if (!last) return undefined
  if (AGAIN.test(plain)) return sureCall(last.name, last.arguments)
  const meant = MEANT.exec(plain)?.[1]
  if (meant !== undefined) return withTarget(last, meant, scene)
  const inThere =
    /^(?:is|are|does) (?:there )?(?:the |an? |any )?(.{2,40}?)(?: mentioned)? in (?:there|it|that file|this file)$/i.exec(
      plain,
    )?.[1]
  if (inThere !== undefined && last.name === 'read_file')
    return sureCall('search_files', {
      pattern: inThere.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
      path: last.arguments['path'],
    })
  const also = ALSO.exec(plain)?.[1]
  const lines = linesIn(plain)
  const read = calls.findLast(({ name }) => name === 'read_file')
  if (
    read &&
    (lines.offset ?? lines.limit) !== undefined &&
    pathsIn(plain, scene).length === 0 &&
    plain.length < 60
  )
    return sureCall('read_file', { path: read.arguments['path'], ...lines })
  if (also !== undefined && also.split(/\s+/).length <= 4) {
    const turned = withTarget(last, also, scene)
    if (turned) return turned
  }
  return picked(plain, calls, scene) ?? pointed(tidy, calls, scene)
}

/** Reverse a replacement in a file; no other call can be undone by a call. */
function undone(last: Done | undefined): Meaning {
  const { path, old_string: old, new_string: now } = last?.arguments ?? {}
  return last?.name === 'patch_file' && last.ok && typeof now === 'string' && now.trim() !== ''
    ? sureCall('patch_file', { path, old_string: now, new_string: old })
    : { kind: 'say', text: GUIDE_SAYS.cannotUndo() }
}

/** The same call for another file, folder or word. */
function withTarget(last: Done, words: string, scene: Scene): Meaning | undefined {
  const [named] = pathsIn(words, scene)
  const path = named?.path ?? meantFile(words, scene.files)
  const { name, arguments: given } = last
  if (path !== undefined && (name === 'read_file' || name === 'list_files'))
    return named?.isFolder ? sureCall('list_files', { path }) : sureCall('read_file', { path })
  if (path !== undefined && typeof given['path'] === 'string' && name !== 'search_files')
    return sureCall(name, { ...given, path })
  if (path !== undefined && name === 'terminal' && typeof given['command'] === 'string') {
    const [old] = pathsIn(given['command'], scene)
    return old
      ? sureCall(name, {
          command: given['command'].replace(given['command'].slice(old.at, old.end), shellWord(path)),
        })
      : undefined
  }
  if (name === 'search_files' && path === undefined && !/\b(?:is|are|the|what|my)\b/i.test(words))
    return sureCall(name, { ...given, pattern: words.replaceAll(/["'“”`]/g, '') })
  return undefined
}

/** The suggestion in an answer that the user said yes to: another name, or a sentence in quotes. */
function suggested(answer: string, last: Done | undefined, scene: Scene): Meaning | undefined {
  const near =
    /(?:did you mean|similar names here:?|near it:?|nearest:?)\s+(?:the file )?([^?]+?)(?:\?|\.?$|\.\s)/i.exec(
      answer,
    )?.[1]
  const [named] = near === undefined ? [] : pathsIn(near, scene)
  if (named && last) return withTarget(last, named.path, scene)
  const inQuotes = quotedIn(answer).at(-1)
  const [quoted] = inQuotes === undefined ? [] : pathsIn(inQuotes, scene)
  return quoted && last && /\bmean\b/i.test(answer) ? withTarget(last, quoted.path, scene) : undefined
}

/** “The second one” of a list that was shown. */
function picked(plain: string, calls: readonly Done[], scene: Scene): Meaning | undefined {
  const [, verb = '', word = ''] =
    /^(?:(?:and|now|ok|then|also|no),?\s+)?(?:(read|open|show|show me|delete|remove|list|see)\s+)?(?:me\s+)?(?:the )?(first|second|third|fourth|fifth|sixth|last|\d+(?:st|nd|rd|th)?)(?: (?:one|file|of them|entry))?$/i.exec(
      plain,
    ) ?? []
  const listed = calls.at(-1)
  if (word === '' || listed?.name !== 'list_files') return undefined
  const names = listed.text
    .split('\n')
    .slice(1)
    .filter(line => !line.startsWith('['))
    .map(line => line.replace(/ \([^)]*\)$/, ''))
  const at = /^last$/i.test(word)
    ? names.length - 1
    : (ORDINALS.indexOf(word.toLowerCase()) + 1 || Number.parseInt(word, 10)) - 1
  const name = names[at]
  if (name === undefined) return undefined
  const folder =
    typeof listed.arguments['path'] === 'string' && listed.arguments['path'] !== '.'
      ? `${listed.arguments['path']}/`
      : ''
  const [found] = pathsIn(`${folder}${name}`, scene)
  const path = found?.path ?? `${folder}${name.replace(/\/$/, '')}`
  if (/^(?:delete|remove)$/i.test(verb))
    return name.endsWith('/') ? undefined : sureCall('terminal', { command: `rm ${shellWord(path)}` })
  return name.endsWith('/') ? sureCall('list_files', { path }) : sureCall('read_file', { path })
}

/** “Show it” and “delete it”, for the last file that was used. */
function pointed(tidy: string, calls: readonly Done[], scene: Scene): Meaning | undefined {
  if (!POINTS.test(tidy) || tidy.split(/\s+/).length > 7 || pathsIn(tidy, scene).length > 1) return undefined
  const path = calls.findLast(
    ({ arguments: given, name }) => typeof given['path'] === 'string' && name !== 'search_files',
  )?.arguments['path']
  if (typeof path !== 'string') return undefined
  if (
    /^(?:show|read|open|display|print|see|view)(?: me)? (?:it|that file|this file|the file)(?: (?:again|to me))?$/i.test(
      tidy,
    )
  )
    return scene.folders.includes(path) ? sureCall('list_files', { path }) : sureCall('read_file', { path })
  if (/^(?:delete|remove|erase) (?:it|that file|this file|the file)(?: again)?$/i.test(tidy))
    return sureCall('terminal', { command: `rm ${shellWord(path)}` })
  const to =
    /^(rename|copy|move) (?:it|that file|this file|the file) (?:to|as|into) ["'“`]?([^\s"'”`]+)["'”`]?$/i.exec(
      tidy,
    )
  if (to)
    return sureCall('terminal', {
      command: `${/^copy/i.test(to[1]!) ? 'cp' : 'mv'} ${shellWord(path)} ${shellWord(to[2]!)}`,
    })
  return undefined
}
