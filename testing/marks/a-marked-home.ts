import { createReports } from '../../src/main/delegation/untold-reports.ts'
import { policyStep } from '../../src/main/agent/steps/policy-step.ts'
import { capStep } from '../../src/main/agent/steps/result-steps.ts'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { someSections } from '../runs/some-sections.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalMode } from '../../src/shared/contract/chats/session.ts'
import { Config } from '../../src/main/config/schema.ts'
import { delegateTool } from '../../src/main/delegation/delegate-tool.ts'
import { openDelegation } from '../../src/main/delegation/open-delegation.ts'
import { openStore } from '../../src/main/db/store.ts'
import { newMark } from '../../src/main/untrusted/strangers-marks.ts'
import { serverSource } from '../../src/main/untrusted/strangers-text.ts'
import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { createRuns, type Runs } from '../../src/main/runs/runs.ts'
import { createEdits } from '../../src/main/schedules/running/edit-schedules.ts'
import { createPerformer } from '../../src/main/schedules/running/perform-run.ts'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import { scheduleTool } from '../../src/main/schedules/running/schedule-tool.ts'
import { sessionSearchTool } from '../../src/main/chats/search/tool/session-search-tool.ts'
import { createResultCap } from '../../src/main/tools/registry/shorten-result.ts'
import { coreTools } from '../../src/main/tools/tool-lists.ts'
import { defineTool, type Tool } from '../../src/main/tools/registry/tool.ts'
import { searchHere } from '../chats/search-here.ts'
import { aFolder } from '../db/a-store.ts'
import { giveDatabase } from '../db/give-database.ts'
import { scriptedEngine, type ScriptedReply } from '../models/scripted.ts'

const MODEL = 'server:scripted'

/** A call of a tool as a reply of the model. */
export const call = (name: string, args: Record<string, unknown>) => ({ call: { name, arguments: args } })

/** Returns the text of the stranger `source`; with `long`, more than a result may contain. */
const news = defineTool({
  name: 'read_news',
  says: 'Read the news.',
  input: z.object({ source: z.string(), long: z.boolean().optional() }),
  toolset: 'files',
  risk: 'read',
  intent: async () => ({
    title: 'Read the news',
    detail: '',
    risk: 'read',
    inWorkspace: true,
    folder: '/',
  }),
  run: async ({ source, long }) => ({
    ok: true,
    text: `News of ${source}.\n${long ? 'A line of it.\n'.repeat(6_000) : ''}`,
    marks: [newMark(serverSource(source))],
  }),
})

/** Changes memory, in the eyes of the policy: asks only if a stranger's text is in the context. */
const keep = defineTool({
  name: 'keep_note',
  says: 'Keep a note.',
  input: z.object({}),
  toolset: 'files',
  risk: 'write',
  intent: async () => ({
    title: 'Keep a note',
    detail: '',
    risk: 'write',
    undoable: true,
    inWorkspace: true,
    folder: '/',
  }),
  run: async () => ({ ok: true, text: 'Kept.' }),
})

/** The reply of a sub-agent depends on its goal: it reads the news of a source, or nothing. */
function replyOfAgent({ messages }: Prompt, goal: string): ScriptedReply {
  const source = /^Read (\w+)/.exec(goal)?.[1]
  const isRead = messages.some(({ role }) => role === 'tool')
  return source === undefined || isRead ? `About ${goal}.` : [call('read_news', { source })]
}

/**
 * A home folder with chats, sub-agents, schedules, search and stored results on a real store and real files;
 * only the model is scripted. `restart` closes and reopens it.
 */
