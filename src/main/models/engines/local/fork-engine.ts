import { fork } from 'node:child_process'
import type { SpawnEngine } from '../../../app/host-types.ts'

/**
 * Start the engine as a child process of plain Node. One libuv thread keeps all decodes on one core, which is a third
 * faster. A small young generation saves 10 MB, and decoding creates few short-lived objects. Its output is
 * discarded, because our own output may be data for another program.
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
    // Messages to a dying process get lost. Its exit event follows soon enough.
    post: message => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill: () => child.kill('SIGKILL'),
  }
}
