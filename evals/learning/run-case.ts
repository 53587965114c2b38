import { startOpenAiServer, type OpenAiServer } from '../../testing/servers/openai-server.ts'
import { aHome, startHost, writeFiles, type EvalHome } from './a-home.ts'
import type { Case } from './case.ts'
import { converseInChat, feedEvents, type Way } from './converse.ts'
import { judgeAfter, judgeReview } from './judge.ts'
import { actInActivity, known, waiting, type Scene } from './person.ts'
import { configureHome, prepareCase } from './prepare-case.ts'
import { followScript } from './scripted-model.ts'

/** One run of a case. `wrong` is empty if everything is right. */
export type Result = { id: string; kind: string; way: Way; wrong: string[]; ms: number }

/** Start the server of a recorded conversation's model. */
export const startRecorded = (): Promise<OpenAiServer> =>
  startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 32_000 }] })

/** Run one whole case in a new home, with a model that follows its script. */
export async function runCase(given: Case, way: Way): Promise<Result> {
  const startedAt = performance.now()
  const server = await startRecorded()
  let wrong: string[]
  try {
    wrong = await inAHome(given, way, server)
  } catch (error) {
    wrong = [(error as Error).message]
  } finally {
    await server.close()
  }
  return { id: given.id, kind: given.kind, way, wrong, ms: Math.round(performance.now() - startedAt) }
}

/** Start a host whose chats use the recorded model. Returns the model's id too. */
export async function startWithRecorded(home: EvalHome, server: OpenAiServer) {
  const host = await startHost(home)
  const { id } = await host.client['model.addServer']({
    name: 'Eval',
    baseUrl: server.baseUrl,
    model: 'qwen3',
  })
  await host.client['model.setDefault']({ id })
  return { host, recordedId: id }
}

async function inAHome(given: Case, way: Way, server: OpenAiServer): Promise<string[]> {
  using home = aHome()
  const script = followScript(server)
  writeFiles(home.workspace, given.given.files)
  configureHome(home.path, given)
  const { host } = await startWithRecorded(home, server)
  await using _ = host
  const { client } = host
  await prepareCase(client, given, script)
  const before = new Set(await known(client))
  script.review({ first: given.first, review: given.review })
  const converse = way === 'chat' ? converseInChat : feedEvents
  const came = await converse(client, given, script)
  const proposals = await waiting(client)
  const saved = (await known(client)).filter(text => !before.has(text))
  const wrong = judgeReview(given, way, came, proposals, saved)
  const scene: Scene = { client, ...came, shown: proposals, kept: [], left: 0 }
  for (const step of given.person) await actInActivity(step, scene)
  const after = await judgeAfter(client, given, { home: home.path, left: scene.left, before })
  return [...wrong, ...after]
}
