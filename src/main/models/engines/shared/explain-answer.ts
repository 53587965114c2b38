import { redactEagerly } from '../../../untrusted/redact.ts'
import type { EngineFailure } from '../../interface/engine.ts'
import { findRefusedTools, namesTool, placesIn } from './find-refused-tools.ts'
import { listOf } from '../../../lib/json-fields.ts'
import { WEB_PAGE, messageOf } from './sdk-fetch.ts'
import {
  durationOf,
  OPTIONAL_FIELDS,
  type Asked,
  type OptionalField,
  type RequestFailure,
} from './request-failure.ts'

/** An SDK error that carries the server's answer. `status` is missing if it arrived inside a stream. */
export type RefusedAnswer = { status?: number; error?: unknown; headers?: Headers }

type Answer = Asked & {
  /** The HTTP status; 0 if there is none. */
  status: number
  code: string
  text: string
  /** The places that the answer names besides the text, such as that of a field. */
  places: string
  /** The server's own message, ready for the end of a sentence. */
  said: string
  /** How long the server asks to wait, in ms. */
  waitMs: number | undefined
}
type Rule = [when: (answer: Answer) => boolean, say: (answer: Answer) => EngineFailure]

/** Explain a refusal. The first matching rule decides, because the codes and texts of servers overlap. */
export function explainAnswer(
  { status: given, error, headers }: RefusedAnswer,
  asked: Asked,
): RequestFailure {
  const { text, code } = messageOf(error)
  // An error inside a stream has its status, if any, as its code.
  const status = given ?? (/^[45]\d\d\b/.test(code) ? Number(code.slice(0, 3)) : 0)
  const waitMs = retryAfter(headers)
  const said = quoteServer(text, asked.apiKey)
  const answer = { ...asked, status, code, text, places: placesIn(error), waitMs, said }
  const rule = RULES.find(([when]) => when(answer)) ?? OTHERWISE
  const refusedTools = MAY_BE_ONE_TOOL.has(rule) && mayBeSchema(answer) ? findRefusedTools(answer) : undefined
  const without = refusedTools?.isNamed ? undefined : refusedParameter(answer)
  return {
    failure: { ...rule[1](answer), ...(refusedTools && { refusedTools: { ...refusedTools, said } }) },
    retry: (rule === RATE_LIMITED || rule === SERVER_ERROR) && !refusedTools,
    ...(ELSEWHERE.has(rule) && { elsewhere: true }),
    ...(waitMs !== undefined && { waitMs }),
    ...(without && { without }),
    ...(rule === SERVER_ERROR && isLoading(answer) && { loading: true }),
  }
}

const LOADING =
  /\b(load|warm|start)ing( up)?\b.{0,60}\bmodels?\b|\bmodels?\b.{0,200}\b(is|are|being) ((still|currently|being) )*(loading|loaded(?= ?(\.|,|$|please|try))|starting|warming up)|\b(still|currently) (loading|warming up)\b/i
