import { homeFolderIn, meantFile, pathsIn, type NamedPath } from './paths-in-requests.ts'
import { shellWord } from './command-rules.ts'
import { nearFile } from './files-by-words.ts'
import { fileOfWords, readHalfSaid } from './half-said.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'
import {
  firstMeaning,
  quotedIn,
  sureCall,
  likelyCall,
  withoutQuotes,
  type Done,
  type Meaning,
  type Reading,
  type Scene,
  type WantedCall,
} from './guide-scene.ts'

const HERE = String.raw`(?:(?:in |inside )?(?:here|there|(?:this|the|my|the current|the working|our) (?:folder|directory|workspace|project)))`
const LISTS = [
  new RegExp(
    String.raw`^(?:list|show|show me|see|give me|print|name|display|tell me)(?: me)? (?:all |a list of |the list of |the names of )*(?:the |my |all |our |these |of the )*(?:files?|documents?|file names|contents?|folder contents|directory listing|file list)(?: and (?:sub)?folders)?(?: (?:that are|you (?:see|have|can see)|i have|we have))?(?: (?:of )?${HERE})?$`,
    'i',
  ),
  new RegExp(
    String.raw`^(?:what|which)(?:['’]s| is| are)?(?: all)?(?: the| my)? ?(?:files?|documents?|things|stuff|kind of files)?(?: are| is| do i have| do we have| have i got| can you see| do you see)?(?: there)? ?(?:stored |saved |lying )?${HERE}$`,
    'i',
  ),
  /^(?:what|which) (?:files|documents)(?: and folders)? (?:do i have|do we have|are there|have i got|can you see|do you see|exist)$/i,
  /^(?:files?|ls|dir|list|list files|list my files|file list|directory listing|folder contents|all files|show files)$/i,
  new RegExp(
    String.raw`^(?:list|show|look (?:at|into|in|around)|open|check|see|peek (?:into|inside)|have a look (?:at|in|into|around)|take a look (?:at|in|into|around))(?: me)?(?: what(?:['’]s| is| files are))? ?${HERE}$`,
    'i',
  ),
  /^(?:know |tell me |see |show me )?(?:what|which) (?:files|documents) (?:i have|are here|there are|are there)(?: here| in (?:this|the|my) folder)?$/i,
  /^(?:tell me |know |see |show me )?what(?:['’]?s| is) (?:in|inside) (?:here|(?:this|the|my|the current) (?:folder|directory))$/i,
  /^(?:are there|is there|do i have|have i got|do we have)(?: any| some)? (?:files?|documents?|anything|something)(?: (?:stored|saved|in|inside))*(?: (?:here|(?:this|the|my) (?:folder|directory|workspace)))?$/i,
]
/** Requests about sizes, which the list of files shows. */
const SIZES = [
  new RegExp(
    String.raw`^(?:(?:tell|show)(?: me)? |find |see )?(?:(?:what|which)(?:['’]s| is| are)? )?(?:the |my |our )?(?:biggest|largest|smallest) (?:files?|documents?)(?: (?:do i have|i have|there (?:is|are)))?(?: (?:of )?${HERE})?$`,
    'i',
  ),
  new RegExp(
    String.raw`^(?:tell me |show me )?(?:what|which) (?:files?|documents?|of (?:my|the|these) (?:files|documents))(?: ${HERE})? (?:is|are) (?:the )?(?:biggest|largest|smallest)(?: ${HERE})?$`,
    'i',
  ),
]
const COUNTS =
  /^(?:tell me )?(?:how many|count|count all|number of)(?: the| my| all)*(?: the)? (?:files|documents|entries|things|files and folders)\b/i

/** The meaning of a request about files, with one step for each kind; undefined for any other. */
export function* fileRequestSteps(request: string, tidy: string, scene: Scene): Reading {
  const paths = pathsIn(tidy, scene)
  return yield* firstMeaning([
    () => changing(tidy, paths, scene),
    // “What files do I have here?” looks like a search for “have here”.
    () =>
      paths.length === 0 && [...LISTS, ...SIZES].some(each => each.test(tidy))
        ? sureCall('list_files', {})
        : undefined,
    () => (paths.length === 0 ? readHalfSaid(tidy, scene) : undefined),
    () => searching(tidy, paths),
    () => listing(tidy, paths),
    () => reading(request, tidy, paths, scene),
  ])
}

function listing(tidy: string, paths: readonly NamedPath[]): Meaning | undefined {
  if (paths.length === 0 && COUNTS.test(tidy)) return sureCall('list_files', {})
  const home = homeFolderIn(tidy)
  if (
    home !== undefined &&
    paths.length === 0 &&
    !/\b(?:write|save|move|copy|delete|find|search)\b/i.test(tidy)
  )
    return sureCall('list_files', { path: home })
  const [folder, ...others] = paths
  if (folder?.isFolder !== true || others.length > 0) return undefined
  return /\b(?:list|show|what|which|files?|contents?|open|look|see|ls|dir|in|empty|anything)\b/i.test(tidy) &&
    !/\b(?:make|create|delete|remove|move|copy|rename|write|save|find|search|size|big|large)\b/i.test(tidy)
    ? sureCall('list_files', { path: folder.path })
    : undefined
}

const READS =
  /\b(?:read|open|show|display|print|view|cat|see|look (?:at|in|into)|go through|check|contents?|says?|written|tell me|what(?:['’]s| is| does| do| did| are)|lines?|summari[sz]e|summary)\b/i
const NUMBERS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
  twenty: 20,
}
const numberOf = (word: string): number | undefined => {
  const number = NUMBERS[word.toLowerCase()] ?? Number.parseInt(word, 10)
  return Number.isFinite(number) && number > 0 ? number : undefined
}

/** The lines that a request names; empty for all lines. */
export function linesIn(text: string): { offset?: number; limit?: number } {
  const several = /\b(?:first|top) (\w+) lines\b/i.exec(text)?.[1]
  const many = several === undefined ? undefined : numberOf(several)
  if (many !== undefined) return { limit: many }
  const range = /\blines? (\d+)\s*(?:-|–|to|through)\s*(\d+)/i.exec(text)
  if (range) return { offset: Number(range[1]), limit: Math.max(1, Number(range[2]) - Number(range[1]) + 1) }
  const word = /\bline (?:number )?(\d+)/i.exec(text)?.[1] ?? /\b(\w+) line\b/i.exec(text)?.[1]
  const number = word === undefined ? undefined : numberOf(word)
  if (number === undefined) return /\b(?:top line|title|heading)\b/i.test(text) ? { limit: 1 } : {}
  return number === 1 ? { limit: 1 } : { offset: number, limit: 1 }
}

const MEANT =
  /\b(?:read|open(?: up)?|pull up|show(?: me)?|display|print|view|see|look (?:at|into|in)|check|what(?:['’]s| is)(?: written)? (?:in(?:side)?|on)|what (?:does|do)|contents? of|go through)\s+(?:me\s+)?((?:my |the |our )?[\p{L}\p{N} _-]{2,40}?)(?:\s+(?:say|says|contain|contains|file|document|to me|out loud|aloud))*$/iu
/** Common names for files. If no such file exists, the user is told so. */
const CALLED =
  /^(?:my|the|our) (?:[\p{L}-]+ )?(?:readme|to-?do(?: list)?|notes?(?: file)?|letters?|recipes?|report|config(?:uration)?|(?:shopping|packing|guest) list|changelog|diary|journal|agenda|budget)$/iu

function reading(
  request: string,
  tidy: string,
  paths: readonly NamedPath[],
  scene: Scene,
): Meaning | undefined {
  const [named, ...others] = paths
  if (!named) {
    const words = MEANT.exec(tidy.replace(/\?$/, ''))?.[1]
    const meant = words === undefined ? undefined : meantFile(words, scene.files)
    if (meant !== undefined) return sureCall('read_file', { path: meant, ...linesIn(tidy) })
    return words !== undefined && CALLED.test(words)
      ? { kind: 'say', text: GUIDE_SAYS.noFileLike(words.replace(/^(?:my|the|our) /i, '')) }
      : undefined
  }
  if (others.length > 0 || named.isFolder) return undefined
  if (CHANGES.test(tidy)) return undefined
  const path = named.isThere ? named.path : (nearFile(named.path, scene.files) ?? named.path)
  const isBare = tidy.replaceAll(/["'`“”]/g, '').trim().length <= named.end - named.at + 2
  const lookup =
    /^(?:what|which|who|when|where|how|is|does|do|tell me|according to|in|look up|find out|get)\b/i.test(tidy)
  if (isBare || READS.test(tidy) || lookup) return sureCall('read_file', { path, ...linesIn(request) })
  return likelyCall('read_file', { path })
}

/** “What did I write” asks for existing content. */
const CHANGES =
  /(?<!\bi )\b(?:write|create|make|save|append|add|replace|change|delete|remove|rename|move|copy|translate|fix|correct|edit|update|swap|put|insert|new file|count|how many|how (?:big|large|long))\b/i

function searching(tidy: string, paths: readonly NamedPath[]): Meaning | undefined {
  const kind =
    /\b(?:in|all|the|every) (?:all )?(?:the |my )?(?:\*?\.(\w{1,5})|(markdown|text|csv|log|python|json)) files\b/i.exec(
      tidy,
    )
  const within = paths.findLast(each =>
    /\b(?:in|inside|within|of)(?: the)?(?: file| folder)?\s*["'“`]?$/i.test(tidy.slice(0, each.at)),
  )
  const bare = (
    within
      ? tidy
          .slice(0, within.at)
          .replace(/\b(?:in|inside|within|of)(?: the)?(?: file| folder)?\s*["'“`]?$/i, '')
      : tidy
  ).trim()
  const found = SEARCHES.map(each => each.exec(bare)?.[1]).find(each => each !== undefined)
  if (found === undefined) return undefined
  const pattern = wordIn(found)
  if (
    pattern === '' ||
    /^(?:it|that|this|something|anything|out|out \w+|have|got|see|need|here|there|me|file|files|a file)$/i.test(
      pattern,
    )
  )
    return undefined
  if (/\b(?:chats?|conversations?|talked?|internet|web|online|google|memory)\b/i.test(bare)) return undefined
  const kinds: Readonly<Record<string, string>> = { markdown: 'md', text: 'txt', python: 'py' }
  const ending = kind?.[1] ?? (kind?.[2] && (kinds[kind[2].toLowerCase()] ?? kind[2].toLowerCase()))
  if (
    /^(?:changed?|edit(?:ed)?|creat(?:e|ed)|delete[d]?|open(?:ed)?|modif(?:y|ied)) (?:today|yesterday|last|recently|this)\b/i.test(
      pattern,
    )
  )
    return undefined
  // A file name is looked up among names, not inside files.
  if (isPath(pattern) && /^(?:find|search for|look for|locate)\s+\S+$/i.test(bare)) return undefined
  if (paths.some(each => each.isThere && pattern === each.path)) return undefined
  return sureCall('search_files', {
    pattern: pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    ...(within && { path: within.path }),
    ...(ending && { glob: `*.${ending}` }),
  })
}

const SEARCHES = [
  /^(?:in )?(?:which|what) (?:of my |of the )?(?:files?|documents?|notes?)(?: here)? (?:did i|do i|have i|is|are|was|were)(?: written?| mention(?:ed)?| note[d]?| talk(?:ed)?| put)?(?: down)?(?: about)? (.+?)(?: mentioned| written| noted| in)?$/i,
  /^(?:does|do|is|are|did)(?: the)?(?: words?| text| phrase| name| term)? (.+?) (?:occurs?|appears?|mentioned|found|written|stand|come up|used|show up)(?: anywhere| somewhere| in (?:any|one|all|some)(?: of)? (?:my |the |these )?files?| here| in (?:my|the|these) files?)+$/i,
  /^(?:who|what) mentions (.+?)(?:[?,.;]? (?:search|look in|check)(?: in| through)?(?: my| the| all)* files)?$/i,
  /^(?:search|grep|scan)(?: (?:my|the|all|all my|all the|these|through)*\s*(?:files?|folder|documents|project|workspace|everything)(?: here)?)? for (.+)$/i,
  /^(?:which|what|is there any|are there any|is there a|do any|does any)(?: of)?(?: my| the)? (?:files?|documents?|notes?|lines?)(?: here)? (?:that )?(?:mentions?|contains?|has|have|includes?|talks? about|says?|holds?|with|use|uses)(?: the (?:words?|text|phrase|term))? (.+)$/i,
  /^(?:find|show me|list|show|get)(?: me)?(?: all| every| the| any)*(?: of)?(?: the)? (?:files?|lines?|documents?|places|mentions?|occurrences?|matches)(?: here| in my files)? (?:(?:that |which |where )?(?:mentions?|contains?|has|have|includes?|mentioning|containing|say|says|talks? about)|of|for|with|about|where)\s+(?:the (?:words?|text|phrase|term) )?(.+?)(?: (?:occurs?|appears?|is mentioned))?$/i,
  /^(?:find |find out |show me |tell me )?where(?: in (?:my|the|these) files)? (?:do(?:es)? |did i |is |are |do i )(?:mention |write (?:about )?|use )?(?:the (?:words?|text|phrase|term) )?(.+?) (?:mentioned|appears?|occurs?|used|written|stand|come up|show up|defined)\b.*$/i,
  /^where(?: in (?:my|the|these) files)? (?:did i|do i) (?:mention|write about|use) (.+)$/i,
  /^(?:search|find|look for|grep|look up) (?:the (?:words?|text|phrase|term) )?(.+?) in (?:all |any |every )?(?:of )?(?:my |the |these |all )*(?:\*?\.?\w* ?)?(?:files?|folder|documents|project|workspace)(?: here)?$/i,
  /^(?:is there |are there |do i have )?any (?:mentions?|occurrences?|traces?) of (.+?)(?: (?:here|anywhere|in (?:my|the|these) files))?$/i,
  /^(?:search|search for|look for|locate|grep|grep for|find the (?:words?|text|phrase|term)) (.+?)(?: here)?$/i,
  /^find ((?:"[^"]+"|“[^”]+”|'[^']+'|`[^`]+`))$/i,
]
const isPath = (text: string): boolean => pathsIn(text, { files: [], folders: [] }).length > 0

const wordIn = (text: string): string =>
  (quotedIn(text)[0] ?? withoutQuotes(text))
    .replace(
      /(?<!\s)\s+(?:in|inside|within|among|through)(?: all| any)?(?: of)?(?: my| the| these| all)*\s*(?:\*?\.?\w+ )?(?:files?|folder|documents|notes|project|workspace)(?: here)?$/i,
      '',
    )
    .replace(/^(?:(?:every|all|any|the) )?(?:mentions?|occurrences?) of /i, '')
    .replace(/^(?:the )?(?:words?|text|phrase|term) /i, '')
    .replace(/(?<![?.!])[?.!]+$/, '')
    .trim()

/** Requests that write a file, add to it, or replace text in it. */
function changing(tidy: string, paths: readonly NamedPath[], scene: Scene): Meaning | undefined {
  return replacing(tidy, paths) ?? replacingInMeant(tidy, paths, scene) ?? writing(tidy, paths, scene)
}

function replacing(tidy: string, paths: readonly NamedPath[]): Meaning | undefined {
  // “Fix the rent in budget.csv, it is 790 and not 780”, in either order.
  const [only, ...more] = paths
  if (
    only?.isThere &&
    !only.isFolder &&
    more.length === 0 &&
    /\b(?:fix|correct|change|update)\b/i.test(tidy)
  ) {
    const around = [
      tidy.slice(only.end),
      tidy
        .slice(0, only.at)
        .replace(/,? (?:please )?(?:fix|correct|change|update)(?: that| this| it)?(?: in)?\s*$/i, ''),
    ]
    const corrected = around.map(each => replacedByTurn(each)).find(each => each !== undefined)
    if (corrected)
      return sureCall('patch_file', { path: only.path, old_string: corrected.old, new_string: corrected.now })
  }
  const file = paths.find(each =>
    /\b(?:in|of|inside|within)(?: the)?(?: file)?\s*["'“`]?$/i.test(tidy.slice(0, each.at)),
  )
  const [first] = paths
  if (
    !file &&
    first &&
    /^(?:edit|update|change|open|fix|in)?(?: the file)?\s*["'“`]?$/i.test(tidy.slice(0, first.at))
  ) {
    const rest = tidy.slice(first.end).replace(/^["'”`]?\s*[,:]\s*/, '')
    return replaceIn(first.path, rest)
  }
  if (!file) return undefined
  const before = tidy
    .slice(0, file.at)
    .replace(/\b(?:in|of|inside|within)(?: the)?(?: file)?\s*["'“`]?$/i, '')
    .trim()
  const from = /^from (.+?) (?:to|into) (.+)$/i.exec(tidy.slice(file.end).replace(/^["'”`]?\s*/, ''))
  if (from && /^(?:change|rename|set|update|edit)\b/i.test(before))
    return replaceIn(file.path, `change ${from[1]} to ${from[2]}`)
  const rest = before === '' ? tidy.slice(file.end).replace(/^["'”`]?\s*[,:]?\s*/, '') : before
  return replaceIn(file.path, rest)
}

/** “Replace 4471 with 4472 in the notes”, which names no path. */
function replacingInMeant(tidy: string, paths: readonly NamedPath[], scene: Scene): Meaning | undefined {
  if (paths.length > 0) return undefined
  const [, said = '', words = ''] =
    /^(.+?)\s+(?:in|of|inside|within)\s+((?:the|my|our)\s+[\p{L}\p{N}_ -]{2,40})$/iu.exec(tidy) ?? []
  const path = words === '' ? undefined : fileOfWords(words, scene)
  return path === undefined ? undefined : replaceIn(path, said)
}

/** The call for “replace A with B” or “change A to B”. */
function replaceIn(path: string, said: string): Meaning | undefined {
  const [, old, now] =
    /^(?:replace|swap|substitute|exchange)(?: the (?:word|text|line))? (.+?) (?:with|by|for) (.+)$/i.exec(
      said,
    ) ??
    /^(?:change|rename|turn|correct|fix|edit|update)(?: the (?:word|text|line))? (.+?) (?:to|into) (.+)$/i.exec(
      said,
    ) ??
    []
  if (old === undefined || now === undefined) {
    const turned = replacedByTurn(said)
    return turned && sureCall('patch_file', { path, old_string: turned.old, new_string: turned.now })
  }
  return sureCall('patch_file', { path, old_string: withoutQuotes(old), new_string: withoutQuotes(now) })
}

/** “It is 790 and not 780”, “use tea instead of coffee”: the first part is the new text. */
function replacedByTurn(said: string): { old: string; now: string } | undefined {
  const [, now, old] =
    /^(?:use|write|put|say|take)\s+(.+?) instead of (.+)$/i.exec(said.trim()) ??
    /\b(?:it is|it['’]s|it should be|make it|needs?|must be)\s+([^,]+?),? (?:and not|not|instead of) ([^,]+)$/i.exec(
      said.trim(),
    ) ??
    []
  return now === undefined || old === undefined
    ? undefined
    : { old: withoutQuotes(old), now: withoutQuotes(now) }
}

function writing(tidy: string, paths: readonly NamedPath[], scene: Scene): Meaning | undefined {
  const file = paths.findLast(each => !each.isFolder)
  const added =
    /^(?:add|append|put|attach|insert)\s+(?:the (?:line|text|words?|item|entry)\s+)?("[^"]+"|“[^”]+”|`[^`]+`|'[^']+'(?!\p{L})|.+?)\s+(?:to|onto|at the end of|on|in|into|to the end of)\s+(?:the )?(?:(?:end|bottom) of )?(?:the )?(?:file |list )?(?:my )?(.+)$/iu.exec(
      tidy,
    )
  if (added) {
    const [, content = '', where = ''] = added
    const path = file?.path ?? meantFile(where, scene.files)
    if (path === undefined) return undefined
    const text = withoutQuotes(content)
    const isThere = file ? file.isThere : true
    if (!isThere || (/^put\b/i.test(tidy) && !isThere)) return sureCall('write_file', { path, content: text })
    return addToEnd(path, text)
  }
  if (!file) return undefined
  const { path } = file
  const ahead = tidy
    .slice(0, file.at)
    .replace(/["'“`]$/, '')
    .trim()
  const behind = tidy
    .slice(file.end)
    .replace(/^["'”`]/, '')
    .trim()
  const [, content] =
    /^(?:write|save|put|store|note|type|jot|log|record)(?: down)?\s+(?:the (?:text|words?|line|sentence)\s+)?(.+?)\s+(?:to|into|in|as|under|on)(?: a| the| my)?(?: new)?(?: file)?(?: called| named)?$/is.exec(
      ahead,
    ) ?? []
  if (content !== undefined && behind === '')
    return sureCall('write_file', { path, content: withoutQuotes(content) })
  if (
    !/^(?:(?:i need|i want|i['’]d like|give me) (?=an? )|(?:i need |i want |i['’]d like |give me )?(?:a |an |the )?(?:create|make|write|start|generate|new|open|add|set up|touch|save|put|note|empty)\b)/i.test(
      ahead,
    )
  )
    return undefined
  const said =
    /^(?:[,:]\s*|(?:and\s+)?(?:with|containing|saying|reading|that (?:just )?says|that reads|which says|that contains|and write|write|and put|in it|put in)\s*(?:(?:just |only )?the (?:text|content|contents|line|words?|following)\s*)?(?:in it\s*)?[:,]?\s*)(.+?)(?:\s+(?:in it|into it|inside|as (?:its )?content))?$/is.exec(
      behind,
    )?.[1]
  if (said !== undefined) return sureCall('write_file', { path, content: withoutQuotes(said) })
  const printed = /^(?:that|which|to) (?:just )?(?:prints?|says|outputs?)\s+(.{1,80})$/i.exec(behind)?.[1]
  const program = printed === undefined ? undefined : programOf(path, withoutQuotes(printed))
  if (program !== undefined) return sureCall('write_file', { path, content: program })
  return behind === '' &&
    /\b(?:create|make|new|touch|empty)\b/i.test(ahead) &&
    !/\b(?:folder|directory)\b/i.test(ahead)
    ? sureCall('write_file', { path, content: '' })
    : undefined
}

/** A one-line program that prints a text; undefined for other kinds of files. */
function programOf(path: string, text: string): string | undefined {
  const quoted = JSON.stringify(text)
  const kind = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  if (kind === 'py') return `print(${quoted})\n`
  if (/^(?:m?js|ts)$/.test(kind)) return `console.log(${quoted})\n`
  return kind === 'sh' ? `echo ${shellWord(text)}\n` : undefined
}

/** Read a file, then append a text. */
export const addToEnd = (path: string, text: string) =>
  sureCall('read_file', { path }, done => appended(done, path, text))

/** How many lines at a file's end to replace when text is appended: enough to be unique, usually. */
const ENDING = 3

/** The call that appends a text to a file that was read. */
function appended({ name, ok, text }: Done, path: string, added: string): WantedCall | undefined {
  if (!ok || name !== 'read_file') return undefined
  const [heading = '', ...lines] = text.split('\n')
  if (heading.endsWith(', empty') || lines.length === 0)
    return { name: 'write_file', arguments: { path, content: added } }
  if (lines.some(line => /^\[.*(?:more|goes on|offset)/.test(line))) return undefined
  const old = lines.slice(-ENDING).join('\n')
  return { name: 'patch_file', arguments: { path, old_string: old, new_string: `${old}\n${added}` } }
}
