import { utilityProcess } from 'electron'
import type { SpawnEngine } from '../app/host-types.ts'

/** Start the engine in a utility process. One libuv thread keeps its decodes on one core, which is faster on every machine measured. */
export const spawnEngine: SpawnEngine = (script, env) => {
  const child = utilityProcess.fork(script, [], {
    env: { ...env, UV_THREADPOOL_SIZE: '1' },
    serviceName: 'Talaria engine',
    stdio: 'inherit',
  })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    post: message => child.postMessage(message),
    onMessage: listener => child.on('message', listener),
    onExit: listener => child.once('exit', code => listener(String(code))),
    kill: () => child.kill(),
  }
}
