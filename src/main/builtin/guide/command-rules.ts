import { fileByWords } from './files-by-words.ts'
import { pathsIn, type NamedPath } from './paths-in-requests.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'
import { quotedIn, sureCall, likelyCall, withoutQuotes, type Meaning, type Scene } from './guide-scene.ts'

const PROGRAMS = new Set(
  `ls pwd date whoami hostname uptime uname df du free cat echo head tail wc sort uniq grep find mkdir rmdir touch rm mv cp ln chmod
  git npm npx node pnpm yarn bun deno python python3 pip pip3 ruby php java go cargo rustc gcc make cmake docker kubectl curl wget ping ssh
  scp tar zip unzip gzip sed awk cut tr diff ps top kill env printenv which file stat tree cal seq sleep true false printf test id groups
  history ip ifconfig lsblk lscpu nproc sqlite3 psql mysql ffmpeg convert openssl base64 md5sum sha256sum xargs tee less more bash sh zsh brew apt`.split(
    /\s+/,
  ),
)
/** Programs whose names are also ordinary words, so the rest must look like a command. */
const WORDS = new Set(
  'date find make file test which sort more less top history convert tree go cut kill true false head tail ping'.split(
    ' ',
  ),
)

/** Whether a command starts with a program, and not with ordinary words such as “make it shorter”. */
export function isPlainCommand(command: string): boolean {
  const [program = '', ...rest] = command.trim().split(/\s+/)
  if (WORDS.has(program)) return rest.length === 0 || rest.some(each => /^-|[/|>.=]/.test(each))
  return PROGRAMS.has(program) || /^[.~]?\.?\//.test(program)
}

