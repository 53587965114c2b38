import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAgents } from './agents.ts'
import { benchAnswers } from './answers/index.ts'
import { benchApi } from './api.ts'
import { benchBatch } from './batch.ts'
import { benchBounds } from './bounds/index.ts'
import { benchChat } from './chat.ts'
import { benchCompaction } from './compaction.ts'
import { benchConfinement } from './confinement.ts'
import { benchContexts } from './contexts.ts'
import { benchEngine } from './engine.ts'
import { benchFeed } from './feed.ts'
import { benchFiles } from './files.ts'
import { benchForcedCalls } from './forced-calls.ts'
import { benchGrammar } from './grammar.ts'
import { benchHook } from './hook.ts'
import { benchReview, reviewModels } from './learning.ts'
import { benchLongChats } from './long-chats.ts'
import { benchMcp } from './mcp.ts'
import { benchMemory } from './memory.ts'
import { benchParser } from './parser.ts'
import { benchPeer } from './peer.ts'
import { benchPulse, caseNames } from './pulse/index.ts'
import { benchRecall } from './recall.ts'
import { benchRpc } from './rpc.ts'
import { pickParts, runParts, type Part } from './run-parts.ts'
import { benchSkills } from './skills.ts'
import { benchStates } from './states.ts'
import { benchTemplates } from './templates.ts'
import { benchThreads } from './threads.ts'
import { benchTools } from './tools.ts'
import { benchWeb } from './web.ts'
import { benchWindow } from './window.ts'
import { buildIfStale } from '../scripts/build.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    case: { type: 'string' },
    profile: { type: 'string' },
    'model-preset': { type: 'string', default: 'half' },
    peer: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const onlyCase = caseNames.find(name => name === values.case)
const reviewed = reviewModels.find(name => name === values['model-preset'])

const parts: Record<string, Part> = {
  window: { minutes: 0.5, measure: benchWindow },
  answers: { minutes: 2, measure: benchAnswers },
  rpc: { minutes: 0.1, measure: benchRpc },
  feed: { minutes: 0.2, measure: () => benchFeed() },
  chat: { minutes: 1, measure: benchChat },
  agents: { minutes: 0.5, measure: benchAgents },
  api: { minutes: 1, measure: benchApi },
  batch: { minutes: 2.5, measure: () => benchBatch() },
  bounds: { minutes: 10, measure: benchBounds },
  parser: { minutes: 0.5, measure: async () => ({ ...(await benchParser()), ...(await benchTemplates()) }) },
  engine: { minutes: 3, measure: benchEngine },
  calls: { minutes: 2, measure: () => benchForcedCalls() },
  grammar: { minutes: 3, measure: benchGrammar },
  states: { minutes: 3, measure: benchStates },
  contexts: { minutes: 4, measure: () => benchContexts() },
  mcp: { minutes: 1, measure: benchMcp },
  hook: { minutes: 0.5, measure: () => benchHook() },
  memory: { minutes: 5, measure: benchMemory },
  threads: { minutes: 3, measure: benchThreads },
  recall: { minutes: 5, measure: () => benchRecall() },
  skills: { minutes: 1, measure: () => benchSkills() },
  tools: { minutes: 0.1, measure: benchTools },
  files: { minutes: 0.5, measure: benchFiles },
  web: { minutes: 0.5, measure: benchWeb },
  longchats: { minutes: 2.5, measure: benchLongChats },
  compaction: { minutes: 0.5, measure: benchCompaction },
  confinement: { minutes: 0.5, measure: benchConfinement },
  review: { minutes: 2, measure: () => benchReview(reviewed) },
  pulse: { minutes: 7, measure: () => benchPulse(onlyCase, values.profile) },
  // First builds llama.cpp's own benchmark, which takes minutes. Runs only when it is named.
  peer: { minutes: 10, measure: benchPeer },
}
const usual = Object.keys(parts).filter(name => name !== 'peer' || values.peer)
const { picked, unknown } = pickParts(parts, values.only?.split(',') ?? usual)
const wrong =
  (unknown && `No part has the name ${unknown.join(', ')}.`) ??
  (values.case === onlyCase ? undefined : `No case of pulse has the name ${values.case}.`) ??
  (reviewed ? undefined : `review has no model ${values['model-preset']}.`)
if (values.help || wrong !== undefined || !picked) {
  const times = Object.entries(parts).map(([name, { minutes }]) => `  ${name.padEnd(12)} ${minutes}`)
  process.stderr
    .write(`${wrong === undefined ? '' : `${wrong}\n`}npm run -s bench -- [--json] [--peer] [--only PART,…]
  --only pulse --case ${caseNames.join('|')} [--profile FOLDER]
  --only review --model-preset ${reviewModels.join('|')}
It builds what is stale. --peer also runs llama.cpp's own benchmark, and builds it when need be. A part that fails is
named at the end; the others still run, and the program ends with 1.

Parts, and about how many minutes each takes on two quiet cores (those of 3 and more are the long ones):
${times.join('\n')}
`)
  process.exit(values.help ? 0 : 2)
}

// An old build would be measured instead of the sources, or could not open the files that the sources wrote.
buildIfStale()
const results = {
  at: new Date().toISOString(),
  node: process.version,
  cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
  ...(await runParts(picked, line => process.stderr.write(`${line}\n`))),
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
else
  for (const measured of Object.values(results.parts))
    for (const [name, value] of Object.entries(measured))
      process.stdout.write(`${name.padEnd(44)} ${value}\n`)
const failed = Object.entries(results.failed)
for (const [name, why] of failed) process.stderr.write(`${name} failed: ${why}\n`)
process.exit(failed.length > 0 ? 1 : 0)
