import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openEngines, user } from '../src/main/llm/local/test-setup.ts'
import { randomModel } from '../testing/gguf/cached.ts'
const { engines, ask } = openEngines('process', { settings: { context_tokens: 2048, threads: 'auto' } })
const path = randomModel({ preset: 'base' })
const child = fork('/work/main/bench/bare-engine.ts', [path, '2048'], { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } })
await once(child, 'message')
for (const reps of [20, 40, 56]) for (let n = 0; n < 6; n++) {
  const text = `${n} ` + 'Tell me about the world and all in it. '.repeat(reps)
  let first = 0
  const t = performance.now()
  const a = await ask(path, [user(text)], { session: `${n}${reps}`, maxTokens: 3, sampling: { temperature: 0 }, onEvent: e => e.type === 'text' && (first ||= performance.now() - t) })
  child.send({ text: `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`, outputTokens: 3 })
  const [b] = await once(child, 'message')
  console.log(reps, a.usage!.evaluatedTokens, 'consumer', first.toFixed(1), 'engine first', a.usage!.firstTokenMs, 'prefill/s', a.usage!.prefillPerSecond, 'bare', b.readMs.toFixed(1), 'ratio', (b.readMs / first).toFixed(3), a.events.filter(e => e.type === 'progress').length)
}
child.kill(); await engines.close()
