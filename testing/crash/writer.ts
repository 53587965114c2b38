import { writeSync } from 'node:fs'
import { openMemory } from '../../src/main/memory/open-memory.ts'
import { openStore } from '../../src/main/db/store.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'

// Writes messages and memory until it is killed, and prints each write once it is done.

const [home = '', round = '0'] = process.argv.slice(2)
const confirm = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`)
const report = (error: unknown) => {
  throw error
}
const { store } = openStore(home, { clock: Date.now, report })
const memory = openMemory({
  home,
  store: store.memory,
  limits: () => ({ user: 2_000, memory: 2_000 }),
  now: Date.now,
  count: text => text.length,
  onChange: () => {},
})
const session = store.sessions.create({
  modelId: 'none',
  workspace: home,
  approval: 'ask',
  origin: 'terminal',
})
const by = { actor: 'agent', sessionId: session.id, messageId: null, reviewId: null } as const

for (let n = 1; ; n++) {
  const name = `${round}.${n}`
  const text = `message ${name} ${'word '.repeat(n % 50)}`.trim()
  confirm({
    message: store.messages.append({ role: 'user', sessionId: session.id, at: Date.now(), text }).id,
    text,
  })
  // Two files in one batch: both must change or none.
  const old = memory.view().entries.filter(entry => entry.createdAt > 0)
  const room =
    old.length > 20 ? old.slice(0, 10).map(entry => ({ kind: 'remove', id: entry.id }) as const) : []
  const outcome = memory.change(
    [
      ...room,
      { kind: 'add', target: 'user', project: null, text: `left ${name}` },
      { kind: 'add', target: 'memory', project: null, text: `right ${name}` },
    ],
    by,
  )
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  confirm({ batch: name, revisions: outcome.revisions.map(each => each.id) })
}
