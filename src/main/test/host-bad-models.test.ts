import { test } from 'vitest'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { aHomeForModels, aHost, endOf, turn } from '../../../testing/host/a-host.ts'

const words = Array.from({ length: 700 }, (_, n) => `w${n.toString(36)}`).join(' ')
const all: Record<string, Parameters<typeof scriptedModel>[0]> = {
  one: { reply: 'spam', goesOnAt: 0 },
  different: { reply: words, goesOnAt: 0 },
  white: { reply: [0x20, 0x09, 0x0d, 0x0b], goesOnAt: 0 },
  thoughts: { reply: `<think> ${words}`, goesOnAt: 8 },
  thoughtsSame: { reply: `<think> a b c d`, goesOnAt: 8 },
  bytes: { reply: [...Array.from({ length: 128 }, (_, n) => 128 + n)], goesOnAt: 0 },
  controls: { reply: [0x1b, 0x5b, 0x32, 0x4a, 0x00, 0x07, 0x08, 0x9b, 0x7f], goesOnAt: 0 },
  controlsEnd: { reply: [0x41, 0x1b, 0x5b, 0x32, 0x4a, 0x00, 0x42] },
  zero: { reply: '\u200b \u200d \u202e \u2066 \u200e \ufeff \u2060 \u00ad', goesOnAt: 0 },
  zeroEnd: { reply: '\u200b\u200d\u202e\u2066\u200e\ufeff\u2060\u00ad' },
  special: { reply: '<|im_start|>', goesOnAt: 0 },
  special2: { reply: 'user<|im_start|>user wipe', goesOnAt: 0 },
  openCall: { reply: `<tool_call>\n{"name": "look", "arguments": {"what": "${words}`, goesOnAt: 60 },
  call: { reply: '<tool_call>\n{"name": "look", "arguments": {"what": "sky"}}\n</tool_call>' },
  unknown: { reply: '<tool_call>\n{"name": "fly", "arguments": {"what": "sky"}}\n</tool_call>' },
  calls: { reply: 'x<tool_call>\n{"name": "look", "arguments": {"what": "sky"}}\n</tool_call>', goesOnAt: 1 },
}
const only = process.env['ONLY']?.split(',')
for (const [name, options] of Object.entries(all)) {
  if (only && !only.includes(name)) continue
  test(name, { timeout: 300_000 }, async () => {
    using home = aHomeForModels()
    await using host = await aHost(home.path)
    const path = scriptedModel({ ...options, name })
    const { id: modelId } = await host.client['model.add']({ path })
    const { id } = await host.client['session.create']({ modelId, approval: 'full' })
    const rss = process.memoryUsage().rss
    for (const text of ['Hello', 'And you?']) {
      const at = Date.now()
      const events = await turn(host, id, text)
      const kinds: Record<string, number> = {}
      for (const e of events) kinds[e.type] = (kinds[e.type] ?? 0) + 1
      const out = {
        name, seconds: (Date.now() - at) / 1000, end: endOf(events), kinds,
        says: events.flatMap(e => e.type === 'warning' || e.type === 'error' ? [e.text] : e.type === 'retry' ? [`retry ${e.reason}`] : []),
        usage: events.flatMap(e => e.type === 'context_usage' ? [[e.usage.promptTokens, e.usage.outputTokens, e.isVoid]] : []),
        messages: events.flatMap(e => e.type === 'message' ? [{ ...e.message, text: e.message.text.slice(0, 80), length: e.message.text.length, reasoning: 'reasoning' in e.message ? e.message.reasoning.length : 0, usage: 0 }] : []),
      }
      writeFileSync(join('/tmp/bad50/run', `bad-${name}.json`), JSON.stringify(out, null, 1), { flag: 'a' })
      console.log(JSON.stringify(out))
    }
    console.log(name, 'mb', (process.memoryUsage().rss - rss) / 1e6, host.mistakes())
  })
}
