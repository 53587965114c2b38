import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptedReply, Step } from '../../testing/models/scripted.ts'
import { aTeam, delegate } from '../../testing/delegation/a-team.ts'
import type { Case, Said } from './case.ts'
import { readFacts, wrongFacts } from './read-facts.ts'

const POLL_MS = 10

const stepOf = (said: Said): Step => {
  if (typeof said === 'string') return said
  if ('fail' in said) return { fail: { code: 'unreachable', text: said.fail as string, fix: '' } }
  if ('hang' in said) return { hang: true }
  const { call, ...args } = said
  return { call: { name: call, arguments: args } }
}
const replyOf = (said: string | Said[]): ScriptedReply => (typeof said === 'string' ? said : said.map(stepOf))

/** Run one case on real files and commands. Returns what is wrong; nothing if all facts are right. */
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
      void stopWhenRan(agent.sessionId)
    },
  })
  /**
   * Stop as soon as the calls of all replies so far have ended, however long that takes on a busy machine.
   */
  async function stopWhenRan(sessionId: string): Promise<void> {
    const ran = () => team.store.messages.history(sessionId).filter(({ role }) => role === 'tool').length
    do await sleep(POLL_MS)
    while (!given.words && ran() < (given.after ?? 0))
    if (given.stop === 'all') team.stop()
    else team.delegation.stop(sessionId)
  }
  await team.turn()
  const results = team.results()
  const wrong = given.facts.flatMap((facts, at) => {
    const agent = team.delegation.ofChat(team.chat.id)[at]
    const named = readFacts(results[at]?.text, results[at]?.ok, agent)
    return wrongFacts(facts, named).map(each => `sub-agent ${at + 1}, ${each}`)
  })
  if (given.refused !== undefined) {
    const said = team.store.messages.history(team.chat.id).map(message => message.text)
    if (!said.some(text => text.includes(given.refused!) && text.includes('has changed this file')))
      wrong.push(`the write of the chat was not refused with ${given.refused}`)
  }
  return [...wrong, ...team.reported.map(error => `reported: ${String(error)}`)]
}