const LOADING_FAILED =
  /fail|error|unable|cannot|could not|[cd]n[’']t|not (found|available|loaded)|out of memory|no models? /i

/** Whether a server asks to wait until its model is loaded. */
const isLoading = ({ status, text }: Answer): boolean =>
  status === 503 && LOADING.test(text) && !LOADING_FAILED.test(text)

const RATE_LIMITED: Rule = [
  ({ status }) => status === 429,
  ({ name, waitMs }) => ({
    code: 'rate_limited',
    text: `${name} gets too many requests${waitMs ? ` and asks to wait ${durationOf(waitMs)}` : ''}.`,
    fix: 'Wait, then send the message again.',
  }),
]

const SERVER_ERROR: Rule = [
  ({ status, code }) => status === 408 || status >= 500 || code === 'overloaded_error',
  answer => ({
    code: 'internal',
    text: textOfServerError(answer),
    fix: 'Try again in a moment. If it happens again, check the server’s log.',
  }),
]

function textOfServerError(answer: Answer): string {
  const { name, status, said } = answer
  if (isLoading(answer)) return `${name} is still loading its model.`
  if (status === 529 || status === 0) return `${name} is overloaded.`
  return `${name} has an internal problem (error ${status})${said}.`
}

const KEY_WANTED: Rule = [
  ({ status, apiKey }) => (status === 401 || status === 403) && apiKey === '',
  ({ name }) => ({
    code: 'refused',
    text: `${name} requires an API key.`,
    fix: 'Add the key to this server.',
  }),
]

const KEY_REFUSED: Rule = [
  ({ status }) => status === 401 || status === 403,
  ({ name, status }) => ({
    code: 'refused',
    text: `${name} did not accept the API key${status === 403 ? ' for this model' : ''}.`,
    fix: 'Check the key and what it may be used for, then enter it again.',
  }),
]

const NO_CREDIT: Rule = [
  ({ status, code, text }) =>
    status === 402 ||
    /insufficient_quota|insufficient (balance|credits?|funds)|credit balance is too low/i.test(
      `${code} ${text}`,
    ),
  ({ name }) => ({
    code: 'refused',
    text: `The account at ${name} has no credit left.`,
    fix: 'Top it up, or choose another model.',
  }),
]

/** Failures that have nothing to do with the question. */
const ELSEWHERE = new Set([RATE_LIMITED, SERVER_ERROR, KEY_WANTED, KEY_REFUSED, NO_CREDIT])

const OTHERWISE: Rule = [
  () => true,
  ({ name, status, said }) => ({
    code: 'internal',
    text: `${name} did not accept the request (error ${status})${said}.`,
    fix: 'Check the name of the model and its settings.',
  }),
]

const CONTEXT_FULL =
  /context[ _-]?(length|size|window)|maximum context|too many (input )?tokens|(prompt|input)( \w+)? is too long|input token count|exceed\w* .{0,40}(context|token limit|maximum number of tokens)|reduce the length/i

const TOOLS = String.raw`(\btools?\b|tool[ _-]?(choice|call|use)|function[ _-]?call)`
const TOOLS_UNSUPPORTED = new RegExp(
  `${TOOLS}.{0,80}((not|n[’']t) (\\w+ )?(support|allow|permit|enabl|implement|avail)|unsupported|requires? --|must be set|: extra inputs)` +
    `|((not|n[’']t) (\\w+ )?(support|have)|no endpoints|unsupported|unknown|unrecognized|requires? --).{0,60}${TOOLS}` +
    '|tools: extra inputs',
  'i',
)

/** Words about the schema or the name of one tool. They show that the server understands tools. */
const ONE_TOOL =
  /schema|\b(one|any|all)Of\b|\$(ref|defs)\b|\b(min|max)[A-Z]\w+|\b(unique|prefix)Items\b|\bpattern|\bregex|\blookaheads?\b|\bkeywords?\b|\bpropert(y|ies)\b|\btools?(\[\d+\]|\.\d+\.)|function_?declarations|\bfunction parameters\b|too many tools|(tool|function) names?\b/i

const MODEL_MISSING =
  /model_not_found|\bmodels?\b.{0,120}(not found|not exist|not available|not loaded|not a valid model)|no models? (is )?loaded|(invalid|unknown|no such) model|not a valid model/i

const TOOLS_REFUSED: Rule = [
  answer =>
    'tools' in answer.sent &&
    ![401, 403, 429].includes(answer.status) &&
    TOOLS_UNSUPPORTED.test(answer.text) &&
    !ONE_TOOL.test(answer.text) &&
    !namesTool(answer),
  ({ name, model }) => ({
    code: 'tools_unsupported',
    text: `${name} says that ${model} takes no tools.`,
    fix: 'Set its strategy to “text”, or choose a model that can call tools.',
  }),
]

/** Words for a model that takes no pictures at all, not for a problem with one picture. */
const PICTURES_UNSUPPORTED =
  /(image|picture|vision|multi-?modal|image_url).{0,80}((not|n[’']t) (\w+ )?(support|allow|permit|enabl|accept|implement)|unsupported|only supported by|: extra inputs)|((not|n[’']t) (\w+ )?(support|have|accept|a )|no endpoints|unsupported|missing data required|at most 0).{0,60}(image|picture|vision|multi-?modal)|unknown variant .?image_url|content.{0,40}must be (a )?(valid )?string|mmproj/i

const holdsPicture = ({ sent }: Answer): boolean =>
  listOf(sent['messages']).some(({ content }) =>
    listOf(content).some(
      part =>
        part['type'] === 'image_url' ||
        part['type'] === 'image' ||
        listOf(part['content']).some(inner => inner['type'] === 'image'),
    ),
  )

const PICTURES_REFUSED: Rule = [
  answer =>
    ![401, 403, 429].includes(answer.status) &&
    PICTURES_UNSUPPORTED.test(answer.text) &&
    holdsPicture(answer),
  ({ name, model }) => ({
    code: 'pictures_unsupported',
    text: `${name} says that ${model} takes no pictures.`,
    fix: 'Choose a model that sees pictures.',
  }),
]

/** The server rejects one of the pictures, or their number. */
const PICTURE_REFUSED: Rule = [
  answer =>
    (answer.status === 413 ||
      ([400, 422].includes(answer.status) &&
        /image|picture|photo|media|base64|pixel/i.test(`${answer.code} ${answer.text}`))) &&
    holdsPicture(answer),
  ({ name, said }) => ({
    code: 'picture_refused',
    text: `${name} did not accept the pictures${said}.`,
    fix: 'Send them smaller, or fewer of them.',
  }),
]

const BROKE_OFF: Rule = [
  ({ status }) => status === 0,
  ({ name, said }) => ({
    code: 'engine_gone',
    text: `${name} broke off with an error${said}.`,
    fix: 'Send the message again.',
  }),
]

/** The rules under which servers report a schema that they cannot use. `OTHERWISE` is the proper one. */
const MAY_BE_ONE_TOOL = new Set([OTHERWISE, TOOLS_REFUSED, SERVER_ERROR, BROKE_OFF])

/** Whether a schema may be the cause. Server errors count only if they mention schemas, as llama.cpp's do. */
const mayBeSchema = ({ status, text, places }: Answer): boolean =>
  (status >= 400 && status < 500 && status !== 408) ||
  /schema|grammar|\bregex|samplers/i.test(text) ||
  (status === 0 && /tools[.[]/.test(`${text} ${places}`))

const RULES: Rule[] = [
  PICTURES_REFUSED,
  [
    ({ status, code, text }) => status !== 429 && CONTEXT_FULL.test(`${code} ${text}`),
    ({ model }) => ({
      code: 'context_full',
      text: `The conversation no longer fits into what ${model} can read at once.`,
      fix: 'Start a new chat, or give the model a larger context on the server.',
    }),
  ],
  TOOLS_REFUSED,
  [
    ({ status, code }) => code === WEB_PAGE || status === 405,
    ({ name, api }) => ({
      code: 'unreachable',
      text: `The address of ${name} answers with a web page instead of a model.`,
      fix: api.address,
    }),
  ],
  KEY_WANTED,
  KEY_REFUSED,
  NO_CREDIT,
  [
    ({ status, code, text }) =>
      MODEL_MISSING.test(`${code} ${text}`) || (status === 404 && /model|deployment/i.test(text)),
    ({ name, model, nearby }) => ({
      code: 'model_missing',
      text: `${name} does not have the model “${model}”.`,
      fix: nearby ? 'Load or pull it on the server, or correct its name.' : 'Correct the name of the model.',
    }),
  ],
  [
    ({ status, text }) => status === 404 || /^unexpected endpoint/i.test(text),
    ({ host, api }) => ({
      code: 'unreachable',
      text: `There are no ${api.answers} at ${host} under this address.`,
      fix: api.address,
    }),
  ],
  RATE_LIMITED,
  SERVER_ERROR,
  PICTURE_REFUSED,
  BROKE_OFF,
]

/** Return the parameter that a server complains about, if the request works without it. */
function refusedParameter({ status, text, sent }: Answer): OptionalField | undefined {
  if (status !== 400 && status !== 422) return undefined
  if (
    !/support|recogni[sz]ed|unknown|unexpected|extra|permitted|allowed|invalid|too large|deprecated|cannot|can only/i.test(
      text,
    )
  )
    return undefined
  return OPTIONAL_FIELDS.find(name => new RegExp(`\\b${name}\\b`).test(text) && isIn(sent, name))
}

/** Whether a parameter was sent. Some are top-level, others are inside the messages. */
const isIn = (sent: Asked['sent'], name: string): boolean =>
  name in sent || JSON.stringify(sent['messages'] ?? sent['system'] ?? '').includes(`"${name}":`)

function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return ms
  const given = headers?.get('retry-after')
  if (!given) return undefined
  const wait = /^[\d.]+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const LONGEST = 200

/** Quote the server's message for the end of our sentence: short, one line, without a key. May be empty. */
function quoteServer(text: string, apiKey: string): string {
  const line = redactEagerly(text, apiKey)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.!])[.!]+$/, '')
  if (line === '') return ''
  return `: “${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}”`
}
