import { z } from 'zod'
import { byCount, listNames, many } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, mixtureSource } from '../../untrusted/strangers-text.ts'
import { tellModels } from '../../tools/tell/tell-others.ts'
import { defineTool, type ToolContext, type ToolResult } from '../../tools/registry/tool.ts'
import { MIXTURE_TOOLSET } from '../../tools/registry/toolsets.ts'

/** The answer of one model of a mixture, or the problem that prevented it. */
type Given = { model: string; text: string; problem?: string | undefined }

/** A mixture, as the tool sees it. See `AskedMixture`. */
type Mixture = {
  name: string
  requests: number
  /** The models on other computers. */
  away: readonly string[]
  pin: string
  sayCost(question: string): string
  ask(
    question: string,
    signal: AbortSignal,
    onGiven: (given: Given) => void,
  ): Promise<{ given: readonly Given[]; by: string } & ({ text: string } | { problem: string })>
}

type Parts = {
  /** Find the mixture with this name, or the default for a chat if no name is given. */
  find(this: void, named: string | undefined, sessionId: string | undefined): Mixture | Refusal
  /** Whether there is a mixture to ask. */
  isSet(this: void): boolean
}

/** The name of the tool. */
export const ASK_MODELS = 'ask_models'

/** Maximum length of a question in characters, and of questions per turn. Each goes to all models. */
const LONGEST_QUESTION = 8_000
const MOST_QUESTIONS = 3
/** Maximum length of one uncombined answer, and of one reason for a missing answer, in characters. */
const LONGEST_SINGLE = 3_000
const LONGEST_PROBLEM = 300
/** Maximum number of chats whose questions are counted. */
const MOST_COUNTED = 500

const input = z.object({
  question: z.string().trim().min(1).max(LONGEST_QUESTION).describe('with all that they must know'),
  mixture: z.string().trim().min(1).max(60).optional().describe('its name, if there are several'),
})

/**
 * Create the tool that puts one question to the models of a mixture and returns the combined answer. They get
 * no tools and nothing of the chat, so they cannot ask further models.
 */
export function askModelsTool({ find, isSet }: Parts) {
  /** The `pin` of the mixture that was checked, by the arguments of the call. */
  const agreed = new WeakMap<object, string>()
  const countOf = new Map<string, { askedId: number; count: number }>()

  /** Count a question of a turn; false if the maximum is reached. */
  function mayAsk({ sessionId, askedId }: Pick<ToolContext, 'sessionId' | 'askedId'>): boolean {
    const before = countOf.get(sessionId)
    const count = before?.askedId === askedId ? before.count : 0
    if (count >= MOST_QUESTIONS) return false
    countOf.delete(sessionId)
    countOf.set(sessionId, { askedId, count: count + 1 })
    const [oldest] = countOf.keys()
    if (countOf.size > MOST_COUNTED && oldest !== undefined) countOf.delete(oldest)
    return true
  }

  return defineTool({
    name: ASK_MODELS,
    says: 'Put one hard question to several other models and read the answer combined from theirs. They know nothing of this chat and have no tools. It takes several requests: use it only for what you cannot settle well yourself.',
    input,
    toolset: MIXTURE_TOOLSET,
    risk: 'network',
    tell: tellModels,
    unavailable: () =>
      isSet()
        ? undefined
        : 'It needs a mixture of models. Make one on the Models page, or with: talaria models mixture',
    async intent(given, { workspace: folder, sessionId }) {
      const mixture = find(given.mixture, sessionId)
      if (isRefusal(mixture)) return mixture
      const { name, requests, away, pin } = mixture
      agreed.set(given, pin)
      const line = showHiddenInLine(given.question)
      return {
        title: `Ask the mixture ${showHiddenInLine(name)} (${many(requests, 'request')}): ${line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line}`,
        detail: `${mixture.sayCost(given.question)}\n\n${given.question}`,
        risk: away.length > 0 ? 'network' : 'read',
        inWorkspace: true,
        folder,
        ...(away.length > 0 && { models: { away: listNames(away), pin, source: mixtureSource(name) } }),
      }
    },
    async run(given, context): Promise<ToolResult> {
      const mixture = find(given.mixture, context.sessionId)
      if (isRefusal(mixture)) return { ok: false, reason: mixture.refused }
      if (agreed.get(given) !== mixture.pin)
        return {
          ok: false,
          reason: `The mixture ${mixture.name} is not what it was when the call was checked. Nobody was asked.`,
        }
      if (!mayAsk(context))
        return {
          ok: false,
          reason: `You have asked other models ${MOST_QUESTIONS} times in this turn, which is the most. Answer with what you know.`,
        }
      let ended = 0
      const asked = await mixture.ask(given.question, context.signal, ({ model, problem }) => {
        ended++
        const how = problem === undefined ? 'has answered' : `gave no answer: ${problem}`
        context.output(`${model} ${how} (${ended} of ${mixture.requests - 1})\n`)
      })
      if (context.signal.aborted)
        return { ok: false, reason: 'It was stopped before the models had answered.' }
      return resultOf(mixture, asked)
    },
  })
}

type Asked = Awaited<ReturnType<Mixture['ask']>>

/** Build the model's result. Other models' text is framed, and marked if it came from another computer. */
function resultOf({ name, away }: Mixture, asked: Asked): ToolResult {
  const { given, by } = asked
  const source = mixtureSource(name)
  const marks = away.length > 0 ? [newMark(source)] : []
  const answers = given.filter(({ problem }) => problem === undefined)
  const failed = given.filter(({ problem }) => problem !== undefined)
  const whyNot = [
    ...failed.map(({ model, problem = '' }) => `${model}: ${shorten(problem, LONGEST_PROBLEM)}`),
    ...('problem' in asked && answers.length > 0
      ? [`${by}: ${shorten(asked.problem, LONGEST_PROBLEM)}`]
      : []),
  ]
  const why = whyNot.length === 0 ? [] : [frameStrangersText(source, whyNot.join('\n'))]
  if (answers.length === 0)
    return {
      ok: false,
      reason: [
        `${byCount(given.length, 'The model', 'None of the models')} of the mixture ${name} ${byCount(given.length, 'gave no answer', 'answered')}. Go on without it, and tell the user why:`,
        ...why,
      ].join('\n'),
      marks,
    }
  const leftOut =
    failed.length === 0 ? '' : ` Left out: ${listNames(failed.map(({ model }) => model))}, without an answer.`
  const from = listNames(answers.map(({ model }) => model))
  const texts =
    'text' in asked
      ? [
          `${by} combined the ${byCount(answers.length, 'answer', 'answers')} of ${from}.${leftOut} They may be wrong: weigh it.`,
          frameStrangersText(source, asked.text),
        ]
      : [
          `${by} could not combine them, so these are the single answers of ${from}.${leftOut} They may be wrong: weigh them.`,
          ...answers.flatMap(({ model, text }) => [
            `${model}:`,
            frameStrangersText(source, shorten(text, LONGEST_SINGLE)),
          ]),
        ]
  return { ok: true, text: [...texts, ...(why.length > 0 ? ['Why:', ...why] : [])].join('\n'), marks }
}

const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()} […]` : text
