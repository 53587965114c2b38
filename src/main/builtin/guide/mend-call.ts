import { isPlainCommand } from './command-rules.ts'
import { pathsIn, meantFile } from './paths-in-requests.ts'
import { bestEntries, tellingWords } from './memory-rules.ts'
import { skillIn } from './chat-rules.ts'
import { tidyRequest, type Scene, type WantedCall } from './guide-scene.ts'
import { stateFact } from './state-fact.ts'

/** A call after comparison with the request. `isGrounded`: all of it is in the request or exists. */
export type MendedCall = { call: WantedCall; isGrounded: boolean }

/** Compare a call that a model wrote with the user's words, which take precedence. */
export function mendCall({ name, arguments: given }: WantedCall, request: string, scene: Scene): MendedCall {
  const text = (key: string) => (typeof given[key] === 'string' ? given[key] : '')
  const grounded = (isGrounded: boolean, changed: Record<string, unknown> = given): MendedCall => ({
    call: { name, arguments: changed },
    isGrounded,
  })
  switch (name) {
    case 'list_files':
    case 'read_file':
      return mendPath({ name, arguments: given }, text('path'), request, scene)
    case 'write_file': {
      const path = pathFor(text('path'), request, scene)
      return grounded(path !== undefined && isSaid(text('content'), request), {
        ...given,
        path: path ?? text('path'),
      })
    }
    case 'patch_file': {
      const path = pathFor(text('path'), request, scene)
      const isNew = isSaid(text('new_string'), `${request} ${text('old_string')}`)
      const holdsPath = pathsIn(text('new_string'), scene).length > 0
      return grounded(path !== undefined && isNew && !holdsPath, { ...given, path: path ?? text('path') })
    }
    case 'search_files':
      return grounded(
        tellingWords(text('pattern')).length > 0 && isSaid(text('pattern'), request),
        withKnownPath(given, request, scene),
      )
    case 'session_search': {
      if (isSaid(text('query'), request)) return grounded(true)
      return grounded(true, { query: queryFrom(request) })
    }
    case 'terminal':
      return grounded(isCommandSaid(text('command'), request, scene))
    case 'memory':
      return mendMemory(given, request, scene)
    case 'skill_view': {
      const named = skillIn(request, scene.skills)
      const known = named ?? scene.skills.find(each => each === text('name'))
      const isMeant =
        known !== undefined && tellingWords(known).every(word => tellingWords(request).includes(word))
      return grounded(named !== undefined || isMeant, { ...given, name: known ?? text('name') })
    }
    default:
      return grounded(true)
  }
}

