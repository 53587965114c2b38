import { matchAny } from './match-any.ts'
import type { Known } from './known-facts.ts'
import { SAYINGS } from './small-talk.ts'
import { cleanMarks } from './plain-question.ts'
import {
  fillSentence,
  listRequests,
  saySentence,
  REQUESTS,
  REQUESTS_WITHOUT_TOOL,
  type PlainSentence,
} from './sentence-table.ts'

type Tools = Pick<Known, 'tools'>

/** Questions about abilities, with the tool that each needs. */
const ABILITIES: readonly [RegExp, string][] = [
  [/^(?:are you able to|can you|do you|could you) (?:read|open|see|show) (?:my |text )?files$/, 'read_file'],
  [
    /^(?:are you able to|can you|could you) (?:write|create|make|save) (?:new )?(?:text )?files$/,
    'write_file',
  ],
  [/^(?:are you able to|can you|could you) (?:edit|change|modify) (?:my |text )?files$/, 'patch_file'],
  [
    matchAny`
      (?:are you able to|can you|could you) (?:run|execute|use|start) (?:shell )?(?:commands|programs|the terminal|a terminal)`,
    'terminal',
  ],
  [/^(?:are you able to|can you|could you) search (?:my |in |through |the )*files$/, 'search_files'],
  [
    matchAny`
      (?:are you able to|can you|do you|could you|will you) (?:remember|save|learn|keep) (?:things|stuff|facts|anything|something|what i (?:say|tell you|told you)|me)
      (?:do you have|have you got) (?:a )?memory`,
    'memory',
  ],
]

/** Answer a greeting, thanks, agreement, or a question about this model; undefined for requests. */
export function answerSocial(text: string, known: Tools): string | undefined {
  const parts = cleanMarks(text)
    .split(/\s*[.!?;:]+\s+|\s*[.!?;:]+$|\s*,\s*(?:and |but )?/)
    .filter(part => part !== '')
  if (parts.length === 0 || parts.length > 4)
    return /^\s*\?+\s*$/.test(text) ? sayAbilities(known) : undefined
  const answers = parts.map(part => answerPart(part, known))
  if (answers.includes(undefined)) return undefined
  // “Hi, how are you?” is answered by its last part, “hello there” by its only part.
  return answers.at(-1)
}

const trimNames = (part: string) =>
  part
    .replace(/^(?:hi|hello|hey) (?=good |how |what |who |are |thanks|nice)/, '')
    .replace(
      /^(?:ok|okay|so|well|and|but|great|cool|oh|please|no|yes) (?=who |what |how |are |thanks|thank |bye|good)/,
      '',
    )
    .replace(/^(?:can|could|would) you (?:please )?(?:tell|show) me (?=who|what|how|which)/, '')
    .replace(/^(?:tell|show) me (?=who |what |how |which )/, '')
    .replace(/^(what|who) (you) (are|can do)$/, (_, w: string, y: string, v: string) =>
      v === 'are' ? `${w} are ${y}` : `${w} can ${y} do`,
    )
    .replace(
      /(?<=.) (?:there|talaria|friend|buddy|mate|my friend|everyone|everybody|assistant|computer|bot|robot|dear|man|sir|then|please)$/,
      '',
    )

function answerPart(whole: string, known: Tools): string | undefined {
  const part = trimNames(whole)
  const ability = ABILITIES.find(([pattern]) => pattern.test(part))?.[1]
  if (ability !== undefined) return sayAbility(ability, known)
  const saying = SAYINGS.find(([pattern]) => pattern.test(part))?.[1]
  const said = saying && saySaying(saying, known)
  if (said !== undefined || !whole.includes(' and ')) return said
  const [first = '', ...others] = whole.split(' and ')
  const rest = others.join(' and ')
  return answerPart(first, known) && answerPart(rest, known)
}

function saySaying(saying: PlainSentence, known: Tools): string {
  if (saying === 'able') return sayAbilities(known)
  // Without tools there are no files to suggest.
  return saySentence(
    saying === 'noQuestion' && !known.tools.includes('list_files') ? 'noQuestionBare' : saying,
  )
}

function sayAbility(tool: string, { tools }: Tools): string {
  const [request] = REQUESTS[tool] ?? []
  if (!tools.includes(tool) || request === undefined) return saySentence('abilityOff')
  return fillSentence('abilityYes', { own: request.slice(1, -1) })
}

/** List what can be done with the tools that are on, as requests to type. */
function sayAbilities({ tools }: Tools): string {
  const requests = Object.entries(REQUESTS).flatMap(([tool, examples]) =>
    tools.includes(tool) ? examples : [],
  )
  return listRequests(requests.length > 0 ? 'able' : 'ableBare', [...requests, ...REQUESTS_WITHOUT_TOOL])
}
