import { estimateTokens } from '../../src/shared/text/estimate-tokens.ts'
import { remember } from './desk/memory-of.ts'
import { NO_TOOLS } from './fixed-answers.ts'
import { makeFact } from './facts/make-fact.ts'
import { readBundled, render, type Product } from './product.ts'
import { promptOf } from './prompt-of.ts'
import { createRandom } from './random.ts'
import { roughen } from './roughen.ts'
import type { Split } from './split.ts'
import { openTalk, type Check, type Talk } from './talk.ts'
import { carried } from './tasks/carried.ts'
import { earlierSummary, firstLook, review, summary } from './tasks/closers.ts'
import { folderName, line } from './tasks/file-words.ts'
import { runSkill, toldSkill } from './tasks/skill-words.ts'
import { tasks, followUps, toolless } from './tasks/all.ts'
import type { Task } from './tasks/task.ts'

/** One message as the trainer reads it; `target` ones are learned, and `check` is what an evaluation compares. */
type Line = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  target?: true
  check?: Check
}
export type Conversation = { id: string; task: string; messages: Line[] }

const bundled = readBundled()
/** Shares of conversations that end with a look back, or with a summary. */
const CLOSERS = { none: 84, look: 6, review: 6, summary: 5 }
/** Exchanges in a conversation. Training reads the prompt anew for each, so it learns more from long ones. */
const EXCHANGES = {
  train: { 1: 1, 2: 2, 3: 3, 4: 4, 6: 4, 8: 4, 10: 2 },
  held: { 1: 4, 2: 4, 3: 3, 4: 2, 5: 1 },
}
/** Letters of a conversation beyond which nothing more is asked. */
const LONG = { train: 5_000, held: 2_600 }

/** Write one conversation; the same split and seed give the same one. */
export async function writeConversation(product: Product, split: Split, seed: string): Promise<Conversation> {
  const random = createRandom(`${split} ${seed}`)
  const talk = openTalk(product, random, split)
  layOut(talk)
  const hasTools = random.chance(0.98)
  const system = systemOf(talk, product, hasTools)
  const done: string[] = []
  const closer = hasTools ? random.weighted(CLOSERS) : 'none'
  const kind = split === 'train' ? 'train' : 'held'
  const wanted = Number(random.weighted(EXCHANGES[kind]))
  // About as many reviews find something as find nothing.
  const toFind =
    closer === 'look' || closer === 'review' ? (random.chance(0.48) ? random.below(wanted) : -1) : -1
  const summaryAt = random.chance(0.03) ? random.between(1, wanted) : 0
  for (let turn = 0; turn < wanted && lengthOf(talk) < LONG[kind]; turn++) {
    if (turn > 0 && turn === summaryAt) summarised(talk)
    if (turn === toFind) done.push(await oneOf(talk, carried))
    else done.push(hasTools ? await exchange(talk) : await withoutTools(talk))
  }
  if (closer === 'look') firstLook(talk)
  else if (closer === 'review') await review(talk)
  else if (closer === 'summary') summary(talk)
  if (closer !== 'none') done.push(closer)
  return { id: `${split}-${seed}`, task: done.join(' '), messages: linesOf(talk, system) }
}

/** One exchange: rather about what was just spoken of, where that fits. */
const exchange = (talk: Talk): Promise<string> =>
  oneOf(talk, talk.history.length > 0 && talk.random.chance(0.5) ? followUps : tasks)

/** An exchange of a list that fits; by its weight, and another one when it does not. */
async function oneOf(talk: Talk, list: readonly Task[]): Promise<string> {
  for (;;) {
    const task = chosen(talk, list)
    if ((await task.run(talk)) !== false) return task.id
  }
}

/** What needs a tool is asked all the same, and cannot be done. */
async function withoutTools(talk: Talk): Promise<string> {
  const { random } = talk
  const task = chosen(talk, toolless)
  if (random.chance(0.4) && (await task.run(talk)) !== false) return task.id
  const asked = chosen(talk, tasks)
  const before = talk.history.length
  const request = await requestOf(talk, asked)
  if (request === undefined) return withoutTools(talk)
  if (talk.history.length === before) talk.ask(request)
  talk.answer(NO_TOOLS, { kind: 'fact', facts: ['no tools'] })
  return `no-tools`
}