/** Requests in plain words that one command answers. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:which|what)(?:['’]s| is)?(?: the| my)?(?: current)? (?:git )?branch(?: (?:am i|are we|is this|is checked out)(?: on)?)?$|^(?:show|tell me|print)(?: me)? the (?:current )?(?:git )?branch$/i,
    'git branch --show-current',
  ],
  [
    /^(?:(?:show|check|print|get|tell me)(?: me)? )?(?:the )?git status$|^(?:what|which files?)(?: has| have)? changed (?:in git|in the repo(?:sitory)?)$|^(?:are there|do i have)(?: any)? uncommitted changes$/i,
    'git status --short',
  ],
  [
    /^(?:show|list|give|print)(?: me)? (?:the )?(?:last|latest|recent|newest)(?: few| five)?(?: git)? commits$|^(?:(?:show|print)(?: me)? )?(?:the )?(?:git|commit) (?:log|history)$/i,
    'git log --oneline -5',
  ],
  [
    /^(?:how much|how many)(?: (?:disk|hard drive))?(?: space| gb| gigabytes)? (?:is|do i have|have i got)(?: still)? (?:left|free)(?: on (?:the|my|this) (?:disk|drive|computer|machine))?$|^(?:(?:show|check|tell me)(?: me)? )?(?:the |my )?(?:free )?disk (?:space|usage)$|^how full is (?:the|my) (?:disk|drive)$/i,
    'df -h .',
  ],
  [
    /^how much (?:free )?(?:ram|memory)(?: is| do i have| does (?:this|my) (?:computer|machine) have)?(?: left| free)?$|^(?:(?:show|check)(?: me)? )?(?:the |my )?(?:free )?ram(?: usage)?$/i,
    'free -h',
  ],
  [
    /^(?:what|which)(?: is| folder| directory)?(?: the| my)?(?: current| working)? ?(?:folder|directory|path)?(?: am i in| are we in| is this)$|^what(?:['’]s| is) the (?:current|working) (?:folder|directory|path)$|^where am i$|^print (?:the )?working directory$/i,
    'pwd',
  ],
  [
    /^(?:who am i logged in as|what(?:['’]s| is) my (?:user ?name|login)(?: (?:on this|here).*)?|(?:which|what) user am i)$/i,
    'whoami',
  ],
  [
    /^(?:what(?:['’]s| is) the (?:name of this (?:computer|machine)|host ?name)|what is this (?:computer|machine) called)$/i,
    'hostname',
  ],
  [
    /^how long has (?:this|the|my) (?:computer|machine|pc|system) been (?:running|on|up)$|^(?:what(?:['’]s| is) the |show (?:me )?the )?uptime$/i,
    'uptime -p',
  ],
  [
    /^(?:which|what) (?:kernel|operating system|os|linux)(?: version)? (?:is this|do i have|is running|am i (?:on|running)|runs here)$/i,
    'uname -sr',
  ],
]

/** A word for a shell, quoted if necessary. */
export const shellWord = (text: string): string =>
  /^[\w./~@%+,:=-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The meaning of a request for a command; undefined for any other request. */
export function readCommandRequest(tidy: string, scene: Scene): Meaning | undefined {
  const named = scriptIn(tidy, scene) ?? commandIn(tidy)
  if (named) return named
  const plain = tidy.replace(/(?<![?.!])[?.!]+$/, '').trim()
  const spoken = SPOKEN.find(([pattern]) => pattern.test(plain))
  if (spoken) return run(spoken[1])
  const ending = endingIn(plain)
  if (ending !== undefined) return run(`find . -type f -name ${shellWord(`*.${ending}`)}`)
  const version =
    /^(?:which|what)(?:['’]s| is)?(?: the)? version of (\S+)(?: (?:do i have|is installed|is this|am i (?:using|on)|have i got))?$/i.exec(
      plain,
    ) ?? /^(?:which|what) (\S+) version(?: do i have| is installed| am i (?:on|using))?$/i.exec(plain)
  const installed =
    /^(?:is|do i have|have i got) ([a-z][\w+-]*)(?: installed)?(?:[?,.]? (?:and )?(?:which|what) version.*)?$/i.exec(
      plain,
    )
  if (installed && (PROGRAMS.has(installed[1]!.toLowerCase()) || /\binstalled\b/i.test(plain)))
    return run(`${installed[1]!.toLowerCase()} --version`)
  if (version && /^[a-z][\w+-]*$/i.test(version[1]!)) return run(`${version[1]!.toLowerCase()} --version`)
  return onPaths(plain, pathsIn(plain, scene))
}

const ENDINGS: Readonly<Record<string, string>> = { markdown: 'md', text: 'txt', python: 'py' }
const SOUGHT = String.raw`^(?:find|search for|look for|locate|list|show|get|give)(?: me)?(?: all| every| any| the| my| of)*`
const IN_FOLDER = String.raw`(?: (?:in )?(?:here|(?:this|the|my) (?:folder|directory|project|workspace)))?$`
const BY_ENDING = [
  new RegExp(
    String.raw`${SOUGHT} files?(?: here)? (?:with (?:an? |the )?(?:file )?(?:ending|extension|suffix)|(?:that |which )?end(?:s|ing)? (?:in|with|on)|of (?:the )?type) ["'“]?\*?\.?([a-z]\w{0,4})["'”]?${IN_FOLDER}`,
    'i',
  ),
  new RegExp(
    String.raw`${SOUGHT} (?:\*?\.([a-z]\w{0,4})|(markdown|text|csv|log|python|json|pdf)) files?${IN_FOLDER}`,
    'i',
  ),
]

/** The file extension to search for, as in “find all .md files”. */
function endingIn(plain: string): string | undefined {
  const found = BY_ENDING.map(each => each.exec(plain)).find(each => each !== null)
  const ending = (found?.[1] ?? found?.[2])?.toLowerCase()
  return ending === undefined ? undefined : (ENDINGS[ending] ?? ending)
}

const run = (command: string): Meaning => sureCall('terminal', { command })

/** The program that runs a file, by the file's extension. */
const RUNS_WITH: Readonly<Record<string, string>> = {
  py: 'python3',
  js: 'node',
  mjs: 'node',
  sh: 'sh',
  rb: 'ruby',
  ts: 'node',
}

/** “Run the convert script” names a script without its extension. */
function spoken(tidy: string, scene: Scene): readonly NamedPath[] {
  const words =
    /^(?:run|execute|launch|start) (?:the |my )([\p{L}\p{N}_ -]{2,40}?) (?:script|program)$/iu.exec(tidy)?.[1]
  const scripts = scene.files.filter(each => (/\.(\w+)$/.exec(each)?.[1] ?? '') in RUNS_WITH)
  const found = words === undefined ? undefined : fileByWords(words, scripts)
  return found ? pathsIn(found.path, scene) : []
}

/** “Run src/convert.py”: the program for this kind of file, with the file. */
function scriptIn(tidy: string, scene: Scene): Meaning | undefined {
  const named =
    /^(?:run|execute|launch|start)\s+(?:the )?(?:script |program |file |python script )?["'“`]?([^\s"'”`]+)["'”`]?$/i.exec(
      tidy,
    )?.[1]
  const [path] = named === undefined ? spoken(tidy, scene) : pathsIn(named, scene)
  const program = RUNS_WITH[/\.(\w+)$/.exec(path?.path ?? '')?.[1]?.toLowerCase() ?? '']
  return path && program !== undefined ? run(`${program} ${shellWord(path.path)}`) : undefined
}

function commandIn(tidy: string): Meaning | undefined {
  const asked =
    /^(?:run|execute|launch|type|call|do|start)(?:\s*:)?\s+(?:the )?(?:(shell |terminal |bash )?(command|commands)\s*:?\s*)?(.+?)(?:\s+(?:in|on) (?:the|a|my) (?:terminal|shell|console|command line)|\s+command)?$/is.exec(
      tidy,
    )
  const alone = /^`([^`]+)`$/.exec(tidy.trim())?.[1] ?? /^\$ (.+)$/.exec(tidy.trim())?.[1]
  if (alone !== undefined) return run(alone)
  if (asked) {
    const [, , isNamed, rest = ''] = asked
    const inQuotes = /`/.test(rest) ? quotedIn(rest)[0] : undefined
    const command = inQuotes ?? withoutQuotes(rest)
    const [program = ''] = command.split(/\s+/)
    if (
      /\b(?:skill|tests?|test suite|build|script|program|it|that|this|again)$/i.test(command) &&
      !PROGRAMS.has(program) &&
      !program.includes('/')
    )
      return undefined
    const isCommand =
      PROGRAMS.has(program) || /^[.~]?\.?\//.test(program) || /[|>&;=]|\s-{1,2}\w/.test(command)
    if (inQuotes !== undefined || isNamed !== undefined) return run(command)
    if (isCommand && /^(?:run|execute|launch|type)/i.test(tidy)) return run(command)
    return isCommand && /^(?:start|do|call)/i.test(tidy) ? likelyCall('terminal', { command }) : undefined
  }
  const [program = '', ...rest] = tidy.split(/\s+/)
  // “Which version do I have? …” starts with the name of a program by chance.
  if (!PROGRAMS.has(program) || /\?\s/.test(tidy)) return undefined
  // “cat notes.txt” is handled as reading, and “ls” as listing.
  if (/^(?:cat|ls)$/.test(program) && rest.every(each => !each.startsWith('-'))) return undefined
  const looks =
    rest.some(each => /^-{1,2}\w|[/|>]|^\w+\.\w+$/.test(each)) &&
    !/(?<![-\w])(?:the|a|an|all|any|my|of|in|to|for|is|me|new|empty|file|folder|with|called)(?![-\w.])/.test(
      tidy,
    )
  if (WORDS.has(program)) return looks ? run(tidy) : undefined
  if (
    looks ||
    rest.length === 0 ||
    /^(?:git|npm|npx|pnpm|pip3?|docker|cargo|mkdir|touch|echo)$/.test(program)
  )
    return run(tidy)
  return undefined
}

/** File operations that are done by commands: deleting, renaming, copying, moving, counting. */
function onPaths(plain: string, paths: readonly NamedPath[]): Meaning | undefined {
  const [first, second] = paths
  const made =
    /^(?:make|create|add|new)(?: me)?(?: a| the)?(?: new| empty)*(?: sub)? ?(?:folder|directory)(?: called| named|:)?\s+["'“`]?([\p{L}\p{N}_./ -]+?)["'”`]?(?: here| in this folder)?$/iu.exec(
      plain,
    )?.[1]
  if (made !== undefined) return run(`mkdir ${shellWord(made)}`)
  if (!first) return undefined
  const path = shellWord(first.path)
  if (/^(?:rename|move|copy|duplicate|mv|cp|make a copy of)\b/i.test(plain)) {
    const to =
      second?.path ??
      /\b(?:to|into|as|called|named) (?:the )?(?:folder )?["'“`]?([\p{L}\p{N}_./-]+)["'”`]?(?: folder)?$/iu.exec(
        plain,
      )?.[1]
    if (to === undefined) return undefined
    const isCopy = /^(?:copy|duplicate|cp|make)/i.test(plain)
    return run(`${isCopy ? 'cp' : 'mv'} ${first.isFolder && isCopy ? '-r ' : ''}${path} ${shellWord(to)}`)
  }
  if (second) return undefined
  if (/^(?:delete|remove|erase|trash|get rid of|throw away)\b/i.test(plain) && isAllAbout(plain, first)) {
    // A file that exists only in the request: nothing is run for it.
    if (!first.isThere && !/[/*?]/.test(first.path))
      return { kind: 'say', text: GUIDE_SAYS.noFileLike(first.path) }
    return first.isFolder ? run(`rm -r ${path}`) : run(`rm ${path}`)
  }
  if (/\bhow many lines\b|\bcount (?:the )?lines\b|\bnumber of lines\b|\bline count\b/i.test(plain))
    return run(`wc -l ${path}`)
  if (/\bhow many words\b|\bcount (?:the )?words\b|\bnumber of words\b|\bword count\b/i.test(plain))
    return run(`wc -w ${path}`)
  if (/\bhow (?:big|large)\b|\b(?:file )?size of\b|\bhow much space\b/i.test(plain))
    return run(`du -sh ${path}`)
  return undefined
}

/** Whether a request is only about the path: “delete the file a.txt”, not “delete the line x in a.txt”. */
const isAllAbout = (plain: string, { at }: NamedPath): boolean =>
  /^\w+(?: rid of| away)?(?: the| my| this)?(?: old| empty| whole)?(?: file| folder| directory| document)?(?: called| named)?\s*["'“`]?$/i.test(
    plain.slice(0, at),
  )
