import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aBareServer, aHome, aHost, endOf, transcript, turn } from '../../../testing/host/a-host.ts'
import type { ServedReply, ServedRequest } from '../../../testing/servers/openai-server.ts'
import { moments } from '../../../testing/moments.ts'
import { until } from '../../../testing/until.ts'

const program = fileURLToPath(new URL('../../../testing/host/killed/answer-until-killed.ts', import.meta.url))
const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })
const never: ServedReply = { stallMs: 600_000 }

/** The scripted server's replies: the chat delegates two tasks; each sub-agent acts once and never ends. */
function script(background: boolean) {
  const asked: string[] = []
  const reply = ({ body }: ServedRequest): ServedReply => {
    const first = JSON.stringify(body.messages.find((each: { role: string }) => each.role === 'user'))
    const who = first.includes('Write it') ? 'writer' : first.includes('Run it') ? 'runner' : 'chat'
    const steps = asked.filter(each => each === who).length
    asked.push(who)
    if (who === 'writer')
      return steps === 0 ? { toolCalls: [call('write_file', { path: 'a.txt', content: 'Ada' })] } : never
    if (who === 'runner')
      return steps === 0
        ? { toolCalls: [call('terminal', { command: 'echo run >> runs.txt; test -f runs.txt' })] }
        : never
    if (steps > 0) return { text: 'They work.' }
    return {
      toolCalls: ['Write it', 'Run it'].map(goal => call('delegate', { goal, background })),
    }
  }
  return { asked, reply }
}

test.for(moments({ every: [[true], [false]], some: [[false]] }))(
  'after a kill -9 each sub-agent is unknown with its facts, and nothing runs twice (in the background: %s)',
  async ([background]) => {
    using home = aHome()
    writeFileSync(join(home.path, 'config.yaml'), 'learning:\n  mode: "off"\n')
    await using server = await aBareServer()
    const { asked, reply } = script(background!)
    server.reply(reply)
    const setup = await aHost(home.path, { coreTools: true })
    const { id } = await setup.client['model.addServer']({
      name: 'S',
      baseUrl: server.baseUrl,
      model: 'qwen3',
    })
    await setup.close()

    const child = spawn(process.execPath, [program, home.path, id, 'Have two do it.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    createInterface(child.stdout).on('line', line => lines.push(line))
    const count = (who: string) => asked.filter(each => each === who).length
    await until(
      () => count('writer') === 2 && count('runner') === 2 && count('chat') === (background ? 2 : 1),
    )
    if (background) await until(() => lines.some(line => line.includes('"turn_end"')))
    const hasEnded = once(child, 'exit')
    child.kill('SIGKILL')
    await hasEnded
    const before = asked.length

    await using host = await aHost(home.path, { coreTools: true })
    const { sessionId } = JSON.parse(lines[0]!) as { sessionId: string }
    const { agents } = await host.client['delegation.ofChat']({ sessionId })
    const known = agents.map(({ name, state, end, told, steps }) => ({ name, state, end, told, steps }))
    expect(known).toEqual(
      ['worker 1', 'worker 2'].map(name => ({ name, state: 'ended', end: 'unknown', told: false, steps: 1 })),
    )
    for (const agent of agents)
      expect(await host.client['session.get']({ id: agent.sessionId })).toMatchObject({
        activeRunId: null,
        parentId: sessionId,
      })
    const results = (await transcript(host, sessionId)).filter(line => line.startsWith('result: '))
    if (!background)
      expect(results).toEqual(Array(2).fill(expect.stringContaining('The turn broke off before this call')))

    server.reply({ text: 'I see.' })
    expect(endOf(await turn(host, sessionId, 'And?'))).toBe('done')
    const told = JSON.stringify(server.chats().at(-1)?.body.messages.at(-1).content)
    expect(told).toContain('The sub-agent worker 1 was cut off when Talaria ended')
    expect(told).toContain('- files changed with its tools: a.txt')
    expect(told).toContain('“echo run >> runs.txt; test -f runs.txt” → exit code 0')
    // The other one may have written at the same time.
    expect(told).toMatch(/while its commands ran: (?:a\.txt; )?runs\.txt\\n/)
    expect(told).toMatch(/- used: 1 steps, \d+ tokens(?:\\n|")/)
    // The next start asks no model on its own and repeats no command.
    expect(server.chats()).toHaveLength(before + 1)
    expect(readFileSync(join(home.path, 'workspace', 'runs.txt'), 'utf8')).toBe('run\n')
    const after = await host.client['delegation.ofChat']({ sessionId })
    expect(after.agents.map(({ told: isTold }) => isTold)).toEqual([true, true])
    expect(host.mistakes()).toEqual([])
  },
)