/** What somebody would ask in a task, found out in a conversation that is thrown away. */
async function requestOf(talk: Talk, task: Task): Promise<string | undefined> {
  const other = talk.aside()
  if ((await task.run(other)) === false) return undefined
  const [first, second] = other.history
  return second?.role === 'assistant' && second.calls.length > 0 && first?.role === 'user'
    ? first.text
    : undefined
}

function chosen({ random, split }: Talk, list: readonly Task[]): Task {
  const weightOf = ({ weight, learned = weight }: Task) => (split === 'train' ? learned : weight)
  let left = random.next() * list.reduce((sum, task) => sum + weightOf(task), 0)
  return list.find(task => (left -= weightOf(task)) < 0) ?? list.at(-1)!
}

/** What has been said until now is replaced by a summary of it. */
function summarised(talk: Talk): void {
  const said = talk.history.flatMap(message => (message.role === 'user' ? [message.text] : []))
  const earlier = Array.from({ length: talk.random.between(1, 3) }, () => line(talk))
  earlierSummary(talk, [...said.slice(0, 1), ...earlier])
  talk.beforeSummary = said.length
}

const lengthOf = (talk: Talk): number => talk.history.reduce((sum, { text }) => sum + text.length, 0)

/** Something to remember, skills, and nothing yet said. */
function layOut(talk: Talk): void {
  const { random, desk } = talk
  const count = random.pick([0, 0, 1, 1, 2, 3, 4, 5, 6, 8])
  for (let at = 0; at < count; at++) {
    const fact = makeFact(talk)
    if (talk.facts.some(known => known.key === fact.key || known.stored === fact.stored)) continue
    remember(desk, fact.target, fact.stored)
    talk.facts.push({ ...fact, inPrompt: true })
  }
  const shipped = random.chance(0.65) ? bundled : random.some(bundled, random.below(6))
  const own = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () =>
    random.chance(0.6) ? toldSkill(talk) : runSkill(talk),
  )
  const names = new Set<string>()
  const skills = [...own, ...shipped].filter(({ name }) => !names.has(name) && names.add(name))
  desk.skills = random.chance(0.5) ? skills : skills.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  desk.skills = desk.skills.map(skill => ({ ...skill }))
}

function systemOf(talk: Talk, product: Product, hasTools: boolean): string {
  const { random, desk, slot } = talk
  const tools = hasTools ? product.tools : []
  const project = random.chance(0.04)
    ? {
        file: random.pick(['AGENTS.md', 'CLAUDE.md']),
        text: `# ${slot('phrase')}\n\n- ${line(talk)}\n- ${line(talk)}`,
      }
    : undefined
  const text = promptOf(desk, {
    tools,
    workspace: workspace(talk),
    today: new Date(random.between(2025, 2028), random.below(12), random.between(1, 28), 12),
    ...(project && { project }),
    contextTokens: random.pick([2_048, 2_048, 2_048, 4_096, 8_192]),
    count: random.chance(0.5) ? estimateTokens : sparse,
  })
  return random.chance(0.12) ? roughen(random, text) : text
}

/** About as the model’s own vocabulary counts, in which a line that never changes is one token. */
const sparse = (text: string): number =>
  text.split('\n').reduce((sum, each) => sum + 1 + (shippedLines.has(each) ? 1 : estimateTokens(each)), 0)
const shippedLines = new Set(
  promptOf(
    { sessionId: '', memory: [], tick: 0, files: new Map(), skills: bundled, chats: [] },
    {
      tools: [{ name: 'skill_view', description: '', parameters: {} }],
      workspace: '',
      today: new Date(0),
      contextTokens: 100_000,
    },
  ).split('\n'),
)

function workspace(talk: Talk): string {
  const { random, slot } = talk
  const person = slot('person').toLowerCase()
  const folder = folderName(talk)
  return random.pick([
    `/home/${person}/${folder}`,
    `/home/${person}/Documents/${folder}`,
    `/home/${person}/.talaria/workspace`,
    `/Users/${person}/${folder}`,
    `/Users/${person}/Documents`,
    `/Users/${person}/Projects/${slot('coined').toLowerCase()}`,
    `C:\\Users\\${person}\\${folder}`,
    `/tmp/${slot('coined').toLowerCase()}-${random.between(100, 99_999)}/${folder}`,
    `/root/${folder}`,
    `/srv/${folder}`,
  ])
}

function linesOf(talk: Talk, system: string): Line[] {
  const checks = [...talk.checks]
  return render(system, talk.history).map(({ role, text }) =>
    role === 'assistant' ? { role, text, target: true, check: checks.shift()! } : { role, text },
  )
}
