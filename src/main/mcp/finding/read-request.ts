import { stemmer } from 'stemmer'

/** The kinds of action of a tool or a request, such as `create`. */
export type Actions = ReadonlySet<string>

/** Words that say little about what is wanted. */
const EMPTY = new Set(
  `a an the of to for in on at by with from and or is are was were be been do does did can could would should will shall i me my
  we our us you your it its this that these those there here please want need like help some any into about as so if then just
  also have has had not no them they their he she his her him what s m t ll ve re don isn der die das ein eine einen dem den im
  ist sind und für mit auf zu mir bitte ich wie was welche welcher`.split(/\s+/u),
)
/** Verbs of many tools and requests. They choose the action, but hardly the thing. */
const COMMON = new Set(
  `get read fetch retrieve show view display list enumerate browse find search look create add make new open start set put
  update change edit write tell give say all go take save use`.split(/\s+/u),
)
const QUESTION = new Set(
  `what which who whom when where how why is are does did was were will has have any do am wie was wer wann wo ist gibt welche
  welches welcher`.split(/\s+/u),
)
const LOOKING = new Set(['read', 'list', 'search'])
const ACTIONS: Readonly<Record<string, string>> = {
  read: 'get read fetch retrieve show view display describe load inspect examine check say tell find zeig lies',
  list: 'list enumerate browse all show history find',
  search: 'search find query lookup locate discover look seek google suche',
  create: `create add make insert open start compose draft write set register generate book schedule file put report save plan
    build note jot lege trag erstelle additional another extra send upload append push propose begin remember keep`,
  update: `update edit change modify alter adjust patch rename move set assign mark replace fix correct transition put swap
    close reopen push postpone turn call reschedule resolve merge insert`,
  delete: `delete remove erase drop discard trash clear destroy rid throw bin forget scrap cancel kill uninstall exclude lösche lösch entferne purge
    end disconnect terminate stop`,
  send: `send post tell say write message notify announce reply answer respond share forward publish mail email inform shoot
    give add leave drop schreib`,
  run: 'run execute start launch trigger apply deploy invoke evaluate play spin retry put switch turn open resume kick restart rerun starte spiel',
  stop: 'stop pause cancel end halt kill terminate shut close turn quit off anhalten stopp',
}
/** Starts of names that may mean the thing as well as the action. */
const THINGS = /^(?:file|message|note|post|report|call|plan|e?mail|book|all|history)/u

