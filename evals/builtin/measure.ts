import { strategy, openProduct } from '../../training/generate/product.ts'
import { todayCall } from '../../src/main/builtin/trained-calls.ts'
import type { Asker } from './ask.ts'
import { turnsOf, wireOf } from './conversation.ts'
import type { Conversation, Said } from './conversation.ts'
import { judge, scoresOf } from './judge.ts'
import type { Figures } from '../records.ts'
import type { Heard, Scores, Verdict } from './judge.ts'

/**
 * The scores of a split. `product` is with what the product does: it holds calls to their grammar, and this
 * model's words to those of the conversation. `free` is without both, to show what the model can do. `kinds`
 * and `wrong` belong to `product`.
 */
export type Measured = {
  product: Scores
  free: Scores
  turns: number
  kinds: Record<string, Scores>
  wrong: Wrong[]
}

/** A wrong reply. */
type Wrong = { id: string; task: string; asked: string; wanted: string; got: string; verdict: Verdict }

/** Ask for every reply of the conversations, each after the right history: as in the product, and free. */
export async function measure(
  asker: Asker,
  conversations: readonly Conversation[],
  progress: (done: number) => void,
): Promise<Measured> {
  const tools = openProduct().tools
  const constraints = strategy.constrain(tools)
  const held: { kind: string; verdict: Verdict }[] = []
  const free: Verdict[] = []
  const wrong: Wrong[] = []
  const ask = async (sessionId: string, before: readonly Said[], isHeld: boolean) => {
    const prompt = { sessionId, messages: wireOf(before), ...(isHeld && { constraints }) }
    return (await asker.ask(prompt)).text
  }
  for (const [at, conversation] of conversations.entries()) {
    for (const { before, wanted } of turnsOf(conversation)) {
      const text = await ask(conversation.id, before, true)
      const meant = asToday(wanted)
      const verdict = judge(await hear(text, tools), meant)
      held.push({ kind: kindOf(wanted), verdict })
      if (isWrong(verdict))
        wrong.push({ ...describe(conversation, before), wanted: wanted.text, got: text, verdict })
      const other = await ask(`${conversation.id} free`, before, false)
      free.push(other === text ? verdict : judge(await hear(other, tools), meant))
    }
    progress(at + 1)
  }
  const kinds = Object.groupBy(held, ({ kind }) => kind)
  const scoresOfAll = (rows: readonly { verdict: Verdict }[]) => scoresOf(rows.map(({ verdict }) => verdict))
  return {
    product: scoresOfAll(held),
    free: scoresOf(free),
    turns: held.length,
    kinds: Object.fromEntries(Object.entries(kinds).map(([kind, rows]) => [kind, scoresOfAll(rows ?? [])])),
    wrong,
  }
}

/**
 * The figures of all splits, in per cent of the replies that were asked for each. `notAsked` counts those
 * that none was asked for.
 */
export function figuresOf(measured: Readonly<Record<string, Measured>>): Figures {
  const shares = Object.entries(measured).flatMap(([split, { product, turns }]) => [
    [`${split}Turns`, turns] as const,
    ...Object.entries(FIGURES).map(([name, score]) => [`${split}${name}`, product[score]] as const),
  ])
  const asked = shares.flatMap(([name, share]) =>
    share === null ? [] : [[name, name.endsWith('Turns') ? share : Math.round(share * 1_000) / 10] as const],
  )
  return { ...Object.fromEntries(asked), notAsked: shares.length - asked.length }
}

const FIGURES = { Tools: 'tool', Arguments: 'arguments', Facts: 'fact', Beyond: 'unknown' } as const

/** The wanted reply, with the call in the form that the adapter makes from the model's. */
const asToday = ({ text, check }: Said): Pick<Said, 'text' | 'check'> => ({
  text,
  ...(check && { check: check.kind === 'call' ? todayCall(check) : check }),
})

/** What a reply is asked for, such as `call memory`. */
const kindOf = ({ check }: Said): string =>
  check?.kind === 'call' ? `call ${check.name}` : (check?.kind ?? 'text')

const isWrong = ({ tool, arguments: given, fact, unknown }: Verdict): boolean =>
  [tool, given, fact, unknown].includes(false)

const describe = ({ id, task }: Conversation, before: readonly Said[]) => ({
  id,
  task,
  asked: before.at(-1)?.text ?? '',
})

/** Read a reply as the product does. */
async function hear(text: string, tools: Parameters<typeof strategy.read>[1]): Promise<Heard> {
  const usage = { promptTokens: 0, reusedTokens: 0, evaluatedTokens: 0, outputTokens: 0, contextTokens: 0 }
  const events = (async function* () {
    yield { type: 'text' as const, text }
    yield { type: 'done' as const, stop: 'end' as const, usage: { ...usage, ...noTimes } }
  })()
  const heard = { text: '', calls: [] as Heard['calls'][number][], broken: 0 }
  for await (const event of strategy.read(events, tools)) {
    if (event.type === 'text') heard.text += event.text
    if (event.type === 'call') heard.calls.push(event.call)
    if (event.type === 'bad_call') heard.broken++
  }
  return heard
}

const noTimes = { firstTokenMs: 0, prefillPerSecond: 0, tokensPerSecond: 0 }
