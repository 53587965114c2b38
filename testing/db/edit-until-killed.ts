import { openStore } from '../../src/main/db/store.ts'
import { aChat, assistant, user } from './a-store.ts'

/** Edit, go back, undo and answer until killed, and print the id of each message once it is stored. */
const { store } = openStore(process.argv[2] ?? '', { clock: Date.now, report: console.error })
const { id } = aChat(store)
const ids = [store.messages.append(user(id, 'message 1')).id]
for (let n = 1; n < 200_000; n += 1) {
  const at = ids[(n * 7) % ids.length]!
  const said = n % 3 === 0 ? assistant(id, `message ${n + 1}`) : user(id, `message ${n + 1}`)
  ids.push((n % 2 === 0 ? store.branches.putBeside(at, said) : store.messages.append(said)).id)
  if (n % 5 === 0) store.branches.goTo(id, at)
  if (n % 7 === 0) store.branches.endAt(id, at)
  process.stdout.write(`${n + 1}\n`)
}