/** Whether every telling word of a text is in the request. */
function isSaid(text: string, request: string): boolean {
  const plain = (each: string) => each.toLowerCase().replaceAll(/[“”„"'‘’`\s]+/g, '')
  if (plain(request).includes(plain(text))) return true
  const said = new Set(tellingWords(request))
  return tellingWords(text).every(word => said.has(word))
}

/** Search the whole folder, unless the path exists or was named. */
function withKnownPath(
  { path, ...rest }: Record<string, unknown>,
  request: string,
  scene: Scene,
): Record<string, unknown> {
  const isKnown =
    typeof path === 'string' &&
    (scene.files.includes(path) ||
      scene.folders.includes(path) ||
      pathsIn(request, scene).some(each => each.path === path))
  return isKnown ? { ...rest, path } : rest
}

/** Whether a command is in the request, or only adds its paths to a program: `rm line` is a guess. */
function isCommandSaid(command: string, request: string, scene: Scene): boolean {
  if (command.trim() === '' || !isPlainCommand(command)) return false
  if (isSaid(command, request)) return true
  const given = command.trim().split(/\s+/).slice(1)
  const named = new Set(pathsIn(request, scene).map(({ path }) => path))
  return given.some(each => named.has(each)) && given.every(each => each.startsWith('-') || named.has(each))
}

/** The words that a request about earlier chats searches for. */
export const queryFrom = (request: string): string =>
  (request.match(/[\p{L}\p{N}-]+/gu) ?? [])
    .filter(word => tellingWords(word).length > 0 && !ABOUT_TALKING.test(word))
    .join(' ')

const ABOUT_TALKING =
  /^(?:when|where|what|which|did|we|you|talk\w*|discuss\w*|mention\w*|sa(?:y|id)|tell|told|chats?|conversations?|search|find|look|earlier|past|old|previous|last|time|again|can|could|please|all|some|any|it|was|ever|before|yesterday|recently|remember)$/i

/** The path that the user means: a path that they wrote, or the file whose name matches their words. */
function pathFor(written: string, request: string, scene: Scene): string | undefined {
  const named = pathsIn(request, scene)
  const same = named.find(({ path }) => path === written)
  if (same) return same.path
  if (named.length === 1) return named[0]!.path
  const words = request.split(/\s+/).map(each => each.replaceAll(/[^\p{L}\p{N}-]/gu, ''))
  const meant = new Set(
    words
      .flatMap((word, at) => [word, `${word} ${words[at + 1] ?? ''}`])
      .flatMap(each => meantFile(each, scene.files) ?? []),
  )
  if (meant.size === 1) return [...meant][0]
  return isSaid(written, request) && written !== '' ? written : undefined
}

function mendPath(
  { name, arguments: given }: WantedCall,
  written: string,
  request: string,
  scene: Scene,
): MendedCall {
  const isHere = name === 'list_files' && (written === '' || written === '.')
  if (isHere) return { call: { name, arguments: {} }, isGrounded: true }
  const path = pathFor(written, request, scene)
  // A plain word that names nothing here is not a file name either.
  const isName = path !== undefined && pathsIn(request, scene).some(each => each.path === path)
  if (path === undefined || !(isName || scene.files.includes(path) || scene.folders.includes(path)))
    return { call: { name, arguments: given }, isGrounded: false }
  if (scene.folders.includes(path))
    return { call: { name: 'list_files', arguments: { path } }, isGrounded: true }
  return {
    call: {
      name: scene.files.includes(path) ? 'read_file' : name,
      arguments: { ...(name === 'read_file' && given), path },
    },
    isGrounded: true,
  }
}

function mendMemory(given: Record<string, unknown>, request: string, { entries }: Scene): MendedCall {
  const action = given['action'] ?? 'add'
  const tidy = tidyRequest(request)
  const content = typeof given['content'] === 'string' ? given['content'] : ''
  const make = (changed: Record<string, unknown>, isGrounded: boolean): MendedCall => ({
    call: { name: 'memory', arguments: changed },
    isGrounded,
  })
  if (action === 'add') {
    const own = isSaid(content, request) && covers(content, tidy) ? content : stateFact(tidy)
    return make(
      {
        target: given['target'] === 'project' ? 'memory' : (given['target'] ?? 'user'),
        action,
        content: own,
      },
      // The user's own words are saved then.
      isSaid(content, request) || own !== content,
    )
  }
  const meant = typeof given['old_text'] === 'string' ? given['old_text'] : content
  const best = bestEntries(tidy, entries)
  const old = best.length === 1 ? best[0] : best.find(entry => entry.text === meant)
  if (!old && action === 'replace')
    return make({ target: 'user', action: 'add', content: stateFact(tidy) }, isSaid(content, request))
  if (!old) return make(given, false)
  if (action === 'remove') return make({ target: old.target, action, old_text: old.text }, true)
  return make(
    {
      target: old.target,
      action,
      content: isSaid(content, request) ? content : stateFact(tidy),
      old_text: old.text,
    },
    isSaid(content, request),
  )
}

/** Whether an entry says most of what the request says. */
const covers = (content: string, request: string): boolean => {
  const held = new Set(tellingWords(content))
  const words = tellingWords(request)
  return words.filter(word => held.has(word)).length >= words.length * 0.6
}
