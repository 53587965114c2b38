import { askWhich } from './ask-back.ts'
import { fileByWords, filesByWords, folderByWords } from './files-by-words.ts'
import { meantFile, pathsIn } from './paths-in-requests.ts'
import {
  likelyCall,
  sureCall,
  withoutQuotes,
  type Meaning,
  type Scene,
  type WantedCall,
} from './guide-scene.ts'

/** “In the backup log” at the end of a request: the words that name the place. */
const WITHIN = /^(.+?)\s+(?:in|inside|within)\s+((?:the |my |our |this )?[\p{L}\p{N}_ -]{2,40}?)$/iu
const SEEKS = [
  /^(?:find|search(?: for)?|look (?:for|up)|grep(?: for)?|locate|show me|get)\s+(?:me )?(?:all |any |every |the )*(?:lines? (?:with|about|of) |words? |text )?(.+)$/i,
  /^(?:is|are|was|were) there (?:any |an? |some |the )?(.+)$/i,
  /^(?:do|does|did) (?:i|we|it) have (?:any |an? |some )(.+)$/i,
]
const SAID_HERE =
  /^(?:is|are|was|were) there (?:anything|something|an? (?:file|document|note)|any (?:files?|documents?|notes?)|a mention) (?:about|on|of|for|with) (.+?)(?: (?:in )?(?:here|anywhere|somewhere)| in (?:my|the|these|this) (?:files?|folder|documents?))?$/i
const CODE_SEARCH =
  /^(?:find|search(?: for)?|look for|grep(?: for)?|show me|list)\s+(?:me )?(?:all |any |every |the )*(.+?) in (?:the |my |this |all )*(?:code|sources?|source code|repo(?:sitory)?|project)$/i
const WORD_AT =
  /^where (?:is|are|does|do|can i find) (?:the )?(?:words?|text|phrase|name|term) (.+?)(?: (?:appear|occur|stand|in (?:my|the|these) files))?$/i
const FOLDER_ASKED =
  /^(?:is|are) there (?:an? |any |some )?(?:folders?|directory|directories|place)\b|^do (?:i|we) have an? (?:folder|directory)\b/i
/** Asks for a kind of file, not for a thing in the world; the existing files answer it. */
const FILE_ASKED =
  /^(?:is|are) there (?:an?|any|some) (?:[\p{L}-]+ )?(?:read ?me|to-?do(?: list)?|notes?|recipes?|letters?|budget|config(?:uration)?|list|changelog|diary|log|files?|documents?|spreadsheets?|pictures?|photos?|images?|pdfs?)(?: file)?(?: (?:in )?here)?$/iu
