import {
  endSentence,
  listNames,
  quoteWords,
  toOneLine,
  writeBlock,
  writeCode,
  writeWords,
} from './plain-markdown.ts'
import {
  LEFT_BEHIND,
  NO_SUCH_TOOL,
  NOBODY,
  STOPPED_BEFORE,
  UNEXPECTED,
  DENIED,
  REFUSED_BY_USER,
} from '../registry/call-failures.ts'

const NAMES =
  'terminal|read_file|write_file|patch_file|list_files|search_files|memory|session_search|skills_list|skill_view|skill_manage|todo|ask_user|schedule|delegate|find_tool|use_tool|web_search|web_read|send_file|ask_models'
/** Sentences that tell a model what to do next, recognised by their first word or the name of a tool. */
const FOR_MODELS = new RegExp(
  [
    String.raw`\b(?:${NAMES}|action start)\b`,
    String.raw`^(?:Use|Give|Call|Read (?:it|the|again)|Look (?:at|for)|List|Search for it|Do not|Go on|Try (?:other|again)|Ask the user|Add lines|Quote|Write|Make room|Tell (?:them|the user)|Put it before|Name it|To (?:find|search|rewrite|change))\b`,
  ].join('|'),
  'u',
)

/** Names of arguments, and their names for users. */
const ARGUMENTS: readonly [RegExp, string][] = [
  [/\bold_string\b/g, 'the text to replace'],
  [/\bnew_string\b/g, 'the new text'],
  [/\bold_text\b/g, 'the old entry'],
  [/\bfile_path\b/g, 'the path of the file'],
  [/\btimeout_s\b/g, 'the limit of time'],
  [/\bsession_id\b/g, 'the chat'],
]

/** The sentences of a reason that are for the user; empty if there are none. */
export function forPerson(reason: string): string {
  const sentences = toOneLine(reason, 1_000).split(/(?<=[.!?]) (?=[\p{Lu}“‘])/u)
  const kept = asYours(sentences.filter(each => !FOR_MODELS.test(each)).join(' '))
  const words = ARGUMENTS.reduce((text, [name, said]) => text.replaceAll(name, said), kept)
  return words === kept ? words : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Turn what a model reads about “the user” into words to the user. */
const asYours = (text: string): string =>
  text
    .replaceAll(
      /\b([Tt])he user (does|has|was|wants|is)\b/g,
      (_, t: string, verb: string) => `${t === 'T' ? 'Y' : 'y'}ou ${YOURS[verb]}`,
    )
    .replaceAll(/\bthe user’s\b/g, 'your')
    .replaceAll(/\bThe user\b/g, 'You')
    .replaceAll(/\bthe user\b/g, 'you')
const YOURS: Readonly<Record<string, string>> = {
  does: 'do',
  has: 'have',
  was: 'were',
  wants: 'want',
  is: 'are',
}

/** A failure as a sentence, such as “I could not read `notes.txt`: it is a folder.” */
export function tellFailed(doing: string, reason: string): string {
  const known = tellMissing(reason)
  if (known !== undefined) return known
  const why = forPerson(reason)
  if (why === '') return `I could not ${doing}.`
  const words = writeWords(why, 1_000)
  if (words.startsWith('`')) return `I could not ${doing}. The reason:\n\n${writeBlock(why).block}`
  return `I could not ${doing}. ${words}`
}

/** A sentence for a path that does not exist, with similar names; undefined for other reasons. */
function tellMissing(reason: string): string | undefined {
  const [, name = '', rest = ''] =
    /^([^]{1,4096}?) does not exist(?:\.|(?=, and neither))([^]*)$/.exec(reason) ?? []
  if (name === '') return undefined
  const folder = /^, and neither does its folder ([^]*)\.$/.exec(rest)?.[1]
  if (folder !== undefined)
    return `There is no file or folder ${writeCode(name)}, and no folder ${writeCode(folder)} either.`
  const near = /^ Near it: ([^]*)\.$/.exec(rest)?.[1]
  if (near !== undefined)
    return `There is no file or folder ${writeCode(name)}. Similar names here: ${listNames(near.split(', '))}.`
  const several = /^ Of that name there are: ([^]*)\.$/.exec(rest)?.[1]
  if (several !== undefined)
    return `There is no file or folder ${writeCode(name)} here. Of that name there are: ${listNames(several.split(', '))}.`
  return rest === '' || FOR_MODELS.test(rest.trim())
    ? `There is no file or folder ${writeCode(name)} here.`
    : undefined
}

/** A sentence for a call that did not run, or broke; undefined for a tool's own reasons. */
export function tellNotRun(reason: string): string | undefined {
  if (reason === STOPPED_BEFORE) return 'You stopped it before it ran, so nothing was done.'
  if (reason === LEFT_BEHIND) return 'You stopped it, but it did not end in time. It may still be at work.'
  if (reason.startsWith(REFUSED_BY_USER)) {
    const said = /^[^“]*“([^]*)”$/.exec(reason.slice(REFUSED_BY_USER.length))?.[1]
    return said === undefined ? NOT_ALLOWED : endSentence(`${NOT_ALLOWED} You said: ${quoteWords(said)}`)
  }
  if (reason.startsWith(DENIED)) return tellDenied(reason.slice(DENIED.length))
  if (reason.startsWith(NOBODY))
    return `Nothing was done. ${writeWords(forPerson(reason.slice(NOBODY.length)))}`
  if (reason.startsWith(NO_SUCH_TOOL)) return 'I called a tool that does not exist here, so nothing was done.'
  if (reason.startsWith('This chat has no tools'))
    return 'This chat is set to chat only, so I cannot do anything in it.'
  if (reason.startsWith('Wrong arguments: '))
    return 'I did not put that together correctly, so nothing was done. Please say it in other words.'
  const off = /^(\S+) is switched off([^]*?), with the toolset “([^”]*)”/.exec(reason)
  if (off)
    return `That is switched off${off[2] ?? ''}, with the toolset “${off[3] ?? ''}”. You can switch it on under “Tools” below the message field.`
  if (reason.includes(UNEXPECTED)) return 'That failed because of a mistake in Talaria, so I have no result.'
  return undefined
}

const NOT_ALLOWED = 'You did not allow it, so nothing was done.'

function tellDenied(why: string): string {
  const nobody = /^It needs permission, and nobody is here to give it\.\s*([^]*)$/.exec(why)
  if (nobody)
    return `It needs your permission, and nobody was here to give it, so nothing was done. ${writeWords(forPerson(nobody[1] ?? ''))}`.trim()
  const never = /^This never runs, in any mode\.\s*([^]*)$/.exec(why)
  if (never) return `This is never done, in any mode. ${writeWords(forPerson(never[1] ?? ''))}`.trim()
  return `It was not allowed, so nothing was done. ${writeWords(forPerson(why))}`
}