/** Words that the form of a request implies. */
const HINTS: readonly (readonly [form: RegExp, words: string])[] = [
  [
    /\bno longer|not needed|isn.t needed|never ?mind|obsolete|called off|\bget rid|throw (?:away|out|it)/iu,
    'delete remove',
  ],
  [/take (?:it )?(?:down|out)\b|\bcan go\b|\bis off\b|\bscrap\b|\bbin\b|tear down/iu, 'delete remove cancel'],
  [/don.t (?:let me )?forget|remind me/iu, 'reminder task create'],
  [/\bhow (?:far|long)\b/iu, 'distance duration'],
  [/\bhow many\b|\bnumber of\b/iu, 'count number'],
  [/\bhow much\b/iu, 'amount cost'],
  [/\bwho am i\b|\bmy (?:own )?account\b/iu, 'me user'],
  [/turn(?:ed)? (?:it |the music )?(?:up|down)|\b(?:louder|quieter)\b/iu, 'volume'],
  [/\blook(?:ed|ing)? (?:for|up)\b/iu, 'search'],
  [/\bset up\b/iu, 'create'],
  [/kick off|spin up|fire up/iu, 'run start'],
  [/(?:shut|power) (?:it )?(?:down|off)/iu, 'stop'],
  [/(?:write|note|jot|take|put) (?:this |that |it )?down/iu, 'note create'],
  [/roll(?:ed|ing)? out/iu, 'deploy apply'],
  [/\b(?:go|roll(?:ed)?|went) back\b/iu, 'rollback undo previous'],
  [/(?:haven.t|not|un) ?(?:yet )?(?:read|seen|looked|opened)/iu, 'unread'],
  [/\b[\w-]+\.(?:txt|md|log|js|ts|py|json|csv|ya?ml|html|css|xml|toml|ini)\b/iu, 'file text'],
  [/\b[\w-]+\.(?:pdf|docx?|pptx?)\b/iu, 'file document'],
  [/\b[\w-]+\.(?:png|jpe?g|gif|webp|svg|mp3|wav|mp4)\b/iu, 'file image media photo'],
  [/\b[\w-]+\.(?:xlsx?|ods)\b/iu, 'file spreadsheet'],
  [/\bhttps?:\/\/|\bwww\.|\b[\w-]+\.(?:com|org|net|io|de)\b/iu, 'url page website'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+/u, 'email'],
  [/\b[A-Z]{2,}-\d+[A-Z]?\b|#\d+\b|\bnumber \d+/u, 'issue ticket'],
  [/#[a-z][\w-]*/u, 'channel'],
  [/[$€£]\s?\d|(?<!\d)\d+ ?(?:euros?|dollars?|pounds|usd|eur)\b/iu, 'price amount money'],
  [/\b\d{1,2}(?::\d\d)?\s?(?:am|pm|uhr)\b|\b\d{1,2}:\d\d\b/iu, 'time date'],
  [/(?:-|(?<!\d))\d+\.\d+\s*,\s*-?\d+\.\d+/u, 'coordinates latitude longitude'],
  [/\b[A-Z]\d{1,3}\b/u, 'cell'],
]

/** Weights of less important words in a request; others weigh 1. */
const EMPTY_WEIGHT = 0.2
const COMMON_WEIGHT = 0.5
const HINT_WEIGHT = 0.54
const MOST_STEMS = 20_000

const stems = new Map<string, string>()
/** The stem of a word in lower case. Remembered, because tools repeat their words. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const stem = stemmer(word)
  stems.set(word, stem)
  return stem
}

/** The stems of meaningful words, the same for `createPullRequest` and “create a pull request”. */
export const stemsOf = (text: string): string[] =>
  wordsOf(text)
    .filter(word => !EMPTY.has(word))
    .map(stemOf)

/** The words of a text in lower case; `createIssue` and `create_issue` are two each. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** A request. `fills`: the stem is a filler word. `asks`: the request only asks for information. */
export type Request = {
  stems: ReadonlyMap<string, { weight: number; fills: boolean }>
  /** Stems of adjacent words written as one, as a server may write its name: `homeassist`. */
  names: ReadonlySet<string>
  actions: Actions
  asks: boolean
}

/** Read a request. Filler words are marked, because they never decide alone. */
export function readRequest(request: string): Request {
  const words = wordsOf(request)
  const stems = new Map<string, { weight: number; fills: boolean }>()
  const add = (word: string, weight: number, fills = false) => {
    const stem = stemOf(word)
    if (weight > (stems.get(stem)?.weight ?? 0)) stems.set(stem, { weight, fills })
  }
  for (const word of words)
    if (EMPTY.has(word)) add(word, EMPTY_WEIGHT, true)
    else add(word, COMMON.has(word) ? COMMON_WEIGHT : 1)
  const hints = HINTS.filter(([form]) => form.test(request)).flatMap(([, hint]) => hint.split(' '))
  for (const word of hints) if (!stems.has(stemOf(word))) add(word, HINT_WEIGHT)
  const names = new Set(words.slice(1).map((word, at) => stemOf(words[at]! + word)))
  const says = { stems, names }
  if (QUESTION.has(words[0] ?? '')) return { ...says, actions: LOOKING, asks: true }
  const verb = words.slice(0, 6).find(word => !QUESTION.has(word) && classes.has(stemOf(word)))
  const actions = classes.get(stemOf(verb ?? '')) ?? new Set<string>()
  return { ...says, actions, asks: actions.size > 0 && onlyLooks(actions) }
}

/** The actions of a tool, by the first verb of its name or else its description; empty if there is none. */
export function actionsOf(name: string, description: string): Actions {
  const known = (word: string) => classes.get(stemOf(word))
  const named = wordsOf(name).find(word => !THINGS.test(word) && known(word))
  const verb = named ?? wordsOf(description).slice(0, 3).find(known)
  return known(verb ?? '') ?? new Set()
}

/** Whether all actions only look at something. */
export const onlyLooks = (actions: Actions): boolean => [...actions].every(each => LOOKING.has(each))

const classes = new Map<string, Set<string>>()
for (const [action, words] of Object.entries(ACTIONS))
  for (const word of words.split(/\s+/u))
    classes.set(stemOf(word), new Set([...(classes.get(stemOf(word)) ?? []), action]))
