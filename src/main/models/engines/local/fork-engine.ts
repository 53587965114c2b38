import { fork } from 'node:child_process'
import type { SpawnEngine } from '../../host-types.ts'

/**
 * Start the engine as a child of plain Node. One libuv thread keeps all decodes on one core, which is a third faster.
 * A small nursery for young objects saves ten megabytes of memory, and there are few such objects while tokens are made.
 * What it prints stays out of our own output, which may be data for another program.
 */
export const forkEngine: SpawnEngine = (script, env) => {
  const child = fork(script, [], {
    env: { ...env, UV_THREADPOOL_SIZE: '1' },
    execArgv: ['--max-semi-space-size=2'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<string>()
  child.once('exit', (code, signal) => ended.resolve(signal ?? String(code)))
  child.on('error', error => ended.resolve(error.message))
  return {
    // A message to a process that is ending gets lost, and its end is told soon enough.
    post: message => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill: () => child.kill('SIGKILL'),
  }
}
