import { isDeepStrictEqual } from 'node:util'
import type { Delegated } from '../../src/shared/contract/delegation.ts'
import type { Decision } from '../../src/shared/contract/run.ts'
import type { ApprovalMode } from '../../src/shared/contract/session.ts'
import type { ScriptedReply, Step } from '../../testing/models/scripted.ts'
import { aTeam, delegate } from '../../testing/delegation/a-team.ts'

/** What a scripted model says: words, or a list of words, calls, failures and silence. */
type Said = string | ({ call: string } & Record<string, unknown>) | { fail: string } | { hang: true }

/** The facts that the result must name; absent ones are not looked at. */
type Facts = {
  end: NonNullable<Delegated['end']>
  ok: boolean
  files?: string[]
  commands?: [string, string][]
  denied?: string[]
  failed?: number
  steps?: number
  form?: boolean
  error?: string
  summary?: string
}

/** One case: what each sub-agent's model says and does, and the facts wanted of each. */
export type Case = {
  id: string
  agents: { says: (string | Said[])[] }[]
  facts: Facts[]
  before?: Said[]
  after_chat?: Said[]
  mode?: ApprovalMode
  answer?: Decision
  expect?: Record<string, unknown>
  pool?: number
  tokens?: number
  places?: number
  /** Stop all, the only one, or the first one, after this many of its replies. */
  stop?: 'all' | 'one' | 'first'
  after?: number
  words?: boolean
  /** Who has changed the file that the chat is then refused to write. */
  refused?: string
}

const stepOf = (said: Said): Step => {
  if (typeof said === 'string') return said
  if ('fail' in said) return { fail: { code: 'unreachable', text: said.fail as string, fix: '' } }
  if ('hang' in said) return { hang: true }
  const { call, ...args } = said
  return { call: { name: call, arguments: args } }
}
const replyOf = (said: string | Said[]): ScriptedReply => (typeof said === 'string' ? said : said.map(stepOf))

/** Run one case on real files and commands; returns what is wrong, and nothing when all facts are right. */
export async function runCase(given: Case): Promise<string[]> {
  const goals = given.agents.map((_, at) => `Task ${at + 1}`)
  const form = given.expect && { expect: given.expect }
  let isStopped = false
  await using team = aTeam({
    approval: given.mode ?? 'full',
    places: given.places ?? 4,
    settings: {
      ...(given.pool !== undefined && { poolSteps: given.pool }),
      ...(given.tokens !== undefined && { poolTokens: given.tokens }),
    },
    chat: [
      ...(given.before ? [given.before.map(stepOf)] : []),
      goals.map(goal => delegate(goal, form)),
      ...(given.after_chat ? [given.after_chat.map(stepOf)] : []),
      'That is all.',
    ],
    agents: Object.fromEntries(given.agents.map(({ says }, at) => [goals[at]!, says.map(replyOf)])),
    onEvent(event) {
      if (event.type !== 'approval_request' || !given.answer) return
      const answer = { decision: given.answer, note: '' }
      queueMicrotask(() => team.runs.answer(team.runs.within(team.chat.id)!.runId, event.approval.id, answer))
    },
    onAgent(agent) {
      const isDue = given.words ? agent.line !== 'begins' : agent.steps >= (given.after ?? 0)
      const isMeant = given.stop !== 'first' || agent.name === 'worker 1'
      if (!given.stop || isStopped || !isMeant || !isDue || agent.state !== 'running') return
      isStopped = true
      setImmediate(() => (given.stop === 'all' ? team.stop() : team.delegation.stop(agent.sessionId)))
    },
  })
  await team.turn()
  const results = team.results()
  const wrong = given.facts.flatMap((facts, at) => {
    const agent = team.delegation.ofChat(team.chat.id)[at]
    const found = readFacts(results[at]?.text ?? '', results[at]?.ok, agent)
    return Object.entries(facts).flatMap(([name, wanted]) => {
      const got = found[name as keyof Facts]
      return isDeepStrictEqual(got, wanted)
        ? []
        : [`sub-agent ${at + 1}, ${name}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`]
    })
  })
  if (given.refused !== undefined) {
    const said = team.store.messages.history(team.chat.id).map(message => message.text)
    if (!said.some(text => text.includes(given.refused!) && text.includes('has changed this file')))
      wrong.push(`the write of the chat was not refused with ${given.refused}`)
  }
  return [...wrong, ...team.reported.map(error => `reported: ${String(error)}`)]
}

/** The facts in a result, as its reader finds them: behind the line of the host that comes last. */
function readFacts(text: string, ok: boolean | undefined, agent: Delegated | undefined) {
  const mark = 'What Talaria knows of it, whatever it says:'
  const at = text.lastIndexOf(mark)
  const lines = text.slice(at).split('\n')
  const line = (name: string) => lines.find(each => each.startsWith(`- ${name}: `))?.slice(name.length + 4)
  const list = (name: string) => {
    const said = line(name)
    return said === undefined || said === 'none' ? [] : said.split('; ')
  }
  const form = line('form of its answer')
  return {
    ok: ok ?? false,
    end: agent?.end ?? undefined,
    files: list('files changed with its tools'),
    commands: list('commands').map(each => {
      const [, command = '', end = ''] = /^“(.*)” → (.*)$/.exec(each) ?? []
      return [command, end]
    }),
    denied: list('not allowed'),
    failed: Number(line('calls that failed') ?? 0),
    steps: Number(/^(\d+) steps/.exec(line('used') ?? '')?.[1]),
    form: form === undefined ? undefined : form === 'as asked for',
    error: /\((.*)\)$/.exec(line('ended') ?? '')?.[1],
    summary: text.slice(text.indexOf('\n') + 1, at).trim(),
  }
}
