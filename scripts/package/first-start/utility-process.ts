import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { registerHooks, syncBuiltinESMExports } from 'node:module'

// What is different in a utility process of Electron, for `node --import`. `process.parentPort` replaces the
// pipe (docs/api/parent-port.md). The module `electron` has `net` and `systemPreferences` but no
// `utilityProcess` (docs/api/utility-process.md is about the main process). While the fuse `runAsNode` is off
// (docs/tutorial/fuses.md), `child_process.fork` starts no Node: it starts the application again, which ends
// at once.
Object.defineProperty(process.versions, 'electron', { value: '45.4.1' })
const port = new EventEmitter()
process.on('message', data => port.emit('message', { data, ports: [] }))
Object.assign(process, {
  parentPort: Object.assign(port, { postMessage: (message: unknown) => process.send!(message) }),
})
childProcess.fork = () => {
  const child = childProcess.spawn('true')
  return Object.assign(child, { send: () => true })
}
syncBuiltinESMExports()
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'data:text/javascript,export const net = {}, systemPreferences = {}', shortCircuit: true }
      : next(specifier, context),
})
