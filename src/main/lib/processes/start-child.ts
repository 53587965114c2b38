import { ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** The function that starts a program: Node's own, or its replacement on Windows. */
type Spawn = (program: string, args: string[], options: SpawnOptions) => ChildProcess

/** Without a listener an `error` event ends this process. Callers add their own listeners as well. */
const ignore = () => undefined
const NO_PIPES = { stdin: null, stdout: null, stderr: null, stdio: [null, null, null, null, null] }

/**
 * Start a program so that no failure of it can end this process. Any failure to start arrives as an `error`
 * event: Node throws some of them, such as for arguments that are too long, or for a folder that has become a
 * file. Each pipe may break at any time. Without free descriptors Node makes no pipes; here they are null
 * then.
 */
export function startChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  start: Spawn = spawn,
): ChildProcess {
  let child: ChildProcess
  try {
    child = start(program, [...args], options)
  } catch (error) {
    child = new ChildProcess()
    const failed = child
    process.nextTick(() => failed.emit('error', error))
  }
  if (!Array.isArray(child.stdio)) Object.assign(child, NO_PIPES)
  child.on('error', ignore)
  for (const stream of child.stdio) stream?.on('error', ignore)
  return child
}
