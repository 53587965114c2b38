import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../../shared/contract/app.ts'
import { aHome, aServer } from '../../../../testing/host/a-host.ts'
import {
  aDaily,
  approveAll,
  aScheduledHost,
  EIGHT,
  ended,
  lastOf,
} from '../../../../testing/schedules/a-scheduled-host.ts'
import { seenSchedule } from '../../../../testing/host/seen-now.ts'

const write = (content: string) => ({
  toolCalls: [{ name: 'write_file', arguments: { path: 'report.md', content } }],
})

describe('a schedule', () => {
  test('is made in words, runs at its time in a new chat of its own, and tells the person without saying what', async () => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    const { schedule, server, id } = await aDaily(host)
    await using _server = server
    expect(schedule).toMatchObject({
      name: 'Read notes.md and say what is new',
      task: 'read notes.md and say what is new',
      inWords: 'every day at 08:00',
      zone: 'Europe/Berlin',
      next: [EIGHT, EIGHT + 86_400_000, EIGHT + 2 * 86_400_000],
      last: null,
    })
    const heard: AppEvent[] = []
    const over = new AbortController()
    const listening = (async () => {
      for await (const event of host.client['app.watch']({}, { signal: over.signal })) heard.push(event)
    })().catch(() => undefined)
    server.reply({ text: 'Two notes are new.' })
    await host.at(EIGHT, id)
    const last = await lastOf(host, id)
    expect(last).toMatchObject({
      planned: EIGHT,
      kind: 'planned',
      state: 'done',
      reason: 'no_tools',
      silent: false,
    })
    expect(last.tokens).toBeGreaterThan(0)
    const session = await host.client['session.get']({ id: last.sessionId! })
    expect(session).toMatchObject({ origin: 'schedule', originId: id, modelId: server.modelId })
    await expect
      .poll(() => heard.filter(event => event.type === 'schedule_ended'))
      .toEqual([
        {
          type: 'schedule_ended',
          name: schedule.name,
          sessionId: last.sessionId,
          ok: true,
          unlooked: true,
          content: '',
        },
      ])
    over.abort()
    await listening
    // A tool call counts, even if it found little.
    server.reply({ toolCalls: [{ name: 'list_files', arguments: {} }] }, { text: 'Nothing else.' })
    await host.at(EIGHT + 86_400_000, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'done', reason: '' })
    expect((await lastOf(host, id)).sessionId).not.toBe(last.sessionId)
    const chats = async () => (await host.client['schedule.chats']({})).schedules
    expect(await chats()).toEqual([{ id, name: schedule.name, chats: 2 }])
    const { sessions } = await host.client['session.list']({ scheduleId: id })
    expect(sessions.map(each => each.id)).toEqual([(await lastOf(host, id)).sessionId, last.sessionId])
    await host.client['session.update']({ id: last.sessionId!, pinned: true })
    await host.client['schedule.remove']({ id })
    expect(await chats()).toEqual([{ id, name: schedule.name, chats: 1 }])
    expect((await host.client['session.list']({ scheduleId: 'other' })).sessions).toEqual([])
    expect(host.mistakes()).toEqual([])
  })

  test('is offered no tools for memory and schedules, reads only the notes that were chosen, and is said to be alone', async () => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    await host.client['memory.add']({ target: 'user', text: 'Likes herons.' })
    await host.client['memory.add']({ target: 'memory', text: 'The build needs cranes.' })
    const { server, id } = await aDaily(host, { notes: ['memory'] })
    await using _server = server
    server.reply({ text: '[SILENT]' })
    await host.at(EIGHT, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'done', silent: true })
    const [request] = server.chats()
    const names = request!.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    expect(names).not.toContain('memory')
    expect(names).not.toContain('schedule')
    const prompt = JSON.stringify(request!.body.messages)
    expect(prompt).toContain('nobody is here to answer')
    expect(prompt).toContain('needs cranes')
    expect(prompt).not.toContain('Likes herons')
  })

  test('what would ask is denied and said, and what a trial run was allowed runs from then on, until the task changes', async () => {
    using home = aHome()
    const folder = join(home.path, 'workspace')
    await using host = await aScheduledHost(home.path)
    const { server, id } = await aDaily(host)
    await using _server = server
    server.reply(write('one'), { text: 'It was not allowed.' })
    await host.at(EIGHT, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'done', denied: ['Create report.md'], changes: [] })
    expect(existsSync(join(folder, 'report.md'))).toBe(false)

    server.reply(write('two'), { text: 'Written.' })
    await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
    await expect
      .poll(
        async () => {
          const last = await lastOf(host, id)
          if (last.sessionId === null) return 'no chat'
          const { activeRunId, waiting } = await host.client['session.get']({ id: last.sessionId })
          return waiting ? activeRunId : 'not yet'
        },
        { timeout: 20_000 },
      )
      .toMatch(/^run_/)
    const chat = await host.client['session.get']({ id: (await lastOf(host, id)).sessionId! })
    const asked: string[] = []
    for await (const event of host.client['run.watch']({ runId: chat.activeRunId! })) {
      if (event.type !== 'approval_request') continue
      asked.push(event.approval.title)
      await host.client['run.approve']({
        runId: chat.activeRunId!,
        approvalId: event.approval.id,
        decision: 'once',
      })
    }
    await ended(host, id)
    expect(asked).toEqual(['Create report.md'])
    const tried = await host.client['schedule.get']({ id })
    expect(tried.grants.map(({ text }) => text)).toEqual([
      `change ${JSON.stringify(join(folder, 'report.md'))}`,
    ])
    expect(tried.last!.changes).toMatchObject([{ path: join(folder, 'report.md'), kind: 'created' }])

    server.reply(write('three'), { text: 'Written.' })
    await host.at(EIGHT + 86_400_000, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'done', denied: [] })
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('three')

    const { run, kept } = await host.client['schedule.undo']({ runId: (await lastOf(host, id)).id })
    expect([kept, run.changes.map(({ undone }) => undone)]).toEqual([[], [true]])
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('two')

    const changed = await host.client['schedule.update']({
      id,
      seen: await seenSchedule(host.client, id),
      task: 'something else',
    })
    expect(changed.grants).toEqual([])
    server.reply(write('four'), { text: 'Denied.' })
    await host.at(EIGHT + 2 * 86_400_000, id)
    expect(await lastOf(host, id)).toMatchObject({ denied: ['Replace report.md'] })
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('two')
    expect(host.mistakes()).toEqual([])
  })

  test('a file that was changed since is not undone', async () => {
    using home = aHome()
    const folder = join(home.path, 'workspace')
    await using host = await aScheduledHost(home.path)
    const { server, id } = await aDaily(host)
    await using _server = server
    server.reply(write('mine'), { text: 'Written.' })
    await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
    await approveAll(host, id)
    await ended(host, id)
    writeFileSync(join(folder, 'report.md'), 'by hand')
    const { kept } = await host.client['schedule.undo']({ runId: (await lastOf(host, id)).id })
    expect(kept).toEqual(['report.md: It was changed since by something else, so it stays as it is.'])
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('by hand')
  })

  test.for([
    ['its folder is gone', 'folder_gone'],
    ['its model is gone', 'model_missing'],
    ['the offline lock is on', 'lock_on'],
    ['the computer is on battery', 'on_battery'],
  ] as const)('says that it did not run because %s', async ([, reason]) => {
    using home = aHome()
    await using host = await aScheduledHost(home.path, { isOnMains: () => false })
    using desk = aHome()
    const folder = join(desk.path, 'desk')
    mkdirSync(folder)
    const server = await aServer(host.client)
    await using _server = server
    const modelId =
      reason === 'lock_on'
        ? (
            await host.client['model.addServer']({
              name: 'Far',
              baseUrl: 'http://192.0.2.1:9/v1',
              model: 'qwen3',
              anyway: true,
            } as never)
          ).id
        : server.modelId
    const { id } = await host.client['schedule.add']({
      text: 'every day at 8 look around',
      modelId,
      folder,
      onBattery: reason === 'on_battery' ? 'skip' : 'run',
    })
    if (reason === 'folder_gone') rmSync(folder, { recursive: true })
    if (reason === 'model_missing') await host.client['model.forget']({ id: modelId })
    if (reason === 'lock_on') await host.client['network.lock']({ locked: true })
    await host.at(EIGHT, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'skipped', reason, sessionId: null })
    expect((await lastOf(host, id)).text).not.toBe('')
    if (reason === 'folder_gone')
      expect((await lastOf(host, id)).text).toContain(`${folder} no longer exists. Restore it`)
  })

  test('stops at its limit of tokens, and does not start in a month that is used up', async () => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    const { server, id } = await aDaily(host, {
      limits: { runTokens: 10, runUsd: null, monthTokens: 20, monthUsd: null },
    })
    await using _server = server
    const look = {
      toolCalls: [{ name: 'list_files', arguments: {} }],
      usage: { prompt_tokens: 15, completion_tokens: 9 },
    }
    server.reply(look, { text: 'So far.', usage: { prompt_tokens: 1, completion_tokens: 1 } })
    await host.at(EIGHT, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'failed', reason: 'run_limit' })
    await host.at(EIGHT + 86_400_000, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'skipped', reason: 'month_limit' })
  })

  test('can be changed and deleted while it runs, and a deleted one comes back', async () => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    const { server, id } = await aDaily(host)
    await using _server = server
    const halt = Promise.withResolvers<void>()
    server.reply({ text: ['One ', 'two '], halts: [{ after: 1, until: halt.promise }] })
    host.set(EIGHT)
    host.host.lookAtClock()
    await expect
      .poll(async () => (await host.client['schedule.get']({ id })).last?.sessionId ?? null, {
        timeout: 20_000,
      })
      .not.toBeNull()
    await host.client['schedule.update']({ id, seen: await seenSchedule(host.client, id), name: 'Renamed' })
    await host.client['schedule.remove']({ id })
    await expect(host.client['schedule.get']({ id })).rejects.toThrow('no longer exists')
    await expect
      .poll(
        async () => {
          const back = await host.client['schedule.restore']({ id }).catch(() =>
            host.client['schedule.get']({ id }),
          )
          return back.last
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ state: 'failed', reason: 'removed' })
    halt.resolve()
    expect((await host.client['schedule.get']({ id })).name).toBe('Renamed')
  })

  test('bad input is refused with a reason', async () => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    const { client } = host
    await expect(client['schedule.add']({ text: 'every day at 8' })).rejects.toThrow('What should be done?')
    await expect(client['schedule.add']({ text: 'every day summarise my notes' })).rejects.toThrow(
      'what time',
    )
    await expect(client['schedule.add']({ text: 'every day at 8 look', folder: home.path })).rejects.toThrow(
      'belongs to Talaria',
    )
    await expect(client['schedule.add']({ text: 'every day at 8 look', zone: 'Mars/Base' })).rejects.toThrow(
      'not a time zone',
    )
    await expect(client['schedule.get']({ id: 'nope' })).rejects.toThrow('no longer exists')
    await expect(client['schedule.undo']({ runId: 77 })).rejects.toThrow('no longer in the history')
  })
})