const TO_DO =
  /^what(?:['’]?s| is| do i| have i)?(?: still| left| have| got| there)* to do(?: today| next| still)?$/i
const SOUGHT =
  /^find (?:my |the |all |any |some )*([\p{L}\p{N}-]{3,})(?: (?:from|of|for|about) [\p{L}\p{N} ]+)?$/iu
const READS =
  /^(?:(?:read|summari[sz]e|sum up|open(?: up)?|show|display|print(?: out)?|view|see|check|look (?:at|into|in|up)|go through|have a look at|get|give|pull up|bring up|find|what(?:['’]?s| is| are| was| does| do| did)(?: i| we)?(?: still)?|where (?:is|are))\b)/i
const ASKS =
  /^(?:how do (?:i|you|we)|how (?:to|much|many|long)|when|where|which|who|what|does|do|did|is|are|was|were)\b/i
/** Maximum number of files in a question; a longer list would not help. */
const MOST_MEANT = 5
/** Asks for a new text, or for a change. */
const MAKES =
  /\b(?:write|create|new|compose|draft|translate|add|append|put|change|replace|delete|remove|rename|move|copy|fix|correct|edit|update|run|execute|start|remember|forget|calculate|convert)\b(?<!\b(?:did i|i) write)/i
const LIST_MADE =
  /^(?:make|write|create|start|give)(?: me)?(?: a| an| my| the)?(?: new)? ((?:[\p{L}-]+ )?(?:list|to-?do|todos))(?: for me)?(?:\s*:\s*|,?\s+(?:with|of|containing|that has)\s*:?\s*)(.+)$/isu

/** A request that names no file, but whose words match one file or folder here; else undefined. */
export function readHalfSaid(tidy: string, scene: Scene): Meaning | undefined {
  const plain = tidy.replace(/(?<![?.!])[?.!]+$/, '').trim()
  if (pathsIn(plain, scene).length > 0) return undefined
  if (TO_DO.test(plain)) {
    const path = fileOfWords('todo', scene)
    return path === undefined ? undefined : sureCall('read_file', { path })
  }
  return seeking(plain, scene) ?? listMade(tidy, scene) ?? reading(plain, scene)
}

/** The file that words such as “the notes” or “the backup log” mean. */
export const fileOfWords = (words: string, { files }: Pick<Scene, 'files'>): string | undefined =>
  meantFile(words, files) ?? fileByWords(words, files)?.path

function seeking(plain: string, scene: Scene): Meaning | undefined {
  const here = SAID_HERE.exec(plain)?.[1] ?? WORD_AT.exec(plain)?.[1] ?? CODE_SEARCH.exec(plain)?.[1]
  if (here !== undefined) {
    const within = WITHIN.exec(here)
    const file = within?.[2] === undefined ? undefined : fileOfWords(within[2], scene)
    return file === undefined ? searchFor(here) : searchFor(within![1]!, file)
  }
  if (FOLDER_ASKED.test(plain)) {
    const path = folderByWords(plain.replace(FOLDER_ASKED, ''), scene)
    return sureCall('list_files', path === undefined ? {} : { path })
  }
  if (FILE_ASKED.test(plain)) return sureCall('list_files', {})
  const [, wanted = '', where = ''] = WITHIN.exec(plain) ?? []
  const path = where === '' ? undefined : fileOfWords(where, scene)
  const name = SOUGHT.exec(plain)?.[1]
  if (path === undefined && name !== undefined && fileByWords(plain, scene.files) === undefined)
    return likelyCall('search_files', { pattern: name })
  if (path === undefined) return undefined
  const sought = SEEKS.map(each => each.exec(wanted)?.[1]).find(each => each !== undefined)
  return sought === undefined || /^(?:first|last|second|\w+ lines?|contents?|text)\b/i.test(sought)
    ? undefined
    : searchFor(sought, path)
}

/** Search for “error” if the request says “errors” in a file, and for “TODO” if it says “TODOs”. */
function searchFor(said: string, path?: string): Meaning {
  const word = withoutQuotes(said)
  const isPlural =
    /^[A-Z]{3,}s$/.test(word) || (path !== undefined && word === said && /^[a-z]{3,}[^aeious]s$/.test(word))
  const pattern = isPlural ? word.slice(0, -1) : word
  return sureCall('search_files', {
    pattern: pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    ...(path !== undefined && { path }),
  })
}

function reading(plain: string, scene: Scene): Meaning | undefined {
  if (
    MAKES.test(plain) ||
    LINES_WITH.test(plain) ||
    /^what(?:['’]?s| is| are| was) an? /i.test(plain) ||
    plain.split(/\s+/).length > 12
  )
    return undefined
  const found = fileByWords(plain, scene.files)
  if (!found) {
    const several = filesByWords(plain, scene.files)
    const calls = several.map(path => ({ name: 'read_file', arguments: { path } }))
    return several.length > 1 && several.length <= MOST_MEANT && READS.test(plain)
      ? { kind: 'ask', ...askWhich(calls) }
      : undefined
  }
  const call = { path: found.path }
  const isPhrase = /^(?:my|the|our)\b/i.test(plain) && !/\b(?:is|are|was|were|has|have)\b/i.test(plain)
  if (READS.test(plain) || isPhrase || (ASKS.test(plain) && found.words > 1))
    return sureCall('read_file', call)
  return ASKS.test(plain) ? likelyCall('read_file', call) : undefined
}

/** “Every line with TODO” is not about the file todo.txt. */
const LINES_WITH = /\blines?\s+(?:with|containing|(?:that|which) (?:contain|have|has|say|says|mention))/i

/** “Make a packing list with: passport, charger”: write a new file of that name, or ask if it exists. */
function listMade(tidy: string, scene: Scene): Meaning | undefined {
  const [, name = '', told = ''] = LIST_MADE.exec(tidy) ?? []
  const items = told.split(/\s*(?:\n|,(?:\s*and\b)?|;|\band\b)\s*/).filter(item => item !== '')
  if (name === '' || items.length < 2) return undefined
  const content = items.map(item => `- ${item.replace(/(?<![.\s])[.\s]+$/, '')}`).join('\n')
  const path = `${name
    .toLowerCase()
    .replace(/^to-?dos?$/, 'todo')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.md`
  const there = fileOfWords(name, scene)
  const call: WantedCall = { name: 'write_file', arguments: { path, content } }
  if (scene.files.includes(path)) return undefined
  return there === undefined
    ? sureCall(call.name, call.arguments)
    : { kind: 'ask', ...askWhich([call, { name: 'read_file', arguments: { path: there } }]) }
}
