import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost } from '../src/main/host.ts'
import { memoryChannels } from '../src/main/rpc/channels.ts'
import { serveContract } from '../src/main/rpc/serve.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { contract, type HostClient } from '../src/shared/contract/index.ts'
import { aTeam, delegate } from '../testing/delegation/a-team.ts'
import { makeScriptedGguf } from '../testing/gguf/scripted.ts'
import { percentile, round } from './measure.ts'

const ROUNDS = 20

/**
 * Sub-agents: how many tokens a second one evaluates on a local model, and how fast a stop reaches all of
 * them.
 */
export async function benchAgents(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const model = join(folder, 'scripted.gguf')
  makeScriptedGguf(model, {
    contextTokens: 32_768,
    reply:
      'I give it to another.\n<tool_call>\n{"name": "delegate", "arguments": {"goal": "Look at it."}}\n</tool_call>',
    rules: [
      { when: '## Goal', reply: 'It is there.' },
      { when: '<tool_response>', reply: 'All of it is done.' },
    ],
  })
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'config.yaml'), 'engine:\n  context_tokens: 20000\n')
  const host = await createHost({ hosting: 'cli', home })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client = connectClient(contract, ours)
  try {
    const first = await firstReply(client, model)
    const second = await firstReply(client, model)
    return {
      agent_prompt_tokens: first.promptTokens,
      agent_1_evaluated_tokens: first.evaluatedTokens,
      agent_2_evaluated_tokens: second.evaluatedTokens,
      agent_1_first_token_ms: round(first.firstTokenMs),
      agent_2_first_token_ms: round(second.firstTokenMs),
      ...(await benchStops()),
    }
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Let a new chat delegate once. Returns what the sub-agent's first reply cost. */
async function firstReply(client: HostClient, model: string) {
  const { id } = await client['session.create']({ modelId: `file:${model}`, approval: 'ask' })
  const { runId } = await client['chat.send']({ sessionId: id, text: 'Have somebody look at it.' })
  for await (const event of client['run.watch']({ runId, after: 0 }))
    if (event.type === 'error') throw new Error(event.text)
  const { agents } = await client['delegation.ofChat']({ sessionId: id })
  const { messages } = await client['session.messages']({ id: agents[0]?.sessionId ?? '' })
  const reply = messages.find(message => message.role === 'assistant')
  if (reply?.role !== 'assistant' || !reply.usage) throw new Error('The sub-agent gave no answer.')
  return reply.usage
}

/**
 * The time from the stop of a turn until its last request to the model is aborted, and until all four
 * sub-agents have ended.
 */
async function benchStops(): Promise<Record<string, number>> {
  const aborted: number[] = []
  const ended: number[] = []
  for (let n = 0; n < ROUNDS; n++) {
    let since = 0
    let lastAbort = 0
    let lastEnd = 0
    const goals = ['One', 'Two', 'Three', 'Four']
    const hanging = new Set<string>()
    await using team = aTeam({
      chat: [goals.map(goal => delegate(goal)), 'Done.'],
      agents: Object.fromEntries(goals.map(goal => [goal, [['I begin. ', { hang: true as const }]]])),
      onAbort() {
        if (since > 0) lastAbort = performance.now() - since
      },
      onAgent({ name, line, state }) {
        if (state === 'ended') lastEnd = performance.now() - since
        if (line.startsWith('I begin')) hanging.add(name)
        if (hanging.size < goals.length || since > 0) return
        since = performance.now()
        team.stop()
      },
    })
    await team.turn()
    aborted.push(lastAbort)
    ended.push(lastEnd)
  }
  return {
    agents_stop_aborts_p50_ms: round(percentile(aborted, 0.5)),
    agents_stop_aborts_p95_ms: round(percentile(aborted, 0.95)),
    agents_stop_ends_p50_ms: round(percentile(ended, 0.5)),
    agents_stop_ends_p95_ms: round(percentile(ended, 0.95)),
    agents_stop_samples: ended.length,
  }
}
