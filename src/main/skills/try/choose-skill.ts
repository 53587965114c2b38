import { namesIn } from '../prompt-index.ts'
import { answerOf, fieldOf, fenced, type Ask } from './ask.ts'

export type { Ask } from './ask.ts'

/** The skill that a model would load. `unclear`: the answer was not understood, so `chosen` is null. */
export type Choice = { chosen: string | null; unclear: boolean }

const NONE = 'none'
/** Token limit of an answer, which is a short name in JSON. */
const MOST_TOKENS = 80
/** Maximum of names in the schema. A larger grammar does not help, and servers parse the schema, too. */
const MOST_NAMES = 400

/** Ask a model which skill of an index it would load for a request. */
export async function chooseSkill(
  ask: Ask,
  { index, sample }: { index: string; sample: string },
  signal: AbortSignal,
): Promise<Choice | { failed: string }> {
  const names = namesIn(index)
  if (names.length === 0) return { chosen: null, unclear: false }
  const request = fenced(sample.trim(), 'REQUEST')
  const system = [
    index,
    '',
    '## Your task',
    'You will see what a user asked. Say which one of the skills above you would load before you answer it. Do not answer the request itself.',
    `If no skill fits, the answer is "${NONE}". ${request.rule}`,
    `Answer with JSON only: {"skill": "NAME"} or {"skill": "${NONE}"}`,
  ].join('\n')
  const answer = await ask(
    {
      system,
      user: `${request.text}\n\nWhich skill fits best?`,
      ...(names.length <= MOST_NAMES && { schema: schemaOf(names) }),
      maxTokens: MOST_TOKENS,
    },
    signal,
  )
  if ('failed' in answer) return answer
  return choiceOf(answerOf(answer.text), names)
}

const schemaOf = (names: readonly string[]) => ({
  type: 'object',
  properties: { skill: { type: 'string', enum: [...new Set([...names, NONE])] } },
  required: ['skill'],
  additionalProperties: false,
})

/** Parse an answer: JSON, the bare name, or a sentence with exactly one of the names. */
function choiceOf(answer: string, names: readonly string[]): Choice {
  const said = fieldOf(answer, 'skill')
  if (said === null) return { chosen: null, unclear: false }
  const short = (said ?? answer).trim()
  const exact = names.find(name => loose(name) === loose(short))
  if (exact !== undefined) return { chosen: exact, unclear: false }
  if (loose(short) === NONE) return { chosen: null, unclear: false }
  const words = ` ${loose(short)} `
  const held = names.filter(name => words.includes(` ${loose(name)} `))
  // `commit` also occurs in “commit-message”.
  const longest = held.filter(
    name => !held.some(other => other !== name && loose(other).includes(loose(name))),
  )
  if (longest.length === 1) return { chosen: longest[0]!, unclear: false }
  const isNone = longest.length === 0 && / (?:none|no skill|no skills|nothing) /.test(words)
  return { chosen: null, unclear: !isNone }
}

/** Normalise a name or a sentence to plain words. */
const loose = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
