import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  askedIn,
  lasting,
  resultsIn,
  runToStop,
  someRows,
  statisticsIn,
  trajectoriesIn,
} from '../../../testing/batch/a-batch.ts'
import { aBench, questions } from '../../../testing/batch/a-bench.ts'
import { aHome, aServer } from '../../../testing/host/a-host.ts'
import { aMixture } from '../../../testing/host/a-mixture.ts'
import { until } from '../../../testing/until.ts'
import { mergeBatches } from './merge-batches.ts'

describe('a batch', () => {
  test('answers every row, and its results are training data in the order of the rows', async () => {
    await using bench = await aBench()
    bench.server.reply(request => ({ reasoning: 'Hm.', text: `Answer to ${askedIn(request).asked}` }))
    using rows = someRows([{ prompt: 'First', id: 'one' }, 'no JSON', { prompt: 'Second' }])
    const plan = await bench.client['batch.look']({ ...rows.paths, modelId: bench.modelId, tools: false })
    expect(plan).toMatchObject({ rows: 2, attempts: 2, ended: 0, badLines: [{ line: 2 }], checks: null })
    expect(plan.leastTokens).toBeGreaterThan(100)
    expect(existsSync(rows.out)).toBe(false)
    const end = await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId, tools: false })
    expect(end).toMatchObject({ state: 'ended', ended: 2, badLines: 1, states: { done: 2 } })
    const [first, second] = trajectoriesIn(rows.out)
    expect(first).toMatchObject({ id: 'one', state: 'done', completed: true, line: 1, attempt: 1, try: 1 })
    expect(first?.conversations.slice(1)).toEqual([
      { from: 'human', value: 'First' },
      { from: 'gpt', value: '<think>\nHm.\n</think>\nAnswer to First' },
    ])
    expect(second).toMatchObject({ id: second?.key, line: 3 })
    expect(statisticsIn(rows.out)).toMatchObject({
      runName: 'rows',
      attempts: 2,
      done: 2,
      rewarded: 0,
      meanReward: null,
    })
    expect(bench.host.mistakes()).toEqual([])
  })

  test('leaves no chat, no search passage, no review and no memory in the home', async () => {
    await using bench = await aBench()
    await bench.client['memory.add']({ target: 'user', text: 'Is called Ada.' })
    using rows = someRows(questions(3))
    await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId })
    expect((await bench.client['session.list']({})).sessions).toEqual([])
    expect((await bench.client['recall.search']({ query: 'Question' })).hits).toEqual([])
    for (const { body } of bench.server.chats()) {
      expect(JSON.stringify(body)).not.toContain('Ada')
      expect(JSON.stringify(body.tools)).not.toMatch(
        /"(memory|session_search|skill_view|delegate|schedule|ask_user)"/,
      )
    }
  })

  test('is asked as a chat of the product is, with the same prompt and tools', async () => {
    await using bench = await aBench()
    using rows = someRows([{ prompt: 'Hello' }])
    await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId, keepFolders: true })
    const [inBatch] = bench.server.chats()
    const [folder] = readdirSync(join(rows.out, 'folders'))
    const chat = await bench.client['session.create']({
      modelId: bench.modelId,
      workspace: join(rows.out, 'folders', folder!),
      approval: 'reads',
    })
    for (const name of ['memory', 'skills', 'delegation', 'schedules'])
      await bench.client['toolset.switch']({ names: [name], on: false, sessionId: chat.id })
    const { runId } = await bench.client['chat.send']({ sessionId: chat.id, text: 'Hello' })
    for await (const event of bench.client['run.watch']({ runId })) if (event.type === 'turn_end') break
    const inChat = bench.server.chats().at(-1)!
    const names = (body: { tools: { function: { name: string } }[] }) =>
      body.tools.map(tool => tool.function.name).filter(name => name !== 'ask_user')
    expect(names(inBatch!.body)).toEqual(names(inChat.body))
    expect(inBatch!.body.messages.at(-1)).toEqual(inChat.body.messages.at(-1))
    // No user is present to switch the web on.
    const system = (body: { messages: { content: string }[] }) =>
      body.messages[0]!.content.replace(/^You cannot search the web.*\n\n/m, '')
    expect(system(inBatch!.body)).toBe(system(inChat.body))
  })

  test('makes several attempts at a row, in files of at most so many', async () => {
    await using bench = await aBench()
    using rows = someRows(questions(3))
    await runToStop(bench.client, {
      ...rows.paths,
      modelId: bench.modelId,
      tools: false,
      attempts: 3,
      batchSize: 2,
      workers: 3,
    })
    expect(trajectoriesIn(rows.out).map(({ line, attempt }) => `${line}.${attempt}`)).toEqual([
      '1.1',
      '1.2',
      '1.3',
      '2.1',
      '2.2',
      '2.3',
      '3.1',
      '3.2',
      '3.3',
    ])
    expect(readdirSync(join(rows.out, 'batches'))).toHaveLength(5)
  })

  test('goes on where it was, whatever became of the order of the rows', async () => {
    await using bench = await aBench()
    const given = { modelId: bench.modelId, tools: false, workers: 1 }
    using rows = someRows(questions(6))
    // The batch is paused before the fourth answer.
    const halts = [{ after: 0, until: new Promise(() => {}) }]
    bench.server.reply(request => ({
      text: `Answer to ${askedIn(request).asked}`,
      ...(bench.server.chats().length === 4 && { halts }),
    }))
    const paused = await runToStop(bench.client, { ...rows.paths, ...given }, async state => {
      if (state.ended !== 3) return
      await until(() => bench.server.chats().length === 4)
      await bench.client['batch.pause']({ id: state.id })
    })
    expect(paused).toMatchObject({ state: 'paused', text: 'It was paused.' })
    const before = resultsIn(rows.out).map(lasting)
    expect(before.length).toBe(paused.ended)
    expect(before.length).toBeLessThan(6)
    rows.write([{ prompt: 'New' }, ...questions(6).toReversed(), { prompt: 'Question 0' }])
    const asked = bench.server.chats().length
    const end = await runToStop(bench.client, { ...rows.paths, ...given })
    expect(end).toMatchObject({ state: 'ended', ended: 8 })
    expect(bench.server.chats().length - asked).toBe(8 - before.length)
    expect(resultsIn(rows.out).map(lasting).slice(0, before.length)).toEqual(before)
    expect(trajectoriesIn(rows.out).map(({ conversations }) => conversations[1]?.value)).toEqual([
      'New',
      ...questions(6)
        .toReversed()
        .map(({ prompt }) => prompt),
      'Question 0',
    ])
  })

  test('refuses to go on with another model, another distribution or other rights', async () => {
    await using bench = await aBench()
    using rows = someRows(questions(1))
    await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId })
    const again = (given: object) =>
      bench.client['batch.look']({ ...rows.paths, modelId: bench.modelId, ...given })
    await expect(again({ approve: 'all' })).rejects.toThrow('was started with another --approve')
    await expect(again({ distribution: 'terminal_only' })).rejects.toThrow(
      'was started with another distribution',
    )
    expect((await again({})).ended).toBe(1)
  })

  test('is refused while another works in its folder, and in a folder with other files', async () => {
    await using bench = await aBench()
    const gate = Promise.withResolvers<void>()
    bench.server.reply(() => ({ text: 'Yes.', halts: [{ after: 0, until: gate.promise }] }))
    using rows = someRows(questions(1))
    const given = { ...rows.paths, modelId: bench.modelId, tools: false }
    const { id } = await bench.client['batch.start'](given)
    await expect(bench.client['batch.start'](given)).rejects.toMatchObject({ code: 'busy' })
    gate.resolve()
    for await (const _state of bench.client['batch.watch']({ id })) continue
    await expect(bench.client['batch.start']({ ...given, out: rows.folder })).rejects.toThrow(
      'holds other files',
    )
    await expect(bench.client['batch.look']({ ...given, out: bench.home })).rejects.toThrow(
      'belongs to Talaria',
    )
  })

  test('makes one more attempt ready than may work, and no more work at once than it has workers', async () => {
    await using bench = await aBench()
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
    let [asked, answered, most] = [0, 0, 0]
    bench.server.reply(() => {
      most = Math.max(most, ++asked - answered)
      return { text: 'Yes.', halts: [{ after: 0, until: gates[asked - 1]!.promise }] }
    })
    using rows = someRows(questions(gates.length))
    const ended = runToStop(bench.client, { ...rows.paths, modelId: bench.modelId, tools: false, workers: 2 })
    await until(
      () => existsSync(join(rows.out, 'folders')) && readdirSync(join(rows.out, 'folders')).length === 3,
    )
    for (const [at, gate] of gates.entries()) {
      await until(() => asked === Math.min(at + 2, gates.length))
      // After so many other requests, any request sent too early has arrived.
      for (let other = 0; other < 50; other++) await fetch(`${bench.server.baseUrl}/models`)
      answered++
      gate.resolve()
    }
    expect(await ended).toMatchObject({ state: 'ended', states: { done: 6 }, active: 0 })
    expect(most).toBe(2)
  })

  test('begins no attempt once its budget is used', async () => {
    await using bench = await aBench()
    using rows = someRows(questions(8))
    const end = await runToStop(bench.client, {
      ...rows.paths,
      modelId: bench.modelId,
      tools: false,
      workers: 1,
      budget: 25,
    })
    expect(end.state).toBe('paused')
    expect(end.text).toContain('budget of 25 tokens')
    expect(end.ended).toBe(3)
    const more = await runToStop(bench.client, {
      ...rows.paths,
      modelId: bench.modelId,
      tools: false,
      budget: 1_000,
    })
    expect(more).toMatchObject({ state: 'ended', ended: 8 })
  })

  test('waits for a server that limits it, and no attempt fails for that', async () => {
    await using bench = await aBench()
    let refused = 0
    bench.server.reply(request =>
      refused++ < 6
        ? { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'Slow down.' } } }
        : { text: `Answer to ${askedIn(request).asked}` },
    )
    using rows = someRows(questions(2))
    const seen = new Set<string>()
    const end = await runToStop(
      bench.client,
      { ...rows.paths, modelId: bench.modelId, tools: false },
      state => seen.add(state.state),
    )
    expect(end).toMatchObject({ state: 'ended', states: { done: 2, failed: 0 } })
    expect(seen).toContain('waiting')
  })

  test('stops with nothing marked when the server wants another key', async () => {
    await using bench = await aBench()
    bench.server.reply({ status: 401, body: { error: { message: 'No.' } } })
    using rows = someRows(questions(3))
    const end = await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId, tools: false })
    expect(end).toMatchObject({ state: 'paused', ended: 0 })
    expect(end.text).toContain('requires an API key')
  })

  test('a row whose model is not here is left out, and one with its own model is asked of that', async () => {
    await using bench = await aBench()
    const other = await aServer(bench.client, 'plain')
    using rows = someRows([
      { prompt: 'a', model: 'server:gone' },
      { prompt: 'b', model: other.modelId },
      { prompt: 'c' },
    ])
    const end = await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId })
    expect(end).toMatchObject({ state: 'ended', rows: 2, badLines: 1 })
    expect([bench.server.chats().length, other.chats().length]).toEqual([1, 1])
    await other.close()
    const gone = { file: rows.file, out: join(rows.folder, 'other'), modelId: 'server:gone' }
    await expect(bench.client['batch.look'](gone)).rejects.toThrow('no longer exists')
  })

  test('a mixture is a model of a batch too: each row is asked of all of its models', async () => {
    using home = aHome()
    await using mix = await aMixture(home.path, { coreTools: true })
    using rows = someRows(questions(3))
    const end = await runToStop(mix.host.client, { ...rows.paths, modelId: mix.id, tools: false, workers: 2 })
    expect(end).toMatchObject({ state: 'ended', states: { done: 3 } })
    expect([mix.one, mix.two, mix.answerer].map(server => server.chats().length)).toEqual([3, 3, 3])
    for (const line of trajectoriesIn(rows.out))
      expect(line.conversations.at(-1)).toEqual({ from: 'gpt', value: '<think>\n</think>\nPlant in May.' })
    expect(JSON.stringify(mix.answerer.chats().at(-1)!.body)).toContain('Mind the frost.')
    expect(mix.host.mistakes()).toEqual([])
  })

  test('two parts that are merged are one run', async () => {
    await using bench = await aBench()
    using rows = someRows([...questions(12), { prompt: 'Question 3' }])
    const given = { modelId: bench.modelId, attempts: 2, distribution: 'balanced', file: rows.file }
    await runToStop(bench.client, { ...given, out: rows.out })
    const parts = [1, 2].map(index => join(rows.folder, `part-${index}`))
    for (const [at, out] of parts.entries())
      await runToStop(bench.client, { ...given, out, shard: { index: at + 1, count: 2 } })
    const merged = join(rows.folder, 'merged')
    expect(await mergeBatches(parts, merged)).toEqual({ attempts: 26, doubled: 0, unknown: 0 })
    expect(trajectoriesIn(merged).map(lasting)).toEqual(trajectoriesIn(rows.out).map(lasting))
    expect(statisticsIn(merged)).toEqual(statisticsIn(rows.out))
    await expect(mergeBatches(parts, merged)).rejects.toThrow('holds a batch already')
    const again = join(rows.folder, 'again')
    expect(await mergeBatches([...parts, rows.out], again)).toMatchObject({ attempts: 26, doubled: 26 })
    expect(statisticsIn(again)).toEqual(statisticsIn(rows.out))
  })

  test('what a kill left behind is not lost and not doubled', async () => {
    await using bench = await aBench()
    using rows = someRows(questions(4))
    const given = { ...rows.paths, modelId: bench.modelId, tools: false, workers: 1 }
    await runToStop(bench.client, given)
    const [file] = readdirSync(join(rows.out, 'batches'))
    const path = join(rows.out, 'batches', file!)
    const whole = readFileSync(path, 'utf8')
    const before = trajectoriesIn(rows.out).map(lasting)
    // As if the process had died while writing the last line.
    writeFileSync(path, whole.slice(0, -40))
    rmSync(join(rows.out, 'trajectories.jsonl'))
    const end = await runToStop(bench.client, given)
    expect(end).toMatchObject({ state: 'ended', ended: 4, unknown: 1 })
    expect(trajectoriesIn(rows.out).map(lasting)).toEqual(before)
    expect(trajectoriesIn(rows.out).map(line => line.try)).toEqual([1, 1, 1, 2])
  })

  test('the draw of a row decides which tools its model is given', async () => {
    await using bench = await aBench()
    writeFileSync(
      join(bench.home, 'config.yaml'),
      `${readFileSync(join(bench.home, 'config.yaml'), 'utf8')}batch:\n  distributions:\n    mine:\n      files: 50\n      terminal: 50\n`,
    )
    await bench.client['toolset.list']({})
    using rows = someRows(questions(12))
    await runToStop(bench.client, { ...rows.paths, modelId: bench.modelId, distribution: 'mine' })
    const lines = trajectoriesIn(rows.out)
    expect(new Set(lines.map(({ toolsets }) => toolsets.join())).size).toBe(3)
    for (const { toolsets, tools } of lines) {
      expect(Object.hasOwn(tools, 'terminal')).toBe(toolsets.includes('terminal'))
      expect(Object.hasOwn(tools, 'write_file')).toBe(toolsets.includes('files'))
    }
    const { toolsets } = statisticsIn(rows.out)
    expect(toolsets['files']!.attempts).toBe(lines.filter(line => line.toolsets.includes('files')).length)
  })
})
