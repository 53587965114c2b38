import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAgents } from './agents.ts'
import { benchChat } from './chat.ts'
import { benchCompaction } from './compaction.ts'
import { benchConfinement } from './confinement.ts'
import { benchEngine } from './engine.ts'
import { benchFiles } from './files.ts'
import { benchForcedCalls } from './forced-calls.ts'
import { benchGrammar } from './grammar.ts'
import { benchReview } from './learning.ts'
import { benchMcp } from './mcp.ts'
import { benchMemory } from './memory.ts'
import { benchParser } from './parser.ts'
import { benchPeer } from './peer.ts'
import { benchPulse, caseNames } from './pulse/index.ts'
import { benchRecall } from './recall.ts'
import { benchRpc } from './rpc.ts'
import { benchSkills } from './skills.ts'
import { benchStates } from './states.ts'
import { benchThreads } from './threads.ts'
import { benchTools } from './tools.ts'
import { benchWindow } from './window.ts'
import { buildIfStale } from '../scripts/build.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    case: { type: 'string' },
    peer: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const onlyCase = caseNames.find(name => name === values.case)
const parts = {
  window: benchWindow,
  rpc: benchRpc,
  chat: benchChat,
  agents: benchAgents,
  parser: benchParser,
  engine: benchEngine,
  calls: benchForcedCalls,
  grammar: benchGrammar,
  states: benchStates,
  mcp: benchMcp,
  memory: benchMemory,
  threads: benchThreads,
  recall: benchRecall,
  skills: benchSkills,
  tools: benchTools,
  files: benchFiles,
  compaction: benchCompaction,
  confinement: benchConfinement,
  review: () => benchReview(),
  pulse: () => benchPulse(onlyCase),
  // Builds llama.cpp's own benchmark first, which takes minutes.
  ...((values.peer || values.only === 'peer') && { peer: benchPeer }),
}
const isWrong = (values.only !== undefined && !Object.hasOwn(parts, values.only)) || values.case !== onlyCase
if (values.help || isWrong) {
  process.stderr.write(
    `npm run -s bench -- [--json] [--peer] [--only ${Object.keys(parts).join('|')}]\n  --only pulse --case ${caseNames.join('|')}\nIt builds what is stale. --peer also runs llama.cpp's own benchmark, and builds it when need be.\n`,
  )
  process.exit(values.help ? 0 : 2)
}

// A stale host would be measured, or not open what the sources wrote.
buildIfStale()
const results: Record<string, unknown> = {
  at: new Date().toISOString(),
  node: process.version,
  cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
}
for (const [name, bench] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue
  process.stderr.write(`${name} …\n`)
  Object.assign(results, await bench())
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
else
  for (const [name, value] of Object.entries(results))
    process.stdout.write(`${name.padEnd(36)} ${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
process.exit(0)
