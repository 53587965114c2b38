// node evals/small/measure-doubt.ts FILE.jsonl…: which requests the decider begins, asks about and leaves,
// and how often each probability that it gives is right.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSureEnough, judgeMessage, type LikelyCall } from '../../src/main/builtin/decider/decide-message.ts'
import { EXAMPLES } from '../../src/main/builtin/guide/request-examples.ts'
import { readNames } from '../../src/main/builtin/guide/paths-in-requests.ts'
import { openSmallModels } from '../../src/main/models/engines/local/small-models.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { compareCall, readRequests, wantsTool, type RequestRow } from './row.ts'

const KNOWN = Object.keys(EXAMPLES).filter(name => name !== 'none')
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const meanings = openSmallModels({
  spawn: forkEngine,
  report: error => void process.stderr.write(`${String(error)}\n`),
})
const empty = mkdtempSync(join(tmpdir(), 'talaria-doubt-'))
const became = new Map<string, number>()
const right = new Map<string, { calls: number; right: number }>()

async function judge({ text, folder, off }: RequestRow): Promise<readonly LikelyCall[]> {
  const workspace = folder === 'empty' ? empty : at('folder')
  const tools = KNOWN.filter(name => !off.includes(name))
  const scene = {
    ...(await readNames(workspace)),
    entries: [],
    skills: readdirSync(at('../../skills')),
    known: {
      now: new Date('2026-03-04T09:00:00Z'),
      zone: 'Europe/Vienna',
      folder: workspace,
      entries: [],
      said: [],
      tools,
    },
  }
  const { likely } = await judgeMessage(text, scene, meanings.of, AbortSignal.timeout(60_000))
  return likely.filter(({ tool }) => tools.includes(tool))
}

for (const row of readRequests(process.argv.slice(2))) {
  const likely = await judge(row)
  const isRight = ({ tool }: LikelyCall) => compareCall(row, { name: tool, arguments: {} }).tool
  for (const each of likely) {
    const said = each.probability.toFixed(1)
    const before = right.get(said) ?? { calls: 0, right: 0 }
    right.set(said, { calls: before.calls + 1, right: before.right + Number(isRight(each)) })
  }
  const [best] = likely
  const how = !best
    ? 'left alone'
    : isSureEnough(best)
      ? `begun, ${isRight(best) ? 'right' : 'wrong'}`
      : `asked, ${likely.some(isRight) ? 'with the right call' : 'without it'}`
  const what = `wants ${wantsTool(row)}: ${how}`
  became.set(what, (became.get(what) ?? 0) + 1)
  if (how.startsWith('asked') || how.endsWith('wrong')) console.log(`${what}: ${row.text}`)
}
await meanings.close()
rmSync(empty, { recursive: true, force: true })
console.table(Object.fromEntries(became))
console.table(Object.fromEntries(right))