export function aMarkedHome() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-marks-')))
  // Only the database is in memory, where `read_file` cannot read it.
  const data = aFolder()
  const desk = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-marks-desk-')))
  const reported: unknown[] = []
  const report = (error: unknown) => void reported.push(error)
  giveDatabase(data.path)
  /** What the model says next in each chat. */
  const script = new Map<string, ScriptedReply[]>()
  const engine = scriptedEngine({
    strategy: 'structured',
    modelId: MODEL,
    contextTokens: 64_000,
    replies(prompt) {
      const first = prompt.messages.find(({ role }) => role === 'user')?.text ?? ''
      const goal = /## Goal\n\n(.*)/.exec(first)?.[1]
      if (goal !== undefined) return replyOfAgent(prompt, goal)
      return script.get(prompt.sessionId)?.shift() ?? 'Understood, and said in words of my own.'
    },
  })

  function start() {
    const { store } = openStore(data.path, { clock: Date.now, report })
    const edits = createEdits({
      store,
      defaults: () => ({ modelId: MODEL, folder: desk }),
      folderOf: async given => given,
      zone: () => 'UTC',
      now: Date.now,
    })
    const schedule = scheduleTool({
      parse: text => edits.parse(text),
      add: async wanted => edits.show(await edits.add(wanted)),
      list: () => store.schedules.list().map(edits.show),
      pause: id => edits.show(edits.pause(id)),
      resume: id => edits.show(edits.resume(id)),
      remove: id => void store.schedules.remove(id, Date.now()),
      modelOf: id => store.sessions.get(id)?.modelId,
    })
    const tools: Tool[] = [
      ...coreTools({ timeout_s: 20, result_limit: 50_000 }),
      news,
      keep,
      schedule,
      sessionSearchTool({
        ...searchHere(store),
        askRecap: async () => ({ refused: 'No model is asked here.' }),
      }),
    ]
    const registry = createRegistry(tools)
    const runs: Runs = createRuns({
      refuseFolder: () => {},
      home: folder,
      store,
      sessions: store.sessions,
      sections: someSections(),
      evidence: { asked: () => {}, sent: () => {}, ended: () => {} },
      registry,
      engineFor: async () => engine,
      steps: [
        () => policyStep(),
        () =>
          capStep(
            createResultCap(folder, { result_limit: 50_000, error_limit: 2_048 }, store.marks.keepOutput),
          ),
      ],
      maxIterations: () => 20,
      waitMs: () => 600_000,
      onSessionChange: () => {},
      onRunEvent: () => {},
      compaction: () => ({ ...Config.parse({}).compaction, trigger: 1 }),
      flushes: undefined,
      reports: createReports({ store, onChange: () => {} }),
      now: Date.now,
      report,
    })
    const delegation = openDelegation({
      store,
      runs,
      settings: () => ({ poolSteps: 60, poolTokens: 1_200_000 }),
      optionsFor: () => ({}),
      laneFor: name => ({ name, places: 4, isLocal: false }),
      onChange: () => {},
      now: Date.now,
      report,
    })
    registry.add([delegateTool(delegation)])
    const perform = createPerformer({
      store,
      send: runs.send,
      watch: runs.watch,
      stopIn: runs.stopIn,
      attachIn: () => ({ refused: 'none' }),
      usualMode: () => 'ask',
      now: Date.now,
    })
    return { store, runs, delegation, edits, perform }
  }

  async function stop({ store, runs, delegation }: ReturnType<typeof start>) {
    delegation.close()
    await runs.close()
    store.close()
  }

  let now = start()

  /**
   * Follow a run to its end. All questions except those of `keep_note` are answered with yes. Returns the
   * sources listed in the latter.
   */
  async function follow(runId: string): Promise<string[]> {
    const sources: string[] = []
    for await (const event of now.runs.watch(runId, 0, new AbortController().signal)) {
      if (event.type !== 'approval_request') continue
      const { id, title, texts = [] } = event.approval
      const isNote = title === 'Keep a note'
      // The reason names only some of the sources if there are many.
      if (isNote) sources.push(...texts.map(({ source }) => source))
      now.runs.answer(runId, id, { decision: isNote ? 'deny' : 'once', note: '' })
    }
    return sources
  }

  /** One turn of a chat in which the model says this. */
  function turn(id: string, ...replies: ScriptedReply[]): Promise<string[]> {
    script.set(id, [...replies])
    return follow(now.runs.send(id, 'Go on.').runId)
  }

  return {
    path: folder,
    desk,
    reported,
    script,
    turn,
    get store() {
      return now.store
    },
    get runs() {
      return now.runs
    },
    get edits() {
      return now.edits
    },
    chat: (approval: ApprovalMode = 'ask'): string =>
      now.store.sessions.create({ modelId: MODEL, workspace: desk, approval, origin: 'window' }).id,
    /** The sources listed when a note of the chat needs approval; empty if it needs none. */
    async sourcesIn(id: string): Promise<string[]> {
      const sources = await turn(id, [call('keep_note', {})], 'Done.')
      return [...new Set(sources.map(source => source.replace('the server ', '')))]
    },
    /** The file with the newest long result of a chat. */
    fileOf(id: string): string {
      const results = now.store.messages.history(id).filter(({ role }) => role === 'tool')
      return /the full text is in (\S+),/.exec(results.at(-1)?.text ?? '')?.[1] ?? ''
    },
    compare: (id: string) => follow(now.runs.compare(id, 'And you?', [MODEL, MODEL]).runId),
    compact: (id: string) => follow(now.runs.compact(id, '').runId),
    /** Wait for the sub-agents of a chat that work in the background. */
    async untilAlone(id: string): Promise<void> {
      while (now.delegation.ofChat(id).some(({ state }) => state !== 'ended'))
        await new Promise(resolve => setImmediate(resolve))
    },
    /** Let the newest schedule run once; returns the chat of the run. */
    async runSchedule(): Promise<string> {
      const schedule = now.store.schedules.list().at(-1)!
      const run = now.store.schedules.addRun({
        scheduleId: schedule.id,
        planned: Date.now() + now.store.sessions.list({ query: '', limit: 500, offset: 0 }).sessions.length,
        kind: 'now',
        state: 'claimed',
      })!
      let chat = ''
      await now.perform({ schedule, run, began: id => (chat = id) }, new AbortController().signal)
      return chat
    },
    async restart(): Promise<void> {
      await stop(now)
      now = start()
    },
    async [Symbol.asyncDispose]() {
      await stop(now)
      data[Symbol.dispose]()
      for (const path of [folder, desk]) rmSync(path, { recursive: true, force: true })
    },
  }
}
