import type { LlamaGrammarEvaluationState, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { isRefusal } from '../../../../lib/expected-errors.ts'
import type { Constraint } from '../../../formats/grammar/constraint.ts'
import type { CopiedWords } from './copied-words.ts'
import { forbiddenTokens } from './forbidden-tokens.ts'
import type { ReplyStep, ReplyText } from './reply-text.ts'
import { followCall, type CallEnd, watchReply, type Trigger } from './watch-reply.ts'
import { compiledGrammar, type Compiled } from './compiled-grammar.ts'

/** The result of taking a token. The tokens of `instead` replace it, and must be evaluated in its place. */
type Taken = { text: string; ended: boolean; instead?: Token[] }

/** Applies grammars to a reply where its constraints say so. All other text is free. */
type Constrained = {
  /** Options for the sampler, consulted before every token; empty if nothing can be constrained. */
  options: Pick<SequenceEvaluateOptions, 'grammarEvaluationState' | 'tokenBias'>
  /**
   * Take the start of the reply. Tokens that a grammar must see are not taken here: they come back as the
   * first sampled tokens. `tokens` are those that were taken.
   */
  begin(tokens: readonly Token[]): { text: string; tokens: Token[] }
  take(token: Token): Taken
  /** Number of tokens sampled under the active grammar; 0 in free text. */
  readonly held: number
  /** Number of tokens of the start that are still to be sampled. */
  readonly owed: number
  /** The reason a constraint is not applied: the library rejects its grammar. */
  readonly trouble: string | undefined
}

type TokenCodec = {
  /** Decode `tokens` that follow the tokens `before`. */
  decode(tokens: readonly number[], before: readonly number[]): string
  /** Tokenize text from the middle of a reply. Markup is plain text. */
  read(text: string): Token[]
  /** The allowed words, only for a model that is restricted to those of its conversation. */
  words?: CopiedWords | undefined
}

type Stretch = {
  compiled: Compiled
  state: LlamaGrammarEvaluationState
  end: CallEnd
  held: number
  /** The text of the call so far. */
  text: string
}

/** How many tokens of context are needed to tokenize the text after them. */
const contextTokens = 4

/** Apply `constraints` while a reply is written. All grammars are compiled first, so a trigger is cheap. */
export async function constrainReply(
  model: LlamaModel,
  reply: ReplyText,
  constraints: readonly Constraint[],
  { decode, read, words }: TokenCodec,
): Promise<Constrained> {
  const compiled = new Map<Constraint, Compiled>()
  let trouble: string | undefined
  for (const constraint of constraints) {
    const result = await compiledGrammar(model, constraint.gbnf)
    if (isRefusal(result)) trouble = `The grammar behind “${constraint.after}” is refused: ${result.refused}.`
    else compiled.set(constraint, result)
  }
  if (compiled.size === 0) return leaveFree(reply, trouble)
  const { LlamaGrammarEvaluationState } = await import('node-llama-cpp')
  const forbidden = await forbiddenTokens(model)
  let atOnce = [...compiled.keys()].find(({ after }) => after === '')
  const watch = watchReply([...compiled.keys()])
  let stretch: Stretch | undefined
  let owed: Token[] = []
  let recent: readonly Token[] = []
  /** Text read since the last call. */
  let said = ''

  const push = (token: Token): ReplyStep => {
    recent = [...recent, token].slice(-contextTokens)
    // Text that a grammar admits never ends the turn, even if it is spelled like an end marker.
    return reply.push(token, stretch === undefined)
  }
  const hold = (constraint: Constraint): void => {
    const found = compiled.get(constraint)
    if (!found) return
    const state = new LlamaGrammarEvaluationState({ model, grammar: found.grammar })
    const end = followCall(constraint)
    end.push(constraint.after)
    stretch = { compiled: found, state, end, held: 0, text: '' }
  }
  /** Read new text, in which a call may end and another one start. */
  const listen = (heard: string): Trigger | undefined => {
    if (!stretch) {
      said += heard
      return watch.push(heard)
    }
    stretch.text += heard
    const rest = stretch.end.push(heard)
    if (rest === undefined) return undefined
    stretch = undefined
    said = rest
    watch.restart()
    return watch.push(rest)
  }
  /** Return the tokens of a text, if they decode to exactly this text here. */
  const spell = (text: string, before: readonly Token[]): Token[] | undefined => {
    const tokens = read(text)
    return text !== '' && decode(tokens, before) === text ? tokens : undefined
  }
  /** Take a token. The part of its text that a grammar must see is cut off. */
  const takeIn = (token: Token): Taken & { cut: string } => {
    const before = recent
    const step = push(token)
    for (let found = listen(step.heard); found && !step.ended; found = watch.push(found.behind)) {
      const { constraint, behind } = found
      if (behind !== '') {
        const isAlone = decode([token], before) === step.heard
        const instead = isAlone ? spell(step.heard.slice(0, -behind.length), before) : undefined
        // The cut would split a character: leave this call unconstrained.
        if (!instead) continue
        reply.undo()
        recent = before
        const text = instead.map(each => push(each).text).join('')
        hold(constraint)
        return { text, ended: false, instead, cut: behind }
      }
      hold(constraint)
      return { ...step, cut: '' }
    }
    return { ...step, cut: '' }
  }
  /** Start a constraint without a mark, unless the reply starts with a thought. */
  const holdAtOnce = (): void => {
    if (!atOnce || stretch || watch.isThinking) return
    hold(atOnce)
    atOnce = undefined
  }
  /** Drop the grammar and continue without it, because it rejects the required start of the reply. */
  const letBe = (): Taken => {
    trouble = 'The grammar of a call does not admit what the reply was to begin with.'
    stretch = undefined
    watch.restart()
    const instead = owed
    owed = []
    return { text: instead.map(token => push(token).text).join(''), ended: false, instead }
  }

  return {
    options: {
      grammarEvaluationState: () => stretch?.state,
      tokenBias() {
        if (owed[0] !== undefined) return forbidden.allBut(owed[0])
        if (!stretch) {
          const wrong = words?.wrongBehind(said)
          return wrong ? forbidden.inText(wrong) : forbidden.none
        }
        const { inValue, around } = stretch.compiled
        if (!stretch.end.isInValue) return around(recent.at(-1))
        return inValue(recent.at(-1), words?.wrongBehind(stretch.text))
      },
    },
    begin(given) {
      const tokens: Token[] = []
      let text = ''
      for (const [at, token] of given.entries()) {
        const taken = takeIn(token)
        text += taken.text
        tokens.push(...(taken.instead ?? [token]))
        if (!stretch) continue
        owed = [...read(taken.cut), ...given.slice(at + 1)]
        return { text, tokens }
      }
      holdAtOnce()
      return { text, tokens }
    },
    take(token) {
      const due = owed.shift()
      if (due !== undefined && due !== token) {
        owed.unshift(due)
        return letBe()
      }
      if (stretch && due === undefined) stretch.held++
      const taken = takeIn(token)
      holdAtOnce()
      return taken
    },
    get held() {
      return stretch?.held ?? 0
    },
    get owed() {
      return owed.length
    },
    get trouble() {
      return trouble
    },
  }
}

/** Leave a reply free, because it has no constraints or they cannot be applied. */
function leaveFree(reply: ReplyText, trouble: string | undefined): Constrained {
  return {
    options: {},
    begin: given => ({ text: given.map(token => reply.push(token).text).join(''), tokens: [...given] }),
    take: token => reply.push(token),
    held: 0,
    owed: 0,
    trouble,
  }
}
