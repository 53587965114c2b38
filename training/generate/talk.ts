import type { Message } from '../../src/shared/contract/chats/messages.ts'
import { todayCall } from '../../src/main/builtin/trained-calls.ts'
import { createDesk, type Desk } from './desk/desk.ts'
import { FILE_TOOLS } from './desk/files-of.ts'
import { runTyped } from './desk/typed.ts'
import type { Fact } from './facts/fact.ts'
import type { Product } from './product.ts'
import type { Random } from './random.ts'
import { mannerOf, speak, type Manner, type Tone } from './speech.ts'
import type { Split } from './split.ts'
import { sayOne, withOpening, type Wordings } from './wording.ts'
import { slotWords } from './words/slots.ts'

/** What an evaluation compares a reply with. */
export type Check =
  | { kind: 'call'; name: string; arguments: Record<string, unknown> }
  | { kind: 'fact'; facts: string[] }
  | { kind: 'unknown' }
  | { kind: 'text' }

/** What comes of a call: what the tool does, or what is given here instead. */
type Outcome = { output: string; code?: number } | { error: string } | undefined

/** Of what could be an order, so much has an opening that says nothing. */
const OPENED = 0.15

/** One conversation while it is written. */
export type Talk = {
  readonly random: Random
  readonly split: Split
  readonly manner: Manner
  readonly desk: Desk
  readonly history: readonly Message[]
  readonly checks: readonly Check[]
  /** What the person has told, and what of it the model knows without asking. */
  readonly facts: Fact[]
  /** What was told beside a request and is kept nowhere yet; `old` is what it makes untrue. */
  readonly pending: { fact: Fact; old: Fact | undefined }[]
  /** A way of doing something that was shown in this conversation. */
  procedure: { name: string; said: string; commands: readonly [string, string] } | undefined
  /** What a summary near the beginning says, and how many requests stand before it. */
  summary: { goal: string; done: string[] } | undefined
  beforeSummary: number
  /** What “it” means at the moment. */
  focus: Focus
  /** A wording of an intent, with its slots filled. */
  word(wordings: Wordings, slots?: Readonly<Record<string, string>>, tone?: Tone): string
  /** A part of a sentence, without greeting, courtesy, slips or end. */
  phrase(wordings: Wordings, slots?: Readonly<Record<string, string>>): string
  /** A word for a slot, from those that this split may use. */
  slot(name: string): string
  /** A message of the person; a skill that is sent along stands before it. */
  ask(text: string, skill?: { name: string; text: string }): void
  /** A call as the model is to make it; gives what the model reads of its result. */
  call(name: string, given: Record<string, unknown>, outcome?: Outcome): Promise<string>
  answer(text: string, check?: Check): void
  /** Another conversation with the same person and notebook, to be thrown away. */
  aside(): Talk
}

type Focus = {
  /** The file or folder that was spoken of last. */
  path?: string | undefined
  /** What was listed last. */
  listed?: { folder: string; names: string[] } | undefined
  /** What was asked for and does not exist may have been this. */
  meant?: string | undefined
  command?: string | undefined
  output?: string | undefined
  skill?: string | undefined
  fact?: Fact | undefined
}

/** Begin a conversation; its desk is empty. */
export function openTalk(product: Product, random: Random, split: Split): Talk {
  const desk = createDesk()
  const manner = mannerOf(random)
  const history: Message[] = []
  const checks: Check[] = []
  product.use(desk)

  const stored = () => ({ id: history.length + 1, sessionId: desk.sessionId, at: 0 })
  const slot = (name: string): string => slotWords(random, split, name)

  function reply(text: string, calls: { id: string; name: string; arguments: Record<string, unknown> }[]) {
    history.push({
      ...stored(),
      role: 'assistant',
      text,
      reasoning: '',
      calls,
      interrupted: false,
      model: '',
    })
  }

  const talk: Talk = {
    random,
    split,
    manner,
    desk,
    history,
    checks,
    facts: [],
    pending: [],
    procedure: undefined,
    summary: undefined,
    beforeSummary: 0,
    focus: {},
    slot,
    word(wordings, slots = {}, tone) {
      const side = split === 'test' ? wordings.test : wordings.train
      const { orders } = wordings
      const isOpened = split === 'train' && orders !== undefined && random.chance(OPENED)
      const template = isOpened ? withOpening(random.pick, orders) : random.pick(side)
      const said = sayOne(template, random.pick, name => slots[name] ?? slot(name))
      return speak(random, split, manner, said, tone)
    },
    phrase(wordings, slots = {}) {
      const side = split === 'test' ? wordings.test : wordings.train
      const said = sayOne(random.pick(side), random.pick, name => slots[name] ?? slot(name))
      return said.map(part => part.text).join('')
    },
    ask(text, skill) {
      history.push({ ...stored(), role: 'user', text, ...(skill && { skill: { id: skill.name, ...skill } }) })
    },
    async call(name, given, outcome) {
      // The conversation holds calls of today's tools, as in a chat. The adapter tells them as the model makes them.
      const { arguments: meant } = todayCall({ name, arguments: given })
      const checked = product.registry.validate(name, meant)
      if (!checked.ok) throw new Error(`${name} ${JSON.stringify(meant)}: ${checked.reason}`)
      const callId = `call_${history.length}`
      reply('', [{ id: callId, name, arguments: meant }])
      checks.push({ kind: 'call', name, arguments: given })
      const result = await run(name, meant, outcome)
      const text = result.ok ? result.text : `Error: ${result.reason}`
      const about = { callId, name, ok: result.ok, text, durationMs: 0, record: { decision: 'ran' as const } }
      history.push({ ...stored(), role: 'tool', ...about })
      return text
    },
    answer(text, check = { kind: 'text' }) {
      reply(text, [])
      checks.push(check)
    },
    aside() {
      const other = openTalk(product, random, split)
      other.desk.memory = [...desk.memory]
      other.desk.skills = desk.skills.map(skill => ({ ...skill }))
      other.facts.push(...talk.facts)
      product.use(desk)
      return { ...other, manner }
    },
  }

  async function run(name: string, given: Record<string, unknown>, outcome: Outcome) {
    if (outcome && 'error' in outcome) return { ok: false as const, reason: outcome.error }
    if (name === 'terminal') return runTyped(desk, String(given['command']), outcome)
    const ofFile = FILE_TOOLS[name]
    if (ofFile) return ofFile(desk.files, given)
    return product.registry.get(name)!.run(given, {
      workspace: '/',
      home: '/',
      sessionId: desk.sessionId,
      askedId: history.findLastIndex(message => message.role === 'user'),
      access: 'unconfined',
      signal: new AbortController().signal,
      output: () => {},
    })
  }
  return talk
}
